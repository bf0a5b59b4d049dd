// Compiles the modules in a folder with the Python of the page: node compile.mjs PYODIDE FOLDER
const [, , pyodide, folder] = process.argv;
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.FS.mkdirTree("/app");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/app");
python.runPython(`
import py_compile
from pathlib import Path
for path in Path("/app").rglob("*.py"):
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(path), str(path.with_suffix(".pyc")), doraise=True, optimize=2, invalidation_mode=unchecked)
    path.unlink()
`);
