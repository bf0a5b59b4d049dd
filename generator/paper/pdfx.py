"""PDF/X-1a:2003 out of a PDF in process colours: the keys that a printer's checker asks for."""

from __future__ import annotations

from io import BytesIO

from generator.layout.printed import Printed

VERSION = "PDF/X-1a:2003"
_REGISTRY = "http://www.color.org"


def finished(pdf: Printed, condition: str, condition_name: str) -> Printed:
    """Return the file with its version, its output intent and its promise that nothing is trapped.

    A registered condition needs no colour profile in the file. The bytes depend on nothing but the input.
    """
    import pikepdf  # slow, and only print shops need it

    with pikepdf.open(BytesIO(pdf)) as document:
        document.docinfo["/GTS_PDFXVersion"] = pikepdf.String(VERSION)
        document.docinfo["/Trapped"] = pikepdf.Name("/False")
        intent = pikepdf.Dictionary(
            Type=pikepdf.Name.OutputIntent,
            S=pikepdf.Name.GTS_PDFX,
            OutputConditionIdentifier=condition,
            OutputCondition=condition_name,
            RegistryName=_REGISTRY,
            Info=condition_name,
        )
        document.Root.OutputIntents = pikepdf.Array([document.make_indirect(intent)])
        stream = BytesIO()
        document.save(
            stream,
            force_version="1.4",
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            deterministic_id=True,
        )
    made = Printed(stream.getvalue())
    made.pages = pdf.pages
    return made
