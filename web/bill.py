"""The bill of materials of the page: every package that is bundled in it, with version, licence and licence text."""

import json
import re
from collections.abc import Iterator
from email.parser import HeaderParser
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("esbuild",)
"""Packages of npm that build the page and are not in it."""
_TEXTS = re.compile(r"[^/]+\.dist-info/(licenses/.+|LICEN[^/]*)")
_CLASSIFIER = "License :: OSI Approved :: "


class Part(NamedTuple):
    """Something that is bundled: its name, version and licence, its address among packages, and its licence texts."""

    name: str
    version: str
    licence: str
    purl: str
    texts: tuple[str, ...] = ()


def parts(fetched: Path) -> list[Part]:
    """Return everything that is bundled in the page, in the order of the names; `fetched` has the packages."""
    grenze = ROOT / "generator" / "paper" / "typefaces" / "Grenze-OFL.txt"
    ofl, ours = grenze.read_text(encoding="utf-8"), (ROOT / "LICENSE").read_text(encoding="utf-8")
    lock = json.loads((fetched / "node_modules" / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    found = [
        Part("Hackjack", "", "MIT", "", (ours,)),
        Part("Grenze", "", "OFL-1.1", "", (ofl,)),
        Part("Python", lock["info"]["python"], "PSF-2.0", f"pkg:generic/python@{lock['info']['python']}"),
    ]
    found += [*_of_npm(fetched), *_of_pypi(fetched, ofl)]
    texts_of = {part.licence: part.texts for part in found if part.texts}
    named = (part._replace(texts=part.texts or texts_of.get(part.licence, ())) for part in found)
    return sorted(named, key=lambda part: part.name.casefold())


def _of_npm(fetched: Path) -> Iterator[Part]:
    wanted = json.loads((fetched / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for name in wanted.keys() - {*TOOLS}:
        folder = fetched / "node_modules" / name
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        texts = tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("LICEN*")))
        yield Part(
            name, about["version"], about["license"], f"pkg:npm/{name.replace('@', '%40')}@{about['version']}", texts
        )


def _of_pypi(fetched: Path, ofl: str) -> Iterator[Part]:
    for wheel in sorted((fetched / "wheels").glob("*.whl")):
        with ZipFile(wheel) as archive:
            names = archive.namelist()
            (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
            head = HeaderParser().parsestr(archive.read(about).decode())
            texts = tuple(archive.read(name).decode(errors="replace") for name in names if _TEXTS.fullmatch(name))
        classes = (each.removeprefix(_CLASSIFIER) for each in head.get_all("Classifier", ()) if _CLASSIFIER in each)
        licence = head["License-Expression"] or next(classes, "") or head["License"]
        name, version = head["Name"], head["Version"]
        yield Part(name, version, licence, f"pkg:pypi/{name.lower()}@{version}", texts or (ofl,) * ("OFL" in licence))


def as_json(bill: list[Part]) -> bytes:
    """Return the bill in the form of CycloneDX."""
    components: list[dict[str, Any]] = [
        {"type": "library", "name": part.name, "licenses": [{"license": {"name": part.licence}}]}
        | ({"version": part.version} if part.version else {})
        | ({"purl": part.purl} if part.purl else {})
        for part in bill
    ]
    whole = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}
    return json.dumps(whole, indent=1).encode() + b"\n"


def as_html(bill: list[Part]) -> str:
    """Return what the page shows of the bill: a list, and each licence text once, with the packages that it is for."""
    lines = "".join(
        f"<li>{escape(f'{part.name} {part.version}'.strip())}: {escape(part.licence)}</li>" for part in bill
    )
    users: dict[str, list[str]] = {}
    for part in bill:
        for text in part.texts:
            users.setdefault(text.strip(), []).append(part.name)
    texts = "\n\n\n".join(f"{', '.join(dict.fromkeys(names))}\n\n{text}" for text, names in users.items())
    return (
        '<details class="means" id="licences"><summary>Licences</summary>\n'
        f"<p>This page has in it:</p><ul>{lines}</ul>\n"
        "<p>The source of each is at pypi.org, npmjs.com or python.org, by its name and version.</p>\n"
        f'<textarea readonly rows="20" aria-label="The texts of the licences">\n{escape(texts)}</textarea></details>'
    )
