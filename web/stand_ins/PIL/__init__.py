"""What stands in for Pillow, which has no wheel for pages: its names, and a sentence where a picture is opened."""


class UnidentifiedImageError(OSError):
    """A file is no picture."""
