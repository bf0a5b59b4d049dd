"""Pictures of a pack's own: found inside its folder, opened within limits, and cut to the shape they are printed in.

A pack may come from anybody. So a picture is read by three decoders only, its size is judged before anything is
unpacked, and what the file says of itself besides its dots and their colours (comments, frames) is left alone.
"""

import warnings
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from generator.base.errors import HackjackError
from generator.base.files import first_bytes, stamped_inside
from generator.layout.sheets import GOOD_DPI, MIN_DPI, MM

# No other module imports Pillow, and this one only where there is a picture.
if TYPE_CHECKING:
    from PIL import Image

Dots = tuple[int, int, int]
"""Red, green and blue of a dot, from 0 to 255."""
WHITE: Dots = (255, 255, 255)

MAX_BYTES = 20_000_000
MAX_DOTS = 25_000_000
"""Five thousand by five thousand: a tarot card at 1000 dpi."""
MIN_SIDE = 16
FORMATS = ("PNG", "JPEG", "WEBP")
PHOTOS = ("JPEG", "MPO")
"""What is packed with a little loss again. MPO is a JPEG with more than one picture in it."""
QUALITY = 92
"""Of photographs, which are packed as JPEG again."""
MAX_DPI = 600
"""Finer pictures are made smaller: no printer of cards shows the difference, and files grow by the square."""

_MM_AN_INCH = 72 / MM


class Artwork(Struct, frozen=True):
    """A picture without transparency, in RGB. `photo` for what is packed better with a little loss."""

    name: str
    image: "Image.Image"
    photo: bool


class PictureVerdict(Struct, frozen=True):
    """How fine a picture is at the size it is printed at, and what that means for the target."""

    level: Literal["good", "warning", "error"]
    message: str


def load_artwork(folder: Path, name: str, paper: Dots = WHITE) -> Artwork:
    """Return the picture of that name in a pack's folder, on paper of that colour where it lets it through.

    Raises HackjackError with one sentence, whatever is wrong.
    """
    path, changed, size = stamped_inside(folder, name)
    if size > MAX_BYTES:
        raise HackjackError(f"{name} is {size / 1e6:.0f} MB; the limit is {MAX_BYTES / 1e6:.0f} MB")
    return _load(path, name, paper, changed, size)


@lru_cache(maxsize=4)
def _load(path: Path, name: str, paper: Dots, changed: int, size: int) -> Artwork:
    """The last pictures stay open, for they are checked and then drawn; `changed` and `size` tell another one."""
    del changed, size
    return read_artwork(first_bytes(path, name, MAX_BYTES), name, paper)


