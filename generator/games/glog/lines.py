"""Log entries and states under severity tables as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.games.glog.state import brings, current_injuries, is_local, lowered_hp, read_state
from generator.model.log import OldEntry
from generator.model.rules import Penalty, System, Until
from generator.play.log import Grip, Maybe, chance_line
from generator.words.brief_wording import condition_telegraph
from generator.words.wording import (
    MINUS,
    counted,
    dropped,
    effect_sentences,
    filled,
    joined,
    lasting,
    measured,
    number,
    showing,
)

Facts = dict[str, Any]
_WHO = {"npc": "important NPC", "monster": "monster", "pc": "character"}


def line(entry: OldEntry, system: System) -> str:
    """One entry as a sentence. Raises KeyError for a kind that nothing says."""
    text = _TEXTS.get(entry.kind)
    return text.format(**entry.facts) if text else _LINES[entry.kind](entry.facts, system)


def state_line(plain: Facts, system: System) -> str:
    """A state in one line: `0 HP, Dying (2 rounds), Gored 12 days; Trauma 3; a save is owed: Ruined`."""
    if plain["dead"]:
        return "dead"
    parts = [f"{plain['hp']} HP".replace("-", MINUS)]
    if plain["dying"]:
        parts.append("Dying" + (f" for {measured(plain['rounds_dying'], 'round')}" if plain["rounds_dying"] else ""))
    parts += [f"{name_of(coming['condition'], system)} in {coming['after']}" for coming in plain["coming"]]
    parts += [injury_text(injury, system) for injury in plain["injuries"]]
    parts += [_passing(passing, system) for passing in plain["conditions"]]
    parts += [f"{MINUS}{lost['by']} {system.head.statistics[lost['statistic']].name}" for lost in plain["lost"]]
    parts += [f"Trauma {plain['trauma']}"] if plain["trauma"] else []
    if plain["breakdown"]:
        running = plain["breakdown"]
        parts.append(f"breakdown ({running['name']}) for {measured(running['rounds'], 'more round')}")
    parts += [mad_text(mad) for mad in plain["madness"]]
    parts += [f"a save owed ({_owed(owed, system)})" for owed in plain["saves"]]
    return ", ".join(parts)


def name_of(condition: str, system: System) -> str:
    """A condition's name, or what it says."""
    known = system.head.conditions[condition]
    return known.name or known.says


def injury_text(injury: Facts, system: System) -> str:
    """An injury in few words: `Disabled (left arm) 12 days`."""
    place = f" ({injury['place']})" if injury["place"] else ""
    return f"{name_of(injury['condition'], system)}{place} {injury_ends(injury)}".rstrip()


def injury_ends(injury: Facts) -> str:
    """How much longer: `12 days`, `for good`, `saves in 3 and 21 days`."""
    if injury["permanent"]:
        return "for good"
    if injury["days"]:
        return measured(injury["days"], "day")
    days = [str(day) for day in injury["chances"]]
    if not days:
        return "until a save"
    return f"{'save' if len(days) == 1 else 'saves'} in {joined(days)} {'day' if days == ['1'] else 'days'}"


def injury_due(injury: Facts, today: int, system: System) -> str:
    """On which day an injury has healed or asks for a save (G9); empty where no day is known."""
    place = f" ({injury['place']})" if injury["place"] else ""
    name = f"{name_of(injury['condition'], system)}{place}"
    if injury["days"]:
        return f"{name} heals on day {today + injury['days']}."
    days = [str(today + days) for days in injury["chances"]]
    return f"{name} may end by a save on {'day' if len(days) == 1 else 'days'} {joined(days)}." if days else ""


def mad_text(mad: Facts) -> str:
    """A madness with what it is about: `Addiction (alcohol)`."""
    return f"{mad['name']} ({mad['detail']})" if mad["detail"] else str(mad["name"])


