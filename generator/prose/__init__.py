"""Rules in prose, read into a pack: what a sentence does is a statement, the rest is kept as it stands.

A text becomes lines (`lines`), blocks (`blocks`), rows of tables (`tables`) and sentences (`sentences`); what these do
is found by the forms of `forms.yaml` (`clauses`). `post` reads a whole text, and `packing` makes the files of a pack.
"""
