"""Each effect in words: its sentence, its short form, and what the log says of the wound that it leaves.

The words of a kind are a function, registered by its type. The voice is the table's: "you", short, present tense. Short
forms are for tables and stickers where a sentence has no room: `-2 Dex, Str until recovered`. Nothing here decides a
rule; it says what `rules` holds and the engine runs.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec.structs import replace

from generator.base.registry import Registrar
from generator.base.sentences import without_stop
from generator.model import rules
from generator.model.procedures import Steps
from generator.model.rules import AnyEffect, Condition, Penalty, Suffer, System, Until
from generator.words import wording
from generator.words.step_clauses import CLAUSES
from generator.words.steps_wording import StepWords

Facts = Mapping[str, Any]
_BEGINS: dict[rules.Start, tuple[str, str]] = {
    "now": ("", ""),
    "recovery": ("After you recover", "then "),
    "survival": ("If you live", "if alive "),
}
"""When it begins, before a sentence and in short."""
_FIRST = ("your first card scores {} more", "first card +{} score")
_EVENTS = {
    "below_zero": ("Whenever you fall below 0 HP", "each fall below 0 HP", *_FIRST),
    "first_card": ("Whenever you fall to 0 HP or below", "each fall to 0 HP or below", *_FIRST),
    "red_card": ("With each red card you draw", "each red card", "it scores {} more", "+{} score"),
    "near_cause": (
        "Each round you face what did this",
        "each round near the cause",
        "your death-score grows by {}",
        "+{} score",
    ),
}
"""When something happens, and what a score on top does then: that of a fall goes to the first card drawn alone."""
_ONWARD = "From now on"
"""For good, of what comes back again and again: it does not last, it recurs."""


class Words(NamedTuple):
    """An effect in words: what it says and the same in short, both without their end; `until` holds that in both forms.

    `more` are further sentences, for a second roll that is asked for. `keyed` is the short form with what the faces of
    its dice mean, where that differs. `named` is a condition with a name of its own, which says elsewhere how it ends.
    """

    says: str
    short: str
    until: tuple[str, str] = ("", "")
    begins: rules.Start = "now"
    more: tuple[wording.Sentence, ...] = ()
    keyed: str = ""
    named: bool = False

    @property
    def sentences(self) -> tuple[wording.Sentence, ...]:
        """What happens and until when, and what else there is to say."""
        begins = _BEGINS[self.begins][0]
        text = f"{begins}, {wording.lowered_clause(self.says)}" if begins else self.says
        return (wording.Sentence(text, self.until[0]), *self.more)

    def brief(self, *, keys: bool = False, tight: bool = False) -> str:
        """Return the short form; with `keys`, dice that choose a part of the body say which face means which.

        Where it is `tight`, a condition with a name says nothing of its end but a span of time.
        """
        until = "" if tight and self.named and self.until[1].startswith("until ") else self.until[1]
        return _spaced(_BEGINS[self.begins][1] + (self.keyed if keys and self.keyed else self.short), until)


Wound = Callable[[Facts, System], str]
"""What a wound is to somebody who bears it, without its end, from its facts in a state or in the log."""


EFFECT_WORDS: dict[type[Any], Callable[[Any, System], Words]] = {}
_WOUNDS: dict[type[Any], Wound] = {}
_KINDS = {str(kind.__struct_config__.tag): kind for kind in rules.KINDS}
_worded, _wound_worded = Registrar(EFFECT_WORDS), Registrar(_WOUNDS)


def effect_words(effect: AnyEffect, system: System) -> Words:
    """Return an effect in words."""
    return EFFECT_WORDS.get(type(effect), _step)(effect, system)


def effect_sentences(effect: AnyEffect, system: System) -> tuple[wording.Sentence, ...]:
    """The sentence of one effect; a second one where a second roll is asked for; none where its author wants none."""
    return tuple(sentence for sentence in effect_words(effect, system).sentences if sentence.says)


def wound_says(wound: Facts, system: System) -> str:
    """What a wound is to somebody who bears it: `You cannot see`, `-1 to Wisdom`; `wound` as a state or the log has it.

    Empty where its effect is neither a condition nor a kind that leaves wounds, as somebody may have written it.
    """
    kind = Suffer if wound["effect"] in system.head.conditions else _KINDS.get(wound["effect"])
    return _WOUNDS[kind](wound, system) if kind in _WOUNDS else ""


# --- one entry for each kind of effect -------------------------------------------------------------------------------


@_wound_worded(rules.Suffer)
def _suffered(wound: Facts, system: System) -> str:
    noted = ", ".join(filter(None, (wound["place"], wound.get("detail"))))
    return _titled(system.head.conditions[wound["effect"]]) + (f" ({noted})" if noted else "")


def while_words(condition: Condition | None, system: System) -> str:
    """Return while what a condition is held, if it is held while something holds: `while you are at 3 HP or below`."""
    if condition is None or condition.while_ is None:
        return ""
    return f"while {step_words(system).condition_says(condition.while_)}"


def lasts_words(until: Until, system: System) -> tuple[str, str]:
    """Return how long, as the end of a sentence and in short, where a formula may say so."""
    if so := while_words(system.head.conditions.get(until.word), system):
        return so, so
    if until.formula is None:
        return wording.duration_words(until, system)
    span = step_words(system).span_says(until.formula, until.word)
    return f"for {span}", span


@_worded(rules.Suffer)
def _suffer(effect: Suffer, system: System) -> Words:
    condition = system.head.conditions[effect.condition]
    text, dagger = _titled(condition), wording.dagger(system, reconstructed=effect.reconstructed)
    if effect.after:
        after = f"After {lasts_words(effect.after, system)[1]}{dagger}"
        text = f"{after}, unless somebody treats you first: {wording.lowered_clause(text)}"
    short, (until, ends) = _named(condition), lasts_words(effect.until, system)
    if condition.name:
        begins = f"in {lasts_words(effect.after, system)[1]}" if effect.after else ""
        short = _spaced(condition.name, f"{begins}{dagger}")
        if effect.until.amount:
            ends = f"{effect.until.amount.spoken} {wording.unit_words(str(effect.until).split(' ')[1])}"
    if effect.levels is not None and str(effect.levels) != "1":
        levels = f"({step_words(system).formula_says(effect.levels)} levels)"
        text, short = f"{text} {levels}", f"{short} {levels}"
    if effect.detail is not None:
        detail = step_words(system).formula_says(effect.detail)
        text, short = f"{text} ({detail})", f"{short} ({detail})"
    # Where it begins later, the dagger stands there.
    doubt = "" if effect.after or condition.name else dagger
    words = Words(*_where(effect, text, short, system), (until + doubt, ends + doubt), effect.begins)
    return words._replace(named=bool(condition.name))


@_wound_worded(rules.Penalty, rules.Bonus)
def _changed_by(wound: Facts, system: System) -> str:
    by, to, gain = wound["by"], wound["to"], wound["effect"] == "bonus"
    sign = "+" if gain else wording.MINUS
    if len(by) > 1:
        each = zip(by, to, strict=True)
        return wording.joined_words([f"{sign}{amount} to {_statistics((name,), system)[0]}" for amount, name in each])
    unrolled = "A bonus" if gain else "A penalty"
    return f"{f'{sign}{by[0]}' if by else unrolled} to {_statistics(to, system)[0]}"


@_worded(rules.Penalty, rules.Bonus)
def _penalty(effect: Penalty, system: System) -> Words:
    return Words(*_where(effect, *_lowers(effect, system), system), _ends(effect, system), effect.begins)


@_wound_worded(rules.Halve)
def _halved(wound: Facts, system: System) -> str:
    return f"Your {_statistics(wound['to'], system)[0]} is halved"


@_worded(rules.Halve)
def _halve(effect: rules.Halve, system: System) -> Words:
    name, short = _statistics((effect.statistic,), system)
    text, short = f"Your {name} is halved", f"half {short}"
    if effect.unless:
        condition = system.head.conditions[effect.unless]
        text, short = (
            f"Unless {wording.lowered_clause(condition.says)}, {wording.lowered_clause(text)}",
            f"{short} unless {_named(condition)}",
        )
    return Words(*_where(effect, text, short, system), wording.duration_words(effect.until))


@_worded(rules.Locate)
def _locate(effect: rules.Locate, system: System) -> Words:
    part = system.head.parts[effect.part]
    die = part.die.spoken if part.die else ""
    short = f"{die} which {part.name}".strip()
    return Words(
        f"Roll {die} for which {part.name}: {wording.place_faces(part, system)}",
        short,
        keyed=f"{short} ({_places(part, system)})",
    )


@_wound_worded(rules.Lose)
def _lost(wound: Facts, system: System) -> str:
    """A part of the body that is gone, from its place as a state has it: `an eye`, `the thumb of your left hand`."""
    place: str = wound["place"]
    for part in system.head.parts.values():
        if place == part.name:
            return f"You lose {wording.article(place)} {place}"
        side = next((side for side in part.sides if part.members and place.startswith(f"{side} ")), None)
        if side:
            return f"You lose the {place.removeprefix(f'{side} ')} of your {side}"
    return f"You lose your {place}"


@_worded(rules.Lose)
def _lose(effect: rules.Lose, system: System) -> Words:
    part = system.head.parts[effect.part]
    more, short, keyed = [], f"lose {part.name}", f"lose {part.name}"
    if part.die:
        more.append(wording.Sentence(f"Roll {part.die.spoken} for which: {wording.place_faces(part, system)}"))
        short, keyed = f"{short} ({part.die.spoken})", f"{keyed} ({part.die.spoken}: {_places(part, system)})"
    if part.extent:
        die, much = part.extent.die.spoken, wording.extent_faces(part.extent, system)
        more.append(wording.Sentence(f"Roll {die} for how much: {much}"))
        short, keyed = f"{short}, how much ({die})", f"{keyed}, how much ({die}: {much})"
    # Of a part without sides there may be several all the same; how much of it is lost is asked where there is one.
    text = f"You lose {'your' if part.extent and not part.sides else wording.article(part.name)} {part.name}"
    return Words(text, short, (wording.DURATIONS["permanent"][0], ""), more=tuple(more), keyed=keyed)


@_worded(rules.Drop)
def _drop(effect: rules.Drop, _: System) -> Words:
    both, short = "", ""
    if effect.die and effect.upto:
        both = f". If both hands hold it, it falls only on {wording.die_faces(effect.upto)} of {effect.die.spoken}"
        short = f" (both hands: {wording.die_faces(effect.upto)} on {effect.die.spoken})"
    what = wording.dropped_words(effect.what)
    return Words(f"You drop {what}{both}", f"drop {what if effect.what == 'hand' else effect.what}{short}")


@_worded(rules.Check)
def _check(effect: rules.Check, system: System) -> Words:
    if not effect.price or any(rules.automatic_results(effect, system.head.procedure)):
        text = step_words(system).step_says(effect)
        return Words(text, wording.lowered_clause(text))
    price = wording.joined_words([_price(failure, system) for failure in effect.price])
    fails = ", ".join(effect_words(failure, system).brief() for failure in effect.price)
    return Words(
        f"Roll {effect.die.spoken} over {rolled_over(effect, system)} or {price}",
        f"{effect.die.spoken} over {rolled_over(effect, system).removeprefix('your ')} or {fails}",
        (_ends(effect.price[-1], system)[0], ""),
        effect.begins,
    )


def rolled_over(check: rules.Check, system: System) -> str:
    """Return what the die of a check must show more than: `your death-score`."""
    numbers = system.head.procedure.numbers if isinstance(system.head.procedure, Steps) else {}
    if check.over is not None and check.over.text in numbers:
        return f"your {wording.lowered_clause(numbers[check.over.text].name)}"
    return step_words(system).formula_says(check.over) if check.over is not None else ""


@_wound_worded(rules.Risk)
def _risked(wound: Facts, system: System) -> str:
    names = _statistics(wound["to"], system)[0]
    fail = f"fail on {wording.die_faces(wound['upto'])} of {wound['die']}" if "upto" in wound else "may fail"
    return f"{wording.capitalised(names)} {fail}"


@_worded(rules.Risk)
def _risk(effect: rules.Risk, system: System) -> Words:
    name, short = _statistics((effect.of,), system)
    return Words(
        f"Each of your {name} fails on {wording.die_faces(effect.upto)} of {effect.die.spoken}",
        f"{short} fail {wording.die_percent(effect.die, effect.upto)}",
        wording.duration_words(effect.until),
    )


@_worded(rules.OneOf)
def _one_of(effect: rules.OneOf, system: System) -> Words:
    """Return the alternatives in one sentence, each behind its face of the die; what all begin or end with, once."""
    options = [effect_words(option, system) for option in effect.effects]
    sentences = [option.sentences[0] for option in options]
    ends = {sentence.until for sentence in sentences}
    end = ends.pop() if len(ends) == 1 else ""
    text = [wording.lowered_clause(each.says if end else f"{each.says} {each.until}".strip()) for each in sentences]
    words = takewhile(lambda place: len(set(place)) == 1, zip(*(each.split(" ")[:-1] for each in text), strict=False))
    start = "".join(f"{word} " for word, *_ in words)
    faces = [f"({face}) {each.removeprefix(start)}" for face, each in enumerate(text, 1)]
    return Words(
        f"Roll d{len(options)}: {start}{wording.joined_words(faces, 'or')}{end and f' {end}'}",
        f"{' or '.join(option.brief() for option in options)} (d{len(options)})",
    )


def _is_cure(effect: AnyEffect) -> bool:
    """Return whether an effect does nothing but end a condition."""
    return (
        isinstance(effect, rules.End)
        and effect.says is None
        and effect == rules.End(condition=effect.condition, log=effect.log, ruling=effect.ruling)
        and effect.condition is not None
    )


@_worded(rules.End)
def _cure(effect: rules.End, system: System) -> Words:
    if not _is_cure(effect):
        return _step(effect, system)
    name = _named(system.head.conditions[str(effect.condition)])
    return Words(f"You are no longer {name}", f"no longer {name}")


@_worded(rules.When)
def _maybe(effect: rules.When, system: System) -> Words:
    if effect.chance is None or effect.says is not None:
        return _step(effect, system)
    die, upto = effect.chance
    follows, short = _clauses(effect.then, system)
    return Words(
        f"On {wording.die_faces(upto)} of {die.spoken}, {follows}", f"{wording.die_percent(die, upto)}: {short}"
    )


@_worded(rules.Save)
def _save(effect: rules.Save, system: System) -> Words:
    outcomes = [
        (*how, *_clauses(effects, system))
        for *how, effects in (("succeeds", "passed", effect.passes), ("fails", "failed", effect.fails))
        if effects
    ]
    text = "; ".join(f"if it {how}, {follows}" for how, _, follows, _ in outcomes)
    save = f"Save, or {outcomes[0][2]}" if effect.fails and not effect.passes else f"Make a save: {text}"
    short = "; ".join(f"{how}: {follows}" for _, how, _, follows in outcomes)
    if effect.permanent:
        return Words(f"If it is for good, {wording.lowered_clause(save)}", f"save if for good ({short})")
    return Words(save, f"save ({short})")


@_worded(rules.Draw)
def _draw(effect: rules.Draw, system: System) -> Words:
    many, pools, score = effect.cards, effect.pools, effect.score
    draw = f"Draw {wording.number_word(many)} more cards and" if many > 1 else "Draw one more card and"
    short = {1: "take the wound", 2: "take both wounds"}.get(many, "take all wounds")
    if effect.keep == "choose_one" or many == 1:
        count = {
            (True, True): "its score, Blood and Trauma count",
            (True, False): "its score counts, its Blood and Trauma do not",
            (False, True): "its Blood and Trauma count, its score does not",
            (False, False): "nothing else of it counts",
        }[score, pools != "none"]
        text = f"{draw} {'choose the wound you take' if many > 1 else 'take its wound'}: {count}"
    else:
        count = {
            "all": ", and so do their Blood and Trauma" if score else ", but their Blood and Trauma do",
            "lowest": "",
            "none": ", but their Blood and Trauma do not" if score else ", and no Blood or Trauma",
        }[pools]
        both = "both" if many == 2 else f"all {wording.number_word(many)}"
        text = f"{draw} take {both} wounds: their scores {'count' if score else 'do not count'}{count}"
    if effect.keep == "choose_one":
        short = "choose 1 wound"
    any_value = "a missing one is 0" if system.setting("jack_of_clubs") == "blank_is_zero" else "if any"
    left = {"all": "", "lowest": f", lower Blood and Trauma, {any_value}", "none": ", no Blood or Trauma"}[pools]
    more = (
        (wording.Sentence(_lower_of(many, system)),) if pools == "lowest" and effect.keep == "all" and many > 1 else ()
    )
    return Words(text, f"draw {many}, {short} ({'score counts' if score else 'no score'}{left})", more=more)


def _lower_of(many: int, system: System) -> str:
    """Return which Blood and which Trauma of several cards count, by the ruling on cards that have none (H16)."""
    lower, several = ("lower", "two") if many == 2 else ("lowest", "several")
    blank = "a missing one is 0" if system.setting("jack_of_clubs") == "blank_is_zero" else "one alone counts"
    return f"Of {several} Blood or {several} Trauma values keep the {lower}; {blank}"


@_worded(rules.Repeat)
def _repeat(effect: rules.Repeat, _: System) -> Words:
    it, score = ("it", "its score") if effect.draw == 1 else ("them", "their scores")
    times = {1: "once", 2: "twice"}.get(effect.times, wording.counted_noun(effect.times, "time"))
    once = f", {score} once" if effect.times > 1 else ""
    cards = f"draw {wording.counted_noun(effect.draw, 'card')} and apply {it} {times}{once}"
    return Words(
        "Your last wound strikes again, with its Blood and Trauma",
        f"last wound again; if none, draw {effect.draw} and apply {it} {times}",
        more=(wording.Sentence(f"With no wound before it, {cards}"),),
    )


@_worded(rules.Whenever)
def _whenever(effect: rules.Whenever, system: System) -> Words:
    when, each, scores, score = _EVENTS[effect.event]
    follows, until = [], _ends(effect, system)
    if effect.blood:
        join = "joins" if effect.blood == 1 else "join"
        follows.append((f"{effect.blood} Blood {join} your pool", f"+{effect.blood} Blood"))
    if effect.score:
        follows.append((scores.format(effect.score), score.format(effect.score)))
    if effect.penalty:
        text, short = _lowers(effect.penalty, system)
        follows.append((f"take {text}", _where(effect.penalty, "", short, system)[1]))
    text, short = wording.joined_words([text for text, _ in follows]), ", ".join([short for _, short in follows])
    if effect.until.word == "permanent":
        when, each, until = (
            f"{_ONWARD}, {wording.lowered_clause(when)}",
            f"{wording.lowered_clause(_ONWARD)} {each}",
            ("", ""),
        )
        again = {amount for amount in (effect.blood, effect.score) if amount}
        if len(again) == 1:
            text, short = f"{text}; drawn again: another {min(again)}", f"{short} (drawn again: another {min(again)})"
    return Words(f"{when}, {text}", f"{each}: {short}", until)


@_wound_worded(rules.Whenever, rules.Reroll)
def _staying(wound: Facts, system: System) -> str:
    code = wound["card"].rpartition(":")[2]
    cards = (card.name for pile in system.piles.values() for card in pile.cards if card.code == code)
    return f"{next(cards, 'This')} stays with you"


@_worded(rules.Reroll)
def _reroll(effect: rules.Reroll, _: System) -> Words:
    text, until = "Whenever rest heals you, reroll the highest total", wording.duration_words(effect.until)
    if effect.until.word == "permanent":
        text, until = f"{_ONWARD}, {wording.lowered_clause(text)}", ("", until[1])
    return Words(text, "healing by rest: reroll a maximum", until)


@_worded(rules.Spare)
def _spare(_: rules.Spare, system: System) -> Words:
    numbers = system.head.procedure.numbers if isinstance(system.head.procedure, Steps) else {}
    scored = f"wound and no {wording.lowered_clause(numbers['score'].name)}" if "score" in numbers else "injury"
    return Words(f"A lucky break: no {scored}", "lucky break")


@_worded(rules.Again)
def _again(effect: rules.Again, _: System) -> Words:
    others = "another card" if effect.cards == 1 else f"{wording.number_word(effect.cards)} other cards"
    drawn = "that injury is" if effect.cards == 1 else "those injuries are"
    stays, short = (f"; {drawn} for good", " for good") if effect.permanent else ("", "")
    return Words(f"Draw {others} in its place{stays}", f"draw {effect.cards}{short} instead")


def _step(effect: AnyEffect, system: System) -> Words:
    text = step_words(system).step_says(effect)
    return Words(text, effect.brief or wording.lowered_clause(text))


def step_words(system: System) -> StepWords:
    """Return the wording of a system's steps."""
    return StepWords(
        system,
        CLAUSES,
        lambda effect: map(str, effect_sentences(effect, system)),
        lambda text: wording.fill_placeholders(text, system),
        lambda until: lasts_words(until, system)[0],
    )


