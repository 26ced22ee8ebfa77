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

from engine import learn
from engine.app import App, Devices
from engine.aside.plan import plan_first
from engine.config import Config, ConfigError, load_config
from engine.deeds import open_table
from engine.errors import GameError
from engine.games import find_game
from engine.journal import JournalError
from engine.keeper import Keeper, open_keeper
from engine.options import Options
from engine.resume import ResumeError, resume
from engine.service import Service, Wait, answer
from engine.signals import ended_by_signals
from engine.status import service_socket
from engine.story import Story
from engine.table import TABLES
from engine.tabletop import Step, Table
from engine.told import ToldApp
from hardware.box import Below, Box, open_box
from hardware.card_frames import Kind
from hardware.clock import Clock, RealClock
from hardware.gpio import GpioError
from hardware.pi import Pi
from hardware.picture import draw_what_fits
from hardware.service_manager import ServiceManager
from hardware.simulator.box import SimulatedBox
from hardware.status_socket import StatusSocket

if TYPE_CHECKING:
    from engine.spectators import Spectators

FIRST_GAME = "hack_trick"
"""Which game is offered first when one is chosen at the table."""

STOPPED, CONFIG_WRONG, NO_PINS, NO_JOURNAL = 0, 2, 3, 4

log = logging.getLogger("underboard")


@dataclass(frozen=True)
class Wish:
    """What the command line asks for."""

    config: Path | None = None
    simulated: bool = False
    fresh: bool = False


