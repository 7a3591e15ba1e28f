"""Random sequences of writes to one object, by several managers.

    for op in sequence(kind, seed, number): print(op)

The same seed and number always give the same operations.  Operations that
start from the object as it is (a PUT, a JSON patch) carry a seed of their own
and are finished by request_of() with that object.
"""

import copy
import json
import random

from kinds import GROUP, METADATA
from shapes import Struct

MANAGERS = ('alice', 'bob', 'carol')
TYPES = {'apply': 'application/apply-patch+yaml',
         'merge': 'application/merge-patch+json',
         'strategic': 'application/strategic-merge-patch+json',
         'json': 'application/json-patch+json'}
LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'


class Op:
    """One request.  'do' is create, apply, update, merge, strategic, json,
    delete, or get."""

    def __init__(self, do, version):
        self.do = do
        self.version = version
        self.subresource = ''
        self.manager = 'alice'
        self.by_agent = False           # Named by the User-Agent alone.
        self.force = False
        self.dry = False
        self.body = None
        self.edit = ''                  # Seed of what is changed.
        self.own = ''                   # What is done to managedFields.
        self.odd = ''                   # What is wrong with the body.

    def __str__(self):
        words = [self.do, self.version]
        if self.subresource:
            words.append('/' + self.subresource)
        words.append('as ' + self.manager + (' by agent' if self.by_agent
                                             else ''))
        words += [w for w in ('force', 'dry') if getattr(self, w)]
        words += [w for w in (self.own, self.odd) if w]
        if self.body is not None:
            words.append(json.dumps(self.body, sort_keys=True))
        return ' '.join(words)


def sequence(kind, seed, number, length=7, plain=False):
    """'plain' leaves out what the model does not know."""
    dice = random.Random('%s/%s/%d' % (seed, kind.kind, number))
    client_side = not plain and dice.random() < 0.15
    ops, last = [], None
    for i in range(length):
        op = None
        if last is not None and dice.random() < 0.08:
            op = copy.copy(last)        # The same again changes nothing.
        if op is None:
            op = draw(kind, dice, first=not ops, plain=plain,
                      client_side=client_side)
            op.edit = '%s/%d/%d' % (seed, number, i)
        if op.do == 'apply':
            last = op
        ops.append(op)
    return ops


def draw(kind, dice, first, plain, client_side):
    op = Op('apply', dice.choice(sorted(kind.shapes)))
    what = dice.random()
    if first:
        op.do = ('apply' if what < 0.55 else
                 'create' if what < 0.93 else 'merge')
    else:
        op.do = ('apply' if what < 0.48 else
                 'update' if what < 0.68 else
                 'merge' if what < 0.80 else
                 'json' if what < 0.88 else
                 'strategic' if what < 0.94 else
                 'delete' if what < 0.97 else
                 'create' if what < 0.98 else 'get')
    if op.do == 'strategic' and not kind.strategic:
        op.do = 'merge'
    op.manager = dice.choice(MANAGERS)
    if client_side and dice.random() < 0.5:
        op.manager = 'kubectl'
    op.by_agent = op.do != 'apply' and dice.random() < 0.3
    op.force = op.do == 'apply' and dice.random() < 0.3
    op.dry = dice.random() < 0.06
    if not first and op.do not in ('create', 'delete', 'get'):
        place = dice.random()
        if kind.status is not None and place < 0.2:
            op.subresource = 'status'
        elif kind.scale and place < 0.28 and not plain:
            op.subresource = 'scale'
            # A kube-apiserver cannot apply the Scale of a custom resource.
            if kind.group == GROUP and op.do == 'apply':
                op.do, op.force = 'update', False
    if op.do == 'update' and not op.subresource and dice.random() < 0.12:
        op.own = dice.choice(('reset', 'empty', 'drop', 'rename') +
                             (() if plain else ('crowd', 'old', 'bad')))
    op.body = body(kind, op, dice)
    if not plain and op.body is not None and dice.random() < 0.06:
        op.odd = spoil(op, dice)
    if client_side and op.do == 'create':
        sent = dict(op.body, apiVersion=kind.api_version(op.version),
                    kind=kind.kind)
        notes = op.body.setdefault('metadata', {}).setdefault(
            'annotations', {})
        notes[LAST_APPLIED] = json.dumps(sent)
    return op