# --- what several of them say ----------------------------------------------------------------------------------------


def _titled(condition: Condition) -> str:
    return condition.name or condition.says


def _named(condition: Condition) -> str:
    return condition.brief or wording.lowered_clause(_titled(condition))


def _statistics(names: Iterable[str], system: System) -> tuple[str, str]:
    """Statistics in full and in short."""
    statistics = [system.head.statistics[name] for name in names]
    return wording.joined_words([each.name for each in statistics] or [""]), ", ".join(
        each.brief or each.name for each in statistics
    )


def _lowers(effect: Penalty, system: System) -> tuple[str, str]:
    """What a penalty or bonus does to what, in full and in short."""
    (names, short), by = _statistics(effect.to, system), wording.signed_amount(effect.by, effect.sign)
    per = ("level", "level")
    if effect.per != "level":
        per = _statistics((effect.per,), system) if effect.per else ("", "")
    apart = " each" if effect.each else ""
    text = f"{by}{apart} to {names}" + (f" for each {per[0]}" if effect.per else "")
    return text, f"{by}{apart} {short}" + (f"/{per[1]}" if effect.per else "")


def _ends(effect: Suffer | Penalty | rules.Whenever, system: System) -> tuple[str, str]:
    """Until when, in full and in short; with a dagger where that is reconstructed."""
    doubt = wording.dagger(system, reconstructed=effect.reconstructed)
    until, short = wording.duration_words(effect.until)
    return until + doubt, short + doubt


