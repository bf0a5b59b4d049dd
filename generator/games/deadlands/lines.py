"""Deadlands 1876 in words: log entries as lines, a character in one line, and what fills the fields of a sheet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from generator.base.cards import RANKS, is_code, is_joker, name_of
from generator.games.deadlands import log as said
from generator.games.deadlands.fortune import BAD_LUCK, fate_of
from generator.games.deadlands.log import DeadlandsFact
from generator.games.deadlands.state import KINDS, KINDS_OF_TOKEN, STANDINGS, numbers_of
from generator.games.deadlands.tasks import ENDINGS
from generator.model.rules import System
from generator.words.effects import card_sentences
from generator.words.wording import MINUS, article, capitalised, counted_noun, joined_words, measured_unit, number_word

Facts = Mapping[str, Any]
TASKS = {"serial": "serial roll", "compound": "compound serial", "attempts": "attempt-based", "actions": "action-based"}
SKILL_COLUMNS = 3
"""Skills beside each other in one row of the sheet."""

RESULTS = {
    "critical_failure": "a critical failure",
    "failure": "a failure",
    "success": "a success",
    "raise": "a success with a raise",
    "critical_success": "a critical success",
}


def deadlands_sentence(fact: DeadlandsFact, system: System) -> str:  # noqa: C901, PLR0915 - a sentence a case
    """Return a fact as a sentence."""
    match fact:
        case said.PlainFact():
            return fact.value
        case said.Roll():
            return _roll(fact, system)
        case said.NaturalOne(mod):
            return f"A natural one: +{mod} cannot lift it."
        case said.Earned(die):
            return f"A raise with coins: the Marshal may grant the skill at {die}."
        case said.Chip(reason, left):
            return f"A Fate Chip for {reason}: {left} left."
        case said.ChipUncounted(reason):
            return f"A Fate Chip for {reason}."
        case said.Charm(name):
            return f"The luck charm {name} is spent."
        case said.Kicker(name, bonus):
            return f"The kicker {name} adds +{bonus}, and is spent."
        case said.Hurts(card, by):
            return f"{injury_name(card, system)} {'costs' if by > 0 else 'adds'} {abs(by)}."
        case said.Grit(grit):
            return f"Grit adds +{grit}."
        case said.Nearby(die, lower):
            return f"A field near the one known: {lower} in place of {die}."
        case said.Damage(dice, critical, total):
            begins = ", every die at its most and on from there" if critical else ""
            return f"{dice} damage{begins}: {total}."
        case said.Unnerved(_, follows):
            return {
                "Shaken": "The nerve fails: Shaken, unless the Marshal says otherwise.",
                "Fright Table": "Fear takes hold: see the Fright Table.",
            }.get(follows, f"The nerve fails: {follows}.")
        case said.Luck(card, named, result):
            words = [f"the {name_of(word)}" if is_code(word) else _range(word) for word in named]
            ends = {"success": "lucky", "failure": "no luck", "bad_luck": "bad luck, whatever was named"}[result]
            return f"Named: {joined_words(words)}. Drawn: {name_of(card)}: {ends}."
        case said.Fate(card, target):
            means = f"the target number is {target}"
            means = means if isinstance(target, int) else f"{article(target)} {target}, no roll"
            return f"Fate draws the {name_of(card)}: {means}."
        case said.Action(card):
            return f"The action card is the {name_of(card)}."
        case said.Joker(plus, black):
            order = "it goes before the red one" if black else "only the black one goes before it"
            return f"A joker: +{plus} on everything this round; {order}."
        case said.Burn(name, card, says, instead):
            place = f" in place of the {name_of(instead)}" if instead else ""
            return f"The burn card {name} is played: the {name_of(card)}{place}{_provided(says)}."
        case said.Round(everybody):
            return "A new round for everybody." if everybody else "A new round."
        case said.Further(wounds):
            stay = "stays" if wounds == 1 else "stay"
            return f"These are further wounds: {counted_noun(wounds, 'wound')} of just before {stay} taken."
        case said.Soak(free, wounds):
            return f"{_wounds(free)} of {wounds} soaked at once."
        case said.Soaked(gone, left):
            return f"Soaked: {gone}. Taken: {left}."
        case said.Wounds(taken, wounds, levels):
            return f"{_wounds(taken)}: {wounds} of {levels} now, and Shaken."
        case said.WoundsSet(wounds, levels):
            return f"{_wounds(wounds)} of {levels}, as they stand."
        case said.Slain(who):
            return "An Extra falls: slain." if who == "extra" else "A Face Card is incapacitated: slain."
        case said.StillShaken(natural):
            return "A natural one: still Shaken." if natural else "Still Shaken."
        case said.Falls(result, standing, levels):
            escape = "The killing blow is avoided:" if result == "critical_success" else "Last stand: still"
            bleeds = "Bleeding out: see the rulebook's table. Whoever lives through it keeps an injury for good."
            return {
                "dead": "Dead at once: no healing is permitted.",
                "bleeding": bleeds,
                "unconscious": "Unconscious, until somebody heals them.",
                "up": f"{escape} in the fight at wound {levels}.",
            }[standing]
        case said.Injury(card, permanent, bleeding):
            lasting = f"{'for good' if permanent else 'for a while'}{', if they live' if bleeding else ''}"
            says = injury_says({"card": card, "permanent": permanent}, system)
            return f"Injury {lasting}: {injury_name(card, system)} ({card}). {says}".strip()
        case said.Unhurt():
            return "No injury, by luck."
        case said.LostPart(_, _, place):
            return f"It is the {place}."
        case said.Days(days, whole, die):
            return f"{whole} days less {die}: it lasts {days}."
        case said.Mended(card):
            return f"{injury_name(card, system)} is healed for good."
        case said.Over(card):
            return f"{injury_name(card, system)} has healed."
        case said.Untreated(critical):
            return "The treatment does harm: the Marshal says what." if critical else "The treatment does nothing."
        case said.Treated(0):
            return "The treatment takes hold."
        case said.Treated(mended, None):
            return f"That heals {counted_noun(mended, 'wound')}, where there are any."
        case said.Treated(mended, wounds):
            return f"{_wounds(mended)} healed: {wounds} left."
        case said.Natural(0):
            return "Nothing heals by itself today."
        case said.Natural(mended, wounds):
            heal = "heals by itself" if mended == 1 else "heal by themselves"
            return f"{_wounds(mended)} {heal}: {wounds} left."
        case said.Medicine(plus):
            return f"Medicine adds +{plus}."
        case said.Attempt():
            return _attempt(fact, system)
        case said.TaskFact(task, form, target, needs, rounds):
            what = {
                "serial": "A serial roll begins",
                "compound": "A compound serial roll begins",
                "attempts": f"A dramatic task begins: {_successes(needs)} needed",
                "actions": f"A dramatic task begins: {_successes(needs)} in {counted_noun(rounds, 'round')}",
            }[form]
            return f"{what} ({task}), target number {target}."
        case said.Setback(lost):
            return f"It costs {_successes(lost)} gained before."
        case said.Harm(dice, total):
            return f"The round does {dice} damage: {total}."
        case said.Dropped(name):
            return f"{name} is put away."
        case said.Chips(chips):
            return f"Fate Chips: {chips}."
        case said.Award(token):
            for_what = f", for {token['trait']}" if token["trait"] else ""
            return f"Handed over: {token_brief(token)}{for_what}{_provided(token['says'])}."
        case said.Hole(name, die):
            return f"The hole card {name} ({die}) is played, once."
        case said.Marker(name, _, None):
            return f"That was the last favour of {name}: the marker is gone."
        case said.Marker(name, _, lower):
            return f"The marker of {name} is {lower} now."
        case said.Book(baseline, rolled, time, unit, language):
            tongue = f" in {language}" if language else ""
            return f"A book{tongue} of {measured_unit(baseline, unit)}, less {rolled}: {measured_unit(time, unit)}."
        case said.Xp(xp, rank, grit, advances):
            return f"{xp} XP: {rank}, Grit {grit}, {counted_noun(advances, 'advance')} to spend."
        case said.Rank(rank, grit):
            return f"A new rank: {rank}, with Grit {grit}."
        case said.Improved(trait, die, cost):
            return f"{trait.capitalize()} is {die} now, for {counted_noun(cost, 'advance')}."
        case said.Learned(trait, die, related):
            near = f", for it is related to {related}" if related else ""
            return f"A new skill: {trait} {die}{near}."
        case said.Spent(what, advances):
            return f"An advance goes for {what}: {advances} left."
        case said.SpentBefore(spent, advances, raised, rank):
            for_one = f", one for an attribute as {rank}" if raised else ""
            return f"Spent before: {counted_noun(spent, 'advance')}{for_one}; {counted_noun(advances, 'advance')} left."
        case said.Has(trait, die):
            return f"{trait} {die}."
        case said.Is(who, levels):
            return f"Now {KINDS[who]} with {counted_noun(levels, 'wound level')}."
        case _:
            assert_never(fact)


def _wounds(count: int) -> str:
    return counted_noun(count, "wound").capitalize()


def state_line(state: Facts, system: System) -> str:
    """Return a character in one line: `Novice, 1 of 3 wounds, Shaken, 2 Fate Chips`."""
    if state["standing"] == "dead":
        return "dead"
    parts = [state["rank"]] if state["kind"] == "wild_card" else [KINDS[state["kind"]]]
    parts += [f"Grit {state['grit']}"] if state["grit"] else []
    parts += [f"{state['wounds']} of {state['levels']} wounds"]
    parts += [STANDINGS[state["standing"]]] if state["standing"] != "up" else []
    parts += ["Shaken"] if state["shaken"] and state["standing"] == "up" else []
    parts += [f"action card {state['action']}"] if state["action"] else []
    parts += [measured_unit(state["chips"], "Fate Chip")] if state["chips"] is not None else []
    parts += [injury_brief(injury, system) for injury in state["injuries"]]
    parts += [token_brief(token) for token in state["tokens"]]
    parts += [f"{task['name']} {task['successes']}/{task['needs']}" for task in state["tasks"] if not task["ends"]]
    return ", ".join(parts)


def injury_brief(injury: Facts, system: System) -> str:
    """Return an injury in a few words: `Split brow (3H) for 6 days`."""
    where = ", ".join(filter(None, (injury["card"], injury["place"])))
    return f"{injury_name(injury['card'], system)} ({where}) {injury_until(injury, system)}"


def injury_until(injury: Facts, system: System) -> str:
    """Return how long an injury lasts: `for good`, `for 6 days`, `for 14 days less a Vigor die`."""
    if injury["permanent"]:
        return "for good"
    if injury["days"] is None:
        return f"for {system.numbers['injury_days']} days less a Vigor die"
    return f"for {measured_unit(injury['days'], 'day')}"


def injury_says(injury: Facts, system: System) -> str:
    """Return an injury's effect, as its card says it for a while or for good."""
    card = system.cards.get(injury["card"])
    return " ".join(map(str, card_sentences(card, system, for_good=injury["permanent"]))) if card else ""


