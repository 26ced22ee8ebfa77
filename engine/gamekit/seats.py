"""What players call seats, or the sides that several seats form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Seat


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of seats or sides: `labels` are English texts, to be translated, in the order of `seats`.

    States number the seats; options and announcements have their ids.
    """

    seats: tuple[Seat, ...]
    labels: tuple[str, ...]

    def at(self, index: int, words: Words) -> str:
        """The name of a seat by its index."""
        return words(self.labels[index])

    def of(self, seat: Seat, words: Words) -> str:
        """The name of a seat by its id."""
        return self.at(self.seats.index(seat), words)

    @property
    def by_seat(self) -> Mapping[Seat, str]:
        """The labels by the ids of the seats, in their order."""
        return dict(zip(self.seats, self.labels, strict=True))
