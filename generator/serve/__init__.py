"""The page at the table: one campaign, shown to every phone and written to by all of them."""
