/* The keeper: who owns what after a write.  See own.h for the contract.
 *
 *     create   the object --------------------------------> one entry
 *     update   entries, live, object -> [updater] -> strip -> cap -> entries
 *     apply    see keep_apply.c
 *
 * An update is done by a manager with a name that no client can have; if it
 * owns something then, the object has changed, and its fields are added to
 * those of the real manager, with the time of now. */

#include "apiserver/own/keep.h"
#include "apiserver/request.h"
#include "apiserver/strategy/strategy.h"
#include "base/buf.h"
#include "json/member.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* No entry has such a key: keys are JSON. */
#define SELF "current-operation"

/* What upstream answers if a plugin has broken managedFields. */
#define BROKEN ".metadata.managedFields was in an invalid state after " \
               "admission; this could be caused by an outdated mutating " \
               "admission controller; please fix your requests: %s"

static int check_again(struct yl_ownership *);
static void update(struct yl_keeper *);
static void read_managers(struct yl_keeper *);
static bool is_reset(const struct yl_node *metadata);
static void create(struct yl_keeper *);
static bool is_typed(struct yl_keeper *, const struct yl_node *live,
                     const struct yl_node *now);
static void finish(struct yl_keeper *, const struct yl_managers *parent);

/* The fields that nobody owns, sorted. */
#define FIELD(NAME) { NAME, sizeof NAME - 1, YL_PATH_FIELD }
static struct yl_field_item unowned_metadata[] = {
    { .element = FIELD("clusterName"), .member = true },
    { .element = FIELD("creationTimestamp"), .member = true },
    { .element = FIELD("generation"), .member = true },
    { .element = FIELD("managedFields"), .member = true },
    { .element = FIELD("name"), .member = true },
    { .element = FIELD("namespace"), .member = true },
    { .element = FIELD("resourceVersion"), .member = true },
    { .element = FIELD("selfLink"), .member = true },
    { .element = FIELD("uid"), .member = true },
};
static const struct yl_field_set below_metadata = {
    unowned_metadata, YL_ARRAY_SIZE(unowned_metadata),
};
static struct yl_field_item unowned_root[] = {
    { .element = FIELD("apiVersion"), .member = true },
    { .element = FIELD("kind"), .member = true },
    { .element = FIELD("metadata"), .member = true,
      .below = &below_metadata },
};
static const struct yl_field_set unowned = {
    unowned_root, YL_ARRAY_SIZE(unowned_root),
};

int
yl_own_keep(struct yl_ownership *o, struct yl_status *status)
{
    struct yl_keeper k;

    if (o->again) {
        return check_again(o);
    }
    yl_keeper_init(&k, o);
    if (o->applied) {
        return yl_keeper_apply(&k, status);
    }
    update(&k);
    return 0;
}

void
yl_keeper_init(struct yl_keeper *k, struct yl_ownership *o)
{
    bool scale = o->subresource == YL_SUB_SCALE;
    const struct yl_kind *kind = scale ? &autoscaling_v1_scale_kind
                                       : o->version->kind;
    struct yl_gv gv = { yl_str_c(kind->set->group),
                        yl_str_c(kind->set->version) };

    *k = (struct yl_keeper) {
        .o = o,
        .arena = o->arena,
        .as = {
            .type = yl_kind_type(kind),
            .custom = o->resource->custom && !scale,
            .preserve = kind->flags & YL_KIND_PRESERVE,
        },
        .version = yl_gv_api_version(gv, o->arena),
        .kind = yl_str_c(kind->name),
        .updater = {
            .convert = yl_keeper_convert,
            .ignored = yl_keeper_ignored,
            .aux = k,
        },
    };
}

int
yl_keeper_update(struct yl_keeper *k, const struct yl_node *live,
                 const struct yl_node *now, struct yl_str manager,
                 struct yl_error *err)
{
    struct yl_typed_object before = { live, k->as, k->version };
    struct yl_typed_object after = { now, k->as, k->version };
    struct yl_entry *entry = yl_entry_new(k->arena, manager, k->o->part);
    struct yl_manager *self, *same, one;
    int r;

    if (!live) {
        before.object = yl_typed_zero(k->arena, k->as);
    }
    r = yl_updater_update(&k->updater, k->arena, &before, &after,
                          &k->managers, YL_STR(SELF), err);
    self = r == 0 ? yl_managers_find(&k->managers, YL_STR(SELF)) : NULL;
    if (!self || !yl_keeper_strip(k, self)) {
        if (r == 0) {
            yl_keeper_cap(k);
        }
        return r;
    }
    one = *self;
    yl_managers_remove(&k->managers, self);
    if (!entry->manager.size) {
        entry->manager = YL_STR("unknown");
    }
    entry->timed = true;
    entry->time = k->o->now;
    one.aux = entry;
    one.key = yl_entry_key(k->arena, entry, false, k->version);
    same = yl_managers_find(&k->managers, one.key);
    if (same) {
        one.set = yl_field_set_union(k->arena, one.set, same->set);
        *same = one;
    } else {
        yl_managers_add(k->arena, &k->managers, &one);
    }
    yl_keeper_cap(k);
    return 0;
}

bool
yl_keeper_strip(struct yl_keeper *k, struct yl_manager *manager)
{
    manager->set = yl_field_set_difference(k->arena, manager->set, &unowned);
    if (yl_field_set_is_empty(manager->set)) {
        yl_managers_remove(&k->managers, manager);
        return false;
    }
    return true;
}