def _usual_place(condition: str, system: System) -> str:
    """The part of the body that a condition is of, if the tables bring it to that alone."""
    columns = {
        column
        for table in system.tables
        for row in table.rows
        for column, cell in [*row.cells.items(), ("", row.effects)]
        if brings(cell, condition)
    }
    part = system.head.parts.get(columns.pop()) if len(columns) == 1 else None
    return part.name if part else ""


def sheet(plain: Facts, system: System) -> Facts:
    """What fills a sheet: a state whose lists hold what a person reads, the dice of it all rolled and counted."""
    running, per = plain["breakdown"] or {}, system.injuries.per_injury
    state = read_state(plain, system)
    count, lowered = current_injuries(state, system), lowered_hp(state, system)
    injuries = [
        {
            "name": name_of(injury["condition"], system),
            "place": injury["place"] or _usual_place(injury["condition"], system),
            "days": injury["days"] or "",
            "permanent": injury["permanent"],
            "saves": ", ".join(map(str, injury["chances"])),
            "does": _does(injury["condition"], system),
        }
        for injury in plain["injuries"]
    ]
    passing = [
        {
            "name": name_of(each["condition"], system),
            "until": _until(each),
            "does": _does(each["condition"], system),
        }
        for each in plain["conditions"]
    ]
    passing += [
        {
            "name": name_of(coming["condition"], system),
            "until": f"comes in {coming['after']}, unless treated",
            "does": _does(coming["condition"], system),
        }
        for coming in plain["coming"]
    ]
    return {
        **plain,
        "injuries": injuries,
        "lowered": f"{MINUS}{lowered}" if lowered else "",
        "added": f"+{per * count}" if count else "",
        "conditions": passing,
        "lost": [
            {"name": system.head.statistics[lost["statistic"]].name, "by": f"{MINUS}{lost['by']}"}
            for lost in plain["lost"]
        ],
        "breakdown": running.get("name", ""),
        "breakdown_rounds": running.get("rounds", ""),
        "madness": [{"name": mad_text(mad), "does": mad_does(mad["name"], system)} for mad in plain["madness"]],
        "saves": [
            {"name": _owed(owed, system) + (f" ({owed['place']})" if owed["place"] else ""), "place": owed["place"]}
            for owed in plain["saves"]
        ],
    }


def _does(condition: str, system: System) -> str:
    """What a condition does, as a sticker says it."""
    return condition_telegraph(system.head.conditions[condition], system)


def mad_does(name: str, system: System) -> str:
    """What a madness does to whoever has it, apart from what is rolled once: the row of its table in sentences."""
    table = system.table(system.injuries.madness_table)
    row = table.named(name) if table else None
    if row is None:
        return ""
    lasting_ones = [effect for effect in row.effects if isinstance(effect, Penalty)]
    said = [str(sentence) for effect in lasting_ones for sentence in effect_sentences(effect, system)]
    return " ".join([*said, *([filled(row.note, system)] if row.note else [])])


def _until(passing: Facts) -> str:
    """When something that passes is over: `3 rounds`, `until you stand up`."""
    until = Until.parse(passing["until"])
    return str(passing["until"]) if until.amount else lasting(until)


def _passing(passing: Facts, system: System) -> str:
    until = Until.parse(passing["until"])
    return name_of(passing["condition"], system) + (f" {passing['until']}" if until.amount else "")


def _owed(owed: Facts, system: System) -> str:
    if owed["of"] in system.head.conditions:
        return name_of(owed["of"], system) + (", to recover" if owed["chance"] else "")
    return "the breakdown"


def _hit(facts: Facts, system: System) -> str:
    del system
    left = f"{facts['hp']} HP are left".replace("-", MINUS)
    lethal = f", and {facts['lethal']} of it is lethal" if facts["lethal"] else ""
    return f"A hit for {facts['damage']}: {left}{lethal}."


