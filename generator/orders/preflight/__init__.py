"""Preflight: whether what we print can be printed as its target wants it, before it is written.

It looks at the notes that our pen took while it drew, which costs next to nothing, and judges them against `Demands`.
"""

from __future__ import annotations

from generator.base.errors import NamedError
from generator.layout.printed import Printed
from generator.orders.preflight import judging
from generator.orders.preflight.demands import OUR_DEMANDS, Demands, demands_of, picture_demands
from generator.orders.preflight.findings import Finding

__all__ = ["OUR_DEMANDS", "Demands", "Finding", "check_print", "demands_of", "picture_demands", "print_findings"]


def print_findings(data: Printed, demands: Demands) -> tuple[Finding, ...]:
    """Return the findings on boxes, fonts, type, safe lines and images: errors first, then page by page."""
    findings = [one for page in data.pages for one in judging.page_findings(page, demands)]
    return tuple(sorted(dict.fromkeys(findings), key=lambda one: (one.level != "error", one.page)))


def check_print(data: Printed, demands: Demands, called: str) -> Printed:
    """Return the same PDF if preflight finds no error in it. Raises NamedError with the first three."""
    faults = [one for one in print_findings(data, demands) if one.level == "error"]
    if faults:
        shown = "; ".join(map(str, faults[:3]))
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        raise NamedError(f"{called} would be faulty and was not written: {shown}{more}")
    return data
