"""A table in operation that tells what happens at it, for pages."""

from __future__ import annotations

from collections.abc import Iterable

from engine.app import App, Devices
from engine.events import Effect, Event
from engine.keeper import Keeper
from engine.story import Story
from engine.tabletop import Table


class ToldApp(App):
    """A table in operation whose story is told."""

    def __init__(self, table: Table, effects: Iterable[Effect], devices: Devices, journal: Keeper, story: Story) -> None:
        super().__init__(table, effects, devices, journal)
        self._story = story
        story.follow(self.table, self.take_done())

    def handle(self, event: Event, now: int) -> None:
        super().handle(event, now)
        self._story.follow(self.table, self.take_done())
