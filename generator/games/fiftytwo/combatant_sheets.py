"""Combatant sheets, four to a page: every figure computed from the content, with room for what the fight changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError, NamedError
from generator.games.fiftytwo import figures
from generator.games.fiftytwo.fight import threshold
from generator.games.fiftytwo.state import Fighter, Roster, State, in_turns, read_state
from generator.layout.printed import Printed
from generator.layout.reading import Head, Say, Table
from generator.layout.sheets import batches
from generator.model.combatants import Combatant
from generator.model.rules import System
from generator.paper import fonts, pen, tags, text
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import BLACK, GREY, Inks, tint
from generator.paper.panel_options import PanelOptions
from generator.paper.sheet import quarter
from generator.words.wording import capital, product_line

LARGEST, SMALLEST, STEP = 10.0, 6.5, 0.25
_MARGIN = 9 * MM
_NAME = 17.0
_BOX = 4.2 * MM
_GAP = 1.1 * MM
_FOOT = 4 * MM
_ROW = 6.5 * MM
"""A line of the tracker: a figure written by hand fits in."""
_LEAST_ROWS, _MOST_ROWS = 3, 8
_TRACKED = ("Round", "Initiative", "Points", "HP", "Hits")


def pages(system: System, options: PanelOptions) -> Printed:
    """All combatants of the content, or those of a table with what the fight has left on them, in their order.

    Raises HackjackError where there are none, or where one does not fit.
    """
    system, stands = _at_table(system, options)
    people = tuple(person for person in system.combatants if not stands or person.name in stands)
    if not people:
        raise NamedError(f"{system.head.id} has no combatants to print: they would stand in combatants.yaml")
    wide, high = options.paper.width * MM, options.paper.height * MM
    inks = options.inks
    room = (wide / 2 - 2 * _MARGIN, high / 2 - 2 * _MARGIN - _FOOT)
    size = _fitting(people, system, room)
    canvas = open_document(
        wide, high, title=f"{system.head.title} combatants", subject=product_line(system), looks=options
    )
    for batch in batches(people, 4):
        for place, person in enumerate(batch):
            left = wide / 2 * (place % 2) + _MARGIN
            top = high - high / 2 * (place // 2) - _MARGIN
            sheet = _Sheet(canvas, person, system, left, top, room[0], size, inks, stands.get(person.name))
            sheet.run()
            sheet.tracker(top - room[1])
            foot = high / 2 * (1 - place // 2) + _MARGIN - 1
            pen.line(canvas, product_line(system), left + room[0], foot, fonts.SANS, 6.5, align="right", colour=GREY)
        quarter(canvas, wide, high)
        canvas.showPage()
    return close_document(canvas)


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where somebody stands in a fight: what is written into the tracker, as it is written, and hits taken."""

    written: tuple[str, ...]
    hits: int


def _at_table(system: System, options: PanelOptions) -> tuple[System, dict[str, _Stand]]:
    """The system with those who fight, in their order, and where those who are printed stand in it."""
    if options.filling is None:
        return system, {}
    state = read_state(options.filling.state, system)
    placed = in_turns(state)
    shown = [one for one in placed if options.filling.name in ("", one.name)]
    roster = Roster(system, state)
    people = tuple(roster[one.name] for one in placed)
    return replace(system, combatants=people), {one.name: _stand(one, state) for one in shown}


def _stand(fighter: Fighter, state: State) -> _Stand:
    turn = state.turn if state.turn and state.turn.who == fighter.name else None
    slot = "" if fighter.initiative is None else str(fighter.initiative)
    points = "" if turn is None else str(turn.purse)
    rounds = str(state.round) if state.round else ""
    return _Stand((rounds, slot, points, str(fighter.hp), str(fighter.hits)), fighter.hits)


def _fitting(people: tuple[Combatant, ...], system: System, room: tuple[float, float]) -> float:
    """The largest type at which everybody fits a quarter of the page. Raises HackjackError that names who does not."""
    fault = ""
    for step in range(round((LARGEST - SMALLEST) / STEP) + 1):
        size = LARGEST - step * STEP
        fault = next((found for person in people if (found := _fault(person, system, room, size))), "")
        if not fault:
            return size
    raise HackjackError(fault)


