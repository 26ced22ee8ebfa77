"""`underboard replay --page`: a script or a journal in the browser, to be stepped through forwards and backwards."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from queue import SimpleQueue

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from underboard.engine.app.listen import open_port
from underboard.engine.base.signals import ended_by_signals
from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.playback import script_in
from underboard.engine.scripting.playback_program import PLAYBACK_PROGRAM
from underboard.engine.scripting.runner import set_table
from underboard.web.access import AccessRules
from underboard.web.host_names import LOOPBACK
from underboard.web.playback_stream import PlaybackStream
from underboard.web.server import HEADERS, OnlyOurs, WebServer, file_route, page_files

PAGE = "replay.html"


def look_back(path: Path | None, port: int, browser: bool) -> int:
    """Serves the page until it is interrupted; `path` is what it shows at first. Raises ScriptError, PlayError."""
    if path is not None:
        check(path)
    listener = open_port(port)
    failures: list[BaseException] = []
    end: SimpleQueue[None] = SimpleQueue()

    def failed(error: BaseException) -> None:
        failures.append(error)
        end.put(None)

    with listener, ended_by_signals(lambda: end.put(None)):
        port = listener.getsockname()[1]
        server = WebServer(build_app(PlaybackStream(PLAYBACK_PROGRAM, lambda: path, HEADERS), port), listener, failed)
        server.start()
        try:
            url = f"http://{LOOPBACK}:{port}/{PAGE}"
            print(f"{path.name if path else 'replay'} at {url}\nCtrl-C closes the page.", flush=True)
            if browser:
                threading.Thread(target=webbrowser.open, args=(url,), name="browser", daemon=True).start()
            end.get()
        finally:
            server.close()
    if failures:
        raise RuntimeError("the server of the page has ended") from failures[0]
    return 0


def check(path: Path) -> None:
    """Raises ScriptError for a file that the page could only say an error about."""
    commands = read_script(script_in(path, str(path))[1], str(path))
    with set_table(commands, str(path), leaves_files=False):
        pass


def build_app(playbacks: PlaybackStream, port: int) -> Starlette:
    """The page with its playbacks."""

    async def home(_: Request) -> Response:
        return RedirectResponse(PAGE, 303)

    files = [file_route(f"/{name}", name, content) for name, content in page_files()]
    routes = [Route("/", home), Route("/playback", playbacks.answer, methods=["GET", "POST"]), *files]
    return Starlette(routes=routes, middleware=[Middleware(OnlyOurs, access_rules=AccessRules(port))])
