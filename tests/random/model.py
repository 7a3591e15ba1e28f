"""A naive server: what must become of an object, and who owns which field.

It is written to be read, not to be fast, and apart from src/apply.  A field is
a path, a tuple of elements as FieldsV1 spells them ('f:spec', 'k:{"name":"a"}',
'v:"x"'); what somebody owns is a Python set of paths; merging, comparing and
removing follow the definitions in the functions' comments.

    model = Model(kind)
    want = model.play(op, number, live)     # What the server must answer.
    model.commit()                          # It was not a dry run.

Only kinds without rules of their own are modelled: Things and ConfigMaps.
"""

import copy
import json

from kinds import CONFIG_MAPS, METADATA, STATUS
from shapes import Free, List, Map, Scalar, Shape, Struct

MISSING = object()                      # A field that is not there.
NAMED = {('f:metadata',)}               # Each applier says a name in there.


# Fields of values.

def element_of(shape, item):
    """The element of a path that leads to the item of a list."""
    if shape.kind == 'set':
        return 'v:' + compact(item)
    key = {}
    for name in sorted(shape.keys):
        value = item.get(name, shape.item.fields[name].default)
        if value is not None:
            key[name] = value
    return 'k:' + compact(key)


ENCODER = json.JSONEncoder(separators=(',', ':'), sort_keys=True,
                           ensure_ascii=False)
compact = ENCODER.encode


def clone(value):
    if isinstance(value, dict):
        return {k: clone(v) for k, v in value.items()}
    return [clone(v) for v in value] if isinstance(value, list) else value


def parts(shape, value):
    """What is owned one by one below a value: element -> (shape, value).
    Nothing below scalars, atomic values, and what is empty or null."""
    if shape.atomic:
        return {}
    if isinstance(value, dict):
        if isinstance(shape, Struct):
            return {'f:' + k: (shape.fields[k], v) for k, v in value.items()}
        if isinstance(shape, Map):
            return {'f:' + k: (shape.item, v) for k, v in value.items()}
        if isinstance(shape, Free):
            return {'f:' + k: (shape, v) for k, v in value.items()}
    if isinstance(value, list) and isinstance(shape, List):
        return {element_of(shape, v): (shape.item, v) for v in value}
    return {}


def fields(shape, value, path=()):
    """What an applier of the value owns: every leaf, every item of a list,
    every key of a map, and each object that is empty or null."""
    owned = set()
    below = parts(shape, value)
    if path and (shape.atomic or isinstance(shape, Scalar)
                 or isinstance(shape, Free) and not isinstance(value, dict)):
        owned.add(path)
    for element, (inner, v) in below.items():
        owned |= fields(inner, v, path + (element,))
        named = isinstance(shape, Struct)
        if not named or v is None or v == {}:
            owned.add(path + (element,))
    return owned


class Difference:
    def __init__(self):
        self.added, self.changed, self.removed = set(), set(), set()


def compare(shape, old, new, path=(), out=None):
    """What an updater who made 'new' out of 'old' has added, changed and
    removed."""
    out = Difference() if out is None else out
    if same(old, new):
        return out
    before = parts(shape, old) if old is not MISSING else {}
    after = parts(shape, new) if new is not MISSING else {}
    if not before and not after:
        if old is MISSING:
            out.added.add(path)
        elif new is MISSING:
            out.removed.add(path)
        else:
            out.changed.add(path)
        return out
    for element in before.keys() | after.keys():
        inner = (before.get(element) or after.get(element))[0]
        compare(inner, before.get(element, (0, MISSING))[1],
                after.get(element, (0, MISSING))[1], path + (element,), out)
    if old is MISSING:
        out.added.add(path)
    elif new is MISSING:
        out.removed.add(path)
    elif not alike(old, new):
        out.changed.add(path)           # An object became text, say.
    out.added.discard(())
    out.removed.discard(())
    return out


