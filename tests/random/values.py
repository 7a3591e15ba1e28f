"""Random values of an OpenAPI schema, right and wrong.

    value = make(schema, dice)              # Mostly valid.
    spoil(schema, value, dice)              # One thing in it is now wrong.

Every keyword that structural schemas may have is obeyed by make() as far as
that is easy, and broken by spoil().  oneOf, anyOf, allOf and not are left to
chance.  What is valid in the end is for a server to say.
"""

import json
import re
import re._constants as op
import re._parser as parser

FORMATS = {
    'date-time': ('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+02:00'),
    'date': ('2026-01-01',), 'duration': ('1h', '3s'), 'byte': ('YQ==',),
    'ipv4': ('10.0.0.1',), 'ipv6': ('::1',), 'uri': ('http://a/b',),
    'uuid': ('123e4567-e89b-12d3-a456-426614174000',),
    'hostname': ('a.example.com',), 'email': ('a@example.com',),
    'password': ('x',), 'cidr': ('10.0.0.0/8',), 'mac': ('00:00:00:00:00:01',),
}
WRONG_FORMATS = ('', 'x y', '2026-13-01T00:00:00Z', '10.0.0.256', '1:::2', '@',
                 '2026-01-01', 'YQ=')
TEXTS = ('a', 'b', 'some-name', 'x' * 12, 'example.com', 'A_b')
ODD = (None, True, 0, -1, 1.5, '', 'text', [], {}, ['a'], {'a': 'b'},
       2 ** 31, 2 ** 53 + 1, 1e100)


def make(schema, dice, depth=0, key=''):
    """A value of the schema."""
    if schema.get('nullable') and dice.random() < 0.05:
        return None
    if 'enum' in schema:
        return dice.choice(schema['enum'])
    if schema.get('x-kubernetes-int-or-string'):
        return dice.choice((1, 80, '10%', '100m', '5Gi'))
    kind = schema.get('type')
    if kind == 'object' or kind is None and 'properties' in schema:
        return make_object(schema, dice, depth)
    if kind == 'array':
        return make_array(schema, dice, depth)
    if kind == 'string':
        return make_string(schema, dice)
    if kind == 'boolean':
        return dice.random() < 0.5
    if kind in ('integer', 'number'):
        return make_number(schema, dice)
    return dice.choice(('anything', 1, {'a': 1}, [1]))


def make_object(schema, dice, depth):
    out = {}
    required = schema.get('required', ())
    likely = (0.6, 0.5, 0.4, 0.3, 0.2)[min(depth, 4)]
    properties = schema.get('properties', {})
    if len(properties) > 20:
        likely /= 2
    for key, inner in sorted(properties.items()):
        if key in required or depth < 12 and dice.random() < likely:
            out[key] = make(inner, dice, depth + 1)
    more = schema.get('additionalProperties')
    if isinstance(more, dict):
        n = max(schema.get('minProperties', 0), dice.choice((0, 1, 2)))
        for key in ('k1', 'example.com/k2', 'K3', 'k4')[:n]:
            out[key] = make(more, dice, depth + 1)
    if schema.get('x-kubernetes-embedded-resource'):
        out.update(apiVersion='v1', kind='ConfigMap',
                   metadata={'name': 'embedded'})
    if schema.get('x-kubernetes-preserve-unknown-fields'):
        if dice.random() < 0.5:
            out['anything'] = dice.choice(
                (1, 'x', {'deep': [1, {'a': None}]}))
    return out


def make_array(schema, dice, depth):
    n = max(schema.get('minItems', 0), dice.choice((0, 1, 1, 2)))
    n = min(n, schema.get('maxItems', n))
    items = schema.get('items', {})
    out, seen = [], set()
    for _ in range(n * 4):
        if len(out) == n:
            break
        value = make(items, dice, depth + 1)
        name = name_of(schema, value)
        if name is None or name not in seen:
            seen.add(name)
            out.append(value)
    return out


def name_of(schema, value):
    """What must be unique about an item, or None."""
    kind = schema.get('x-kubernetes-list-type')
    if kind == 'map' and isinstance(value, dict):
        properties = schema['items'].get('properties', {})
        return json.dumps([value.get(k, properties.get(k, {}).get('default'))
                           for k in schema['x-kubernetes-list-map-keys']])
    if kind == 'set' or schema.get('uniqueItems'):
        return json.dumps(value, sort_keys=True)
    return None


def make_string(schema, dice):
    if schema.get('format') in FORMATS:
        return dice.choice(FORMATS[schema['format']])
    low, high = schema.get('minLength', 0), schema.get('maxLength', 100)
    for _ in range(20):
        if 'pattern' in schema:
            text = sample(schema['pattern'], dice)
        else:
            text = dice.choice(TEXTS)
        if low <= len(text) <= high:
            return text
    return 'a' * low


