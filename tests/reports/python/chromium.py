"""Opens a local page in real headless Chromium, driven over its debugging pipe; no network, no further packages."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ANSWER_SECONDS = 600
FLAGS = (
    "--headless",
    "--no-sandbox",  # it runs as root in containers
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)

# The browser's end of the pipe is file descriptor 3 (in) and 4 (out); what is there now is moved out of the way first.
LAUNCHER = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.closerange(5, max(reads, writes) + 1)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str | None:
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


@dataclass
class Chromium:
    """One browser with one page; a context manager that ends it."""

    program: str
    profile: Path
    complaints: list[str] = field(default_factory=list)  # console errors, exceptions, refused resources
    requested: list[str] = field(default_factory=list)  # every URL that the page asked for

    def __enter__(self) -> Chromium:
        browser_reads, self._write_to = os.pipe()
        self._read_from, browser_writes = os.pipe()
        self._process = self._start(browser_reads, browser_writes)
        os.close(browser_reads)
        os.close(browser_writes)
        self._buffer, self._last_id = b"", 0
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call(
            "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )
        return self

    def _start(self, browser_reads: int, browser_writes: int) -> subprocess.Popen:
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                LAUNCHER,
                str(browser_reads),
                str(browser_writes),
                self.program,
                *FLAGS,
                f"--user-data-dir={self.profile}",
            ],
            pass_fds=(browser_reads, browser_writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __exit__(self, *_: object) -> None:
        os.close(self._write_to)  # the browser ends when its pipe does
        os.close(self._read_from)
        try:
            self._process.wait(timeout=200)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    # --- the protocol ----------------------------------------------------------------------------------------------

    def call(self, method: str, **parameters: object) -> dict:
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write_to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            answer = self._next_message(deadline)
            if answer.get("id") == self._last_id:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _wait_for(self, event: str) -> None:
        deadline = time.monotonic() + ANSWER_SECONDS
        while self._next_message(deadline).get("method") != event:
            pass

    def _next_message(self, deadline: float) -> dict:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read_from], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"Chromium gave no answer within {ANSWER_SECONDS} s"
            chunk = os.read(self._read_from, 1 << 20)
            assert chunk, f"Chromium ended (exit code {self._process.poll()})"
            self._buffer += chunk
        raw, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(raw)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event: str | None, parameters: dict) -> None:
        if event == "Network.requestWillBeSent":
            self.requested.append(parameters["request"]["url"])
        elif event == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"]["text"])
        elif event == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.complaints.append(str(parameters["args"]))

    # --- what a test asks ------------------------------------------------------------------------------------------

    def open(self, page: Path) -> None:
        self.call("Page.navigate", url=page.as_uri())
        self._wait_for("Page.loadEventFired")

    def evaluate(self, expression: str) -> object:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def show_as(self, scheme: str = "light", width: int = 1280) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def screenshot(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