def same(a, b):
    """No field here is a number in one value and a boolean in another."""
    return a is b or a == b


def alike(a, b):
    return a is None or b is None or type(a) is type(b)


def merge(shape, live, config):
    """The live value with what the applier wants laid over it."""
    if config is MISSING:
        return live
    if live is MISSING:
        return config
    before, wanted = parts(shape, live), parts(shape, config)
    if not alike(live, config) or not before and not wanted:
        return config
    merged = {}
    for element in order(list(before), list(wanted)):
        inner = (before.get(element) or wanted.get(element))[0]
        merged[element] = merge(inner, before.get(element, (0, MISSING))[1],
                                wanted.get(element, (0, MISSING))[1])
    return build(shape, merged)


def order(live, config):
    """The order of a merged list: the applier's items in the applier's order,
    and the others where they were relative to their neighbours."""
    out, done = [], set()
    both = [e for e in config if e in live]
    live, config = list(live), list(config)
    while live or config:
        head = live[0] if live else None
        if live and config and head == config[0]:
            out.append(head)
            done.add(head)
            live.pop(0)
            config.pop(0)
            both = both[1:]
            continue
        if live and config and head in both and head != both[0]:
            live.pop(0)                 # Its turn comes with the applier's.
            continue
        if live and head not in config and head not in done:
            out.append(live.pop(0))
            continue
        if live and head in done:
            live.pop(0)
        if config:
            head = config.pop(0)
            out.append(head)
            done.add(head)
            if both and head == both[0]:
                both = both[1:]
    return out


def build(shape, below):
    if isinstance(shape, List):
        return list(below.values())
    return {e[2:]: v for e, v in below.items()}


def without(shape, value, gone):
    """The value without the fields in 'gone'; null if nothing is left."""
    if isinstance(shape, Scalar) or isinstance(shape, Free) and (
            not isinstance(value, (dict, list))):
        return value
    below = parts(shape, value)
    kept = {}
    for element, (inner, v) in below.items():
        if (element,) in gone:
            continue
        deeper = {p[1:] for p in gone if p[0] == element and len(p) > 1}
        kept[element] = without(inner, v, deeper) if deeper else v
    return build(shape, kept) if kept else None


def with_parents(shape, owned):
    """Adds the fields of structs on the way to each field."""
    out = set(owned)
    for path in owned:
        at = shape
        for i, element in enumerate(path[:-1]):
            if isinstance(at, Struct):
                if element[2:] not in at.fields:
                    break
                out.add(path[:i + 1])
            at = below_of(at, element)
    return out


def below_of(shape, element):
    if isinstance(shape, Struct):
        return shape.fields.get(element[2:], Free())
    if isinstance(shape, (Map, List)):
        return shape.item
    return shape


def outside(owned, ignored):
    """What is neither in 'ignored' nor below it."""
    return {p for p in owned
            if not any(p[:i] in ignored for i in range(1, len(p) + 1))}


# Objects and their managers.

class Entry:
    """What one manager owns in a version, and the numbers of the operations
    whose time the entry may have; none if it has no time."""

    def __init__(self, version, owned, times=frozenset()):
        self.version, self.owned, self.times = version, owned, times


class Conflict(Exception):
    def __init__(self, owners):
        super().__init__()
        self.owners = owners            # manager's key -> fields


class Invalid(Exception):
    """The object would not pass validation."""


class Want:
    """What an answer must be.  'revision' is new, same, or either."""

    def __init__(self, status, body=None, entries=None, revision=None,
                 conflict=None):
        self.status, self.body, self.entries = status, body, entries
        self.revision, self.conflict = revision, conflict


