"""What comes along with the program: the versions that were tested, their list for scanners, and the known faults."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from importlib.metadata import requires

from helpers import ROOT
from packaging.requirements import Requirement
from packaging.version import Version

SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


DECLARED = [
    Requirement(line)
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
]


def plain(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def pinned() -> dict[str, str]:
    """The versions that were tested, by the package's name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {plain(line.split("==")[0]): line.split("==")[1] for line in lines if line and not line.startswith("#")}


def needed() -> set[str]:
    """Every package that an installation brings along, and what those need in turn."""
    found, todo = set[str](), list(DECLARED)
    while todo:
        one = todo.pop()
        found.add(plain(one.name))
        for line in requires(one.name) or ():
            other = Requirement(line)
            wanted = [other.marker is None or other.marker.evaluate({"extra": extra}) for extra in ("", *one.extras)]
            if any(wanted) and plain(other.name) not in found:
                todo.append(other)
    return found


def test_every_package_that_comes_along_has_a_tested_version() -> None:
    assert needed() <= {*pinned()}
    assert {*pinned()} - needed() <= {"typing-extensions"}, "only older versions of Python need it"


def test_the_tested_versions_are_ones_that_we_ask_for() -> None:
    for one in DECLARED:
        assert one.specifier.contains(pinned()[plain(one.name)]), one


def test_the_bill_of_materials_says_what_the_constraints_say() -> None:
    bill = json.loads((ROOT / "bom.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "hackjack"
    listed = {plain(part["name"]): part["version"] for part in bill["components"]}
    assert listed == pinned(), "make it anew: CONTRIBUTING.md says how"
    for part in bill["components"]:
        assert part["purl"] == f"pkg:pypi/{plain(part['name'])}@{part['version']}"
        assert part["licenses"], f"{part['name']}: docs/make_bill.py has the licences that a package keeps to itself"


def test_the_page_without_an_installation_has_the_versions_that_are_tested() -> None:
    pinned = {*re.findall(r"^[\w-]+==[\d.]+$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)}
    taken = re.findall(
        r"^([\w-]+==[\d.]+) \\\n    --hash=sha256:", (ROOT / "web/requirements.txt").read_text("utf-8"), re.M
    )
    assert len(taken) > 10 and {*taken} <= pinned


# --- SECURITY.md -----------------------------------------------------------------------------------------------------


def rows(heading: str) -> list[list[str]]:
    """The lines of the first table below a heading, as cells."""
    below = SECURITY.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_bounds_leave_out_what_is_known_to_be_faulty() -> None:
    bounds = {
        plain(one.name): next(Version(each.version) for each in one.specifier if each.operator in (">=", "=="))
        for one in DECLARED
    }
    faulty = rows("Packages that it needs")
    assert len(faulty) >= 6
    for name, bound, faults, mended in faulty:
        assert "CVE-" in faults
        assert bounds[name.strip("`")] == Version(bound) >= Version(mended), name
    said = {plain(name) for name in re.findall(r"`([\w.-]+)`", SECURITY.partition("## Packages that it needs")[2])}
    assert {name for name in bounds if not name.startswith("font-source")} <= said


def test_every_test_that_is_named_exists() -> None:
    threats = rows("Threats, and their tests")
    origins = {"packs", "ZIP files", "campaigns", "the page", "files that we write"}
    assert origins <= {origin for origin, *_ in threats}
    for _, threat, _, tests in threats:
        named = re.findall(r"(?:^|; )([^;(]+) \(`(test_\w+)`\)", tests)
        assert len(named) == len(tests.split("; ")), f"no test stands against: {threat}"
        for said, module in named:
            [path] = (ROOT / "tests").rglob(f"{module}.py")
            text = path.read_text(encoding="utf-8")
            assert f"\ndef test_{said.replace(' ', '_')}(" in text, (module, said)