def injury_hurts(injury: Facts, system: System) -> str:
    """Return an injury with its effect: `Split brow: you look a fright.`"""
    return f"{injury_name(injury['card'], system)}: {injury_says(injury, system)}"


def token_brief(token: Facts) -> str:
    """Return a token in a few words: `connection marker Bohannon d8`."""
    says = f"{KINDS_OF_TOKEN[token['kind']]} {token['name']}"
    value = token_value(token)
    return f"{says} {value}".strip() if value not in token["name"].split() else says


def token_value(token: Facts) -> str:
    """Return the die, card or bonus that a token is for; empty where its kind has none."""
    return token["die"] or token["card"] or (f"+{token['bonus']}" if token["bonus"] else "")


def fate_sentence(code: str, system: System) -> tuple[str, str]:
    """Return a card's meaning for a fate roll: a label and a sentence."""
    target = fate_of(code, system)
    if isinstance(target, int):
        return "Fate roll", f"the target number is {target}"
    return "Fate roll", f"{article(target)} {target}, without a roll"


def luck_sentence(code: str) -> tuple[str, str]:
    """Return a card's meaning for a luck draw: a label and a sentence."""
    if code == BAD_LUCK:
        return "Luck draw", "bad luck, whatever was named"
    return "Luck draw", "lucky, whatever was named" if is_joker(code) else "lucky if it was named, or lies in the range"


