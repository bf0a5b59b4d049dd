"""Write `bom.json`, every package that comes along with its version and licence: `python docs/make_bill.py`.

It needs the network: the packages of `constraints.txt` are installed apart, for only they know their licences.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from venv import create

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("pip", "setuptools", "hackjack")
LICENCES = {
    "pypdfium2": "BSD-3-Clause, Apache-2.0, dependency licenses",
    "resvg_py": "MIT; the parts in Rust: MIT, Apache-2.0, BSD-3-Clause, Zlib",
}
"""Those that packages have only as files, read on 2026-11-28."""


def main() -> None:
    """Install, list, and fill in what the list lacks."""
    with TemporaryDirectory() as folder:
        create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        pins = ROOT / "constraints.txt"
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-c", str(pins), str(ROOT)], check=True)
        listed = Path(folder) / "bom.json"
        command = [
            sys.executable,
            "-m",
            "cyclonedx_py",
            "environment",
            folder,
            "--output-reproducible",
            "-o",
            str(listed),
        ]
        subprocess.run([*command, "--pyproject", str(ROOT / "pyproject.toml")], check=True)
        bill = json.loads(listed.read_text(encoding="utf-8"))
    bill["components"] = [part for part in bill["components"] if part["name"] not in TOOLS]
    bill["dependencies"] = [each for each in bill["dependencies"] if each["ref"].partition("==")[0] not in TOOLS]
    for part in bill["components"]:
        if part["name"] in LICENCES:
            part["licenses"] = [{"license": {"name": LICENCES[part["name"]]}}]
    (ROOT / "bom.json").write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