class Model:
    def __init__(self, kind):
        self.kind = kind
        self.shapes = {}                # version -> shape of whole objects
        self.object = None              # Without what only a server knows.
        self.generation = 0
        self.managers = {}              # (manager, op, version, sub) -> Entry
        self.unclean = False            # An empty map may be in the storage.
        self.next = None
        self.next_unclean = False

    def commit(self):
        self.object, self.generation, self.managers = self.next
        self.unclean = self.next_unclean

    def shape(self, version):
        if version not in self.shapes:
            members = {'metadata': METADATA,
                       **self.kind.shapes[version].fields}
            if self.kind.status is not None:
                members['status'] = self.kind.status
            self.shapes[version] = Struct(members)
        return self.shapes[version]

    def ignored(self, op):
        """What a write through this subresource does not change."""
        if self.kind.status is None:
            return set()
        if op.subresource == 'status':
            return {('f:metadata',), ('f:spec',)}
        return {('f:status',)}

    def play(self, op, now, sent):
        """'now' names the time; 'sent' is the body of the request."""
        self.next = (self.object, self.generation, dict(self.managers))
        self.op, self.now = op, now
        self.next_unclean = False
        self.managers_now = {k: copy.copy(e)
                             for k, e in self.managers.items()}
        if op.do == 'delete' and self.object is not None:
            self.next = (None, 0, {})
            return Want(200)
        if self.object is None and (op.do not in ('create', 'apply')
                                    or op.subresource):
            return Want(404)
        if op.do == 'get':
            return self.answer(200, self.object, 'same')
        if op.do == 'create' and self.object is not None:
            return Want(409)
        try:
            if op.do == 'apply':
                return self.apply(sent)
            return self.update(sent)
        except Conflict as e:
            return Want(409, conflict=e.owners)
        except Invalid:
            return Want(422)

    # Writes that say the whole object, or a patch of it.

    def update(self, sent):
        op = self.op
        old = self.object if self.object is not None else {}
        if op.do in ('create', 'update'):
            new = self.content(sent)
        elif op.do in ('merge', 'strategic'):
            new = merge_patch(old, self.content(sent))
        else:
            new = json_patch(old, sent)
        new = self.complete(new)
        managers = self.managers_now
        if op.do == 'update' and not op.subresource and op.own:
            managers = self.edited(sent, managers)
        if managers or self.object is None:
            self.take(old, new, managers, op.manager)
        return self.finish(old, new, managers)

    def edited(self, sent, managers):
        """managedFields as the client wants them: removing all of them is
        forgetting all; sending none, keeping them."""
        entries = (sent.get('metadata') or {}).get('managedFields')
        if entries is None or entries == [] and self.kind.status is not None:
            return managers
        if entries in ([], [{}]):
            return {}
        found = {}
        for e in entries:
            key = key_of(e)
            was = managers.get(key)
            if was is None:             # Renamed; the fields are the same.
                was = next(m for k, m in managers.items() if k[1:] == key[1:]
                           and encode(m.owned) == e['fieldsV1'])
            found[key] = copy.copy(was)
        return found or managers

    def take(self, old, new, managers, name, subresource=None):
        """The updater owns what it added and changed; nobody else does, and
        nobody owns what it removed."""
        op = self.op
        sub = op.subresource if subresource is None else subresource
        difference = self.disown(old, new, managers, None, True)
        mine = difference.added | difference.changed
        mine = strip(outside(mine, self.ignored(op)))
        if mine:
            key = (name, 'Update', op.version, sub)
            before = managers.get(key)
            managers[key] = Entry(op.version, mine | (
                before.owned if before else set()), frozenset({self.now}))

    def disown(self, old, new, managers, me, force):
        found, conflicts = {}, {}
        for version in {e.version for e in managers.values()} | {
                self.op.version}:
            d = compare(self.shape(version), old, new)
            # A kube-apiserver forgets that a custom resource's status is not
            # to be written here when it compares in another version.
            if version == self.op.version or self.op.subresource:
                for name in ('added', 'changed', 'removed'):
                    setattr(d, name, outside(getattr(d, name),
                                             self.ignored(self.op)))
            found[version] = d
        for key, entry in managers.items():
            if key == me:
                continue
            d = found[entry.version]
            lost = entry.owned & (d.added | d.changed)
            if lost:
                conflicts[key] = lost
        if conflicts and not force:
            raise Conflict(conflicts)
        for key, entry in list(managers.items()):
            if key == me:
                continue
            entry.owned = (entry.owned - conflicts.get(key, set())
                           - found[entry.version].removed)
        for key, entry in list(managers.items()):
            if not entry.owned:
                del managers[key]
        return found[self.op.version]

    # Applying.

    def apply(self, sent):
        op, managers = self.op, self.managers_now
        shape = self.shape(op.version)
        config = self.content(sent)
        live = self.object if self.object is not None else {}
        if not managers and self.object is not None:
            self.take({}, live, managers, 'before-first-apply')
        me = (op.manager, 'Apply', '', op.subresource)
        last = managers.get(me)
        mine = outside(fields(shape, config), self.ignored(op))
        managers[me] = Entry(op.version, mine,
                             last.times if last else frozenset())
        new = merge(shape, live, config)
        if last is not None and last.owned:
            new = self.prune(new, managers, last)
        self.disown(live, new, managers, me, op.force)
        if me in managers:
            managers[me].owned = strip(managers[me].owned)
            if not managers[me].owned:
                del managers[me]
        if self.object is None or not same(new, live):
            new = self.complete(new)
            if me in managers:
                managers[me].times = frozenset({self.now})
        return self.finish(live, new, managers)

    def prune(self, merged, managers, last):
        """Removes what the applier gave up and nobody else owns."""
        shape = self.shape(last.version)
        pruned = without(shape, merged, with_parents(shape, last.owned)) or {}
        versions = {}                   # Whoever applies owns the name, too.
        for entry in managers.values():
            versions.setdefault(entry.version, set()).update(entry.owned)
        for version in sorted(versions, key=lambda v: v != last.version):
            pruned = self.add_back(merged, pruned, self.shape(version),
                                   versions[version])
        all_, kept = (with_parents(shape, fields(shape, v))
                      for v in (merged, pruned))
        gone = (all_ - kept) & with_parents(shape, last.owned)
        return without(shape, merged, gone - NAMED) or {}

    @staticmethod
    def add_back(merged, pruned, shape, owned):
        all_, kept = (with_parents(shape, fields(shape, v))
                      for v in (merged, pruned))
        return without(shape, merged,
                       all_ - (kept | with_parents(shape, owned) | NAMED)
                       ) or {}

    # What every write ends with.

    def content(self, sent):
        """The members of a body that the model knows."""
        out = {k: v for k, v in sent.items() if k not in (
            'apiVersion', 'kind', 'metadata')}
        meta = {k: v for k, v in (sent.get('metadata') or {}).items()
                if k in METADATA.fields}
        if meta:
            out['metadata'] = meta
        return clone(out)

    def complete(self, new):
        """Defaults; what cannot be null is invalid if it is."""
        shape = self.shape(self.op.version)
        new = defaulted(shape, clone(new))
        if self.kind is CONFIG_MAPS:
            new = {k: v for k, v in new.items() if v}
        all_ = new.pop('metadata', None) or {}
        meta = {k: v for k, v in all_.items() if v}
        if meta:
            new['metadata'] = meta
        self.next_unclean = len(meta) < len(all_)
        return new

    def finish(self, old, new, managers):
        op = self.op
        created = self.object is None
        if self.kind.status is not None:
            stays = dict(old) if op.subresource == 'status' else dict(new)
            gives = new if op.subresource == 'status' else old
            stays.pop('status', None)
            if 'status' in gives:
                stays['status'] = gives['status']
            new = stays
        if is_invalid(self.shape(op.version), new):
            raise Invalid()
        generation = self.generation
        if self.kind.status is not None:
            if created:
                generation = 1
            elif not same(body_of(old), body_of(new)):
                generation += 1
        self.next = (new, generation, managers)
        if created or not same(old, new) or self.owners_moved(managers):
            return self.answer(201 if created else 200, new, 'new')
        return self.answer(200, new, self.keep_times(managers))

    def keep_times(self, managers):
        """A write that changes nothing but times does not change times
        either, unless with the new time the entries had another order."""
        revision = 'either' if self.unclean else 'same'
        for key, entry in managers.items():
            before = self.managers[key].times
            if entry.times != before:
                alone = sum(k[1] == key[1] for k in managers) == 1
                entry.times = before if alone else before | entry.times
                revision = revision if alone else 'either'
        return revision

    def owners_moved(self, managers):
        return managers.keys() != self.managers.keys() or any(
            e.owned != self.managers[k].owned
            or e.version != self.managers[k].version
            for k, e in managers.items())

    def answer(self, status, body, revision):
        return Want(status, clone(body), self.next[2], revision)


