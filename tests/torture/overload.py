"""Too much of everything: slow clients, idle ones, and bodies."""

import selectors
import ssl
import time

import wire

MAX_BODY = 3 << 20

# How much later than said a client may see that it was cut off, in seconds.
SLACK = 30


def scaled(n, options):
    """Some percent of 'n'."""
    return max(1, n * options.scale // 100)


def slow(target, options, report, _n_files):
    """Heads and bodies that come a byte at a time, and answers that nobody
    reads."""
    n = scaled(300, options)
    head = target.request(b"GET", wire.QUIET_PATH)
    body = target.request(b"POST", b"/api/v1/namespaces",
                          b"Content-Length: 100000\r\n")
    many = target.request(b"GET", b"/openapi/v2") * 20
    heads = begin(target, n, b"")
    bodies = begin(target, n, body)
    deaf = begin(target, n // 3 + 1, many)

    started = time.monotonic()
    until = started + max(options.head_timeout, options.body_timeout) + SLACK
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
                     not some and last[kind] <= limit + SLACK
                     and answers[kind] <= {0, 408},
                     "%d open, the last after %.1f s, answers %s"
                     % (len(some), last[kind], answers[kind]))
    for s in heads + bodies + deaf:
        s.close()


def begin(target, n, data):
    """Connections on each of which 'data' was sent."""
    some = []
    for _ in range(n):
        s = target.connect()
        s.setblocking(False)
        try:
            if data:
                s.send(data)
        except OSError:         # Full, or closed already.
            pass
        some.append(s)
    return some


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


# Connections that were served once and are idle now.  A handshake costs the
# client as much as the server, so they are opened once.
crowd = []


def gather(target, options, n_files):
    """Makes the crowd complete.  Returns how many there should be, how many
    of them are served, and what went wrong."""
    n = min(scaled(10000, options), n_files - 200)
    request = target.request(b"GET", wire.QUIET_PATH)
    new, n_served, why = [], 0, ""
    for i in range(n - len(crowd)):
        try:
            s = target.connect(source=source(target, i))
            new.append(s)
            s.sendall(request)
        except (OSError, ssl.SSLError) as e:
            why = str(e)
            break
    for s in new:
        s.settimeout(wire.PATIENCE)
        try:
            n_served += s.recv(65536).startswith(b"HTTP/1.1 200")
        except OSError as e:
            why = str(e)
    n_served += len(crowd)
    crowd.extend(new)
    return n, n_served, why


def idle(target, options, report, n_files):
    """Ten thousand connections, each served once."""
    n, n_served, why = gather(target, options, n_files)
    report.holds("idle: %d connections are served" % n, n_served == n,
                 "%d; %s" % (n_served, why))
    time.sleep(2)
    request = target.request(b"GET", wire.QUIET_PATH)
    some = crowd[::500]
    good = sum(1 for s in some
               if [r.status for r in wire.talk(s, request, 1)[0]] == [200])
    report.holds("idle: they are served again", good == len(some),
                 "%d of %d" % (good, len(some)))


def source(target, i):
    """Ports of one address are soon used up; the loopback has many."""
    return "127.0.0.%d" % (2 + i % 16) if target.host == "127.0.0.1" else None


def bodies(target, options, report, n_files):
    """Ten thousand bodies of 3 MB at once."""
    n, n_served, why = gather(target, options, n_files)
    report.holds("bodies: there are %d connections" % n, n_served == n, why)
    text = b'{"apiVersion":"v1","kind":"ConfigMap","data":{"x":"'
    body = memoryview(text + b"x" * (MAX_BODY - len(text)))
    head = target.request(b"POST", b"/api/v1/namespaces/default/configmaps",
                          b"Content-Type: application/json\r\n"
                          b"Content-Length: %d\r\n" % len(body))
    for s in crowd:
        s.setblocking(False)
        s.send(head)
    flood = Flood(crowd, body)
    n = len(crowd)
    crowd.clear()
    flood.run(300)
    report.note("bodies: answers %s" % flood.statuses)
    report.holds("bodies: all %d are answered" % n, flood.n_open == 0,
                 "%d are open" % flood.n_open)

    # A server waits for a client only so long; one in a hundred of ours may
    # be late on a busy machine.
    n_cut = flood.statuses.get(0, 0)
    report.holds("bodies: nobody is cut off without an answer",
                 n_cut * 100 <= n, "%d were" % n_cut)
    report.holds("bodies: the right answers",
                 set(flood.statuses) <= {0, 400, 408, 413, 422, 429},
                 flood.statuses)


class Flood:
    """Sends a body on many connections, and never lets an answer wait."""

    def __init__(self, some, body):
        self.body = body
        self.n_open = len(some)
        self.statuses = {}      # How many got each; 0: the end without any.
        self.sent = {s: 0 for s in some}
        self.got = {s: b"" for s in some}
        self.readers = selectors.DefaultSelector()
        self.writers = selectors.DefaultSelector()
        for s in some:
            self.readers.register(s, selectors.EVENT_READ)
            self.writers.register(s, selectors.EVENT_WRITE)

    def run(self, seconds):
        until = time.monotonic() + seconds
        while self.n_open and time.monotonic() < until:
            for i, (key, _) in enumerate(self.writers.select(0)):
                if i % 100 == 0:
                    self.take_answers(0)
                if key.fileobj in self.sent:
                    self.send(key.fileobj)
            self.take_answers(0.01)
        for s in self.got:
            s.close()

    def send(self, s):
        at = self.sent[s]
        try:
            self.sent[s] += s.send(self.body[at:at + (64 << 10)])
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass
        except OSError:
            self.sent[s] = len(self.body)
        if self.sent[s] == len(self.body):
            self.stop_sending(s)

    def stop_sending(self, s):
        if self.sent.pop(s, None) is not None:
            self.writers.unregister(s)

    def take_answers(self, seconds):
        for key, _ in self.readers.select(seconds):
            s = key.fileobj
            status = self.receive(s)
            if status is not None:
                self.statuses[status] = self.statuses.get(status, 0) + 1
                self.stop_sending(s)
                self.readers.unregister(s)
                del self.got[s]
                s.close()
                self.n_open -= 1

    def receive(self, s):
        """The status, 0 for the end without one, None while it goes on."""
        try:
            piece = s.recv(65536)
        except (BlockingIOError, ssl.SSLWantReadError,
                ssl.SSLWantWriteError):
            return None
        except OSError:
            return 0
        self.got[s] += piece
        found = wire.parse(self.got[s])
        if found:
            return found[0].status
        return None if piece else 0
