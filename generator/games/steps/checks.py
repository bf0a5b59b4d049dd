"""What types cannot say of events that are content: names, ends, circles, and what a formula may ask."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from generator.base.cards import RANKS, rank_of, suit_of
from generator.base.dice import Dice
from generator.base.errors import did_you_mean
from generator.games.content_face import Content, Fault, known
from generator.games.steps.circles import first_circle
from generator.games.steps.log import FACTS
from generator.games.steps.system_views import argument_aims, kept_piles, state_keys, tables_of_step
from generator.model import rules
from generator.model.formulas import CARD_FIELDS, HERE, OF_CARD, OF_CHECK, ROLLING, UNKNOWN, Formula, Node
from generator.model.procedures import Need, Retelling, Telling
from generator.model.taken_names import ARGUMENTS, CONDITIONS, EVENTS, MOMENT, VALUES, taken_by
from generator.pack.strict_yaml import Trail
from generator.words.formula_wording import FormulaWords, needs_words
from generator.words.quoting import quoted_names

_MOMENT = (*MOMENT,)
"""What a formula may name besides what the author has named."""
_LISTS = ("coming", "lost", "saves", "dead", "drawn")
"""What a state holds besides numbers, words and conditions."""
_FIELDS = {name for fact in FACTS.values() for name in fact._fields} | {"left", "in_words", "unit", "row", "held"}
"""What entries of the log hold."""
_KNOWN = ("side", "hands")
"""Arguments that effects ask for by themselves: which side is hit, and whether both hands hold what falls."""
Effects = tuple[rules.AnyEffect, ...]
_HELD = ("count", "has", "level", "left", "lasting", "waits", "owed", "coming")


class StepsContent(Content):
    """What types cannot say of events that are content."""

    # --- what there is -----------------------------------------------------------------------------------------------

    @property
    def CARD_SETS(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: N802 - a constant of the others
        """Return `conditions` if a condition has a name to put on a card."""
        return ("conditions",) if any(each.name for each in self.system.head.conditions.values()) else ()

    def table_events(self) -> tuple[str, ...]:
        """Return the names of the pack's events that happen at a table."""
        return tuple(name for name, event in self.system.head.events.items() if not (event.alone or event.helper))

    def card_fields(self) -> Collection[str]:
        """Return what formulas ask of every card."""
        return self._card_fields

    @cached_property
    def _card_fields(self) -> Collection[str]:
        names = {str(node.about) for formula in self._all_formulas() for node in formula.walk() if node.kind != "word"}
        return {key for key in CARD_FIELDS if OF_CARD + key in names}

    def page_names(self) -> Collection[str]:
        """Return the numbers, words and piles of a state, and the keys under which it is written."""
        procedure = self.system.steps
        keys = [key.key for key in procedure.state]
        return (*self.system.kept_numbers, *procedure.words, *kept_piles(self.system), *keys, "conditions", *_LISTS)

    def told_facts(self) -> Mapping[str, Collection[str]]:
        """Return the kinds of entries that steps and effects bring, and those that the author names."""
        fields = {**super().told_facts()}
        tellings: list[tuple[Telling, str]] = [(telling, telling.of) for telling in self.system.steps.log]
        for _, trail, effects in self._lists:
            of = str(trail[1]) if trail[0] == "events" else "said"
            steps = (effect for _, effect in rules.walk_effects(effects) if isinstance(effect, rules.Step))
            for step in steps:
                log = step.log or step.says
                tellings += [(log if isinstance(log, Telling) else Telling(says=log), of)] if log else []
        for telling, of in tellings:
            quoted = quoted_names(telling.says or "")
            told = {*fields.get(of, ()), *quoted, "by", "left", "to", "card"}
            kind = telling.kind or of
            fields[kind] = {*fields.get(kind, ()), *told}
        return fields

    @cached_property
    def _lists(self) -> list[tuple[str, Trail, tuple[rules.AnyEffect, ...]]]:
        """Every list of steps: its file, where it stands, and what is in it."""
        head = self.system.head
        step_lists: list[tuple[str, Trail, tuple[rules.AnyEffect, ...]]] = []
        step_lists += [("system.yaml", ("events", name, "do"), each.do_) for name, each in head.events.items()]
        step_lists += [("system.yaml", ("watches", at, "do"), each.do_) for at, each in enumerate(head.watches)]
        for name, condition in head.conditions.items():
            step_lists.append(("system.yaml", ("conditions", name, "implies"), condition.implies))
            for key, lists in (("each", condition.each), ("ends", condition.ends)):
                step_lists += [("system.yaml", ("conditions", name, key, word), does) for word, does in lists.items()]
        for place, table in enumerate(self.system.tables):
            step_lists.append(("tables.yaml", ("tables", place, "every"), table.every))
            for at, row in enumerate(table.rows):
                trail: Trail = ("tables", place, "rows", at)
                step_lists.append(("tables.yaml", (*trail, "effects"), row.effects))
                for column, cell in row.cells.items():
                    inside = ("effects",) if isinstance(row.written_cells[column], rules.NamedCell) else ()
                    if isinstance(cell, tuple):
                        step_lists.append(("tables.yaml", (*trail, "cells", column, *inside), cell))
        return [*step_lists, *((file, trail, effects) for file, trail, effects, _ in cards_of(self.system))]

    def riddles(self) -> Iterator[tuple[str, Trail, str]]:
        """Yield the steps that print as a formula, for their authors to word, and choices that compare too little."""
        for name, happening in self.system.head.events.items():
            for place, choose, later in _chooses(happening.do_, ()):
                if happening.better is not None and self._compares_too_little(choose, later, happening.better):
                    yield "system.yaml", ("events", name, "do", *place), _TOO_LITTLE
        words = FormulaWords(self.system)
        for file, trail, effects in self._lists:
            worded: list[Trail] = []
            event = self.system.head.events.get(str(trail[1])) if trail[0] == "events" else None
            for place, effect in rules.walk_effects(effects):
                if isinstance(effect, rules.Raise | rules.Lower) and (says := self._turned(effect, event)):
                    yield file, (*trail, *place, "by"), says
                if any(place[: len(outer)] == outer for outer in worded):
                    continue
                if isinstance(effect, rules.Step) and effect.says is not None:
                    worded.append(place)
                    continue
                for _, formula in rules.effect_formulas(effect):
                    if needs_words(node := words.folded(formula.tree)):
                        yield (
                            file,
                            (*trail, *place),
                            f'this prints as "{words.spoken(node)}": write print, and a sentence, below it',
                        )

    def _compares_too_little(self, choose: rules.Choose, later: Effects, better: Formula) -> bool:
        """Return whether steps after a choice do what it is about, in what the event says is better."""
        counted = {str(node.about) for node in better.walk()}
        options = [step for does in choose.options.values() for step in self._steps_of(does)]
        if not any(_changed_by(step) in counted for step in self._steps_of(later)):
            return False
        named = {name for step in options for name in rules.given_names(step)} - counted
        formulas = (each for step in self._steps_of(later) for _, each in rules.effect_formulas(step))
        read = {str(node.about) for formula in formulas for node in formula.walk()}
        return bool(named & read) or not any(_changed_by(step) in counted for step in options)

    def _steps_of(self, steps: Effects, calls: tuple[str, ...] = ()) -> Iterator[rules.AnyEffect]:
        """Yield steps, those inside them and those of the events that they call."""
        for _, step in rules.walk_effects(steps):
            yield step
            if isinstance(step, rules.Call) and step.event in self.system.head.events and step.event not in calls:
                yield from self._steps_of(self.system.head.events[step.event].do_, (*calls, step.event))

    def _turned(self, effect: rules.Raise | rules.Lower, event: rules.Happening | None) -> str:
        """Return what to say of a loss that may be a gain, or the other way round; empty of any other."""
        least, _ = self._span_of(effect.by.tree, event)
        if least is None or least >= 0:
            return ""
        turn = "rises" if isinstance(effect, rules.Lower) else "falls"
        return f'"{effect.by}" can be less than 0, and then {effect.number} {turn}: write max({effect.by}, 0)'

    def _span_of(self, node: Node, event: rules.Happening | None) -> tuple[int | None, int | None]:
        """Return the least and the most that a formula can come to, from numbers, dice and what the event takes; None
        where nobody knows."""
        known = self._known_number(node, {})
        if isinstance(known, int):
            return known, known
        if node.kind == "dice" and isinstance(node.about, Dice):
            return node.about.least, node.about.most
        takes = event.takes.get(str(node.about)) if event and node.kind == "name" else None
        if takes and not (takes.of or takes.one_of or takes.name or takes.card or takes.die or takes.default):
            return (0, 1) if takes.flag else (takes.least, takes.most)
        if node.kind not in ("+", "-") or len(node.parts) != 2:
            return None, None
        (low, high), (less, more) = (self._span_of(part, event) for part in node.parts)
        if node.kind == "-":
            less, more = (None if more is None else -more), (None if less is None else -less)
        return (
            None if low is None or less is None else low + less,
            None if high is None or more is None else high + more,
        )

    @cached_property
    def effects(self) -> list[rules.AnyEffect]:
        """Every effect that the system's content may play, those inside others too."""
        return [effect for _, _, effects in self._lists for _, effect in rules.walk_effects(effects)]

    @cached_property
    def _own_names(self) -> dict[str, Collection[str]]:
        """What the author has named in the procedure, by the key that it stands below."""
        own = self.system.steps
        return {"constants": own.constants, "numbers": own.numbers, "words": own.words, "piles": own.piles}

    def _value_faults(self) -> Iterator[Fault]:
        """Yield faults of conditions and switches that have the name of something else, for formulas name them all."""
        head = self.system.head
        for name in head.conditions:
            if taken := taken_by(name, CONDITIONS) or self._own(name, but="piles"):
                yield ("conditions", name), taken
        for at, ruling in enumerate(head.rulings):
            name = ruling.switch.name if ruling.switch else ""
            both = f'"{name}" is taken already, by a condition: choose another name' if name in head.conditions else ""
            if taken := self._own(name, but="piles") or both:
                yield ("rulings", at, "switch", "name"), taken

    def _own(self, name: str, but: str) -> str:
        """The sentence for a name that the author has given to something else; empty for one that is free."""
        earlier = [*self._own_names][: [*self._own_names].index(but)]
        by = next((key for key in earlier if name in self._own_names[key]), "")
        return f'"{name}" is taken already, by one of your {by}: choose another name' if by else ""

    @cached_property
    def _named(self) -> set[str]:
        """Every name that an event may give to something."""
        given = {name for effect in self.effects for name in rules.given_names(effect)}
        return given | {name for event in self.system.head.events.values() for name in event.takes}

    @cached_property
    def _words(self) -> set[str]:
        """Every word that something may be."""
        head, procedure = self.system.head, self.system.steps
        words = {word for own in procedure.words.values() for word in own.of}
        words |= {word for event in head.events.values() for takes in event.takes.values() for word in takes.of}
        words |= {face for deck in self.system.piles.values() for face in deck.faces}
        words |= {column for table in self.system.tables for column in table.columns}
        return words | self._sides | set(head.parts) | set(head.conditions) | set(head.events) | {"unknown", "none"}

    @cached_property
    def _own_groups(self) -> set[str]:
        return {each.group for each in self.system.head.conditions.values() if each.group} | {
            *self.system.head.conditions,
            "long",
        }

    @cached_property
    def _groups(self) -> set[str]:
        words = {*rules.LEFT, *rules.LASTING} | (self.awaited - {"now", "same"}) if self.system.steps.by_card else set()
        return self._own_groups | {*state_keys(self.system).values()} | words

    # --- system.yaml -------------------------------------------------------------------------------------------------

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of numbers, words, the clock, events and watches."""
        head, procedure = self.system.head, self.system.steps
        if not (head.events or self.system.tables or self.system.piles):
            yield (), 'the key "events" is missing: say what may happen, such as an event rest: pass a round'
        for key, names in self._own_names.items():
            for name in names:
                if taken := taken_by(name, VALUES) or self._own(name, but=key):
                    yield ("procedure", key, name), taken
        yield from self._rank_faults()
        yield from self._bound_faults()
        yield from self._value_faults()
        for name, own in procedure.numbers.items():
            for key, bound in (("least", own.least), ("most", own.most)):
                yield from self._formula(bound, ("procedure", "numbers", name, key))
            if own.hidden and not any(isinstance(each, rules.Reveal) and each.number == name for each in self.effects):
                yield (("procedure", "numbers", name, "hidden"), f"nothing reveals it: add reveal {name}")
        yield from self._unit_faults()
        yield from self._own_effect_faults()
        for unit, tick in procedure.clock.items():
            where: Trail = ("procedure", "clock", unit)
            if tick.counts:
                yield from known(tick.counts, procedure.numbers, "number", (*where, "counts"))
            yield from self._formula(tick.stops, (*where, "stops"))
        for name, event in head.events.items():
            yield from self._event_faults(name, event)
        for name, condition in head.conditions.items():
            yield from self._formula(condition.runs, ("conditions", name, "runs"))
        for at, watch in enumerate(head.watches):
            yield from self._formula(watch.holds, ("watches", at, "holds"))
        for name, condition in head.conditions.items():
            if condition.again in ("level", "here") and not condition.levels:
                yield (
                    ("conditions", name, "again"),
                    f"again: {condition.again} raises its level, and it has no levels: say how many with levels",
                )
            if any(after.formula for after in condition.chances):
                yield ("conditions", name, "chances"), "write a span with dice, such as 1d6 days, and no formula"
            for cause in condition.ends:
                if cause not in (*self.table_events(), *self._causes):
                    hint = did_you_mean(cause, (*self.table_events(), *self._causes))
                    yield ("conditions", name, "ends", cause), f'nothing ends it by "{cause}"{hint}'
        for name, question in head.questions.items():
            yield from self._question_faults(name, question)
        for at, block in enumerate(head.cards):
            if block.badge is not None:
                yield from self._formula(block.badge.number, ("cards", at, "badge", "number"))
        yield from self._state_faults()
        yield from self._idle()

    def _own_effect_faults(self) -> Iterator[Fault]:
        """What is wrong with effects that are events, and with what effects leave."""
        procedure, head = self.system.steps, self.system.head
        yield from self._formula(procedure.recovers, ("procedure", "recovers"))
        for do, name in procedure.plays.items():
            takes = head.events[name].takes if name in head.events else {}
            keys = rules.DRAWING[do].__struct_fields__
            for key, argument in takes.items():
                own = key.removeprefix(f"{do}_")
                if own not in keys and argument.default is None and not (argument.optional or argument.flag):
                    where: Trail = ("procedure", "plays", do)
                    yield where, f"{name} takes {key}, and {do} has {', '.join(keys) or 'no keys'}"
        for name, pile in procedure.piles.items():
            if pile.worth == "card":
                yield ("procedure", "piles", name, "worth"), '"card" is which card it is: choose another name'
            if pile.usual and (pile.most != 1 or pile.usual == name or pile.usual not in kept_piles(self.system)):
                message = "only a pile with `most: 1` has the newest card of another one that is kept"
                yield ("procedure", "piles", name, "usual"), message
            yield from self._formula(pile.unless, ("procedure", "piles", name, "unless"))
        for name in rules.LEFT if procedure.by_card else ():
            if name in head.conditions:
                yield ("conditions", name), f'"{name}" is what effects leave: choose another name'

    def _rank_faults(self) -> Iterator[Fault]:
        """Ranks are known, and those of cards whose score is counted have one."""
        scores = self.system.steps.scores
        for rank in scores:
            yield from known(rank, RANKS, "rank", ("procedure", "scores", rank))
        if "score" in self.card_fields():
            cards = [card for deck in self.system.piles.values() for card in deck.cards if suit_of(card.code)]
            ranks = {rank_of(card.code) for card in cards if card.score is None}
            for rank in (rank for rank in RANKS if rank in ranks and not rank.isdigit() and rank not in scores):
                yield ("procedure", "scores"), f"the score of the rank {rank} is missing"

    def _bound_faults(self) -> Iterator[Fault]:
        """No constant is out of its bounds."""
        constants = self.system.steps.constants
        for name, bounds in self.system.steps.bounds.items():
            yield from known(name, constants, "constant", ("procedure", "bounds", name))
            if name in constants and constants[name] not in bounds:
                message = f"{constants[name]} is out of range: write a whole number {bounds}"
                yield ("procedure", "constants", name), message

    def _unit_faults(self) -> Iterator[Fault]:
        """No unit of time is as long as another."""
        lengths = {self.system.unit_length(unit): unit for unit in rules.UNITS}
        for name in self.system.steps.units:
            trail: Trail = ("procedure", "units", name)
            same = lengths.setdefault(self.system.unit_length(name), name)
            if name in rules.UNITS:
                yield trail, f"{name} is a unit of time already: choose another name"
            elif same != name:
                yield trail, f"{name} is as long as {same}: use that one"

    def _state_faults(self) -> Iterator[Fault]:
        """What is wrong with how states are written."""
        procedure, conditions = self.system.steps, self.system.head.conditions
        for at, telling in enumerate(procedure.log):
            yield from self._telling_faults(telling, ("procedure", "log", at))
        there = {*procedure.numbers, *procedure.words, *kept_piles(self.system), *_LISTS}
        there |= {key.key for key in procedure.state} if procedure.state else {"conditions"}
        there |= {*procedure.sheet}
        for at, text in enumerate(procedure.line):
            for name in quoted_names(text) if "{" in text else [text]:
                yield from known(name, there, "key of a state", ("procedure", "line", at))
        for name, figure in procedure.sheet.items():
            yield from self._formula(figure.be, ("procedure", "sheet", name, "be"))
        for name, of in procedure.joins.items():
            yield from known(of, (*procedure.numbers, *procedure.words), "number or word", ("procedure", "joins", name))
        for at, need in enumerate(procedure.sound):
            yield from self._need_faults(need, ("procedure", "sound", at))
        seen: set[str] = set()
        plain = {*self.system.kept_numbers, *procedure.words, *kept_piles(self.system), *_LISTS}
        for at, key in enumerate(procedure.state):
            trail: Trail = ("procedure", "state", at)
            if key.key in seen:
                yield (*trail, "key"), f'"{key.key}" stands here twice'
            seen.add(key.key)
            if key.be is not None:
                yield from self._formula(key.be, (*trail, "be"))
                yield from known(key.sets, self.system.kept_numbers, "number", (*trail, "sets")) if key.sets else ()
                continue
            if key.of is None:
                yield from known(key.key, plain, "number, word or list of a state", (*trail, "key"))
                continue
            if key.key in plain or (key.key in conditions and key.key != key.of):
                yield (*trail, "key"), f'"{key.key}" is taken already: choose another name'
            yield from known(key.of, {*self._own_groups, "any", "permanent"}, "condition or group", (*trail, "of"))
            if key.form != "list" and key.of not in conditions:
                yield (*trail, "of"), "only a list may hold more than one condition: name one, or leave as out"
            if key.form in ("flag", "span") and key.fields:
                yield (*trail, "fields"), "yes or no has no fields: leave them out"
            if key.form == "list" and not {"condition", "row"} & {*key.fields.values()}:
                yield trail, "the fields say which it is: write fields: {condition: condition}"
        if procedure.state and "any" not in state_keys(self.system):
            sample = "{key: conditions, of: any, fields: {condition: condition, until: until}}"
            yield ("procedure", "state"), f"some conditions would appear nowhere: add {sample}"

    def _question_faults(self, name: str, question: rules.Question) -> Iterator[Fault]:
        trail: Trail = ("questions", name)
        if name in self.system.head.events:
            yield trail, f'"{name}" is an event already: call the question something else'
        happening = self.system.head.events.get(question.event)
        if happening is not None:
            numbers = [key for key, takes in happening.takes.items() if not (takes.of or takes.name)]
            yield from known(question.each, numbers, f"number that {question.event} takes", (*trail, "each"))
        yield from self._formula(question.counts, (*trail, "counts"))

    def _idle(self) -> Iterator[Fault]:
        """What is given a name and never used, where every name is known: a misspelt one is told by itself."""
        if self.system.mended:
            return
        nodes = [node for formula in self._all_formulas() for node in formula.walk()]
        if any(node.kind == "name" and self._unknown(str(node.about)) for node in nodes):
            return
        used_names = {str(node.about) for node in nodes}
        used_names |= {effect.aimed for effect in self.effects if isinstance(effect, rules.LookUp) and effect.aimed}
        used_names |= {
            effect.number for effect in self.effects if isinstance(effect, rules.Raise | rules.Lower | rules.SetTo)
        }
        logs = [step.log for step in self.effects if isinstance(step, rules.Step) and step.log]
        texts = [log.says or "" if isinstance(log, Telling) else log for log in logs]
        texts += [telling.says or "" for telling in self.system.steps.log]
        quoted = {name for text in texts for name in quoted_names(text)}
        quoted |= {name for event in self.system.head.events.values() for name in event.gives}
        lasts = {str(getattr(effect, "until", "")) for effect in self.effects}
        lasts |= {word for tick in self.system.steps.clock.values() for word in tick.ends}
        for name, event in self.system.head.events.items():
            idle = name not in {*lasts, *self._called} and self.awaited <= {*self.enders, *rules.ENDS_OF_STEPS}
            for way, effect in rules.walk_effects(event.do_) if idle else ():
                if effect == rules.End():
                    says = f"nothing lasts until {name}: write until: {name} where it begins, or name what ends"
                    yield ("events", name, "do", *way), says
            for key in event.takes:
                if key not in used_names | quoted and key not in _KNOWN:
                    yield ("events", name, "takes", key), f"nothing uses {key}: take it out, or name it in a formula"
        for _, trail, effects in self._lists:
            for way, effect in rules.walk_effects(effects):
                if trail[0] in ("tables", "decks", "cards"):
                    continue
                names = rules.given_names(effect)
                if isinstance(effect, rules.Throw):
                    names = (*(() if effect.counts and effect.keep is None else effect.dice), *effect.counts)
                for name in names:
                    if name not in used_names | quoted and name + rules.FIRST not in used_names | quoted:
                        yield (*trail, *way), f"nothing uses {name}: take it out, or name it in a formula"

    def _all_formulas(self) -> Iterator[Formula]:
        head = self.system.head
        for effect in self.effects:
            yield from (formula for _, formula in rules.effect_formulas(effect))
        yield from self._told_formulas()
        for event in head.events.values():
            takes = (formula for each in event.takes.values() for formula in (each.default, each.when))
            yield from (formula for formula in takes if formula)
            yield from (need.holds for need in event.needs if need.holds)
            yield from (*event.odds.values(), *event.aside.values(), *([event.better] if event.better else []))
        yield from (watch.holds for watch in head.watches)
        yield from (question.counts for question in head.questions.values())
        yield from (tick.stops for tick in self.system.steps.clock.values() if tick.stops)
        yield from (condition.runs for condition in head.conditions.values() if condition.runs)
        yield from (bound for own in self.system.steps.numbers.values() for bound in (own.least, own.most) if bound)
        yield from [self.system.steps.recovers] if self.system.steps.recovers else []

    def _told_formulas(self) -> Iterator[Formula]:
        """The formulas of what is told and shown."""
        procedure = self.system.steps
        for telling in procedure.log:
            yield from [telling.when] if telling.when else []
        yield from (need.holds for need in procedure.sound if need.holds)
        yield from (figure.be for figure in procedure.sheet.values())

    @cached_property
    def _causes(self) -> set[str]:
        return {"time", "any", "save"} | {e.cause for e in self.effects if isinstance(e, rules.End) and e.cause}

    def _event_faults(self, name: str, event: rules.Happening) -> Iterator[Fault]:
        trail: Trail = ("events", name)
        procedure = self.system.steps
        if not event.do_:
            yield trail, "the event has no steps: write what happens, such as pass a round"
        if taken := taken_by(name, EVENTS):
            yield trail, taken
        if event.helper and event.alone:
            yield (*trail, "helper"), "an event for odds only never happens: leave one of the two out"
        elif event.helper and name not in self._called | {e.event for e in self.effects if isinstance(e, rules.Befall)}:
            yield (
                (*trail, "helper"),
                f"nothing calls {name}, and nobody types it: call it, or leave out for other events only",
            )
        yield from self._given_faults(event, trail)
        for key, argument in event.takes.items():
            where = (*trail, "takes", key)
            if taken := taken_by(key, ARGUMENTS) or self._own(key, but="piles"):
                yield where, taken
            yield from self._argument_faults(argument, where)
        yield from self._decided(event, trail)
        for at, need in enumerate(event.needs):
            yield from self._need_faults(need, (*trail, "needs", at))
        yield from self._better_faults(event, (*trail, "better"))
        for spread in event.spreads:
            yield from known(spread, self.system.kept_numbers, "number", (*trail, "spreads"))
        for key, formula in (*event.odds.items(), *event.aside.items()):
            if key in ("rows", "cards", "conditions", "numbers", "policy", "better"):
                yield (*trail, "odds", key), f'"{key}" is in every answer already: choose another name'
            yield from self._formula(formula, (*trail, "odds", key))
        ended = {word for tick in procedure.clock.values() for word in tick.ends}
        watched = [effect for watch in self.system.head.watches for _, effect in rules.walk_effects(watch.do_)]
        spared = {effect.condition for effect in watched if isinstance(effect, rules.End)}
        suffered = (effect for effect in self.effects if isinstance(effect, rules.Suffer))
        endings = (effect.until for effect in suffered if effect.condition not in spared)
        awaited = {until.word for until in endings if not until.is_span} - ended - self._ended_words
        awaited -= {*rules.ENDS_OF_STEPS} - {*rules.ENDED_BY_GM}
        if name in awaited and not any(isinstance(effect, rules.End) for _, effect in rules.walk_effects(event.do_)):
            cure = f"add end all until {name}, or end NAME for each, here or in a watch"
            yield (*trail, "do"), f"conditions last until {name}, and no step of it ends them: {cure}"

    def _better_faults(self, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
        """What is better is figured without luck, and of a card where one is chosen."""
        if event.better is None:
            return
        yield from self._formula(event.better, trail)
        nodes, constants = [*event.better.walk()], self.system.steps.constants
        dice = {name for name, constant in constants.items() if not constant.is_number}
        if any(node.kind in ("dice", *ROLLING.values()) or node.about in dice for node in nodes):
            yield trail, f'"{event.better}": what is better is figured without dice'
        for _, effect in rules.walk_effects(event.do_):
            asks = any(node.kind == "does" or str(node.about).startswith(OF_CARD) for node in nodes)
            if isinstance(effect, rules.DrawCard) and effect.keep and effect.best is None and not asks:
                yield trail, f'"{event.better}" asks nothing of the cards that are chosen here: name one of their lines'
                return

    @cached_property
    def _called(self) -> set[str]:
        """The events that steps call, and effects that are events."""
        called = {effect.event for effect in self.effects if isinstance(effect, rules.Call)}
        return called | {*self.system.steps.plays.values()}

    def _given_faults(self, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
        """What an event gives to those who call it has a name in it."""
        steps = [effect for _, effect in rules.walk_effects(event.do_)]
        there = {name for effect in steps for name in rules.given_names(effect)}
        there.update(name for called in self._calls(event.do_) for name in called.gives)
        for at, name in enumerate(event.gives):
            yield from known(name, there, "name from let or throw", (*trail, "gives", at))

    def _decided(self, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
        """Dice that are compared with what they always, or never, reach."""
        constants, rolled = self.system.steps.constants, dict[str, Dice]()
        for way, effect in rules.walk_effects(event.do_):
            if isinstance(effect, rules.Let):
                node = effect.be.tree
                about = constants.get(str(node.about)) if node.kind == "name" else node.about
                rolled.pop(effect.name, None)
                if node.kind in ("name", "dice") and isinstance(about, Dice) and not about.is_number:
                    rolled[effect.name] = about
            holds = effect.holds if isinstance(effect, rules.When) else None
            for node in holds.walk() if holds else ():
                if node.kind not in ("<", "<=", ">", ">="):
                    continue
                yield from self._below_least(node, holds, (*trail, "do", *way, "holds"))
                die, bound = (self._known_number(part, rolled) for part in node.parts)
                if not (isinstance(die, Dice) and isinstance(bound, int)):
                    continue
                upto = bound - (node.kind in ("<", ">="))
                if not die.least <= upto < die.most:
                    always = f"always shows {upto} or less" if upto >= die.most else f"never shows {upto} or less"
                    yield (*trail, "do", *way, "holds"), f"{die.spoken} {always}: it decides nothing"

    def _below_least(self, node: Node, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
        """A number that is compared with less than it can be: nothing but a bound stops it, and nothing sets it."""
        left, right = node.parts if node.kind in ("<", "<=") else node.parts[::-1]
        own = self.system.steps.numbers.get(str(left.about)) if left.kind == "name" else None
        bound = self._known_number(right, {})
        if own is None or own.least is None or not isinstance(bound, int) or left.about in self._set_numbers:
            return
        least = self._known_number(own.least.tree, {})
        if isinstance(least, int) and bound - (node.kind in ("<", ">")) < least:
            yield trail, f'"{formula}" never holds: {left.about} stops at {least}. What goes beyond is over'

    @cached_property
    def _set_numbers(self) -> set[str]:
        return {effect.number for effect in self.effects if isinstance(effect, rules.SetTo)}

    def _known_number(self, node: Node, rolled: Mapping[str, Dice]) -> Dice | int | None:
        """Return the dice behind a name, or a number that is always the same; None for anything else."""
        if node.kind == "number" and isinstance(node.about, int):
            return node.about
        constant = self.system.steps.constants.get(str(node.about)) if node.kind == "name" else None
        if constant is not None and constant.is_number:
            return constant.plus
        return rolled.get(str(node.about)) if node.kind == "name" else None

    def _need_faults(self, need: Need, trail: Trail) -> Iterator[Fault]:
        if (need.holds is None) == (not need.free_of):
            yield trail, "say what must hold: holds, or free_of with conditions"
        yield from self._formula(need.holds, (*trail, "holds"))

    def _argument_faults(self, argument: rules.Argument, trail: Trail) -> Iterator[Fault]:
        if argument.one_of:
            yield from known(argument.one_of, self.system.steps.aims, "list of kinds", (*trail, "one_of"))
        if argument.name and (argument.of or argument.one_of):
            yield (*trail, "name"), "it takes any name, or one of some words: leave one of the two out"
        if sum((argument.name, argument.flag, argument.die, argument.card)) > 1 or (argument.flag and argument.of):
            yield trail, "give one of name, flag, die and card"
        if argument.least > argument.most:
            yield (*trail, "least"), f"{argument.least} is more than the most, {argument.most}"
        yield from self._formula(argument.default, (*trail, "default"))
        yield from self._formula(argument.when, (*trail, "when"))

    @cached_property
    def _circle(self) -> tuple[str, Trail, str] | None:
        """The first of events, tables, conditions and decks that lead back to themselves: where, and how."""
        return first_circle(self._lists, self.system)

    def file_faults(self, file: str) -> Iterator[Fault]:
        """Yield the circle whose first step stands in a file."""
        if self._circle is not None and self._circle[0] == file:
            yield self._circle[1:]

    def table_faults(self) -> Iterator[Fault]:
        """Yield tables that send back to themselves, unless to rows that do not."""
        for place, table in enumerate(self.system.tables):
            if any(
                isinstance(step, rules.LookUp) and step.table == table.id for _, step in rules.walk_effects(table.every)
            ):
                yield ("tables", place, "every"), f"the table {table.id} sends back to itself: give another table"
            back = {at: again for at, row in enumerate(table.rows) if (again := list(_back(row, table.id)))}
            spans = [table.rows[at].at for at in back]
            for at, again in back.items():
                if any(not {*spans} <= {*step.but} for step in again):
                    which = ", ".join(str(span) for span in spans if span)
                    cure = f"write but not {which} there" if None not in spans else "give another table"
                    yield ("tables", place, "rows", at), f"the table {table.id} sends back to itself: {cure}"
            for at, row in enumerate(table.rows):
                for name, cell in row.cells.items():
                    for way, effect in rules.walk_effects(cell if isinstance(cell, tuple) else ()):
                        if (
                            isinstance(effect, rules.Place)
                            and name in self.system.head.parts
                            and effect.part.plain == name
                        ):
                            inside = ("effects",) if isinstance(row.written_cells[name], rules.NamedCell) else ()
                            says = f"the column {name} has hit it already, and its side: take this out"
                            yield ("tables", place, "rows", at, "cells", name, *inside, *way), says

    # --- steps -------------------------------------------------------------------------------------------------------

    def effect_faults(self, effect: rules.Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what is wrong with one step."""
        del implied
        if isinstance(effect, rules.Penalty | rules.Halve | rules.Risk | rules.Reroll | rules.Whenever) and (
            says := rules.missing_end(
                "steps", effect.do, str(effect.until), self.enders, by_card=self.system.steps.by_card
            )
        ):
            yield (*trail, "until"), says
        if isinstance(effect, rules.Lose | rules.Reroll | rules.Whenever) and not self.system.steps.by_card:
            yield trail, f"nothing keeps what {effect.do} leaves: write by_card: true under procedure, or use suffer"
        if says := rules.not_played(effect.do, self.system.steps.plays):
            yield trail, says
        if isinstance(effect, rules.Whenever):
            for key in ("blood", "score"):
                if getattr(effect, key) and (f"extra_{key}", effect.event) not in self._added:
                    yield (*trail, key), f"no step here asks for extra_{key}({effect.event}): leave {key} out"
        if isinstance(effect, rules.Penalty) and effect.per == "level":
            condition = self.system.head.conditions.get(str(trail[1])) if trail[0] == "conditions" else None
            if condition is None or not condition.levels:
                yield (*trail, "per"), "only what a condition with levels implies may count them: give it levels"
        rolls = isinstance(effect, rules.Penalty) and not effect.by.is_number and effect.until.word != "permanent"
        kept = self.system.steps.by_card
        if rolls and not kept and (names := " and ".join(sorted({*getattr(effect, "to", ())} & self._lowered))):
            yield (*trail, "by"), f"formulas ask by how much {names} is lowered: what dice take off is not kept"
        if isinstance(effect, rules.Suffer):
            yield from self._suffer_faults(effect, trail)
        if isinstance(effect, rules.Check):
            yield from self._check_faults(effect, trail)
        if isinstance(effect, rules.Step | rules.Suffer):
            yield from self._formulas(effect, trail)
        if isinstance(effect, rules.Step):
            yield from self._text_faults(effect, trail)
        yield from self._step_faults(effect, trail)

    def list_faults(self, effects: tuple[rules.Effect, ...], trail: Trail) -> Iterator[Fault]:
        """Yield the first step that stands after a death, and so never runs."""
        for place, (effect, after) in enumerate(pairwise(effects)):
            if isinstance(effect, rules.Die) and not isinstance(after, rules.Revive | rules.Die):
                yield ((*trail, place + 1), "this never runs, since the character is dead: write it before the death")
                return

    def _suffer_faults(self, effect: rules.Suffer, trail: Trail) -> Iterator[Fault]:
        condition = self.system.head.conditions.get(effect.condition)
        if effect.levels is not None and condition and not condition.levels:
            yield (*trail, "levels"), f"{effect.condition} has no levels: say how many it has where it is defined"
        if effect.after is not None and effect.until.formula is not None:
            yield (*trail, "until"), "what begins later lasts until an event, or for a span with dice: 1d6 hours"
        if effect.detail is not None and effect.after is not None:
            yield (*trail, "detail"), "nothing is noted with what begins later: leave detail or after out"
        if effect.begins == "recovery" and self.system.steps.recovers is None:
            yield (*trail, "begins"), "nothing waits for a recovery here: use after, with a span of time"
        word = effect.until.word
        if not effect.until.is_span and word not in rules.ENDS_OF_STEPS and word not in self.enders:
            yield (*trail, "until"), self._endless(word)

    @cached_property
    def _lowered(self) -> set[str]:
        """The statistics of which formulas ask by how much they are lowered."""
        nodes = (node for formula in self._all_formulas() for node in formula.walk())
        names = {str(node.about) for node in nodes if node.kind in ("lowered", "worst")}
        return names.union(*(self._wordy.get(name, set()) for name in names))

    @cached_property
    def _added(self) -> set[tuple[str, str]]:
        """What formulas ask of wounds that wait, and at which event: `extra_blood(red_card)`."""
        nodes = (node for formula in self._all_formulas() for node in formula.walk())
        return {(node.kind, str(node.about)) for node in nodes if node.kind in ("extra_blood", "extra_score")}

    @cached_property
    def awaited(self) -> set[str]:
        """The words that conditions last until."""
        return {e.until.word for e in self.effects if isinstance(e, rules.Suffer) and not e.until.is_span}

    @cached_property
    def _ended_words(self) -> set[str]:
        """The words that steps end by name."""
        ends = [effect.ending for effect in self.effects if isinstance(effect, rules.End) and effect.ending]
        return {word for each in ends for word in ([each] if isinstance(each, str) else each)}

    @cached_property
    def enders(self) -> set[str]:
        """What a condition may last until: an event, or what a step or a unit of time ends."""
        ended = self._ended_words
        by_clock = {word for tick in self.system.steps.clock.values() for word in tick.ends}
        typed = {name for name, event in self.system.head.events.items() if not event.helper}
        return {*typed, *ended, *by_clock}

    def _endless(self, word: str) -> str:
        if says := rules.missing_end("steps", "suffer", word, self.enders):
            return says
        if word in self.system.head.events:
            return f"{word} is for other events only, so nothing can last until it"
        typed = [name for name, event in self.system.head.events.items() if not event.helper]
        events, hint = ", ".join(typed[:6]) or "none yet", did_you_mean(word, (*typed, *rules.ENDS_OF_STEPS))
        return f'"{word}" is neither an event ({events}) nor a span such as 1d6 rounds nor for good{hint}'

    def _check_faults(self, effect: rules.Check, trail: Trail) -> Iterator[Fault]:
        bounds = {"at_most": effect.at_most, "at_least": effect.at_least, "over": effect.over}
        if sum(bound is not None for bound in bounds.values()) != 1:
            one = "at most, at least, or over, and the number"
            yield trail, f"a check is rolled against one number: give it {one}"
        if not (effect.fails or effect.passes or effect.degrees):
            yield trail, "this check decides nothing: give it fails or passes"
        if effect.die.is_number:
            yield (*trail, "die"), f"{effect.die} is a number: write dice, such as d20 or 3d6"
        for key, bound in bounds.items():
            yield from self._formula(bound, (*trail, key))
        yield from self._automatic_faults(effect, trail)
        yield from self._formula(effect.degrees, (*trail, "degrees"), OF_CHECK)
        points = effect.degrees.plain if effect.degrees else 1
        if isinstance(points, int) and points < 1:
            yield (*trail, "degrees"), f"{points} points cannot be a degree: write 1 or more"

    def _automatic_faults(self, effect: rules.Check, trail: Trail) -> Iterator[Fault]:
        """Results that count whatever the number is: the dice can show them, and others, and none is both."""
        die, covered = effect.die, dict[str, tuple[int, int]]()
        for key, span in (("always", effect.always), ("never", effect.never)):
            if span is None:
                continue
            low, high = max(span.low, die.least), die.most if span.high is None else min(span.high, die.most)
            covered[key] = (low, high)
            if low > high:
                yield (*trail, key), f"{die.spoken} never shows {span}: write what it can show"
            elif (low, high) == (die.least, die.most):
                yield (*trail, key), f"{die.spoken} always shows {span}: it decides nothing"
        lows, highs = zip(*covered.values(), strict=True) if len(covered) == 2 else ((1,), (0,))
        if max(lows) <= min(highs):
            yield (*trail, "never"), f"{max(lows)} cannot always succeed and always fail: take it out of one"

    def _text_faults(self, effect: rules.Step, trail: Trail) -> Iterator[Fault]:
        """Words of the author's quote numbers on paper, and in the log the values of that moment too."""
        quotable = {*self.system.numbers, *self.system.readings}
        log = effect.log
        if isinstance(log, Telling):
            entries = effect.entries
            fields = {name for each in entries for name in FACTS[each]._fields} | {"row", "name"}
            yield from self._telling_faults(log, (*trail, "log"), fields if entries else ())
            if log.kind and not (log.says or entries):
                yield (*trail, "log", "kind"), f"{log.kind} has no sentence: write log, and the sentence, above it"
            log = None
        for key, text, there in (("says", effect.says, quotable), ("log", log, self._quotable)):
            for name in quoted_names(text or ""):
                if name not in there:
                    moment = name in self._quotable
                    hint = did_you_mean(name, sorted(there))
                    aside = ": on paper it has no value, write log beside it" if moment and not hint else hint
                    yield (*trail, key), f'there is no "{{{name}}}" to quote{aside}'
                elif fault := self._of_another(name, trail):
                    yield (*trail, key), fault

    @cached_property
    def _quotable(self) -> set[str]:
        """What words in the log may quote."""
        return {*self.system.numbers, *self.system.readings, *self._there, *self.system.head.conditions}

    def _telling_faults(self, telling: Telling, trail: Trail, fields: Collection[str] = _FIELDS) -> Iterator[Fault]:
        """What the log tells quotes values of the moment, what it gives to JSON, and what the entry itself holds."""
        there = {*self._quotable, *fields}
        for name in quoted_names(telling.says or ""):
            if name not in there:
                yield (*trail, "says"), f'there is no "{{{name}}}" to quote{did_you_mean(name, sorted(there))}'
            elif name not in fields and (fault := self._of_another(name, trail)):
                yield (*trail, "says"), fault
        if isinstance(telling, Retelling):
            yield from known(telling.of, FACTS, "entry of the log", (*trail, "of"))
            yield from self._formula(telling.when, (*trail, "when"), _FIELDS)

    def _step_faults(self, effect: rules.Effect, trail: Trail) -> Iterator[Fault]:
        head, procedure = self.system.head, self.system.steps
        match effect:
            case rules.Raise() | rules.Lower():
                yield from known(effect.number, self._numbers, "number", (*trail, "number"))
            case rules.SetTo():
                there = (*self._numbers, *procedure.words)
                yield from known(effect.number, there, "number or word", (*trail, "number"))
                yield from self._unset(effect, trail)
            case rules.Let():
                yield from self._name_faults(effect, (*trail, "name"))
            case rules.Throw() | rules.AsLong() | rules.Choose():
                yield from self._table_faults(effect, trail)
            case rules.LookUp():
                yield from self._look_up_faults(effect, trail)
            case rules.DrawCard():
                yield from self._draw_faults(effect, trail)
            case rules.Keep() | rules.TakeUp() if not self.system.piles:
                yield trail, "no deck is here to draw from: a pile holds cards of a deck"
            case rules.Read():
                yield from self._read_faults(effect, trail)
            case rules.RollFor():
                yield from _result_faults(effect, trail)
            case rules.Call() | rules.Befall():
                if isinstance(effect, rules.Befall) and effect.event in head.events.keys() - {*self.table_events()}:
                    yield (
                        (*trail, "event"),
                        f"{effect.event} never happens by itself: for others takes an event that people can type",
                    )
                takes = head.events[effect.event].takes if effect.event in head.events else {}
                for name in effect.takes if effect.event in head.events else ():
                    yield from known(name, takes, "argument", (*trail, "with", name))
                for name, argument in takes.items():
                    needed = argument.default is None and not (argument.optional or argument.flag)
                    if needed and name not in effect.takes:
                        yield trail, f"{effect.event} takes {name}: say it, as in {effect.event}({name}: 1)"
            case rules.End():
                yield from self._end_faults(effect, trail)
            case rules.Shorten():
                yield from known(effect.of, self._groups, "condition or group", (*trail, "of"))
            case rules.Reveal():
                hidden = [name for name, own in procedure.numbers.items() if own.hidden]
                yield from known(effect.number, hidden, "hidden number", (*trail, "number"))
            case rules.Revive() if not any(event.dead for event in head.events.values()):
                yield trail, "no event happens to the dead: write for the dead too in the one that revives them"
            case rules.Pass() if trail[:1] in (("conditions",), ("watches",)):
                yield trail, "time passes in events alone: nothing that happens meanwhile can make it pass"
            case _:
                return

    def _table_faults(self, effect: rules.Throw | rules.AsLong | rules.Choose, trail: Trail) -> Iterator[Fault]:
        """What is wrong with dice that are thrown, steps that are repeated, and choices."""
        match effect:
            case rules.Throw():
                yield from self._name_faults(effect, (*trail, "dice"))
                for name in effect.titles:
                    yield from known(name, effect.dice, "name among its dice", (*trail, "titles", name))
                if effect.counts and (len(effect.dice) > 1 or effect.most or effect.aces):
                    yield (
                        (*trail, "counts"),
                        "dice of one name are counted as they first fall: leave out at most and aces",
                    )
                if effect.lowest and effect.keep is None:
                    yield (*trail, "lowest"), "all of them count: say how many are kept, such as keep 1"
            case rules.AsLong():
                yield from self._endless_faults(effect, trail)
            case rules.Choose():
                for option in effect.only:
                    yield from known(option, effect.options, "option", (*trail, "only", option))

    def _name_faults(self, effect: rules.Let | rules.Throw, trail: Trail) -> Iterator[Fault]:
        """Names that mean something else already."""
        for name in rules.given_names(effect):
            if taken := taken_by(name, VALUES) or self._own(name, but="piles"):
                yield trail, taken

    def _endless_faults(self, effect: rules.AsLong, trail: Trail) -> Iterator[Fault]:
        """Steps that are repeated as long as something holds that none of them can change."""
        most = effect.most.tree.about if effect.most and effect.most.tree.kind == "number" else 2
        if isinstance(most, int) and not 2 <= most <= rules.MAX_AGAIN:
            yield (*trail, "most"), f"steps are repeated 2 to {rules.MAX_AGAIN} times in all: {most} is none of these"
        names = {str(node.about) for node in effect.holds.walk() if node.kind in ("name", "value", "known", "faces")}
        inside = [step for _, step in rules.walk_effects(effect.do_)]
        changed = {name for step in inside for name in rules.given_names(step)}
        for step in inside:
            if isinstance(step, rules.Raise | rules.Lower | rules.SetTo):
                changed |= {step.number, "over"} | self._wordy.get(step.number, set())
        plain = (rules.Let, rules.Throw, rules.Raise, rules.Lower, rules.SetTo)
        within = (rules.When, rules.Say, rules.AsLong, rules.Choose, rules.RollFor)
        changes = names & changed or effect.holds.rolls or not all(isinstance(step, plain + within) for step in inside)
        if effect.most is None and not changes:
            cure = "ask for what they change, or say how often, such as at most 3 times"
            yield (*trail, "holds"), f'"{effect.holds}": nothing in these steps changes that, and they go on: {cure}'

    def _look_up_faults(self, step: rules.LookUp, trail: Trail) -> Iterator[Fault]:
        if step.aimed:
            yield from known(step.aimed, argument_aims(self.system), "argument of a kind", (*trail, "aimed"))
        elif step.table is None:
            yield trail, "name a table, or aimed and an argument whose kinds have tables"
        kinds = argument_aims(self.system).get(step.aimed or "", {}).values()
        with_columns = {aim.table for aim in kinds if aim.column} - {step.table}
        tables = [table for name in tables_of_step(step, self.system) if (table := self.system.table(name))]
        results = [str(row.at) for table in tables for row in table.rows if row.at]
        for at in step.but if tables else ():
            yield from known(str(at), results, "row", (*trail, "but"))
        for table in tables:
            if step.lasts and not any(row.lasts for row in table.rows):
                yield (*trail, "lasts"), f"no row of {table.id} says how long it lasts: write lasts: 2d6 weeks there"
            if step.by is None and table.roll is None:
                yield trail, f"the table {table.id} has no die to roll: say by what it is looked up"
            chosen = step.column is not None or table.column_roll is not None or table.id in with_columns
            if any(row.cells for row in table.rows) and not chosen:
                yield trail, f"the table {table.id} has columns and no die for them: say which with column"
            if step.column is not None and step.aimed is None:
                yield from self._column_faults(step.column, table, (*trail, "column"))

    def _unset(self, effect: rules.SetTo, trail: Trail) -> Iterator[Fault]:
        """Only what may begin unknown can become unknown."""
        own = self.system.steps.numbers.get(effect.number)
        if effect.to.tree.kind != UNKNOWN:
            return
        if effect.number in self.system.steps.words:
            yield (*trail, "to"), f"{effect.number} is always one of its words: leave unknown to numbers"
        elif own is not None and own.start is not None:
            yield (*trail, "to"), f"{effect.number} is never unknown: write start: null where it is defined"

    def _column_faults(self, column: Formula, table: rules.Table, trail: Trail) -> Iterator[Fault]:
        """What chooses the column is one of the table's whenever the step runs, as far as that can be told."""
        if column.tree.kind not in ("name", "word"):
            return
        name = str(column.tree.about)
        words = self._wordy.get(name, set()) if column.tree.kind == "name" and name in self._named else {name}
        if not words & self._words or words <= {"unknown", *self.system.head.parts, *table.columns}:
            return
        missing = sorted(words - {*table.columns, "unknown"})
        guarded = not {"then", "else", "results", "options"}.isdisjoint(trail)
        if not table.columns:
            yield trail, f"the table {table.id} has no columns: take this out"
        elif not guarded or words.isdisjoint(table.columns):
            there = ", ".join(table.columns)
            yield trail, f"the table {table.id} has no column {' or '.join(missing[:4])}; it has {there}"

    def _end_faults(self, effect: rules.End, trail: Trail) -> Iterator[Fault]:
        if sum(each is not None for each in (effect.condition, effect.group, effect.ending, effect.coming)) > 1:
            yield trail, "give one of condition, group, until and coming"
        if effect.group:
            yield from known(effect.group, self._groups, "group", (*trail, "group"))
        name = str(trail[1]) if trail[:1] == ("events",) else ""
        if not (effect.condition or effect.group or effect.ending or effect.coming) and (
            not name or name in self._called
        ):
            lasting = "until rest" if not name or self.system.head.events[name].helper else f"until {name}"
            where = f"other events call {name}" if name else "these steps are a part of several"
            yield (
                trail,
                f"this ends what lasts until the event that is typed, and {where}: name it, as in end all {lasting}",
            )

    def _draw_faults(self, effect: rules.DrawCard, trail: Trail) -> Iterator[Fault]:
        """A face is one of the deck's, or something that is always one of them."""
        deck = self.system.piles.get(effect.deck)
        if deck is None:
            return
        if effect.best is not None:
            if effect.keep is None:
                yield (*trail, "best"), "best says which cards are kept: say how many, such as keep 1"
            yield from self._unmarked(effect.best, deck, (*trail, "best"))
        if not deck.faces and effect.face is not None:
            yield (*trail, "face"), f"the cards of {effect.deck} have one face alone: take this out"
        elif effect.then and effect.face is None:
            return
        elif deck.faces and effect.face is None:
            yield trail, f"the cards of {effect.deck} are read for {', '.join(deck.faces)}: say which with face"
        elif effect.face is not None and effect.face.tree.kind in ("name", "word"):
            name = str(effect.face.tree.about)
            own = effect.face.tree.kind == "word" or name not in self._named | self.system.steps.words.keys()
            # A name that nothing has is told of where formulas are checked.
            if own and name not in self._words and not did_you_mean(name, deck.faces).startswith(":"):
                return
            for face in {name} if own else sorted(self._wordy.get(name, ())):
                yield from known(face, deck.faces, f"face of {effect.deck}", (*trail, "face"))

    def _read_faults(self, effect: rules.Read, trail: Trail) -> Iterator[Fault]:
        """What is read of a card are its effects, by their names."""
        if not self.system.piles:
            yield trail, "no deck is here to draw from: a card at hand comes from draw"
        if effect.only and effect.but:
            yield (*trail, "but"), "give one of only and but"
        there = {str(each.do) for _, _, effects, _ in cards_of(self.system) for each in effects}
        # Where no card does anything, as in a deck that cannot be read, there is nothing to compare with. What an event
        # of the pack plays is known, though no card of this deck may say it.
        for key in ("only", "but") if there else ():
            for place, name in enumerate(getattr(effect, key)):
                yield from known(name, there | {*self.system.steps.plays}, "effect of a card", (*trail, key, place))

    def _unmarked(self, best: Formula, deck: rules.Deck, trail: Trail) -> Iterator[Fault]:
        """Cards that cannot be told which is the best of, since they lack the number."""
        for node in best.walk():
            key = str(node.about).removeprefix(OF_CARD)
            if node.kind != "name" or key == node.about:
                continue
            without = [card.code for card in deck.cards if not isinstance(card.lines.get(key), int)]
            if key not in deck.lines and key in CARD_FIELDS:
                continue
            if without and key in deck.lines:
                more = f" and {len(without) - 3} more" if len(without) > 3 else ""
                yield (
                    trail,
                    f'"{best}": the line {key} is not a number on {", ".join(without[:3])}{more} of {deck.title}',
                )
            elif key not in deck.lines and not self._unknown(str(node.about)):
                yield trail, f'"{best}": the cards of {deck.title} have no line {key}{did_you_mean(key, deck.lines)}'

    # --- formulas ----------------------------------------------------------------------------------------------------

    def _formulas(self, effect: rules.Effect, trail: Trail) -> Iterator[Fault]:
        for (field, *key), formula in rules.effect_formulas(effect):
            yield from self._formula(formula, (*trail, "with" if field == "takes" else field, *key))

    def _formula(self, formula: Formula | None, trail: Trail, more: Collection[str] = ()) -> Iterator[Fault]:
        """What a formula names must be there; `more` are names that have a value here alone."""
        for node in reversed([*formula.walk()] if formula else []):
            if node.kind == "name":
                name = str(node.about)
                if name not in more and self._unknown(name):
                    there = sorted(self._there)
                    hint = did_you_mean(name, there) or f": there are {', '.join(there[:12])}"
                    if switch := self.system.switches.get(name):
                        options = [*switch.options]
                        yield trail, f'"{formula}": {name} is {" or ".join(options)}: write {name} == {options[0]}'
                        return
                    yield trail, f'"{formula}": nothing is called {name}{hint}'
                elif name not in more and (fault := self._of_another(name, trail)):
                    yield trail, f'"{formula}": {fault}'
                elif name == "degrees" and not self._counts_degrees:
                    yield trail, f'"{formula}": no check counts degrees. Give one its degrees, such as degrees 10'
                elif name == "rolled" and name not in more and not self._checks:
                    yield trail, f'"{formula}": what a check showed, and there is no check'
            elif node.kind in ("==", "!="):
                yield from self._compared(node, formula, trail)
            elif isinstance(node.about, str) and node.kind != "word":
                yield from self._call_faults(node, formula, trail)

    @cached_property
    def _checks(self) -> list[rules.Check]:
        return [effect for effect in self.effects if isinstance(effect, rules.Check)]

    @cached_property
    def _counts_degrees(self) -> bool:
        return any(check.degrees is not None for check in self._checks)

    @cached_property
    def _there(self) -> set[str]:
        """Every name that has a value."""
        return self._everywhere | self._named

    @cached_property
    def _everywhere(self) -> set[str]:
        """Every name that has a value in any event."""
        procedure = self.system.steps
        own = {*procedure.constants, *procedure.numbers, *procedure.words, *self._lines}
        return own | {*_MOMENT, *(["side"] if self._sides else [])}

    @cached_property
    def _sides(self) -> set[str]:
        """The sides of parts of the body: what `side` may be."""
        return {side for part in self.system.head.parts.values() for side in part.sides}

    @cached_property
    def _lines(self) -> set[str]:
        """What formulas may ask of a card: what stands on its lines, and what every card has."""
        piles = self.system.piles.values()
        return {OF_CARD + key for deck in piles for key in (*deck.lines, *CARD_FIELDS)}

    def _unknown(self, name: str) -> bool:
        return name not in self._there and name not in self._words

    @cached_property
    def _reach(self) -> dict[str, set[str]]:
        """The names that steps of each event know, and under "" those that steps of any event may know."""
        events = self.system.head.events
        names = {name: {*event.takes} for name, event in events.items()} | {"": self._everywhere | self._words}
        for _, trail, effects in self._lists:
            own = names[str(trail[1]) if trail[0] == "events" else ""]
            own.update(name for _, effect in rules.walk_effects(effects) for name in rules.given_names(effect))
            own.update(name for event in self._calls(effects) for name in event.gives)
        names[""].update(*(events[each].gives for each in self.system.steps.plays.values() if each in events))
        return names

    def _calls(self, effects: tuple[rules.AnyEffect, ...]) -> list[rules.Happening]:
        calls = (effect.event for _, effect in rules.walk_effects(effects) if isinstance(effect, rules.Call))
        return [self.system.head.events[name] for name in calls if name in self.system.head.events]

    def _of_another(self, name: str, trail: Trail) -> str:
        """Why an event does not know a name that another event has; empty where it may know it."""
        if trail[:1] != ("events",) or name in self._reach[""] | self._reach[str(trail[1])]:
            return ""
        events = self.system.head.events
        if not (owners := [event for event in events if name in self._reach[event]]):
            return ""
        called = self._calls(events[str(trail[1])].do_)
        if giving := next((each for each in owners if events[each] in called and name not in events[each].takes), ""):
            return f"{name} is a name of {giving}: write gives {name} there"
        return f"{name} is a name of {owners[0]} and unknown here: write takes {name}, or let {name} = ..."

    def _compared(self, node: Node, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
        """A word is compared with one of the words that it may be, and not with a number of that name."""
        procedure = self.system.steps
        names = [str(part.about) if part.kind == "name" else "" for part in node.parts]
        for name, other in (names, names[::-1]):
            of = self._wordy.get(name)
            if of and other in of and (other in procedure.numbers or other in procedure.constants):
                yield trail, f"\"{formula}\": {other} is a number too: write '{other}' in quotes for the word"
            if of and UNKNOWN in of and UNKNOWN in (part.kind for part in node.parts):
                yield trail, f"\"{formula}\": write '{UNKNOWN}' in quotes for the word"
        written = [str(part.about) for part in node.parts if part.kind == "word"]
        for name in names:
            of = self._wordy.get(name)
            yield from (
                (trail, f'"{formula}": {name} is never {word}{did_you_mean(word, of)}')
                for word in (written if of else ())
                if of and word not in of
            )

    @cached_property
    def _numbers(self) -> list[str]:
        """The numbers, and what holds the name of one."""
        numbers = self.system.steps.numbers
        return [*numbers, *(name for name, of in self._wordy.items() if of <= {*numbers})]

    @cached_property
    def _about_statistics(self) -> list[str]:
        """The arguments that may hold the name of a statistic."""
        return [name for name, of in self._wordy.items() if not of.isdisjoint(self.system.head.statistics)]

    @cached_property
    def _wordy(self) -> dict[str, set[str]]:
        """What is a word rather than a number, and the words that it may be."""
        words_by_name = {name: {*own.of} for name, own in self.system.steps.words.items()}
        for event in self.system.head.events.values():
            for name, takes in event.takes.items():
                if takes.of:
                    words_by_name.setdefault(name, set()).update(takes.of)
        if self._sides:
            words_by_name.setdefault("side", set()).update(self._sides)
        return words_by_name

    def _call_faults(self, node: Node, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
        name, system = str(node.about), self.system
        there: Collection[str]
        condition = system.head.conditions.get(name)
        here = bool(node.parts) and node.parts[0].kind == HERE
        if here and (condition.whole if condition else not self.system.head.parts):
            yield trail, f'"{formula}": {name} is of the whole body, and never {HERE}'
        if node.kind in _HELD:
            there = {*self._groups, "any"} if node.kind in ("owed", "coming") else self._groups
        else:
            there = {
                "setting": [*system.switches],
                "met": [table.id for table in system.tables],
                "suffered": [*system.head.conditions],
                "value": self._numbers,
                "known": [*system.steps.numbers, *self._named, *self._lines],
                "worst": [*system.head.statistics, *self._about_statistics],
                "column": argument_aims(system),
                "cards": system.steps.piles,
                "does": [str(each.__struct_config__.tag) for each in rules.KINDS],
                "extra_blood": rules.WHENEVER,
                "extra_score": rules.WHENEVER,
                "total": system.steps.piles,
                "lowered": [*system.head.statistics, *self._about_statistics],
                "faces": [*system.steps.numbers, *system.steps.constants, *self._named],
            }[node.kind]
        if name not in there:
            hint = did_you_mean(name, there)
            if node.kind == "faces" and name in system.steps.words:
                hint = f", a word of the character: make it a number and write d({name})"
            yield trail, f'"{formula}": {node.kind}( ) knows no {name}{hint}'


_TOO_LITTLE = (
    "options are compared after their own steps, and steps after this choice change what better with counts: put these "
    "into an event of their own, and call it in each option"
)


def _chooses(steps: Effects, after: Effects) -> Iterator[tuple[Trail, rules.Choose, Effects]]:
    """Yield each choice in steps with its place and all that comes after it."""
    for place, step in enumerate(steps):
        later = (*steps[place + 1 :], *after)
        if isinstance(step, rules.Choose):
            yield (place,), step, later
        for key, inside in rules.nested_effects(step):
            yield from (((place, *key, *trail), choose, rest) for trail, choose, rest in _chooses(inside, later))


def _changed_by(step: rules.AnyEffect) -> str:
    """Return the number, name or condition that a step changes; nothing of any other step."""
    match step:
        case rules.Raise() | rules.Lower() | rules.SetTo():
            return step.number
        case rules.Let():
            return step.name
        case rules.Suffer() | rules.End() if step.condition:
            return step.condition
        case rules.Die():
            return "dead"
    return ""


def cards_of(system: rules.System) -> Iterator[tuple[str, Trail, tuple[rules.AnyEffect, ...], rules.Card]]:
    """Yield the effects on the cards of all decks, by their faces: file, place, effects and card."""
    piles = [("decks.yaml", ("decks", at), deck) for at, deck in enumerate(system.decks)]
    start: list[tuple[str, Trail, rules.Deck]] = [("deck.yaml", (), system.deck)] if system.deck else []
    for file, trail, deck in (*start, *piles):
        for at, card in enumerate(deck.cards):
            yield file, (*trail, "cards", at, "effects"), card.effects, card
            for name, face in card.faces.items():
                yield file, (*trail, "cards", at, "faces", name, "effects"), face.effects, card


def _back(row: rules.Row, table: str) -> Iterator[rules.LookUp]:
    """Yield the steps of a row that look up its own table."""
    for each in (row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))):
        yield from (
            step for _, step in rules.walk_effects(each) if isinstance(step, rules.LookUp) and step.table == table
        )


def _result_faults(effect: rules.RollFor, trail: Trail) -> Iterator[Fault]:
    """No result is covered twice."""
    seen: list[rules.Span] = []
    for written in effect.results:
        span = rules.Span.parse(written)
        high = 10**6 if span.high is None else span.high
        if any(span.low <= (10**6 if other.high is None else other.high) and other.low <= high for other in seen):
            yield (*trail, "results", written), f"{written} is covered already"
        seen.append(span)


CONTENT = StepsContent
