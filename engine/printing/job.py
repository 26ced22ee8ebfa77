"""`underboard print`: what was asked for, as a PDF file, or in one piece also as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from underboard.engine.base.drawing.pdf import pdf
from underboard.engine.base.drawing.shapes import Drawing
from underboard.engine.base.drawing.svg import svg
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.file_errors import unwritable
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS
from underboard.engine.gamekit.registry import find_game
from underboard.engine.printing import cards
from underboard.engine.printing.paper import WHOLE, paper_of, pitch_of
from underboard.engine.printing.sheet import BoardSize, picture, sheet_of
from underboard.engine.printing.tiles import pages, whole

CARDS = "cards"
SUFFIX = ".pdf"


def sheets(
    words: Sequence[str], pitch: str, paper: str, language: str, size: BoardSize = (BOARD_ROWS, BOARD_COLUMNS)
) -> tuple[str, list[Drawing]]:
    """What `[cards] GAME key=value …` asks for: a name for its file, and its sheets for a board of this size. Raises BadArgument."""
    for_cards = bool(words) and words[0] == CARDS
    asked = words[1:] if for_cards else words
    if not asked or "=" in asked[0]:
        raise BadArgument("which game? Like `underboard print hack_trick` or `underboard print cards hack_trick`")
    game_id, rest = asked[0], asked[1:]
    find_game(game_id)
    if language not in LANGUAGES:
        raise BadArgument(f"lang {language}: there are {', '.join(LANGUAGES)}")
    texts, options = find_words(language), Options.parse(rest)
    if for_cards:
        return f"{game_id}-cards{SUFFIX}", cards.sheets(game_id, options, paper_of(paper), texts)
    board = picture(sheet_of(game_id, options.as_dict(), size), pitch_of(pitch), texts)
    return f"{game_id}{SUFFIX}", [whole(board)] if paper.lower() == WHOLE else pages(board, paper_of(paper), texts)


def write(drawings: Sequence[Drawing], path: Path, paper: str) -> None:
    """The file. Raises BadArgument for a file of another kind, or one that cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in (SUFFIX, ".svg"):
        raise BadArgument(f"{path}: sheets are PDF files, so the name ends in {SUFFIX}")
    if suffix != SUFFIX and paper.lower() != WHOLE:
        raise BadArgument(f"{path}: pages are a PDF, {path.with_suffix(SUFFIX)}; an SVG shows the board in one piece: add --paper {WHOLE}")
    try:
        path.write_bytes(pdf(drawings) if suffix == SUFFIX else svg(drawings[0]).encode())
    except OSError as error:
        raise BadArgument(unwritable(path, error)) from None
