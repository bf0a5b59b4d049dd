"""What all games share at the table: luck, states as plain data, applying effects."""
