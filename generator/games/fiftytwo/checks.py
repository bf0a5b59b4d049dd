"""What types cannot say of a fight over a field: combatants, and the tables that the engine reads."""

from collections.abc import Iterator

from generator.base.errors import HackjackError
from generator.games.content_face import Content, Fault, known
from generator.games.fiftytwo.fight import ACTION_ROWS, ACTIONS, ARMOUR, action_cost, hit_threshold
from generator.pack.strict_yaml import Trail


class FiftyTwoContent(Content):
    """Combatants, and the tables that the engine reads."""

    CHARTS = ("pairs_by_columns",)
    MAX_NUMBER = 100
    PAGE_NAMES = (
        *("turn", "mine", "up", "next_is_mine", "points", "normals", "criticals", "due", "to_act", "ordered"),
        *("round", "width", "fighters", "columns", "resequenced", "roster", "away", "reserve", "discard", "padding"),
        *("topped", "drawn", "total", "roll"),
        *("hp", "initiative", "hits", "owed", "acted", "attacked_by", "casting", "struck", "ambushed"),
    )
    PAGES = ("combatants", "mat")
    CARD_SETS = ("initiative", "actions")

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of `system.yaml`: the procedure needs two tables."""
        for name in (ARMOUR, ACTIONS):
            if self.system.table(name) is None:
                yield ("procedure",), f"the table {name} is missing: a fight over a field is priced and rated by it"

    def table_faults(self) -> Iterator[Fault]:
        """Yield faults of `tables.yaml`: every action needs a price."""
        if self.system.table(ACTIONS) is None:
            return
        place = next(at for at, table in enumerate(self.system.tables) if table.id == ACTIONS)
        for action in ACTION_ROWS:
            try:
                action_cost(action, self.system)
            except HackjackError as error:
                yield ("tables", place), str(error)

    def combatant_faults(self) -> Iterator[Fault]:
        """Yield faults of `combatants.yaml`: names used twice, unrated armour, wrong opponents in reach."""
        sides = {person.name: person.side for person in self.system.combatants}
        seen: set[str] = set()
        for place, person in enumerate(self.system.combatants):
            trail: Trail = ("combatants", place)
            if person.name.casefold() in seen:
                yield (*trail, "name"), f"there are two combatants called {person.name}: give each a name of their own"
            seen.add(person.name.casefold())
            if self.system.table(ARMOUR) is not None:
                try:
                    hit_threshold(person, 0, self.system)
                except HackjackError as error:
                    yield (*trail, "armour", "type"), str(error)
            for at, name in enumerate(person.reach):
                yield from known(name, sides, "combatant", (*trail, "reach", at))
                if sides.get(name) == person.side:
                    message = f'"{name}" is not an opponent of {person.name}: name somebody of the other side'
                    yield (*trail, "reach", at), message


CONTENT = FiftyTwoContent
