"""Trait dice, wild dice and wounds that are shrugged off: Deadlands 1876."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from generator.base.cards import ALL_CODES, RANKS, is_joker, name_of, rank_of, suit_of
from generator.base.errors import HackjackError, UsageError
from generator.games.deadlands import growth, lines, rolls, tasks, tokens, wounds
from generator.games.deadlands import log as said
from generator.games.deadlands import odds as odds_of
from generator.games.deadlands.checks import ASKED_TRAITS, CONTENT
from generator.games.deadlands.dice import RESULTS
from generator.games.deadlands.events import EVENTS as _EVENTS
from generator.games.deadlands.events import READERS, TraitsEvent
from generator.games.deadlands.events import read_event as _read_event
from generator.games.deadlands.fortune import fate_of
from generator.games.deadlands.log import DeadlandsFact
from generator.games.deadlands.state import TraitsState, first_names, grit_of, numbers_of, read_state, with_xp
from generator.games.deadlands.table import TraitsTable
from generator.games.face import Asked, Game, Lying, OddsAnswer, Suffering
from generator.model.log import Entry, Log
from generator.model.rules import Penalty, System
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Given, log_in_reach
from generator.play.event_spec import ArgumentReading, ArgumentSpec, EventSpec, event_spec, labelled_argument


def _roll(table: TraitsTable) -> None:
    table.roll(rolls.THROWS[table.event.name](table))


_HAPPENS: Mapping[str, Callable[[TraitsTable], None]] = {
    "trait": _roll,
    "unskilled": _roll,
    "contested": _roll,
    "knowledge": _roll,
    "damage": rolls.roll_damage,
    "guts": rolls.roll_check,
    "fear": rolls.roll_check,
    "recover": rolls.roll_recovery,
    "luck": rolls.draw_luck,
    "fate": rolls.draw_fate,
    "action": rolls.draw_action,
    "burn": rolls.play_burn_card,
    "round": rolls.begin_new_round,
    "serial": tasks.play_out_task,
    "compound": tasks.play_out_task,
    "attempts": tasks.play_out_task,
    "task": tasks.begin_task,
    "attempt": tasks.roll_for_task,
    "drop": tasks.drop_thing,
    "wound": wounds.take_wounds,
    "wounds": wounds.set_wounds,
    "shaken": wounds.set_shaken,
    "soak": wounds.soak_wounds,
    "incapacitation": wounds.roll_incapacitation,
    "survive": wounds.survive,
    "die": wounds.die,
    "injury": wounds.draw_injury,
    "lift": wounds.lift_injury,
    "heal": wounds.treat_wounds,
    "hour": wounds.end_golden_hour,
    "day": wounds.play_day,
    "wake": wounds.wake,
    "chips": tokens.change_chips,
    "award": tokens.award_token,
    "hole": tokens.play_hole_card,
    "marker": tokens.call_marker,
    "book": growth.study_book,
    "xp": growth.add_experience,
    "spent": growth.set_spent_advances,
    "improve": growth.improve_attribute,
    "learn": growth.learn_skill,
    "grant": growth.grant_skill,
    "spend": growth.spend_advance,
    "has": growth.set_trait,
    "is": growth.set_kind,
}


class Deadlands(Game[TraitsState, TraitsEvent, TraitsEvent]):
    """Trait dice, wild dice and wounds that are shrugged off: Deadlands 1876."""

    EVENTS = _EVENTS

    QUESTIONS: Mapping[str, EventSpec] = {name: _EVENTS[name].asked() for name in odds_of.QUESTIONS}

    READERS = READERS

    NEWCOMER = event_spec(
        "add",
        "add a character with these traits",
        ArgumentSpec("kind", words=("wild", "face", "extra"), optional=True),
        ArgumentSpec("traits", "text", sample="TRAIT DIE ...", many=True, optional=True),
        labelled_argument("chips", "number", most=1000),
        *(labelled_argument(name, "signed", most=10_000) for name in ("xp", "spent", "wounds")),
    )

    DEATHS = (said.PlainFact.DIES, said.Slain)
    DRAWS = (said.Luck, said.Fate, said.Action, said.Injury, said.Unhurt)
    DECK = ALL_CODES
    CHARTS = CONTENT.CHARTS
    CARD_SETS = CONTENT.CARD_SETS

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> TraitsEvent:
        """Return an event as typed: `trait d8 mod=+2`. Raises UsageError."""
        ladder = [die.spoken for die in numbers_of(self.system).ladder]
        return _read_event(words, at, first_names(self.system), ladder)

    def choices(self, argument: ArgumentSpec, state: TraitsState, earlier: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what an argument may be now: traits with the dice, the injuries, tokens and tasks that there are."""
        things = (
            *(token.name for token in state.tokens if argument.name in (token.kind, "drop")),
            *(task.name for task in state.tasks if argument.name in ("task", "drop")),
        )
        traits = tuple(dict.fromkeys((*state.traits, *numbers_of(self.system).attributes)))
        choices: Mapping[str, Sequence[str]] = {
            **dict.fromkeys(("roll", "trait_die"), tuple(state.traits)),
            **dict.fromkeys(("trait", "text"), traits),
            "card": [injury.card for injury in state.injuries] if argument.name == "injury" else (),
            **dict.fromkeys(("token", "die_or_token"), things),
        }
        return (*choices.get(argument.kind, ()), *argument.known(earlier))

    def read_state(self, value: Any) -> TraitsState:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

    def state_line(self, plain: Mapping[str, Any]) -> str:
        """Return a state in one line."""
        return lines.state_line(plain, self.system)

    def is_alive(self, plain: Mapping[str, Any]) -> bool:
        """Return whether somebody lives."""
        return bool(plain["standing"] != "dead")

    def step(self, state: TraitsState, event: TraitsEvent, chance: Chance) -> tuple[TraitsState, Log]:
        """Play one event; nobody else holds action cards. Raises HackjackError, NeedsError."""
        return self.step_beside(state, event, chance, ())

    def step_beside(
        self, state: TraitsState, event: TraitsEvent, chance: Chance, held: Collection[str]
    ) -> tuple[TraitsState, Log]:
        """Return the same beside others who hold these cards (D27)."""
        wounds.refuse_the_fallen(self.system, state, event)
        table = TraitsTable(self.system, state, event, chance, held)
        with log_in_reach(table.log):
            _HAPPENS[event.name](table)
        return table.state, tuple(table.log)

    def line(self, entry: Entry[DeadlandsFact]) -> str:
        """Return a log entry as a sentence."""
        return lines.deadlands_sentence(entry.fact, self.system)

    def odds(self, state: TraitsState, event: TraitsEvent, asked: Asked) -> OddsAnswer:
        """Return the exact chances of an event."""
        if asked.hits is not None or asked.plays is not None:
            raise UsageError("these odds are of one event, and exact: leave out --hits and --simulate")
        plain, lines, death = odds_of.odds_of_event(self.system, state, event, asked.policy or "best", asked.held)
        return OddsAnswer(plain, lines, death=death)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Tell whether the tables that the engine reads say what it can do."""
        ranks = self.system.table("ranks")
        points = [row.at.low if row.at else 0 for row in ranks.rows] if ranks else [0]
        checks: list[tuple[str, Callable[[], object]]] = [
            *(("incapacitation", partial(wounds.incapacitation_row, result, self.system)) for result in RESULTS),
            *(("fate", partial(fate_of, code, self.system)) for code in ALL_CODES),
            *(("checks", partial(rolls.check_row, name, self.system)) for name in ("guts", "fear")),
            *(("ranks", partial(grit_of, xp, self.system)) for xp in points),
        ]
        errors = dict[str, str]()
        for table, check in checks:
            try:
                check()
            except HackjackError as error:
                errors.setdefault(str(error), table)
        places = {table.id: place for place, table in enumerate(self.system.tables)}
        for message, table in errors.items():
            yield *(("tables.yaml", ("tables", places[table])) if table in places else ("system.yaml", ())), message

    def _after(self, state: TraitsState, *words: str) -> TraitsState:
        """Return the state after an event that needs no luck."""
        return self.step(state, self.read_event(words, {}), Given())[0]

    def newcomer(self, words: Sequence[str]) -> TraitsState:
        """Return the state of a newcomer: `face vigor d8`, `spirit d6 chips 3`. Raises UsageError."""
        values = ArgumentReading(self.NEWCOMER, words, {}, {}, "add NAME").whole()
        traits, spent = values.get("traits", ()), values.get("spent")
        if len(traits) % 2:
            raise UsageError(f'"{traits[-1][:40]}" is not understood: write {self.NEWCOMER.usage("add NAME")}')
        state: TraitsState = read_state({}, self.system)
        if "kind" in values:
            state = self._after(state, "is", values["kind"])
        state = replace(state, chips=values.get("chips", state.chips))
        state = with_xp(state, values["xp"], self.system) if "xp" in values else state
        if "wounds" in values:
            state = self._after(state, "wounds", str(values["wounds"]))
        for name, die in zip(traits[::2], traits[1::2], strict=True):
            try:
                state = self._after(state, "has", name, die)
            except UsageError as error:
                raise UsageError(str(error).replace("has needs", f"{name} needs")) from error
        # What has been spent is counted against all XP, wherever they were named.
        return state if spent is None else self._after(state, "spent", str(spent))

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return traits, injuries with their effects, tokens and tasks, a line each."""
        traits_held = ", ".join(f"{name} {die}" for name, die in plain["traits"].items())
        return [
            *([traits_held] if traits_held else []),
            *(
                f"{lines.injury_brief(injury, self.system)}: {lines.injury_says(injury, self.system)}"
                for injury in plain["injuries"]
            ),
            *(lines.token_brief(token) for token in plain["tokens"]),
            *(lines.task_brief(task) for task in plain["tasks"]),
        ]

    def held(self, state: TraitsState) -> Collection[str]:
        """Return the action cards that were dealt to somebody this round; the dead have given theirs back."""
        return () if state.standing == "dead" else state.dealt

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return the action card, and burn cards that are kept."""
        burns = [token["card"] for token in plain["tokens"] if token["kind"] == "burn"]
        return [Lying(card, title=name_of(card)) for card in (*([plain["action"]] if plain["action"] else []), *burns)]

    def hurts(self, plain: Mapping[str, Any]) -> Sequence[Suffering]:
        """Return the injuries, each in the words of its card."""
        system = self.system
        return [
            Suffering("", lines.injury_hurts(each, system), lines.injury_until(each, system), each["card"])
            for each in plain["injuries"]
        ]

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a state with how many burn cards are held, and the place of the action card, the highest first.

        Traits that the rules ask for are their own names where somebody has them.
        """
        burns = sum(token["kind"] == "burn" for token in plain["tokens"])
        asked = {name: name if name in plain["traits"] else None for name in ASKED_TRAITS}
        return {**plain, **asked, "burns": burns, "place": _place(plain["action"]) if plain["action"] else None}

    def sheet(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what fills the sheet of a state."""
        cards = ((self.system.cards.get(injury["card"]), injury["permanent"]) for injury in plain["injuries"])
        every = (effect for card, for_good in cards if card for effect in (card.for_good if for_good else card.effects))
        changes = ((each.sign, each.to, (each.by.plus,)) for each in every if isinstance(each, Penalty))
        return {"sums": change_sums(changes, self.system), **lines.sheet_fields(plain, self.system)}

    def called(self, key: str) -> str:
        """Return what the content calls a value, or the short words of a roll in full."""
        return {"tn": "Target number", "mod": "Modifier", "wild": "Wild die"}.get(key) or super().called(key)

    def together(self, states: Mapping[str, TraitsState], who: str, event: TraitsEvent) -> Mapping[str, TraitsState]:
        """Return everybody's state after one's event: a round may be everybody's, and a jammed door is (D6, D8).

        Raises HackjackError for a serial roll that is over before it begins.
        """
        if event.name == "round" and event.words:
            return {name: rolls.in_new_round(state) for name, state in states.items()}
        if event.name in ("task", "attempt") and self.system.setting("jammed") != "for_one":
            return tasks.jam_tasks(states, who, event)
        return states


def _place(code: str) -> int:
    """Return the place of an action card: jokers are over all, the black one first, then the rank, then the suit."""
    if is_joker(code):
        return 1000 if code == "BJ" else 999
    rank = RANKS.index(rank_of(code)) or len(RANKS)
    return 10 * rank + _SUIT_ORDER.index(suit_of(code))


_SUIT_ORDER = "CDHS"
"""Suits of one rank: spades are over hearts, and so on."""

GAME: type[Game[TraitsState, TraitsEvent, TraitsEvent]] = Deadlands


Change = tuple[int, Sequence[str], Sequence[int]]
"""A sign, the statistics that change, and by how much: one amount for all of them, or one for each."""


def change_sums(changes: Iterable[Change], system: System) -> dict[str, int]:
    """Return the sum of changes by statistic; one that stands for others changes all of these."""
    sums: Counter[str] = Counter()
    for sign, to, by in changes:
        for name, amount in zip(to, [*by] * len(to) if len(by) == 1 else by, strict=False):
            for each in system.head.statistics[name].stands_for or (name,):
                sums[each] += sign * amount
    return dict(sums)