def _fault(person: Combatant, system: System, room: tuple[float, float], size: float) -> str:
    sheet = _Sheet(None, person, system, 0, 0, room[0], size, Inks())
    sheet.run()
    if sheet.wide > room[0]:
        return f"the sheet of {person.name}: a word is wider than the sheet even at {size:g} pt: shorten it"
    over = (-sheet.y + size * 1.6 + _LEAST_ROWS * _ROW - room[1]) / MM
    if over > 0:
        return f"the sheet of {person.name} is {over:.1f} mm too high even at {size:g} pt: shorten its note"
    return ""


@dataclass
class _Sheet:
    """Writes one sheet from the top down; without a canvas it is only measured."""

    canvas: Canvas | None
    person: Combatant
    system: System
    left: float
    top: float
    measure: float
    size: float
    inks: Inks
    stand: _Stand | None = None
    y: float = 0.0
    wide: float = 0.0

    def run(self) -> None:
        """Everything, in the order in which a turn asks for it."""
        person, system = self.person, self.system
        self.y = self.top
        self._head()
        self._section("Initiative", figures.initiative(person, system))
        self._says(figures.initiative_sum(person))
        self._section("Action points", str(figures.whole_points(person, system)))
        left = figures.points_in_reach(person, system)
        near = f"Less the defence of those in reach{f': {left}' if left else ''}"
        less = f"{near}; {system.field.free_points} more is free."
        self._says(f"{figures.point_sum(person, system)}. {less}")
        self._section("HP", str(person.hp))
        self._says(f"{person.name} takes {person.defence} from the points of opponents in reach.")
        self._section("Armour", f"weak against {figures.weakness(person, system)}")
        self._says(capital(figures.armour(person)))
        self._table()
        self._hits()
        self._section("Attack", "")
        self._says(f"{figures.weapon(person)}: {figures.blow(person.normal)}; critical {figures.blow(person.critical)}")
        if person.note:
            self._says(person.note)

    def _head(self) -> None:
        person = self.person
        for said, font in ((person.name, fonts.SERIF_BOLD), (person.calling or "", fonts.SANS)):
            pen.check_glyphs(said, font, f"the sheet of {person.name!a}")
        side = f"{person.side}, {person.calling}" if person.calling else person.side
        size = min(_NAME, self.measure / pen.width(person.name, fonts.SERIF_BOLD, 1))
        self.y -= _NAME
        if self.canvas is not None:
            with tags.alone(self.canvas, Head(2, person.name)):
                pen.line(self.canvas, person.name, self.left, self.y, fonts.SERIF_BOLD, size)
        room = self.measure - pen.width(person.name, fonts.SERIF_BOLD, size) - 6
        if pen.width(side, fonts.SANS, self.size) > room:
            self.y -= self.size * 1.3
            room = self.measure
        self.wide = max(self.wide, pen.width(side, fonts.SANS, self.size) - room + self.measure)
        if self.canvas is not None:
            colour = self.inks.of("H" if person.side == "enemies" else "S")
            right = self.left + self.measure
            with tags.alone(self.canvas, Say(side)):
                pen.line(self.canvas, side, right, self.y, fonts.SANS, self.size, align="right", colour=colour)
            pen.rules(self.canvas, colour, 1.0, (self.left, self.y - 4, self.left + self.measure, self.y - 4))
        self.y -= 5

    def _section(self, title: str, value: str) -> None:
        """A heading with its figure."""
        size = self.size + 1.5
        self.y -= size * 1.5
        if self.canvas is not None:
            at = self.left + pen.width(f"{title}  ", fonts.SANS_BOLD, size)
            with tags.alone(self.canvas, Head(3, f"{title}: {value}" if value else title)):
                pen.line(self.canvas, title, self.left, self.y, fonts.SANS_BOLD, size)
                pen.line(self.canvas, value, at, self.y, fonts.SANS_BOLD, size)

    def tracker(self, foot: float) -> None:
        """What changes from round to round, to be written in: as many lines as there is room for."""
        if self.canvas is None:
            return
        head = self.size * 1.6
        rows = min(int((self.y - head - foot) // _ROW), _MOST_ROWS)
        step, top = self.measure / len(_TRACKED), self.y - head
        written = self.stand.written if self.stand else ()
        with tags.reads(
            self.canvas, (Table("From round to round", _TRACKED, (written,), drawn=((self, 0), (self, 1))),)
        ):
            for at, said in enumerate(_TRACKED):
                with tags.says(self.canvas, self, 0, at):
                    pen.line(self.canvas, said, self.left + at * step + 2, top + 3, fonts.SANS_BOLD, self.size)
            for at, said in enumerate(written):
                with tags.says(self.canvas, self, 1, at):
                    pen.line(self.canvas, said, self.left + at * step + 4, top - _ROW + 5, fonts.SANS, self.size + 1)
        self.canvas.setStrokeColorRGB(*GREY)
        self.canvas.setLineWidth(0.4)
        across_lines = [self.left + at * step for at in range(len(_TRACKED) + 1)]
        self.canvas.grid(across_lines, [top - at * _ROW for at in range(rows + 1)])

    def _says(self, said: str) -> None:
        pen.check_glyphs(said, fonts.SANS, f"the sheet of {self.person.name}")
        words = text.words((text.Run(said, fonts.SANS),))
        self.wide = max(self.wide, text.widest(words) * self.size)
        with tags.alone(self.canvas, Say(said)):
            self.y = pen.paragraph(self.canvas, said, self.left, self.y - self.size * 0.25, self.measure, self.size)

    def _table(self) -> None:
        """The threshold against weapons of each bonus."""
        heads = ["Weapon", *(figures.added(bonus) for bonus in figures.BONUSES)]
        cells = ["Hits", *map(str, figures.thresholds(self.person, self.system))]
        row, step = self.size * 1.5, self.measure / (len(heads) + 0.6)
        told = Table("Hits that the armour takes", tuple(heads), (tuple(cells),), drawn=((heads,), (cells,)))
        with tags.reads(self.canvas, (told,)):
            for line in (heads, cells):
                self.y -= row
                if self.canvas is not None:
                    self._row(self.canvas, line, row, step, head=line is heads)
        self.y -= row * 0.3

    def _row(self, canvas: Canvas, line: list[str], row: float, step: float, *, head: bool) -> None:
        if not head and self.inks.solid:
            canvas.setFillColorRGB(*tint(BLACK, 0.08))
            canvas.rect(self.left, self.y - row * 0.28, self.measure, row, stroke=0, fill=1)
        for at, said in enumerate(line):
            x = self.left + 2 if at == 0 else self.left + (at + 1.1) * step
            font = fonts.SANS if head or not at else fonts.SANS_BOLD
            with tags.says(canvas, line, at):
                pen.line(canvas, said, x, self.y, font, self.size, align="middle" if at else "left")

    def _hits(self) -> None:
        """Boxes for the hits that the armour takes: as many as the highest threshold asks for."""
        most = threshold(self.person, 0, self.system).total
        if most < 2:
            return
        self.y -= _BOX + 2
        if self.canvas is None:
            return
        taken = min(self.stand.hits, most) if self.stand else 0
        with tags.alone(self.canvas, Say(f"{taken} of {most}" if taken else f"{most} boxes", "Hits taken:")):
            pen.line(self.canvas, "Hits taken", self.left, self.y + 2, fonts.SANS, self.size)
        x = self.left + pen.width("Hits taken  ", fonts.SANS, self.size)
        self.canvas.setStrokeColorRGB(*BLACK)
        self.canvas.setLineWidth(0.6)
        for place in range(most):
            left = x + place * (_BOX + _GAP)
            self.canvas.rect(left, self.y - 1, _BOX, _BOX, stroke=1, fill=0)
            if self.stand and place < self.stand.hits:
                self.canvas.line(left, self.y - 1, left + _BOX, self.y - 1 + _BOX)
                self.canvas.line(left, self.y - 1 + _BOX, left + _BOX, self.y - 1)
