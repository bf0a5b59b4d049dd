// Compiles the modules in a folder with the Python of the page: node compile.mjs PYODIDE FOLDER
const [, , pyodide, folder] = process.argv;
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.FS.mkdirTree("/app");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/app");
python.runPython(`
import importlib.util, marshal
from pathlib import Path
from types import CodeType

# Numbers of lines are a fifth of it, and without the source nobody sees them.
def bare(code):
    inner = (bare(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))

unchecked = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
for path in Path("/app").rglob("*.py"):
    code = compile(path.read_bytes(), path.relative_to("/app").as_posix(), "exec", dont_inherit=True, optimize=2)
    path.with_suffix(".pyc").write_bytes(unchecked + marshal.dumps(bare(code)))
    path.unlink()
`);