def make_number(schema, dice):
    low = schema.get('minimum', 0)
    high = schema.get('maximum', max(low, 0) + 100)
    value = dice.choice((low, high, (low + high) // 2))
    step = schema.get('multipleOf')
    if step:
        value = value // step * step
    if schema.get('type') == 'number' and dice.random() < 0.3:
        value = value + 0.5
    return value


def sample(pattern, dice):
    """A text that the pattern matches, if it looks ahead nowhere."""
    try:
        return ''.join(walk(parser.parse(pattern), dice))
    except (re.error, KeyError, ValueError):
        return 'a'


def walk(tree, dice):
    for what, value in tree:
        if what is op.LITERAL:
            yield chr(value)
        elif what is op.NOT_LITERAL:
            yield 'a' if value != ord('a') else 'b'
        elif what is op.ANY:
            yield dice.choice('ab1')
        elif what is op.IN:
            yield one_of(value, dice)
        elif what in (op.MAX_REPEAT, op.MIN_REPEAT):
            low, high, inner = value
            high = min(high, low + 3) if high != op.MAXREPEAT else low + 2
            for _ in range(dice.randint(low, high)):
                yield from walk(inner, dice)
        elif what is op.SUBPATTERN:
            yield from walk(value[3], dice)
        elif what is op.BRANCH:
            yield from walk(dice.choice(value[1]), dice)
        elif what in (op.AT, op.ASSERT_NOT, op.ASSERT):
            continue
        else:
            raise ValueError(what)


def one_of(choices, dice):
    letters = [chr(c) for c in range(32, 127) if chosen(choices, c)]
    return dice.choice(letters) if letters else 'a'


def chosen(choices, c):
    found, negated = False, False
    for what, value in choices:
        if what is op.NEGATE:
            negated = True
        elif what is op.LITERAL:
            found |= c == value
        elif what is op.RANGE:
            found |= value[0] <= c <= value[1]
        elif what is op.CATEGORY:
            text = {op.CATEGORY_DIGIT: r'\d', op.CATEGORY_WORD: r'\w',
                    op.CATEGORY_SPACE: r'\s', op.CATEGORY_NOT_SPACE: r'\S',
                    op.CATEGORY_NOT_WORD: r'\W',
                    op.CATEGORY_NOT_DIGIT: r'\D'}[value]
            found |= bool(re.match(text, chr(c), re.ASCII))
    return found != negated


# Spoiling.

def places(schema, value, holder=None, key=None):
    """Every value inside of the value: (schema, holder, key)."""
    yield schema, holder, key
    if isinstance(value, dict):
        for k in sorted(value):
            inner = schema.get('properties', {}).get(k)
            more = schema.get('additionalProperties')
            if inner is None and isinstance(more, dict):
                inner = more
            if inner is not None:
                yield from places(inner, value[k], value, k)
    elif isinstance(value, list) and 'items' in schema:
        for i, v in enumerate(value):
            yield from places(schema['items'], v, value, i)


def spoil(schema, value, dice):
    """Breaks one rule somewhere below the value's members.  Returns what was
    done, for people."""
    inside = [p for p in places(schema, value) if p[1] is not None]
    if not inside:
        return 'nothing'
    # Keywords are rare among the places, so let each kind have its turn.
    how = dice.choice(list(WAYS))
    fit = [p for p in inside if WAYS[how][0](p[0], p[1][p[2]])]
    if not fit:
        how, fit = 'odd', inside
    inner, holder, key = dice.choice(fit)
    WAYS[how][1](inner, holder, key, dice)
    return '%s at %s' % (how, key)


def put(choose):
    def act(schema, holder, key, dice):
        chosen_ = choose(schema, holder[key], dice)
        holder[key] = json.loads(json.dumps(chosen_))   # Not ODD's own.
    return act


def is_object(schema, value):
    return isinstance(value, dict)


def has(*keywords):
    return lambda schema, value: any(k in schema for k in keywords)


def remove_required(schema, holder, key, dice):
    present = [k for k in schema['required'] if k in holder[key]]
    if present:
        del holder[key][dice.choice(present)]


def add_unknown(schema, holder, key, dice):
    """One in an object: of several, upstream names the first of a Go map."""
    names = ('unknownField', 'x-y', 'a.b', 'Name')
    name, value = dice.choice(names), dice.choice((1, 'x', None, {'a': [1]}))
    if not any(n in holder[key] for n in names):
        holder[key][name] = value


def repeat_item(schema, holder, key, dice):
    holder[key].append(json.loads(json.dumps(dice.choice(holder[key]))))


def change_repeated(schema, holder, key, dice):
    """A twin by its key alone."""
    repeat_item(schema, holder, key, dice)
    twin = holder[key][-1]
    if isinstance(twin, dict):
        for k in list(twin):
            if k not in schema.get('x-kubernetes-list-map-keys', ()):
                del twin[k]


def fill(schema, holder, key, dice):
    """Too many items."""
    if holder[key]:
        while len(holder[key]) <= schema['maxItems'] < 70:
            holder[key].append(json.loads(json.dumps(holder[key][0])))


def fill_object(schema, holder, key, dice):
    more = schema.get('additionalProperties')
    if isinstance(more, dict):
        for i in range(schema['maxProperties'] + 1):
            holder[key]['k%d' % i] = make(more, dice, 9)


WAYS = {
    'odd': (lambda s, v: True, put(lambda s, v, d: d.choice(ODD))),
    'null': (lambda s, v: True, put(lambda s, v, d: None)),
    'empty': (lambda s, v: isinstance(v, (dict, list, str)),
              put(lambda s, v, d: type(v)())),
    'required': (lambda s, v: is_object(s, v) and bool(s.get('required')),
                 remove_required),
    'unknown': (is_object, add_unknown),
    'enum': (has('enum'), put(lambda s, v, d: d.choice(('Bogus', '', 7)))),
    'minimum': (has('minimum', 'exclusiveMinimum'),
                put(lambda s, v, d: s.get('minimum', 0) - 1)),
    'maximum': (has('maximum', 'exclusiveMaximum'),
                put(lambda s, v, d: s.get('maximum', 0) + 1)),
    'short': (has('minLength'), put(lambda s, v, d: 'a' * max(
        0, s['minLength'] - 1))),
    'long': (lambda s, v: s.get('maxLength', 9999) < 5000, put(lambda s, v, d: d.choice('aé-') * (
        s['maxLength'] + 1))),
    'pattern': (has('pattern'), put(lambda s, v, d: d.choice(
        ('%%%', ' ', '\n', 'ü', '-', 'a b', 'A' * 300)))),
    'format': (has('format'), put(lambda s, v, d: d.choice(
        (2 ** 31, 2 ** 63, -2 ** 40, 1.5) if s.get('type') == 'integer'
        else WRONG_FORMATS))),
    'type': (has('type'), put(lambda s, v, d: d.choice(
        [o for o in ODD if type(o) is not type(v)]))),
    'repeat': (lambda s, v: isinstance(v, list) and bool(v), repeat_item),
    'twin': (lambda s, v: isinstance(v, list) and bool(v)
             and s.get('x-kubernetes-list-type') == 'map', change_repeated),
    'many': (lambda s, v: isinstance(v, list) and 'maxItems' in s, fill),
    'few': (lambda s, v: isinstance(v, list) and 'minItems' in s,
            put(lambda s, v, d: v[:max(0, s['minItems'] - 1)])),
    'many-properties': (lambda s, v: is_object(s, v)
                        and 'maxProperties' in s, fill_object),
    'int-or-string': (has('x-kubernetes-int-or-string'), put(
        lambda s, v, d: d.choice((1.5, True, '', '1 Gi', [], 2 ** 40)))),
    'float': (lambda s, v: s.get('type') == 'integer',
              put(lambda s, v, d: d.choice((123457.0, 1.5, 2.5)))),
}


def drop_rules(schema):
    """Removes x-kubernetes-validations, which is judged elsewhere."""
    if isinstance(schema, dict):
        schema.pop('x-kubernetes-validations', None)
        for value in schema.values():
            drop_rules(value)
    elif isinstance(schema, list):
        for value in schema:
            drop_rules(value)


KEYWORDS = ('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
            'minLength', 'maxLength', 'pattern', 'enum', 'minItems',
            'maxItems', 'uniqueItems', 'multipleOf', 'minProperties',
            'maxProperties', 'required', 'oneOf', 'anyOf', 'allOf', 'not',
            'format')


def loosen(schema):
    """The schema without rules for values: types and defaults stay."""
    out = {k: v for k, v in schema.items() if k not in KEYWORDS}
    keys = schema.get('x-kubernetes-list-map-keys', ())
    if 'properties' in out:
        out['properties'] = {k: loosen(v)
                             for k, v in out['properties'].items()}
    for name in ('items', 'additionalProperties'):
        if isinstance(out.get(name), dict):
            out[name] = loosen(out[name])
    if keys:                            # Keys must be required or defaulted.
        required = [k for k in schema['items'].get('required', ())
                    if k in keys]
        if required:
            out['items']['required'] = required
    return out