def body(kind, op, dice):
    """What is sent, without apiVersion, kind and name; None if it is made
    from the object as it is."""
    if op.do in ('update', 'json', 'delete', 'get'):
        return None
    if op.subresource == 'scale':
        return {'spec': {'replicas': dice.choice((1, 2, 3))}}
    shape = kind.shapes[op.version]
    if op.subresource == 'status':
        sent = {'status': kind.status.make(dice)}
        if dice.random() < 0.2:         # Ignored there.
            sent.update(shape.make(dice))
    else:
        sent = shape.make(dice)
        if kind.status is not None and dice.random() < 0.1:
            sent['status'] = kind.status.make(dice)
    meta = METADATA.make(dice)
    if meta:
        sent['metadata'] = meta
    if op.do in ('merge', 'strategic'):
        sent = thin(shape, sent, dice)
    return sent


def spoil(op, dice):
    """Puts something wrong into a body.  Returns what."""
    how = dice.choice(('null', 'type', 'unknown', 'twin', 'revision', 'uid',
                       'managed', 'finalizers'))
    meta = op.body.setdefault('metadata', {})
    if how == 'revision':
        meta['resourceVersion'] = '1'
    elif how == 'uid':
        meta['uid'] = '11111111-1111-1111-1111-111111111111'
    elif how == 'managed':
        meta['managedFields'] = [{'manager': 'x', 'operation': 'Apply'}]
    elif how == 'finalizers':
        meta['finalizers'] = ['example.com/f1', 'example.com/f2']
    else:
        inside = [(h, k) for h, k in insides(op.body) if h is not op.body]
        if not inside:
            return ''
        holder, key = dice.choice(inside)
        value = holder[key]
        if how == 'null':
            holder[key] = None
        elif how == 'unknown' and isinstance(value, dict):
            value['unknownField'] = 1
        elif how == 'twin' and isinstance(value, list) and value:
            value.append(copy.deepcopy(value[0]))
        else:
            holder[key] = dice.choice([v for v in (1, 'x', True, [], {}, ['x'])
                                       if type(v) is not type(value)])
    return how


def insides(value):
    """Every member and item below the value: (holder, key)."""
    keys = (sorted(value) if isinstance(value, dict) else
            range(len(value)) if isinstance(value, list) else ())
    for key in keys:
        yield value, key
        yield from insides(value[key])


def thin(shape, sent, dice):
    """A patch says less than an object does, and deletes some fields."""
    out = {}
    for key, value in sent.items():
        inner = shape.fields.get(key)
        if isinstance(inner, Struct) and isinstance(value, dict):
            kept = {k: v for k, v in value.items() if dice.random() < 0.6}
            gone = [k for k in inner.fields if k not in inner.required]
            if gone and dice.random() < 0.4:
                kept[dice.choice(gone)] = None
            out[key] = kept
        elif dice.random() < 0.8:
            out[key] = value
    return out


def request_of(kind, op, namespace, name, live):
    """(method, path, body, content type, agent).  'live' is the object as it
    is in the op's version and subresource, or None."""
    agent = op.manager + '/1.0' if op.by_agent else 'random/1.0'
    query = [] if op.by_agent or op.do in ('delete', 'get') else [
        'fieldManager=' + op.manager]
    if op.force:
        query.append('force=true')
    if op.dry and op.do != 'get':
        query.append('dryRun=All')
    method = {'create': 'POST', 'update': 'PUT', 'delete': 'DELETE',
              'get': 'GET'}.get(op.do, 'PATCH')
    path = kind.path(op.version, namespace,
                     '' if op.do == 'create' else name, op.subresource)
    if query:
        path += '?' + '&'.join(query)
    sent = None
    if op.do == 'update':
        sent = changed(kind, op, live or bare(kind, op, name))
    elif op.do == 'json':
        sent = json_patch(kind, op, live or {})
    elif op.do in ('create', 'apply'):
        sent = dict(op.body, **bare(kind, op, name))
        sent['metadata'] = dict(op.body.get('metadata', {}), name=name)
    elif op.body is not None:
        sent = op.body
    return method, path, sent, TYPES.get(op.do, 'application/json'), agent


