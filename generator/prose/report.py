"""The report on each sentence of a text, for people and for programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from generator.prose.post import Post, Sentence
from generator.words.wording import counted_figure, joined_words

_STATES = ("does", "value", "ask", "words")


def state_of(sentence: Sentence) -> str:
    """Return what becomes of a sentence: it does something, is a value, waits for somebody's look, or is words."""
    if sentence.how == "words":
        return "words"
    if not sentence.is_taken:
        return "ask"
    return "value" if sentence.how == "value" else "does"


def told(post: Post) -> dict[str, Any]:
    """Return the report as plain data: what was found, and each sentence with its place and what it became."""
    sentences = [
        {"table": table, "row": row.row.code or str(row.row.at or row.row.name.text), "column": column}
        | sentence_told(sentence, row.fault)
        for table, row in post.rows
        for column, each in row.sentences.items()
        for sentence in each
    ]
    sentences += [
        {"table": "", "row": definition.name.text, "column": ""} | sentence_told(sentence, definition.fault)
        for definition in post.definitions
        for sentence in definition.sentences
    ]
    return {
        "title": post.title,
        "cards": len(post.deck),
        "tables": {table.table.written["id"]: len(table.rows) for table in post.tables},
        "definitions": len(post.definitions),
        "numbers": sorted(post.words.numbers),
        "lasts": post.lasts,
        "counts": {state: sum(each["state"] == state for each in sentences) for state in _STATES},
        "sentences": sentences,
        "problems": [str(problem) for problem in post.problems],
    }


def sentence_told(sentence: Sentence, fault: str = "") -> dict[str, Any]:
    """Return a sentence as plain data; with the fault of its row it is words."""
    return {
        "at": list(sentence.text.span),
        "text": sentence.text.text,
        "state": "words" if fault else state_of(sentence),
        "statements": sentence.statements(),
        "why": fault or sentence.why,
        "decided": sentence.is_decided,
    }


def lines(post: Post) -> list[str]:
    """Return the report as lines: what was found, then each sentence that does something or waits for a look."""
    shown = told(post)
    rows = sum(shown["tables"].values())
    matched = [counted_figure(shown["cards"], "card")] if shown["cards"] else []
    matched += [f"{counted_figure(rows, 'row')} in {counted_figure(len(shown['tables']), 'table')}"] if rows else []
    matched += [counted_figure(shown["definitions"], "definition")] if shown["definitions"] else []
    count = Counter(shown["counts"])
    told_lines = [
        f"{joined_words(matched)}; of {counted_figure(len(shown['sentences']), 'sentence')} {count['does']} do "
        f"something, {count['value']} are values, {count['ask']} wait for your look, {count['words']} "
        "are printed as they stand"
    ]
    for each in shown["sentences"]:
        if each["state"] != "words":
            where = " ".join(filter(None, (each["table"], each["row"], each["column"])))
            why = f"  [{each['why']}]" if each["why"] else ""
            asked = "? " if each["state"] == "ask" else ""
            told_lines.append(f"  {where}: {each['text']} -> {asked}{'; '.join(each['statements']) or 'nothing'}{why}")
    return told_lines
