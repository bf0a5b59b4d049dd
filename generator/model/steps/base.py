"""What all effects and steps have in common."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from generator.base.fields import Id, PartName, RulingName, Text
from generator.model.procedures import Telling

if TYPE_CHECKING:
    from generator.model.steps import AnyEffect


class Effect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """What a card or a table row does. The key `do` names the kind."""

    form: ClassVar[str] = ""
    """How it begins in rules as text: words and `{key:type}`; `?` before what may be missing."""
    clauses: ClassVar[str] = ""
    """What may follow, parted by |; `=key:value` is what words without a value set."""
    block: ClassVar[str] = ""
    """The keys of the steps below its colon; `?` before those that may be missing."""

    prints: ClassVar[str] = ""
    """What is printed for it without words of its author: `{key}` is a value, and `[...]` stands only with its keys."""

    @property
    def do(self) -> str:
        """The name of its kind, as content has it: `suffer`."""
        return str(self.__struct_config__.tag)


class Step(Effect, frozen=True, kw_only=True):
    """What only the kind `steps` plays: it works on numbers, events and times that the author names."""

    says: (
        Annotated[
            str, Meta(max_length=400, description='your own text, on paper and in the log; "" leaves it off the paper')
        ]
        | None
    ) = None
    log: Annotated[Text | Telling, Meta(description="your own text in the log; {name} is a current value")] | None = (
        None
    )
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None


Start = Annotated[
    Literal["now", "recovery", "survival"],
    Meta(description="when it begins: at once, after recovery, or if you survive"),
]

Where = Annotated[PartName, Meta(description="a part: only if that part is hurt")]

Reconstructed = Annotated[bool, Meta(description="no source gives this detail; it is --rulings prints a dagger")]

Upto = Annotated[int, Meta(ge=1, le=999, description="it happens if the die shows this or less")]

OwnNumber = Annotated[Id, Meta(description="a number, or an argument whose words are names of numbers")]

Does = Annotated[tuple["AnyEffect", ...], Meta(max_length=30)]
"""Steps in order. Where it stands in a type, `AnyEffect` is known by name."""
