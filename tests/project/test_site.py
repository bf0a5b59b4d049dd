"""The documents as a site: every page has its chapter, and every link leads somewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_can_be_searched(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", "-d", str(tmp_path / "read")]
    built = subprocess.run(
        [*command, ".", str(tmp_path / "site")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert not built.stderr
    pages = {path.relative_to(tmp_path / "site").with_suffix("").as_posix() for path in tmp_path.glob("site/**/*.html")}
    written = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    assert pages >= {path.relative_to(ROOT).with_suffix("").as_posix() for path in written}
    assert "url=README.html" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    index = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    assert all(word in index for word in ("jackrealm", "sticker", "trauma"))
    found = json.loads(index[index.index("(") + 1 : index.rindex(")")])
    change_log = found["docnames"].index("CHANGELOG")
    pages_of_terms = [places if isinstance(places, list) else [places] for places in found["terms"].values()]
    assert not any(change_log in places for places in pages_of_terms), "it would come first in every search"
    gallery = (tmp_path / "site" / "docs" / "gallery.html").read_text(encoding="utf-8")
    assert gallery.count("<img") >= 30
