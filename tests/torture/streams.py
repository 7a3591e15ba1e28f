"""What HTTP/2 lets a client do to a server."""

import struct
import time

import http2
import wire


FLAGS = http2.END_HEADERS | http2.END_STREAM


def open_served(target, report, name, settings=b""):
    """A connection on which stream 1 was served, to be sure that what
    follows is refused for what it is."""
    h = http2.Http2(target, settings)
    h.send(http2.frame(http2.HEADERS, FLAGS, 1, h.request(wire.QUIET_PATH)))
    h.read(wire.PATIENCE, lambda: 1 in h.statuses)
    report.holds("%s: a first request is served" % name,
                 h.statuses.get(1) == 200,
                 "%s%s" % (h.statuses, " closed" if h.closed else ""))
    return h


def rapid_reset(target, _options, report, _n_files):
    h = open_served(target, report, "rapid-reset")
    block = h.request(wire.QUIET_PATH)
    n = 50000
    started = time.monotonic()
    i = 0
    while i < n and not h.closed and not h.goaway:
        data = b""
        for _ in range(100):
            stream = 2 * i + 3
            data += http2.frame(http2.HEADERS, FLAGS, stream, block)
            data += http2.frame(http2.RST_STREAM, 0, stream, b"\0\0\0\x08")
            i += 1
        h.send(data)
        h.read(0.0005)
    h.read(wire.PATIENCE, lambda: h.goaway)
    report.holds("rapid-reset: the server goes away", h.goaway or h.closed,
                 "%d streams" % i)
    report.note("rapid-reset: %d streams in %.1f s"
                % (i, time.monotonic() - started))
    h.close()


def many(target, _options, report, _n_files):
    """More streams than are allowed, whose answers nobody reads."""
    window = struct.pack(">HI", 4, 0)      # INITIAL_WINDOW_SIZE 0
    h = open_served(target, report, "streams", window)
    block = h.request(b"/openapi/v2")
    n = 5000
    for i in range(n):
        if not h.send(http2.frame(http2.HEADERS, FLAGS, 2 * i + 3, block)):
            break
        if i % 100 == 0:
            h.read(0.001)

    def is_refused():
        return (h.goaway or 7 in h.resets.values()
                or 429 in h.statuses.values())

    h.read(wire.PATIENCE, is_refused)
    refused = sum(1 for e in h.resets.values() if e == 7)
    served = sum(1 for s in h.statuses.values() if s == 200)
    report.holds("streams: too many are refused",
                 h.closed or is_refused(),
                 "%d served, %d refused" % (served, refused))
    report.note("streams: %d served, %d refused, statuses %s"
                % (served, refused, sorted(set(h.statuses.values()))))
    h.close()


def continuation(target, _options, report, _n_files):
    """A head that never ends, in CONTINUATION frames."""
    h = open_served(target, report, "continuation")
    h.send(http2.frame(http2.HEADERS, http2.END_STREAM, 3,
                       h.request(wire.QUIET_PATH)))
    piece = http2.literal(b"x", b"y" * 8000)
    i = 0
    while i < 20000 and not h.closed and not h.goaway:
        h.send(http2.frame(http2.CONTINUATION, 0, 3, piece))
        h.read(0.0005)
        i += 1
    h.read(wire.PATIENCE, lambda: h.goaway)
    report.holds("continuation: it is cut off", h.goaway or h.closed,
                 "%d frames" % i)
    report.note("continuation: %d frames of 8 KB" % i)
    h.close()


def http2_heads(target, _options, report, _n_files):
    """Each on a connection of its own, after a request that is served."""
    h = open_served(target, report, "http2-heads")
    cases = {
        "a path with a blank": h.request(b"/a b"),
        "a path without a slash": h.request(b"version"),
        "an empty path": h.request(b""),
        "a path with bytes above ASCII": h.request(b"/\xff"),
        "a header in upper case":
            h.request(wire.QUIET_PATH, more=http2.literal(b"X", b"y")),
        "a header with a line end":
            h.request(wire.QUIET_PATH, more=http2.literal(b"x", b"a\r\nb: c")),
        "a connection header":
            h.request(wire.QUIET_PATH,
                      more=http2.literal(b"connection", b"close")),
        "a transfer-encoding":
            h.request(wire.QUIET_PATH,
                      more=http2.literal(b"transfer-encoding", b"chunked")),
        "a pseudo header at the end":
            h.request(wire.QUIET_PATH,
                      more=http2.literal(b":path", b"/version")),
        "no method": http2.literal(b":scheme", b"https")
            + http2.literal(b":path", b"/version"),
        "a length that is not met":
            h.request(wire.QUIET_PATH,
                      more=http2.literal(b"content-length", b"5")),
    }
    h.close()
    for name, block in cases.items():
        h = open_served(target, report, "http2-heads")
        h.send(http2.frame(http2.HEADERS, FLAGS, 3, block))
        h.read(wire.PATIENCE, lambda h=h: 3 in h.statuses or 3 in h.resets
               or h.goaway)
        status = h.statuses.get(3, 0)
        report.holds("http2-heads: %s" % name,
                     400 <= status < 500 or status == 501
                     or 3 in h.resets or h.goaway or h.closed,
                     "answers %d" % status)
        h.close()
