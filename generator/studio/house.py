"""House rules on a page: every switch and number with its source, what a change does, and the pack that it becomes."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from generator.base.errors import UsageError
from generator.base.text_input import in_any_case
from generator.games import game_of
from generator.games.face import Asked
from generator.pack import founding, scaffold
from generator.products import comparison
from generator.studio.shelf import Shelf
from generator.studio.wishes import OddsWish, Ruled
from generator.words.house_rules import number_rules, switch_rules
from generator.words.wording import fill_placeholders


class House:
    """What is asked about the rules of a system."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def rules(self, name: str) -> dict[str, Any]:
        """Return every switch and number as it stands, with the point of the source that it decides."""
        system = self._shelf.system(name)
        rulings = {ruling.switch.name: ruling for ruling in system.head.rulings if ruling.switch is not None}

        def decided(name: str) -> dict[str, str]:
            ruling = rulings[name]
            return {"point": f"{ruling.id}: {fill_placeholders(ruling.point, system)}", "source": ruling.source}

        return {
            "switches": [
                msgspec.to_builtins(rule) | {"readings": [*rule.readings.items()], **decided(rule.name)}
                for rule in switch_rules(system)
            ],
            "numbers": [msgspec.to_builtins(rule) | {"bounds": rule.values[0]} for rule in number_rules(system)],
        }

    def compare(self, ruled: Ruled) -> Iterator[dict[str, Any]]:
        """Yield what house rules change, chart by chart as each is counted, and at last the sentences."""
        before, after = self._shelf.system(ruled.system), self._shelf.system(ruled.system, ruled.rules)
        for each in comparison.compared_charts(before, after):
            if each.differs:
                yield {"chart": comparison.plain_chart(each.differs)}
            elif each.uncounted:
                yield {"uncounted": each.title, "why": each.uncounted}
            else:
                yield {"same": each.title}
        for first, second in comparison.compared_sentences(before, after):
            yield {"before": first, "after": second}

    def save(self, ruled: Ruled) -> dict[str, str]:
        """Make house rules a pack in the packs folder, and nowhere else. Raises HackjackError."""
        name = founding.pack_name(ruled.pack)
        if not ruled.rules:
            raise UsageError("No house rules given. Change a switch or a number first.")
        base = self._shelf.opened(ruled.system).pack
        files = scaffold.house_rules(name, base, self._shelf.system(ruled.system, ruled.rules))
        return {"pack": name.id, "title": name.title, "folder": str(founding.place(name.id, files))}

    def odds(self, asked: OddsWish) -> dict[str, Any]:
        """Return the odds of an event for somebody new, as lines. Raises HackjackError."""
        game, words = game_of(self._shelf.system(asked.system, asked.rules)), asked.words
        if not words:
            raise UsageError(
                f"Write an event, such as {next(iter(game.QUESTIONS.values())).usage().partition(': ')[0]}."
            )
        question = game.read_question(
            (in_any_case(words[0], game.QUESTIONS), *_plain_words(words[1:])), _named(words[1:])
        )
        answer = game.odds(game.read_state(game.OPENING), question, Asked())
        return {"counts": answer.counts, "plain": answer.plain, "lines": list(answer.lines)}


def _named(words: Sequence[str]) -> dict[str, str]:
    """Return the words that are written as `name=value`."""
    return {name: value for name, sign, value in (word.partition("=") for word in words) if sign}


def _plain_words(words: Sequence[str]) -> list[str]:
    return [word for word in words if "=" not in word and word != "--at"]
