"""Severity tables at the table: every cell, every condition's chain, days, healing, dying, trauma."""

from __future__ import annotations

import json
from typing import Any

from helpers import run


def resolved(*words: str, state: dict[str, Any] | None = None, tmp: Any = None, **options: str) -> dict[str, Any]:
    """The state and log of one event on the command line."""
    arguments = ["resolve", "glog", *words, "--json"]
    for name, value in options.items():
        arguments += [f"--{name}", value]
    if state is not None:
        path = tmp / "state.json"
        path.write_text(json.dumps(state))
        arguments += ["--state", str(path)]
    ran = run(*arguments)
    assert ran.code == 0, ran.err
    value: dict[str, Any] = json.loads(ran.out)
    return value


def test_a_hit_that_is_not_lethal_only_hurts(tmp_path: Any) -> None:
    found = resolved("hit", "3", state={"hp": 5}, tmp=tmp_path)
    assert found["state"]["hp"] == 2
    assert [entry["text"] for entry in found["log"]] == ["A hit for 3: 2 HP are left."]


def test_severity_counts_lethal_damage_and_injuries(tmp_path: Any) -> None:
    state = {"hp": 2, "injuries": [{"condition": "gored", "days": 3}]}
    found = resolved("hit", "5", state=state, tmp=tmp_path, dice="2,3,4,5,6")
    assert found["log"][1]["text"] == "Severity 7: 2 on the d12 + 3 lethal + 2 for one injury."
    assert found["state"]["injuries"][1] == {
        "condition": "gored",
        "days": 9,
        "place": "",
        "permanent": False,
        "chances": [],
    }
    assert found["state"]["coming"] == [{"condition": "dying", "after": "6 rounds"}]
