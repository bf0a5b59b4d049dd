"""From what was seen to what has to be said: each demand against each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pdf_contents import Box, PageSeen, Text

from generator.layout.sheets import Size
from preflight.demands import MIN_TYPE, Demands
from preflight.findings import Finding, Level

_SLACK = 0.12
"""What rounding may cost, mm; type is compared to a hundredth of a point."""


def page_findings(page: PageSeen, demands: Demands) -> Iterator[Finding]:
    """Give the findings on a page as it looks."""
    yield from _boxes(page, demands)
    yield from _fonts(page)
    yield from _type(page, demands)
    yield from _safe(page, demands)
    yield from _images(page, demands)
    if page.transparent:
        yield _shop("transparency", page.number, "the page holds transparent objects", demands)
    if page.annotations:
        yield _shop("annotations", page.number, f"the page holds {_counted(page.annotations)}", demands)


def _shop(check: str, page: int, message: str, demands: Demands) -> Finding:
    """Return the finding on something that only home printers print: an error if the target is strict, else a note."""
    if demands.strict:
        return Finding("error", check, page, f"{message}: {demands.target or 'the target'} takes none")
    return Finding("note", check, page, f"{message}: a print shop may refuse it")


# --- as it looks -----------------------------------------------------------------------------------------------------


def _boxes(page: PageSeen, demands: Demands) -> Iterator[Finding]:
    page_size = demands.page
    if page_size and not (
        _same((page.width, page.height), page_size)
        or (not demands.trim and _same((page.height, page.width), page_size))
    ):
        message = f"the page is {_size(page.width, page.height)} mm, not {_size(page_size.width, page_size.height)} mm"
        yield Finding("error", "boxes", page.number, message)
    for name, box in (("TrimBox", page.trim), ("BleedBox", page.bleed)):
        if box and not _inside(box, (0, 0, page.width, page.height), 0):
            yield Finding("error", "boxes", page.number, f"the {name} reaches over the edge of the page")
    if page.trim and page.bleed and not _inside(page.trim, page.bleed, 0):
        yield Finding("error", "boxes", page.number, "the TrimBox reaches over the BleedBox")
    if demands.trim:
        yield from _trim(page, demands, demands.trim)


def _trim(page: PageSeen, demands: Demands, trim_size: Size) -> Iterator[Finding]:
    trim = page.trim
    if trim is None:
        says = _size(trim_size.width, trim_size.height)
        yield Finding("error", "boxes", page.number, f"the TrimBox is missing: a card is cut to {says} mm")
        return
    wide, high = trim[2] - trim[0], trim[3] - trim[1]
    if not _same((wide, high), trim_size):
        message = f"the TrimBox is {_size(wide, high)} mm, not {_size(trim_size.width, trim_size.height)} mm"
        yield Finding("error", "boxes", page.number, message)
    outside = page.bleed or (0, 0, page.width, page.height)
    bleed = min(trim[0] - outside[0], trim[1] - outside[1], outside[2] - trim[2], outside[3] - trim[3])
    if bleed < demands.bleed - _SLACK:
        message = f"{bleed:.2f} mm of bleed stand around the card, and {demands.bleed:g} mm are wanted"
        yield Finding("error", "boxes", page.number, message)


def _fonts(page: PageSeen) -> Iterator[Finding]:
    loose = sorted({text.font for text in page.texts if not text.embedded})
    if loose:
        message = f"{_listed(loose)} {'is' if len(loose) == 1 else 'are'} not embedded: each printer puts in its own"
        yield Finding("error", "fonts", page.number, message)


def _type(page: PageSeen, demands: Demands) -> Iterator[Finding]:
    small = [text for text in page.texts if round(text.size, 2) < demands.least_type]
    if small:
        least = min(small, key=lambda text: text.size)
        message = f'"{_quoted(least)}" is set in {least.size:.2g} pt: {demands.least_type:g} pt is the smallest'
        yield Finding("error", "type", page.number, message + _more(small))
        return
    tiny = [text for text in page.texts if round(text.size, 2) < MIN_TYPE]
    if tiny:
        least = min(tiny, key=lambda text: text.size)
        message = f'"{_quoted(least)}" is set in {least.size:.2g} pt: under {MIN_TYPE:g} pt is hard to read'
        yield Finding("warning", "type", page.number, message + _more(tiny))


def _safe(page: PageSeen, demands: Demands) -> Iterator[Finding]:
    """Find text that a knife, or a printer's margin, may take."""
    cut = [text for text in page.texts if not _is_inside_frames(text.box, page, demands)]
    if not cut:
        return
    worst = min(cut, key=lambda text: _clearance(text.box, page, demands))
    room = _clearance(worst.box, page, demands)
    if demands.cards or _trimmed(page):
        where = f"{room:.1f} mm inside the cut" if room >= 0 else f"{-room:.1f} mm over the cut"
        message = f'"{_quoted(worst)}" stands {where}: {demands.safe:g} mm is the safe line'
    else:
        where = f"{room:.1f} mm from the edge of the page" if room >= 0 else "over the edge of the page"
        message = f'"{_quoted(worst)}" stands {where}: printers leave {demands.edge:g} mm white'
    yield Finding("error", "safe", page.number, message + _more(cut))


