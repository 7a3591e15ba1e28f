/* What a DELETE does to an object.  See delete.h for the contract. */

#include "apiserver/verbs/delete.h"

#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

#define ORPHAN "orphan"
#define FOREGROUND "foregroundDeletion"

/* What becomes of the object's grace period. */
enum grace {
    GRACE_NONE,                 /* There is none. */
    GRACE_SET,                  /* The object has got one. */
    GRACE_PENDING,              /* It has one already: nothing changes. */
};

static int check_preconditions(struct yl_deletion *, struct yl_status *);
static enum grace set_grace(struct yl_deletion *, struct yl_node *object,
                            int64_t *ret_period);
static enum grace shorten_grace(struct yl_deletion *,
                                struct yl_node *metadata,
                                int64_t *ret_period);
static void mark(struct yl_write *, struct yl_node *metadata);
static void count_generation(struct yl_arena *, struct yl_node *metadata);
static bool is_marked(const struct yl_deletion *);
static int remove_marked(struct yl_deletion *);
static int remove_now(struct yl_deletion *);
static int leave(struct yl_deletion *, bool as_deleted);
static bool wants_orphan(const struct yl_deletion *, bool has_orphan,
                         bool has_foreground);
static bool wants_foreground(const struct yl_deletion *, bool has_orphan,
                             bool has_foreground);
static bool keeps_dependents(const struct yl_deletion *);
static struct yl_time time_of(struct yl_write *, const struct yl_node *);
static void set_time(struct yl_arena *, struct yl_node *metadata,
                     struct yl_time);

/* Reads the stored object and checks that it is the one that is meant. */
int
yl_deletion_decode(struct yl_write *w, struct yl_status *status)
{
    struct yl_deletion *deletion = YL_CONTAINER_OF(w, struct yl_deletion,
                                                   write);
    int r = 0;

    if (is_marked(deletion)) {
        return remove_marked(deletion);
    }
    deletion->deleted = false;
    if (!w->base) {
        return yl_write_not_found(w, status);
    }
    if (w->resource->strategy->check_deletion) {
        r = w->resource->strategy->check_deletion(deletion, status);
    }
    if (r == 0) {
        r = check_preconditions(deletion, status);
    }
    if (r < 0) {
        return r;
    }
    w->old = yl_write_base_tree(w, status);
    return w->old ? 0 : YL_EINTERNAL;
}

int
yl_deletion_propose(struct yl_write *w, struct yl_status *status)
{
    struct yl_deletion *deletion = YL_CONTAINER_OF(w, struct yl_deletion,
                                                   write);
    struct yl_node *object = w->old;
    int64_t period = 0;
    enum grace grace;
    bool done = false;
    size_t n;
    int r;

    if (w->resource->strategy->mark) {
        r = w->resource->strategy->mark(deletion, object, &done, status);
        if (r < 0 || done) {
            return r;
        }
    }
    grace = set_grace(deletion, object, &period);
    if (grace == GRACE_PENDING) {
        return leave(deletion, true);
    }
    n = yl_deletion_set_finalizers(deletion, object);
    if (grace == GRACE_NONE) {
        if (!n) {
            return remove_now(deletion);
        }
        mark(w, yl_member_make(w->arena, object, "metadata"));
    }
    if (!n && period == 0) {
        /* This round marks it, the next one removes it. */
        deletion->marked_by = w->rounds + 1;
        deletion->deleted = true;
        w->again = true;
    }
    w->action = YL_WRITE_STORE;
    return yl_write_propose(w, object, status);
}

size_t
yl_deletion_set_finalizers(struct yl_deletion *deletion,
                           struct yl_node *object)
{
    struct yl_arena *arena = deletion->write.arena;
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *list = yl_member_array(metadata, "finalizers");
    struct yl_node *node, *next;
    bool orphan = false, foreground = false, want_orphan, want_foreground;