def joker_sentence(code: str, system: System) -> tuple[str, str]:
    """Return a joker's meaning as an action card: a label and a sentence."""
    order = "goes before the red one" if code == "BJ" else "goes after the black one"
    return "Initiative", f"+{system.numbers['joker']} on everything this round; {order}"


def task_brief(task: Facts) -> str:
    """Return a task in a few words: `climb: 3 of 5 successes after 2 tries, target number 6`."""
    ends = f", {ENDINGS[task['ends']]}" if task["ends"] else f", target number {task['target']}"
    return f"{task['name']}: {task['successes']} of {_successes(task['needs'])} after {_tries(task['tries'])}{ends}"


def injury_name(code: str, system: System) -> str:
    """Return the name of an injury; of a card that the deck does not hold, its own."""
    return system.cards[code].name if code in system.cards else name_of(code)


def _roll(fact: said.Roll, system: System) -> str:
    die = "coin" if fact.die == system.numbers["coin"] else fact.die
    dice = f"The {die} comes to {fact.shows}{_aced(fact.faces)}"
    if fact.mod:
        dice += f", {f'+{fact.mod}' if fact.mod > 0 else f'{MINUS}{-fact.mod}'}"
    if fact.wild_shows is not None:
        dice += f"; the wild die to {fact.wild_shows}{_aced(fact.wild_faces)}"
    result = RESULTS[fact.result]
    if fact.raises > 1:
        result = f"{'a success' if fact.result == 'raise' else result} with {counted_noun(fact.raises, 'raise')}"
    return f"{dice}: {fact.total} against {fact.target}, {result}."