def bare(kind, op, name):
    """An object with nothing but a name."""
    if op.subresource == 'scale':
        return {'apiVersion': 'autoscaling/v1', 'kind': 'Scale',
                'metadata': {'name': name}}
    return {'apiVersion': kind.api_version(op.version), 'kind': kind.kind,
            'metadata': {'name': name}}


def changed(kind, op, live):
    """The object with some random values changed."""
    dice = random.Random(op.edit)
    new = json.loads(json.dumps(live))
    if op.subresource == 'scale':
        new.setdefault('spec', {})['replicas'] = dice.choice((1, 2, 3))
        return new
    shape = kind.shapes[op.version]
    where = dice.random()
    if op.subresource == 'status' or kind.status and where < 0.05:
        new['status'] = kind.status.change(dice, new.get('status', {}))
    if op.subresource != 'status' or where < 0.2:
        if where < 0.8:
            key = dice.choice(list(shape.fields))
            new[key] = shape.fields[key].change(dice, new.get(key, {}))
        if where > 0.7:
            shaped = METADATA.change(dice, {
                k: new['metadata'][k] for k in METADATA.fields
                if k in new['metadata']})
            for key in METADATA.fields:
                new['metadata'].pop(key, None)
            new['metadata'].update(shaped)
    entries = new['metadata'].get('managedFields', [])
    if op.own == 'reset':
        new['metadata']['managedFields'] = [{}]
    elif op.own == 'empty':
        new['metadata']['managedFields'] = []
    elif op.own == 'drop' and entries:
        del entries[dice.randrange(len(entries))]
    elif op.own == 'rename' and entries:
        entries[dice.randrange(len(entries))]['manager'] = 'dave'
    elif op.own == 'crowd' and entries:
        # More managers that update than are kept.
        for i in range(dice.randint(8, 12)):
            entries.append(dict(dice.choice(entries[:3]), manager='m%d' % i,
                                operation='Update', subresource='',
                                time='2020-01-01T00:00:%02dZ' % (i % 4)))
    elif op.own == 'old' and entries:
        entry = dice.choice(entries)
        entry['apiVersion'] = kind.api_version('v0')
    elif op.own == 'bad' and entries:
        entry = dice.choice(entries)
        key = dice.choice(('operation', 'apiVersion', 'fieldsType',
                           'fieldsV1', 'time', 'manager'))
        entry[key] = dice.choice(({}, {'f:x': {}, 'f:spec': {'f:y': {}}},
                                  {'g:x': {}})) if key == 'fieldsV1' else ''
        if key == 'time':
            del entry[key]
    return new


def json_patch(kind, op, live):
    dice = random.Random(op.edit)
    if op.subresource == 'scale':
        return [{'op': 'replace', 'path': '/spec/replicas',
                 'value': dice.choice((1, 2, 3))}]
    if op.subresource == 'status':
        key, shape = 'status', kind.status
    else:
        key = dice.choice(list(kind.shapes[op.version].fields))
        shape = kind.shapes[op.version].fields[key]
    if key not in live or not isinstance(shape, Struct):
        return [{'op': 'add', 'path': '/' + key, 'value': shape.make(dice)}]
    new = shape.change(dice, live[key])
    steps = []
    for field in sorted(set(new) | set(live[key])):
        path = '/%s/%s' % (key, field)
        if field not in new:
            steps.append({'op': 'remove', 'path': path})
        elif field not in live[key] or new[field] != live[key][field]:
            steps.append({'op': dice.choice(('add', 'replace'))
                          if field in live[key] else 'add',
                          'path': path, 'value': new[field]})
    return steps
