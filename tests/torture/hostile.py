#!/usr/bin/python3
"""Attacks an API server and checks that nobody else notices.

    hostile.py HOST:PORT [--kubeconfig FILE | --token TOKEN] [--pid PID]
               [--rss MB] [--head-timeout S] [--body-timeout S]
               [--scale PERCENT] [SCENARIO...]

Each scenario does what no honest client does, and must be answered with the
right 4xx or a closed connection.  All the while a second process asks for a
namespace again and again: it must be served, and soon.  With a pid the
server's resident memory is watched too.  Speaks TAP.
"""

import argparse
import json
import multiprocessing
import os
import resource
import selectors
import socket
import ssl
import sys
import time

import wire

# How long a well-behaved client waits at most, in seconds.  The attackers run
# on the same few cores.
PATIENCE = 5.0

QUIET_PATH = b"/api/v1/namespaces/default"
MAX_BODY = 3 << 20


class Report:
    def __init__(self):
        self.n = 0
        self.n_bad = 0

    def holds(self, name, truth, detail=""):
        self.n += 1
        self.n_bad += not truth
        print("%sok %d - %s" % ("" if truth else "not ", self.n, name))
        if not truth and detail:
            print("# %s" % detail)
        sys.stdout.flush()

    def note(self, text):
        print("# " + text, flush=True)


def main():
    options = parse_arguments()
    n_files = raise_file_limit()
    target = wire.Target(options.address, options.kubeconfig, options.token)
    report = Report()
    bystander = Bystander(target, options.pid)
    bystander.start()
    try:
        for name, scenario in SCENARIOS.items():
            if options.names and name not in options.names:
                continue
            started = time.monotonic()
            bystander.reset()
            scenario(target, options, report, n_files)
            bystander.judge(name, options, report)
            report.note("%s: %.1f s" % (name, time.monotonic() - started))
    finally:
        bystander.stop()
    print("1..%d" % report.n)
    return 1 if report.n_bad or not report.n else 0


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("address", metavar="HOST:PORT")
    p.add_argument("--kubeconfig", help="TLS, with the certificates in it")
    p.add_argument("--token")
    p.add_argument("--pid", type=int, help="the server's")
    p.add_argument("--rss", type=int, default=1024,
                   help="MB it may have resident [1024]")
    p.add_argument("--head-timeout", type=float, default=32)
    p.add_argument("--body-timeout", type=float, default=60)
    p.add_argument("--scale", type=int, default=100,
                   help="percent of the connections and bytes [100]")
    p.add_argument("names", nargs="*", metavar="SCENARIO")
    options = p.parse_args()
    for name in options.names:
        if name not in SCENARIOS:
            p.error("no scenario '%s'; there are: %s"
                    % (name, " ".join(SCENARIOS)))
    return options


