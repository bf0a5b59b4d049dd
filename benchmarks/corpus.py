"""Record logs and odds of every pack of the project, and compare them: `python benchmarks/corpus.py`.

2,000 situations (an event on a state, its dice and cards from a seed) and 2,000 fractions of odds, from the systems
that ship, the examples, and the packs of `tests/language`. A change of how rules are written changes none of them.

    python benchmarks/corpus.py                 compare with benchmarks/corpus.json.gz; the first differences are shown
    python benchmarks/corpus.py --record        record it again
    python benchmarks/corpus.py --record REV    record it from the program and the content of a commit
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = Path(__file__).with_name("corpus.json.gz")
SHARES = {"content": (250, 460), "docs/examples": (60, 85), "tests/language": (14, 14)}
"""Situations and fractions of each pack, by its folder."""
WALK = 8
"""Events of one character, one after the other."""
MAX_SHOWN = 20
HEAD = {
    "version": "1.0",
    "about": "A pack that tests write.",
    "source": {"title": "none", "author": "tests", "licence": "ours"},
}


def packs(root: Path, made: Path) -> Iterator[tuple[str, Path, tuple[int, int]]]:
    """Yield each pack's name, folder and shares; those of tests/language are written out below `made`."""
    import yaml

    for below, share in SHARES.items():
        for path in sorted((root / below).iterdir()):
            if (path / "system.yaml").is_file():
                yield path.name, path, share
            elif below == "tests/language" and path.suffix == ".yaml":
                parts = yaml.safe_load(path.read_text("utf-8"))
                head = {"id": path.stem, "title": path.stem.capitalize()} | HEAD | parts["system"]
                files = {"system": head} | {each: {each: parts[each]} for each in ("tables", "decks") if each in parts}
                (made / path.stem).mkdir()
                for name, value in files.items():
                    text = yaml.safe_dump(value, sort_keys=False, width=1000, allow_unicode=True)
                    (made / path.stem / f"{name}.yaml").write_text(text, encoding="utf-8")
                yield f"language {path.stem}", made / path.stem, share


def recorded(root: Path) -> dict[str, Any]:
    """Return the corpus of the packs below a root, as the program that is imported plays and counts them."""
    from generator.games import game_of
    from generator.pack.load import load_pack

    corpus: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        for name, folder, (situations, fractions) in packs(root, Path(made)):
            game = game_of(load_pack(folder).system)
            states: list[Any] = []
            corpus[name] = {"logs": _logs(game, Random(name), situations, states)}
            corpus[name]["odds"] = _odds(game, Random(f"odds {name}"), fractions, states)
            print(f"{name}: {len(corpus[name]['logs'])} logs, {len(corpus[name]['odds'])} fractions", file=sys.stderr)
    return corpus


def _logs(game: Any, luck: Random, many: int, states: list[Any]) -> list[Any]:
    """Return situations: what is typed, and the log and the state that follow, or why it cannot be."""
    from generator.base.errors import HackjackError
    from generator.games import log_lines
    from generator.play.chance import Seeded

    situations: list[Any] = []
    refusals = 0
    while len(situations) < many:
        state = game.read_state(_opening(game, luck))
        for _ in range(WALK):
            words, at = _typed(game, luck.choice(list(game.EVENTS.values())), state, luck)
            entry: list[Any] = [len(states), " ".join([*words, *(f"{key}={value}" for key, value in at.items())])]
            try:
                after, log = game.step(state, game.read_event(words, at), Seeded(luck.randrange(1_000_000)))
            except HackjackError as error:
                refusals += 1
                if refusals * 6 < many or refusals > 40 * many:
                    situations.append([*entry, str(error)])
                continue
            situations.append([*entry, log_lines(log, game.system), game.state_line(game.plain_state(after))])
            state = after
            states.append(state)
            if not game.SHARED and not game.is_alive(game.plain_state(state)):
                break
    return situations[:many]