def _where(effect: Suffer | Penalty | rules.Halve, text: str, short: str, system: System) -> tuple[str, str]:
    """What happens only to one part of the body says so, in full and in short."""
    if effect.where is None:
        return text, short
    name = system.head.parts[effect.where].name
    return f"If it is {wording.article(name)} {name}, {wording.lowered_clause(text)}", f"{name}: {short}"


def _clauses(effects: Iterable[AnyEffect], system: System) -> tuple[str, str]:
    """Effects as the end of a sentence: what one is no longer, and what one is instead; and the same in short."""
    worded = [(effect, effect_words(effect, system)) for effect in effects]
    clauses = [
        wording.lowered_clause(without_stop(str(sentence))) for _, words in worded for sentence in words.sentences
    ]
    text = ", ".join(clauses)
    if len(clauses) > 1 and _is_cure(worded[0][0]):
        text = f"{clauses[0]}, but {', '.join(clauses[1:])}"
    return text, "; ".join(words.brief() for _, words in worded)


def _price(failure: Suffer | Penalty, system: System) -> str:
    if isinstance(failure, Penalty):
        return f"take {_lowers(failure, system)[0]}"
    condition = system.head.conditions[failure.condition]
    return condition.fails or f"suffer this: {wording.lowered_clause(condition.says)}"


def _places(part: rules.Part, system: System) -> str:
    """Which face means which place; left arm, right arm, left leg, right leg are `1-2 arm, 3-4 leg, left first`."""
    sides = [side.partition(" ") for side in part.sides]
    ways, limbs = (tuple(dict.fromkeys(side[index] for side in sides)) for index in (0, 2))
    if len(ways) > 1 < len(limbs) and part.sides == tuple(f"{way} {limb}" for limb in limbs for way in ways):
        return wording.place_faces(replace(part, sides=limbs, members=ways), system)
    return wording.place_faces(part, system)


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)
