"""Build Hackjack as a page: `python web/build.py` makes `output/web/`, for any host, and `output/hackjack.html`.

Another folder may be named instead of `output`. It needs npm and node, and the network once: what comes from npm and
PyPI is pinned with its checksum in `package-lock.json` and `requirements.txt`, and is kept in `output/web-parts/`.
"""

import base64
import gzip
import importlib.util
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from venv import create
from zipfile import ZipFile

from bill import as_html, as_json, parts

from generator.base.errors import ContentError
from generator.pack import strict_yaml
from generator.serve.app import FONTS

ROOT = Path(__file__).resolve().parents[1]
WEB, OUT, PAGE = ROOT / "web", ROOT / "output", ROOT / "templates" / "page"
PARTS = OUT / "web-parts"
MODULES = PARTS / "node_modules"
PYODIDE = MODULES / "pyodide"
RUNTIME = {name: PYODIDE / name for name in ("pyodide.asm.wasm", "python_stdlib.zip")}
RUNTIME["resvg.wasm"] = MODULES / "@resvg" / "resvg-wasm" / "index_bg.wasm"
UNUSED = re.compile(
    r"reportlab/(fonts|graphics|platypus)/|pypdfium2_cli/|anyio/(pytest_plugin|_backends/_trio)\.py|segno/(cli|scripts)"
    r"|.*-linux-gnu\.so$|.*\.(pyi|pyx|pxd|h|otf|woff2?|typed)$|[^/]+\.dist-info/|.*/tests?/"
)
"""Files of packages that the page never reads. C parts for other machines have Python beside them."""
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")
PROGRAM = "program.bin"
"""A host that knows its ending might unpack it."""
FONT_FACE = re.compile(r'@font-face \{ font-family: "([^"]+)";(.*?) src: url\((\w+)\.ttf\).*\n')
POLICY = re.compile("<meta http-equiv=.*\n")
STYLES = re.compile(r'rel="stylesheet" href="([\w.-]+)"')
IN_PAGE = ("page_setup", "pictures_here", "in_page", "second_worker", "safe_keeping", "tables_here")
OURS = ("generator", "content", "templates")
COMMON = ("--bundle", "--minify", "--platform=browser", "--format=iife", "--log-level=error")
NODE_ONLY = ("node:*", "fs", "path", "url", "vm", "ws", "child_process", "crypto", "module")