def _opening(game: Any, luck: Random) -> Mapping[str, Any]:
    """Return a plain state to begin with: with some HP, where there are any."""
    from generator.base.errors import HackjackError

    for plain in ({"hp": luck.randint(1, 15), "max_hp": 15}, {"hp": luck.randint(1, 15)}):
        try:
            if not game.SHARED:
                game.read_state(plain)
                return plain
        except HackjackError:
            continue
    opening: Mapping[str, Any] = game.OPENING
    return opening


def _typed(game: Any, spec: Any, state: Any, luck: Random) -> tuple[list[str], dict[str, str]]:
    """Return an event as somebody may type it."""
    words, at, earlier = [spec.name], dict[str, str](), dict[str, Any]()
    waiting = list(spec.takes)
    while waiting:
        argument = waiting.pop(0)
        if argument.optional and luck.random() < 0.4:
            continue
        if argument.kind in ("number", "signed"):
            value = str(luck.randint(argument.least, min(argument.most or 20, argument.least + 19)))
        else:
            able = game.choices(argument, state, earlier) or argument.words or (argument.sample or "ann",)
            if argument.kind == "card" and game.deck():
                able = (*able, *luck.sample(list(game.deck()), 3))
            value = luck.choice(list(able))
        earlier[argument.name] = value
        if argument.option:
            at[argument.name] = value
        else:
            words += [argument.label, value] if argument.label else [value]
        waiting = [*argument.then.get(value, ()), *waiting]
    return words, at


def _odds(game: Any, luck: Random, many: int, states: list[Any]) -> list[Any]:
    """Return fractions of odds: what is asked of which state, the key of the answer, and the fraction."""
    from generator.base.errors import HackjackError
    from generator.games.face import Asked

    found: list[Any] = []
    questions, tries = list(game.QUESTIONS.values()), 0
    while questions and states and len(found) < many and tries < many:
        tries += 1
        at_state = luck.randrange(len(states))
        words, at = _typed(game, luck.choice(questions), states[at_state], luck)
        asked = " ".join([*words, *(f"{key}={value}" for key, value in at.items())])
        try:
            answer = game.odds(states[at_state], game.read_question(words, at), Asked(exact=True, policy="even"))
        except HackjackError as error:
            if tries % 5 == 0:
                found.append([at_state, asked, str(error)])
            continue
        found += [[at_state, asked, key, value] for key, value in _fractions(answer.plain)][:12]
    return found[:many]


def _fractions(value: Any, way: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _fractions(inner, f"{way}.{key}" if way else str(key))
    elif isinstance(value, str) and "/" in value:
        yield way, value


def recorded_from(revision: str) -> dict[str, Any]:
    """Return the corpus as a commit's program and content make it."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        done = subprocess.run(
            [sys.executable, __file__, "--print", folder], cwd=folder, check=True, stdout=subprocess.PIPE
        )
    corpus: dict[str, Any] = json.loads(done.stdout)
    return corpus


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each entry that is no longer the same."""
    for name in before.keys() | now.keys():
        for kind in ("logs", "odds"):
            old, new = before.get(name, {}).get(kind, []), now.get(name, {}).get(kind, [])
            if len(old) != len(new):
                yield f"{name}: {len(old)} {kind} before, {len(new)} now"
            for place, (one, other) in enumerate(zip(old, new, strict=False)):
                if one != other:
                    yield f"{name}, {kind} {place}:\n  {json.dumps(one)}\n  {json.dumps(other)}"


def main(arguments: list[str]) -> int:
    """Record or compare; return the exit status."""
    if arguments[:1] == ["--print"]:
        sys.path.insert(0, arguments[1])
        print(json.dumps(recorded(Path(arguments[1]))))
        return 0
    if arguments[:1] == ["--record"] and arguments[1:]:
        corpus = recorded_from(arguments[1])
    else:
        sys.path.insert(0, str(ROOT))
        corpus = json.loads(json.dumps(recorded(ROOT)))
    if arguments[:1] == ["--record"]:
        FILE.write_bytes(gzip.compress(json.dumps(corpus, separators=(",", ":")).encode(), mtime=0))
        print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
        return 0
    changes = list(differences(json.loads(gzip.decompress(FILE.read_bytes())), corpus))
    print("\n".join(changes[:MAX_SHOWN]))
    print(f"{len(changes)} differences")
    return 1 if changes else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
