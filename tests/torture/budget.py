#!/usr/bin/python3
"""Tries to take all memory that an API server has for requests.

    budget.py HOST:PORT --clear HOST:PORT --kubeconfig FILE --pid PID
              --user TOKEN [--grow MB] [--scale PERCENT] [ATTACK...]

The attackers are strangers, or an ordinary user (whose token is given and who
may write ConfigMaps and Pods in the namespace default), on the cleartext port.
All the while the administrator creates, reads, lists and deletes, on another
connection: each of these must be answered with what was asked for.  And the
server's memory must not grow by more than --grow.  Speaks TAP.
"""

import argparse
import json
import multiprocessing
import select
import ssl
import struct
import sys
import time

import http2
import wire
from hostile import Report, raise_file_limit

MAPS = b"/api/v1/namespaces/default/configmaps"
PODS = b"/api/v1/namespaces/default/pods"

# How many rounds the administrator must get through while an attack stands.
ROUNDS = 3

INITIAL_WINDOW = 4              # Of HTTP/2's settings.


def main():
    options = parse_arguments()
    raise_file_limit()
    report = Report()
    admin = Admin(wire.Target(options.address, options.kubeconfig))
    before = memory(options.pid, "VmRSS")
    admin.start()
    try:
        admin.rounds(1)
        for name, attack in ATTACKS.items():
            if options.names and name not in options.names:
                continue
            started = time.monotonic()
            forget_peak(options.pid)
            attack(options, report, admin)
            admin.judge(name, report)
            grown = memory(options.pid, "VmHWM") - before >> 10
            report.holds("%s: memory grows by %d MB at most"
                         % (name, options.grow), grown <= options.grow,
                         "by %d MB" % grown)
            report.note("%s: %d MB more, %.1f s"
                        % (name, grown, time.monotonic() - started))
    finally:
        admin.stop()
    print("1..%d" % report.n)
    return 1 if report.n_bad or not report.n else 0


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("address", metavar="HOST:PORT")
    p.add_argument("--clear", required=True, help="the cleartext port")
    p.add_argument("--kubeconfig", required=True, help="the administrator's")
    p.add_argument("--pid", type=int, required=True, help="the server's")
    p.add_argument("--user", required=True, help="an ordinary user's token")
    p.add_argument("--grow", type=int, default=384,
                   help="MB that it may grow by [384]")
    p.add_argument("--scale", type=int, default=100,
                   help="percent of the load [100]")
    p.add_argument("names", nargs="*", metavar="ATTACK")
    return p.parse_intermixed_args()


def memory(pid, name):
    """Kilobytes, as the kernel counts them."""
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        for line in f:
            if line.startswith(name + ":"):
                return int(line.split()[1])
    return 0


def forget_peak(pid):
    try:
        with open("/proc/%d/clear_refs" % pid, "w", encoding="ascii") as f:
            f.write("5")
    except OSError:             # Then the peak is that of all attacks.
        pass


class Admin:
    """The administrator, in a process of its own."""

    def __init__(self, target):
        self.target = target
        self.stopping = multiprocessing.Value("b", 0)
        self.n_rounds = multiprocessing.Value("l", 0)
        self.n_bad = multiprocessing.Value("l", 0)
        self.worst = multiprocessing.Value("d", 0)
        self.why = multiprocessing.Array("c", 400)
        self.process = multiprocessing.Process(target=self.run, daemon=True)

    def start(self):
        self.process.start()

    def stop(self):
        self.stopping.value = 1
        self.process.join()

    def rounds(self, n):
        """Waits for as many rounds that begin from now on."""
        want = self.n_rounds.value + n + 1
        until = time.monotonic() + wire.PATIENCE
        while (self.n_rounds.value < want and not self.n_bad.value
               and time.monotonic() < until):
            time.sleep(0.02)
        return self.n_rounds.value >= want

    def judge(self, name, report):
        report.holds("%s: the administrator is served" % name,
                     self.rounds(1) and not self.n_bad.value,
                     "%d bad: %s" % (self.n_bad.value,
                                     self.why.value.decode()))
        report.note("%s: the administrator waited for %.0f ms at most"
                    % (name, self.worst.value * 1000))
        self.worst.value = 0
        self.n_bad.value = 0

    def run(self):
        kept = None
        i = 0
        while not self.stopping.value:
            name = b"admin-%d" % i
            body = json.dumps({"metadata": {"name": name.decode()},
                               "data": {"text": "x" * 10000}}).encode()
            path = MAPS + b"/" + name
            for method, where, what, want in (
                    (b"POST", MAPS, body, 201), (b"GET", path, None, 200),
                    (b"GET", MAPS + b"?limit=5", None, 200),
                    (b"DELETE", path, None, 200)):
                kept = self.ask(kept, method, where, what, want)
            i += 1
            self.n_rounds.value += 1

    def ask(self, s, method, path, body, want):
        """Returns a connection for the next request, or None."""
        started = time.monotonic()
        why = ""
        try:
            s = s or self.target.connect()
            responses, closed = wire.talk(
                s, self.target.request(method, path, body=body), 1)
            if [r.status for r in responses] != [want]:
                why = "%s %s: answers %s, %s" % (
                    method.decode(), path.decode(),
                    [(r.status, r.body[:200]) for r in responses],
                    "closed" if closed else "open")
        except (OSError, ssl.SSLError) as e:
            why = str(e)
        self.worst.value = max(self.worst.value, time.monotonic() - started)
        if why:
            if not self.n_bad.value:
                self.why.value = why.encode()[:399]
            self.n_bad.value += 1
            if s:
                s.close()
            return None
        return s