def body_of(value):
    return {k: v for k, v in value.items() if k not in ('metadata', 'status')}


def strip(owned):
    return owned - {('f:metadata',)}


def defaulted(shape, value):
    if isinstance(shape, Struct) and isinstance(value, dict):
        for name, inner in shape.fields.items():
            if inner.default is not None and value.get(name) is None:
                value[name] = inner.default
        return {k: defaulted(shape.fields[k], v) for k, v in value.items()}
    if isinstance(shape, Map) and isinstance(value, dict):
        return {k: defaulted(shape.item, v) for k, v in value.items()}
    if isinstance(shape, List) and isinstance(value, list):
        return [defaulted(shape.item, v) for v in value]
    return value


def is_invalid(shape, value):
    """Applying may leave null where all was removed, and remove what is
    required."""
    if isinstance(shape, Free) and value is not None:
        return False
    if isinstance(value, dict) and isinstance(shape, Struct):
        return any(k not in value for k in shape.required) or any(
            is_invalid(shape.fields[k], v) for k, v in value.items())
    if isinstance(value, dict):
        return any(is_invalid(shape.item, v) for v in value.values())
    if isinstance(value, list):
        return any(is_invalid(shape.item, v) for v in value)
    return value is None


def merge_patch(value, patch):
    if not isinstance(patch, dict):
        return patch
    out = dict(value) if isinstance(value, dict) else {}
    for k, v in patch.items():
        if v is None:
            out.pop(k, None)
        else:
            out[k] = merge_patch(out.get(k), v)
    return out


