"""Requests over one HTTPS connection that stays open.

    server = wire.Server('https://127.0.0.1:6443', 'admintoken')
    answer = server.ask('GET', '/api/v1/namespaces/default')
    answer.status, answer.body, answer.warnings

http.client takes three times as long for a request as a server here does, so
this speaks HTTP/1.1 itself: it knows Content-Length and chunks, and connects
again if the server has closed.  A Server is used by one thread at a time.
"""

import json
import socket
import ssl
import urllib.parse


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.body = body                # Parsed JSON, or the text.
        self.warnings = sorted(v for k, v in headers if k == 'warning')


class Server:
    def __init__(self, url, token):
        parts = urllib.parse.urlsplit(url)
        self.address = (parts.hostname, parts.port)
        self.url = url
        self.token = token
        self.context = ssl._create_unverified_context()
        self.socket = None
        self.file = None

    def clone(self):
        """Another connection to the same server, for another thread."""
        return Server(self.url, self.token)

    def ask(self, method, path, body=None, content_type='application/json',
            agent='random/1.0'):
        data = b'' if body is None else json.dumps(body).encode()
        head = ('%s %s HTTP/1.1\r\nHost: server\r\nAuthorization: Bearer %s'
                '\r\nUser-Agent: %s\r\nAccept: application/json\r\n'
                % (method, path, self.token, agent))
        if body is not None:
            head += ('Content-Type: %s\r\nContent-Length: %d\r\n'
                     % (content_type, len(data)))
        request = head.encode() + b'\r\n' + data
        for again in (False, True):
            if self.socket is None:
                self.connect()
            try:
                self.socket.sendall(request)
                return self.answer()
            except (OSError, EOFError, ValueError):
                self.close()
                if again:
                    raise

    def connect(self):
        plain = socket.create_connection(self.address, timeout=60)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = self.context.wrap_socket(plain)
        self.file = self.socket.makefile('rb')

    def close(self):
        if self.socket is not None:
            self.file.close()
            self.socket.close()
            self.socket = None

    def answer(self):
        status, headers, size, chunked, last = None, [], 0, False, False
        while True:
            line = self.file.readline()
            if not line:
                raise EOFError('the server closed the connection')
            line = line.rstrip(b'\r\n').decode('latin-1')
            if status is None:
                status = int(line.split(' ', 2)[1])
                continue
            if not line:
                break
            key, _, value = line.partition(':')
            key, value = key.lower(), value.strip()
            headers.append((key, value))
            if key == 'content-length':
                size = int(value)
            elif key == 'transfer-encoding':
                chunked = value == 'chunked'
            elif key == 'connection':
                last = value == 'close'
        data = self.chunks() if chunked else self.file.read(size)
        if last:
            self.close()
        try:
            body = json.loads(data)
        except ValueError:
            body = data.decode('utf-8', 'replace')
        return Answer(status, headers, body)

    def chunks(self):
        data = b''
        while True:
            size = int(self.file.readline().split(b';')[0], 16)
            data += self.file.read(size)
            self.file.readline()
            if size == 0:
                return data