def raise_file_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Bystander:
    """A well-behaved client in a process of its own."""

    def __init__(self, target, pid):
        self.target = target
        self.pid = pid
        self.stopping = multiprocessing.Value("b", 0)
        self.n_good = multiprocessing.Value("l", 0)
        self.n_bad = multiprocessing.Value("l", 0)
        self.worst = multiprocessing.Value("d", 0)
        self.rss = multiprocessing.Value("l", 0)
        self.why = multiprocessing.Array("c", 200)
        self.process = multiprocessing.Process(target=self.run, daemon=True)

    def start(self):
        self.process.start()

    def stop(self):
        self.stopping.value = 1
        self.process.join()

    def reset(self):
        for value in (self.n_good, self.n_bad, self.worst, self.rss):
            value.value = 0

    def judge(self, name, options, report):
        # At least one more after the attack.
        before = self.n_good.value
        until = time.monotonic() + PATIENCE
        while self.n_good.value == before and time.monotonic() < until:
            time.sleep(0.02)
        good, bad = self.n_good.value, self.n_bad.value
        report.holds("%s: others are served" % name,
                     good > before and bad == 0
                     and self.worst.value < PATIENCE,
                     "%d good, %d bad, the slowest took %.1f s; %s"
                     % (good, bad, self.worst.value,
                        self.why.value.decode()))
        report.note("%s: others had %d answers, the slowest in %.0f ms"
                    % (name, good, self.worst.value * 1000))
        if self.pid:
            report.holds("%s: memory stays bounded" % name,
                         0 < self.rss.value <= options.rss << 10,
                         "%d MB" % (self.rss.value >> 10))
            report.note("%s: %d MB resident at most"
                        % (name, self.rss.value >> 10))

    def run(self):
        request = self.target.request(b"GET", QUIET_PATH)
        kept = None
        i = 0
        while not self.stopping.value:
            started = time.monotonic()
            why = ""
            s = kept
            try:
                s = kept or self.target.connect()
                responses, closed = wire.talk(s, request, 2 * PATIENCE, 1)
                statuses = [r.status for r in responses]
                if statuses != [200]:
                    why = "answers %s, %s" % (
                        statuses, "closed" if closed else "open")
            except (OSError, ssl.SSLError) as e:
                why = str(e)
            took = time.monotonic() - started
            self.worst.value = max(self.worst.value, took)
            if why:
                self.n_bad.value += 1
                self.why.value = why.encode()[:199]
            else:
                self.n_good.value += 1
            # Every third request comes on a new connection.
            i += 1
            kept = s
            if s and (why or i % 3 == 0):
                s.close()
                kept = None
            if self.pid:
                self.rss.value = max(self.rss.value, rss_of(self.pid))
            time.sleep(0.05)


