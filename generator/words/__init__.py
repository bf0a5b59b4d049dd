"""Effects, tables and chances as sentences, in short, and for the log."""