def json_patch(value, steps):
    """As sequences.json_patch() makes them: two levels, no lists."""
    out = clone(value)
    for step in steps:
        names = step['path'].split('/')[1:]
        at = out
        for name in names[:-1]:
            at = at[name]
        if step['op'] == 'remove':
            del at[names[-1]]
        else:
            at[names[-1]] = step['value']
    return out


# Managed fields as they are written.

def key_of(entry):
    op = entry.get('operation')
    return (entry.get('manager', ''), op,
            '' if op == 'Apply' else entry['apiVersion'].split('/')[-1],
            entry.get('subresource', ''))


def encode(owned):
    """FieldsV1: a tree, in which '.' says that the node itself is owned."""
    tree = {}
    for path in owned:
        at = tree
        for element in path:
            at = at.setdefault(element, {})
        at['.'] = {}
    return drop_dots(tree)


def drop_dots(tree):
    """A leaf needs no dot."""
    if set(tree) == {'.'}:
        return {}
    return {k: drop_dots(v) for k, v in tree.items()}


def path_text(path):
    """A path as the messages of conflicts spell it."""
    text = ''
    for element in path:
        what, value = element[0], element[2:]
        if what == 'f':
            text += '.' + value
        elif what == 'v':
            text += '[=%s]' % value
        else:
            text += '[%s]' % ','.join('%s=%s' % (k, compact(v)) for k, v in
                                      sorted(json.loads(value).items()))
    return text