def run(wish: Wish, environment: Mapping[str, str] = os.environ) -> int:
    """Runs the table until a signal ends it; answers the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        config = load_config(wish.config, environment)
        keeper, step = open_game(config, wish.fresh)
        with closing(keeper), ExitStack() as opened:
            return serve(config, wish, keeper, step, environment, opened)
    except ConfigError as error:
        log.error("%s", error)
        return CONFIG_WRONG
    except GpioError as error:
        log.error("the lines of the header cannot be used: %s", error)
        return NO_PINS
    except JournalError as error:
        log.error("%s", error)
        return NO_JOURNAL


def serve(config: Config, wish: Wish, keeper: Keeper, step: Step, environment: Mapping[str, str], opened: ExitStack) -> int:
    """Opens the box and plays. Raises ConfigError, GpioError."""
    table, effects = step
    clock = RealClock()
    cards = cards_by_tag(config, table)
    box = open_config(config, below(config, wish, table, cards, clock, opened), clock, cards)
    devices = Devices(box.board, box.keys, box.buzzer, box.display, clock, draw_what_fits, box.reader, cards or {})
    story = Story() if config.page.enabled else None
    app = ToldApp(table, effects, devices, keeper, story) if story else App(table, effects, devices, keeper)
    service = Service(app, box, clock, ServiceManager(environment))
    page = opened.enter_context(open_page(config, app, box, service, story)) if story else None
    with open_status(environment, answer(app, box, lambda: facts(config, keeper, service, page))) as status:
        try:
            with ended_by_signals(service.stop):
                log.info("%s, kept in %s", table.setup.game.id, keeper.path)
                service.run(Wait(status))
        finally:
            box.close(service.farewell)
    keeper.close()
    log.info("The table is closed. The game %s in %s.", "could not be kept" if keeper.problem else "is kept", keeper.path)
    return STOPPED


# ---- the game -------------------------------------------------------------------------


def open_game(config: Config, fresh: bool) -> tuple[Keeper, Step]:
    """The keeper of the journal and the table to go on with, else a new one. Raises ConfigError, JournalError."""
    keeper = open_keeper(config.journal)
    try:
        step = kept_game(keeper, config.board_size) if keeper.game and not fresh else None
        table, effects = step or new_game(config)
    except BaseException:
        keeper.close()
        raise
    for note in keeper.notes:
        log.warning("%s", note)
    return keeper, (replace(table, board_size=config.board_size), effects)


def kept_game(keeper: Keeper, board_size: tuple[int, int]) -> Step | None:
    """The game in the journal. Raises JournalError.

    None if its entries make none, and then the journal begins anew; and for a game that was begun on a larger board.
    """
    try:
        table = resume(keeper.game)
    except ResumeError as error:
        keeper.start_anew(str(error))
        return None
    if table.setup.overlay.fits(board_size):
        return table, []
    log.warning("the game that is kept, %s, is too large for this board of %d x %d: another one begins", table.setup.game.id, *board_size)
    return None


def new_game(config: Config) -> Step:
    """The game that is configured, or its choice at the table. Raises ConfigError."""
    if not config.game_id:
        return plan_first(FIRST_GAME, Random().getrandbits(31), config.language, config.board_size), []
    try:
        return open_table(config.setup(), config.language)
    except GameError as error:
        raise ConfigError(f"{config.file}: game.options: {error}") from None


def cards_by_tag(config: Config, table: Table) -> Mapping[str, str] | None:
    """All cards that the reader can tell, of every deck that was learnt, for another game may be set up at the table.

    None if there are none and no reader deals: then it is not looked for. Raises ConfigError for a deck of this game that
    cannot be used.
    """
    now = table.setup.game.id
    cards: dict[str, str] = {}
    for game_id in [now] if config.deck_file else sorted(TABLES, key=lambda game_id: game_id == now):
        try:
            deck = learn.load(config.deck(game_id), game_id, find_game(game_id).deck(Options(options_of(table, game_id))))
        except learn.LearnError as error:
            if game_id == now:
                raise ConfigError(str(error)) from None
            log.warning("%s", error)
        else:
            cards |= deck.tags
            if deck.missing and (deck.tags or (game_id == now and table.setup.dealer == "reader")):
                log.warning("%s: %d cards have no tag yet: underboard cards learn %s", config.deck(game_id), len(deck.missing), game_id)
    return cards if cards or table.setup.dealer == "reader" else None


def options_of(table: Table, game_id: str) -> dict[str, str]:
    """The options on which the deck of a game depends."""
    return dict(table.setup.options) if game_id == table.setup.game.id else {}


# ---- the box --------------------------------------------------------------------------


def below(config: Config, wish: Wish, table: Table, cards: Mapping[str, str] | None, clock: Clock, opened: ExitStack) -> Below:
    """What lies below the drivers: this computer, or a simulated box on which the tokens stand as they should."""
    box = config.box
    if not wish.simulated:
        return Pi(box.library, box.i2c_bus)
    reader: Kind | None = "rdm6300" if cards is not None else None
    simulated = opened.enter_context(SimulatedBox(clock, box.wiring, box.panel.controller, board=box.board, reader=reader, pico=box.pico))
    for space in table.layout.spaces:
        simulated.place(table.setup.overlay.cell(space))
    return simulated


def open_config(config: Config, below: Below, clock: Clock, cards: Mapping[str, str] | None) -> Box:
    """The drivers of the box that is configured. Raises ConfigError, GpioError."""
    box = config.box
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


# ---- the page for spectators ----------------------------------------------------------


def open_page(config: Config, app: App, box: Box, service: Service, story: Story) -> Spectators:
    """The page that follows the table; what serves it is only loaded by a table that has one."""
    from engine.spectators import Spectators

    story.tell_past(app.table)
    page = Spectators(app, box, story, service.complain)
    page.open(config.page.host, config.page.port)
    service.changed = page.show
    if page.url:
        log.info("the page for spectators: %s", page.url)
    return page


# ---- what is told ---------------------------------------------------------------------


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


def facts(config: Config, keeper: Keeper, service: Service, page: Spectators | None = None) -> dict[str, Any]:
    """What the service knows beside its table."""
    return {
        "config": str(config.file),
        "journal": {"file": str(keeper.path), "problem": str(keeper.problem or "")},
        "uptime_s": service.uptime_s,
        "page": page.record if page else None,
        "last_error": service.last_error,
        "pid": os.getpid(),
    }
