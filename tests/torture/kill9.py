#!/usr/bin/python3
"""Tortures a running `yuloh serve` and checks what it promised.

    tests/torture/kill9.py [--rounds N] kill      kill -9 in a loop, under load
    tests/torture/kill9.py full                   a full disk (needs root)
    tests/torture/kill9.py sync                   a failing fsync

kill: writers create, update and delete ConfigMaps, each its own names;
watchers follow and resume from their last revision whenever the server is
gone.  In the end:

  - every write that was acknowledged is there, under the revision told;
  - one that was under way when the server died was applied once or not at all;
  - revisions increase strictly, also from life to life;
  - every watcher has seen every write once, in the same order.

full, sync: writes fail with a 5xx Status that says why, reads go on, writes
resume by themselves, and nothing is lost.

Python's own library only.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TOKEN = "torture"
SPACE = "/api/v1/namespaces/torture/configmaps"
IN_USE = "Address already in use"

# How long anything may take that comes at once on a machine with nothing else
# to do, in seconds.
PATIENCE = 120


class Violation(Exception):
    """A promise that was not kept."""


class Server:
    """`yuloh serve` on a data directory, which may be started many times."""

    processes = []                  # Of all servers.

    def __init__(self, build, folder, environment=None):
        self.program = os.path.join(build, "yuloh")
        self.data = os.path.join(folder, "data")
        self.tokens = os.path.join(folder, "tokens.csv")
        self.log = open(os.path.join(folder, "log"), "ab")
        self.environment = dict(os.environ, **(environment or {}))
        self.port = 0               # Any, until there is one.
        self.process = None
        self.life = 0
        with open(self.tokens, "w", encoding="utf-8") as f:
            f.write('%s,torturer,1,"system:masters"\n' % TOKEN)

    def start(self):
        deadline = time.monotonic() + PATIENCE
        self.spawn()
        while True:
            status = self.process.poll()
            if status is not None and IN_USE in self.tail():
                self.spawn()        # By somebody who will give it back.
            elif status is not None:
                raise Violation("the server ended by itself, status %d: %s"
                                % (status, self.tail()))
            if self.port and self.is_ready():
                break
            self.port = self.port or self.find_port()
            if time.monotonic() > deadline:
                raise Violation("the server is not ready after %d s: %s"
                                % (PATIENCE, self.tail()))
            time.sleep(0.01)
        self.life += 1

    def spawn(self):
        self.log.truncate(0)
        self.process = subprocess.Popen(
            [self.program, "serve", "--data-dir", self.data,
             "--listen", "127.0.0.1:%d" % self.port,
             "--token-auth-file", self.tokens,
             # What is there is counted: nobody else may write.
             "--controllers=-*"],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            env=self.environment)
        Server.processes.append(self.process)

    def is_ready(self):
        try:
            return Client(self).ask("GET", "/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def find_port(self):
        found = re.search(r"serving on port (\d+)", self.tail())
        return int(found[1]) if found else 0

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def tail(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as f:
            return f.read()[-500:]


class Client:
    """One connection, opened when it is needed."""

    def __init__(self, server, timeout=30):
        self.server = server
        self.timeout = timeout
        self.connection = None

    def request(self, method, path, body=None):
        """The response, of which nothing was read yet."""
        if not self.connection:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            self.connection = http.client.HTTPSConnection(
                "127.0.0.1", self.server.port, timeout=self.timeout,
                context=context)
        headers = {"Authorization": "Bearer " + TOKEN}
        if body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        try:
            self.connection.request(method, path, body, headers)
            return self.connection.getresponse()
        except BaseException:
            self.close()
            raise

    def ask(self, method, path, body=None):
        """Status and document."""
        response = self.request(method, path, body)
        try:
            text = response.read()
        except BaseException:
            self.close()
            raise
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text.decode("utf-8", "replace")

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


BROKEN = (OSError, http.client.HTTPException)


class Run:
    """What writers, watchers and the killer share."""

    def __init__(self, server):
        self.server = server
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.newest = 0             # Highest revision acknowledged.
        self.done = {}              # id -> (revision or None, name)
        self.in_doubt = set()       # ids that may have been applied.
        self.failures = []
        self.n_doubts = 0

    def fail(self, text):
        with self.lock:
            self.failures.append(text)
        self.stopping.set()

    def floor(self):
        with self.lock:
            return self.newest

    def acknowledge(self, ident, revision, name, floor):
        with self.lock:
            if revision is not None:
                if revision <= floor:
                    raise Violation("%s got revision %d, but %d was out"
                                    % (ident, revision, floor))
                self.newest = max(self.newest, revision)
            if ident in self.done:
                raise Violation("%s was acknowledged twice" % ident)
            self.done[ident] = (revision, name)


class Writer(threading.Thread):
    """Writes to its own names; knows what each of them must be."""

    def __init__(self, run, number):
        super().__init__(name="writer-%d" % number, daemon=True)
        self.run_ = run
        self.number = number
        self.random = random.Random(number)
        self.client = Client(run.server)
        self.state = {}             # name -> object as last seen, or None
        self.counter = 0

    def run(self):
        try:
            while not self.run_.stopping.is_set():
                self.write(self.random.choice(range(8)))
        except Violation as e:
            self.run_.fail(str(e))
        except Exception as e:      # Whatever it is, it is no success.
            self.run_.fail("%s: %r" % (self.name, e))

    def write(self, which):
        name = "w%d-%d" % (self.number, which)
        old = self.state.get(name)
        self.counter += 1
        ident = "%s-%d" % (name, self.counter)
        floor = self.run_.floor()
        if old is None:
            method, path, body = "POST", SPACE, document(name, ident)
        elif self.random.random() < 0.25:
            ident = "%s-gone" % old["metadata"]["uid"]
            method, path = "DELETE", "%s/%s" % (SPACE, name)
            body = {"preconditions": {
                "resourceVersion": old["metadata"]["resourceVersion"]}}
        else:
            method, path = "PUT", "%s/%s" % (SPACE, name)
            body = document(name, ident)
            body["metadata"]["resourceVersion"] = \
                old["metadata"]["resourceVersion"]
        try:
            status, answer = self.client.ask(method, path, body)
        except BROKEN:
            status, answer = 0, None
        if status in (200, 201) and method == "DELETE":
            self.state[name] = None
            self.run_.acknowledge(ident, None, name, floor)
        elif status in (200, 201):
            self.state[name] = answer
            self.run_.acknowledge(ident, revision_of(answer), name, floor)
        elif status == 0 or status >= 500:
            with self.run_.lock:
                self.run_.in_doubt.add(ident)
                self.run_.n_doubts += 1
            self.resolve(name, ident, old)
        else:
            raise Violation("%s %s: %d %s" % (method, path, status, answer))

    def resolve(self, name, ident, old):
        """Finds out whether a write that broke off was applied."""
        while True:
            try:
                status, now = self.client.ask("GET", "%s/%s" % (SPACE, name))
            except BROKEN:
                status = 0
            if status in (200, 404):
                break
            if status not in (0, 429) and status < 500:
                raise Violation("GET %s: %d %s" % (name, status, now))
            if self.run_.stopping.is_set():
                self.state.pop(name, None)
                return
            time.sleep(0.02)
        if status == 404:
            if old is not None and not ident.endswith("-gone"):
                raise Violation("%s is lost" % name)
            now = None
        elif now["data"]["id"] == ident:
            pass
        elif old is None or now["data"]["id"] != old["data"]["id"] \
                or revision_of(now) != revision_of(old):
            raise Violation("%s is %s, not %s or %s" % (
                name, now["data"]["id"], old and old["data"]["id"], ident))
        self.state[name] = now


class Watcher(threading.Thread):
    """Follows, and resumes from where it was."""

    def __init__(self, run, number, revision):
        super().__init__(name="watcher-%d" % number, daemon=True)
        self.run_ = run
        self.revision = revision
        self.client = Client(run.server)
        self.events = []            # (revision, type, id)
        self.n_resumed = 0
        self.end = threading.Event()

    def run(self):
        try:
            while not self.end.is_set():
                try:
                    self.follow()
                except BROKEN:
                    pass
                self.client.close()
                self.n_resumed += 1
                time.sleep(0.02)
        except Violation as e:
            self.run_.fail(str(e))
        except Exception as e:
            self.run_.fail("%s: %r" % (self.name, e))

    def follow(self):
        response = self.client.request(
            "GET", "%s?watch=1&allowWatchBookmarks=true&resourceVersion=%d"
            % (SPACE, self.revision))
        if response.status >= 500 or response.status == 429:
            return
        if response.status != 200:
            raise Violation("watch from %d: %d %s" % (
                self.revision, response.status, response.read(500)))
        while not self.end.is_set():
            line = response.readline()
            if not line.endswith(b"\n"):
                return
            self.take(json.loads(line))

    def take(self, event):
        type_, thing = event["type"], event["object"]
        if type_ == "ERROR":
            raise Violation("watch from %d: %s" % (self.revision, thing))
        revision = revision_of(thing)
        if type_ == "BOOKMARK":
            self.revision = max(self.revision, revision)
            return
        if revision <= self.revision:
            raise Violation("%s saw revision %d after %d"
                            % (self.name, revision, self.revision))
        self.revision = revision
        if type_ == "DELETED":
            ident = "%s-gone" % thing["metadata"]["uid"]
        else:
            ident = thing["data"]["id"]
        if ident == "end":
            self.end.set()
        self.events.append((revision, type_, ident))


def document(name, ident):
    return {"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": name},
            "data": {"id": ident, "text": "x" * random.randrange(2000)}}


def revision_of(thing):
    return int(thing["metadata"]["resourceVersion"])


def make_space(client):
    status, answer = client.ask("POST", "/api/v1/namespaces", {
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": {"name": "torture"}})
    if status != 201:
        raise Violation("no namespace: %d %s" % (status, answer))


def torture_kill(options, folder):
    server = Server(options.build, folder)
    server.start()
    client = Client(server)
    make_space(client)
    _, answer = client.ask("GET", SPACE)
    run = Run(server)
    watchers = [Watcher(run, i, revision_of(answer))
                for i in range(options.watchers)]
    writers = [Writer(run, i) for i in range(options.writers)]
    for thread in watchers + writers:
        thread.start()
    slowest = 0.0
    for _ in range(options.rounds):
        run.stopping.wait(random.uniform(0.05, 0.8))
        if run.stopping.is_set():
            break
        server.kill()
        started = time.monotonic()
        server.start()
        slowest = max(slowest, time.monotonic() - started)
    run.stopping.set()
    for thread in writers:
        thread.join(PATIENCE)
    check(run)
    status, answer = Client(server).ask("POST", SPACE, document("end", "end"))
    if status != 201:
        raise Violation("the last write failed: %d %s" % (status, answer))
    for watcher in watchers:
        if not watcher.end.wait(PATIENCE):
            check(run)
            raise Violation("%s stands at %d and does not see the end"
                            % (watcher.name, watcher.revision))
    check(run)
    compare_watchers(run, watchers)
    compare_state(server, writers)
    server.kill(signal.SIGTERM)
    server.start()
    compare_state(server, writers)
    server.kill()
    print("%d kills, %d writes acknowledged, %d in doubt, %d events to each "
          "of %d watchers, resumed %d times; slowest start %.2f s"
          % (server.life - 2, len(run.done), run.n_doubts,
             len(watchers[0].events), len(watchers),
             sum(w.n_resumed for w in watchers), slowest))


def check(run):
    if run.failures:
        raise Violation("; ".join(run.failures[:5]))


def compare_watchers(run, watchers):
    events = watchers[0].events
    for watcher in watchers[1:]:
        if watcher.events != events:
            differ = [(a, b) for a, b in zip(watcher.events, events)
                      if a != b][:1]
            raise Violation("%s saw other events: %d and %d, first %s" % (
                watcher.name, len(watcher.events), len(events), differ))
    seen = {}
    for revision, _, ident in events:
        if ident in seen:
            raise Violation("%s was applied twice, at %d and %d"
                            % (ident, seen[ident], revision))
        seen[ident] = revision
    for ident, (revision, _) in run.done.items():
        if ident not in seen:
            raise Violation("no watcher saw %s (revision %s)"
                            % (ident, revision))
        if revision is not None and seen[ident] != revision:
            raise Violation("%s was told %d but is %d"
                            % (ident, revision, seen[ident]))
    strange = set(seen) - set(run.done) - run.in_doubt - {"end"}
    if strange:
        raise Violation("nobody wrote %s" % sorted(strange)[:3])


def compare_state(server, writers):
    status, answer = Client(server).ask("GET", SPACE)
    if status != 200:
        raise Violation("cannot list: %d" % status)
    have = {i["metadata"]["name"]: i for i in answer["items"]}
    for writer in writers:
        for name, want in writer.state.items():
            got = have.get(name)
            if (got is None) != (want is None) or want and (
                    got["data"] != want["data"]
                    or revision_of(got) != revision_of(want)
                    or got["metadata"]["uid"] != want["metadata"]["uid"]):
                raise Violation("%s is not what was acknowledged" % name)


# A disk that does not take writes for a while.


def write_until(client, acknowledged, stop):
    """Creates large objects until 'stop' says so of an answer."""
    for _ in range(2000):
        name = "big-%d" % len(acknowledged)
        body = document(name, name)
        body["data"]["text"] = "x" * 50000
        status, answer = client.ask("POST", SPACE, body)
        if status == 201:
            acknowledged[name] = revision_of(answer)
        if stop(status, answer):
            return status, answer
    raise Violation("nothing happened for 2000 writes")


def refused(status, answer):
    if status == 201:
        return False
    if status < 500 or not isinstance(answer, dict) \
            or answer.get("kind") != "Status" or not answer.get("message"):
        raise Violation("a write ended in %d %s" % (status, answer))
    return True


def check_reads(client, acknowledged):
    status, answer = client.ask("GET", SPACE)
    if status != 200:
        raise Violation("reads do not go on: %d %s" % (status, answer))
    have = {i["metadata"]["name"]: revision_of(i) for i in answer["items"]}
    if have != acknowledged:
        raise Violation("%d objects are there, %d were acknowledged"
                        % (len(have), len(acknowledged)))


def torture_disk(server, spoil, repair, words):
    """Writes, spoils the disk, sees writes fail, repairs it, goes on."""
    acknowledged = {}
    server.start()
    client = Client(server)
    make_space(client)
    for _ in range(3):
        write_until(client, acknowledged, lambda *_: True)
        spoil()
        status, answer = write_until(client, acknowledged, refused)
        if not any(word in answer["message"] for word in words):
            raise Violation("the message does not say why: %s"
                            % answer["message"])
        check_reads(client, acknowledged)
        repair()
        deadline = time.monotonic() + PATIENCE
        while write_until(client, acknowledged,
                          lambda *_: True)[0] != 201:
            if time.monotonic() > deadline:
                raise Violation("writes do not resume")
        check_reads(client, acknowledged)
    server.kill()
    server.start()
    check_reads(Client(server), acknowledged)
    server.kill()
    print("writes failed with %d: %s; %d objects are there"
          % (status, answer["message"], len(acknowledged)))


def torture_full(options, folder):
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", disk],
        stderr=subprocess.PIPE, check=False)
    if mounted.returncode:
        print("skipped: cannot mount a tmpfs: %s"
              % mounted.stderr.decode().strip())
        return 77
    ballast = os.path.join(disk, "ballast")

    def spoil():
        """Leaves some 200 KB."""
        room = os.statvfs(disk)
        with open(ballast, "wb") as f:
            f.write(b"\0" * max(room.f_bavail * room.f_frsize - 200000, 0))

    try:
        torture_disk(Server(options.build, disk), spoil,
                     lambda: os.unlink(ballast), ["full"])
    finally:
        end_servers()
        subprocess.run(["umount", "-l", disk], check=False)
    return 0


def torture_sync(options, folder):
    library = os.path.join(options.build, "tests", "libtorture-sync.so")
    switch = os.path.join(folder, "syncs-fail")
    server = Server(options.build, folder, {
        "LD_PRELOAD": library, "TORTURE_SYNCS_FAIL": switch})
    torture_disk(server, lambda: open(switch, "w").close(),
                 lambda: os.unlink(switch), ["syncing"])


def end_servers():
    for process in Server.processes:
        if process.poll() is None:
            process.kill()
            process.wait()


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--rounds", type=int, default=50, help="kills [50]")
    p.add_argument("--writers", type=int, default=24)
    p.add_argument("--watchers", type=int, default=4)
    p.add_argument("--keep", action="store_true",
                   help="keep the folder of a run that failed")
    p.add_argument("what", choices=["kill", "full", "sync"])
    options = p.parse_args()
    folder = tempfile.mkdtemp(prefix="yuloh-torture-")
    status = 1
    try:
        status = {"kill": torture_kill, "full": torture_full,
                  "sync": torture_sync}[options.what](options, folder) or 0
    except Violation as e:
        print("FAILED: %s" % e)
    finally:
        end_servers()
        if status and status != 77 and options.keep:
            print("see %s" % folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
