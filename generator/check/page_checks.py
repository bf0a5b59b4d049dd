"""What types cannot say of `page.yaml`: events, kinds of entries, and what its formulas and sentences may ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from generator.games.content_face import Content, Fault, known
from generator.model.formulas import NAMING, ROLLING_NODES, Formula, Node
from generator.model.page import LikelyAction, MomentShown
from generator.model.rules import LEFT, System
from generator.pack.strict_yaml import Trail
from generator.words.quoting import quoted_names

ASKED = ("count", "coming", "has", "known", "level", "setting")
"""The functions that formulas of `page.yaml` may use."""
PERSON, TITLE = "person", "title"
"""What sentences may quote besides: a name, and what a card is called."""


def faults(system: System, content: Content) -> Iterator[Fault]:
    """Yield what is wrong with `page.yaml`."""
    page = system.page
    words = _Words(system, (*content.page_names(), *system.figures))
    events = content.table_events()
    if page.track:
        for key in ("number", "waiting"):
            if name := getattr(page.track, key):
                yield from known(name, content.page_names(), "number of a state", ("track", key))
        yield from words.formula(page.track.most, ("track", "most"))
        yield from words.formula(page.track.held, ("track", "held"))
    yield from words.formula(page.order, ("order",))
    for name in page.tokens:
        yield from known(name, content.page_names(), "number of a state", ("tokens", name))
    lists: list[tuple[Trail, tuple[str, ...]]] = [((key,), getattr(page, key)) for key in ("usual", "fight", "after")]
    for trail, names in (*lists, *((("groups", key), listed) for key, listed in page.groups.items())):
        for place, name in enumerate(names):
            yield from known(name, events, "event", (*trail, place))
    for key, state in page.states.items():
        yield from words.formula(state.when, ("states", key, "when"))
        yield from words.text(state.says, ("states", key, "says"))
    for block in ("next", "likely", "players"):
        for key, action in getattr(page, block).items():
            yield from _action(key, action, events, words, (block, key))
    if page.moments:
        yield from _moments(system, content, words)


def _action(key: str, action: LikelyAction, events: Collection[str], words: _Words, trail: Trail) -> Iterator[Fault]:
    yield from known(action.do or key, events, "event", (*trail, "do") if action.do else trail)
    yield from words.formula(action.if_, (*trail, "if"))
    yield from words.text(action.says, (*trail, "says"), (PERSON,))
    for place, word in enumerate(action.words):
        yield from words.text(word, (*trail, "words", place), (PERSON,))
    for place, need in enumerate(action.needs):
        yield from words.formula(need.holds, (*trail, "needs", place, "holds"))
        yield from words.text(need.says, (*trail, "needs", place, "says"), (PERSON,))


def _moments(system: System, content: Content, words: _Words) -> Iterator[Fault]:
    kinds = content.told_facts()
    for kind, moment in system.page.moments.items():
        if kind not in kinds:
            yield from known(kind, kinds, "entry of the log", ("moments", kind))
            continue
        facts = _Words(system, tuple(kinds[kind]))
        several = moment if isinstance(moment, tuple) else (moment,)
        for place, each in enumerate(several):
            trail: Trail = ("moments", kind, place) if isinstance(moment, tuple) else ("moments", kind)
            yield from _moment(each, facts, words, trail)


def _moment(moment: MomentShown, facts: _Words, words: _Words, trail: Trail) -> Iterator[Fault]:
    yield from facts.formula(moment.when, (*trail, "when"))
    if moment.befalls:
        yield from known(moment.befalls, (*facts.names, *words.names), "fact of this entry", (*trail, "befalls"))
    if moment.by:
        yield from known(moment.by, facts.names, "fact of this entry", (*trail, "by"))
    for key in ("you", "they", "doer", "then"):
        yield from words.text(getattr(moment, key), (*trail, key), (*facts.names, PERSON, TITLE))
    if not (moment.you or moment.they):
        yield trail, "this moment says nothing: write you, they or both"


@dataclass(frozen=True)
class _Words:
    """The names that formulas and sentences may ask."""

    system: System
    names: Collection[str]

    def formula(self, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
        """Yield what a formula asks that nothing answers."""
        for node in formula.walk() if formula else ():
            yield from self._node(node, trail)

    def _node(self, node: Node, trail: Trail) -> Iterator[Fault]:
        head, name = self.system.head, str(node.about)
        conditions = (*head.conditions, *LEFT)
        match node.kind:
            case "name":
                yield from known(name, self.names, "value", trail)
            case "known":
                yield from known(name, self.names, "value", trail)
            case "count":
                yield from known(name, (*self.names, *conditions), "list or condition", trail)
            case "has" | "level" | "coming":
                yield from known(name, conditions, "condition", trail)
            case "setting":
                yield from known(name, self.system.switches, "ruling switch", trail)
            case kind if kind in ROLLING_NODES:
                yield trail, "nothing is rolled here: ask numbers and conditions"
            case kind if kind in NAMING:
                yield trail, f"{kind}( ) is not asked here: use {', '.join(ASKED)}"

    def text(self, text: str | None, trail: Trail, more: Collection[str] = ()) -> Iterator[Fault]:
        """Yield the values that a sentence quotes and that there are not."""
        for name in quoted_names(text or ""):
            yield from known(name, (*self.names, *more), "value to quote", trail)
