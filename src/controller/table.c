/* Controllers' tables: do they make sense?  See yuloh/controller.h. */

#include "controller/table.h"

#include <string.h>

#include "yuloh/arena.h"
#include "yuloh/names.h"
#include "yuloh/schema.h"
#include "yuloh/selector.h"

static int check_self(const struct yl_controller *, struct yl_error *);
static int check_watch(const struct yl_controller *, const struct yl_watch *,
                       struct yl_error *);
static int check_selectors(const struct yl_controller *,
                           const struct yl_watch *, struct yl_error *);
static int check_finalizer(const struct yl_controller *, struct yl_error *);
static bool same_watch(const struct yl_watch *, const struct yl_watch *);
static bool same_text(const char *, const char *);

int
yl_controller_check(const struct yl_controller *controller,
                    struct yl_error *err)
{
    const struct yl_watch *watch, *other;
    size_t n_for = 0;
    int r = check_self(controller, err);

    if (r < 0) {
        return r;
    }
    for (watch = controller->watches; yl_watch_kind(watch); watch++) {
        r = check_watch(controller, watch, err);
        if (r < 0) {
            return r;
        }
        n_for += watch->for_ != NULL;
        for (other = controller->watches; other < watch; other++) {
            if (same_watch(watch, other)) {
                return yl_error_set(err, YL_EINVALID,
                                    "controller %s watches %s twice",
                                    controller->name,
                                    yl_watch_kind(watch)->name);
            }
        }
    }
    if (n_for != 1) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s needs exactly one watch with "
                            "'for_', it has %zu", controller->name, n_for);
    }
    return check_finalizer(controller, err);
}

const struct yl_kind *
yl_controller_kind(const struct yl_controller *controller)
{
    const struct yl_watch *watch = controller->watches;

    for (; watch && yl_watch_kind(watch); watch++) {
        if (watch->for_) {
            return watch->for_;
        }
    }
    return NULL;
}

const struct yl_kind *
yl_watch_kind(const struct yl_watch *watch)
{
    return watch->for_ ? watch->for_
           : watch->owns ? watch->owns : watch->other;
}

struct yl_str
yl_controller_finalizer(const struct yl_controller *controller,
                        struct yl_arena *arena)
{
    const struct yl_kind *kind = yl_controller_kind(controller);

    if (!controller->cleanup) {
        return yl_str_null();
    } else if (controller->finalizer) {
        return yl_str_c(controller->finalizer);
    }
    return yl_str_c(yl_arena_printf(arena, "%s/%s", kind->set->group,
                                    controller->name));
}

static int
check_self(const struct yl_controller *controller, struct yl_error *err)
{
    const char *name = controller->name;

    if (!name || !name[0]) {
        return yl_error_set(err, YL_EINVALID, "a controller needs a name");
    } else if (yl_name_check(YL_NAME_DNS1123_LABEL, yl_str_c(name), NULL)
               < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the name must consist of lower "
                            "case letters, digits and '-'", name);
    } else if (!controller->reconcile) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s needs a 'reconcile'", name);
    } else if (!controller->watches || !yl_watch_kind(controller->watches)) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s watches nothing", name);
    } else if (controller->timeout < 0 || controller->retry_min < 0
               || controller->retry_max < 0
               || controller->own_write_timeout < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s has a time below 0", name);
    } else if (controller->workers > YL_CONTROLLER_MAX_WORKERS) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s has more than %d workers", name,
                            YL_CONTROLLER_MAX_WORKERS);
    } else if (controller->limiter
               && (controller->retry_min || controller->retry_max)) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s has both a 'limiter' and "
                            "'retry_min' or 'retry_max', which it replaces",
                            name);
    }
    return 0;
}

static int
check_watch(const struct yl_controller *controller,
            const struct yl_watch *watch, struct yl_error *err)
{
    const struct yl_kind *kind = yl_watch_kind(watch);
    const char *name = controller->name;

    if ((watch->for_ != NULL) + (watch->owns != NULL)
        + (watch->other != NULL) != 1) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: a watch has one of 'for_', "
                            "'owns' and 'other', the one of %s has more",
                            name, kind->name);
    } else if (watch->other && !watch->map) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s needs a 'map', "
                            "which says which %s an event is about", name,
                            kind->name,
                            yl_controller_kind(controller)
                                ? yl_controller_kind(controller)->name
                                : "object");
    } else if (!watch->other && watch->map) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s has a 'map', "
                            "which only 'other' has", name, kind->name);
    } else if (watch->any_owner && !watch->owns) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s has "
                            "'any_owner', which only 'owns' has", name,
                            kind->name);
    } else if (watch->changed & ~(unsigned) YL_CHANGED_ALL) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s has unknown "
                            "bits in 'changed'", name, kind->name);
    } else if (watch->resync < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s has a time "
                            "below 0", name, kind->name);
    } else if (watch->namespace_ && !(kind->flags & YL_KIND_NAMESPACED)) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the watch of %s has a "
                            "namespace, but %s are in none", name, kind->name,
                            kind->plural);
    }
    return check_selectors(controller, watch, err);
}

static int
check_selectors(const struct yl_controller *controller,
                const struct yl_watch *watch, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_selector *fields;
    const struct yl_selector *labels;
    int r = 0;

    if (watch->label_selector) {
        r = yl_selector_parse(yl_str_c(watch->label_selector), arena, &labels,
                              err);
    }
    if (r == 0 && watch->field_selector) {
        r = yl_field_selector_parse(yl_str_c(watch->field_selector), arena,
                                    &fields, err);
    }
    if (r < 0) {
        yl_error_prefix(err, "controller %s: the watch of %s",
                        controller->name, yl_watch_kind(watch)->name);
        r = YL_EINVALID;
    }
    yl_arena_free(arena);
    return r;
}

/* A finalizer must have a domain: API servers warn about others, and one
 * without it could be anybody's. */
static int
check_finalizer(const struct yl_controller *controller, struct yl_error *err)
{
    const struct yl_kind *kind = yl_controller_kind(controller);

    if (controller->finalizer && !controller->cleanup) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s has a finalizer, but no "
                            "'cleanup' that would take it away",
                            controller->name);
    } else if (controller->finalizer
               && (!strchr(controller->finalizer, '/')
                   || yl_name_check(YL_NAME_QUALIFIED,
                                    yl_str_c(controller->finalizer), NULL)
                      < 0)) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: the finalizer \"%s\" must look "
                            "like example.com/name", controller->name,
                            controller->finalizer);
    } else if (controller->cleanup && !controller->finalizer
               && !strchr(kind->set->group, '.')) {
        return yl_error_set(err, YL_EINVALID,
                            "controller %s: name a 'finalizer', such as "
                            "example.com/%s, because the group of %s is no "
                            "domain", controller->name, controller->name,
                            kind->name);
    }
    return 0;
}

/* Two watches of one kind differ if they watch other objects, or if their
 * events are about other keys. */
static bool
same_watch(const struct yl_watch *a, const struct yl_watch *b)
{
    return a->for_ == b->for_ && a->owns == b->owns && a->other == b->other
           && a->map == b->map && same_text(a->namespace_, b->namespace_)
           && same_text(a->label_selector, b->label_selector)
           && same_text(a->field_selector, b->field_selector);
}

static bool
same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}
