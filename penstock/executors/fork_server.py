"""Where workers come from: a process that has loaded the libraries, and forks itself once for each worker.

Loading takes seconds, a fork milliseconds: the second worker of a run, the one that follows a killed one, and all of
later runs in the same process start at once. It runs no numeric code and no threads, so that its forks are sound. It
ends with its parent, whose death closes the line between them.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from penstock import worker

LONGEST_MESSAGE = 2**17
CODE_UNKNOWN = -int(signal.SIGKILL)


class Forked:
    """A worker process, as `subprocess.Popen` would show it; it gets its number once the libraries are loaded."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self._reads, self.stdin = read, os.fdopen(write, "w", encoding="utf-8")
        read, write = os.pipe()
        self.stdout, self._writes = os.fdopen(read, encoding="utf-8"), write
        self._pid: int | None = None
        self._code = CODE_UNKNOWN
        self._started, self._ended = threading.Event(), threading.Event()

    @property
    def pid(self) -> int:
        self._started.wait()
        return self._pid or 0

    def kill(self) -> None:
        if self.pid and not self._ended.is_set():
            with suppress(ProcessLookupError):  # it ended by itself, which its server is about to tell
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        self._ended.wait()
        return self._code


class ForkServer:
    """The parent's side."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "penstock.executors.fork_server", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self._starting: list[Forked] = []
        self._living: dict[int, Forked] = {}
        self._lock = threading.Lock()
        self.ended = False
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self._end)

    def fork(self, store: list[str], log: IO[bytes], environment: dict[str, str], modules: list[str]) -> Forked:
        """A new worker; `modules` are loaded first, so that it and later ones need not."""
        child = Forked()
        request = {"store": store, "environment": environment, "modules": modules}
        ends = [child._reads, child._writes]
        with self._lock:
            self._starting.append(child)
            try:
                socket.send_fds(self._line, [json.dumps(request).encode()], [*ends, log.fileno()])
            except OSError:
                self._mark_exited(self._starting.pop())
        for end in ends:
            os.close(end)
        return child

    def _listen(self) -> None:
        while message := self._line.recv(LONGEST_MESSAGE):
            said = json.loads(message)
            with self._lock:
                if "started" in said:
                    child = self._starting.pop(0)
                    child._pid = said["started"]
                    self._living[said["started"]] = child
                    child._started.set()
                else:
                    self._mark_exited(self._living.pop(said["ended"]), said["code"])
        with self._lock:
            self.ended = True
            for child in (*self._starting, *self._living.values()):
                if child._started.is_set():
                    child.kill()
                self._mark_exited(child)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()

    @staticmethod
    def _mark_exited(child: Forked, code: int = CODE_UNKNOWN) -> None:
        child._code = code
        child._ended.set()
        child._started.set()


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    # An interrupt from the terminal is the parent's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([line.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _tell_ended(line)
        if line.fileno() in ready:
            message, ends, _, _ = socket.recv_fds(line, LONGEST_MESSAGE, 3)
            if not message:
                os._exit(0)
            request = json.loads(message)
            for module in request["modules"]:
                import_module(module)
            if not (pid := os.fork()):
                signal.set_wakeup_fd(-1)
                for end in (woken, wake):
                    os.close(end)
                line.close()
                _become_worker(request, ends)
            _tell(line, {"started": pid})
            for end in ends:
                os.close(end)


def _tell_ended(line: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        _tell(line, {"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _tell(line: socket.socket, message: dict[str, int]) -> None:
    try:
        line.send(json.dumps(message).encode())
    except BrokenPipeError:  # the parent was killed; its workers see that by themselves
        os._exit(0)


def _become_worker(request: dict[str, Any], ends: list[int]) -> None:
    try:
        for number in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for standard, end in enumerate(ends):
            os.dup2(end, standard)
            os.close(end)
        os.environ.clear()
        os.environ.update(request["environment"])
        paths = request["environment"].get("PYTHONPATH", "").split(os.pathsep)
        sys.path[:0] = [path for path in paths if path and path not in sys.path]
        sys.stdin = os.fdopen(0, encoding="utf-8")
        worker.serve(request["store"])
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
