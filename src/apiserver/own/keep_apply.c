/* Server-side apply.  See own.h for the contract.
 *
 *     entries, live, configuration -> [updater] -> merged object, entries
 *                                         '-----> conflicts
 *
 * The checks, their order and their messages are upstream's. */

#include "apiserver/own/keep.h"
#include "apiserver/request.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/write.h"
#include "json/member.h"
#include "schema/prune.h"
#include "schema/restore.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

/* The manager that takes over what kubectl has applied on its own side, and
 * keeps the annotation of that up to date. */
#define KUBECTL "kubectl"

static int check_kind(struct yl_keeper *, struct yl_status *);
static struct yl_str text_of(struct yl_keeper *, const struct yl_node *,
                             const char *member);
static int read_live(struct yl_keeper *, const struct yl_node **ret_live,
                     struct yl_status *);
static int own_existing(struct yl_keeper *, const struct yl_node *live,
                        struct yl_status *);
static int check_applied(struct yl_keeper *, struct yl_status *);
static int merge(struct yl_keeper *, const struct yl_node *live,
                 struct yl_str key, const struct yl_node **ret_object,
                 struct yl_status *);
static void note(struct yl_keeper *, struct yl_entry *, struct yl_str key,
                 bool changed);
static int set_object(struct yl_keeper *, struct yl_node *merged,
                      struct yl_status *);
static int decode(struct yl_keeper *, struct yl_node *, struct yl_error *);
static int decode_metadata(struct yl_keeper *, struct yl_node *,
                           struct yl_error *);
static const char *gvk_text(struct yl_keeper *);
static int failed(struct yl_keeper *, const char *what,
                  const struct yl_node *object, struct yl_error *,
                  struct yl_status *);

int
yl_keeper_apply(struct yl_keeper *k, struct yl_status *status)
{
    struct yl_ownership *o = k->o;
    struct yl_entry *entry = yl_entry_new(k->arena, o->manager, o->part);
    struct yl_str key = yl_entry_key(k->arena, entry, true, k->version);
    const struct yl_node *live = NULL, *merged = NULL;
    struct yl_managers parent;
    int r = check_kind(k, status);

    r = r == 0 ? read_live(k, &live, status) : r;
    parent = k->managers;
    if (r == 0 && o->subresource == YL_SUB_SCALE) {
        yl_keeper_to_scale(k);
    }
    if (r == 0 && live && !k->managers.n) {
        r = own_existing(k, live, status);
    }
    r = r == 0 ? check_applied(k, status) : r;
    r = r == 0 ? merge(k, live, key, &merged, status) : r;
    if (r < 0) {
        return r;
    }
    o->unchanged = live && (merged == live || yl_node_equal(merged, live));
    note(k, entry, key, !o->unchanged);

    /* What is not the live object itself is new, or what was applied. */
    r = set_object(k, (struct yl_node *) (uintptr_t) merged, status);
    if (r == 0) {
        if (o->subresource == YL_SUB_SCALE) {
            yl_keeper_from_scale(k, &parent);
        }
        yl_entries_set(k->arena, o->object, &k->managers);
    }
    return r;
}

static int
check_kind(struct yl_keeper *k, struct yl_status *status)
{
    struct yl_str version = text_of(k, k->o->applied, "apiVersion");
    struct yl_str kind = text_of(k, k->o->applied, "kind");
    struct yl_str group = yl_str_null(), name = version, rest;

    if (yl_str_equal(version, k->version) && yl_str_equal(kind, k->kind)) {
        return 0;
    }
    yl_str_cut(version, '/', &group, &name);
    if (yl_str_cut(name, '/', &rest, &rest)) {
        group = name = kind = yl_str_null();    /* It cannot be read. */
    }
    return yl_status_bad_request(status, yl_str_c(yl_arena_printf(
        k->arena, "invalid object type: %.*s/%.*s, Kind=%.*s",
        YL_STR_ARG(group), YL_STR_ARG(name), YL_STR_ARG(kind))));
}

static struct yl_str
text_of(struct yl_keeper *k, const struct yl_node *object, const char *member)
{
    struct yl_str text = YL_STR_INIT("");

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        (void) yl_node_string(yl_node_get(object, yl_str_c(member)),
                              k->arena, &text);
    }
    return text;
}