/* Checks what plugins have made of managedFields; puts those from before back
 * if they are not valid. */
static int
check_again(struct yl_ownership *o)
{
    struct yl_node *metadata = yl_member_object(o->object, "metadata");
    struct yl_error err = YL_ERROR_INIT;
    struct yl_managers managers;

    if (yl_entries_read(o->arena, yl_member_array(metadata, "managedFields"),
                        &managers, &err) < 0) {
        yl_api_warn(o->request, BROKEN, yl_error_message(&err));
        if (o->kept->n) {
            yl_member_set(o->arena, metadata, "managedFields",
                          yl_node_copy(o->arena, o->kept));
        } else {
            yl_member_drop(metadata, "managedFields");
        }
    }
    yl_error_clear(&err);
    return 0;
}

static void
update(struct yl_keeper *k)
{
    struct yl_ownership *o = k->o;
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_node *live = NULL, *now = NULL;
    struct yl_managers parent = { NULL, 0 };
    int r = 0;

    read_managers(k);
    yl_member_drop(yl_member_object(o->object, "metadata"), "managedFields");
    if (!k->managers.n) {
        if (!o->live) {
            create(k);
        }
        return;
    }
    if (o->scale) {
        parent = k->managers;
        yl_keeper_to_scale(k);
        live = o->live_scale;
        now = o->scale;
    } else {
        r = o->live ? yl_keeper_to_version(k, o->live, &live, &err) : 0;
        r = r == 0 ? yl_keeper_to_version(k, o->object, &now, &err) : r;
    }
    if (r == 0 && !o->scale && !is_typed(k, live, now)) {
        return;
    }
    /* Who writes an object that nobody owns becomes no owner; a Scale is one
     * if nobody owns the replicas. */
    if (r == 0 && k->managers.n) {
        r = yl_keeper_update(k, live, now, o->manager, &err);
    }
    if (r == 0) {
        finish(k, &parent);
    }
    yl_error_clear(&err);
}

/* Has a custom resource values of the types that its schema says?  What this
 * write cannot set is not validated, and may have others; then nobody owns
 * anything, as upstream. */
static bool
is_typed(struct yl_keeper *k, const struct yl_node *live,
         const struct yl_node *now)
{
    struct yl_str part = k->o->part.size ? YL_STR("spec") : YL_STR("status");
    const struct yl_node *sent = yl_node_get(now, part);
    const struct yl_node *kept = live ? yl_node_get(live, part) : NULL;
    struct yl_error err = YL_ERROR_INIT;
    bool typed = true;

    if (k->as.custom && sent && !(kept && yl_node_equal(sent, kept))) {
        typed = yl_typed_validate(k->arena, k->as, now, true, &err) == 0;
        yl_error_clear(&err);
    }
    return typed;
}

static void
finish(struct yl_keeper *k, const struct yl_managers *parent)
{
    if (k->o->scale) {
        yl_keeper_from_scale(k, parent);
    }
    yl_entries_set(k->arena, k->o->object, &k->managers);
}

/* Reads the entries that the client has sent.  Clients that do not know
 * managedFields send none: then those that are stored count, as they do if
 * what was sent is not valid, and in writes of subresources. */
static void
read_managers(struct yl_keeper *k)
{
    const struct yl_ownership *o = k->o;
    const struct yl_node *sent = yl_member_object(o->object, "metadata");
    const struct yl_node *live = yl_member_object(o->live, "metadata");
    struct yl_managers managers = { NULL, 0 };
    int r = YL_EINVALID;

    if (!o->part.size) {
        if (is_reset(sent)) {
            return;
        }
        r = yl_entries_read(k->arena, yl_member_array(sent, "managedFields"),
                            &managers, NULL);
    }
    if (r < 0 || !managers.n) {
        r = yl_entries_read(k->arena, yl_member_array(live, "managedFields"),
                            &managers, NULL);
    }
    if (r == 0) {
        k->managers = managers;
    }
}

/* Does the client want the object to have no managedFields?  It sends [] or
 * [{}] then. */
static bool
is_reset(const struct yl_node *metadata)
{
    const struct yl_node *list = yl_member_array(metadata, "managedFields");

    if (!list) {
        return metadata
               && yl_node_emptied(metadata, YL_STR("managedFields"));
    }
    return !list->n || (list->n == 1
                        && yl_node_type(list->first) == YL_JSON_OBJECT
                        && !list->first->n);
}

/* A new object has one entry. */
static void
create(struct yl_keeper *k)
{
    struct yl_ownership *o = k->o;
    struct yl_entry *entry = yl_entry_new(k->arena, o->manager, o->part);
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_node *now;
    struct yl_buf text;

    if (yl_keeper_to_version(k, o->object, &now, &err) < 0) {
        yl_error_clear(&err);
        return;
    }
    if (!is_typed(k, NULL, now)) {
        return;
    }
    if (!entry->manager.size) {
        entry->manager = YL_STR("unknown");
    }
    entry->timed = true;
    entry->time = o->now;
    yl_buf_init(&text, SIZE_MAX);
    if (yl_typed_write_created(k->arena, k->as, now,
                               yl_keeper_ignored(k, k->version), &unowned,
                               &text) > 0) {
        yl_entries_set_one(k->arena, o->object, entry, k->version,
                           yl_buf_str(&text));
    }
    yl_buf_release(&text);
}