def _trimmed(page: PageSeen) -> bool:
    return page.trim is not None and not _same(
        (page.trim[2] - page.trim[0], page.trim[3] - page.trim[1]), Size(page.width, page.height)
    )


def _frames(box: Box, page: PageSeen, demands: Demands) -> list[tuple[Box, float]]:
    """Return the frames that a text keeps inside of, with margins: cards that it touches, the trim, or the page."""
    touched = [card for card in demands.cards if _touches(box, card)]
    if touched:
        return [(card, demands.safe) for card in touched]
    if page.trim is not None and (_trimmed(page) or demands.trim):
        return [(page.trim, demands.safe)]
    return [((0, 0, page.width, page.height), demands.edge)]


def _is_inside_frames(box: Box, page: PageSeen, demands: Demands) -> bool:
    return all(_inside(box, frame, inside) for frame, inside in _frames(box, page, demands))


def _clearance(box: Box, page: PageSeen, demands: Demands) -> float:
    """Return the distance (mm) of a text from its frame at the worst side; below 0 if it is over the edge."""
    return min(
        min(box[0] - frame[0], box[1] - frame[1], frame[2] - box[2], frame[3] - box[3])
        for frame, _ in _frames(box, page, demands)
    )


def _images(page: PageSeen, demands: Demands) -> Iterator[Finding]:
    coarse = [image for image in page.images if image.dpi < demands.good_dpi - 0.5]
    if not coarse:
        return
    worst = min(coarse, key=lambda image: image.dpi)
    level: Level = "error" if worst.dpi < demands.least_dpi - 0.5 else "warning"
    wide, high = worst.pixels
    inches = f"{worst.box[2] - worst.box[0]:.1f} x {worst.box[3] - worst.box[1]:.1f} mm"
    message = f"an image of {wide} x {high} pixels on {inches} has {worst.dpi:.0f} dpi: {demands.good_dpi:g} are wanted"
    yield Finding(level, "images", page.number, message + (f", and {len(coarse) - 1} more" if len(coarse) > 1 else ""))


# --- words and lengths -----------------------------------------------------------------------------------------------


def _same(measured: tuple[float, float], size: Size) -> bool:
    return abs(measured[0] - size.width) < _SLACK and abs(measured[1] - size.height) < _SLACK


def _inside(box: Box, frame: Box, by: float) -> bool:
    return (
        box[0] >= frame[0] + by - _SLACK
        and box[1] >= frame[1] + by - _SLACK
        and box[2] <= frame[2] - by + _SLACK
        and box[3] <= frame[3] - by + _SLACK
    )


def _touches(box: Box, card: Box) -> bool:
    return (
        box[2] > card[0] + _SLACK
        and box[0] < card[2] - _SLACK
        and box[3] > card[1] + _SLACK
        and box[1] < card[3] - _SLACK
    )


def _size(wide: float, high: float) -> str:
    return f"{round(wide, 2):g} x {round(high, 2):g}"


def _quoted(text: Text) -> str:
    quoted = " ".join(text.says().split())
    return quoted if len(quoted) <= 40 else f"{quoted[:39]}…"


def _more(texts: list[Text]) -> str:
    return f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""


def _listed(names: list[str]) -> str:
    shown = names[:5] + ([f"{len(names) - 5} more"] if len(names) > 5 else [])
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


def _counted(kinds: Iterable[str]) -> str:
    """`2 links and 42 form fields`."""
    return _listed([f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in Counter(kinds).most_common()])
