"""The options of a print order: the one list behind the command line, its help, its refusals and the studio's form."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from generator.base.errors import UsageError
from generator.base.text_input import in_any_case
from generator.games import card_products
from generator.layout import sheets
from generator.layout.sheets import Size
from generator.layout.targets import (
    PLACED,
    WHOLE,
    CuttingTarget,
    LabelTarget,
    Marks,
    StockTarget,
    Target,
    products_besides,
    targets_by_name,
)
from generator.model.rules import PANELS, System
from generator.products import BOX, is_starter, starter_parts

HOME, HOME_BLEED, FOLD, EVERY_TARGET = "home", "home-bleed", "fold", "all"
MAX_NUDGE = 20
"""The furthest that backs or stickers can be moved, mm."""

Value = str | int | float | bool | tuple[str, ...] | None
"""An option as typed: a text, or the number, tick or list that a command line has already read."""
Group = Literal["all", "paper", "printed", "cards", "box", "sheet", "screen", "mat"]
"""The products that support an option: all of them as files to print, sets of cards as sheets or as text too, or one
kind of product."""
Kind = Literal["one", "tick", "number", "length", "codes", "text"]
_KINDS: dict[object, Kind] = {bool: "tick", int: "number", float: "length", tuple[str, ...]: "codes"}
_OF_TARGETS = PLACED | {"paper", "card", "backs", "extras", "dpi", "base_url", "registration"}
"""The options that only some targets for cards support."""
_OF_BOXES = {"card", "text", "jokers", "extras"}
"""The options of cards that their box supports, too."""

_LARGE = {*PANELS, "starter", "reference-cards"}
"""The products that large print changes, besides cards and their box."""

Format = Literal["pdf", "md", "html"]


class Option(Struct, frozen=True):
    """An option of an order: the products that support it, and a line of help. Its field in Choices gives the rest.

    `shown` is what stands for the value in help; `least` and `most` are the bounds of a number or length (mm);
    `values` are those of a choice; `usual` is the value that the option has unless it is given.
    """

    group: Group
    says: str = ""
    shown: str | None = None
    least: float = 0
    most: float | None = None
    name: str = ""
    kind: Kind = "text"
    values: tuple[str, ...] = ()
    usual: object = None

    @property
    def flag(self) -> str:
        """The option as it is typed on a command line."""
        return f"--{self.name.replace('_', '-')}"

    def read(self, value: Value) -> object:
        """Return the value that was typed. Raises UsageError."""
        typed = value.strip() if isinstance(value, str) else value
        match self.kind:
            case "tick":
                return typed is True or typed == "true"
            case "one":
                if (meant := in_any_case(str(typed), self.values)) in self.values:
                    return meant
                raise UsageError(f'{self.flag} "{str(typed)[:40]}": choose {", ".join(self.values)}')
            case "codes":
                return (typed,) if isinstance(typed, str) else typed
            case "text":
                return _text(self.name, str(typed))
        try:
            number = int(str(typed)) if self.kind == "number" else float(str(typed))
        except ValueError:
            number = self.least - 1
        if number >= self.least and (self.most is None or number <= self.most):
            return number
        bounds = f"{self.least:g} or more" if self.most is None else f"{self.least:g} to {self.most:g}"
        raise UsageError(f"{self.flag} {str(typed)[:40]}: write a number, {bounds}")


_MOVES = "Move the backs (on labels everything), mm right and up; save= saves it for the target and paper."
_MARKS = "Lines to cut along, marks in the margin, or nothing.  [default: as the target needs]"
_REGISTRATION = "Length, thickness and inset of the silhouette target's marks, mm.  [default: the target's own]"
_RULINGS = "Mark rulings, sources and reconstructed values; a screen gets a page of rulings."
_READ = "md, html: the same content as text."


class Choices(Struct, frozen=True, kw_only=True):
    """Every option with its value; None for the usual value of the target. Lengths in mm, `nudge` right and up."""

    paper: Annotated[str | None, Option("paper", "[default: a4]", "a4|letter")] = None
    target: Annotated[
        str, Option("printed", "See hackjack list targets; all: every target, each into its own folder.", "NAME")
    ] = HOME
    card: Annotated[
        Size | None, Option("printed", "poker, bridge, tarot, mini ... or 70x120 (mm), 2.5x3.5in.", "NAME|WxH")
    ] = None
    format: Annotated[Format, Option("all", _READ)] = "pdf"
    dpi: Annotated[int | None, Option("printed", "Resolution of the png target.  [default: 300]", None, 36, 1200)] = (
        None
    )
    backs: Annotated[
        Literal["none", "duplex", "fold"] | None, Option("printed", "[default: duplex, where there are backs]")
    ] = None
    nudge: Annotated[tuple[float, float] | None, Option("printed", _MOVES, "[save=]X,Y")] = None
    marks: Annotated[Marks | None, Option("printed", _MARKS)] = None
    registration: Annotated[tuple[float, float, float] | None, Option("printed", _REGISTRATION, "L,T,I")] = None
    start: Annotated[int | None, Option("printed", "Start at the Nth place of a used sheet.", "N", 1)] = None
    copies: Annotated[int | None, Option("printed", "Print all cards N times.", "N", 1, 100)] = None
    fill: Annotated[bool, Option("printed", "Repeat the cards until the last sheet is full.")] = False
    text: Annotated[Literal["normal", "large"], Option("printed")] = "normal"
    base_url: Annotated[str | None, Option("printed", "The web address of the folders of the tts target.", "URL")] = (
        None
    )
    theme: Annotated[str | None, Option("paper", "See hackjack list themes.", "NAME")] = None
    ink: Annotated[
        Literal["full", "saver", "mono"], Option("paper", "saver: outlines, no filled areas; mono: only black.")
    ] = "full"
    suits: Annotated[Literal["two", "four"], Option("paper", "Suit colours.")] = "two"
    contrast: Annotated[Literal["normal", "high"], Option("paper", "high: black letters on white.")] = "normal"
    only: Annotated[tuple[str, ...], Option("cards", "Print only these cards: QS,KH.", "CODE,...")] = ()
    jokers: Annotated[bool, Option("cards", "Print the jokers too.")] = False
    extras: Annotated[bool, Option("cards", "Add cards that explain the others: how to read one, the rules.")] = False
    thickness: Annotated[
        float | None, Option("box", "Thickness of a card, for the box.  [default: 0.3]", "MM", 0.05, 3)
    ] = None
    bare: Annotated[bool, Option("paper", "Leave the pack and these options out of the PDF.")] = False
    plain: Annotated[bool, Option("sheet", "Print the sheet without form fields.")] = False
    panels: Annotated[Literal["landscape", "portrait"], Option("screen", "The format of a screen's panels.")] = (
        "landscape"
    )
    players: Annotated[bool, Option("screen", "Print the players' side on the back of each panel.")] = False
    rulings: Annotated[bool, Option("all", _RULINGS)] = False
    columns: Annotated[int | None, Option("mat", "Of the mat.  [default: 2 and one for each ally]", "N", 1, 40)] = None
    rows: Annotated[int | None, Option("mat", "Of the mat.  [default: as deep as a column becomes]", "N", 1, 20)] = None

    @property
    def cards_target(self) -> str:
        """The name of the target that cards are printed for."""
        return FOLD if self.target == HOME and self.backs == "fold" else self.target

    @property
    def paper_size(self) -> Size:
        """The paper, upright."""
        return sheets.paper_sizes()[self.paper or "a4"]

    def given(self) -> list[Option]:
        """List the options whose value is not the usual one."""
        return [option for option in OPTIONS if getattr(self, option.name) != option.usual]

    def fitting(self, target: str) -> "Choices":
        """Return the same choices for a target, without the options that it does not support."""
        unsupported = _OF_TARGETS - targets_by_name()[target].takes
        usual = {option.name: option.usual for option in OPTIONS if option.name in unsupported}
        return msgspec.structs.replace(self, target=target, **usual)


def _options() -> Iterator[Option]:
    """Give each option with what its field in Choices says of it."""
    usual = Choices()
    for name, hint in get_type_hints(Choices, include_extras=True).items():
        kind, option = get_args(hint)
        # An option that may be None is of the other type.
        kind = next((part for part in get_args(kind) if type(None) in get_args(kind)), kind)
        values = get_args(kind) if get_origin(kind) is Literal else ()
        yield msgspec.structs.replace(
            option,
            name=name,
            kind="one" if values else _KINDS.get(kind, "text"),
            values=values,
            usual=getattr(usual, name),
        )


OPTIONS = tuple(_options())


def choices_of(written: Mapping[str, Value]) -> Choices:
    """Return the options that were typed, by name, each in its type; names of other options are ignored.

    Raises UsageError for a value that an option cannot have.
    """
    options = [option for option in OPTIONS if written.get(option.name) not in (None, ())]
    return msgspec.convert({option.name: option.read(written[option.name]) for option in options}, Choices)


def typed_options(choices: Choices) -> dict[str, str]:
    """Return the options that are not at their default, by name, as they are typed."""

    def typed(value: object) -> str:
        if isinstance(value, Size):
            return f"{value.width!r}x{value.height!r}"
        return ",".join(map(str, value)) if isinstance(value, tuple) else "true" if value is True else str(value)

    return {option.name: typed(getattr(choices, option.name)) for option in choices.given()}


_CUTTERS = "use --target silhouette, which also writes the cut lines as SVG and DXF"
_OTHER_TARGETS = {
    **dict.fromkeys(("cricut", "cameo", "portrait", "brother", "scanncut"), _CUTTERS),
    **dict.fromkeys(("tabletop", "tabletop-simulator", "simulator"), "use --target tts for Tabletop Simulator"),
    **dict.fromkeys(("makeplayingcards", "gamecrafter", "drivethrucards"), "use --target mpc, tgc or drivethru"),
    **dict.fromkeys(("playingcards", "playingcards.io"), "use --target pcio"),
    **dict.fromkeys(("avery", "labels", "stickers"), "use --target with the number on the box, such as l7651 or 5160"),
}
"""What to use for a name that is no target, but that people know."""


def _text(name: str, typed: str) -> object:
    """Return the value of an option that is typed as a text of its own form. Raises UsageError."""
    match name:
        case "paper":
            sheets.named_item(sheets.paper_sizes(), typed, "paper")
            return in_any_case(typed, sheets.paper_sizes())
        case "target":
            if (meant := in_any_case(typed, (*targets_by_name(), EVERY_TARGET))) != EVERY_TARGET:
                if advice := _OTHER_TARGETS.get(typed.casefold()):
                    raise UsageError(f'there is no target "{typed}": {advice}')
                sheets.named_item(targets_by_name(), meant, "target")
            return meant
        case "card":
            size = sheets.card_size(typed)
            return Size(size.width, size.height)
        case "nudge":
            right, up = _lengths(name, typed, "0.5,-1, or save=0.5,-1 to keep them", 2)
            if not (abs(right) <= MAX_NUDGE and abs(up) <= MAX_NUDGE):
                raise UsageError(f"--nudge {typed[:40]}: the limit is {MAX_NUDGE} mm either way")
            return right, up
        case "registration":
            return tuple(_lengths(name, typed, "15,0.5,12", 3))
        case _:
            return typed


def _lengths(name: str, typed: str, example: str, count: int) -> list[float]:
    try:
        lengths = [float(part) for part in typed.removeprefix("save=" if name == "nudge" else "").split(",")]
    except ValueError:
        lengths = []
    if len(lengths) != count:
        parts = "two lengths" if count == 2 else "length, thickness and inset"
        raise UsageError(f'--{name} "{typed[:40]}": write {parts} in mm, such as {example}')
    return lengths


def supported_options(system: System, product: str, target: str = HOME, form: Format = "pdf") -> tuple[Option, ...]:
    """Return the options that change a product of a system, or a part of it, when it is printed for a target."""
    known, parts = targets_by_name()[target], parts_of(system, product)
    return tuple(option for option in OPTIONS if any(_supports(option, system, part, known, form) for part in parts))


def parts_of(system: System, product: str) -> tuple[str, ...]:
    """Return the product, and behind it the products that it bundles."""
    if is_starter(system, product):
        return (product, *starter_parts(system))
    return (product, *card_products.card_set_names(system)) if product == WHOLE else (product,)


def _supports(option: Option, system: System, product: str, target: Target, form: Format) -> bool:
    is_cards = product in card_products.printed_sets(system)
    if option.group == "all":
        return True
    if form != "pdf":
        return option.group == "cards" and is_cards
    if is_cards and _lacking(option, target):
        return False
    if option.name == "text" and product in _LARGE:
        return True
    match option.group:
        case "paper":
            return True
        case "cards" | "printed":
            kinds = products_besides(target)
            besides = option.name == "target" and (product in kinds or WHOLE in kinds)
            return is_cards or besides or (product == BOX and option.name in _OF_BOXES)
        case _:
            return product == option.group


def _lacking(option: Option, target: Target) -> bool:
    return option.name in _OF_TARGETS and option.name not in target.takes


def check_supported(choices: Choices, system: System, products: Sequence[str]) -> None:
    """Raises UsageError for an option that none of the products supports, or that the target of their cards lacks."""
    name, form = choices.cards_target, choices.format
    target = targets_by_name()[name]
    supported = {option.name for product in products for option in supported_options(system, product, name, form)}
    parts = {part for product in products for part in parts_of(system, product)}
    has_cards = not parts.isdisjoint(card_products.printed_sets(system))
    is_for_target = has_cards or bool(products_besides(target))
    for option in choices.given():
        if form != "pdf" and option.group not in ("all", "cards"):
            raise UsageError(f"--format {form} is for reading: leave {option.flag} out, which is for paper")
        if form == "pdf" and (is_for_target if option.name == "paper" else has_cards):
            _check_target(option, choices, name, target)
        if option.name not in supported and not (has_cards and _lacking(option, target)):
            whom = "sets of cards" if option.group in ("printed", "cards") else f"a {option.group}"
            whom += ", screens, sheets and references" if option.name == "text" else ""
            raise UsageError(f"{option.flag} means nothing for {', '.join(products)}: it is for {whom}")
    if choices.backs == "none" and choices.nudge is not None:
        raise UsageError("--nudge moves the backs, and --backs none prints none: leave one of them out")
    if choices.backs == "fold" and name != FOLD:
        raise UsageError(f"--backs fold means nothing for {name}: write --target fold")


def target_of(choices: Choices) -> tuple[str, Target]:
    """Return the target for cards with its name. Raises UsageError for an option that it lacks."""
    name = choices.cards_target
    target = targets_by_name()[name]
    for option in choices.given():
        _check_target(option, choices, name, target)
    if isinstance(target, CuttingTarget) and choices.registration is not None:
        target = _registered(target, choices.registration)
    return name, target


def _check_target(option: Option, choices: Choices, name: str, target: Target) -> None:
    """Raises UsageError for an option that the target lacks, unless the value is what the target does anyway."""
    own_paper = option.name == "paper" and isinstance(target, LabelTarget) and choices.paper == target.paper
    own_backs = option.name == "backs" and choices.backs == "fold" and name == FOLD
    if _lacking(option, target) and not own_paper and not own_backs:
        raise UsageError(f"{option.flag} means nothing for {name}{_why_lacking(option, target)}")


def _why_lacking(option: Option, target: Target) -> str:
    """The end of a sentence about an option that a target does not support."""
    if isinstance(target, LabelTarget) and option.name == "paper":
        return f", which is a sheet of {target.paper}"
    if isinstance(target, LabelTarget | StockTarget) and option.name == "card":
        return ", whose sheets have a size of their own"
    supporting = [name for name, other in targets_by_name().items() if option.name in other.takes]
    return f": it is for {', '.join(supporting)}"


def _registered(target: CuttingTarget, marks: tuple[float, float, float]) -> CuttingTarget:
    """Return the target with other marks than its own. Raises UsageError for marks that no program cuts by."""
    values = dict(zip(("length", "thickness", "inset"), marks, strict=True))
    for name, limits in target.limits.items():
        if not limits.least <= values[name] <= limits.most:
            written = ",".join(f"{each:g}" for each in marks)
            raise UsageError(f"--registration {written}: the {name} of marks is {limits.least:g} to {limits.most:g} mm")
    return msgspec.structs.replace(target, registration=msgspec.structs.replace(target.registration, **values))


class Label(NamedTuple):
    """What a form calls an option and says of it; `words` are those for its values, in their order."""

    name: str
    says: str
    words: tuple[str, ...] = ()


LOOKS = {
    "theme": Label("Theme", "Colours, fonts and ornaments."),
    "ink": Label("Ink", "Outlines save ink: large areas stay white.", ("full", "outlines", "black only")),
    "suits": Label("Suit colours", "With four colours each suit has its own.", ("two", "four")),
    "contrast": Label("Contrast", "High contrast is black on white, with nothing behind the text.", ("normal", "high")),
    "text": Label("Text", "Large text can be read from farther away.", ("normal", "large")),
    "jokers": Label("Jokers", "Print the jokers too, where the game leaves them out."),
    "extras": Label("Cards that explain", "Add cards that show how to read a card, and the rules."),
    "plain": Label("No form fields", "Leave out the fields to fill in on screen. Print shops want that."),
    "panels": Label("Panels", "Which way the paper goes into your screen.", ("landscape", "portrait")),
    "players": Label("Players' side", "Print a side for the players on the back of each panel."),
    "rulings": Label("Mark rulings", "Mark what no source says and what was decided, and list the decisions."),
    "columns": Label("Columns", "Columns of the play mat: usually 2, and one for each ally."),
    "rows": Label("Rows", "Rows of the play mat: usually as many as a column can have cards."),
}
"""How it looks."""

LAYING = {
    "target": Label("Print for", "Your printer, sheets of labels, a print shop, or a virtual table."),
    "paper": Label("Paper", "The paper in your printer."),
    "card": Label("Card size", "The size of a card after it is cut."),
    "backs": Label("Backs", "Where the backs of the cards are printed.", ("none", "other side", "beside, to fold")),
    "marks": Label("Cutting marks", "What you cut along.", ("lines", "in the margin", "none")),
    "nudge": Label("Move the backs", "If the backs miss the fronts: mm to the right and up, such as 0.5,-1."),
    "registration": Label("Registration", "Other marks for the cutter: length, thickness and inset in mm: 15,0.5,12."),
    "start": Label("First place", "On a sheet of labels that is partly used: the first free place."),
    "copies": Label("Copies", "How many times all of these cards are printed."),
    "fill": Label("Fill the last sheet", "Repeat cards until no place of the last sheet is empty."),
    "dpi": Label("Resolution", "Dots per inch of each picture. 300 is enough for printing."),
    "thickness": Label("Card thickness", "In mm, for the depth of the box. 0.3 is usual."),
    "bare": Label("Nothing but pages", "Leave the pack out of the PDF. Nobody can then change it and print it again."),
    "base_url": Label("Web address", "Where you put the pictures on the web, for Tabletop Simulator to load."),
}
"""For what it is printed, and where it lies on the sheet."""

LABELS = LOOKS | LAYING
"""The labels in the order of a form; of two options there is none: cards are chosen otherwise, and text is no print."""
