"""Shapes of values: what a kind looks like, for three readers.

A shape makes random values (make, change), it describes itself as the schema
of a CustomResourceDefinition (schema), and the model (model.py) walks objects
by it.  Values come from small pools, so that managers meet at the same fields
with equal and with different values.
"""

import json


class Shape:
    atomic = False          # Somebody owns all of it or nothing.
    default = None
    extra = {}              # More members of the schema.
    schema_of_scale = None

    def schema(self):
        s = dict(self.describe())
        if self.default is not None:
            s['default'] = self.default
        s.update(self.extra)
        return s

    def but(self, **members):
        """The same, with some members changed."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(members)
        return copy


class Scalar(Shape):
    def __init__(self, *values, default=None, extra=None):
        self.values = values
        self.default = default
        self.extra = extra or {}

    def describe(self):
        names = {str: 'string', int: 'integer', bool: 'boolean'}
        return {'type': names[type(self.values[0])]}

    def make(self, dice):
        return dice.choice(self.values)

    def change(self, dice, value):
        return self.make(dice)


class IntOrString(Scalar):
    def describe(self):
        return {'x-kubernetes-int-or-string': True}


class Struct(Shape):
    def __init__(self, fields, atomic=False, required=(), extra=None,
                 likely=0.4, least=0):
        self.fields = fields
        self.atomic = atomic
        self.required = required
        self.likely = likely            # How often a field is there.
        self.least = least
        self.extra = extra or {}

    def describe(self):
        s = {'type': 'object',
             'properties': {k: v.schema() for k, v in self.fields.items()}}
        if self.required:
            s['required'] = list(self.required)
        if self.atomic:
            s['x-kubernetes-map-type'] = 'atomic'
        return s

    def make(self, dice):
        if not self.required and not self.least and dice.random() < 0.05:
            return {}
        out = {k: f.make(dice) for k, f in self.fields.items()
               if k in self.required or dice.random() < self.likely}
        if len(out) < self.least:
            key = dice.choice(list(self.fields))
            out[key] = self.fields[key].make(dice)
        return out

    def change(self, dice, value):
        if not isinstance(value, dict) or not self.fields:
            return self.make(dice)
        value = dict(value)
        for _ in range(dice.choice((1, 1, 2))):
            key = dice.choice(list(self.fields))
            shape = self.fields[key]
            if key not in value:
                value[key] = shape.make(dice)
            elif key not in self.required and dice.random() < 0.3:
                del value[key]
            elif key not in getattr(self, 'keys', ()):
                value[key] = shape.change(dice, value[key])
        return value


class Map(Shape):
    def __init__(self, item, keys, atomic=False, least=0):
        self.item = item
        self.keys = keys
        self.atomic = atomic
        self.least = least

    def describe(self):
        s = {'type': 'object', 'additionalProperties': self.item.schema()}
        if self.atomic:
            s['x-kubernetes-map-type'] = 'atomic'
        return s

    def make(self, dice):
        n = max(self.least, dice.choice((0, 1, 1, 2, 2, 3)))
        keys = dice.sample(self.keys, min(n, len(self.keys)))
        return {k: self.item.make(dice) for k in keys}

    def change(self, dice, value):
        value = dict(value) if isinstance(value, dict) else {}
        key = dice.choice(self.keys)
        if key in value and len(value) > self.least and dice.random() < 0.4:
            del value[key]
        elif key in value:
            value[key] = self.item.change(dice, value[key])
        else:
            value[key] = self.item.make(dice)
        return value


class List(Shape):
    """'kind' is atomic, set, or map; the items of a map have 'keys'."""

    def __init__(self, item, kind='atomic', keys=(), least=0, repeat=True,
                 extra=None):
        self.item = item
        self.kind = kind
        self.keys = keys
        self.atomic = kind == 'atomic'
        self.least = least
        self.repeat = repeat            # An atomic list may have twins.
        self.extra = extra or {}

    def describe(self):
        s = {'type': 'array', 'items': self.item.schema()}
        if self.kind != 'atomic':
            s['x-kubernetes-list-type'] = self.kind
        if self.keys:
            s['x-kubernetes-list-map-keys'] = list(self.keys)
        return s

    def name(self, value):
        """What tells the item from others of its list."""
        if self.kind != 'map':
            return json.dumps(value, sort_keys=True)
        return json.dumps([value.get(k, self.item.fields[k].default)
                           for k in self.keys])

    def make(self, dice):
        n = max(self.least, dice.choice((0, 1, 1, 2, 2, 3)))
        return self.unique([self.item.make(dice) for _ in range(n)])

    def change(self, dice, value):
        value = list(value) if isinstance(value, list) else []
        what = dice.random()
        if value and what < 0.3 and len(value) > self.least:
            del value[dice.randrange(len(value))]
        elif value and what < 0.6 and self.kind == 'map':
            i = dice.randrange(len(value))
            kept = {k: value[i][k] for k in self.keys if k in value[i]}
            value[i] = {**self.item.change(dice, value[i]), **kept}
        elif what < 0.7:
            dice.shuffle(value)
        else:
            value.insert(dice.randrange(len(value) + 1),
                         self.item.make(dice))
        return self.unique(value)

    def unique(self, values):
        if self.kind == 'atomic' and self.repeat:
            return values
        seen, out = set(), []
        for v in values:
            if self.name(v) not in seen:
                seen.add(self.name(v))
                out.append(v)
        return out


class Free(Shape):
    """Anything: the schema says x-kubernetes-preserve-unknown-fields."""

    def __init__(self, *values):
        self.values = values

    def describe(self):
        return {'type': 'object',
                'x-kubernetes-preserve-unknown-fields': True}

    def make(self, dice):
        return json.loads(json.dumps(dice.choice(self.values)))

    def change(self, dice, value):
        return self.make(dice)


class Fixed(Shape):
    """Always the same: what a kind cannot be without."""

    def __init__(self, value):
        self.value = value

    def make(self, dice):
        return json.loads(json.dumps(self.value))

    def change(self, dice, value):
        return value