def rss_of(pid):
    """Resident kilobytes."""
    try:
        with open("/proc/%d/statm" % pid, encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 10
    except OSError:
        return 0


def scaled(n, options):
    return max(1, n * options.scale // 100)


# Request smuggling: two readers must not find two different ends.

CHUNKED = b"Transfer-Encoding: chunked\r\n"
LENGTH = b"Content-Length: 6\r\n"
SMUGGLED = b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"

SMUGGLING = {
    "CL.TE": (LENGTH + CHUNKED, b"0\r\n\r\n" + SMUGGLED),
    "TE.CL": (CHUNKED + b"Content-Length: 4\r\n",
              b"5c\r\n" + SMUGGLED + b"\r\n0\r\n\r\n"),
    "CL.CL": (b"Content-Length: 0\r\nContent-Length: 44\r\n", SMUGGLED),
    "the same length twice":
        (b"Content-Length: 0\r\nContent-Length: 0\r\n", SMUGGLED),
    "a list of lengths": (b"Content-Length: 0, 0\r\n", SMUGGLED),
    "a length with a sign": (b"Content-Length: +0\r\n", SMUGGLED),
    "a length in hexadecimal": (b"Content-Length: 0x0\r\n", SMUGGLED),
    "a negative length": (b"Content-Length: -1\r\n", SMUGGLED),
    "an empty length": (b"Content-Length:\r\n", SMUGGLED),
    "TE.TE": (CHUNKED + b"Transfer-Encoding: identity\r\n",
              b"0\r\n\r\n" + SMUGGLED),
    "a coding that is not ours":
        (b"Transfer-Encoding: xchunked\r\n", SMUGGLED),
    "chunked in a list":
        (b"Transfer-Encoding: identity, chunked\r\n",
         b"0\r\n\r\n" + SMUGGLED),
    "chunked and more":
        (b"Transfer-Encoding: chunked\x84\r\n", b"0\r\n\r\n" + SMUGGLED),
    "a vertical tab before chunked":
        (b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    "a blank before the colon":
        (b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    "a tab before the colon":
        (b"Transfer-Encoding\t: chunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    "a folded header":
        (b"X: y\r\n Transfer-Encoding: chunked\r\n", SMUGGLED),
    "a folded value":
        (b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    "a LF alone": (b"X: y\nTransfer-Encoding: chunked\r\n",
                   b"0\r\n\r\n" + SMUGGLED),
    "a CR alone": (b"X: y\rTransfer-Encoding: chunked\r\n", SMUGGLED),
    "a NUL": (b"X: y\0Transfer-Encoding: chunked\r\n", SMUGGLED),
    "a NUL in a name": (b"Transfer-Encoding\0: chunked\r\n", SMUGGLED),
    "a second Host": (b"Host: elsewhere\r\n", b""),
    "a header without a name": (b": x\r\n", b""),
    "a header without a colon": (b"chunked\r\n", b""),
    "a chunk size that overflows":
        (CHUNKED, b"10000000000000000\r\n" + SMUGGLED),
    "a chunk size with a sign": (CHUNKED, b"+0\r\n\r\n" + SMUGGLED),
    "a chunk size with a prefix": (CHUNKED, b"0x0\r\n\r\n" + SMUGGLED),
    "a blank behind a chunk size": (CHUNKED, b"0 \r\n\r\n" + SMUGGLED),
    "a chunk that ends with LF": (CHUNKED, b"1\r\nx\n0\r\n\r\n" + SMUGGLED),
    "a chunk that is too long":
        (CHUNKED, b"1\r\nxy\r\n0\r\n\r\n" + SMUGGLED),
    "a LF in a chunk extension":
        (CHUNKED, b"1;a\nx\r\n0\r\n\r\n" + SMUGGLED),
    "a trailer without a colon": (CHUNKED, b"0\r\nx\r\n\r\n" + SMUGGLED),
}


def smuggling(target, _options, report, _n_files):
    for name, (headers, body) in SMUGGLING.items():
        head = b"POST /version HTTP/1.1\r\n" + target.headers() + headers
        data = head + b"\r\n" + body
        responses, closed = wire.exchange(target, data, 3)
        statuses = [r.status for r in responses]
        report.holds("smuggling: %s" % name,
                     len(statuses) == 1 and statuses[0] in (400, 501, 413)
                     and closed,
                     "answers %s, %s" % (statuses,
                                         "closed" if closed else "open"))
    for name, line, status in (
            ("HTTP/0.9", b"GET /version\r\n", 400),
            ("HTTP/3", b"GET /version HTTP/3.0\r\n", 505),
            ("blanks in a request line", b"GET  /version HTTP/1.1\r\n", 400),
            ("a tab in a request line", b"GET\t/version\tHTTP/1.1\r\n", 400),
            ("chunked in HTTP/1.0", b"POST /version HTTP/1.0\r\n" + CHUNKED,
             400)):
        data = line + target.headers() + b"\r\n" + SMUGGLED
        responses, closed = wire.exchange(target, data, 3)
        statuses = [r.status for r in responses]
        report.holds("smuggling: %s" % name, statuses == [status] and closed,
                     "answers %s" % statuses)


# Sizes.

def header_bytes(target, options, report, _n_files):
    n = scaled(1000000, options)
    big = {
        "one header of a million bytes":
            (target.request(b"GET", QUIET_PATH,
                            b"X: " + b"x" * n + b"\r\n"), 431),
        "a hundred thousand headers":
            (target.request(b"GET", QUIET_PATH, b"x: y\r\n" * (n // 6)), 431),
        "a name of a million bytes":
            (target.request(b"GET", QUIET_PATH, b"x" * n), 431),
        "a path of a million bytes":
            (target.request(b"GET", b"/" + b"x" * n), 414),
        "a million bytes that never end":
            (b"x" * n, 414),
        "a million bytes of chunk extensions":
            (target.request(b"POST", b"/api/v1/namespaces",
                            CHUNKED)[:-2] + b"\r\n1;" + b"x" * n, 431),
        "a million bytes of trailers":
            (target.request(b"POST", b"/api/v1/namespaces",
                            CHUNKED)[:-2] + b"\r\n0\r\n"
             + b"a: b\r\n" * (n // 6), 431),
        "a body that says it is a gigabyte":
            (target.request(b"POST", b"/api/v1/namespaces",
                            b"Content-Length: 1073741824\r\n"), 413),
        "a chunk that says it is a gigabyte":
            (target.request(b"POST", b"/api/v1/namespaces", CHUNKED)
             + b"40000000\r\n", 413),
    }
    for name, (data, status) in big.items():
        responses, closed = wire.exchange(target, data, 10)
        statuses = [r.status for r in responses]
        report.holds("header-bytes: %s" % name,
                     statuses == [status] and closed,
                     "answers %s instead of %d, %s"
                     % (statuses, status, "closed" if closed else "open"))


def selectors_(target, _options, report, _n_files):
    def ask(query):
        started = time.monotonic()
        responses, _ = wire.exchange(
            target, target.request(b"GET", b"/api/v1/pods?" + query), 10, 1)
        return ([r.status for r in responses],
                time.monotonic() - started, responses)

    values = b"labelSelector=a+in+(" + b",".join(
        b"v%d" % i for i in range(20000))
    statuses, _, _ = ask(values[:100 << 10] + b")")
    report.holds("selectors: 100 KB are too long",
                 statuses in ([414], [400], [200]), statuses)
    for name, query, right in (
            ("40 KB of values", values[:40 << 10] + b")", [200]),
            ("40 KB of requirements",
             b"labelSelector=" + b",".join(
                 b"k%d%%3Dv" % i for i in range(4000)), [200]),
            ("40 KB of opening brackets",
             b"labelSelector=a+in+" + b"(" * 40000, [400]),
            ("40 KB of exclamation marks",
             b"labelSelector=" + b"!" * 40000, [400]),
            ("40 KB of commas", b"labelSelector=" + b"," * 40000, [400]),
            ("40 KB of fields",
             b"fieldSelector=" + b",".join(
                 b"metadata.name%3Dx" for i in range(2300)), [200]),
            ("a parameter ten thousand times",
             b"&".join([b"a=b"] * 10000), [200, 400, 413, 414]),
            ("40 KB of semicolons", b";" * 40000, [200, 400]),
            ("40 KB of broken escapes", b"labelSelector=" + b"%" * 40000,
             [200, 400])):
        statuses, seconds, responses = ask(query)
        report.holds("selectors: %s" % name,
                     len(statuses) == 1 and statuses[0] in right
                     and seconds < 2
                     and (statuses[0] < 400
                          or wire.is_status(responses[0])),
                     "answers %s after %.1f s" % (statuses, seconds))


# Text.

BAD_UTF8 = (b"\xff", b"\xc3\x28", b"\xc0\xaf", b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80", b"\xe2\x82")


def utf8(target, _options, report, _n_files):
    maps = b"/api/v1/namespaces/default/configmaps"
    for bad in BAD_UTF8:
        escaped = b"".join(b"%%%02x" % b for b in bad)
        places = {
            "raw in the path": target.request(b"GET", maps + b"/" + bad),
            "in the name": target.request(b"GET", maps + b"/" + escaped),
            "in the namespace": target.request(
                b"GET", b"/api/v1/namespaces/" + escaped + b"/configmaps"),
            "in the resource": target.request(
                b"GET", b"/api/v1/" + escaped),
            "in the group": target.request(
                b"GET", b"/apis/" + escaped + b"/v1/x"),
            "in a path of nobody": target.request(b"GET", b"/" + escaped),
            "in a label selector": target.request(
                b"GET", maps + b"?labelSelector=" + escaped),
            "in a field selector": target.request(
                b"GET", maps + b"?fieldSelector=" + escaped + b"%3Dx"),
            "in a continue token": target.request(
                b"GET", maps + b"?continue=" + escaped),
            "in a revision": target.request(
                b"GET", maps + b"?resourceVersion=" + escaped),
            "in a parameter's name": target.request(
                b"GET", maps + b"?" + escaped + b"=1"),
            "in dryRun": target.request(
                b"POST", maps + b"?dryRun=" + escaped, body=config_map(b"x")),
            "in a field manager": target.request(
                b"POST", maps + b"?dryRun=All&fieldManager=" + escaped,
                body=config_map(b"x")),
            "in Accept": target.request(
                b"GET", maps, b"Accept: " + bad + b"\r\n"),
            "in User-Agent": target.request(
                b"GET", maps, b"User-Agent: " + bad + b"\r\n"),
            "in Authorization": target.request(
                b"GET", maps, b"Authorization: Bearer " + bad + b"\r\n"),
            "in Impersonate-User": target.request(
                b"GET", maps, b"Impersonate-User: " + bad + b"\r\n"),
            "in Content-Type": target.request(
                b"PATCH", maps + b"/x",
                b"Content-Type: " + bad + b"\r\nContent-Length: 2\r\n")
                + b"{}",
            "in Host": b"GET / HTTP/1.1\r\nHost: " + bad + b"\r\n\r\n",
            "in a header's name": target.request(
                b"GET", maps, bad + b": x\r\n"),
            "in the method": target.request(bad, maps),
            "in a value of the body": target.request(
                b"POST", maps + b"?dryRun=All", body=config_map(bad)),
            "in a key of the body": target.request(
                b"POST", maps + b"?dryRun=All",
                body=b'{"' + bad + b'":1}'),
            "in the name in the body": target.request(
                b"POST", maps + b"?dryRun=All",
                body=config_map(b"x").replace(b"hostile", bad)),
            "in a label of the body": target.request(
                b"POST", maps + b"?dryRun=All",
                body=config_map(b"x").replace(
                    b'"name"', b'"labels":{"a":"' + bad + b'"},"name"')),
            "outside of strings in the body": target.request(
                b"POST", maps + b"?dryRun=All", body=bad + b"{}"),
        }
        for name, data in places.items():
            responses, _ = wire.exchange(target, data, 5, 1)
            ok = len(responses) == 1 and responses[0].status < 500
            ok = ok or (len(responses) == 1 and responses[0].status == 501)
            ok = ok and is_text(responses[0])
            report.holds("utf8: %s %s" % (bad.hex(), name), ok,
                         [(r.status, r.body[:200]) for r in responses])


def is_text(response):
    """Whether an answer is UTF-8, and JSON if it says so."""
    try:
        text = response.body.decode("utf-8")
        if "json" in response.headers.get("content-type", ""):
            json.loads(text)
        return True
    except (UnicodeDecodeError, json.JSONDecodeError):
        return False


def config_map(value):
    return (b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":'
            b'"hostile"},"data":{"x":"' + value + b'"}}')


def paths(target, _options, report, _n_files):
    maps = b"/api/v1/namespaces/default/configmaps"
    for path in (b"/..", b"/../..", b"/api/../version", b"/./version",
                 b"/api/v1/../../version", b"/api/v1/namespaces/..",
                 b"/api/v1/namespaces/.", b"/api/v1/namespaces/%2e%2e",
                 b"/api/v1/namespaces/../configmaps",
                 b"/api/v1/namespaces/%2e%2e/configmaps",
                 b"/api/v1/namespaces/%2E/configmaps",
                 maps + b"/..", maps + b"/.", maps + b"/%2e%2e",
                 maps + b"/..%2f..%2fversion", maps + b"/%2e%2e%2f",
                 maps + b"/a%2fb", maps + b"/a%5cb", maps + b"/%00",
                 maps + b"/a%00b", maps + b"/%zz", maps + b"/%",
                 maps + b"/a%", maps + b"/a%20b", maps + b"/%252e%252e",
                 b"/apis/..%2f..%2f/v1/x", b"/..%2fetc%2fpasswd",
                 b"/%2e%2e/%2e%2e/etc/passwd", b"/static/../etc/passwd",
                 b"/openapi/v3/../../version", b"/openapi/v3/%2e%2e",
                 b"/version/..", b"/metrics/%2e%2e/version",
                 b"/api/v1/namespaces/default/" + b"a/" * 1000,
                 b"/" + b"a/" * 20000, b"/api" + b"/" * 20000):
        data = target.request(b"GET", path)
        responses, _ = wire.exchange(target, data, 5, 1)
        statuses = [r.status for r in responses]
        report.holds("paths: %s" % path.decode()[:60],
                     len(statuses) == 1 and 400 <= statuses[0] < 500
                     and is_text(responses[0]),
                     "answers %s" % statuses)

    # What an escaped slash gives must be what a slash gives, or nothing.
    one, _ = wire.exchange(target, target.request(b"GET", maps), 5, 1)
    two, _ = wire.exchange(
        target, target.request(b"GET", maps.replace(b"t/c", b"t%2fc")), 5, 1)
    report.holds("paths: an escaped slash opens no other door",
                 two[0].status == one[0].status
                 or 400 <= two[0].status < 500, two[0].status)


# Slow clients.

def slow(target, options, report, _n_files):
    """Heads and bodies that come a byte at a time, and answers that nobody
    reads."""
    n = scaled(300, options)
    head = target.request(b"GET", QUIET_PATH)
    body = target.request(b"POST", b"/api/v1/namespaces",
                          b"Content-Length: 100000\r\n")
    heads = [target.connect() for _ in range(n)]
    bodies = [target.connect() for _ in range(n)]
    deaf = [target.connect() for _ in range(n // 3 + 1)]
    many = target.request(b"GET", b"/openapi/v2") * 20
    for s in heads + bodies:
        s.setblocking(False)
    for s in bodies:
        s.send(body)
    for s in deaf:
        s.setblocking(False)
        try:
            s.send(many)
        except (BlockingIOError, ssl.SSLWantWriteError):
            pass

    started = time.monotonic()
    until = started + max(options.head_timeout, options.body_timeout) + 10
    open_heads, open_bodies = set(heads), set(bodies)
    answers = {"head": set(), "body": set()}
    last = {"head": 0.0, "body": 0.0}
    i = 0
    while (open_heads or open_bodies) and time.monotonic() < until:
        for kind, some in (("head", open_heads), ("body", open_bodies)):
            for s in list(some):
                data = head[i % len(head):][:1] if kind == "head" else b"x"
                if i >= len(head) - 4 and kind == "head":
                    data = b"x"
                status = drip(s, data)
                if status is not None:
                    answers[kind].add(status)
                    last[kind] = time.monotonic() - started
                    some.remove(s)
        i += 1
        time.sleep(0.5)
    for kind, some, limit in (
            ("head", open_heads, options.head_timeout),
            ("body", open_bodies, options.body_timeout)):
        report.holds("slow: a %s that drips is cut off" % kind,
                     not some and last[kind] <= limit + 10
                     and answers[kind] <= {0, 408},
                     "%d open, the last after %.1f s, answers %s"
                     % (len(some), last[kind], answers[kind]))
    for s in heads + bodies + deaf:
        s.close()


def drip(s, data):
    """Sends a byte.  None while the connection is open, else the status that
    came before its end, or 0."""
    try:
        got = s.recv(65536)
        found = wire.parse(got)
        return found[0].status if found else 0
    except (BlockingIOError, ssl.SSLWantReadError):
        pass
    except OSError:
        return 0
    try:
        s.send(data)
    except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
        pass
    except OSError:
        return 0
    return None


def idle(target, options, report, n_files):
    """Ten thousand connections, each served once."""
    n = min(scaled(10000, options), n_files - 200)
    request = target.request(b"GET", QUIET_PATH)
    connections = []
    why = ""
    for i in range(n):
        try:
            s = target.connect(source=source(target, i))
            s.sendall(request)
            connections.append(s)
        except (OSError, ssl.SSLError) as e:
            why = str(e)
            break
    report.holds("idle: %d connections" % n, len(connections) == n,
                 "%d: %s" % (len(connections), why))
    n_served = 0
    for s in connections:
        s.settimeout(5)
        try:
            n_served += s.recv(65536).startswith(b"HTTP/1.1 200")
        except OSError:
            pass
    report.holds("idle: each is served", n_served == n, n_served)
    time.sleep(2)
    some = connections[::500]
    good = sum(1 for s in some
               if [r.status for r in wire.talk(s, request, 5, 1)[0]] == [200])
    report.holds("idle: they are served again", good == len(some),
                 "%d of %d" % (good, len(some)))
    for s in connections:
        s.close()


def source(target, i):
    """Ports of one address are soon used up; the loopback has many."""
    return "127.0.0.%d" % (2 + i % 16) if target.host == "127.0.0.1" else None


def bodies(target, options, report, n_files):
    """Ten thousand bodies of 3 MB at once."""
    n = min(scaled(10000, options), n_files - 200)
    text = b'{"apiVersion":"v1","kind":"ConfigMap","data":{"x":"'
    body = memoryview(text + b"x" * (MAX_BODY - len(text)))
    head = target.request(b"POST", b"/api/v1/namespaces/default/configmaps",
                          b"Content-Type: application/json\r\n"
                          b"Content-Length: %d\r\n" % len(body))
    chooser = selectors.DefaultSelector()
    statuses = {}
    n_cut = 0
    for i in range(n):
        s = target.connect(source=source(target, i))
        s.sendall(head)
        s.setblocking(False)
        chooser.register(s, selectors.EVENT_READ | selectors.EVENT_WRITE,
                         [0, b""])
    until = time.monotonic() + 120
    n_open = n
    while n_open and time.monotonic() < until:
        for key, events in chooser.select(1):
            s, state = key.fileobj, key.data
            status = feed(s, state, body, events)
            if state[0] == len(body) and status is None:
                chooser.modify(s, selectors.EVENT_READ, state)
            if status is not None:
                statuses[status] = statuses.get(status, 0) + 1
                n_cut += status == 0
                chooser.unregister(s)
                s.close()
                n_open -= 1
    for key in list(chooser.get_map().values()):
        key.fileobj.close()
    report.note("bodies: answers %s" % statuses)
    report.holds("bodies: all %d are answered" % n, n_open == 0,
                 "%d are open" % n_open)
    report.holds("bodies: nobody is cut off without an answer", n_cut == 0,
                 "%d were" % n_cut)
    report.holds("bodies: the right answers",
                 set(statuses) <= {0, 400, 413, 422, 429}, statuses)


def feed(s, state, body, events):
    """Sends on and looks for an answer: its status, 0 for the end without
    one, None while it goes on."""
    if events & selectors.EVENT_WRITE and state[0] < len(body):
        try:
            state[0] += s.send(body[state[0]:state[0] + (64 << 10)])
        except (BlockingIOError, ssl.SSLWantWriteError,
                ssl.SSLWantReadError):
            pass
        except OSError:
            state[0] = len(body)
    try:
        piece = s.recv(65536)
    except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
        return None
    except OSError:
        return 0
    state[1] += piece
    found = wire.parse(state[1])
    if found:
        return found[0].status
    return None if piece else 0


# HTTP/2.

def rapid_reset(target, options, report, _n_files):
    h = wire.Http2(target)
    block = h.request(QUIET_PATH)
    flags = wire.END_HEADERS | wire.END_STREAM
    n = scaled(50000, options)
    started = time.monotonic()
    i = 0
    while i < n and not h.closed and not h.goaway:
        data = b""
        for _ in range(100):
            stream = 2 * i + 1
            data += wire.frame(wire.HEADERS, flags, stream, block)
            data += wire.frame(wire.RST_STREAM, 0, stream, b"\0\0\0\x08")
            i += 1
        h.send(data)
        h.read(0.0005)
    h.read(3, lambda: h.goaway)
    report.holds("rapid-reset: the server goes away", h.goaway or h.closed,
                 "%d streams" % i)
    report.note("rapid-reset: %d streams in %.1f s"
                % (i, time.monotonic() - started))
    h.close()


def streams(target, options, report, _n_files):
    """More streams than are allowed, whose answers nobody reads."""
    window = wire.struct.pack(">HI", 4, 0)      # INITIAL_WINDOW_SIZE 0
    h = wire.Http2(target, window)
    block = h.request(b"/openapi/v2")
    n = scaled(5000, options)
    for i in range(n):
        if not h.send(wire.frame(wire.HEADERS, wire.END_HEADERS
                                 | wire.END_STREAM, 2 * i + 1, block)):
            break
        if i % 100 == 0:
            h.read(0.001)
    h.read(3)
    refused = sum(1 for e in h.resets.values() if e == 7)
    served = sum(1 for s in h.statuses.values() if s == 200)
    report.holds("streams: too many are refused",
                 h.goaway or h.closed or refused > 0
                 or 429 in h.statuses.values(),
                 "%d served, %d refused" % (served, refused))
    report.note("streams: %d served, %d refused, statuses %s"
                % (served, refused, sorted(set(h.statuses.values()))))
    h.close()


def continuation(target, options, report, _n_files):
    """A head that never ends, in CONTINUATION frames."""
    h = wire.Http2(target)
    h.send(wire.frame(wire.HEADERS, wire.END_STREAM, 1,
                      h.request(QUIET_PATH)))
    piece = wire.literal(b"x", b"y" * 8000)
    i = 0
    while i < scaled(20000, options) and not h.closed and not h.goaway:
        h.send(wire.frame(wire.CONTINUATION, 0, 1, piece))
        h.read(0.0005)
        i += 1
    h.read(3, lambda: h.goaway)
    report.holds("continuation: it is cut off", h.goaway or h.closed,
                 "%d frames" % i)
    report.note("continuation: %d frames of 8 KB" % i)
    h.close()


def http2_heads(target, _options, report, _n_files):
    """Each on a stream of its own: a 4xx or a reset, and the next is
    served."""
    h = wire.Http2(target)
    flags = wire.END_HEADERS | wire.END_STREAM
    cases = {
        "a path with a blank": h.request(b"/a b"),
        "a path without a slash": h.request(b"version"),
        "an empty path": h.request(b""),
        "a path with bytes above ASCII": h.request(b"/\xff"),
        "a header in upper case":
            h.request(QUIET_PATH, more=wire.literal(b"X", b"y")),
        "a header with a line end":
            h.request(QUIET_PATH, more=wire.literal(b"x", b"a\r\nb: c")),
        "a connection header":
            h.request(QUIET_PATH, more=wire.literal(b"connection", b"close")),
        "a transfer-encoding":
            h.request(QUIET_PATH,
                      more=wire.literal(b"transfer-encoding", b"chunked")),
        "a pseudo header at the end":
            h.request(QUIET_PATH, more=wire.literal(b":path", b"/version")),
        "no method": wire.literal(b":scheme", b"https")
            + wire.literal(b":path", b"/version"),
        "a length that is not met":
            h.request(QUIET_PATH,
                      more=wire.literal(b"content-length", b"5")),
    }
    stream = 1
    for name, block in cases.items():
        if h.closed or h.goaway:
            h.close()
            h, stream = wire.Http2(target), 1
        h.send(wire.frame(wire.HEADERS, flags, stream, block))
        h.read(3, lambda s=stream, h=h: s in h.statuses or s in h.resets
               or h.goaway)
        status = h.statuses.get(stream, 0)
        report.holds("http2-heads: %s" % name,
                     400 <= status < 500 or status == 501
                     or stream in h.resets or h.goaway or h.closed,
                     "answers %d" % status)
        stream += 2
    h.close()


SCENARIOS = {
    "smuggling": smuggling,
    "header-bytes": header_bytes,
    "selectors": selectors_,
    "utf8": utf8,
    "paths": paths,
    "http2-heads": http2_heads,
    "rapid-reset": rapid_reset,
    "streams": streams,
    "continuation": continuation,
    "idle": idle,
    "slow": slow,
    "bodies": bodies,
}


if __name__ == "__main__":
    sys.exit(main())
