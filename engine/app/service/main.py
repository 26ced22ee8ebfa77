"""`underboard run`: a table of one's own, as a service that goes on where it was whenever it is started."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from underboard.engine.app.config import Config, ConfigError, load_config
from underboard.engine.app.devices import Devices
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.service.loop import Service, Wait, answer
from underboard.engine.app.service.status import service_socket
from underboard.engine.app.tagged_deck import DeckError, load_deck
from underboard.engine.base.errors import GameError
from underboard.engine.base.signals import ended_by_signals
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, game_ids
from underboard.engine.journal.history import ResumeError, resume
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.menu.new_game import set_up_first
from underboard.engine.referee.state import Step, TableState
from underboard.engine.view.game_log import GameLog
from underboard.hardware.box.drivers import Below, Box, open_box
from underboard.hardware.box.raspberry_pi import Pi
from underboard.hardware.core.clock import Clock, RealClock
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.gpio.errors import GpioError
from underboard.hardware.panel.picture import draw_what_fits
from underboard.hardware.system.service_manager import ServiceManager
from underboard.hardware.system.status_socket import StatusSocket
from underboard.version import find_version

if TYPE_CHECKING:
    from underboard.engine.app.service.pages import ServicePages

FIRST_GAME = "hack_trick"
"""Which game is offered first when one is chosen at the table."""

log = logging.getLogger("underboard")


@dataclass(frozen=True)
class RunOptions:
    """What the command line asks for."""

    config: Path | None = None
    simulated: bool = False
    fresh: bool = False


def run(options: RunOptions, environment: Mapping[str, str] = os.environ) -> int:
    """Runs the table until a signal ends it; answers the exit status. Raises ConfigError, GpioError, JournalError."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log.info("Underboard %s", find_version())
    config = load_config(options.config, environment)
    writer, step = open_game(config, options.fresh)
    with closing(writer), ExitStack() as opened:
        serve(config, options, writer, step, environment, opened)
    return 0


def serve(
    config: Config, options: RunOptions, writer: JournalWriter, step: Step, environment: Mapping[str, str], opened: ExitStack
) -> None:
    """Opens the box and plays. Raises ConfigError, GpioError."""
    table, effects = step
    clock = RealClock()
    cards = cards_by_tag(config, table)
    box = open_config(config, below(config, options, table, cards, clock, opened), clock, cards)
    devices = Devices(box.board, box.keys, box.buzzer, box.display, clock, draw_what_fits, box.reader, cards or {})
    game_log = GameLog() if config.page.enabled else None
    app = TableLoop(table, effects, devices, writer, [game_log.follow] if game_log else [])
    service = Service(app, box, clock, ServiceManager(environment))
    page = opened.enter_context(open_page(config, app, box, service, game_log)) if game_log else None
    with open_status(environment, answer(app, box, lambda: facts(config, writer, service, page))) as status:
        try:
            with ended_by_signals(service.stop):
                log.info("%s, kept in %s", table.setup.game.id, writer.path)
                service.run(Wait(status))
        finally:
            box.close(service.farewell)
    writer.close()
    log.info("The table is closed. The game %s in %s.", "could not be kept" if writer.problem else "is kept", writer.path)


# ---- the game -------------------------------------------------------------------------


def open_game(config: Config, fresh: bool) -> tuple[JournalWriter, Step]:
    """The writer of the journal and the table to go on with, else a new one. Raises ConfigError, JournalError."""
    writer = open_writer(config.journal)
    try:
        step = kept_game(writer, config.board_size) if writer.game and not fresh else None
        table, effects = step or new_game(config)
    except BaseException:
        writer.close()
        raise
    for note in writer.notes:
        log.warning("%s", note)
    return writer, (replace(table, board_size=config.board_size), effects)


def kept_game(writer: JournalWriter, board_size: tuple[int, int]) -> Step | None:
    """The game in the journal. Raises JournalError.

    None if its entries make none, and then the journal begins anew; and for a game that was begun on a larger board.
    """
    try:
        table = resume(writer.game)
    except ResumeError as error:
        writer.start_anew(str(error))
        return None
    if table.setup.overlay.fits(board_size):
        return table, []
    log.warning("the game that is kept, %s, is too large for this board of %d x %d: another one begins", table.setup.game.id, *board_size)
    return None


def new_game(config: Config) -> Step:
    """The game that is configured, or its choice at the table. Raises ConfigError."""
    if not config.game_id:
        return set_up_first(FIRST_GAME, Random().getrandbits(31), config.language, config.board_size), []
    try:
        return open_table(config.setup(), config.language)
    except GameError as error:
        raise ConfigError(f"{config.file}: game.options: {error}") from None


