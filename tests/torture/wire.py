"""A client that is held back by nothing: raw bytes, and HTTP/1.1 answers.

For tests that send what no client library would.
"""

import base64
import json
import os
import re
import select
import socket
import ssl
import tempfile
import time

# How long an answer may take before it counts as none, in seconds.  What comes
# sooner is not waited for, so this can be as much as a busy machine needs.
PATIENCE = 60

# What the attacks and the bystander ask for.
QUIET_PATH = b"/api/v1/namespaces?limit=1"


class Target:
    """A server to talk to: where it is, and who we are to it."""

    def __init__(self, address, kubeconfig=None, token=None, tls=False):
        host, _, port = address.rpartition(":")
        self.host = host.strip("[]")
        self.port = int(port)
        self.token = token
        self.tls = tls or kubeconfig is not None
        self.context = {}
        if self.tls:
            for alpn in ("http/1.1", "h2"):
                self.context[alpn] = make_context(kubeconfig, alpn)

    def connect(self, alpn="http/1.1", timeout=PATIENCE, source=None):
        s = socket.create_connection(
            (self.host, self.port), timeout,
            source_address=(source, 0) if source else None)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.tls:
            s = self.context[alpn].wrap_socket(s, server_hostname="localhost")
        return s

    def headers(self):
        """Those that every request to the server needs."""
        lines = b"Host: localhost\r\n"
        if self.token:
            lines += b"Authorization: Bearer %s\r\n" % self.token.encode()
        return lines

    def request(self, method, target, more=b"", body=None):
        """The bytes of a request; 'method' and 'target' are bytes."""
        head = method + b" " + target + b" HTTP/1.1\r\n" + self.headers()
        if body is not None:
            more += b"Content-Type: application/json\r\n"
            more += b"Content-Length: %d\r\n" % len(body)
        return head + more + b"\r\n" + (body or b"")


def make_context(kubeconfig, alpn):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.set_alpn_protocols([alpn])
    if not kubeconfig:
        context.verify_mode = ssl.CERT_NONE
        return context
    with open(kubeconfig, encoding="utf-8") as f:
        text = f.read()
    context.load_verify_locations(
        cadata=field(text, "certificate-authority-data").decode())
    handle, path = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(field(text, "client-certificate-data") + b"\n"
                    + field(text, "client-key-data"))
        context.load_cert_chain(path)
    finally:
        os.unlink(path)
    return context


def field(text, name):
    return base64.b64decode(re.search(r"%s: *\"?([^\s\"]+)" % name, text)[1])


class Response:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body


def exchange(target, data, expected=None):
    """Sends 'data' on a connection of its own and reads until the server
    closes it, 'expected' responses have come, or the time is over.  Returns
    the responses and whether the server has closed."""
    s = target.connect()
    try:
        return talk(s, data, expected)
    finally:
        s.close()


def talk(s, data, expected=None):
    """The same on an open connection.  Reads while it writes, for a server
    may answer, and stop reading, before all was sent."""
    until = time.monotonic() + PATIENCE
    data = memoryview(data)
    got = bytearray()
    closed = False
    s.setblocking(False)
    poll = select.poll()
    poll.register(s)
    while not closed and time.monotonic() < until:
        if expected is not None and len(parse(bytes(got))) >= expected:
            break
        pending = isinstance(s, ssl.SSLSocket) and s.pending()
        if not pending:
            poll.modify(s, select.POLLIN | (select.POLLOUT if data else 0))
            poll.poll(200)
        if data:
            try:
                data = data[s.send(data[:65536]):]
            except (BlockingIOError, ssl.SSLWantReadError,
                    ssl.SSLWantWriteError):
                pass
            except OSError:
                data = data[:0]
        try:
            piece = s.recv(65536)
            got += piece
            closed = not piece
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError:
            closed = True
    return parse(bytes(got)), closed


def parse(data):
    """The complete responses in 'data'."""
    responses = []
    while True:
        head, separator, rest = data.partition(b"\r\n\r\n")
        if not separator or not head.startswith(b"HTTP/1."):
            return responses
        lines = head.split(b"\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            headers[name.decode("latin-1").lower()] = value.strip().decode(
                "latin-1")
        status = int(lines[0].split(b" ")[1])
        if status < 200:
            body, rest = b"", rest
        elif headers.get("transfer-encoding") == "chunked":
            body, rest = dechunk(rest)
        else:
            n = int(headers.get("content-length", "0"))
            body, rest = (rest[:n], rest[n:]) if len(rest) >= n \
                else (None, b"")
        if body is None:
            return responses
        responses.append(Response(status, headers, body))
        data = rest


def dechunk(data):
    body = b""
    while True:
        line, separator, rest = data.partition(b"\r\n")
        if not separator:
            return None, b""
        n = int(line, 16)
        if len(rest) < n + 2:
            return None, b""
        body += rest[:n]
        data = rest[n + 2:]
        if n == 0:
            return body, data


def is_status(response):
    """Whether the body is what Kubernetes answers when it refuses."""
    try:
        status = json.loads(response.body.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        return False
    return (status.get("kind") == "Status"
            and status.get("code") == response.status)


def cpu_of(pid):
    """Seconds that a process has had of the processors."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
