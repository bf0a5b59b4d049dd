"""The 52-card engine: a fight over a field of cards."""
