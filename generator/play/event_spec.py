"""What an event is and what it takes, as plain values: reading, help, completion and forms all come from these.

A specification holds no code, so content can define one. What it takes is read in its order: which values an
argument may have can depend on those before it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import read_code
from generator.base.dice import Dice
from generator.base.errors import UsageError, did_you_mean
from generator.base.late import late_pattern
from generator.base.text_input import in_any_case, read_name, read_number

Values = dict[str, Any]
"""What was read of an event: the name of each argument that was given, or that has a default, and its value."""
Readers = Mapping[str, Callable[[str, str], Any]]
"""How kinds of arguments are read: from what is read, for the error, and the text. They raise UsageError."""

LUCK = {"cards": "[CARD ...]", "dice": "[dice N ...]", "choose": "[choose N ...]"}
"""The luck that an event may meet, as it is typed at the prompt."""

_PAIR = late_pattern(r"([a-z][a-z0-9_-]*)=(.+)", re.DOTALL)
_SAMPLES = {"number": "N", "signed": "N", "person": "NAME"}
_CALLED = {"number": "a number", "card": "a card", "die": "a die", "name": "a name", "person": "a name"}


class ArgumentSpec(Struct, frozen=True):
    """One thing that an event takes.

    `kind` is `word` (one of `words`), `number` or `signed` (from `least` to `most`; signed takes `+2` too), `name`
    (anybody's, or of somebody new), `person` (somebody at a shared table), `card`, `die`, `dice`, `text`, `file`, or a
    kind that a game reads by itself. Any kind takes its `words` too. `sample` stands for it in the usage, `called` in
    the error when it is missing. It is typed as a word in its place; with `option` as `--at name=value`; with a `label`
    as that word and the value. `many` takes all words that are left, or as an option a list with commas. Where it
    depends on earlier arguments, the first of `depends` that has a value chooses its words in `by`, under `name=value`.
    `then` holds what follows each of its words.
    """

    name: str
    kind: str = "word"
    words: tuple[str, ...] = ()
    least: int = 1
    most: int = 0
    sample: str = ""
    called: str = ""
    default: Any = None
    optional: bool = False
    many: bool = False
    option: bool = False
    label: str = ""
    depends: tuple[str, ...] = ()
    by: Mapping[str, tuple[str, ...]] = {}
    then: "Mapping[str, tuple[ArgumentSpec, ...]]" = {}

    def known(self, earlier: Mapping[str, Any]) -> tuple[str, ...]:
        """The words that it may be after these values."""
        return self.by.get(self.after(earlier), ()) if self.depends else self.words

    def after(self, earlier: Mapping[str, Any]) -> str:
        """Return the argument that decides which words it may be, as `type=fire`; empty where nothing does."""
        return next((f"{name}={earlier[name]}" for name in self.depends if name in earlier), "")

    def typed(self, sign: str) -> str:
        """Return how it is typed: `N`, `[hp N]`, `[--at type=fire]`; `sign` stands before an option."""
        kind = self.name if self.kind == "word" else self.kind
        text = self.sample or "|".join(self.words) or _SAMPLES.get(kind, kind.upper())
        text = f"{sign}{self.name}={text}" if self.option else f"{self.label} {text}".strip()
        return f"[{text}]" if self.optional else text


def option_argument(name: str, kind: str = "word", words: tuple[str, ...] = (), **more: Any) -> ArgumentSpec:
    """An argument that is typed as `--at name=value`, or left out."""
    return ArgumentSpec(name, kind, words, option=True, optional=True, **more)


def labelled_argument(
    label: str, kind: str = "word", words: tuple[str, ...] = (), *, name: str = "", **more: Any
) -> ArgumentSpec:
    """An argument that is typed behind its label, as `hp 7`, or left out."""
    return ArgumentSpec(name or label, kind, words, label=label, optional=True, **{"least": 0, **more})


class EventSpec(Struct, frozen=True):
    """An event, or what odds are asked of: what it does, what it takes, and the luck that it may meet, as in LUCK.

    `in_a_row`: odds can be asked of several, one after the other. `time`: it lets time pass; typed without a name it is
    for everybody who lives, and where it may happen to the `dead`, for them too.
    """

    name: str
    says: str
    takes: tuple[ArgumentSpec, ...] = ()
    luck: tuple[str, ...] = ()
    in_a_row: bool = False
    time: bool = False
    dead: bool = False

    def usage(self, head: str | None = None) -> str:
        """How it is typed, and what it does: `hit N [critical]: damage`. At the prompt after `head`, and with luck."""
        prompt = head is not None
        parts = [head if prompt else self.name, *(argument.typed("" if prompt else "--at ") for argument in self.takes)]
        parts += ["[hits K]" if prompt else "[--hits K]"] if self.in_a_row else []
        parts += [LUCK[kind] for kind in self.luck] if prompt else []
        return " ".join(filter(None, parts)) + ("" if prompt else f": {self.says}")

    def asked(self, *, in_a_row: bool = False) -> "EventSpec":
        """The event as odds are asked of it: they need no luck."""
        return replace(self, luck=(), in_a_row=in_a_row)


def event_spec(name: str, says: str, *takes: ArgumentSpec, luck: str = "", time: bool = False) -> EventSpec:
    """Return an event; `luck` as words."""
    return EventSpec(name, says, takes, tuple(luck.split()), time=time)


def by_name(*specs: EventSpec) -> dict[str, EventSpec]:
    """Specifications by name, in their order."""
    return {spec.name: spec for spec in specs}


def read_values(
    specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str], readers: Readers
) -> Values:
    """Return the values of an event whose name is the first word. Raises UsageError."""
    name = words[0] if words else ""
    if name not in specs:
        raise UsageError(f'there is no event "{name[:40]}"{did_you_mean(name, specs)}')
    return ArgumentReading(specs[name], words[1:], at, readers).whole()


class ArgumentReading:
    """What an event takes of the words behind its name, and of options; nothing is raised before `whole`.

    `values` are what was read, `rest` the words that are left, `waiting` the arguments that may come next, `fault` is
    what is wrong before the rest, `surplus` what is wrong with the rest. `head` is how the event begins at the prompt:
    then errors are in those terms.
    """

    def __init__(
        self, spec: EventSpec, words: Sequence[str], at: Mapping[str, str], readers: Readers, head: str | None = None
    ) -> None:
        self._spec, self._readers, self._head, self._named = spec, readers, head, dict(at)
        self._sign = "--at " if head is None else ""
        self._unread: UsageError | None = None
        self.values: Values = {}
        self.rest = list(words)
        self.waiting: list[ArgumentSpec] = []
        self.fault: UsageError | None = None
        ahead = list(spec.takes)
        try:
            self._part([argument.name for argument in ahead if argument.option])
            while ahead:
                argument = ahead.pop(0)
                self._take(argument)
                if then := argument.then.get(self.values.get(argument.name, "")):
                    self._head = f"{self._head or spec.name} {self.values[argument.name]}"
                    self._spec = replace(spec, takes=then, luck=())
                    ahead[:0] = then
        except UsageError as error:
            self.fault = error
            self.waiting += [later for later in ahead if later.option and later.name not in self._named]

    @property
    def surplus(self) -> UsageError | None:
        """What is wrong with the words that are left: nothing took them, or nothing that may be left out."""
        if not self.rest or self._unread:
            return self._unread
        labels = [argument.label for argument in self._spec.takes if argument.label]
        odd = labels and (not self.values or self.rest[0] in labels)
        what = "not understood" if odd else f"one value too many for {self._spec.name}"
        named = next((each.name for each in self._spec.takes if each.option and self.rest[0] in each.words), None)
        if named and not odd:
            what = f"said by its name: {self._sign}{named}={self.rest[0]}"
        return UsageError(f'"{self.rest[0][:40]}" is {what}: write {self._spec.usage(self._head)}')

    def whole(self) -> Values:
        """The values where nothing is wrong and no word is left. Raises UsageError."""
        if fault := self.fault or self.surplus:
            raise fault
        return self.values

    def _part(self, options: Sequence[str]) -> None:
        """Set apart what stands with its name: options, and values behind a label."""
        plain = [argument.name for argument in self._spec.takes if _by_name(argument)]
        if options or any((pair := _PAIR.fullmatch(word)) and pair[1] in plain for word in self.rest):
            self._named, self.rest = read_pairs(self.rest, self._named)
        for key in self._named:
            if key not in (*options, *plain):
                takes = f": it takes {', '.join(options)}" if options else ""
                meant = _meant(key, (*options, *plain)) or takes
                raise UsageError(f"{self._spec.name} takes no {self._sign}{key[:40]}{meant}")
        for label in [argument.label for argument in self._spec.takes if argument.label]:
            if label in self.rest[:-1]:
                place = self.rest.index(label)
                self._named[label] = self.rest[place + 1]
                del self.rest[place : place + 2]

    def _take(self, argument: ArgumentSpec) -> None:
        """Take one argument."""
        key, rest = argument.label or argument.name, self.rest
        apart, what = argument.option or argument.label, self._spec.name
        if argument.default is not None:
            self.values[argument.name] = argument.default
        if apart:
            what = key if argument.label else f"{self._sign}{key}"
            texts = [self._named[key]] if key in self._named else []
            if argument.many and texts:
                texts = [part.strip() for part in texts[0].split(",")]
                texts = [part for part in texts if part or argument.kind == "number"]
        elif _by_name(argument) and argument.name in self._named:
            texts, apart = [self._named[argument.name]], True
        else:
            texts = rest[: None if argument.many else 1]
        if not texts or (argument.many and not apart):
            self.waiting.append(argument)
        if not texts and not argument.optional:
            called = argument.called or _CALLED.get(argument.kind) or " or ".join(argument.words) or "more"
            raise UsageError(f"{what} needs {called}: write {self._spec.usage(self._head)}")
        try:
            values = tuple(self._value(argument, text, what) for text in texts)
        except UsageError as error:
            if apart or not argument.optional:
                raise
            self.waiting.append(argument)
            self._unread = self._unread if argument.kind == "word" else error
            return
        if values or (apart and key in self._named):
            self.values[argument.name] = values if argument.many else values[0]
        if texts and not apart:
            del rest[: len(texts)]
            self._unread = None

    def _value(self, argument: ArgumentSpec, text: str, what: str) -> Any:
        """Return the value that was typed."""
        words, kind = argument.known(self.values), argument.kind
        if (word := in_any_case(text, words)) in words:
            return word
        if kind == "word":
            after = argument.after(self.values)
            right = f"write {', '.join([*words[:-2], ' or '.join(words[-2:])])}" if words else "leave it out"
            what = f'{what} cannot be "{text[:40]}"{f" with {after}" if after else ""}'
            raise UsageError(f"{what}{_meant(text, words) or f': {right}'}")
        try:
            if kind in ("number", "signed"):
                return read_number(what, text, argument.least, argument.most, plus=kind == "signed")
            return (self._readers.get(kind) or _READERS[kind])(what, text)
        except UsageError as error:
            says = str(error)
            asks = "?" if says.endswith("?") else ""
            raise UsageError(f"{says.removesuffix('?')}, or {' or '.join(words)}{asks}" if words else says) from error


def is_pair(word: str) -> bool:
    """Return whether a word is an option with its value, as `type=fire`."""
    return _PAIR.fullmatch(word) is not None


def _by_name(argument: ArgumentSpec) -> bool:
    """Return whether what is said in its turn may be said with its name instead: `damage=7`."""
    return argument.kind in ("number", "signed", "word", "name", "die", "card") and not (
        argument.option or argument.label or argument.many
    )


def read_pairs(words: Sequence[str], at: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """`type=fire` apart from other words, and beside those that are known. Raises UsageError for one given twice."""
    pairs, rest = dict(at), []
    for word in words:
        match = _PAIR.fullmatch(word)
        if not match:
            rest.append(word)
        elif match[1] in pairs:
            raise UsageError(f"{match[1]} is given twice")
        else:
            pairs[match[1]] = match[2]
    return pairs, rest


def _meant(text: str, words: Sequence[str]) -> str:
    """Return the end of a sentence that names what was meant; empty where nothing comes near."""
    hint = did_you_mean(text, words)
    return hint if hint.startswith(":") else ""


# --- kinds that every game may use -----------------------------------------------------------------------------------


def _card(what: str, text: str) -> str:
    try:
        return read_code(text)
    except ValueError as error:
        raise UsageError(f"{what}: {error}") from error


def _dice(what: str, text: str) -> str:
    try:
        dice = Dice.parse(text)
    except ValueError as error:
        raise UsageError(f"{what}: {error}") from error
    if dice.is_number or dice.least < 1:
        raise UsageError(f'{what} needs dice such as 2d6+1, not "{text[:40]}"')
    return str(dice)


def _die(what: str, text: str) -> str:
    if not re.fullmatch(r"1?d[0-9]{1,3}", text.lower()) or int(text.lower().partition("d")[2]) < 2:
        raise UsageError(f'{what} needs a die such as d8, not "{text[:40]}"')
    return text.lower().removeprefix("1")


_READERS: Readers = {
    "card": _card,
    "dice": _dice,
    "die": _die,
    "name": lambda _, text: read_name(text),
    **dict.fromkeys(("person", "text", "file"), lambda _, text: text),
}
