"""How many wrong keys are answered: a limit for each address and one for all together, in buckets of tokens that fill again.

At the limit of an address, or at that of all, a key is no longer looked at: the answer is 429 whether it is right or wrong, so
nobody learns anything from it. Only a key that was right from that same address before is answered all the same. So whoever
plays already goes on playing while somebody guesses, even behind the same router; who opens a link for the first time has to
wait a moment. docs/network.md has the arithmetic.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from underboard.web.access import WATCH, AccessRules
from underboard.web.recent import Recent

OF_ONE, OF_ONE_PER_S = 20, 1 / 3
"""Wrong keys that one address may try at once, and how many more in each second: old pages that were left open try, too."""
OF_ALL, OF_ALL_PER_S = 60, 1.0
MOST_REMEMBERED = 1_000
"""Addresses, and right keys of them, that are remembered: the last ones. What is forgotten only has to be earned again."""
TOO_MANY = "Too many wrong links were tried. Wait a moment, then open yours again.\n"


@dataclass(slots=True)
class TokenBucket:
    """`capacity` tokens at first; what is taken comes back, `per_s` in each second."""

    capacity: float
    per_s: float
    tokens: float
    filled_at: float

    @classmethod
    def full(cls, capacity: float, per_s: float, now: float) -> TokenBucket:
        """A new one."""
        return cls(capacity, per_s, capacity, now)

    def take(self, now: float) -> None:
        """Takes one token, of which there must be one."""
        self._fill(now)
        self.tokens -= 1

    def wait_s(self, now: float) -> float:
        """How long it takes until there is a token."""
        self._fill(now)
        return max(0.0, (1 - self.tokens) / self.per_s)

    def _fill(self, now: float) -> None:
        self.tokens = min(self.capacity, self.tokens + (now - self.filled_at) * self.per_s)
        self.filled_at = now


class GuessLimit:
    """Counts wrong keys by the address that they come from."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._all = TokenBucket.full(OF_ALL, OF_ALL_PER_S, now())
        self._buckets: Recent[str, TokenBucket] = Recent(MOST_REMEMBERED)
        self._right: Recent[tuple[str, str], bool] = Recent(MOST_REMEMBERED)

    def wait_s(self, address: str, key: str) -> int:
        """Whole seconds until this address may try this key; 0: now."""
        if (address, key) in self._right:
            return 0
        now = self._now()
        return math.ceil(max(self._all.wait_s(now), self._bucket(address).wait_s(now)))

    def was_right(self, address: str, key: str) -> None:
        """From now on this address may use this key whatever others do."""
        self._right.put((address, key), True)

    def was_wrong(self, address: str) -> None:
        """One wrong key, which could be tried."""
        now = self._now()
        self._all.take(now)
        self._bucket(address).take(now)

    def _bucket(self, address: str) -> TokenBucket:
        bucket = self._buckets.get(address) or TokenBucket.full(OF_ONE, OF_ONE_PER_S, self._now())
        self._buckets.put(address, bucket)
        return bucket


class KeyGuard:
    """Looks at the key in an address before anything else does, as often as it may be tried."""

    def __init__(self, app: ASGIApp, access_rules: AccessRules, limit: GuessLimit | None = None) -> None:
        self._app = app
        self._rules = access_rules
        self._limit = limit or GuessLimit()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        wait_s = self._look(connection.client.host if connection.client else "", connection.url.path)
        if wait_s:
            await PlainTextResponse(TOO_MANY, 429, {"Retry-After": str(wait_s)})(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _look(self, address: str, path: str) -> int:
        """Counts the key in a path; the seconds to wait if it may not be tried now."""
        key, slash, _ = path.removeprefix("/").partition("/")
        if not slash or key == WATCH or not self._rules.locked:
            return 0
        if wait_s := self._limit.wait_s(address, key):
            return wait_s
        if self._rules.find(key):
            self._limit.was_right(address, key)
        else:
            self._limit.was_wrong(address)
        return 0
