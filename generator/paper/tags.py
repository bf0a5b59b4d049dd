"""Tagged PDF: what is drawn on a page is a heading, a list, a table or a picture, to be read aloud in its order.

The text to be read (`layout.reading`) is the plan. `reads` opens it, `says` marks what is drawn for a text of it, and
in the end each text becomes an element of the structure tree that holds what was drawn. Where the words on paper are
not the same, because a drop stands for Blood, the element says them. Whatever no text asks for is an artifact: frames,
marks to cut by, backs, what is drawn a second time.

The tree is written with reportlab's own objects; a second pass over the finished file would take longer than drawing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, assert_never

from msgspec.structs import replace
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFDocument, PDFName, PDFObject, PDFObjectReference
from reportlab.pdfgen.canvas import Canvas

from generator.layout.reading import BLANK, Drawn, Head, Items, Node, SpokenLine, SpokenSign, SpokenTable
from generator.paper import text

_ARTIFACT = "/Artifact BMC"
_UNHEARD = str.maketrans("", "", " \t\n\u00a0.,:;()[]")
"""What makes no difference to the words that are read."""

_Key = tuple[object, ...]


@contextmanager
def tagged_texts(canvas: Canvas | None, nodes: Sequence[Node]) -> Iterator[None]:
    """Tag what is drawn meanwhile as these texts, in their order; texts that nothing is drawn for are left out."""
    tags = _tags(canvas)
    if tags is None:
        yield
        return
    tags.open(nodes)
    yield
    tags.close(nodes)


@contextmanager
def tagged_as(canvas: Canvas | None, *drawn: Any) -> Iterator[None]:
    """Tag the drawing inside the block as this: a part of a face or a piece of a panel, and what of it.

    Without a text that asks for it, or drawn once already, it is an artifact, or belongs to what is being drawn.
    """
    tags = _tags(canvas)
    mark = tags.wanted(drawn) if tags else None
    if tags is None or mark is None:
        yield
        return
    tags.begin(mark)
    yield
    tags.end()


@contextmanager
def tagged_alone(canvas: Canvas | None, node: Head | SpokenLine) -> Iterator[None]:
    """Tag the drawing inside the block as this text, or the picture it describes, on pages with no other edition."""
    with tagged_texts(canvas, (replace(node, drawn=((canvas,),)),)), tagged_as(canvas, canvas):
        yield


def tag_field(canvas: Canvas) -> None:
    """The form field that was made last belongs to what is being drawn."""
    tags = _tags(canvas)
    if tags is not None:
        tags.field(canvas.acroForm.fields[-1].name)


def _tags(canvas: Canvas | None) -> "Tags | None":
    return getattr(canvas, "tags", None)


class _Mark:
    """What was drawn for a text: where it stands among the marked content of its pages, its words, its form fields."""

    def __init__(self) -> None:
        self.element: _Element | None = None
        self.places: list[tuple[str, int]] = []
        self.words: list[str] = []
        self.fields: list[tuple[str, str]] = []
        self.over = False

    @property
    def used(self) -> bool:
        return bool(self.places or self.fields)


class _Element(PDFObject):  # type: ignore[misc]
    """An element of the structure tree. `kids` are elements, places of marked content, or fields with their pages."""

    __RefOnly__ = 1

    def __init__(self, name: str, tag: str, parent: "_Element | None", more: str = "") -> None:
        self.name, self.tag, self.more, self.parent = name, tag, more, parent
        self.kids: list[_Element | tuple[str, int] | tuple[str, str]] = []

    def format(self, document: PDFDocument) -> bytes:
        """Return the bytes of the object."""
        numbers = document.idToObjectNumberAndVersion

        def at(name: str) -> str:
            return f"{numbers[name][0]} 0 R"

        first = next((kid[0] for kid in self.kids if isinstance(kid, tuple)), "")
        kids = []
        for kid in self.kids:
            match kid:
                case _Element():
                    kids.append(at(kid.name))
                case (page, int(place)):
                    kids.append(str(place) if page == first else f"<</Type/MCR/Pg {at(page)}/MCID {place}>>")
                case (page, str(widget)):
                    kids.append(f"<</Type/OBJR/Pg {at(page)}/Obj {at(widget)}>>")
        inside = f"/K {kids[0]}" if len(kids) == 1 else f"/K[{' '.join(kids)}]" if kids else ""
        page = f"/Pg {at(first)}" if first else ""
        above = at(self.parent.name if self.parent else _ROOT)
        return f"<</S/{self.tag}/P {above}{page}{self.more}{inside}>>".encode("ascii")


_ROOT = "StructTreeRoot"


class _Root(PDFObject):  # type: ignore[misc]
    """The root of the tree, and which element each piece of marked content and each field belongs to."""

    __RefOnly__ = 1

    def __init__(self, top: _Element, owners: list[list[_Element | None] | _Element]) -> None:
        self.top, self.owners = top, owners

    def format(self, document: PDFDocument) -> bytes:
        """Return the bytes of the object."""
        numbers = document.idToObjectNumberAndVersion

        def at(element: _Element | None) -> str:
            return f"{numbers[element.name][0]} 0 R" if element else "null"

        pairs = " ".join(
            f"{number} {at(owner) if isinstance(owner, _Element) else '[' + ' '.join(map(at, owner)) + ']'}"
            for number, owner in enumerate(self.owners)
        )
        count = len(self.owners)
        return (
            f"<</Type/StructTreeRoot/K {at(self.top)}/ParentTreeNextKey {count}/ParentTree<</Nums[{pairs}]>>>>"
        ).encode("ascii")


class Tags:
    """The structure of one document: gathered while its pages are drawn, put into it when it is closed."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document: PDFDocument = canvas._doc
        self._count = 0
        self._top = _Element("Tag0", "Document", None)
        self._wanted: dict[_Key, _Mark] = {}
        self._open: list[_Mark] = []
        self._page: list[_Mark] = []
        self._pages: list[list[_Mark]] = []
        self._widgets: list[_Element] = []

    # --- while a page is drawn

    def open(self, nodes: Sequence[Node]) -> None:
        """Want what is drawn for these texts."""
        self._wanted = {_key(drawn): _Mark() for node in nodes for drawn in _all_drawn(node)}

    def wanted(self, drawn: Drawn) -> _Mark | None:
        """The mark of what is about to be drawn, if a text asks for it and it was not drawn before."""
        mark = self._wanted.get(_key(drawn))
        return None if mark is None or mark.over or self._canvas._formData else mark

    def begin(self, mark: _Mark) -> None:
        """Marked content begins; what surrounds it pauses."""
        self._open.append(mark)
        self._switch()

    def end(self) -> None:
        """Marked content ends; what surrounds it goes on."""
        self._open.pop().over = True
        self._switch()

    def _switch(self) -> None:
        """End one sequence of marked content and begin the next: nothing on a page is outside of all."""
        code: list[str] = self._canvas._code
        if code and code[-1].endswith(("BMC", "BDC")):
            # Nothing was drawn in it.
            if code.pop() != _ARTIFACT:
                self._page.pop().places.pop()
        else:
            code.append("EMC")
        if self._open:
            mark = self._open[-1]
            mark.places.append((self._document.thisPageName(), len(self._page)))
            code.append(f"/Span<</MCID {len(self._page)}>>BDC")
            self._page.append(mark)
        else:
            code.append(_ARTIFACT)

    def heard(self, text: str) -> None:
        """Words that are being drawn."""
        if self._open:
            self._open[-1].words.append(text)

    def field(self, name: str) -> None:
        """A form field, by the name of its object."""
        if self._open:
            self._open[-1].fields.append((self._document.thisPageName(), name))

    def end_page(self) -> None:
        """Close what is open on the page that is about to be shown."""
        code: list[str] = self._canvas._code
        if code and code[-1] == _ARTIFACT:
            code.pop()
        elif code:
            code.append("EMC")
        if code:
            code.insert(0, _ARTIFACT)

    def page_shown(self) -> None:
        """Number the page that was shown last, so that its marked content can be traced."""
        page = self._document.Pages.pages[-1]
        if self._page:
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
            page.StructParents = len(self._pages)
            # The tab key goes from field to field in the order in which the page is read.
            page.Tabs = PDFName("S")
            self._pages.append(self._page)
            self._page = []

    # --- the tree

    def close(self, nodes: Sequence[Node]) -> None:
        """Make elements of the texts that something was drawn for."""
        for node in nodes:
            self._told(node)
        self._wanted = {}

    def _told(self, node: Node) -> None:
        match node:
            case Head():
                # The document's title, which no page shows, would be the heading over these.
                if self._filled(self._top, f"H{node.level - 1}", node.text, node.drawn) and node.level == 2:
                    self._canvas.bookmark(node.text, f"part {self._count}")
            case SpokenLine():
                words = " ".join(filter(None, (node.strong, node.text)))
                self._filled(self._top, "Figure" if node.picture else "P", words, node.drawn, label=node.strong)
            case SpokenSign():
                self._filled(self._top, "Figure", node.says, node.drawn)
            case Items():
                self._list(node)
            case SpokenTable() if node.picture:
                words = "; ".join(", ".join(filter(None, row)) for row in ((node.caption,), node.head, *node.rows))
                self._filled(self._top, "Figure", words, node.drawn)
            case SpokenTable():
                self._table(node)
            case _:
                assert_never(node)

    def _list(self, node: Items) -> None:
        items = [(listed, drawn) for listed, drawn in zip(node.items, node.drawn, strict=False) if self._used(drawn)]
        if not items:
            return
        numbering = "/A<</O/List/ListNumbering/Decimal>>" if node.numbered else ""
        whole = self._element("L", self._top, numbering)
        for listed, drawn in items:
            item = self._element("LI", whole)
            self._filled(item, "Lbl", "", ((*drawn, "label"),))
            self._filled(item, "LBody", listed, (drawn,))

    def _table(self, node: SpokenTable) -> None:
        rows = [
            (cells, drawn)
            for cells, drawn in zip((node.head, *node.rows), node.drawn, strict=False)
            if self._used(drawn) or any(self._used((*drawn, at)) for at in range(len(cells)))
        ]
        if not rows:
            return
        whole = self._element("Table", self._top, f"/A<</O/Table/Summary{_string(node.caption)}>>")
        for cells, drawn in rows:
            line = self._element("TR", whole)
            head = cells is node.head
            at = 0
            while at < len(cells):
                end = at + self._span(cells, drawn, at)
                row_cells = cells[at : at + 1] if node.merge else cells[at:end]
                titled = head or (at == 0 and bool(cells[0]))
                more = f"/ColSpan {end - at}" if end - at > 1 else ""
                scope = "/Scope/Column" if head else "/Scope/Row" if titled else ""
                more = f"/A<</O/Table{scope}{more}>>" if scope or more else ""
                if not self._filled(line, "TH" if titled else "TD", " ".join(row_cells), ((*drawn, at),), more):
                    self._element("TH" if titled else "TD", line, more)
                at = end

    def _span(self, cells: Sequence[str], drawn: Drawn, at: int) -> int:
        """Over how many columns a cell stands: what has nothing of its own on paper is part of the cell before it."""
        end = last = at + 1
        while end < len(cells) and not self._used((*drawn, end)):
            end += 1
            if cells[end - 1]:
                last = end
        return last - at

    def _used(self, drawn: Drawn) -> bool:
        mark = self._wanted.get(_key(drawn))
        return mark is not None and mark.used

    def _filled(
        self, parent: _Element, tag: str, text: str, drawn: Sequence[Drawn], more: str = "", label: str = ""
    ) -> bool:
        """An element that holds what was drawn for a text, and its words where the paper has not the same.

        Nothing, and False, where nothing was drawn. Where there are fields to fill in, only the `label` before them is
        read: what they hold changes.
        """
        elements = [self._wanted.get(_key(one)) for one in drawn]
        marks = [mark for mark in elements if mark is not None and mark.used]
        if not marks:
            return False
        places = [place for mark in marks for place in mark.places]
        fields = [field for mark in marks for field in mark.fields]
        text = (label if fields else text).replace(f": {BLANK}", "").replace(BLANK, "")
        if tag == "Figure":
            element = self._element(tag, parent, f"{more}/Alt{_string(text)}")
            inner = element
        elif not text or _heard(text) == _heard(" ".join(word for mark in marks for word in mark.words)):
            inner = element = self._element(tag, parent, more)
        elif fields:
            # The words of an element stand for all that is in it: fields stay outside.
            element = self._element(tag, parent, more)
            inner = self._element("Span", element, f"/ActualText{_string(text)}") if places else element
        else:
            inner = element = self._element(tag, parent, f"{more}/ActualText{_string(text)}")
        inner.kids += places
        for mark in marks:
            mark.element = inner
        for page, name in fields:
            self._field(element, page, name)
        return True

    def _field(self, parent: _Element, page: str, name: str) -> None:
        element = self._element("Form", parent)
        element.kids.append((page, name))
        self._document.idToObject[name].dict["StructParent"] = _Late(self._widget_number(element))

    def _widget_number(self, element: _Element) -> Callable[[], int]:
        """Return the number of a field's element: known when all pages have theirs."""
        self._widgets.append(element)
        place = len(self._widgets) - 1
        return lambda: len(self._pages) + place

    def _element(self, tag: str, parent: _Element, more: str = "") -> _Element:
        self._count += 1
        element = _Element(f"Tag{self._count}", tag, parent, more)
        self._document.Reference(element, element.name)
        parent.kids.append(element)
        return element

    def finish(self) -> None:
        """Put the tree into the document. One without a text has none."""
        if not self._top.kids:
            return
        owners: list[list[_Element | None] | _Element] = [[mark.element for mark in page] for page in self._pages]
        root = _Root(self._top, [*owners, *self._widgets])
        catalog = self._document.Catalog
        self._document.Reference(root, _ROOT)
        self._document.Reference(self._top, self._top.name)
        catalog.StructTreeRoot = PDFObjectReference(_ROOT)
        catalog.MarkInfo = PDFDictionary({"Marked": "true"})


