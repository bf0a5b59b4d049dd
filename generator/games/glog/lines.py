"""Log entries and states under severity tables as sentences."""

from __future__ import annotations

from typing import Any, assert_never

from generator.games.glog import log as said
from generator.games.glog.log import GlogFact
from generator.games.glog.state import brings, current_injuries, is_local, lowered_hp, read_state
from generator.model.log import Entry
from generator.model.rules import Penalty, System, Until
from generator.play import log as effects
from generator.words.effects import condition_telegraph, effect_sentences, wound_says
from generator.words.wording import MINUS, counted, dropped, filled, joined, lasting, measured, number, showing

Facts = dict[str, Any]
_WHO = {"npc": "important NPC", "monster": "monster", "pc": "character"}


def line(fact: GlogFact, system: System) -> str:  # noqa: C901, PLR0915 - a sentence a case
    """A fact as a sentence; what a row does is set in below it."""
    match fact:
        case said.Hit(damage, hp, lethal):
            deadly = f", and {lethal} of it is lethal" if lethal else ""
            return f"A hit for {damage}: {_signed(hp)} HP are left{deadly}."
        case said.Dies(who, hp):
            return f"{_signed(hp)} HP kill this {_WHO[who]}."
        case said.Severity():
            return _severity(fact, system)
        case said.Row(found, at, column, name):
            table = system.table(found)
            title = table.columns[column].title if table and column else ""
            row = f"{table.title if table else found}, {at}{f', {title}' if title else ''}:"
            return f"{row} {name}." if name else row
        case said.Nothing(says):
            return f"  {filled(says, system)}."
        case said.Remark(says):
            return f"  {filled(says, system)}"
        case said.Later(condition, after):
            return f"  {name_of(condition, system)} in {after}, unless it is treated before."
        case said.Owed(of):
            return f"    A save is owed for {name_of(of, system)}: say save pass or save fail."
        case said.Horror(points, gained, seen, trauma):
            why = ", seen before" if seen else ""
            less = f" ({points - gained} spared{why})" if points > gained else ""
            return f"Horror: {gained} Trauma{less}, {trauma} in all."
        case said.Nerve(die, rolled, trauma, breaks):
            verdict = "a breakdown, and all Trauma is gone" if breaks else "steady"
            return f"{die} shows {rolled} against Trauma {trauma}: {verdict}."
        case said.Breakdown(name, rounds, more):
            return f"Breakdown for {measured(rounds, 'round')}: {name}.{f' {filled(more, system)}' if more else ''}"
        case said.BreakdownOver(name):
            return f"The breakdown ({name}) is over: make a save, or go mad."
        case said.Mad(name, detail, more):
            says = f" {filled(more, system)}" if more else ""
            return f"Madness for good: {mad_text({'name': name, 'detail': detail})}.{says}"
        case effects.CheckPassed() | effects.CheckFailed() | effects.Maybe() | effects.Grip() | effects.Peek():
            return effects.effect_line(fact, system)
        case effects.Locate(_, place):
            return f"It hits the {place}."
        case effects.Drop(what):
            return f"    You drop {dropped(what)}."
        case effects.Wound():
            return _wound(fact, system)
        case said.Rounds(rounds):
            return _passes(rounds, "round")
        case said.DyingRounds(rounds):
            return f"{measured(rounds, 'round')} of Dying so far."
        case said.Minutes(minutes):
            return _passes(minutes, "minute")
        case said.Hour():
            return "An hour passes."
        case said.HourDecides(die, rolled, upto, lives):
            verdict = "stable at last" if lives else "dead"
            return f"An hour of Dying: {die} shows {rolled}, and {showing(upto)} lives: {verdict}."
        case said.Days(days, day):
            return _passes(days, "day", f": day {day}")
        case said.Ends(condition):
            return f"{name_of(condition, system)} is over."
        case said.Healed(condition, place, day):
            return f"{name_of(condition, system)}{f' ({place})' if place else ''} has healed on day {day}."
        case said.Chance(of):
            return f"A save is owed to recover from {name_of(of, system)}."
        case said.Relaxed(points, trauma):
            return f"Rest takes {points} Trauma off: {trauma} left."
        case said.Calm(rounds):
            left = f"{measured(rounds, 'round') if rounds else 'nothing'} of the breakdown"
            return f"Somebody spends a round on calming: {left} {'are' if rounds > 1 else 'is'} left."
        case said.Treated(condition, after):
            return f"Treated in time: no {name_of(condition, system)} in {after}."
        case said.Stabilise(die, rolled, target, _, stable):
            verdict = "stable" if stable else "not enough"
            return f"{die} shows {rolled} for {_signed(target)} or less: {verdict}."
        case said.Heal(points, hp):
            return f"{points} HP of healing: {_signed(hp)} HP."
        case said.HealedDying():
            return "The HP stop the Dying."
        case said.Mended(condition, place, off, days):
            rest = f"{measured(days, 'day')} left" if days else "healed"
            where = f" ({place})" if place else ""
            return f"{name_of(condition, system)}{where}: {measured(off, 'day')} off, {rest}."
        case said.Saved(of, passed):
            owed = name_of(of, system) if of in system.head.conditions else "the breakdown's end"
            return f"The save for {owed} is {'passed' if passed else 'failed'}."
        case said.Recovered(condition):
            return f"{name_of(condition, system)} is overcome."
        case said.ChanceLost(condition, chances):
            name = name_of(condition, system)
            return f"{name} stays; {counted(chances, 'chance')} left." if chances else f"{name} stays for good."
        case _:
            assert_never(fact)


def _signed(amount: int) -> str:
    return str(amount).replace("-", MINUS)


def _passes(amount: int, unit: str, then: str = "") -> str:
    return f"{measured(amount, unit)} {'passes' if amount == 1 else 'pass'}{then}."


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


def _severity(fact: said.Severity, system: System) -> str:
    die, per = system.injuries.severity_die.spoken, system.injuries.per_injury
    count = fact.injuries
    wounds = (
        f" + {per * count} for {counted(count, 'injury') if count == 1 else f'{number(count)} injuries'}"
        if count
        else ""
    )
    return f"Severity {fact.severity}: {fact.die} on the {die} + {fact.lethal} lethal{wounds}."


def _wound(fact: effects.Wound, system: System) -> str:
    until = Until.parse(fact.until)
    lasts = lasting(until) if until.amount is None else f"for {measured(until.amount.plus, until.word)}"
    if fact.chances:
        lasts = f"until a save after {joined(fact.chances)}"
    elif fact.same:
        lasts = ""
    if fact.effect in system.head.conditions and not is_local(system, fact.effect):
        fact = fact._replace(place="")
    inner = "    " if fact.of else "  "
    # Below the blow it goes without saying whose.
    says = wound_says(Entry(fact).facts, system).removeprefix("Your ")
    return f"{inner}{says} {lasts}".rstrip() + "."
