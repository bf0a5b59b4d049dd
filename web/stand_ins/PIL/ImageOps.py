"""The browser turns pictures itself."""

from typing import Any


def exif_transpose(image: Any) -> Any:
    """Return a picture the right way up."""
    return image.convert(image.mode)
