"""The events of a fight over a field of cards, as they are typed."""

from msgspec.structs import replace

from generator.games.fiftytwo import people, table, turn
from generator.games.fiftytwo.state import MAX_COLUMNS
from generator.model.combatants import Side
from generator.play.event_spec import ArgumentSpec, by_name, event_spec, option_argument

MAX_HEALED = 10_000

SIDES: tuple[Side, Side] = ("allies", "enemies")
_WHO, _TARGET = ArgumentSpec("who", "person", sample="WHO"), ArgumentSpec("target", "person", sample="TARGET")
_MAYBE = replace(_WHO, optional=True)
_ANYBODY = ArgumentSpec("who", "person", (people.EVERYBODY,), sample="NAME|everybody")
_SHOWN = (ArgumentSpec("side", words=SIDES, optional=True), ArgumentSpec("all", words=("all",), optional=True))
_TURN = (
    _MAYBE,
    option_argument("reach", "person", (turn.NOBODY,), many=True, sample="A,B|nobody"),
    option_argument("circumstance", "signed", least=-99, most=99, sample="N"),
    option_argument("acting", words=SIDES, sample="allies"),
)
_COLUMNS = (
    option_argument("allies", "number", least=0, most=60),
    option_argument("surprised", words=tuple(table.SURPRISED)),
    option_argument("quicker", words=SIDES),
)
_ROWS = (
    ArgumentSpec("rows", "text", sample="ROW / ROW ...", called="a row", many=True),
    *(option_argument(name, "text", many=True, sample="A,B") for name in ("padding", "discard")),
)
_RESULT = (ArgumentSpec("result", words=("pass", "fail")), option_argument("cover", words=("yes", "no"), sample="yes"))
_SOMETHING = ArgumentSpec("where", "text", sample="CARD|COLUMN", called="a card or a column")
_ATTACKER = (
    ArgumentSpec("attacker", "person", sample="ATTACKER"),
    option_argument("bonus", "number", least=0, most=99),
)
_HURT = (ArgumentSpec("damage", "number", most=turn.MAX_DAMAGE), option_argument("by", "person"))
_MOVE = ArgumentSpec("move", words=tuple(turn.ACTS), sample="MOVE", called="a move", then=turn.ACTS)
_MOVES = "take, pair, add, attack, critical, move, step, spell, suspend, item, ability, raise or other"
_SURPRISE = "an attack that no armour stops, before the first round or when the GM says so"
_FILE = "everybody rolls and ties are broken; FILE names other combatants"
_COMES = "somebody of the content or of the file comes, or comes back"
EVENTS = by_name(
    event_spec("join", "add a character to the fight", *people.FIGURES, luck="dice"),
    event_spec("enter", _COMES, replace(_ANYBODY, kind="absent"), people.HP, luck="dice"),
    event_spec("leave", "somebody leaves it", _ANYBODY),
    event_spec("surprise", _SURPRISE, _WHO, _TARGET, luck="dice"),
    event_spec("initiative", _FILE, ArgumentSpec("file", "file", optional=True), luck="dice"),
    event_spec("columns", "how many are dealt", *_COLUMNS, luck="choose"),
    event_spec(
        "deal",
        "shuffle and lay the field, row by row from the top",
        ArgumentSpec("columns", "number", most=MAX_COLUMNS, default=0, optional=True),
        luck="cards",
    ),
    event_spec("lay", "the field of a real table by rows from the top, . for no card", *_ROWS),
    event_spec(
        "ambush", "the card that surprise gives: allies take one, enemies add one", _WHO, _SOMETHING, luck="cards"
    ),
    event_spec("turn", "a turn begins; without it, the first act begins the next one", *_TURN),
    event_spec("points", "what a turn has to spend; resolve begins it", *_TURN),
    event_spec("moves", "moves that open an attack, cheapest first; all: every possible move", *_SHOWN),
    event_spec("act", _MOVES, _MOVE, luck="cards dice"),
    event_spec("hold", "wait, and go down in the order", _MAYBE),
    event_spec("end", "the turn ends, and what is left of it is lost"),
    event_spec("deliver", "the spell that WHO has cast works, for no point", _WHO, turn.HARM),
    event_spec("opportunity", "an attack on somebody who leaves the reach of WHO", _WHO, _TARGET, luck="dice"),
    event_spec("hurt", "HP are lost out of turn: a fall, acid, a friend's fireball", _WHO, *_HURT),
    event_spec("threshold", "the hits that an armour takes", _TARGET, *_ATTACKER),
    event_spec("reflex", "a reflex save and what it costs", _WHO, *_RESULT),
    event_spec("heal", "HP come back", _WHO, ArgumentSpec("amount", "number", most=MAX_HEALED), luck="dice"),
    event_spec("round", "the next round begins", luck="cards"),
    event_spec("later-initiative", "the next round begins, once in a fight in a new order", luck="cards"),
    event_spec("field", "the order and the cards as they lie"),
)
