"""`help` at the prompt: all commands on one screen, in groups with an example each; one command in detail."""

import re
import textwrap
from collections.abc import Iterator, Sequence

from generator.base.text_input import quoted_word
from generator.games.face import AnyGame
from generator.play.event_spec import ArgumentSpec, EventSpec
from generator.session import prompt

WIDTH = 79
_SAMPLES = {
    "card": "QS",
    "range": "QH",
    "die": "d8",
    "dice": "2d6",
    "roll": "d8",
    "trait_die": "d8",
    "person": "bryn",
    "name": "bryn",
}
"""Sample values for kinds of arguments in an example."""


def overview(game: AnyGame) -> list[str]:
    """Return all commands by groups. They fit 24 lines of 79 letters for every game that ships."""
    lines: list[str] = []
    for title, names, example in _groups(game):
        lines.append(f"{title}, as in {example}" if example else title)
        lines += textwrap.wrap(" ".join(names), WIDTH, initial_indent="    ", subsequent_indent="    ")
    lines.append("The beginning of a word is enough where only one word begins so.")
    lines.append("help COMMAND says how a command is typed and what it does.")
    return [*lines, "Names with spaces stand in double quotes. Cards are written AC 10H QS."]


def detail(name: str, game: AnyGame) -> list[str]:
    """Return how one command is typed, what it does, and an example where it is an event."""
    usage, says = prompt.commands(game)[name]
    spec = game.EVENTS.get(name)
    return [usage, f"    {says}", *([f"    such as {example(spec, game)}"] if spec and spec.takes else [])]


def example(spec: EventSpec, game: AnyGame) -> str:
    """Return an event as it may be typed, with what it cannot do without."""
    return " ".join([prompt.command_head(spec.name, game).replace("NAME", "bryn"), *_words(spec.takes)])


def _words(takes: Sequence[ArgumentSpec]) -> Iterator[str]:
    people = iter(("bryn", "cara"))
    for argument in takes:
        if argument.optional and not argument.then:
            continue
        if argument.then:
            move = next((word for word, more in argument.then.items() if more), "")
            yield from (move, *_words(argument.then[move]))
        elif argument.kind == "person":
            yield next(people, "dora")
        elif argument.words:
            yield quoted_word(argument.words[0])
        elif argument.kind in ("number", "signed"):
            yield str(min(max(argument.least, 3), argument.most or 3))
        else:
            yield _SAMPLES.get(argument.kind) or (argument.sample or argument.name).split("|")[0].split()[0]


def _groups(game: AnyGame) -> list[tuple[str, list[str], str]]:
    """Return the commands by what they are for, with an example of each group."""
    events = game.EVENTS
    played = [name for name in events if name not in game.LOOKS]
    met = [name for name in played if events[name].luck]
    rest = [name for name in played if not events[name].luck]
    looks = [name for name in ("show", "next", "odds", "log", "why", "chronicle") if name in prompt.commands(game)]
    people = [] if game.SHARED else ["add", "remove"]
    groups = [
        ("Who is there", people, "add bryn"),
        ("What cards or dice decide", met, _first_example(met, game)),
        ("What simply happens", rest, _first_example(rest, game)),
        ("To look at", [*game.LOOKS, *looks], "show" if game.SHARED else "show bryn"),
        ("To take back and put right", ["undo", "redo", "mend", "set", "rename"], "undo 2"),
        ("Besides", ["note", "session", "import", "export", "help", "quit"], f"help {next(iter(events), 'show')}"),
    ]
    return [group for group in groups if group[1]]


def _first_example(names: Sequence[str], game: AnyGame) -> str:
    """Return the first event that can be typed without a word of one's own; of none, the first."""
    examples = [example(game.EVENTS[name], game) for name in names]
    return next((text for text in examples if not re.search("[A-Z]{3}", text)), "".join(examples[:1]))