def fetch() -> None:
    """Get what is not there yet: the runtime and the bundler from npm, wheels from PyPI, with their checksums."""
    PARTS.mkdir(parents=True, exist_ok=True)
    pins = b"".join((WEB / name).read_bytes() for name in ("package-lock.json", "requirements.txt"))
    done = PARTS / "fetched"
    if done.exists() and done.read_bytes() == pins:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WEB / name, PARTS / name)
    _run("npm", "ci", "--ignore-scripts", "--silent")
    python = sys.executable
    if importlib.util.find_spec("pip") is None:
        create(PARTS / "python", with_pip=True)
        python = str(next((PARTS / "python").glob("[bS]*/python*")))
    shutil.rmtree(PARTS / "wheels", ignore_errors=True)
    # PyYAML and MarkupSafe have no wheel for pages: what of theirs is in Python does, from one for Linux.
    tags = ("--python-version=3.14", "--abi=cp314", *(f"--platform={name}" for name in PLATFORMS))
    given = ("--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(WEB / "requirements.txt"))
    _run(python, "-m", "pip", "download", "-q", "-d", str(PARTS / "wheels"), *tags, *given)
    done.write_bytes(pins)


def program() -> bytes:
    """Return our modules and their packages, compiled, and what our files hold, as a packed tar file."""
    app = PARTS / "app"
    shutil.rmtree(app, ignore_errors=True)
    for wheel in sorted((PARTS / "wheels").glob("*.whl")):
        with ZipFile(wheel) as archive:
            archive.extractall(app / "packages", [name for name in archive.namelist() if not UNUSED.match(name)])
    shutil.copytree(WEB / "stand_ins", app / "packages", dirs_exist_ok=True)
    left_out = shutil.ignore_patterns("__pycache__", "schemas", "page")
    for name in OURS:
        shutil.copytree(ROOT / name, app / name, ignore=None if name == "generator" else left_out)
    for path in (ROOT / "pyproject.toml", *(WEB / f"{name}.py" for name in IN_PAGE)):
        shutil.copy(path, app)
    (app / "parsed.bin").write_bytes(marshal.dumps(_parsed(app), 4))
    _run("node", str(WEB / "compile.mjs"), (PYODIDE / "pyodide.mjs").as_uri(), str(app))
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(app.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                entry = tarfile.TarInfo(path.relative_to(app).as_posix())
                entry.size = path.stat().st_size
                archive.addfile(entry, BytesIO(path.read_bytes()))
    return gzip.compress(stream.getvalue(), 9, mtime=0)


def _parsed(app: Path) -> dict[bytes, bytes]:
    """Return what each YAML file of ours holds, by the checksum of its text: reading them takes a page seconds."""
    kept = {}
    for path in sorted(app.glob("[ct]*/**/*.yaml")):
        text = path.read_text(encoding="utf-8")
        try:
            value, marks = strict_yaml.read_text(text, path.name)
        except ContentError:  # An example may be wrong on purpose.
            continue
        found = {name: getattr(marks, name) for name in ("values", "keys", "blocks", "quoted", "folded")}
        kept[strict_yaml.checksum(text)] = marshal.dumps((value, found), 4)
    return kept


def bundled(entry: Path, *more: str) -> str:
    """Return a script with all that it imports."""
    bundler = str(MODULES / "esbuild" / "bin" / "esbuild")
    external = [f"--external:{name}" for name in NODE_ONLY]
    return _run("node", bundler, str(entry), *COMMON, *external, *more, paths=MODULES)


def fonts() -> list[tuple[str, str, dict[str, str]]]:
    """Return the fonts of the page as its styles name them: the file in its package, the family, and the face."""
    found = []
    for family, face, name in FONT_FACE.findall("".join(path.read_text("utf-8") for path in PAGE.glob("*.css"))):
        told = dict(part.strip().removeprefix("font-").split(": ") for part in face.split(";") if part.strip())
        found.append(("/".join(Path(FONTS[name]).parts[-3:]), family, told))
    return found


def page(name: str) -> tuple[str, dict[str, bytes]]:
    """Return one of our pages without its script and its policy, and the files that it names."""
    html = (PAGE / name).read_text(encoding="utf-8")
    styles = {name: FONT_FACE.sub("", (PAGE / name).read_text("utf-8")).encode() for name in STYLES.findall(html)}
    return re.sub(r"<script .*?</script>\n", "", html), styles


def site(app: bytes, worker: str) -> dict[str, bytes]:
    """Return the files of the folder by their names."""
    html, files = page("studio.html")
    table, styles = page("index.html")
    files |= styles | {"icon.svg": (PAGE / "icon.svg").read_bytes(), "alone.css": (WEB / "page/alone.css").read_bytes()}
    files |= {"studio.js": bundled(PAGE / "studio.js").encode(), "table.js": bundled(PAGE / "main.js").encode()}
    files["start.js"] = bundled(WEB / "page" / "start.js").encode()
    scripts = "".join(f'\n<script defer src="{name}.js"></script>' for name in ("start", "studio"))
    more = f'<link rel="stylesheet" href="alone.css">{scripts}'
    bill = parts(PARTS)
    html = html.replace("</head>", f"{more}\n</head>").replace("</body>", f"{as_html(bill)}\n</body>")
    files["bom.json"] = as_json(bill)
    # The table's script runs within this page, where nothing has an address of its own.
    html = with_policy(html, f"'self' {_checksum(files['table.js'].decode())}", "'self'", "'self'")
    files |= {"index.html": html.encode(), "table.html": table.encode()}
    files |= {name: path.read_bytes() for name, path in RUNTIME.items()}
    return files | {"worker.js": worker.encode(), PROGRAM: app}


def with_policy(html: str, scripts: str, styles: str, workers: str) -> str:
    """Return a page that runs and asks nothing but what it came with."""
    rules = (
        f"script-src {scripts} 'wasm-unsafe-eval'; style-src {styles}; worker-src {workers}; connect-src 'self' blob:"
    )
    more = "default-src 'none'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{more}; {rules}">\n'
    return html.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{policy}')


def _checksum(code: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(code.encode()).digest()).decode()}'"


def one_file(files: Mapping[str, bytes]) -> str:
    """Return the page with everything in it."""

    def held(name: str, raw: bytes) -> str:
        packs = not name.endswith((".bin", ".zip"))
        raw = gzip.compress(raw, 9, mtime=0) if packs else raw
        return (
            f'<script type="text/plain" data-file="{name}"{" data-packed" if packs else ""}>'
            f"{base64.b64encode(raw).decode()}</script>"
        )

    def styled(name: str) -> tuple[str, str]:
        html = POLICY.sub("", files[name].decode())
        styles = "".join(files[name].decode() for name in STYLES.findall(html))
        html = re.sub(r'<link rel="stylesheet"[^>]*>\n|<script .*?</script>\n', "", html)
        html = html.replace('href="icon.svg"', f'href="{icon}"')
        return html.replace("</head>", f"<style>{styles}</style>\n</head>"), styles

    icon = f"data:image/svg+xml;base64,{base64.b64encode(files['icon.svg']).decode()}"
    (html, styles), (table, more) = styled("index.html"), styled("table.html")
    start, studio = (files[name].decode().replace('"icon.svg"', json.dumps(icon)) for name in ("start.js", "studio.js"))
    codes = [code.replace("</script", "<\\/script").replace("<!--", "<\\!--") for code in (start, studio)]
    texts = {name: files[name] for name in ("worker.js", PROGRAM, *RUNTIME, "table.js")} | {
        "table.html": table.encode()
    }
    parts = [held(name, raw) for name, raw in texts.items()] + [f"<script>{code}</script>" for code in codes]
    allowed = " ".join(map(_checksum, (*codes, files["table.js"].decode())))
    html = with_policy(html, allowed, f"{_checksum(styles)} {_checksum(more)}", "blob:")
    return html.replace("</body>", "\n".join(parts) + "\n</body>")


def _run(*words: str, paths: Path | None = None) -> str:
    """Run a program, and return what it prints. Exits with a sentence where there is no such program."""
    found = shutil.which(words[0])
    if found is None:
        sys.exit(f"{words[0]} is missing. Install Node 20 or later, which has it.")
    env = {**os.environ, **({"NODE_PATH": str(paths)} if paths else {})}
    command = [found, *words[1:]]
    return subprocess.run(command, cwd=PARTS, env=env, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def write(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, raw in files:
        (folder / name).write_bytes(raw)


def main(out: Path) -> None:
    """Build both into a folder, and say how large they are."""
    fetch()
    worker = bundled(
        WEB / "page" / "worker.js",
        '--define:import.meta.url="https://hackjack.invalid/worker.js"',
        f"--define:FONTS={json.dumps(fonts())}",
        "--define:Buffer=Uint8Array",  # What packs photographs would use Node's.
        # The runtime refuses workers that are no modules, which a page that was opened as a file cannot have.
        "--banner:js=self.importScripts = () => { throw new TypeError(); };",
    )
    files = site(program(), worker)
    folder, one = out / "web", out / "hackjack.html"
    write(folder, files.items())
    one.write_text(one_file(files), encoding="utf-8")
    packed = sum(len(raw if name.endswith((".bin", ".zip")) else gzip.compress(raw)) for name, raw in files.items())
    print(f"{folder}: {packed / 1e6:.1f} MB to download")
    print(f"{one}: {one.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else OUT)