def scaled(n, options):
    return max(1, n * options.scale // 100)


def stands(name, report, admin):
    """The attack holds what it could get; the others go on."""
    report.holds("%s: the administrator goes on meanwhile" % name,
                 admin.rounds(ROUNDS), admin.why.value.decode())


def accounts(options, report, admin):
    """What the server counts against what it has."""
    n, size = scaled(40, options), 2 << 20
    target = wire.Target(options.clear, token=options.user)
    counted, resident = inflight(admin.target), memory(options.pid, "VmRSS")
    posts = [Stalled(target, size) for _ in range(n)]
    until = time.monotonic() + wire.PATIENCE
    while (inflight(admin.target) < counted + n * size
           and time.monotonic() < until):
        for p in posts:
            p.send()
    more = inflight(admin.target) - counted >> 20
    grown = memory(options.pid, "VmRSS") - resident >> 10
    report.holds("accounts: bodies are counted", more >= n * size >> 20,
                 "%d MB of %d" % (more, n * size >> 20))
    report.holds("accounts: what is counted is what there is",
                 grown <= options.grow * more // 256 + 16,
                 "counted %d MB, grown by %d MB" % (more, grown))
    report.note("accounts: counted %d MB, grown by %d MB" % (more, grown))
    for p in posts:
        p.socket.close()
    until = time.monotonic() + wire.PATIENCE
    while (inflight(admin.target) > counted + (1 << 20)
           and time.monotonic() < until):
        time.sleep(0.02)
    left = inflight(admin.target) - counted
    report.holds("accounts: nothing stays counted", left <= 1 << 20,
                 "%d bytes" % left)


def inflight(target):
    """The bytes of all requests, as the server says."""
    responses, _ = wire.exchange(target, target.request(b"GET", b"/metrics"),
                                 1)
    for line in responses[0].body.split(b"\n"):
        if line.startswith(b"yuloh_http_inflight_bytes "):
            return int(float(line.split()[1]))
    return 0


def long_paths(options, report, admin):
    """GETs of paths that grow when they are repeated, whose answers are not
    read."""
    n = scaled(1000, options)
    target = wire.Target(options.clear)
    h = http2.Http2(target, struct.pack(">HI", INITIAL_WINDOW, 0))
    for i in range(n):
        send_head(h, 2 * i + 1, h.request(b"/" + b'"<' * 30000), True)
        h.read(0.001)
    h.read(wire.PATIENCE,
           lambda: len(h.statuses.keys() | h.resets.keys()) == n)
    seen = set(h.statuses.values())
    stands("long-paths", report, admin)
    report.holds("long-paths: each is answered",
                 (h.closed or len(h.statuses.keys() | h.resets.keys()) == n)
                 and 403 in seen and seen <= {403, 429},
                 "%d answers %s, %d resets" % (len(h.statuses), seen,
                                               len(h.resets)))
    h.close()


def send_head(h, stream, block, ends):
    flags = http2.END_STREAM if ends else 0
    pieces = [block[i:i + 16384] for i in range(0, len(block), 16384)]
    data = b""
    for i, piece in enumerate(pieces):
        last = http2.END_HEADERS if i == len(pieces) - 1 else 0
        data += http2.frame(http2.CONTINUATION if i else http2.HEADERS,
                            last | (0 if i else flags), stream, piece)
    h.send(data)


def stalled(options, report, admin):
    """POSTs whose bodies stop before their end."""
    for name, token, want in (("strangers", None, {403}),
                              ("bad tokens", "bad", {401}),
                              ("a user", options.user, {0, 429})):
        want |= {None}          # An answer may be lost when bytes come late.
        target = wire.Target(options.clear, token=token)
        posts = []
        for n, size in ((300, 1 << 20), (100, 1 << 16), (100, 4096)):
            # Smaller and smaller, so that no gap is left.
            posts += [Stalled(target, size)
                      for _ in range(scaled(n, options))]
            until = time.monotonic() + wire.PATIENCE
            while (any(p.data for p in posts)
                   and time.monotonic() < until):
                for p in posts:
                    p.send()
            admin.rounds(1)
        stands("stalled: " + name, report, admin)
        for p in posts:
            p.receive()
        seen = {p.status for p in posts}
        report.holds("stalled: %s get what they are due" % name,
                     seen <= want, "%s" % seen)
        for p in posts:
            p.socket.close()


class Stalled:
    """A POST of 3 MB of which 'size' bytes are sent."""

    def __init__(self, target, size):
        self.socket = target.connect()
        self.socket.setblocking(False)
        self.data = memoryview(
            target.request(b"POST", MAPS, b"Content-Length: 3000000\r\n"
                           b"Content-Type: application/json\r\n")
            + b" " * size)
        self.status = 0         # None: closed without an answer.

    def send(self):
        """What can be sent now."""
        while self.data:
            try:
                self.data = self.data[self.socket.send(self.data[:262144]):]
            except BlockingIOError:
                select.select([], [self.socket], [], 0.01)
                return
            except OSError:     # It is answered, and will not take more.
                self.data = self.data[:0]

    def receive(self):
        try:
            answer = self.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            answer = b""
        self.status = (int(answer.split(b" ")[1])
                       if answer.startswith(b"HTTP/1.1 ") else None)


def pods(options, report, admin):
    """Pods that are small in JSON and large in memory, several at once."""
    target = wire.Target(options.clear, token=options.user)
    with multiprocessing.Pool(4, initializer=raise_file_limit) as pool:
        waiting = pool.map_async(send_pod, [
            (target, n) for n in (990000, 100000, 990000, 300000) * 3])
        stands("pods", report, admin)
        seen = waiting.get(4 * wire.PATIENCE)
    statuses = {status for status, _ in seen}
    report.holds("pods: they are refused", 413 in statuses
                 and statuses <= {413, 429}, "%s" % statuses)
    report.holds("pods: the refusal says why",
                 all("limit is" in why for status, why in seen
                     if status == 413), "%s" % seen[0][1])


def send_pod(arguments):
    target, n = arguments
    body = (b'{"metadata":{"name":"p"},"spec":{"containers":['
            + b",".join([b"{}"] * n) + b"]}}")
    responses, _ = wire.exchange(target, target.request(b"POST", PODS,
                                                        body=body), 1)
    if not responses:
        return 0, ""
    return responses[0].status, responses[0].body.decode()


def watches(options, report, admin):
    """Watches of which a byte is read, and then nothing."""
    n, n_connections = scaled(1000, options), 4
    target = wire.Target(options.clear, token=options.user)
    some = []
    for i in range(3):
        wire.exchange(target, target.request(b"POST", MAPS, body=json.dumps(
            {"metadata": {"name": "large-%d" % i},
             "data": {"text": "x" * 100000}}).encode()), 1)
    for _ in range(n_connections):
        h = http2.Http2(target, struct.pack(">HI", INITIAL_WINDOW, 1))
        for i in range(n):
            send_head(h, 2 * i + 1, h.request(MAPS + b"?watch=1"), True)
            if i % 50 == 0:
                h.read(0.001)
        some.append(h)
    for h in some:
        h.read(wire.PATIENCE, lambda h=h: len(
            h.statuses.keys() | h.resets.keys()) == n)
    seen = {status for h in some for status in h.statuses.values()}
    stands("watches", report, admin)
    report.holds("watches: they begin", 200 in seen and seen <= {200, 429},
                 "%s" % seen)

    # Bytes wait for each of them now, which nobody reads.
    until = time.monotonic() + wire.PATIENCE
    for h in some:
        h.read(until - time.monotonic(),
               lambda h=h: len([s for s in h.statuses
                                if h.statuses[s] == 200
                                and s not in h.resets]) == 0)
    left = sum(1 for h in some if not h.closed for s in h.statuses
               if h.statuses[s] == 200 and s not in h.resets)
    report.holds("watches: who does not read is dropped", left == 0,
                 "%d are left" % left)
    for h in some:
        h.close()


ATTACKS = {
    "accounts": accounts,
    "long-paths": long_paths,
    "stalled": stalled,
    "pods": pods,
    "watches": watches,
}


if __name__ == "__main__":
    sys.exit(main())
