"""Combatant sheets, four to a page: every figure computed from the content, with room for what the fight changes."""

from collections.abc import Iterator

from msgspec.structs import replace

from generator.base.errors import HackjackError, NamedError
from generator.games.fiftytwo import figures
from generator.games.fiftytwo.fight import field_rules, hit_threshold
from generator.games.fiftytwo.state import FieldState, Fighter, Roster, fighters_by_initiative, read_state
from generator.layout import panel_elements as made
from generator.layout.reading import panel_nodes
from generator.layout.sheets import Printed, sheet_batches
from generator.model.combatants import Combatant
from generator.model.rules import System
from generator.paper import columns, flow, fonts, pen, tags
from generator.paper.document import MM, close_document, open_document
from generator.paper.form import Form
from generator.paper.panel_options import PanelOptions
from generator.paper.panel_style import PanelLook, PanelStyle
from generator.paper.sheet import draw_quarter_lines
from generator.words.wording import capitalised, product_line

MAX_TYPE, MIN_TYPE = 10.0, 6.5
_MARGIN, _HEAD = 7 * MM, 7 * MM
_NAME, _HEADING = 17.0, 11.5
_ROWS = 4
"""Lines to write a round on."""
_TRACKED = {"round": "Round", "initiative": "Initiative", "points": "Points", "hp": "HP", "hits": "Hits"}


def combatant_pages(system: System, options: PanelOptions) -> Printed:
    """Lay out all combatants of the content, or those of a table with what the fight has left on them, in their order.

    Raises HackjackError where there are none, or where one does not fit.
    """
    state = read_state(options.filling.state, system) if options.filling else None
    people: list[tuple[Combatant, Fighter | None]] = [(person, None) for person in system.combatants]
    if state and options.filling:
        roster = Roster(system, state)
        people = [
            (roster[one.name], one) for one in fighters_by_initiative(state) if options.filling.name in ("", one.name)
        ]
        system = figures.with_people(system, state)
    if not people:
        raise NamedError(f"{system.head.id} has no combatants to print: list them in combatants.yaml")
    wide, high = options.paper.width * MM, options.paper.height * MM
    frame = columns.Frame(0, 0, wide / 2 - 2 * _MARGIN, high / 2 - 2 * _MARGIN - _HEAD, 1, 0)
    sheets = []
    for person, one in people:
        blocks = enumerate(_blocks(person, system, one, state))
        sheets.append(
            made.Page(0, person.name, 1, tuple(made.Worded(at, name, pieces) for at, (name, pieces) in blocks))
        )
    if fault := next((message for sheet in sheets for _, message in flow.glyph_faults(sheet)), ""):
        raise HackjackError(fault)

    def style(size: float) -> PanelStyle:
        return PanelStyle(size, options.inks, Form(fillable=False), PanelLook(_HEADING))

    chosen = style(flow.fit_pages([(sheet, frame) for sheet in sheets], MAX_TYPE, MIN_TYPE, style))
    title, line = f"{system.head.title} combatants", product_line(system)
    canvas = open_document(wide, high, title=title, subject=line, looks=options)
    for batch in sheet_batches([*zip(people, sheets, strict=True)], 4):
        for place, ((person, _), sheet) in enumerate(batch):
            left, foot = wide / 2 * (place % 2) + _MARGIN, high / 2 * (1 - place // 2) + _MARGIN
            right, top = left + frame.width, foot + frame.height
            with tags.tagged_texts(canvas, panel_nodes(sheet)):
                font = fonts.display_font(sheet.title)
                size = min(_NAME, frame.width / fonts.text_width(sheet.title, font))
                with tags.tagged_as(canvas, sheet):
                    pen.draw_line(canvas, sheet.title, left, top + 9, font, size)
                hue = options.inks.of("H" if person.side == "enemies" else "S")
                pen.draw_rules(canvas, hue, 1.0, (left, top + 4, right, top + 4))
                placed = replace(frame, x=left, y=foot)
                columns.draw_columns(canvas, flow.page_slices(sheet, frame, chosen), placed)
        draw_quarter_lines(canvas, wide, high)
        canvas.showPage()
    return close_document(canvas)


def _blocks(
    person: Combatant, system: System, fighter: Fighter | None, state: FieldState | None
) -> Iterator[tuple[str, tuple[made.Piece, ...]]]:
    """Yield everything in the order in which a turn asks for it: what messages call it, and its pieces."""

    def section(title: str, *pieces: made.Piece | str) -> tuple[str, tuple[made.Piece, ...]]:
        return title, (
            made.Heading(title),
            *(made.Paragraph(each) if isinstance(each, str) else each for each in pieces),
        )

    called = f"{person.side}, {person.calling}" if person.calling else person.side
    yield "side", (made.Paragraph(f"{person.hp} ({called})", strong="HP"),)
    yield section(f"Initiative: {figures.initiative_words(person, system)}", figures.initiative_sum(person))
    near = figures.points_in_reach(person, system)
    less = f"Subtract the defence of opponents in reach{f': {near}' if near else ''}"
    free = f"{field_rules(system).free_points} more is free."
    takes = f"{person.name} takes {person.defence} from theirs."
    points = figures.whole_points(person, system)
    yield section(f"Action points: {points}", f"{figures.point_sum(person, system)}. {less}; {free} {takes}")
    heads = ("Weapon", *(figures.signed(bonus) for bonus in figures.BONUSES))
    hits = ("Threshold", *map(str, figures.thresholds(person, system)))
    most, taken = hit_threshold(person, 0, system).total, fighter.hits if fighter else 0
    boxes = made.BoxRow("Hits taken", tuple(made.Box("", "", str(at), at <= taken) for at in range(1, most + 1)))
    worn: list[made.Piece | str] = [capitalised(figures.armour_words(person)), made.PanelTable(heads, (hits,))]
    worn += [boxes] if most > 1 else []
    yield section(f"Armour: weak against {figures.weakness_words(person, system)}", *worn)
    does = f"{figures.dice_words(person.normal)}; critical {figures.dice_words(person.critical)}"
    yield section("Attack", f"{figures.weapon_words(person)}: {does}", *([person.note] if person.note else []))
    written = figures.round_line(fighter, state) if fighter and state else {}
    lines = [written, *[{}] * (_ROWS - 1)]
    rows = tuple(tuple(made.FieldCell(key, "", str(line.get(key, ""))) for key in _TRACKED) for line in lines)
    yield "rounds", (made.FieldGrid(tuple(_TRACKED.values()), rows, (1 / len(_TRACKED),) * len(_TRACKED)),)