    if (list) {
        YL_NODE_FOR_EACH (node, list) {
            orphan |= yl_node_string_is(node, YL_STR(ORPHAN));
            foreground |= yl_node_string_is(node, YL_STR(FOREGROUND));
        }
    }
    want_orphan = wants_orphan(deletion, orphan, foreground);
    want_foreground = wants_foreground(deletion, orphan, foreground);
    if (orphan == want_orphan && foreground == want_foreground) {
        return list ? list->n : 0;
    }
    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, metadata, "finalizers", list);
    }
    YL_NODE_FOR_EACH_SAFE (node, next, list) {
        if (yl_node_string_is(node, YL_STR(ORPHAN))
            || yl_node_string_is(node, YL_STR(FOREGROUND))) {
            yl_node_detach(node);
        }
    }
    if (want_orphan) {
        yl_node_append(list, yl_node_new_string(arena, YL_STR(ORPHAN)));
    }
    if (want_foreground) {
        yl_node_append(list, yl_node_new_string(arena, YL_STR(FOREGROUND)));
    }
    return list->n;
}

static int
check_preconditions(struct yl_deletion *deletion, struct yl_status *status)
{
    struct yl_write *w = &deletion->write;
    const struct yl_deletion_options *options = &deletion->options;
    struct yl_gvr gvr = { w->resource->group, yl_str_null(),
                          w->resource->kind };
    struct yl_str uid = yl_object_uid(w->base);
    const char *why = NULL;

    if (!yl_str_is_null(options->uid) && !yl_str_equal(options->uid, uid)) {
        why = yl_arena_printf(
            w->arena, "the UID in the precondition (%.*s) does not match the "
            "UID in record (%.*s). The object might have been deleted and "
            "then recreated", YL_STR_ARG(options->uid), YL_STR_ARG(uid));
    } else if (!yl_str_is_null(options->resource_version)) {
        const char *have = yl_arena_printf(
            w->arena, "%llu", (unsigned long long) w->base_revision);

        if (!yl_str_equal_c(options->resource_version, have)) {
            why = yl_arena_printf(
                w->arena, "the ResourceVersion in the precondition (%.*s) "
                "does not match the ResourceVersion in record (%s). The "
                "object might have been modified",
                YL_STR_ARG(options->resource_version), have);
        }
    }
    return why ? yl_status_conflict(status, gvr, w->key.name, yl_str_c(why))
               : 0;
}

/* Gives the object a grace period, if its kind has them. */
static enum grace
set_grace(struct yl_deletion *deletion, struct yl_node *object,
          int64_t *ret_period)
{
    struct yl_write *w = &deletion->write;
    const struct yl_strategy *strategy = w->resource->strategy;
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");

    if (!strategy->grace) {
        return GRACE_NONE;
    }
    if (!yl_member_is_absent(metadata, "deletionTimestamp")) {
        return shorten_grace(deletion, metadata, ret_period);
    }
    *ret_period = strategy->grace(object, &deletion->options);
    set_time(w->arena, metadata,
             yl_time_add(yl_time_now(), *ret_period * 1000000000));
    yl_member_set(w->arena, metadata, "deletionGracePeriodSeconds",
                  yl_node_new_int64(w->arena, *ret_period));
    count_generation(w->arena, metadata);
    return GRACE_SET;
}

/* Shortens a grace period that runs; it cannot become longer. */
static enum grace
shorten_grace(struct yl_deletion *deletion, struct yl_node *metadata,
              int64_t *ret_period)
{
    struct yl_write *w = &deletion->write;
    struct yl_at at = yl_at_root(metadata);
    int64_t have = yl_at_get_int(&at, "deletionGracePeriodSeconds");
    int64_t want = deletion->options.grace_period;
    struct yl_time now = yl_time_now(), end;

    if (have == 0) {
        return GRACE_NONE;      /* It is over: only finalizers hold the object
                                 * back. */
    }
    have = have < 0 ? 1 : have;
    want = want < 0 ? 1 : want;
    if (!deletion->options.has_grace_period || want >= have) {
        return GRACE_PENDING;
    }
    end = yl_time_add(time_of(w, yl_node_get(metadata,
                                             YL_STR("deletionTimestamp"))),
                      (want - have) * 1000000000);
    if (yl_time_compare(end, now) < 0) {
        end = now;
        want = want ? 1 : 0;
    }
    *ret_period = want;
    set_time(w->arena, metadata, end);
    yl_member_set(w->arena, metadata, "deletionGracePeriodSeconds",
                  yl_node_new_int64(w->arena, want));
    return GRACE_SET;
}

