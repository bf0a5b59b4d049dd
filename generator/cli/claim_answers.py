"""What `hackjack check --coverage` and `--claims` say of a pack whose content is sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from generator.check.claim_coverage import EventCoverage, coverage, spoken, total
from generator.check.claim_proposals import proposals, written
from generator.check.claims import CONFIRM
from generator.cli import echo
from generator.cli.terminal import busy
from generator.model.rules import System

MOST_LISTED = 6
"""So many things that no claim touches are told of one event; --json has them all."""


def tell_coverage(system: System) -> None:
    """Print how much of each event no claim touches, and what that is."""
    found = _coverage(system)
    echo(f"{system.head.id}: no claim touches {_percent(total(found))} of what may happen", *_lines(system, found))


def tell_claims(system: System) -> None:
    """Print claims to be pasted into `claims.yaml`."""
    made = proposals(system, _coverage(system))
    if not made:
        echo(f"# {system.head.id}: whatever comes up when its events are tried, some claim has it already.")
        return
    head = "claims:" if system.inherited.issuperset(claim.id for claim in system.claims) else "# (below claims:)"
    echo(
        f"# What the engine makes of {system.head.id}, which need not be what your source says. Compare each claim",
        f'# with the source, put it in your own words and name the section instead of "{CONFIRM}".',
        head,
        *written(made).splitlines(),
    )


def _coverage(system: System) -> Sequence[EventCoverage]:
    with busy(f"trying the events of {system.head.id}"):
        return coverage(system)


def shape(system: System, *, claims: bool) -> dict[str, Any]:
    """Return the same for JSON."""
    found = _coverage(system)
    if claims:
        return {"system": system.head.id, "claims": proposals(system, found)}
    events = [
        {
            "event": each.event,
            "situations": each.situations,
            "untouched": each.untouched if each.untouched is None else round(each.untouched, 4),
            "plays": each.plays,
            "standard_error": round(each.error, 4),
            "missing": [
                {**touch._asdict(), "share": round(share, 4), "says": spoken(touch, played, system)}
                for touch, share, played in each.missing
            ],
        }
        for each in found
    ]
    return {"system": system.head.id, "untouched": round(total(found), 4), "events": events}


def _lines(system: System, found: Sequence[EventCoverage]) -> Iterator[str]:
    width = max(len(each.event) for each in found) if found else 0
    for each in found:
        if each.untouched is None:
            yield f"  {each.event:<{width}}  no situation was found to try it in: write a claim, whose state will do"
            continue
        count = f"{each.situations} situation{'' if each.situations == 1 else 's'}"
        how = f"played {each.plays:,} times, ± {_percent(each.error)}" if each.plays else "exact"
        yield f"  {each.event:<{width}}  {_percent(each.untouched):>6} untouched ({count}, {how})"
        for touch, share, played in each.missing[:MOST_LISTED]:
            yield f"  {'':<{width}}    {_percent(share):>6}  {spoken(touch, played, system)}"
        if more := len(each.missing) - MOST_LISTED:
            yield from [f"  {'':<{width}}            and {more} more"] if more > 0 else []


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or not share else f"{100 * share:.1f} %"