/* Reads what is stored: the object in the request's version, or the Scale; and
 * its managers. */
static int
read_live(struct yl_keeper *k, const struct yl_node **ret_live,
          struct yl_status *status)
{
    const struct yl_ownership *o = k->o;
    const struct yl_node *metadata = yl_member_object(o->live, "metadata");
    struct yl_error err = YL_ERROR_INIT;

    if (!o->live) {
        return 0;
    }
    if (yl_entries_read(k->arena, yl_member_array(metadata, "managedFields"),
                        &k->managers, &err) < 0) {
        return failed(k, "failed to decode managed fields", o->live, &err,
                      status);
    }
    if (o->subresource == YL_SUB_SCALE) {
        *ret_live = o->live_scale;
        return 0;
    }
    return yl_keeper_to_version(k, o->live, ret_live, &err) < 0
           ? failed(k, "failed to convert live object (%s) to proper version",
                    o->live, &err, status) : 0;
}

/* Gives the fields of an object that nobody owns to a manager of their own. */
static int
own_existing(struct yl_keeper *k, const struct yl_node *live,
             struct yl_status *status)
{
    const char *what = "failed to create manager for existing fields";
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_keeper_update(k, NULL, live, YL_STR("before-first-apply"),
                             &err);

    if (r == 0) {
        return 0;
    }
    if (r == YL_EINVALID) {
        struct yl_error why = YL_ERROR_INIT;

        /* That may be an item without a key; this names it. */
        if (yl_typed_validate(k->arena, k->as, live, true, &why) < 0) {
            yl_error_clear(&err);
            err = why;
            what = "failed to create manager for existing fields: failed to "
                   "convert new object (%s) to smd typed";
        }
    }
    return failed(k, what, k->o->live, &err, status);
}

static int
check_applied(struct yl_keeper *k, struct yl_status *status)
{
    const struct yl_node *applied = k->o->applied;
    struct yl_error err = YL_ERROR_INIT;

    if (yl_member_array(yl_member_object(applied, "metadata"),
                        "managedFields")) {
        return yl_status_bad_request(
            status, YL_STR("metadata.managedFields must be nil"));
    }
    return yl_typed_validate(k->arena, k->as, applied, false, &err) < 0
           ? failed(k, "failed to create typed patch object (%s)", applied,
                    &err, status) : 0;
}

static int
merge(struct yl_keeper *k, const struct yl_node *live, struct yl_str key,
      const struct yl_node **ret_object, struct yl_status *status)
{
    const struct yl_ownership *o = k->o;
    struct yl_typed_object before = { live, k->as, k->version };
    struct yl_typed_object applied = { o->applied, k->as, k->version };
    struct yl_conflicts conflicts = { NULL, 0 };
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_updater_apply(&k->updater, k->arena, &before, &applied,
                             &k->managers, key, o->force, ret_object,
                             &conflicts, &err);

    if (r == YL_ECONFLICT && yl_str_equal(o->manager, YL_STR(KUBECTL))
        && yl_keeper_allow_last_applied(k, live, &conflicts)) {
        yl_error_clear(&err);
        r = yl_updater_apply(&k->updater, k->arena, &before, &applied,
                             &k->managers, key, true, ret_object, &conflicts,
                             &err);
    }
    if (r == YL_ECONFLICT) {
        r = yl_keeper_conflict(k, &conflicts, status);
    } else if (r < 0) {
        yl_write_odd_error(status, yl_error_message(&err));
    }
    yl_error_clear(&err);
    return r;
}

/* Completes the entry of the manager. */
static void
note(struct yl_keeper *k, struct yl_entry *entry, struct yl_str key,
     bool changed)
{
    struct yl_manager *self = yl_managers_find(&k->managers, key);

    if (!self || !yl_keeper_strip(k, self)) {
        return;
    }
    if (self->aux) {
        *entry = *yl_entry_of(self);
    }
    if (changed) {
        entry->timed = true;
        entry->time = k->o->now;
    }
    self->aux = entry;
}