def _dies(facts: Facts, system: System) -> str:
    del system
    return f"{facts['hp']} HP kill this {_WHO[facts['who']]}.".replace("-", MINUS)


def _severity(facts: Facts, system: System) -> str:
    die, per = system.injuries.severity_die.spoken, system.injuries.per_injury
    count = facts["injuries"]
    wounds = (
        f" + {per * count} for {counted(count, 'injury') if count == 1 else f'{number(count)} injuries'}"
        if count
        else ""
    )
    return f"Severity {facts['severity']}: {facts['die']} on the {die} + {facts['lethal']} lethal{wounds}."


def _row(facts: Facts, system: System) -> str:
    table = system.table(facts["table"])
    title = table.title if table else facts["table"]
    column = table.columns[facts["column"]].title if table and facts["column"] else ""
    return f"{title}, {facts['at']}{f', {column}' if column else ''}:{f' {name}.' if (name := facts['name']) else ''}"


def _nothing(facts: Facts, system: System) -> str:
    return f"  {filled(facts['says'], system)}."


def _remark(facts: Facts, system: System) -> str:
    return f"  {filled(facts['says'], system)}"


def _wound(facts: Facts, system: System) -> str:
    until = Until.parse(facts["until"])
    lasts = "" if until.word == "now" else lasting(until)
    if until.amount is not None:
        lasts = f"for {measured(until.amount.plus, until.word)}"
    if facts["same"]:
        lasts = ""
    effect = facts["effect"]
    names = joined([system.head.statistics[name].name for name in facts["to"]]) if facts["to"] else ""
    if effect in system.head.conditions:
        local = facts["place"] and is_local(system, effect)
        says = name_of(effect, system) + (f" ({facts['place']})" if local else "")
        if facts["chances"]:
            lasts = f"until a save after {joined(facts['chances'])}"
    elif effect == "penalty":
        says = f"{MINUS}{facts['by'][0]} to {names}"
    elif effect == "risk":
        says = f"{names[:1].upper()}{names[1:]} fail on {showing(facts['upto'])} of {facts['die']}"
    else:
        says = f"{names} is halved"
    inner = "    " if facts["of"] else "  "
    return f"{inner}{says} {lasts}".rstrip() + "."


def _later(facts: Facts, system: System) -> str:
    return f"  {name_of(facts['condition'], system)} in {facts['after']}, unless it is treated before."


def _stabilise(facts: Facts, system: System) -> str:
    del system
    verdict = "stable" if facts["stable"] else "not enough"
    target = str(facts["target"]).replace("-", MINUS)
    return f"{facts['die']} shows {facts['rolled']} for {target} or less: {verdict}."


def _hour_decides(facts: Facts, system: System) -> str:
    del system
    verdict = "stable at last" if facts["lives"] else "dead"
    return f"An hour of Dying: {facts['die']} shows {facts['rolled']}, and {showing(facts['upto'])} lives: {verdict}."


def _dying_rounds(facts: Facts, system: System) -> str:
    del system
    return f"{measured(facts['rounds'], 'round')} of Dying so far."


def _heal(facts: Facts, system: System) -> str:
    del system
    return f"{facts['points']} HP of healing: {facts['hp']} HP.".replace("-", MINUS)


def _calm(facts: Facts, system: System) -> str:
    del system
    left = facts["rounds"]
    rounds = measured(left, "round") if left else "nothing"
    return f"Somebody spends a round on calming: {rounds} of the breakdown {'are' if left > 1 else 'is'} left."


def _horror(facts: Facts, system: System) -> str:
    del system
    spared = facts["points"] - facts["gained"]
    why = ", seen before" if facts["seen"] else ""
    less = f" ({spared} spared{why})" if spared else ""
    return f"Horror: {facts['gained']} Trauma{less}, {facts['trauma']} in all."


def _nerve(facts: Facts, system: System) -> str:
    del system
    verdict = "a breakdown, and all Trauma is gone" if facts["breaks"] else "steady"
    return f"{facts['die']} shows {facts['rolled']} against Trauma {facts['trauma']}: {verdict}."