def cards_by_tag(config: Config, table: TableState) -> Mapping[str, str] | None:
    """All cards that the reader can tell, of every deck that was learnt, for another game may be set up at the table.

    None if there are none and no reader deals: then it is not looked for. Raises ConfigError for a deck of this game that
    cannot be used.
    """
    now = table.setup.game.id
    cards: dict[str, str] = {}
    for game_id in [now] if config.deck_file else sorted(game_ids(), key=lambda game_id: game_id == now):
        try:
            deck = load_deck(config.deck(game_id), game_id, find_game(game_id).deck(Options(options_of(table, game_id))))
        except DeckError as error:
            if game_id == now:
                raise ConfigError(str(error)) from None
            log.warning("%s", error)
        else:
            cards |= deck.tags
            if deck.missing and (deck.tags or (game_id == now and table.setup.dealer == "reader")):
                log.warning("%s: %d cards have no tag yet: underboard cards learn %s", config.deck(game_id), len(deck.missing), game_id)
    return cards if cards or table.setup.dealer == "reader" else None


def options_of(table: TableState, game_id: str) -> dict[str, str]:
    """The options on which the deck of a game depends."""
    return dict(table.setup.options) if game_id == table.setup.game.id else {}


# ---- the box --------------------------------------------------------------------------


def below(
    config: Config, options: RunOptions, table: TableState, cards: Mapping[str, str] | None, clock: Clock, opened: ExitStack
) -> Below:
    """What lies below the drivers: this computer, or a simulated box on which the tokens stand as they should."""
    box = config.box
    if not options.simulated:
        return Pi(box.library, box.i2c_bus)
    from underboard.hardware.simulator.box import SimulatedBox  # here, since an installed table loads no simulator

    reader: ReaderKind | None = "rdm6300" if cards is not None else None
    simulated = opened.enter_context(SimulatedBox(clock, box.wiring, box.panel.controller, board=box.board, reader=reader, pico=box.pico))
    for space in table.layout.spaces:
        simulated.place(table.setup.overlay.cell(space))
    return simulated


def open_config(config: Config, below: Below, clock: Clock, cards: Mapping[str, str] | None) -> Box:
    """The drivers of the box that is configured. Raises ConfigError, GpioError."""
    box = config.box
    try:
        return open_box(
            below,
            clock,
            box.panel,
            box.wiring,
            board=box.board,
            cards=cards,
            cell_map=config.read_cell_map(),
            pico=box.pico,
            pico_at=box.pico_at,
            reader_at=box.reader_at,
        )
    except GpioError as error:
        raise GpioError(f"the lines of the header cannot be used: {error}") from error


# ---- the pages ------------------------------------------------------------------------


def open_page(config: Config, app: TableLoop, box: Box, service: Service, game_log: GameLog) -> ServicePages:
    """The pages that follow the table; what serves them is only loaded by a table that has some."""
    from underboard.engine.app.service.pages import ServicePages

    game_log.add_past(app.table)
    page = ServicePages(app, box, game_log, service.complain)
    page.open(config.page.host, config.page.port, config.page.names, seat_secret(config, service) if config.page.seats else None)
    service.changed, service.look_at_pages = page.show, page.step
    if page.url:
        log.info("the page for spectators: %s", page.url)
    return page


def seat_secret(config: Config, service: Service) -> bytes | None:
    """What the addresses of the seats are made of; None if it cannot be kept, which is complained of."""
    from underboard.web.access import keep_secret

    try:
        return keep_secret(config.seat_secret)
    except OSError as error:
        service.complain(f"{config.seat_secret}: {error.strerror}: seats have no pages, for their addresses cannot be kept")
        return None


# ---- the status socket ----------------------------------------------------------------


@contextmanager
def open_status(environment: Mapping[str, str], tell: Callable[[], str]) -> Iterator[StatusSocket | None]:
    """The socket that `underboard status` asks; None if there can be none, for a game does not need it."""
    path = service_socket(environment)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        socket = StatusSocket(path, tell)
    except OSError as error:
        log.warning("`underboard status` will not find this table: %s: %s", path, error.strerror or error)
        yield None
        return
    with socket:
        yield socket


def facts(config: Config, writer: JournalWriter, service: Service, page: ServicePages | None = None) -> dict[str, Any]:
    """What the service knows beside its table."""
    return {
        "version": find_version(),
        "config": str(config.file),
        "journal": {"file": str(writer.path), "problem": str(writer.problem or "")},
        "uptime_s": service.uptime_s,
        "page": page.record if page else None,
        "last_error": service.last_error,
        "pid": os.getpid(),
    }