def _aced(faces: Sequence[int]) -> str:
    """Return the faces of a die that aced: who typed them in another order sees it here."""
    return f" ({', '.join(map(str, faces))})" if len(faces) > 1 else ""


def _range(word: str) -> str:
    if word.endswith("+"):
        return f"{word[:-1]} or higher"
    if word == "faces":
        return "a face card"
    if word in RANKS:
        return f"any {word}"
    return f"a {word} card" if word in ("red", "black") else word


def _provided(says: str) -> str:
    return f"; {says.removesuffix('.')}" if says else ""


def _tries(many: int) -> str:
    return "1 try" if many == 1 else f"{many} tries"


def _successes(many: int) -> str:
    return f"{number_word(many)} success{'' if many == 1 else 'es'}"


def _attempt(fact: said.Attempt, system: System) -> str:
    tries = _tries(fact.tries)
    if fact.form in ("attempts", "actions"):
        so_far = f"{fact.successes} of {_successes(fact.needs)} after {tries}"
        so_far += f", {fact.harm} damage so far" if fact.harm else ""
        ends = {"": "", "done": ": done", "failed": ": out of rounds", "jammed": ""}[fact.ends]
        return f"{capitalised(so_far)}{ends}."
    if fact.ends:
        return f"After {tries} {ENDINGS[fact.ends]}."
    last = fact.target >= int(system.numbers["last_chance"])
    harder = f"next against {fact.target}{', the last chance' if last else ''}"
    return f"Not yet, after {tries}; {harder if fact.form == 'compound' else 'try again'}."


def sheet_fields(plain: Facts, system: System) -> Mapping[str, Any]:
    """Return the fields of a sheet for a plain state: everything that the state holds."""
    states = {
        "Shaken": plain["shaken"],
        STANDINGS[plain["standing"]].capitalize(): plain["standing"] != "up",
        "Joker": plain["action"] and is_joker(plain["action"]),
        "Tried this round": plain["tended"],
        "Treated": plain["healed"],
        "Golden hour over": plain["late"],
        "A night has passed": plain["rested"],
        "Skill earned": plain["earned"],
    }
    return {
        **{key: plain[key] for key in ("levels", "wounds", "chips", "xp", "rank", "grit", "spent")},
        "kind": [KINDS[plain["kind"]].split(maxsplit=1)[1]],
        "states": [label for label, ticked in states.items() if ticked],
        "healers": ", ".join(plain["healers"]),
        "action": name_of(plain["action"]) if plain["action"] else "",
        "raised": list(plain["raised"]),
        "attributes": [{"die": plain["traits"].get(name, "")} for name in numbers_of(system).attributes],
        "skills": list(_skills(plain, system)),
        "injuries": [
            {
                "card": injury["card"],
                "name": injury_name(injury["card"], system),
                "does": injury_says(injury, system),
                "until": injury_until(injury, system) if injury["days"] is None else str(injury["days"]),
            }
            for injury in plain["injuries"]
        ],
        "tokens": [
            {
                **{key: token[key] for key in ("name", "says")},
                "kind": KINDS_OF_TOKEN[token["kind"]],
                "value": token_value(token),
                "for": token["trait"],
            }
            for token in plain["tokens"]
            if token["kind"] != "marker"
        ],
        "markers": [_marker(token, system) for token in plain["tokens"] if token["kind"] == "marker"],
        # What a kind of task does not count stays empty.
        "tasks": [
            {**task, "kind": TASKS[task["kind"]], **{key: task[key] or "" for key in ("rounds", "harm")}}
            for task in plain["tasks"]
        ],
    }


def _skills(plain: Facts, system: System) -> Iterator[dict[str, str]]:
    attributes = numbers_of(system).attributes
    skills = [(name, die) for name, die in plain["traits"].items() if name not in attributes]
    for first in range(0, len(skills), SKILL_COLUMNS):
        row: dict[str, str] = {}
        for place, (name, die) in enumerate(skills[first : first + SKILL_COLUMNS], 1):
            row |= {f"name_{place}": name, f"die_{place}": die}
        yield row


def _marker(token: Facts, system: System) -> dict[str, Any]:
    """Return the dice above a marker's own are crossed off."""
    own = next(die for die in numbers_of(system).ladder if die.spoken == token["die"])
    crossed = {die.spoken: True for die in numbers_of(system).ladder if die.faces > own.faces}
    return {"name": "; ".join(filter(None, (token["name"], token["trait"], token["says"]))), **crossed}
