"""Plays a sequence on a server and on the model, and compares."""

import calendar
import json
import time

import model
import sequences
from normal import differences

KNOWN = {'name', 'namespace', 'uid', 'resourceVersion', 'generation',
         'creationTimestamp', 'managedFields', 'labels', 'annotations'}


class Judge:
    """One sequence.  play() returns None, or (operation, differences)."""

    def __init__(self, kind, namespace, name, ops, modelled=model.Model):
        self.kind, self.namespace, self.name = kind, namespace, name
        self.ops = ops
        self.model = modelled(kind)
        self.last = None                # The object as last answered.
        self.spans = []                 # First and last second of each op.
        self.said = []

    def play(self, server):
        for i in range(len(self.ops)):
            found = self.step(server, i)
            if found:
                return i, found
        return None

    def step(self, server, i):
        op = self.ops[i]
        live = None
        if self.last is not None:
            live = dict(self.last,
                        apiVersion=self.kind.api_version(op.version))
        method, path, body, content_type, agent = sequences.request_of(
            self.kind, op, self.namespace, self.name, live)
        start = int(time.time())
        answer = server.ask(method, path, body, content_type, agent)
        self.spans.append((start, int(time.time())))
        self.said.append((method, path, body, answer))
        want = self.model.play(op, i, body)
        found = list(self.compare(op, want, answer))
        if not found and not op.dry and answer.status in (200, 201):
            self.model.commit()
            if op.do == 'delete':
                self.last = None
            else:
                self.last = answer.body
        return found

    def compare(self, op, want, answer):
        if answer.status != want.status:
            yield 'status %d, wanted %d: %s' % (
                answer.status, want.status, json.dumps(answer.body))
            return
        if want.conflict is not None:
            yield from self.compare_conflict(want, answer.body)
        if want.body is None:
            return
        meta = answer.body['metadata']
        for key in meta.keys() - KNOWN:
            yield 'metadata.%s is not wanted' % key
        if answer.body['apiVersion'] != self.kind.api_version(op.version):
            yield 'apiVersion is ' + answer.body['apiVersion']
        body = {k: v for k, v in answer.body.items()
                if k not in ('apiVersion', 'kind', 'metadata')}
        known = {k: meta[k] for k in ('labels', 'annotations') if k in meta}
        if known:
            body['metadata'] = known
        yield from differences(want.body, body)
        if self.kind.status is not None and (
                meta.get('generation') != self.model.next[1]):
            yield 'generation %r, wanted %r' % (meta.get('generation'),
                                                self.model.next[1])
        yield from self.compare_entries(want, meta.get('managedFields', []))
        if self.last is not None and not op.dry:
            moved = meta['resourceVersion'] != (
                self.last['metadata']['resourceVersion'])
            if want.revision != 'either' and moved != (
                    want.revision == 'new'):
                yield 'the revision %s, wanted the %s one' % (
                    'moved' if moved else 'stayed', want.revision)

    def compare_conflict(self, want, body):
        wanted = sorted(
            ('conflict with ' + self.owner(key), model.path_text(path))
            for key, paths in want.conflict.items() for path in paths)
        have = sorted((c.get('message'), c.get('field'))
                      for c in body.get('details', {}).get('causes', []))
        if have != wanted:
            yield 'conflicts %r, wanted %r' % (have, wanted)

    def owner(self, key):
        manager, op, version, subresource = key
        text = json.dumps(manager)
        if subresource:
            text += ' with subresource "%s"' % subresource
        if op == 'Update':
            text += ' using ' + self.kind.api_version(version)
        return text

    def compare_entries(self, want, entries):
        have = {}
        for e in entries:
            if model.key_of(e) in have:
                yield 'two entries of %r' % (model.key_of(e),)
            have[model.key_of(e)] = e
        for key in sorted(have.keys() | want.entries.keys()):
            if key not in have:
                yield 'no entry of %r, wanted %r' % (
                    key, model.encode(want.entries[key].owned))
                continue
            if key not in want.entries:
                yield 'the entry of %r is not wanted: %r' % (
                    key, have[key]['fieldsV1'])
                continue
            entry, e = want.entries[key], have[key]
            if e['apiVersion'] != self.kind.api_version(entry.version):
                yield '%r has version %s' % (key, e['apiVersion'])
            yield from differences(model.encode(entry.owned), e['fieldsV1'],
                                   'fields of %r: ' % (key,))
            if not self.in_time(entry.times, e.get('time')):
                yield 'the time of %r is %r, wanted that of operation %s' % (
                    key, e.get('time'), sorted(entry.times))
        if sorted(entries, key=rank) != entries:
            yield 'the order of the entries is wrong: %r' % (
                [rank(e) for e in entries],)

    def in_time(self, numbers, text):
        if not numbers or text is None:
            return not numbers and text is None
        second = calendar.timegm(time.strptime(text, '%Y-%m-%dT%H:%M:%SZ'))
        return any(self.spans[n][0] <= second <= self.spans[n][1]
                   for n in numbers)


def rank(entry):
    """Managers that apply come first, then the oldest."""
    return (entry['operation'], entry.get('time', ''),
            entry.get('manager', ''), entry['apiVersion'],
            entry.get('subresource', ''))
