"""A PDF file: opened with everything that print shops ask for, saved whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace
from reportlab.lib.colors import CMYKColor, Color
from reportlab.pdfbase.acroform import AcroForm
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFString
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.layout.sheets import MM as MM
from generator.layout.sheets import Printed, Size
from generator.model.rules import System
from generator.model.themes import PLAIN, Palette, Theme
from generator.paper import fonts
from generator.paper.ink import PAPER, Inks, in_one_ink, in_palette, inks_of, on_paper, sharpened
from generator.paper.tags import Tags
from generator.words.wording import product_line

Contrast = Literal["normal", "high"]


class Looks(Struct, frozen=True, kw_only=True):
    """How anything is printed; `tagged` to be read aloud as well."""

    ink: Literal["full", "saver", "mono"] = "full"
    suits: Literal["two", "four"] = "two"
    compressed: bool = True
    contrast: Contrast = "normal"
    tagged: bool = True
    theme: Theme = PLAIN
    into: "Paper | None" = None
    """The open document that this becomes a part of; otherwise it is a file of its own."""
    source: tuple[str, bytes] | None = None
    """The file that the PDF carries, by its name. Print shops get none."""

    @property
    def on_card(self) -> Palette:
        """The colours of what stands on a card's own ground."""
        bare = self.ink == "saver" or self.contrast == "high"
        return self._printed(on_paper(self.theme.palette) if bare else self.theme.palette)

    @property
    def on_paper(self) -> Palette:
        """The colours of what stands on bare paper: a screen, a sheet, the margin of a sheet of cards."""
        return self._printed(on_paper(self.theme.palette))

    @property
    def has_ground(self) -> bool:
        """Return True if anything lies under the text of a card; False on bare paper."""
        return self.ink != "saver" and (self.on_card.ground != PAPER or self.theme.texture != "none")

    @property
    def on_back(self) -> Palette:
        """The colours of a card's back, whose ground is the colour of its lines."""
        return replace(self.on_card, ground=self.on_card.pattern)

    def _printed(self, palette: Palette) -> Palette:
        return in_one_ink(palette) if self.ink == "mono" else palette

    @property
    def inks(self) -> Inks:
        """The colours to print with."""
        theme = replace(self.theme, window="lines") if self.contrast == "high" else self.theme
        return Inks(self.suits, self.ink != "saver", theme)


_PLAIN = Looks()
_PLAIN_PALETTE = Palette()


class _Form(AcroForm):  # type: ignore[misc]
    """A form whose fields share one font: reportlab writes one for each of them."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._made: dict[str, tuple[str, str]] = {}

    def makeFont(self, fontName: str) -> tuple[str, str]:  # noqa: N802, N803
        """Return a font's reference and its name, made once."""
        if fontName not in self._made:
            self._made[fontName] = super().makeFont(fontName)
        return self._made[fontName]


