"""Too much of everything: slow clients, idle ones, and bodies."""

import selectors
import ssl
import time

import wire

MAX_BODY = 3 << 20


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
        s.settimeout(5)
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
               if [r.status for r in wire.talk(s, request, 5, 1)[0]] == [200])
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
    chooser = selectors.DefaultSelector()
    statuses = {}
    n_cut = 0
    for s in crowd:
        s.setblocking(False)
        s.send(head)
        chooser.register(s, selectors.EVENT_READ | selectors.EVENT_WRITE,
                         [0, b""])
    n = len(crowd)
    crowd.clear()
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
                 set(statuses) <= {0, 400, 408, 413, 422, 429}, statuses)


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
