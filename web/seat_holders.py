"""Which browser holds a seat: one whose pages follow it now. Another that has the same link is told so and gets nothing.

A link can be opened on a wrong phone by mistake, and two phones must not play one seat unknown to each other. A browser is told by
a cookie, so all its tabs are one. A seat is free again when the last page that followed it has gone, or has been silent for as long as
`underboard.web.page_socket` waits: a phone that is broken or has no power keeps nobody out.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection
from starlette.responses import Response

COOKIE = "browser"


class SeatHolders:
    """The browsers that follow each audience, as often as they have pages. For one thread; others may ask what is taken."""

    def __init__(self) -> None:
        self._pages: list[tuple[str, str]] = []

    def is_taken(self, audience: str, browser: str) -> bool:
        """Whether others follow this audience, and this browser does not."""
        holders = {holder for held, holder in self._pages if held == audience}
        return bool(holders) and browser not in holders

    @property
    def taken(self) -> frozenset[str]:
        """The audiences that somebody follows."""
        return frozenset(audience for audience, _ in tuple(self._pages))

    @contextmanager
    def following(self, audience: str, browser: str) -> Iterator[None]:
        """A page of this browser follows this audience meanwhile."""
        self._pages.append((audience, browser))
        try:
            yield
        finally:
            self._pages.remove((audience, browser))


def browser_of(connection: HTTPConnection) -> str:
    """What a browser has been named; "" if it has no name yet, or keeps none."""
    return connection.cookies.get(COOKIE, "")


def name_browser(response: Response) -> None:
    """Gives a browser a name that no other has, until it is closed."""
    response.set_cookie(COOKIE, secrets.token_hex(8), httponly=True, samesite="lax")
