"""The process of a table that the studio opened: the command line, until the studio closes this one's input."""

import runpy
import sys

from generator.base.parallel import end_with_parent

if __name__ == "__main__":
    end_with_parent(sys.stdin.fileno())
    runpy.run_module("generator", run_name="__main__")
