"""Pictures of dots, which the page cannot read yet."""

from typing import Any

from generator.base.errors import HackjackError


class DecompressionBombError(Exception):
    """A picture unpacks to too many dots."""


class Image:
    """A picture. There is none."""


def open(*given: Any, **named: Any) -> Image:
    """Refuse a picture. Raises HackjackError."""
    del given, named
    raise HackjackError("This page cannot show pictures of dots. The program on a computer can.")