def read_artwork(data: bytes, name: str, paper: Dots = WHITE) -> Artwork:
    """Return a picture from the bytes of a file, on paper of that colour. Raises HackjackError with one sentence."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bomb is refused below, by its dots
            with Image.open(BytesIO(data), formats=FORMATS) as opened:
                _refuse(opened, name)
                photo = opened.format in PHOTOS
                image = flat_image(srgb_image(opened), paper)
    except HackjackError:
        raise
    except UnidentifiedImageError as error:
        raise HackjackError(f"{name} is not a valid picture: save it as PNG, JPEG or WebP") from error
    except Image.DecompressionBombError as error:
        raise HackjackError(f"{name} unpacks to far too many pixels; {_most()}") from error
    except Exception as error:
        # Decoders raise what a damaged file makes them stumble over: OSError, SyntaxError, ValueError, struct.error.
        raise HackjackError(f"{name} is damaged: save it again") from error
    return Artwork(name, image, photo)


def _refuse(opened: "Image.Image", name: str) -> None:
    """What can be judged before a dot is unpacked."""
    width, height = opened.size
    if width * height > MAX_DOTS:
        raise HackjackError(f"{name} is {width} x {height} pixels; {_most()}")
    if min(width, height) < MIN_SIDE:
        raise HackjackError(f"{name} is {width} x {height} pixels; the minimum is {MIN_SIDE} each way")
    # Phones put a small second picture behind a JPEG; there the first one is meant.
    if opened.format not in PHOTOS and getattr(opened, "n_frames", 1) > 1:
        raise HackjackError(f"{name} is animated: save a single picture")


def _most() -> str:
    return f"the limit is {MAX_DOTS / 1e6:.0f} million pixels"


def srgb_image(source: "Image.Image") -> "Image.Image":
    """Return a picture the right way up, its colours converted to sRGB by its own profile if it has one."""
    from PIL import ImageOps

    image = ImageOps.exif_transpose(source)
    if not (data := source.info.get("icc_profile")) or image.mode.startswith("I"):
        return image
    from PIL import Image, ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        space = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}[profile.profile.xcolor_space.strip()]
        if (space == "CMYK") != (image.mode == "CMYK") or (space == "L" != Image.getmodebase(image.mode)):
            return image
        alpha = image.convert("RGBA").getchannel("A") if image.has_transparency_data else None
        own = ImageCms.profileToProfile(image.convert(space), profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, KeyError, OSError):
        return image  # as every viewer does with a damaged profile
    assert own is not None
    if alpha is not None:
        own.putalpha(alpha)
    return own


def flat_image(image: "Image.Image", paper: Dots) -> "Image.Image":
    """Return the picture in RGB on its paper; print shops want no transparency."""
    from PIL import Image

    if image.mode in ("RGB", "L", "CMYK", "1") and "transparency" not in image.info:
        return image.convert("RGB")
    if image.mode.startswith("I"):
        # Sixteen bits of grey: Pillow would cut off what is over 255.
        return image.point(lambda value: value / 256).convert("L").convert("RGB")
    over = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", over.size, (*paper, 255)), over).convert("RGB")


def image_of(width: int, height: int, dots: bytes) -> "Image.Image":
    """Return a picture of that size from red, green, blue and opacity of each dot."""
    from PIL import Image

    return Image.frombytes("RGBA", (width, height), dots)


def unpacked_png(data: bytes) -> tuple[int, int, bytes]:
    """Return the size of a picture that is ours, and red, green, blue and opacity of each dot."""
    from PIL import Image

    with Image.open(BytesIO(data), formats=("PNG",)) as image:
        return *image.size, image.convert("RGBA").tobytes()


def plain_file(data: bytes, side: int) -> bytes:
    """Return a stranger's picture as a file of nothing but dots, `side` of them on its longer side at most.

    Neither where it was taken nor what else hides in a file is taken along. Raises HackjackError.
    """
    from PIL import Image

    artwork = read_artwork(data, "the picture")
    image, photo = artwork.image, artwork.photo
    with Image.open(BytesIO(data), formats=FORMATS) as opened:
        if opened.has_transparency_data:
            image, photo = srgb_image(opened).convert("RGBA"), False
    image.thumbnail((side, side))
    stream = BytesIO()
    plain = Image.frombytes(image.mode, image.size, image.tobytes())
    plain.save(stream, "JPEG" if photo else "PNG", **({"quality": QUALITY} if photo else {"optimize": True}))
    return stream.getvalue()


def covering_image(image: "Image.Image", width: float, height: float) -> "Image.Image":
    """Return the middle of a picture that has the shape of width x height, as large as it goes."""
    wide, high = image.size
    scale = min(wide / width, high / height)
    across, down = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = (wide - across) // 2, (high - down) // 2
    return image.crop((left, top, left + across, top + down))


def contained_size(size: tuple[float, float], width: float, height: float) -> tuple[float, float]:
    """Return how wide and high a whole picture comes out in a room, in the room's unit."""
    scale = min(width / size[0], height / size[1])
    return size[0] * scale, size[1] * scale


def dpi_of(size: tuple[int, int], width: float, height: float) -> float:
    """Dots to an inch of a picture printed at width x height mm: those of its coarser side."""
    return min(size[0] / width, size[1] / height) * _MM_AN_INCH


def judge_resolution(
    name: str, whole: tuple[int, int], visible: tuple[int, int], width: float, height: float, dpi: float = GOOD_DPI
) -> PictureVerdict:
    """Return whether the `visible` dots of the `whole` picture are enough for width x height mm.

    `dpi` is the target's; nobody sees more than 300 of them.
    """
    good = min(GOOD_DPI, dpi)
    resolution = dpi_of(visible, width, height)
    wide, high = (round(side / _MM_AN_INCH * good + 0.4999) for side in (width, height))
    cut = f", of which {visible[0]} x {visible[1]} are printed," if visible != whole else ""
    says = (
        f"{name} has {whole[0]} x {whole[1]} pixels{cut} for {width:.1f} x {height:.1f} mm, which is "
        f"{resolution:.0f} dpi"
        f": {wide} x {high} pixels make {good:g} dpi"
    )
    if resolution < good * MIN_DPI / GOOD_DPI - 0.5:
        return PictureVerdict("error", f"{says}, and under {good * MIN_DPI / GOOD_DPI:g} nothing is printed")
    return PictureVerdict("warning" if resolution < good - 0.5 else "good", says)


def reduced_image(image: "Image.Image", width: float, height: float) -> "Image.Image":
    """Return a picture with no more dots than can be printed at width x height mm."""
    scale = MAX_DPI / dpi_of(image.size, width, height)
    if scale >= 1:
        return image
    from PIL import Image

    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, Image.Resampling.LANCZOS)


def paled_image(image: "Image.Image", strength: float, ground: Dots = WHITE) -> "Image.Image":
    """Return a picture mixed with its ground; `strength` from 0 (the ground alone) to 1."""
    if strength == 1:
        return image
    from PIL import Image

    return Image.blend(Image.new("RGB", image.size, ground), image, strength)


def separated_image(image: "Image.Image") -> "Image.Image":
    """An RGB picture in four inks: what the three colours share is printed in black, so that 200 % is never passed."""
    from PIL import Image, ImageChops

    cyan, magenta, yellow = ImageChops.invert(image).split()
    black = ImageChops.darker(ImageChops.darker(cyan, magenta), yellow)
    colours = (ImageChops.subtract(ink, black) for ink in (cyan, magenta, yellow))
    return Image.merge("CMYK", (*colours, black))
