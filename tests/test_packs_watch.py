"""`hackjack print --watch`: what is printed follows what is written, and a fault costs nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from helpers import run
from PIL import Image

from generator.base import watching
from generator.base.watching import PATIENCE, POLL, Stamp, settled
from generator.cli import following

A, B = Path("a"), Path("b")


class Clock:
    """Time that passes only while somebody sleeps, and files that change at set moments."""

    def __init__(self, *changes: tuple[float, dict[Path, int]]) -> None:
        self.time = 0.0
        self.changes = changes

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        assert self.time < 60, "it waits for ever"

    def look(self) -> Stamp:
        past = [files for moment, files in self.changes if moment <= self.time + 1e-9]
        return {path: (stamp, 1, 1) for path, stamp in past[-1].items()}

    def wait(self) -> dict[Path, int]:
        seen = settled(self.look(), self.look, self.sleep, lambda: self.time)
        return {path: stamp[0] for path, stamp in seen.items()}


def test_a_change_is_taken_up_once_it_has_settled() -> None:
    clock = Clock((0, {A: 1}), (1.0, {A: 2}))
    assert clock.wait() == {A: 2}
    assert clock.time <= 1.0 + 3 * POLL


def test_a_file_written_in_steps_is_taken_up_once() -> None:
    steps = [(1.0 + 0.6 * POLL * step, {A: 2 + step}) for step in range(6)]
    clock = Clock((0, {A: 1}), *steps)
    assert clock.wait() == {A: 7}


def test_a_file_that_is_away_for_a_moment_was_not_taken_away() -> None:
    clock = Clock((0, {A: 1, B: 1}), (1.0, {B: 1}), (1.3, {A: 2, B: 1}))
    assert clock.wait() == {A: 2, B: 1}
    assert clock.time < 1.3 + 3 * POLL


def test_a_file_that_stays_away_is_gone() -> None:
    clock = Clock((0, {A: 1, B: 1}), (1.0, {B: 1}))
    assert clock.wait() == {B: 1}
    assert 1.0 + PATIENCE <= clock.time < 1.0 + PATIENCE + 4 * POLL


def test_what_was_put_back_as_it_was_has_not_changed() -> None:
    clock = Clock((0, {A: 1}), (1.0, {}), (1.2, {A: 1}), (3.0, {A: 2}))
    assert clock.wait() == {A: 2}
    assert clock.time >= 3.0


def test_the_stamp_of_a_file_tells_another_file_of_the_same_time_and_length(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(5, 5))
    before = watching.stamped([tmp_path / "one", tmp_path / "gone", tmp_path / "one\0"])
    (tmp_path / "two").replace(tmp_path / "one")
    assert before.keys() == {tmp_path / "one"}
    assert watching.stamped([tmp_path / "one"]) != before


# --- one round after the other ---------------------------------------------------------------------------------------


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--extends").code == 0
    return tmp_path / "mine"


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def followed(
    monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object], products: tuple[str, ...] = ("deck", "reference")
) -> Any:
    """Run `print --watch` in this process with a step before each round but the first, then Ctrl-C."""
    left = iter(steps)

    def waited(seen: Stamp, look: Callable[[], Stamp]) -> Stamp:
        del seen
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()
        return look()

    monkeypatch.setattr(following, "settled", waited)
    return run("print", "mine", *products, "--pack", "mine", "--watch", "--only", "AC", "-o", "out")


DECK, REFERENCE = str(Path("out") / "mine-deck.pdf"), str(Path("out") / "mine-reference.pdf")


def test_only_what_changed_is_built_again(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = (Path(__file__).parents[1] / "content" / "hackjack" / "reference.yaml").read_text(encoding="utf-8")
    done = followed(
        monkeypatch,
        lambda: rewrite(pack / "deck.yaml", "# A card", "# This card"),
        lambda: (pack / "reference.yaml").write_text(ours + "\n", encoding="utf-8"),
        lambda: rewrite(pack / "reference.yaml", "columns: 2", "columns: 3"),
        lambda: rewrite(pack / "deck.yaml", "Winded", "Out of breath"),
    )
    assert done.code == 0
    assert done.out.split() == [DECK, REFERENCE, REFERENCE, DECK, REFERENCE]
    assert done.err.splitlines() == ["watching mine; Ctrl-C ends it", ""]


def test_a_fault_is_said_once_and_what_was_printed_stays(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []
    deck = pack / "deck.yaml"

    def kept_and_rewritten(old: str, new: str) -> None:
        kept.append(Path(DECK).read_bytes())
        rewrite(deck, old, new)

    done = followed(
        monkeypatch,
        lambda: kept_and_rewritten("condition: knocked_back", "condition: knocked"),
        lambda: kept_and_rewritten("# A card", "# This card"),
        lambda: rewrite(deck, "condition: knocked", "condition: prone"),
        products=("deck",),
    )
    fault = 'mine/deck.yaml:8:29: unknown condition "knocked"'
    said = done.err.splitlines()
    assert [said[0], *said[2:]] == [
        "watching mine; Ctrl-C ends it", "what was printed before stays until this is mended", "sound again", "",
    ]  # fmt: skip
    assert said[1].startswith(fault)
    assert done.out.split() == [DECK, DECK]
    assert kept[0] == kept[1] != Path(DECK).read_bytes()


def test_a_warning_is_said_once(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pack / "art").mkdir()
    Image.new("RGB", (700, 968)).save(pack / "art" / "b.png")
    with (pack / "system.yaml").open("a", encoding="utf-8") as stream:
        stream.write("\nart:\n  back: art/b.png\n")
    done = followed(monkeypatch, lambda: rewrite(pack / "deck.yaml", "Winded", "Out of breath"), products=("deck",))
    assert done.out.split() == [DECK, DECK]
    assert done.err.count("warning: art/b.png has 700 x 968 dots") == 1
    alone = [run("print", "mine", "deck", "--pack", "mine", "--only", "AC", "-o", "out") for _ in range(2)]
    assert [len(ran.faults) for ran in alone] == [1, 1], "each call says its own"


def test_a_card_that_does_not_fit_stops_no_other_product(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    effects = "\n".join(
        "  - {do: penalty, to: [all_stats, all_rolls, max_hp], by: 3, until: recovery}" for _ in range(11)
    )
    done = followed(
        monkeypatch,
        lambda: rewrite(pack / "deck.yaml", "  effects:\n", f"  effects:\n{effects}\n"[:-1] + "\n"),
        lambda: rewrite(pack / "deck.yaml", f"{effects}\n", ""),
    )
    assert "mine-reference" not in done.err and "AC" in done.err
    assert "sound again" in done.err
    assert done.out.split() == [DECK, REFERENCE, REFERENCE, DECK, REFERENCE]


def test_a_pack_may_be_at_fault_from_the_first(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite(pack / "deck.yaml", "code: AC", "code: XX")
    done = followed(monkeypatch, lambda: rewrite(pack / "deck.yaml", "code: XX", "code: AC"), products=("deck",))
    assert '"XX" is no card' in done.err
    assert done.out.split() == [DECK]


def test_a_fault_may_be_mended_in_the_pack_below(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("new", "lower", "--extends").code == 0
    rewrite(pack / "system.yaml", "extends: hackjack", "extends: lower")
    lower = pack.parent / "lower" / "system.yaml"
    rewrite(lower, "rulings:", "rulngs:")
    looked: list[set[Path]] = []
    plain = following.stamped  # type: ignore[attr-defined]

    def noted(paths: Any) -> Stamp:
        looked.append({Path(path).resolve() for path in paths})
        return plain(paths)

    monkeypatch.setattr(following, "stamped", noted)
    done = followed(monkeypatch, lambda: rewrite(lower, "rulngs:", "rulings:"), products=("deck",))
    assert done.err.splitlines()[1].startswith('lower/system.yaml:9:1: unknown key "rulngs"')
    assert done.out.split() == [DECK]
    assert lower.resolve() in looked[1], "the lower pack is looked at while it has a fault"


def test_what_cannot_be_watched(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("print", "--watch").code == 2
    assert run("print", "mine", "--pack", "nowhere", "--watch").err == (
        "nowhere: there is no such folder: name one that holds a system.yaml\n"
    )
    wrong = followed(monkeypatch, products=("dekc",))
    assert wrong.code == 2
    assert 'mine has no product "dekc"' in wrong.err
    assert pack.is_dir()


# --- at work ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def watched(pack: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    command = [sys.executable, "-m", "generator", "print", "mine", "deck", "--only", "AC"]
    process = subprocess.Popen(
        [*command, "--pack", "mine", "--watch"],
        cwd=pack.parent,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process, tmp_path / "output" / "mine-deck.pdf"
    process.kill()
    process.communicate()


def shows(pdf: Path, words: str, process: subprocess.Popen[str]) -> None:
    """Wait until the PDF holds some words."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if pdf.is_file():
            document = pypdfium2.PdfDocument(pdf.read_bytes())
            text = document[0].get_textpage().get_text_range()
            document.close()
            if words in re.sub(r"\s+", " ", text):
                return
        time.sleep(0.05)
    raise AssertionError(f"the PDF never says {words}")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_the_pdf_follows_a_card_however_an_editor_saves_it(watched: tuple[subprocess.Popen[str], Path]) -> None:
    process, pdf = watched
    deck = pdf.parents[1] / "mine" / "deck.yaml"
    shows(pdf, "Winded", process)
    rewrite(deck, "Winded", "Knocked out")
    shows(pdf, "Knocked out", process)
    # Vim and others: the old file away, a new one into its place.
    text = deck.read_text(encoding="utf-8").replace("Knocked out", "Flattened")
    deck.rename(deck.with_suffix(".yaml~"))
    time.sleep(0.15)
    deck.with_name(".deck.new").write_text(text, encoding="utf-8")
    deck.with_name(".deck.new").rename(deck)
    shows(pdf, "Flattened", process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert errors.splitlines() == ["watching mine; Ctrl-C ends it", ""]
    assert [path.name for path in pdf.parent.iterdir()] == ["mine-deck.pdf"]


def test_a_call_that_no_change_can_mend_ends_at_once(tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--watch", "--target", "nope", "-o", tmp_path)
    assert done.code == 2
    assert 'there is no target "nope": choose home' in done.err
    assert "until this is mended" not in done.err
