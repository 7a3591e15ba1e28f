"""Models with a planted fault each.

A server that is right must differ from every one of them, or the judge would
not see a server that has that fault.
"""

import model
from model import MISSING, Model


def around(name, replacement):
    """A Model that works with another version of a function of model.py.
    Threads share the module, so a run plants one fault only."""
    class Wrong(Model):
        def __init__(self, kind):
            super().__init__(kind)
            setattr(model, name, replacement)
    return Wrong


def merge_of_sets_replaces(shape, live, config, merge=model.merge):
    if getattr(shape, 'kind', '') == 'set' and config is not MISSING:
        return config
    return merge(shape, live, config)


def merge_appends(live, config):
    return live + [e for e in config if e not in live]


def merge_of_atomic_maps_is_deep(shape, live, config, merge=model.merge):
    if shape.atomic and isinstance(live, dict) and isinstance(config, dict):
        return {**live, **config}
    return merge(shape, live, config)


def fields_without_keys(shape, value, path=(), fields=model.fields):
    return {p for p in fields(shape, value, path) if p[-1][:2] != 'k:'}


def no_parents(shape, owned):
    return set(owned)


class PruneTakesAll(Model):
    """Removes what the applier gave up even if somebody else owns it."""

    @staticmethod
    def add_back(merged, pruned, shape, owned):
        return pruned


class PruneNothing(Model):
    def prune(self, merged, managers, last):
        return merged


class UpdatersShare(Model):
    """An update leaves what it changed with its former owners."""

    def disown(self, old, new, managers, me, force):
        before = {k: set(e.owned) for k, e in managers.items()}
        found = super().disown(old, new, managers, me, force)
        if me is None:
            for key, owned in before.items():
                if key in managers:
                    managers[key].owned = owned
        return found


class ForceShares(Model):
    def disown(self, old, new, managers, me, force):
        before = {k: set(e.owned) for k, e in managers.items()}
        found = super().disown(old, new, managers, me, force)
        if me is not None and force:
            for key, owned in before.items():
                if key in managers:
                    managers[key].owned = owned
        return found


class AllIsForced(Model):
    def disown(self, old, new, managers, me, force):
        return super().disown(old, new, managers, me, True)


class StatusIsOwned(Model):
    """A write to the object owns the status that it cannot write."""

    def ignored(self, op):
        return set()


class NoTimes(Model):
    def finish(self, old, new, managers):
        for entry in managers.values():
            entry.times = frozenset({0})
        return super().finish(old, new, managers)


ALL = {
    'merge-of-sets-replaces': around('merge', merge_of_sets_replaces),
    'merge-appends': around('order', merge_appends),
    'merge-of-atomic-maps-is-deep': around('merge',
                                           merge_of_atomic_maps_is_deep),
    'fields-without-keys': around('fields', fields_without_keys),
    'no-parents': around('with_parents', no_parents),
    'prune-takes-all': PruneTakesAll,
    'prune-nothing': PruneNothing,
    'updaters-share': UpdatersShare,
    'force-shares': ForceShares,
    'all-is-forced': AllIsForced,
    'status-is-owned': StatusIsOwned,
    'no-times': NoTimes,
}

if __name__ == '__main__':
    print('\n'.join(sorted(ALL)))
