"""What steps lead to, by the words on their types."""

from generator.model import rules


def led_to(effect: rules.Effect, *kinds: str) -> list[str]:
    """Return the names of the events, tables, decks or conditions that a step itself names and leads to."""
    words = (word.partition(" ") for word in effect.leads_to)
    return [name for kind, _, key in words if kind in kinds and "{" in key for name in rules.names_in_word(effect, key)]
