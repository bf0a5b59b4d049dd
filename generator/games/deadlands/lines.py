"""Log entries of Deadlands 1876 as lines, and a character in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.base.cards import is_code, is_joker, name_of
from generator.games.deadlands.fortune import BAD_LUCK, fate_of
from generator.games.deadlands.state import KINDS_OF_TOKEN
from generator.games.deadlands.tasks import ENDINGS
from generator.games.deadlands.wounds import SAID
from generator.model.log import OldEntry
from generator.model.rules import System
from generator.words.wording import MINUS, article, card_sentences, counted, joined, measured, number

Facts = dict[str, Any]

RESULTS = {
    "critical_failure": "a critical failure",
    "failure": "a failure",
    "success": "a success",
    "raise": "a success with a raise",
    "critical_success": "a critical success",
}
KINDS = {"wild_card": "a Wild Card", "face_card": "a Face Card", "extra": "an Extra"}


def line(entry: OldEntry, system: System) -> str:
    """One entry as a sentence. Raises KeyError for a kind that nothing says."""
    text = _TEXTS.get(entry.kind)
    return text.format(**entry.facts) if text else _LINES[entry.kind](entry.facts, system)


def state_line(state: Facts, system: System) -> str:
    """A character in one line: `Novice, 1 of 3 wounds, Shaken, 2 Fate Chips`."""
    if state["standing"] == "dead":
        return "dead"
    parts = [state["rank"]] if state["kind"] == "wild_card" else [KINDS[state["kind"]]]
    parts += [f"Grit {state['grit']}"] if state["grit"] else []
    parts += [f"{state['wounds']} of {state['levels']} wounds"]
    parts += [SAID[state["standing"]]] if state["standing"] != "up" else []
    parts += ["Shaken"] if state["shaken"] and state["standing"] == "up" else []
    parts += [f"action card {state['action']}"] if state["action"] else []
    parts += [measured(state["chips"], "Fate Chip")] if state["chips"] is not None else []
    parts += [injury_brief(injury, system) for injury in state["injuries"]]
    parts += [token_brief(token) for token in state["tokens"]]
    parts += [f"{task['name']} {task['successes']}/{task['needs']}" for task in state["tasks"] if not task["ends"]]
    return ", ".join(parts)


def injury_brief(injury: Facts, system: System) -> str:
    """An injury in a few words: `Split brow (3H) for 6 days`."""
    return f"{card_name(injury['card'], system)} ({injury['card']}) {injury_until(injury, system)}"


def injury_until(injury: Facts, system: System) -> str:
    """How long an injury lasts: `for good`, `for 6 days`, `for 14 days less a Vigor die`."""
    if injury["permanent"]:
        return "for good"
    if injury["days"] is None:
        return f"for {system.numbers['injury_days']} days less a Vigor die"
    return f"for {measured(injury['days'], 'day')}"


def injury_says(injury: Facts, system: System) -> str:
    """What an injury does, as its card says it for a while or for good."""
    card = system.cards.get(injury["card"])
    return " ".join(map(str, card_sentences(card, system, for_good=injury["permanent"]))) if card else ""


def token_brief(token: Facts) -> str:
    """A token in a few words: `connection marker Bohannon d8`."""
    says = f"{KINDS_OF_TOKEN[token['kind']]} {token['name']}"
    value = token["die"] or token["card"] or (f"+{token['bonus']}" if token["bonus"] else "")
    return f"{says} {value}".strip() if value not in token["name"].split() else says


def fate_sentence(code: str, system: System) -> tuple[str, str]:
    """What a card means for a fate roll: a label and a sentence."""
    target = fate_of(code, system)
    if isinstance(target, int):
        return "Fate roll", f"the target number is {target}"
    return "Fate roll", f"{article(target)} {target}, without a roll"


def luck_sentence(code: str) -> tuple[str, str]:
    """What a card means for a luck draw: a label and a sentence."""
    if code == BAD_LUCK:
        return "Luck draw", "bad luck, whatever was named"
    return "Luck draw", "lucky, whatever was named" if is_joker(code) else "lucky if it was named, or lies in the range"


def joker_sentence(code: str, system: System) -> tuple[str, str]:
    """What a joker does as an action card: a label and a sentence."""
    order = "goes before the red one" if code == "BJ" else "goes after the black one"
    return "Initiative", f"+{system.numbers['joker']} on everything this round; {order}"


def task_brief(task: Facts) -> str:
    """A task in a few words: `climb: 3 of 5 successes after 2 tries, target number 6`."""
    tries = measured(task["tries"], "try") if task["tries"] == 1 else f"{task['tries']} tries"
    ends = f", {ENDINGS[task['ends']]}" if task["ends"] else f", target number {task['target']}"
    return f"{task['name']}: {task['successes']} of {_successes(task['needs'])} after {tries}{ends}"


def card_name(code: str, system: System) -> str:
    """The name of an injury; of a card that the deck does not hold, its own."""
    return system.cards[code].name if code in system.cards else name_of(code)


def _signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"{MINUS}{-amount}"


def _roll(facts: Facts, system: System) -> str:
    die = "coin" if facts["die"] == system.numbers["coin"] else facts["die"]
    dice = f"The {die} comes to {facts['shows']}{_aced(facts['faces'])}"
    if facts["mod"]:
        dice += f", {_signed(facts['mod'])}"
    if facts["wild"]:
        dice += f"; the wild die to {facts['wild_shows']}{_aced(facts['wild_faces'])}"
    result = RESULTS[facts["result"]]
    if facts["raises"] > 1:
        raises = counted(facts["raises"], "raise")
        result = f"{'a success' if facts['result'] == 'raise' else result} with {raises}"
    return f"{dice}: {facts['total']} against {facts['target']}, {result}."


def _aced(faces: list[int]) -> str:
    """The faces of a die that aced: who typed them in another order sees it here."""
    return f" ({', '.join(map(str, faces))})" if len(faces) > 1 else ""


def _luck(facts: Facts, system: System) -> str:
    del system
    words = [f"the {name_of(word)}" if is_code(word) else _range(word) for word in facts["named"]]
    ends = {"success": "lucky", "failure": "no luck", "bad_luck": "bad luck, whatever was named"}[facts["result"]]
    return f"Named: {joined(words)}. Drawn: {name_of(facts['card'])}: {ends}."


def _range(word: str) -> str:
    if word.endswith("+"):
        return f"{word[:-1]} or higher"
    if word == "faces":
        return "a face card"
    return f"a {word} card" if word in ("red", "black") else word


def _fate(facts: Facts, system: System) -> str:
    del system
    target = facts["target"]
    means = f"the target number is {target}" if isinstance(target, int) else f"{article(target)} {target}, no roll"
    return f"Fate draws the {name_of(facts['card'])}: {means}."


def _action(facts: Facts, system: System) -> str:
    del system
    return f"The action card is the {name_of(facts['card'])}."


def _joker(facts: Facts, system: System) -> str:
    del system
    order = "it goes before the red one" if facts["black"] else "only the black one goes before it"
    return f"A joker: +{facts['plus']} on everything this round; {order}."


def _burn(facts: Facts, system: System) -> str:
    del system
    instead = f" in place of the {name_of(facts['instead'])}" if facts["instead"] else ""
    played = f"The burn card {facts['name']} is played: the {name_of(facts['card'])}{instead}"
    return f"{played}{_provided(facts['says'])}."


def _provided(says: str) -> str:
    return f"; {says.removesuffix('.')}" if says else ""


def _damage(facts: Facts, system: System) -> str:
    del system
    begins = ", every die at its most and on from there" if facts["critical"] else ""
    return f"{facts['dice']} damage{begins}: {facts['total']}."


def _unnerved(facts: Facts, system: System) -> str:
    del system
    follows = facts["follows"]
    return {
        "Shaken": "The nerve fails: Shaken, unless the Marshal says otherwise.",
        "Fright Table": "Fear takes hold: see the Fright Table.",
    }.get(follows, f"The nerve fails: {follows}.")


def _still_shaken(facts: Facts, system: System) -> str:
    del system
    return "A natural one: still Shaken." if facts["natural"] else "Still Shaken."


def _task(facts: Facts, system: System) -> str:
    del system
    what = {
        "serial": "A serial roll begins",
        "compound": "A compound serial roll begins",
        "attempts": f"A dramatic task begins: {_successes(facts['needs'])} needed",
        "actions": f"A dramatic task begins: {_successes(facts['needs'])} in {counted(facts['rounds'], 'round')}",
    }[facts["form"]]
    return f"{what} ({facts['task']}), target number {facts['target']}."


def _successes(many: int) -> str:
    return f"{number(many)} success{'' if many == 1 else 'es'}"


def _attempt(facts: Facts, system: System) -> str:
    tries, form = measured(facts["tries"], "try") if facts["tries"] == 1 else f"{facts['tries']} tries", facts["form"]
    if form in ("attempts", "actions"):
        so_far = f"{facts['successes']} of {_successes(facts['needs'])} after {tries}"
        so_far += f", {facts['harm']} damage so far" if facts["harm"] else ""
        ends = {"": "", "done": ": done", "failed": ": out of rounds", "jammed": ""}[facts["ends"]]
        return f"{so_far[:1].upper()}{so_far[1:]}{ends}."
    if facts["ends"]:
        return f"After {tries} {ENDINGS[facts['ends']]}."
    last = facts["target"] >= int(system.numbers["last_chance"])
    harder = f"next against {facts['target']}{', the last chance' if last else ''}"
    return f"Not yet, after {tries}; {harder if form == 'compound' else 'try again'}."


def _wounds(facts: Facts, system: System) -> str:
    del system
    return f"{counted(facts['taken'], 'wound').capitalize()}: {facts['wounds']} of {facts['levels']} now, and Shaken."


def _setback(facts: Facts, system: System) -> str:
    del system
    return f"It costs {_successes(facts['lost'])} gained before."


def _soak(facts: Facts, system: System) -> str:
    del system
    return f"{counted(facts['free'], 'wound').capitalize()} of {facts['wounds']} soaked at once."


def _round(facts: Facts, system: System) -> str:
    del system
    return "A new round for everybody." if facts["all"] else "A new round."


def _further(facts: Facts, system: System) -> str:
    del system
    stay = "stays" if facts["wounds"] == 1 else "stay"
    return f"These are further wounds: {counted(facts['wounds'], 'wound')} of just before {stay} taken."


def _wounds_set(facts: Facts, system: System) -> str:
    del system
    return f"{counted(facts['wounds'], 'wound').capitalize()} of {facts['levels']}, as they stand."


def _spent_before(facts: Facts, system: System) -> str:
    del system
    raised = f", one for an attribute as {facts['rank']}" if facts["raised"] else ""
    return f"Spent before: {counted(facts['spent'], 'advance')}{raised}; {counted(facts['advances'], 'advance')} left."


def _is(facts: Facts, system: System) -> str:
    del system
    return f"Now {KINDS[facts['who']]} with {counted(facts['levels'], 'wound level')}."


def _slain(facts: Facts, system: System) -> str:
    del system
    return "An Extra falls: slain." if facts["who"] == "extra" else "A Face Card is incapacitated: slain."


def _falls(facts: Facts, system: System) -> str:
    del system
    return {
        "dead": "Dead at once: no healing is permitted.",
        "bleeding": "Bleeding out: see the rulebook's table. Whoever lives through it keeps an injury for good.",
        "unconscious": "Unconscious, until somebody heals them.",
        "up": (
            f"The killing blow is avoided: in the fight at wound {facts['levels']}."
            if facts["result"] == "critical_success"
            else f"Last stand: still in the fight at wound {facts['levels']}."
        ),
    }[str(facts["standing"])]


def _injury(facts: Facts, system: System) -> str:
    lasting = "for good" if facts["permanent"] else "for a while"
    lives = ", if they live" if facts["bleeding"] else ""
    says = injury_says(facts, system)
    return f"Injury {lasting}{lives}: {card_name(facts['card'], system)} ({facts['card']}). {says}".strip()


def _untreated(facts: Facts, system: System) -> str:
    del system
    return "The treatment does harm: the Marshal says what." if facts["critical"] else "The treatment does nothing."


def _treated(facts: Facts, system: System) -> str:
    del system
    if not facts["mended"]:
        return "The treatment takes hold."
    if facts["wounds"] is None:
        return f"That heals {counted(facts['mended'], 'wound')}, where there are any."
    return f"{counted(facts['mended'], 'wound').capitalize()} healed: {facts['wounds']} left."


def _natural(facts: Facts, system: System) -> str:
    del system
    if not facts["mended"]:
        return "Nothing heals by itself today."
    mended = counted(facts["mended"], "wound").capitalize()
    heal = "heals by itself" if facts["mended"] == 1 else "heal by themselves"
    return f"{mended} {heal}: {facts['wounds']} left."


def _award(facts: Facts, system: System) -> str:
    del system
    token = facts["token"]
    for_what = f", for {token['trait']}" if token["trait"] else ""
    return f"Handed over: {token_brief(token)}{for_what}{_provided(token['says'])}."


def _marker(facts: Facts, system: System) -> str:
    del system
    if facts["lower"] is None:
        return f"That was the last favour of {facts['name']}: the marker is gone."
    return f"The marker of {facts['name']} is {facts['lower']} now."


def _book(facts: Facts, system: System) -> str:
    del system
    tongue = f" in {facts['language']}" if facts["language"] else ""
    spent = measured(facts["time"], facts["unit"])
    return f"A book{tongue} of {measured(facts['baseline'], facts['unit'])}, less {facts['rolled']}: {spent}."


def _xp(facts: Facts, system: System) -> str:
    del system
    return f"{facts['xp']} XP: {facts['rank']}, Grit {facts['grit']}, {counted(facts['advances'], 'advance')} to spend."


def _improved(facts: Facts, system: System) -> str:
    del system
    return f"{facts['trait'].capitalize()} is {facts['die']} now, for {counted(facts['cost'], 'advance')}."


def _learned(facts: Facts, system: System) -> str:
    del system
    near = f", for it is related to {facts['related']}" if facts["related"] else ""
    return f"A new skill: {facts['trait']} {facts['die']}{near}."


def _card(text: str) -> Callable[[Facts, System], str]:
    return lambda facts, system: text.format(name=card_name(facts["card"], system), **facts)


_TEXTS = {
    "natural_one": "A natural one: +{mod} cannot lift it.",
    "boxcars": "Boxcars: a critical success.",
    "snake_eyes": "Snake-eyes: a critical failure, and no chip rolls it again.",
    "earned": "A raise with coins: the Marshal may grant the skill at {die}.",
    "chip": "A Fate Chip for {reason}: {left} left.",
    "chip_uncounted": "A Fate Chip for {reason}.",
    "charm": "The luck charm {name} is spent.",
    "kicker": "The kicker {name} adds +{bonus}, and is spent.",
    "grit": "Grit adds +{grit}.",
    "recovered": "Shaken no more.",
    "shaken": "Shaken.",
    "free_soak": "A free soak roll.",
    "nearby": "A field near the one known: {lower} in place of {die}.",
    "harm": "The round does {dice} damage: {total}.",
    "dropped": "{name} is put away.",
    "incapacitated": "More than the body holds: incapacitated. Roll Vigor.",
    "soaked": "Soaked: {gone}. Taken: {left}.",
    "survives": "The bleeding has stopped: alive, and unconscious.",
    "dies": "Dead.",
    "days": "{whole} days less {die}: it lasts {days}.",
    "unhurt": "No injury, by luck.",
    "wakes": "Conscious again.",
    "hour": "The golden hour is over.",
    "day": "A new day.",
    "medicine": "Medicine adds +{plus}.",
    "chips": "Fate Chips: {chips}.",
    "hole": "The hole card {name} ({die}) is played, once.",
    "spent": "An advance goes for {what}: {advances} left.",
    "rank": "A new rank: {rank}, with Grit {grit}.",
    "has": "{trait} {die}.",
}
_LINES: dict[str, Callable[[Facts, System], str]] = {
    "roll": _roll,
    "luck": _luck,
    "fate": _fate,
    "action": _action,
    "joker": _joker,
    "burn": _burn,
    "damage": _damage,
    "unnerved": _unnerved,
    "still_shaken": _still_shaken,
    "task": _task,
    "attempt": _attempt,
    "setback": _setback,
    "wounds": _wounds,
    "wounds_set": _wounds_set,
    "further": _further,
    "round": _round,
    "spent_before": _spent_before,
    "slain": _slain,
    "soak": _soak,
    "falls": _falls,
    "injury": _injury,
    "hurts": _card("{name} costs {by}."),
    "mended": _card("{name} is healed for good."),
    "over": _card("{name} has healed."),
    "treated": _treated,
    "untreated": _untreated,
    "natural": _natural,
    "award": _award,
    "marker": _marker,
    "book": _book,
    "xp": _xp,
    "improved": _improved,
    "learned": _learned,
    "is": _is,
}
