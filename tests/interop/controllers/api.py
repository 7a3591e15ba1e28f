"""A client of an API server for scripts: JSON over TLS, one connection."""

import http.client
import json
import ssl
import threading
import time


class Failed(Exception):
    """An answer that was not expected, or something that did not come."""


def read_json(text):
    """What is no JSON, as the 404 of an unknown group, is a message."""
    try:
        return json.loads(text)
    except ValueError:
        return {'message': text.decode(errors='replace')}


class Api:
    def __init__(self, port, token):
        self.port = port
        self.head = {'Authorization': 'Bearer ' + token,
                     'User-Agent': 'interop', 'Accept': 'application/json'}
        self.context = ssl._create_unverified_context()
        self.local = threading.local()

    def ask(self, method, path, body=None, kind='application/json'):
        """(status, answer); a connection that was closed is opened again."""
        head = dict(self.head)
        data = None
        if body is not None:
            data = json.dumps(body)
            head['Content-Type'] = kind
        for last in (False, True):
            connection = getattr(self.local, 'connection', None)
            if connection is None:
                connection = http.client.HTTPSConnection(
                    '127.0.0.1', self.port, timeout=60,
                    context=self.context)
                self.local.connection = connection
            try:
                connection.request(method, path, data, head)
                answer = connection.getresponse()
                return answer.status, read_json(answer.read())
            except (http.client.HTTPException, OSError):
                connection.close()
                self.local.connection = None
                if last:
                    raise
        return None

    def must(self, method, path, body=None, kind='application/json'):
        status, answer = self.ask(method, path, body, kind)
        if status >= 300:
            raise Failed('%s %s: %d %s' % (method, path, status,
                                           answer.get('message')))
        return answer

    def get(self, path):
        """The object, or None."""
        status, answer = self.ask('GET', path)
        return answer if status == 200 else None

    def make(self, path, body):
        return self.must('POST', path, body)

    def change(self, path, body):
        """A merge patch."""
        return self.must('PATCH', path, body,
                         'application/merge-patch+json')

    def remove(self, path):
        self.must('DELETE', path)

    def wait(self, what, path, holds, limit=90):
        """Until holds(object), which is None while there is none."""
        end = time.monotonic() + limit
        while True:
            found = self.get(path)
            if holds(found):
                return found
            if time.monotonic() > end:
                raise Failed('%s: not after %d s: %s'
                             % (what, limit, json.dumps(found)[:1500]))
            time.sleep(0.2)

    def wait_gone(self, what, path, limit=90):
        self.wait(what, path, lambda found: found is None, limit)
