"""Preflight: read a print back, and judge it by what its target demands."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from pdf_contents import PageSeen, pages

from generator.layout.sheets import GOOD_DPI, Printed
from generator.orders import card_pictures
from generator.orders.build import build_order
from generator.orders.job import Job, card_target, deck_options, is_for_target
from generator.orders.order import Order
from generator.products import deck, is_starter
from preflight import judging
from preflight.demands import OUR_DEMANDS, Demands, demands_of, picture_demands
from preflight.findings import Finding

__all__ = ["OUR_DEMANDS", "Demands", "Finding", "demands_of", "order_findings", "picture_demands", "print_findings"]


def print_findings(pages: Iterable[PageSeen], demands: Demands) -> tuple[Finding, ...]:
    """Return the findings on boxes, fonts, type, safe lines and images: errors first, then page by page."""
    findings = [one for page in pages for one in judging.page_findings(page, demands)]
    return tuple(sorted(dict.fromkeys(findings), key=lambda one: (one.level != "error", one.page)))


def order_findings(order: Order, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make an order, and return the errors on its PDFs and on the pages that become its pictures."""
    found: list[tuple[Printed, Demands]] = []
    draw = card_pictures.singles_of

    def pages_of(job: Job, chosen: deck.Options, leaf: deck.Leaf) -> Printed:
        pdf = draw(job, chosen, leaf)
        found.append((pdf, picture_demands(job.target_name, chosen.card, leaf.bleed, GOOD_DPI)))
        return pdf

    monkeypatch.setattr(card_pictures, "singles_of", pages_of)
    demands = OUR_DEMANDS
    if is_for_target(order) and not is_starter(order.system, order.product):
        job = Job(order)
        chosen, (name, target) = deck_options(job), card_target(job)
        paper = chosen.layout.paper if chosen.layout else chosen.paper
        demands = demands_of(name, target, chosen.card, paper, chosen.nudge)
    found += [(file.data, demands) for file in build_order(order).files if isinstance(file.data, Printed)]
    return [str(one) for data, wants in found for one in print_findings(pages(data), wants) if one.level == "error"]
