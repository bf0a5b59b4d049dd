"""What Python needs in a worker of the page before anything of ours is imported, and what goes to and fro."""

import marshal
import sys
import types
from typing import Any

from pyodide.ffi import to_js

# anyio names it where Python has it, and never uses it here.
sys.modules["concurrent.interpreters"] = types.ModuleType("concurrent.interpreters")
sys.modules["concurrent.interpreters"].__dict__.update(ExecutionFailed=RuntimeError, create=None)

from generator.base.files import data_root, first_bytes  # noqa: E402
from generator.pack import strict_yaml  # noqa: E402

PARSED = "parsed.bin"
"""What the files of systems that ship hold, read when the page was built."""
_MAX_PARSED = 100_000_000

strict_yaml.PARSED.update(marshal.loads(first_bytes(data_root() / PARSED, PARSED, _MAX_PARSED)))


DECODED: dict[bytes, Any] = {}
"""Pictures as canvases, by the checksums of their files; none for a file that the browser cannot read."""


class Wanted(BaseException):
    """A file that the browser must decode first; an empty one for what draws SVG."""


def sent(data: bytes) -> Any:
    """Return bytes as JavaScript has them."""
    return to_js(data)


def received(data: Any) -> bytes:
    """Return bytes that come from JavaScript; none where there is nothing."""
    return bytes(data.to_bytes()) if data is not None else b""
