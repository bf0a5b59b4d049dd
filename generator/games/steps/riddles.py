"""Steps that print as a formula, for their authors to word, and others that may not mean what they say."""

from collections.abc import Iterator

from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import RIDDLES
from generator.model import rules
from generator.pack.strict_yaml import Trail
from generator.words.formula_wording import FormulaWords, needs_words


def riddles(pack: Definitions) -> Iterator[tuple[str, Trail, str]]:
    """Yield the file, the place and a sentence for each step that its author should word or look at again."""
    words = FormulaWords(pack.system)
    for file, trail, effects in pack.lists:
        worded: list[Trail] = []
        for place, effect in rules.walk_effects(effects):
            if find := RIDDLES.get(type(effect)):
                yield from ((file, *riddle) for riddle in find(pack, effect, (*trail, *place)))
            if any(place[: len(outer)] == outer for outer in worded):
                continue
            if isinstance(effect, rules.Step) and effect.says is not None:
                worded.append(place)
                continue
            for _, formula in rules.effect_formulas(effect):
                if needs_words(node := words.folded(formula.tree)):
                    message = f'this prints as "{words.spoken(node)}": write print, and a sentence, below it'
                    yield file, (*trail, *place), message
