"""Everything the laptop's page shows of a table, as JSON values: the report of the table scripts, and more to draw with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.page import GamePage, Piece
from engine.referee import Table
from engine.report import report
from engine.table import Overlay, Site, Space
from engine.words import Words


def board_of(table: Table) -> dict[str, Any]:
    """The sensors with the overlay on them; this never changes while the table runs."""
    overlay = table.setup.overlay
    return {
        "rows": overlay.rows,
        "columns": overlay.columns,
        "sensors": {name: list(cell) for name, cell in sensors(overlay).items()},
        "sites": {site: sorted(spaces) for site, spaces in table.sites.items()},
    }


def sensors(overlay: Overlay) -> dict[Space, tuple[int, int]]:
    """Every sensor under the one name it goes by."""
    cells = [(row, column) for row in range(1, overlay.rows + 1) for column in range(1, overlay.columns + 1)]
    return {overlay.name(cell): cell for cell in cells}


def view_of(table: Table, page: GamePage, words: Words, tokens: Mapping[Space, str]) -> dict[str, Any]:
    """What is to be seen of a table; `tokens` are the kinds of those that people have put on the board."""
    alert = table.alert
    pieces = page.pieces(table.state)
    return {
        **report(table, words),
        "game": table.setup.game.id,
        "seats": list(table.setup.game.seats(table.state)),
        "seat_names": {seat: words(seat.upper()) for seat in table.setup.game.seats(table.state)},
        "status": status(table, words),
        "wrong": list(alert.wrong) if alert else [],
        "targets": sorted(alert.where) if alert and alert.where else targets(table),
        "lift": list(table.to_lift),
        "winning": named_sites(table),
        "hands": {seat: list(hand) for seat, hand in table.setup.table.hands(table.state).items()},
        "playable": playable(table),
        "pieces": [{"name": piece.name, "seat": piece.seat, "giant": piece.giant, "left": piece.left} for piece in pieces],
        "piece": wanted_piece(table, pieces),
        "put_back": put_back(table, page, tokens),
        "tokens": dict(sorted(tokens.items())),
    }


def targets(table: Table) -> list[Space]:
    """The free spaces for the token that is awaited."""
    puts = {site for action in table.chosen for site in table.changes[action].puts}
    return sorted(space for site in puts for space in table.sites.get(site, ()) if space not in table.sensed)


def status(table: Table, words: Words) -> str:
    """Whose turn it is and what is waited for."""
    game = table.setup.game
    if game.over(table.state):
        winner = game.outcome(table.state).get("winner")
        return words("{seat} wins", seat=words(winner.upper())) if isinstance(winner, str) else words("the game is over")
    seat = words(game.to_move(table.state).upper())
    if table.awaited:
        sites = " ".join(table.changes[table.awaited].puts)
        if table.to_lift:
            return words("{seat}: take off {spaces}, then put a token on {sites}", seat=seat, spaces=" ".join(table.to_lift), sites=sites)
        return words("{seat}: put a token on {sites}", seat=seat, sites=sites)
    if table.asked:
        return words("{seat}: what was it? Choose with the keys", seat=seat)
    return words("{seat} to move", seat=seat)


def named_sites(table: Table) -> list[Site]:
    """The places that the outcome names: where the game was won."""
    outcome = table.setup.game.outcome(table.state)
    named = (str(item) for value in outcome.values() if isinstance(value, list) for item in value)
    return sorted(site for site in named if site in table.sites)


def playable(table: Table) -> dict[str, str]:
    """The choice that plays a card, by card, for the seat to move; also while another card's token is awaited."""
    hand = table.setup.table.hands(table.state).get(table.setup.game.to_move(table.state), ())
    choices, _ = table.setup.table.menu(table.state, ())
    by_card = {words[1]: choice.name for choice in reversed(choices) if len(words := choice.name.split()) > 1}
    return {card: by_card[card] for card in sorted(set(hand)) if card in by_card}


def wanted_piece(table: Table, pieces: Sequence[Piece]) -> str | None:
    """What a hand would pick up next: a token of the seat to move, the giant if that is what is awaited."""
    seat = table.setup.game.to_move(table.state)
    giant = "giant" in (table.awaited or "").split()
    mine = [piece for piece in pieces if piece.seat == seat]
    return next((piece.name for piece in mine if piece.giant == giant), mine[0].name if mine else None)


def put_back(table: Table, page: GamePage, tokens: Mapping[Space, str]) -> dict[Space, str]:
    """Which piece is missing on each space that lacks its token."""
    alert = table.alert
    if alert is None or alert.code != "missing":
        return {}
    return kinds_on(table, page, alert.wrong, tokens)


def kinds_on(table: Table, page: GamePage, spaces: Iterable[Space], tokens: Mapping[Space, str]) -> dict[Space, str]:
    """The pieces that belong on these spaces, given what stands on the others."""
    site_of = table.setup.table.site
    owed = {site: list(names) for site, names in page.standing(table.state).items()}
    for space, name in tokens.items():
        if name in owed.get(site_of(space), ()):
            owed[site_of(space)].remove(name)
    return {space: owed[site_of(space)].pop(0) for space in sorted(spaces) if owed.get(site_of(space))}
