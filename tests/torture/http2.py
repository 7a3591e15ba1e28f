"""HTTP/2 frames by hand, for tests that send what no library would."""

import socket
import ssl
import struct
import time

import wire

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

        # Without a dynamic table each status can be read by itself.
        self.send(PREFACE + frame(SETTINGS, 0, 0,
                                  struct.pack(">HI", 1, 0) + settings))

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
        self.socket.settimeout(wire.PATIENCE)
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
