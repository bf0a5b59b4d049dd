"""Themes: those that ship, and the one that a pack brings in its `theme.yaml`."""

from functools import cache

import msgspec

from generator.base.errors import UsageError, did_you_mean
from generator.base.files import data_root
from generator.base.text_input import in_any_case
from generator.model.themes import FORMER_NAME, FORMER_NAME_TOLD, PLAIN, Theme
from generator.pack import strict_yaml
from generator.pack.inherit import YamlValue, joined

FILE = "theme.yaml"


@cache
def shipped() -> dict[str, Theme]:
    """The themes that ship by their names, the plain one first."""
    names = sorted(_names(), key=lambda name: (name != PLAIN.id, name))
    return {name: msgspec.convert(completed(_read(name)).value, Theme) for name in names}


def _read(name: str) -> YamlValue:
    """A theme that ships, as it is written."""
    path = data_root() / "templates" / "themes" / f"{name}.yaml"
    return YamlValue(*strict_yaml.read_file(path, f"templates/themes/{path.name}"))


def completed(own: YamlValue) -> YamlValue:
    """A theme with all that the one says which it is like, but for that one's name.

    What stands nowhere in its own file has its place where that would stand.
    """
    like = own.value.get("like", PLAIN.id) if isinstance(own.value, dict) else PLAIN.id
    if like == PLAIN.id or not isinstance(like, str) or like not in _names():
        return own
    base = completed(_read(like))
    look = {key: value for key, value in base.value.items() if key not in ("id", "about")}
    return YamlValue(joined(FILE, YamlValue(look, base.marks), own)[0].value, own.marks)


@cache
def _names() -> tuple[str, ...]:
    return tuple(path.stem for path in (data_root() / "templates" / "themes").glob("*.yaml"))


def named(name: str, own: Theme = PLAIN) -> Theme:
    """A theme that ships, or a system's own. Raises UsageError with the nearest."""
    themes = {own.id: own} | shipped()
    chosen = in_any_case(name, themes)
    if chosen.casefold() == FORMER_NAME:
        raise UsageError(f"{FORMER_NAME_TOLD}: write --theme poster")
    if chosen not in themes:
        hint = did_you_mean(name, themes)
        every = "" if hint.startswith("; known") else f": there is {', '.join(themes)}"
        raise UsageError(f'there is no theme "{name[:40]}"{hint}{every}')
    return themes[chosen]
