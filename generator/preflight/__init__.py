"""Preflight: whether a PDF can be printed as its target wants it, and what would have to be mended.

`quick` looks at the pages alone, and of what we print at the notes that our pen took, which costs next to nothing;
`thorough` reads how a file is built as well. Both judge against `Demands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from generator.base.errors import HackjackError, NamedError
from generator.layout.printed import PageSeen, Printed
from generator.layout.sheets import Size
from generator.layout.targets import targets
from generator.preflight import judging
from generator.preflight.demands import OUR_DEMANDS, Demands, demands_of, picture_demands
from generator.preflight.findings import Finding, Report, in_order
from generator.preflight.opening import read_pdf, refuse

__all__ = [
    "OUR_DEMANDS",
    "Demands",
    "Finding",
    "Report",
    "asked",
    "demands_of",
    "passed",
    "picture_demands",
    "quick",
    "thorough",
]


def quick(data: bytes, demands: Demands, called: str = "the file") -> Report:
    """Look at the pages: boxes, fonts, type, safe lines, images. Raises HackjackError for what is no whole PDF."""
    if isinstance(data, Printed):
        findings, figures = _looked(data.pages, demands)
    else:
        from generator.preflight import seen

        refuse(data, called)
        with seen.opened(data, called) as document:
            findings, figures = _looked(seen.pages(document), demands)
    return Report(demands.target, figures["pages"], in_order(findings), figures)


def thorough(
    data: bytes, wanted: Demands | Callable[[Size], Demands], called: str = "the file", *, covered: bool = True
) -> Report:
    """Look at the pages and at how the file is built. Raises HackjackError for what cannot be read.

    What is wanted may hang on the size of the first page. Without `covered` no page is drawn, which takes most of the
    time, and the share of the paper under ink is left out.
    """
    from generator.preflight import seen, structure

    refuse(data, called)
    # First what the file is built of: that is where a file meant to choke its reader is refused.
    built = structure.read(data, called)
    if isinstance(wanted, Demands):
        demands = wanted
    else:
        with seen.opened(data, called) as document:
            first = next(seen.pages(document))
        demands = wanted(Size(first.width, first.height))
    with seen.opened(data, called) as document:
        if len(document) != len(built.pages):
            raise HackjackError(f"{called} is damaged: readers do not agree on which pages it has; save it anew")
        findings, figures = _looked(seen.pages(document), demands)
    findings = _merged(findings, list(judging.structure_findings(built, demands)))
    spaces = set().union(*(page.spaces | page.image_spaces for page in built.pages))
    figures |= {
        "version": built.version,
        "fonts": sorted(set().union(*(page.fonts for page in built.pages))),
        "colours": sorted(spaces),
        "most_ink": round(max(page.ink for page in built.pages), 1),
        **({"coverage": _coverage(data, called)} if covered else {}),
        "language": built.tagging.language or None,
        "tagged": built.tagging.tagged,
        "pdfx": built.info.get("GTS_PDFXVersion"),
        "output_intent": next((one.get("OutputConditionIdentifier") for one in built.intents), None),
    }
    return Report(demands.target, figures["pages"], in_order(findings), figures)


def _coverage(data: bytes, called: str) -> dict[str, float]:
    """The ink on the paper in per cent of its area: on all pages, and on the fullest."""
    from generator.preflight import seen
    from generator.preflight.coverage import coverage

    with seen.opened(data, called) as document:
        pages = coverage(document)
    return {"mean": round(sum(pages) / len(pages), 1), "most": round(max(pages), 1)}


def passed(data: bytes, demands: Demands, called: str) -> bytes:
    """The same bytes, if nothing speaks against handing them over. Raises HackjackError with the first faults."""
    built = demands.pdfx or demands.cmyk
    report = thorough(data, demands, called, covered=False) if built else quick(data, demands, called)
    if report.errors:
        shown = "; ".join(map(str, report.errors[:3]))
        more = f"; and {len(report.errors) - 3} more" if len(report.errors) > 3 else ""
        raise NamedError(f"{called} would be faulty and was not written: {shown}{more}")
    return data


def asked(file: str, target: str, card: Sequence[float] | None) -> dict[str, Any]:
    """A stranger's file, looked at for a target by its name, or for none, with cards of that size (mm); as JSON has it.

    Raises HackjackError for what cannot be read, or is no sheet for the target.
    """

    def of(paper: Size) -> Demands:
        return demands_of(target, targets()[target], Size(*card), paper) if target and card else Demands()

    try:
        report = thorough(read_pdf(Path(file)), of, file)
    except HackjackError as error:
        raise error if str(error).startswith(file) else HackjackError(f"{file}: {error}") from error
    findings = [{**asdict(one), "said": str(one)} for one in report.findings]
    return {"target": target or None, "sound": report.sound, "findings": findings, "figures": report.figures}


def _merged(looked: list[Finding], built: list[Finding]) -> list[Finding]:
    """Both kinds of findings. How a file is built says more of its transparency, its looks more of its fonts."""
    known = {(finding.check, finding.page) for finding in looked}
    named = {(finding.check, finding.page) for finding in built}
    kept = [one for one in looked if one.check != "transparency" or (one.check, one.page) not in named]
    return kept + [one for one in built if one.check != "fonts" or (one.check, one.page) not in known]


def _looked(pages: Iterable[PageSeen], demands: Demands) -> tuple[list[Finding], dict[str, Any]]:
    """The findings of every page as it looks, and the figures."""
    findings: list[Finding] = []
    sizes: dict[str, None] = {}
    types: list[float] = []
    resolutions: list[float] = []
    count = images = annotations = 0
    for page in pages:
        # Judged while the page is open: only then can a text say what it says.
        findings += judging.page_findings(page, demands)
        sizes.setdefault(f"{round(page.width, 2):g} x {round(page.height, 2):g}")
        types += [min(text.size for text in page.texts)] if page.texts else []
        resolutions += [min(image.dpi for image in page.images)] if page.images else []
        count += 1
        images += len(page.images)
        annotations += len(page.annotations)
    return findings, {
        "pages": count,
        "sizes": list(sizes),
        "smallest_type": round(min(types), 2) if types else None,
        "images": images,
        "least_dpi": round(min(resolutions)) if resolutions else None,
        "annotations": annotations,
    }