class Paper(Canvas):  # type: ignore[misc]
    """A canvas that tags its text, prints in a palette and has parts."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.tags: Tags | None = None
        self.pages: list[Size] = []
        self.palette = Palette()
        self.both_sides = False
        self._part = 0
        self._part_title = ""
        self._blank_backs = False

    @property
    def acroForm(self) -> AcroForm:  # noqa: N802
        """The form of the document, made with its first field."""
        if not hasattr(self, "AcroForm"):
            self._doc._catalog.AcroForm = self.AcroForm = _Form(self)
        return self.AcroForm

    def print_in(self, looks: Looks, *, process: bool) -> None:
        """Have every colour, of text and charts too, be one of the palette, sharpened and in process inks if so asked.

        Without any of these reportlab is not told to ask, for it asks at every stroke.
        """
        self.palette = looks.on_paper
        sharp = looks.contrast == "high"

        def instead(colour: Any) -> Any:
            parts = (colour.red, colour.green, colour.blue) if isinstance(colour, Color) else tuple(colour)
            if isinstance(colour, CMYKColor) or len(parts) != 3:
                return colour
            seen = in_palette(parts, self.palette) if self.palette != _PLAIN_PALETTE else parts
            seen = sharpened(seen) if sharp else seen
            if process:
                return inks_of(seen)
            return Color(*seen, alpha=colour.alpha) if isinstance(colour, Color) else seen

        if process or sharp or looks.on_card != _PLAIN_PALETTE:
            self._enforceColorSpace = instead

    def carry(self, name: str, data: bytes) -> None:
        """Embed a file as the source of the document."""
        document, catalog = self._doc, self._doc._catalog
        kind = {"Type": PDFName("EmbeddedFile"), "Params": PDFDictionary({"Size": len(data)})}
        stream = document.Reference(PDFStream(PDFDictionary(kind), data, filters=[]))
        spec = {"Type": PDFName("Filespec"), "F": PDFString(name), "UF": PDFString(name)}
        spec |= {"AFRelationship": PDFName("Source"), "EF": PDFDictionary({"F": stream})}
        file = document.Reference(PDFDictionary(spec))
        catalog.Names = PDFDictionary({"EmbeddedFiles": PDFDictionary({"Names": PDFArray([PDFString(name), file])})})
        # reportlab does not know the list of associated files.
        catalog.__NoDefault__ = [*catalog.__NoDefault__, "AF"]
        catalog.AF = PDFArray([file])

    def hear(self, letters: str) -> None:
        """Have readers of tags hear a text; what forms hold is left to their fields."""
        if self.tags is not None and not self._formData:
            self.tags.heard(letters)

    def begin_part(self, title: str, width: float, height: float, *, duplex: bool) -> None:
        """Go on with pages of that size (pt) under a bookmark, unless the part before has the same title.

        Where the whole is printed on both sides, a part that is not gets blank backs: it begins on a sheet of its own.
        """
        self._part += 1
        self._blank_backs = self.both_sides and not duplex
        self.setPageSize((width, height))
        if title != self._part_title:
            self._part_title = ""
            self.bookmark(title, title)
            self._part_title = title

    @property
    def in_part(self) -> bool:
        """Return True if what is drawn becomes a part of a document."""
        return bool(self._part)

    def bookmark(self, title: str, key: str) -> None:
        """A bookmark to this page, under that of its part if there is one. No two of a part have the same key."""
        self.bookmarkPage(self.own_name(key))
        self.addOutlineEntry(title, self.own_name(key), level=int(bool(self._part_title)), closed=self.in_part)

    def own_name(self, name: str) -> str:
        """Return the name of a form, a field or a place, which no other part of the document has."""
        return f"{name}-{self._part}" if self._part > 1 else name

    def beginForm(self, name: str, *box: float) -> None:  # noqa: N802
        """Begin a drawing that is repeated within the part."""
        super().beginForm(self.own_name(name), *box)

    def doForm(self, name: str) -> None:  # noqa: N802
        """Repeat a drawing."""
        super().doForm(self.own_name(name))

    def hasForm(self, name: str) -> bool:  # noqa: N802
        """Return whether a drawing was made in the part."""
        return bool(super().hasForm(self.own_name(name)))

    def showPage(self) -> None:  # noqa: N802
        """End the page, and with it its blank back where it has one."""
        self._show_page()
        if self._blank_backs:
            self._show_page()

    def _show_page(self) -> None:
        width, height = self._pagesize
        self.pages.append(Size(width / MM, height / MM))
        if self.tags is None:
            super().showPage()
            return
        self.tags.end_page()
        super().showPage()
        self.tags.page_shown()


@contextmanager
def palette_in_use(canvas: Canvas, palette: Palette) -> Iterator[None]:
    """Draw in the colours of a palette for as long as the block lasts."""
    if not isinstance(canvas, Paper):
        yield
        return
    before, canvas.palette = canvas.palette, palette
    try:
        yield
    finally:
        canvas.palette = before


def open_document(
    width: float,
    height: float,
    *,
    title: str,
    subject: str,
    looks: Looks = _PLAIN,
    duplex: bool = False,
    process: bool = False,
) -> Paper:
    """A canvas of one page size (pt), reproducible to the byte, with its metadata set and nothing left unembedded.

    With `process` every colour becomes process inks, and no wish is left for the printer of a home. With high
    `contrast` every colour is sharpened. What is drawn for a text is tagged, but for a print shop. Where the looks name
    a document that is open, it goes on there as a new part.
    """
    if looks.into is not None:
        looks.into.begin_part(title, width, height, duplex=duplex)
        return looks.into
    canvas = Paper(
        BytesIO(),
        pagesize=(width, height),
        invariant=1,
        pageCompression=int(looks.compressed),
        pdfVersion=(1, 4),
        lang="en",
        # Without this every page would name Helvetica, which is not embedded.
        initialFontName=fonts.usable_font(fonts.SANS),
        initialFontSize=9,
    )
    if looks.tagged and not process:
        canvas.tags = Tags(canvas)
    canvas.print_in(looks, process=process)
    if looks.source and not process:
        canvas.carry(*looks.source)
    canvas.setTitle(title)
    canvas.setAuthor("Hackjack")
    canvas.setSubject(subject)
    canvas.setCreator("hackjack")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if not process:
        canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.both_sides = True
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    return canvas


def open_product(system: System, paper: Size, title: str, looks: Looks, *, duplex: bool = False) -> Paper:
    """Open a document for a product of a system, on pages of that size (mm)."""
    wide, high = paper.width * MM, paper.height * MM
    return open_document(wide, high, title=title, subject=product_line(system), looks=looks, duplex=duplex)


def close_document(canvas: Paper) -> Printed:
    """Return the finished file's bytes, with the sizes of its pages; nothing yet of a part of a document."""
    return Printed() if canvas.in_part else finish_document(canvas)


def finish_document(canvas: Paper) -> Printed:
    """Return the bytes of a document with all of its parts."""
    if canvas.tags is not None:
        canvas.tags.finish()
    canvas.save()
    made = Printed(canvas._filename.getvalue())
    made.pages = tuple(canvas.pages)
    return made


PDFX_VERSION = "PDF/X-1a:2003"
_PDFX_REGISTRY = "http://www.color.org"


def as_pdfx(pdf: Printed, condition: str, condition_name: str) -> Printed:
    """Return the file with its version, its output intent and its promise that nothing is trapped.

    A registered condition needs no colour profile in the file. The bytes depend on nothing but the input.
    """
    try:
        import pikepdf  # slow, and only print shops need it
    except ImportError as error:
        raise HackjackError("PDF/X needs pikepdf, which a page in a browser cannot have: use the program") from error

    with pikepdf.open(BytesIO(pdf)) as document:
        document.docinfo["/GTS_PDFXVersion"] = pikepdf.String(PDFX_VERSION)
        document.docinfo["/Trapped"] = pikepdf.Name("/False")
        intent = pikepdf.Dictionary(
            Type=pikepdf.Name.OutputIntent,
            S=pikepdf.Name.GTS_PDFX,
            OutputConditionIdentifier=condition,
            OutputCondition=condition_name,
            RegistryName=_PDFX_REGISTRY,
            Info=condition_name,
        )
        document.Root.OutputIntents = pikepdf.Array([document.make_indirect(intent)])
        stream = BytesIO()
        document.save(
            stream, force_version="1.4", object_stream_mode=pikepdf.ObjectStreamMode.disable, deterministic_id=True
        )
    made = Printed(stream.getvalue())
    made.pages = pdf.pages
    return made
