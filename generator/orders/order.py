"""A print order: one product of a system with its options, and which products a call means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from generator.base.cards import find_code, is_code, read_code
from generator.base.errors import UsageError
from generator.base.text_input import in_any_case
from generator.games import card_products, game_of
from generator.layout.card_elements import CardSet
from generator.layout.sheet_data import Filling
from generator.layout.targets import WHOLE, Target, products_besides, targets_by_name
from generator.model.rules import PANELS, System
from generator.model.themes import PLAIN
from generator.orders.options import Choices, Value, check_supported, choices_of, parts_of
from generator.pack import themes
from generator.products import bundles_of, is_for_sheets, products_of
from generator.words.wording import joined_words


class Order(Struct, frozen=True, kw_only=True):
    """One product of a system to print.

    `counts` says how many there are of a card, by code, where its set has another number. `nudge` is how far backs or
    stickers move (mm). `filling` fills the product, and `ending` then ends its name in those of the files. `place` is
    the address of the folder that they are written into. `own_files` are those of the pack that only this order has.
    """

    system: System
    product: str
    choices: Choices = Choices()
    counts: Mapping[str, int] = {}
    nudge: tuple[float, float] = (0.0, 0.0)
    filling: Filling | None = None
    ending: str = ""
    place: str = ""
    own_files: Mapping[str, bytes] = {}


def order_of(written: Mapping[str, Value], system: System, product: str) -> Order:
    """Return the order of one product with the options that were typed, by name. Raises UsageError."""
    choices = choices_of(written)
    (chosen,) = chosen_products((product,), system, choices)
    return Order(system=in_theme(system, choices), product=chosen, choices=choices, nudge=choices.nudge or (0.0, 0.0))


def in_theme(system: System, choices: Choices) -> System:
    """Return the system with the theme that is chosen, or its own, or else the target's. Raises UsageError."""
    usual = targets_by_name()[choices.cards_target].theme
    chosen = choices.theme or (usual if system.theme == PLAIN else system.theme.id)
    theme = themes.named(chosen, system.theme)
    # The same system stays the same: its cards are made once.
    return system if theme == system.theme else replace(system, theme=theme)


def chosen_products(
    products: tuple[str, ...], system: System, choices: Choices, *, filled: bool = False
) -> tuple[str, ...]:
    """Return the products to print: those that are named, or all that the target is for. Raises UsageError.

    Sets of cards without any card that `only` names are left out. With `filled` the products are those that a campaign
    fills.
    """
    target = targets_by_name()[choices.target]
    besides, sets = products_besides(target), card_products.printed_sets(system)
    products = named_products(without_all(products, system), system, besides)
    known = (*products_of(system), *besides)
    chosen = products or (usual_products(system, target) if target.cards_alone else known)
    if not chosen:
        raise UsageError(f"{system.head.id} has no cards to print")
    if filled:
        chosen = _filled_products(products, system)
    if target.cards_alone and (refused := [name for name in chosen if is_for_sheets(system, name)]):
        fitting = ", ".join(name for name, other in targets_by_name().items() if not other.cards_alone)
        raise UsageError(f"{refused[0]} is printed at home: leave --target out, or choose one of {fitting}")
    check_supported(choices, system, chosen)
    if not choices.only:
        return chosen
    parts = [part for product in chosen for part in parts_of(system, product) if part in sets]
    _check_only(choices.only, [card_products.card_set(system, name) for name in dict.fromkeys(parts)])

    def has_cards(name: str) -> bool:
        if name in sets:
            return bool(codes(choices.only, card_products.card_set(system, name)))
        return name == WHOLE or name not in besides

    return tuple(filter(has_cards, chosen))


def without_all(products: tuple[str, ...], system: System) -> tuple[str, ...]:
    """Return the products as they are named; none where `all` is among them, as when nothing is named."""
    return () if WHOLE not in products_of(system) and WHOLE in map(str.casefold, products) else products


def named_products(products: Iterable[str], system: System, besides: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the products that are named, each once. Raises UsageError for a name that the system lacks."""
    known = tuple(dict.fromkeys((*products_of(system), *besides, *bundles_of(system))))
    meant = tuple(dict.fromkeys(in_any_case(product, known) for product in products))
    for product in meant:
        if product not in known:
            cure = f"; for a {product} write {product}.yaml, as docs/panels.md says" if product in PANELS else ""
            raise UsageError(f'{system.head.id} has no product "{product[:40]}": there is {", ".join(known)}{cure}')
    return meant


def usual_products(system: System, target: Target) -> tuple[str, ...]:
    """Return what a target for cards makes of a system unless something is named."""
    besides = products_besides(target)
    if WHOLE in besides:
        return (WHOLE,)
    sets = (name for name in card_products.card_set_names(system) if not is_for_sheets(system, name))
    return (*sets, *(besides if system.tables else ()))


def _filled_products(products: tuple[str, ...], system: System) -> tuple[str, ...]:
    """Return the products that a campaign fills: those named, or else those of the whole table. Raises UsageError."""
    fillable = game_of(system).FILLED
    if not products:
        return tuple(name for name in fillable if name != "sheet") or fillable
    if others := [name for name in products if name not in fillable]:
        if fillable == ("sheet",):
            raise UsageError("--from fills a sheet: write hackjack print SYSTEM sheet --from CAMPAIGN:NAME")
        raise UsageError(f"--from fills {joined_words(fillable)}: leave {joined_words(others)} out")
    return products


def codes(written: Iterable[str], printed: CardSet) -> tuple[str, ...]:
    """Return the cards that `only` names and the set has, as the set writes them."""
    known = {face.code.casefold(): face.code for face in printed.faces}
    words = [word.casefold() for word in _listed(written)]
    typed = (word if word in known else (find_code(word) or word).casefold() for word in words)
    return tuple(known[code] for code in typed if code in known)


def _listed(written: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for text in written for part in text.split(",") if part.strip())


def _check_only(written: Iterable[str], printed: Sequence[CardSet]) -> None:
    """Raises UsageError unless every name is that of a card in one of the sets."""
    typed = _listed(written)
    if not typed:
        raise UsageError("--only names no card: write codes, such as QS,KH, or leave it out")
    for code in typed:
        if any(codes((code,), each) for each in printed):
            continue
        playing = any(is_code(face.code) for each in printed for face in each.faces)
        try:
            shown = read_code(code) if playing else code[:40]
        except ValueError as error:
            raise UsageError(f"--only: {error}") from error
        raise UsageError(f"there is no card {shown} in {' or '.join(each.called for each in printed)}")
