"""A party at the table, its journal and its luck."""
