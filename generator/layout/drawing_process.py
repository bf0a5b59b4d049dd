"""The process that draws SVG: resvg, with limits of time and memory, in an empty folder, until its input ends."""

import json
import os
import sys
from contextlib import suppress
from tempfile import TemporaryFile, mkdtemp

import resvg_py

MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 10
"""Processor time of one drawing."""
MAX_WARNINGS = 20_000


def _limit() -> None:
    with suppress(ImportError):  # Windows has no such limits.
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(usage.ru_utime + usage.ru_stime) + MAX_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def main() -> None:
    """Draw what is asked for, one line of JSON each: a line of JSON comes back, then the bytes of a PNG."""
    folder = mkdtemp()
    with TemporaryFile() as warnings, os.fdopen(os.dup(1), "wb") as replies:
        # resvg writes its warnings to the standard output.
        os.dup2(warnings.fileno(), 1)
        os.chdir(folder)
        with suppress(OSError):  # Windows removes no folder that somebody works in.
            os.rmdir(folder)  # noqa: PTH106
        for line in sys.stdin.buffer:
            text, side, css, paper = json.loads(line)
            _limit()
            warnings.seek(0)
            warnings.truncate()
            try:
                picture = resvg_py.svg_to_bytes(
                    svg_string=text,
                    style_sheet=css,
                    background=paper,
                    width=side,
                    height=side,
                    skip_system_fonts=True,
                    log_information=True,
                )
                warnings.seek(0)
                reason = warnings.read(MAX_WARNINGS).decode(errors="replace")
            except ValueError as error:
                picture, reason = b"", str(error)
            replies.write(json.dumps({"size": len(picture), "reason": reason}).encode() + b"\n" + picture)
            replies.flush()


if __name__ == "__main__":
    main()
