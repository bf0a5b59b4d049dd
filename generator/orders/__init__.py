"""Print orders as values: which options exist, what supports them, and the files that an order makes."""
