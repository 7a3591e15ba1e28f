"""Requests that are malformed, too large, or meant to mislead."""

import json
import time

import wire

MAPS = b"/api/v1/namespaces/default/configmaps"

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
        head = (b"POST /api/v1/namespaces HTTP/1.1\r\n" + target.headers()
                + headers)
        data = head + b"\r\n" + body
        responses, closed = wire.exchange(target, data)
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
        responses, closed = wire.exchange(target, data)
        statuses = [r.status for r in responses]
        report.holds("smuggling: %s" % name, statuses == [status] and closed,
                     "answers %s" % statuses)


# Sizes.

def header_bytes(target, _options, report, _n_files):
    n = 1000000
    big = {
        "one header of a million bytes":
            (target.request(b"GET", wire.QUIET_PATH,
                            b"X: " + b"x" * n + b"\r\n"), 431),
        "a hundred thousand headers":
            (target.request(b"GET", wire.QUIET_PATH,
                            b"x: y\r\n" * (n // 6)), 431),
        "a name of a million bytes":
            (target.request(b"GET", wire.QUIET_PATH, b"x" * n), 431),
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
        responses, closed = wire.exchange(target, data)
        statuses = [r.status for r in responses]
        report.holds("header-bytes: %s" % name,
                     statuses == [status] and closed,
                     "answers %s instead of %d, %s"
                     % (statuses, status, "closed" if closed else "open"))


def selectors(target, options, report, _n_files):
    def now():
        """In seconds of the server's, if they can be had: a busy machine
        makes others longer."""
        return wire.cpu_of(options.pid) if options.pid else time.monotonic()

    def ask(query):
        started = now()
        responses, _ = wire.exchange(
            target, target.request(b"GET", b"/api/v1/pods?" + query), 1)
        return [r.status for r in responses], now() - started, responses

    values = b"labelSelector=a+in+(" + b",".join(
        b"v%d" % i for i in range(20000))
    statuses, _, _ = ask(values[:100 << 10] + b")")
    report.holds("selectors: 100 KB are too long",
                 statuses in ([414], [400], [200]), statuses)
    for name, query, right in (
            ("40 KB of values", values[:40 << 10] + b")", [200]),
            ("40 KB of requirements",
             b"labelSelector=" + b",".join(
                 b"k%d%%3Dv" % i for i in range(4000)), [200, 413]),
            ("40 KB of opening brackets",
             b"labelSelector=a+in+" + b"(" * 40000, [400]),
            ("40 KB of exclamation marks",
             b"labelSelector=" + b"!" * 40000, [400]),
            ("40 KB of commas", b"labelSelector=" + b"," * 40000, [400]),
            ("40 KB of fields",
             b"fieldSelector=" + b",".join(
                 b"metadata.name%3Dx" for i in range(2300)), [200, 413]),
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
    for bad in BAD_UTF8:
        escaped = b"".join(b"%%%02x" % b for b in bad)
        places = {
            "raw in the path": target.request(b"GET", MAPS + b"/" + bad),
            "in the name": target.request(b"GET", MAPS + b"/" + escaped),
            "in the namespace": target.request(
                b"GET", b"/api/v1/namespaces/" + escaped + b"/configmaps"),
            "in the resource": target.request(
                b"GET", b"/api/v1/" + escaped),
            "in the group": target.request(
                b"GET", b"/apis/" + escaped + b"/v1/x"),
            "in a path of nobody": target.request(b"GET", b"/" + escaped),
            "in a label selector": target.request(
                b"GET", MAPS + b"?labelSelector=" + escaped),
            "in a field selector": target.request(
                b"GET", MAPS + b"?fieldSelector=" + escaped + b"%3Dx"),
            "in a continue token": target.request(
                b"GET", MAPS + b"?continue=" + escaped),
            "in a revision": target.request(
                b"GET", MAPS + b"?resourceVersion=" + escaped),
            "in a parameter's name": target.request(
                b"GET", MAPS + b"?" + escaped + b"=1"),
            "in dryRun": target.request(
                b"POST", MAPS + b"?dryRun=" + escaped, body=config_map(b"x")),
            "in a field manager": target.request(
                b"POST", MAPS + b"?dryRun=All&fieldManager=" + escaped,
                body=config_map(b"x")),
            "in Accept": target.request(
                b"GET", MAPS, b"Accept: " + bad + b"\r\n"),
            "in User-Agent": target.request(
                b"GET", MAPS, b"User-Agent: " + bad + b"\r\n"),
            "in Authorization": target.request(
                b"GET", MAPS, b"Authorization: Bearer " + bad + b"\r\n"),
            "in Impersonate-User": target.request(
                b"GET", MAPS, b"Impersonate-User: " + bad + b"\r\n"),
            "in Content-Type": target.request(
                b"PATCH", MAPS + b"/x",
                b"Content-Type: " + bad + b"\r\nContent-Length: 2\r\n")
                + b"{}",
            "in Host": b"GET / HTTP/1.1\r\nHost: " + bad + b"\r\n\r\n",
            "in a header's name": target.request(
                b"GET", MAPS, bad + b": x\r\n"),
            "in the method": target.request(bad, MAPS),
            "in a value of the body": target.request(
                b"POST", MAPS + b"?dryRun=All", body=config_map(bad)),
            "in a key of the body": target.request(
                b"POST", MAPS + b"?dryRun=All",
                body=b'{"' + bad + b'":1}'),
            "in the name in the body": target.request(
                b"POST", MAPS + b"?dryRun=All",
                body=config_map(b"x").replace(b"hostile", bad)),
            "in a label of the body": target.request(
                b"POST", MAPS + b"?dryRun=All",
                body=config_map(b"x").replace(
                    b'"name"', b'"labels":{"a":"' + bad + b'"},"name"')),
            "outside of strings in the body": target.request(
                b"POST", MAPS + b"?dryRun=All", body=bad + b"{}"),
        }
        for name, data in places.items():
            responses, _ = wire.exchange(target, data, 1)
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
    for path in (b"/..", b"/../..", b"/api/../version", b"/./version",
                 b"/api/v1/../../version", b"/api/v1/namespaces/..",
                 b"/api/v1/namespaces/.", b"/api/v1/namespaces/%2e%2e",
                 b"/api/v1/namespaces/../configmaps",
                 b"/api/v1/namespaces/%2e%2e/configmaps",
                 b"/api/v1/namespaces/%2E/configmaps",
                 MAPS + b"/..", MAPS + b"/.", MAPS + b"/%2e%2e",
                 MAPS + b"/..%2f..%2fversion", MAPS + b"/%2e%2e%2f",
                 MAPS + b"/a%2fb", MAPS + b"/a%5cb", MAPS + b"/%00",
                 MAPS + b"/a%00b", MAPS + b"/%zz", MAPS + b"/%",
                 MAPS + b"/a%", MAPS + b"/a%20b", MAPS + b"/%252e%252e",
                 b"/apis/..%2f..%2f/v1/x", b"/..%2fetc%2fpasswd",
                 b"/%2e%2e/%2e%2e/etc/passwd", b"/static/../etc/passwd",
                 b"/openapi/v3/../../version", b"/openapi/v3/%2e%2e",
                 b"/version/..", b"/metrics/%2e%2e/version",
                 b"/api/v1/namespaces/default/" + b"a/" * 1000,
                 b"/" + b"a/" * 20000, b"/" * 20000 + b"x"):
        data = target.request(b"GET", path)
        responses, _ = wire.exchange(target, data, 1)
        statuses = [r.status for r in responses]
        report.holds("paths: %s" % path.decode()[:60],
                     len(statuses) == 1 and 400 <= statuses[0] < 500
                     and is_text(responses[0]),
                     "answers %s" % statuses)

    # What an escaped slash gives must be what a slash gives, or nothing.
    one, _ = wire.exchange(target, target.request(b"GET", MAPS), 1)
    two, _ = wire.exchange(
        target, target.request(b"GET", MAPS.replace(b"t/c", b"t%2fc")), 1)
    report.holds("paths: an escaped slash opens no other door",
                 two[0].status == one[0].status
                 or 400 <= two[0].status < 500, two[0].status)
