"""What is to be seen of a table, piece by piece, as JSON values; `page_record` puts the pieces together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import Overlay, Site, Space
from underboard.engine.gamekit.panel import listed
from underboard.engine.gamekit.presentation import Piece, Presentation, backs
from underboard.engine.referee.find_alerts import find_alert, find_public_alert
from underboard.engine.referee.state import TableState
from underboard.engine.view.report import alert_record

SITES_WIDTH = 30
"""Characters of a list of places in the status line."""


def board_of(table: TableState, page: Presentation) -> dict[str, Any]:
    """The sensors with the overlay on them."""
    overlay = table.setup.overlay
    return {
        "rows": overlay.rows,
        "columns": overlay.columns,
        "sensors": {name: list(cell) for name, cell in sensors(overlay).items()},
        "sites": {site: sorted(spaces) for site, spaces in table.sites.items()},
        "printed": dict(page.printed(table.state)),
    }


def sensors(overlay: Overlay) -> dict[Space, tuple[int, int]]:
    """Every sensor under the one name it goes by."""
    cells = [(row, column) for row in range(1, overlay.rows + 1) for column in range(1, overlay.columns + 1)]
    return {overlay.name(cell): cell for cell in cells}


def public_view(table: TableState, page: Presentation, words: Words, tokens: Mapping[Space, str]) -> dict[str, Any]:
    """What everybody sees of a table, whoever is to move; `tokens` are the kinds of those that stand on the board."""
    state = table.state
    seats, pieces = table.setup.game.seats(state), page.pieces(state)
    return {
        "game": table.setup.game.id,
        "seats": list(seats),
        "seat_names": {name: page.called(state, name, words) for name in (*seats, *(piece.seat for piece in pieces))},
        "sides": {seat: page.side(state, seat) for seat in seats},
        "winning": named_sites(table),
        "dealing": table.deal is not None,
        "pieces": [{"name": piece.name, "seat": piece.seat, "kind": piece.kind, "left": piece.left} for piece in pieces],
        "put_back": put_back(table, page, tokens),
        "tokens": dict(sorted(tokens.items())),
    }


def turn_of_mover(table: TableState, page: Presentation, words: Words) -> dict[str, Any]:
    """What the seat to move sees of its turn."""
    alert = find_alert(table)
    return {
        "choices": [choice.name for choice in table.choices],
        "selected": table.selected,
        "playable": playable(table, page),
        "status": status(table, page, words),
        "alert": None if alert is None else alert_record(alert, words),
        "wrong": list(alert.wrong) if alert else [],
        "targets": sorted(alert.where) if alert and alert.where else targets(table),
        "lift": list(table.to_lift),
        "piece": wanted_piece(table, page),
    }


def turn_of_others(table: TableState, page: Presentation, words: Words) -> dict[str, Any]:
    """What everybody sees of the turn of the seat to move: if that seat has secrets, nothing that its hand decides."""
    nothing: dict[str, Any] = {"choices": [], "selected": None, "playable": {}}
    if not table.keeps_secret:
        return {**turn_of_mover(table, page, words), **nothing}
    alert = find_public_alert(table)
    seat = page.called(table.state, table.setup.game.to_move(table.state), words)
    return {
        **nothing,
        "status": words("{seat} to move", seat=seat),
        "alert": None if alert is None else alert_record(alert, words),
        "wrong": list(alert.wrong) if alert else [],
        "targets": sorted(alert.where) if alert else [],
        "lift": [],
        "piece": next((piece.name for piece in pieces_of_mover(table, page)), None),
    }


def hands(table: TableState, page: Presentation, seat: Seat | None) -> dict[Seat, list[str | None]]:
    """Each seat's cards as one seat sees them, or whoever has none; None is the back of a card.

    While cards are dealt, those that have been.
    """
    if table.deal:
        dealt = {option: cards.split(",") if cards else [] for option, cards in table.deal.dealt.items()}
        piles = {each: dealt.get(each, []) for each in table.setup.game.seats(table.state)}
        return {each: list(cards if each == seat else backs(len(cards))) for each, cards in piles.items()}
    game = table.setup.game
    view = game.public_view(table.state) if seat is None or not table.playing else game.view(table.state, seat)
    return {each: list(cards) for each, cards in page.fans(view).items()}


def all_hands(table: TableState, page: Presentation) -> dict[Seat, list[str | None]]:
    """Each seat's cards as their holder sees them."""
    return {seat: hands(table, page, seat)[seat] for seat in hands(table, page, None)}


def card_names(table: TableState, page: Presentation, words: Words) -> dict[str, str]:
    """Every card of the deck, whoever holds it, that is called otherwise than it is spelled.

    Where each seat has a deck of its own, its cards lie in a fan without the seat before them: "S1" of "green S1".
    """
    cards = table.setup.game.deck(Options(dict(table.setup.options)))
    return {
        card: name for deck_card in cards for card in (deck_card, deck_card.rpartition(" ")[2]) if (name := page.card(card, words)) != card
    }


def targets(table: TableState) -> list[Space]:
    """The free spaces for the token that is awaited."""
    puts = {site for action in table.chosen or table.exchanging for site in table.changes[action].puts}
    return sorted(space for site in puts for space in table.sites.get(site, ()) if space not in table.sensed)