def _breakdown(facts: Facts, system: System) -> str:
    more = f" {filled(facts['more'], system)}" if facts["more"] else ""
    return f"Breakdown for {measured(facts['rounds'], 'round')}: {facts['name']}.{more}"


def _mad(facts: Facts, system: System) -> str:
    more = f" {filled(facts['more'], system)}" if facts["more"] else ""
    return f"Madness for good: {mad_text(facts)}.{more}"


def _healed(facts: Facts, system: System) -> str:
    place = f" ({facts['place']})" if facts["place"] else ""
    return f"{name_of(facts['condition'], system)}{place} has healed on day {facts['day']}."


def _mended(facts: Facts, system: System) -> str:
    place = f" ({facts['place']})" if facts["place"] else ""
    left = f"{measured(facts['days'], 'day')} left" if facts["days"] else "healed"
    return f"{name_of(facts['condition'], system)}{place}: {measured(facts['off'], 'day')} off, {left}."


def _saved(facts: Facts, system: System) -> str:
    verdict = "passed" if facts["passed"] else "failed"
    of = "the breakdown's end" if facts["of"] not in system.head.conditions else name_of(facts["of"], system)
    return f"The save for {of} is {verdict}."


def _chance_lost(facts: Facts, system: System) -> str:
    name = name_of(facts["condition"], system)
    return f"{name} stays; {counted(facts['left'], 'chance')} left." if facts["left"] else f"{name} stays for good."


def _passes(unit: str) -> Callable[[Facts, System], str]:
    """So much time passes; days are counted on."""

    def says(facts: Facts, system: System) -> str:
        del system
        amount = facts[f"{unit}s"]
        day = f": day {facts['day']}" if "day" in facts else ""
        return f"{measured(amount, unit)} {'passes' if amount == 1 else 'pass'}{day}."

    return says


def _named(text: str, key: str = "condition") -> Callable[[Facts, System], str]:
    """A sentence with a condition's name in it."""
    return lambda facts, system: text.format(**{**facts, "name": name_of(facts[key], system)})


def _spoken_dice(facts: Facts, system: System) -> str:
    del system
    return f"    You drop {dropped(facts['what'])}."


_TEXTS = {
    "locate": "It hits the {place}.",
    "hour": "An hour passes.",
    "healed_dying": "The HP stop the Dying.",
    "breakdown_over": "The breakdown ({name}) is over: make a save, or go mad.",
    "relaxed": "Rest takes {points} Trauma off: {trauma} left.",
}
_LINES: dict[str, Callable[[Facts, System], str]] = {
    "hit": _hit,
    "dies": _dies,
    "severity": _severity,
    "row": _row,
    "nothing": _nothing,
    "remark": _remark,
    "wound": _wound,
    "later": _later,
    "owed": _named("    A save is owed for {name}: say save pass or save fail.", "of"),
    "maybe": lambda facts, _: chance_line(Maybe(**facts)),
    "grip": lambda facts, _: chance_line(Grip(**facts)),
    "drop": _spoken_dice,
    "rounds": _passes("round"),
    "dying_rounds": _dying_rounds,
    "heal": _heal,
    "calm": _calm,
    "minutes": _passes("minute"),
    "days": _passes("day"),
    "ends": _named("{name} is over."),
    "healed": _healed,
    "mended": _mended,
    "chance": _named("A save is owed to recover from {name}.", "of"),
    "recovered": _named("{name} is overcome."),
    "chance_lost": _chance_lost,
    "saved": _saved,
    "treated": _named("Treated in time: no {name} in {after}."),
    "stabilise": _stabilise,
    "hour_decides": _hour_decides,
    "horror": _horror,
    "nerve": _nerve,
    "breakdown": _breakdown,
    "mad": _mad,
}
