"""Comparing what stands on the board with what should: pure functions over sets of spaces.

Which of a site's spaces holds a token does not matter, only how many do. A site that an action clears is the exception:
there the tokens that stood must have been seen to leave, or a player who lifts one of two enemies would seem to be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from underboard.engine.gamekit.overlay import NO_SPACES, Site, Space, Spaces, by_site
from underboard.engine.gamekit.table import Change


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens of one site: those that should stand and those that do."""

    should: Spaces
    does: Spaces


def differences(standing: Spaces, sensed: Spaces, site: Callable[[Space], Site]) -> dict[Site, Difference]:
    """The sites with more or fewer tokens than should stand there."""
    should, does = by_site(standing, site), by_site(sensed, site)
    found = {}
    for name in sorted(should.keys() | does.keys()):
        difference = Difference(should.get(name, NO_SPACES), does.get(name, NO_SPACES))
        if len(difference.should) != len(difference.does):
            found[name] = difference
    return found


@dataclass(frozen=True)
class Comparison:
    """The board against one position: what should stand, what does, and which spaces were seen empty since."""

    standing: Spaces
    sensed: Spaces
    vacated: Spaces
    site: Callable[[Space], Site]

    def at(self, site: Site) -> Difference:
        """The tokens of one site."""
        return Difference(
            frozenset(space for space in self.standing if self.site(space) == site),
            frozenset(space for space in self.sensed if self.site(space) == site),
        )

    def different(self) -> Mapping[Site, Difference]:
        """The sites with a wrong number of tokens."""
        return self._different

    @cached_property
    def _different(self) -> Mapping[Site, Difference]:
        return differences(self.standing, self.sensed, self.site)

    def counts_fit(self, change: Change) -> bool:
        """Whether the numbers of tokens are those after `change`, here and everywhere else."""
        return self.different().keys() <= set(change.sites) and all(
            len(self.at(site).does) == tokens_after(change, site, len(self.at(site).should)) for site in change.sites
        )

    def fulfils(self, change: Change) -> bool:
        """Whether `change` has been done: the numbers fit, and what had to leave was seen to leave."""
        return self.counts_fit(change) and all(self.at(site).should <= self.vacated for site in change.clears)

    def exchanged(self, change: Change) -> bool:
        """Whether the tokens of an exchange were seen to leave and others are back, whatever is to be seen elsewhere."""
        sites = map(self.at, change.sites)
        return change.exchanges and all(site.should <= self.vacated and len(site.does) == len(site.should) for site in sites)

    def on_the_way(self, change: Change) -> bool:
        """Whether the board can be an unfinished `change`: nothing else is touched, nothing is too many."""
        for name, difference in self.different().items():
            if name not in change.sites:
                return False
            most = len(difference.should) + change.puts.count(name)
            least = 0 if name in change.clears else len(difference.should)
            if not least <= len(difference.does) <= most:
                return False
        return True

    def to_lift(self, change: Change) -> list[Space]:
        """The spaces whose tokens still have to leave for `change`, sorted."""
        return sorted(space for site in change.clears for space in self.at(site).should if space not in self.vacated)


def tokens_after(change: Change, site: Site, before: int) -> int:
    """How many tokens a site of `change` holds once it is done."""
    return change.puts.count(site) + (0 if site in change.clears else before)


def layout_after(standing: Spaces, change: Change, spaces: Mapping[Site, Iterable[Space]], site: Callable[[Space], Site]) -> Spaces:
    """Where tokens should stand after a change that nobody has made on the board yet: on the first free spaces."""
    layout = {space for space in standing if site(space) not in change.clears}
    for name in change.puts:
        free = next((space for space in spaces[name] if space not in layout), None)
        if free is not None:
            layout.add(free)
    return frozenset(layout)