def status(table: TableState, page: Presentation, words: Words) -> str:
    """Whose turn it is and what is waited for."""
    game = table.setup.game
    if table.deal:
        return words("Lay the cards on the reader, one by one")
    if game.over(table.state):
        winner = game.outcome(table.state).get("winner")
        return words("{seat} wins", seat=page.called(table.state, winner, words)) if isinstance(winner, str) else words("the game is over")
    seat = page.called(table.state, game.to_move(table.state), words)
    if table.awaited:
        return awaited_text(table, seat, words)
    if table.asked:
        return words("{seat}: what was it? Choose with the keys", seat=seat)
    return words("{seat} to move", seat=seat)


def own_status(table: TableState, page: Presentation, words: Words) -> str:
    """The same, on the page of the seat to move."""
    if not table.playing or table.awaited or table.asked:
        return status(table, page, words)
    return words("{seat}: your turn", seat=page.called(table.state, table.setup.game.to_move(table.state), words))


def awaited_text(table: TableState, seat: str, words: Words) -> str:
    """What a hand has to do for what was chosen."""
    changes = [table.changes[action] for action in table.chosen]
    puts = listed(list(dict.fromkeys(site for change in changes for site in change.puts)), SITES_WIDTH)
    clears = listed(list(dict.fromkeys(site for change in changes for site in change.clears)), SITES_WIDTH)
    if not puts:
        return words("{seat}: take a token off {sites}", seat=seat, sites=clears)
    if table.to_lift:
        return words("{seat}: take off {spaces}, then put a token on {sites}", seat=seat, spaces=" ".join(table.to_lift), sites=puts)
    return words("{seat}: put a token on {sites}", seat=seat, sites=puts)


def named_sites(table: TableState) -> list[Site]:
    """The places that the outcome names: where the game was won."""
    outcome = table.setup.game.outcome(table.state)
    named = (str(item) for value in outcome.values() if isinstance(value, list) for item in value)
    return sorted(site for site in named if site in table.sites)


def playable(table: TableState, page: Presentation) -> dict[str, str]:
    """The choice that plays a card, by card, for the seat to move; also while another card's token is awaited."""
    mover = table.setup.game.to_move(table.state)
    if table.deal or not table.playing or mover not in table.setup.game.seats(table.state):
        return {}
    hand = {card for card in hands(table, page, mover).get(mover, ()) if card is not None}
    choices, _ = table.setup.table.menu(table.state, ())
    by_card = {choice.card: choice.name for choice in reversed(choices) if choice.card is not None}
    return {card: by_card[card] for card in sorted(hand) if card in by_card}


def wanted_piece(table: TableState, page: Presentation) -> str | None:
    """What a hand would pick up next: a token of the seat to move, of the kind that is awaited."""
    action = table.awaited or next(iter(table.exchanging), None)
    kind = page.kind(table.state, action) if action else ""
    mine = pieces_of_mover(table, page)
    return next((piece.name for piece in mine if piece.kind == kind), mine[0].name if mine else None)


def pieces_of_mover(table: TableState, page: Presentation) -> Sequence[Piece]:
    """The kinds of tokens of the seat to move, or of its team."""
    side = page.side(table.state, table.setup.game.to_move(table.state))
    return [piece for piece in page.pieces(table.state) if piece.seat == side]


def put_back(table: TableState, page: Presentation, tokens: Mapping[Space, str]) -> dict[Space, str]:
    """Which piece is missing on each space that lacks its token."""
    alert = find_alert(table)
    if alert is None or alert.code != "missing":
        return {}
    return kinds_on(table, page, alert.wrong, tokens)


def kinds_on(table: TableState, page: Presentation, spaces: Iterable[Space], tokens: Mapping[Space, str]) -> dict[Space, str]:
    """The pieces that belong on these spaces, given what stands on the others."""
    site_of = table.setup.table.site
    owed = {site: list(names) for site, names in page.standing(table.state).items()}
    for space, name in tokens.items():
        if name in owed.get(site_of(space), ()):
            owed[site_of(space)].remove(name)
    return {space: owed[site_of(space)].pop(0) for space in sorted(spaces) if owed.get(site_of(space))}


def pieces_on(table: TableState, page: Presentation, spaces: Sequence[Space], before: Mapping[Space, str]) -> dict[Space, str]:
    """Which piece stands on each space: what the game says of its place, else what stood there before, else what was awaited.

    While the table asks what has been done, what was put down is what would be right, and not yet what the game has.
    """
    site_of = table.setup.table.site
    owed = {site: list(names) for site, names in page.standing(table.state).items()}
    pieces: dict[Space, str] = {}
    for space in spaces:
        if before.get(space) in owed.get(site_of(space), ()):
            pieces[space] = before[space]
            owed[site_of(space)].remove(before[space])
    for space in spaces:
        if space not in pieces:
            names = [] if table.asked else owed.get(site_of(space), [])
            pieces[space] = names.pop(0) if names else before.get(space) or wanted_piece(table, page) or ""
    return dict(sorted(pieces.items()))