/* Marks an object that only finalizers hold back. */
static void
mark(struct yl_write *w, struct yl_node *metadata)
{
    struct yl_time now = yl_time_now();
    const struct yl_node *have = yl_node_get(metadata,
                                             YL_STR("deletionTimestamp"));

    if (yl_node_type(have) <= YL_JSON_NULL) {
        count_generation(w->arena, metadata);
        set_time(w->arena, metadata, now);
    } else if (yl_time_compare(time_of(w, have), now) > 0) {
        set_time(w->arena, metadata, now);
    }
    yl_member_set(w->arena, metadata, "deletionGracePeriodSeconds",
                  yl_node_new_int64(w->arena, 0));
}

static void
count_generation(struct yl_arena *arena, struct yl_node *metadata)
{
    struct yl_at at = yl_at_root(metadata);
    int64_t generation = yl_at_get_int(&at, "generation");

    if (generation > 0) {
        yl_member_set(arena, metadata, "generation",
                      yl_node_new_int64(arena, generation + 1));
    }
}

/* Is our mark stored?  The write of it may have lost to another one. */
static bool
is_marked(const struct yl_deletion *deletion)
{
    return deletion->marked_by
           && deletion->write.rounds >= deletion->marked_by;
}

/* Removes the object that was marked, unless another object has its name by
 * now. */
static int
remove_marked(struct yl_deletion *deletion)
{
    struct yl_write *w = &deletion->write;

    w->proposed = true;
    if (w->base && yl_str_equal(yl_object_uid(w->base),
                                yl_object_uid(w->stored))) {
        return remove_now(deletion);
    }
    yl_object_unref(w->base);
    w->base = yl_object_ref(w->stored);
    w->base_revision = w->stored_revision;
    w->action = YL_WRITE_NOTHING;
    w->object = yl_object_ref(w->stored);
    return 0;
}

static int
remove_now(struct yl_deletion *deletion)
{
    struct yl_write *w = &deletion->write;

    deletion->deleted = true;
    w->action = YL_WRITE_DELETE;
    w->object = yl_object_ref(w->base);
    return 0;
}

static int
leave(struct yl_deletion *deletion, bool as_deleted)
{
    struct yl_write *w = &deletion->write;

    deletion->deleted = as_deleted
                        && !yl_deletion_shows_object(w->resource);
    w->action = YL_WRITE_NOTHING;
    w->object = yl_object_ref(w->base);
    return 0;
}

/* Are dependents to be orphaned?  The requested policy decides, else the
 * finalizer that the object has, else the default of its kind. */
static bool
wants_orphan(const struct yl_deletion *deletion, bool has_orphan,
             bool has_foreground)
{
    const struct yl_deletion_options *options = &deletion->options;
    const struct yl_strategy *strategy = deletion->write.resource->strategy;

    if (keeps_dependents(deletion)) {
        return false;
    }
    if (options->has_orphan) {
        return options->orphan;
    }
    if (!yl_str_is_null(options->propagation)) {
        return yl_str_equal(options->propagation, YL_STR("Orphan"));
    }
    return has_orphan
           || (!has_foreground && strategy->flags & YL_STRATEGY_ORPHANS);
}

static bool
wants_foreground(const struct yl_deletion *deletion, bool has_orphan,
                 bool has_foreground)
{
    const struct yl_deletion_options *options = &deletion->options;

    if (keeps_dependents(deletion) || options->has_orphan) {
        return false;
    }
    if (!yl_str_is_null(options->propagation)) {
        return yl_str_equal(options->propagation, YL_STR("Foreground"));
    }
    return has_foreground && !has_orphan;
}

static bool
keeps_dependents(const struct yl_deletion *deletion)
{
    return deletion->write.resource->strategy->flags
           & YL_STRATEGY_NO_DEPENDENTS;
}

static struct yl_time
time_of(struct yl_write *w, const struct yl_node *node)
{
    struct yl_str text = YL_STR_INIT("");
    struct yl_time time = yl_time_zero();

    (void) yl_node_string(node, w->arena, &text);
    (void) yl_time_parse(text, &time, NULL);
    return time;
}

static void
set_time(struct yl_arena *arena, struct yl_node *metadata,
         struct yl_time time)
{
    char text[YL_TIME_TEXT_SIZE];

    yl_time_write(time, text);
    yl_member_set_str(arena, metadata, "deletionTimestamp", text);
}