/* Makes 'merged' the object to be stored. */
static int
set_object(struct yl_keeper *k, struct yl_node *merged,
           struct yl_status *status)
{
    struct yl_ownership *o = k->o;
    bool scale = o->subresource == YL_SUB_SCALE;
    struct yl_str text = yl_str_null();
    struct yl_error err = YL_ERROR_INIT;

    if (o->unchanged) {
        merged = yl_node_copy(k->arena, scale ? o->live_scale : o->live);
    }
    if (yl_str_equal(o->manager, YL_STR(KUBECTL))
        && yl_keeper_has_last_applied(k, merged)) {
        text = yl_keeper_last_applied(k);
    }
    if (!o->unchanged && decode(k, merged, &err) < 0) {
        return failed(k, "failed to convert new object (%s) to proper version",
                      o->applied, &err, status);
    }
    if (text.size) {
        yl_keeper_set_last_applied(k, merged, text);
    }
    *(scale ? &o->scale : &o->object) = merged;
    return 0;
}

/* Gives the values of built-in kinds the types that they have in Go. */
static int
decode(struct yl_keeper *k, struct yl_node *object, struct yl_error *err)
{
    const struct yl_ownership *o = k->o;
    const struct yl_kind *kind = o->subresource == YL_SUB_SCALE
                                 ? &autoscaling_v1_scale_kind
                                 : o->version->kind;
    int r;

    if (k->as.custom) {
        if (!(kind->flags & YL_KIND_PRESERVE)) {
            yl_prune(k->as.type, object, NULL);
        }
        return decode_metadata(k, object, err);
    }
    r = yl_restore(k->arena, k->as.type, object, err);
    if (r == 0 && o->request) {
        r = yl_body_decode(o->request, k->arena, kind, object, NULL, err);
    }
    if (r < 0) {
        yl_error_prefix(err, "unable to convert unstructured object to %s",
                        gvk_text(k));
    }
    return r;
}

/* The same for custom kinds, of which Go knows only metadata. */
static int
decode_metadata(struct yl_keeper *k, struct yl_node *object,
                struct yl_error *err)
{
    const struct yl_ownership *o = k->o;
    struct yl_node *metadata = yl_member_object(object, "metadata");
    struct yl_node *alone;
    int r;

    if (!metadata) {
        return 0;
    }
    alone = yl_node_new_object(k->arena);
    yl_member_set(k->arena, alone, "metadata",
                  yl_node_copy(k->arena, metadata));
    r = yl_body_decode(o->request, k->arena, o->version->kind, alone, NULL,
                       err);
    if (r == 0) {
        yl_member_keep(k->arena, object, alone, "metadata");
    }
    return r;
}

/* "apps/v1, Kind=Deployment" */
static const char *
gvk_text(struct yl_keeper *k)
{
    struct yl_str group, version;
    bool core = !yl_str_cut(k->version, '/', &group, &version);

    return yl_arena_printf(k->arena, "%s%.*s, Kind=%.*s", core ? "/" : "",
                           YL_STR_ARG(k->version), YL_STR_ARG(k->kind));
}

/* An error of upstream's that has no reason.  "%s" in 'what' stands for the
 * object: "ns/name; apps/v1, Kind=Deployment". */
static int
failed(struct yl_keeper *k, const char *what, const struct yl_node *object,
       struct yl_error *err, struct yl_status *status)
{
    const struct yl_node *metadata = yl_member_object(object, "metadata");
    struct yl_str before = yl_str_c(what), after = yl_str_null();
    const char *name = "", *message;

    if (yl_str_cut(yl_str_c(what), '%', &before, &after)) {
        after = yl_str_skip(after, 1);  /* The s. */
        name = yl_arena_printf(
            k->arena, "%.*s/%.*s; %s",
            YL_STR_ARG(text_of(k, metadata, "namespace")),
            YL_STR_ARG(text_of(k, metadata, "name")), gvk_text(k));
    }
    message = yl_arena_printf(k->arena, "%.*s%s%.*s: %s", YL_STR_ARG(before),
                              name, YL_STR_ARG(after),
                              yl_error_message(err));
    yl_error_clear(err);
    return yl_write_odd_error(status, message);
}
