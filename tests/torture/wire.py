"""A client that is held back by nothing: raw HTTP/1.1 and HTTP/2 bytes.

For tests that send what no client library would.
"""

import base64
import json
import os
import re
import select
import socket
import ssl
import struct
import tempfile
import time


class Target:
    """A server to talk to: where it is, and who we are to it."""

    def __init__(self, address, kubeconfig=None, token=None):
        host, _, port = address.rpartition(":")
        self.host = host.strip("[]")
        self.port = int(port)
        self.token = token
        self.tls = kubeconfig is not None
        self.context = {}
        if self.tls:
            for alpn in ("http/1.1", "h2"):
                self.context[alpn] = make_context(kubeconfig, alpn)

    def connect(self, alpn="http/1.1", timeout=10, source=None):
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
    with open(kubeconfig, encoding="utf-8") as f:
        text = f.read()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(
        cadata=field(text, "certificate-authority-data").decode())
    context.set_alpn_protocols([alpn])
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


def exchange(target, data, timeout=10, expected=None):
    """Sends 'data' on a connection of its own and reads until the server
    closes it, 'expected' responses have come, or the time is over.  Returns
    the responses and whether the server has closed."""
    s = target.connect(timeout=timeout)
    try:
        return talk(s, data, timeout, expected)
    finally:
        s.close()


def talk(s, data, timeout=10, expected=None):
    """The same on an open connection.  Reads while it writes, for a server
    may answer, and stop reading, before all was sent."""
    until = time.monotonic() + timeout
    data = memoryview(data)
    got = bytearray()
    closed = False
    s.setblocking(False)
    while not closed and time.monotonic() < until:
        if expected is not None and len(parse(bytes(got))) >= expected:
            break
        pending = isinstance(s, ssl.SSLSocket) and s.pending()
        wait = 0 if pending else max(0, until - time.monotonic())
        select.select([s], [s] if data else [], [], min(wait, 0.2))
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


# HTTP/2, by hand.

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, \
    CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind, flags, stream, payload=b""):
    return (struct.pack(">I", len(payload))[1:]
            + struct.pack(">BBI", kind, flags, stream) + payload)


def literal(name, value):
    """A header that is not indexed, without Huffman coding."""
    return b"\0" + hpack_text(name) + hpack_text(value)


def hpack_text(text):
    return hpack_number(len(text)) + text


def hpack_number(n):
    if n < 127:
        return bytes([n])
    out, n = [127], n - 127
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + [n])


class Http2:
    """A connection, after the preface."""

    def __init__(self, target, settings=b""):
        self.target = target
        self.socket = target.connect(alpn="h2")
        self.received = b""
        self.closed = False
        self.goaway = False
        self.statuses = {}      # By stream.
        self.resets = {}        # Error codes, by stream.
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings))

    def request(self, path, method=b"GET", more=b""):
        """A header block.  The server's dynamic table stays empty."""
        block = (literal(b":method", method)
                 + literal(b":scheme", b"https" if self.target.tls
                           else b"http")
                 + literal(b":authority", b"localhost")
                 + literal(b":path", path))
        if self.target.token:
            block += literal(b"authorization",
                             b"Bearer " + self.target.token.encode())
        return block + more

    def send(self, data):
        """False if the server does not want any more."""
        self.socket.settimeout(10)
        try:
            self.socket.sendall(data)
            return True
        except (OSError, ssl.SSLError):
            self.closed = True
            return False

    def read(self, seconds, done=lambda: False):
        """Reads frames until 'done', the end, or the time is over."""
        until = time.monotonic() + seconds
        while not self.closed and not done():
            left = until - time.monotonic()
            if left <= 0:
                return
            self.socket.settimeout(left)
            try:
                piece = self.socket.recv(65536)
            except (TimeoutError, socket.timeout):
                return
            except OSError:
                piece = b""
            self.closed = not piece
            self.received += piece
            self.take_frames()

    def take_frames(self):
        while len(self.received) >= 9:
            size = int.from_bytes(self.received[:3], "big")
            if len(self.received) < 9 + size:
                return
            kind, flags, stream = struct.unpack(">BBI", self.received[3:9])
            payload = self.received[9:9 + size]
            self.received = self.received[9 + size:]
            if kind == GOAWAY:
                self.goaway = True
            elif kind == HEADERS:
                self.statuses[stream] = first_status(payload)
            elif kind == RST_STREAM:
                self.resets[stream] = int.from_bytes(payload, "big")
            elif kind == SETTINGS and not flags & ACK:
                self.send(frame(SETTINGS, ACK, 0))

    def close(self):
        self.socket.close()


def first_status(block):
    """The :status at the front of a header block, if it is easily read."""
    indexed = {0x88: 200, 0x89: 204, 0x8a: 206, 0x8b: 304, 0x8c: 400,
               0x8d: 404, 0x8e: 500}
    while block and block[0] & 0xe0 == 0x20:    # Size of the table.
        block = block[1:]
    if not block:
        return 0
    if block[0] in indexed:
        return indexed[block[0]]
    if block[0] & 0x0f in range(8, 15) and block[0] < 0x80 and len(block) > 4:
        if block[1] == 3 and block[2:5].isdigit():
            return int(block[2:5])
        if block[1] & 0x80:
            return huffman_digits(block[2:2 + (block[1] & 0x7f)])
    return 0


def huffman_digits(data):
    """Three digits in HPACK's Huffman code: 0-2 have five bits, others six."""
    codes = {"00000": "0", "00001": "1", "00010": "2"}
    codes.update({format(0x19 + i, "06b"): str(3 + i) for i in range(7)})
    bits = "".join(format(b, "08b") for b in data)
    text = ""
    while len(text) < 3:
        for n in (5, 6):
            if bits[:n] in codes:
                text += codes[bits[:n]]
                bits = bits[n:]
                break
        else:
            return 0
    return int(text)
