"""Claims that an author is asked to confirm: events that bring up most of what no claim touches yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import yaml

from generator.check.claim_coverage import EventCoverage, length
from generator.check.claims import CONFIRM, verdict
from generator.check.situations import Played
from generator.check.touched import Touch, Touches
from generator.games import game_of
from generator.model.rules import EventClaim, System

MOST = 6
"""So many are proposed at once: no more than somebody reads."""
_LONGEST, _LARGEST = 240, 1_500
"""Letters in what a claim says, and in all of it: what is longer nobody compares with a source."""


def proposals(system: System, found: Sequence[EventCoverage]) -> tuple[dict[str, Any], ...]:
    """Return claims as `claims.yaml` holds them, those first that touch most of what is missing by probability.

    Each has been recomputed as every claim is, and holds.
    """
    reader = Touches(system)
    missing = {(each.event, touch): share for each in found for touch, share, _ in each.missing}
    candidates = [outcome.example for each in found for outcome in each.outcomes]
    names = {claim.id for claim in system.claims}
    made: list[dict[str, Any]] = []
    while len(made) < MOST and (candidates := [each for each in candidates if any(_new(each, missing))]):
        best = min(candidates, key=lambda each: (-_worth(each, missing), length(each)))
        candidates.remove(best)
        new = list(_new(best, missing))
        claim = _claim(system, best, new, names, reader)
        if claim is not None:
            made.append(claim)
            names.add(claim["id"])
            for key in new:
                del missing[key]
    return tuple(made)


def written(claims: Iterable[Mapping[str, Any]]) -> str:
    """Return claims as YAML that can be pasted below `claims:`."""
    lines = []
    for claim in claims:
        sign = "-"
        for key, value in claim.items():
            lines.append(f"  {sign} {key}: {_flow(value)}")
            sign = " "
    return "\n".join(lines)


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6)
    return text.strip()[1:-1]


def _new(played: Played, missing: Mapping[tuple[str, Touch], float]) -> Iterator[tuple[str, Touch]]:
    """What is missing and comes up here: of this event, and cards, rows and conditions of every event."""
    event = played.situation.event
    return (key for key in missing if key[1] in played.touches and (key[1].shared or key[0] == event))


def _worth(played: Played, missing: Mapping[tuple[str, Touch], float]) -> float:
    """How much of what is missing comes up: each by its chance, rounded so that every machine has the same order."""
    return round(sum(missing[key] for key in _new(played, missing)), 9)


def _claim(
    system: System, played: Played, new: Sequence[tuple[str, Touch]], names: set[str], reader: Touches
) -> dict[str, Any] | None:
    """A way that an event went, as a claim; None where it changes nothing that a claim can speak of."""
    game, situation, luck = game_of(system), played.situation, played.luck
    before, after = (
        msgspec.json.decode(msgspec.json.encode(game.plain_state(state)))
        for state in (game.read_state(dict(situation.state)), played.state)
    )
    deck = set(game.deck())
    changed = {
        key: _differing(value, before.get(key))
        for key, value in after.items()
        if value != before.get(key) and not _cards(value, deck)
    }
    fresh = {touch for _, touch in new}
    told = [entry for entry in played.log if not fresh.isdisjoint(reader.of(entry))] or list(played.log)
    last = {key: value for entry in played.log for key, value in entry.facts.items()}
    facts = [entry.facts for entry in told if entry.facts and all(last[key] == entry.facts[key] for key in entry.facts)]
    sentences = [game.line(entry).strip() for entry in (played.log if len(played.log) <= 4 else told)]
    claim: dict[str, Any] = {
        "id": _name(situation.event, (touch for _, touch in new), names),
        "about": "event",
        "where": CONFIRM,
        "says": _short(sentences) or f"{situation.typed} happens.",
        "state": dict(situation.state),
        "event": situation.typed,
        "at": dict(situation.at),
        "cards": luck.cards,
        "dice": luck.dice,
        "choices": luck.choices,
        "expect": changed,
        "log": msgspec.json.decode(msgspec.json.encode(facts[0])) if facts and not changed else {},
    }
    for state in (_told(claim["state"]), claim["state"]):
        short = {key: value for key, value in (claim | {"state": state}).items() if value}
        if (changed or facts) and len(written([short])) <= _LARGEST and _holds(short, system):
            return short
    return None


def _holds(claim: Mapping[str, Any], system: System) -> bool:
    try:
        return verdict(msgspec.convert(claim, EventClaim), system).holds
    except msgspec.ValidationError:
        # It is more than a claim may hold.
        return False


def _told(value: Any) -> Any:
    """The same without what is empty further inside: a person would not write that down."""
    if isinstance(value, dict):
        return {key: _told(inner) for key, inner in value.items() if inner not in (None, "", False, [])}
    return [_told(inner) for inner in value] if isinstance(value, list) else value


def _differing(after: Any, before: Any) -> Any:
    """What to expect: of a list's entries that were there before just the first key, and of the others what is told."""
    if not isinstance(after, list) or not all(isinstance(each, dict) and each for each in after):
        return after
    known = before if isinstance(before, list) else []
    firsts = [next(iter(each.values())) for each in after]
    if len(set(map(str, firsts))) < len(firsts):
        return _told(after)
    found = []
    for each, first in zip(after, firsts, strict=True):
        key = next(iter(each))
        old = next((entry for entry in known if isinstance(entry, dict) and entry.get(key) == first), None)
        new = {name: value for name, value in each.items() if name == key or value != (old or {}).get(name)}
        found.append(_told(new) if old is None else new)
    return found


def _cards(value: Any, deck: set[str]) -> bool:
    """Whether it is a pile of cards, which nobody wants to compare."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) and each in deck for each in value)


def _name(event: str, touches: Iterable[Touch], names: set[str]) -> str:
    """A name for a claim that none has yet: `hit_blinded`."""
    about = next((touch.name for touch in touches if touch.kind != "event"), "")
    words = dict.fromkeys(re.findall(r"[a-z0-9]+", f"{event} {about}".lower()))
    base = "_".join(words)[:36].strip("_")
    return next(name for name in (base, *(f"{base}_{at}" for at in range(2, 400))) if name not in names)


def _short(sentences: Sequence[str]) -> str:
    """As many whole sentences as a person reads in one claim; at least the first."""
    found = list(sentences[:1])
    for sentence in sentences[1:]:
        if len(" ".join((*found, sentence))) <= _LONGEST and sentence not in found:
            found.append(sentence)
    return " ".join(found)[:400]