class _Late(PDFObject):  # type: ignore[misc]
    """A number that is known when the file is written."""

    def __init__(self, number: Callable[[], int]) -> None:
        self._number = number

    def format(self, document: PDFDocument) -> bytes:  # noqa: ARG002
        """Return the number's digits."""
        return str(self._number()).encode("ascii")


def _key(drawn: Drawn) -> _Key:
    """What is drawn, told apart from another that is equal to it."""
    return (id(drawn[0]), *drawn[1:]) if drawn else ()


def _all_drawn(node: Node) -> Iterator[Drawn]:
    """Everything that may be drawn for a node."""
    match node:
        case Head() | SpokenLine() | SpokenSign():
            yield from node.drawn
        case Items():
            for drawn in node.drawn:
                yield drawn
                yield (*drawn, "label")
        case SpokenTable() if node.picture:
            yield from node.drawn
        case SpokenTable():
            for cells, drawn in zip_longest((node.head, *node.rows), node.drawn, fillvalue=()):
                if drawn:
                    yield from ((*drawn, at) for at in range(len(cells)))
        case _:
            assert_never(node)


def _heard(words: str) -> str:
    """Return the words of a text, whatever stands between them."""
    return text.typeset(words).translate(_UNHEARD).casefold()


def _string(text: str) -> str:
    """Return a text as a string of a PDF."""
    if text.isascii() and text.isprintable():
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        return f"({escaped})"
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
