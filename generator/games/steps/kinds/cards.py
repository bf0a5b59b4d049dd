"""Effects of drawn cards, and steps with decks and piles."""

from collections.abc import Iterator

from generator.base.errors import did_you_mean
from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions, cards_of, event_of
from generator.games.steps.kinds import faults
from generator.model.formulas import CARD_FIELDS, OF_CARD, Formula
from generator.model.rules import Deck
from generator.model.steps.cards import DrawCard, Keep, Read, Reroll, TakeUp, Whenever
from generator.model.steps.conditions import Lose
from generator.pack.strict_yaml import Trail


@faults(Lose, Reroll, Whenever)
def kept_faults(pack: Definitions, effect: Lose | Reroll | Whenever, trail: Trail) -> Iterator[Fault]:
    """Yield what stays with a character where nothing keeps it."""
    if not pack.system.steps.by_card:
        yield trail, f"nothing keeps what {effect.do} leaves: write by_card: true under procedure, or use suffer"


@faults(Whenever)
def whenever_faults(pack: Definitions, effect: Whenever, trail: Trail) -> Iterator[Fault]:
    """Yield what waits for an event, and which no step asks for."""
    for key in ("blood", "score"):
        if getattr(effect, key) and (f"extra_{key}", effect.event) not in pack.added:
            yield (*trail, key), f"no step here asks for extra_{key}({effect.event}): leave {key} out"


@faults(Keep, TakeUp)
def pile_faults(pack: Definitions, step: Keep | TakeUp, trail: Trail) -> Iterator[Fault]:
    """Yield a pile where there are no cards."""
    if not pack.system.piles:
        yield trail, "no deck is here to draw from: a pile holds cards of a deck"


@faults(DrawCard)
def draw_faults(pack: Definitions, step: DrawCard, trail: Trail) -> Iterator[Fault]:
    """Yield cards that cannot be compared, and faces that the deck lacks."""
    event = pack.system.head.events.get(event_of(trail))
    if event is not None and event.better is not None and step.keep and step.best is None:
        nodes = [*event.better.walk()]
        if not any(node.kind == "does" or str(node.about).startswith(OF_CARD) for node in nodes):
            message = f'"{event.better}" asks nothing of the cards that are chosen here: name one of their lines'
            yield (*trail[:2], "better"), message
    if (deck := pack.system.piles.get(step.deck)) is None:
        return
    if step.best is not None:
        if step.keep is None:
            yield (*trail, "best"), "best says which cards are kept: say how many, such as keep 1"
        yield from _unmarked(pack, step.best, deck, (*trail, "best"))
    if not deck.faces and step.face is not None:
        yield (*trail, "face"), f"the cards of {step.deck} have one face alone: take this out"
    elif step.face is not None:
        yield from _face_faults(pack, step.face, deck, f"face of {step.deck}", (*trail, "face"))
    elif deck.faces and not step.then:
        yield trail, f"the cards of {step.deck} are read for {', '.join(deck.faces)}: say which with face"


def _face_faults(pack: Definitions, face: Formula, deck: Deck, noun: str, trail: Trail) -> Iterator[Fault]:
    """Yield a face that the deck lacks, or a name that may be one that it lacks."""
    if face.tree.kind not in ("name", "word"):
        return
    name = str(face.tree.about)
    own = face.tree.kind == "word" or name not in pack.names | pack.system.steps.words.keys()
    # A name that nothing has is told of where formulas are checked.
    if own and name not in pack.words and not did_you_mean(name, deck.faces).startswith(":"):
        return
    for each in {name} if own else sorted(pack.word_values.get(name, ())):
        yield from known(each, deck.faces, noun, trail)


def _unmarked(pack: Definitions, best: Formula, deck: Deck, trail: Trail) -> Iterator[Fault]:
    """Yield cards of which nobody can tell the best, since they lack the number."""
    for node in best.walk():
        key = str(node.about).removeprefix(OF_CARD)
        if node.kind != "name" or key == node.about:
            continue
        without = [card.code for card in deck.cards if not isinstance(card.lines.get(key), int)]
        if key not in deck.lines and key in CARD_FIELDS:
            continue
        if without and key in deck.lines:
            more = f" and {len(without) - 3} more" if len(without) > 3 else ""
            cards = f"{', '.join(without[:3])}{more} of {deck.title}"
            yield trail, f'"{best}": the line {key} is not a number on {cards}'
        elif key not in deck.lines and not pack.is_unknown(str(node.about)):
            yield trail, f'"{best}": the cards of {deck.title} have no line {key}{did_you_mean(key, deck.lines)}'


@faults(Read)
def read_faults(pack: Definitions, step: Read, trail: Trail) -> Iterator[Fault]:
    """Yield effects that no card has."""
    if not pack.system.piles:
        yield trail, "no deck is here to draw from: a card at hand comes from draw"
    if step.only and step.but:
        yield (*trail, "but"), "give one of only and but"
    names = {str(each.do) for _, _, effects, _ in cards_of(pack.system) for each in effects}
    # If no card does anything, as in a deck that cannot be read, there is nothing to compare with. What an event of the
    # pack plays is known, though no card of this deck may say it.
    for key in ("only", "but") if names else ():
        for place, name in enumerate(getattr(step, key)):
            yield from known(name, names | {*pack.system.steps.plays}, "effect of a card", (*trail, key, place))
