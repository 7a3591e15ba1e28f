"""What two servers cannot share, left out of their answers.

Uids, revisions, allocated addresses and the order in which Go walks a map
differ between servers and between runs.  Times do too; they become the number
of the operation that was under way, if the operations did not share a second.
"""

import calendar
import json
import re
import time

UUID = re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')
TIME = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ')
OBJECT = re.compile(r'(Invalid value: ")\{.*\}(": )')    # As it is kept.
ALLOCATED = ('clusterIP', 'nodePort', 'healthCheckNodePort')


class Clock:
    """Names times by the operation in whose seconds they fall."""

    def __init__(self):
        self.spans = []                 # [name, first second, last second]

    def begin(self, name):
        self.spans.append([name, int(time.time()), 1 << 40])

    def end(self):
        """The next operation begins in another second."""
        end = self.spans[-1][2] = int(time.time())
        while int(time.time()) == end:
            time.sleep(0.02)

    def name(self, text):
        second = calendar.timegm(time.strptime(text, '%Y-%m-%dT%H:%M:%SZ'))
        names = [n for n, a, b in self.spans if a <= second <= b]
        return '<op %s>' % names[0] if names else '<time>'


class Normaliser:
    """Of the answers that one server gave about one object."""

    def __init__(self, namespace, name, clock=None):
        """Without a clock, the order of managedFields is not compared."""
        self.names = ((namespace, '<ns>'), (name, '<name>'))
        self.clock = clock
        self.uids = {}
        self.revisions = {}

    def answer(self, answer):
        body = self.value(answer.body)
        if isinstance(body, dict) and body.get('kind') == 'Status':
            self.sort_causes(body)
        return {'status': answer.status, 'warnings': answer.warnings,
                'body': body}

    def value(self, v, key=''):
        if isinstance(v, dict):
            return {k: self.value(x, k) for k, x in sorted(v.items())}
        if isinstance(v, list):
            if key == 'managedFields' and not self.clock:
                v = sorted(v, key=by_manager)
            if key == 'clusterIPs':
                return ['<ip>' if x != 'None' else x for x in v]
            return [self.value(x, key) for x in v]
        if key in ALLOCATED and v not in ('None', '', 0):
            return '<%s>' % key
        if not isinstance(v, str):
            return v
        if key == 'resourceVersion':
            n = len(self.revisions) + 1
            return '<revision %d>' % self.revisions.setdefault(v, n)
        return self.text(v)

    def text(self, s):
        for name, stands_for in self.names:
            s = s.replace(name, stands_for)
        s = UUID.sub(lambda m: '<uid %d>' % self.uids.setdefault(
            m[0], len(self.uids) + 1), s)
        s = OBJECT.sub(r'\1<object>\2', s)
        return TIME.sub(lambda m: self.clock.name(m[0]) if self.clock
                        else '<time>', s)

    @staticmethod
    def sort_causes(status):
        """Upstream lists managers and fields in the order of a Go map; only
        the causes about one field have an order.  The message, which repeats
        the causes, is replaced by a sign that it does."""
        causes = (status.get('details') or {}).get('causes') or []
        texts = []
        for cause in causes:
            text = '%s: %s' % (cause.get('field'), cause.get('message'))
            if text not in texts:
                texts.append(text)
        head, errors, lines = status.get('message', '').partition(': errors:')
        if errors:
            status['message'] = head + errors + '\n'.join(
                sorted(lines.split('\n')))
        told = ', '.join(texts)
        if len(texts) > 1:
            told = '[%s]' % told
        message = status.get('message', '')
        if told and message.endswith(' is invalid: ' + told):
            status['message'] = message[:-len(told)] + '<causes>'
        causes.sort(key=lambda c: (
            c.get('field', ''), c.get('message', '')
            if c.get('field') == '<nil>'
            or c.get('reason') == 'FieldManagerConflict' else ''))


def by_manager(entry):
    return json.dumps([entry.get(k, '') for k in (
        'manager', 'operation', 'apiVersion', 'subresource')])


def differences(want, have, at=''):
    if isinstance(want, dict) and isinstance(have, dict):
        for k in sorted(set(want) | set(have)):
            if k not in have:
                yield '%s/%s: missing, wanted %r' % (at, k, want[k])
            elif k not in want:
                yield '%s/%s: not wanted %r' % (at, k, have[k])
            else:
                yield from differences(want[k], have[k], at + '/' + k)
    elif isinstance(want, list) and isinstance(have, list) and (
            len(want) == len(have)):
        for i, (w, h) in enumerate(zip(want, have)):
            yield from differences(w, h, '%s/%d' % (at, i))
    elif want != have or type(want) is not type(have):
        yield '%s: %r, wanted %r' % (at, have, want)
