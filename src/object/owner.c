/* Owner references.  See yuloh/owner.h for the contract. */

#include "yuloh/owner.h"

#include "base/buf.h"
#include "json/text.h"
#include "yuloh/arena.h"

/* What 'controller' and 'block_owner_deletion' point to. */
static const bool yes = true, no = false;

static struct yl_str read_string(struct yl_json, struct yl_arena *);
static const bool *read_bool(struct yl_json);
static struct yl_json find_controller(struct yl_json owners);
static void read_owner(struct yl_json, struct yl_arena *, struct yl_owner *);
static void write_bool(struct yl_buf *, const char *name, const bool *);

struct yl_owner_iter
yl_owner_iter(struct yl_json owners, struct yl_arena *arena)
{
    struct yl_owner_iter it;

    it.elements = yl_json_iter(yl_json_type(owners) == YL_JSON_ARRAY
                               ? owners : yl_json_none());
    it.arena = arena;
    return it;
}

bool
yl_owner_next(struct yl_owner_iter *it, struct yl_owner *ret_owner)
{
    while (yl_json_next(&it->elements)) {
        if (yl_json_type(it->elements.value) == YL_JSON_OBJECT) {
            read_owner(it->elements.value, it->arena, ret_owner);
            return true;
        }
    }
    return false;
}

bool
yl_owner_controller(struct yl_json owners, struct yl_arena *arena,
                    struct yl_owner *ret_owner)
{
    struct yl_json controller = find_controller(owners);

    if (!yl_json_exists(controller)) {
        return false;
    }
    read_owner(controller, arena, ret_owner);
    return true;
}

bool
yl_owner_has_uid(struct yl_json owners, struct yl_str uid)
{
    struct yl_json_iter it = yl_json_iter(owners);

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("uid")), uid)) {
            return true;
        }
    }
    return false;
}

bool
yl_owner_is_controlled_by(struct yl_json owners, struct yl_str uid)
{
    struct yl_json controller = find_controller(owners);

    return yl_json_string_is(yl_json_get(controller, YL_STR("uid")), uid);
}

struct yl_owner
yl_owner_make_controller(struct yl_gvk gvk, struct yl_str name,
                         struct yl_str uid, struct yl_arena *arena)
{
    struct yl_owner owner = {
        .api_version = yl_gv_api_version(yl_gvk_gv(gvk), arena),
        .kind = gvk.kind,
        .name = name,
        .uid = uid,
        .controller = &yes,
        .block_owner_deletion = &yes,
    };

    return owner;
}

struct yl_str
yl_owner_json(const struct yl_owner *owner, struct yl_arena *arena)
{
    struct yl_str json;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX / 2);
    yl_buf_append_c(&buf, "{\"apiVersion\":");
    yl_json_write_string(&buf, owner->api_version);
    write_bool(&buf, "blockOwnerDeletion", owner->block_owner_deletion);
    write_bool(&buf, "controller", owner->controller);
    yl_buf_append_c(&buf, ",\"kind\":");
    yl_json_write_string(&buf, owner->kind);
    yl_buf_append_c(&buf, ",\"name\":");
    yl_json_write_string(&buf, owner->name);
    yl_buf_append_c(&buf, ",\"uid\":");
    yl_json_write_string(&buf, owner->uid);
    yl_buf_append_char(&buf, '}');
    json = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return json;
}

static struct yl_str
read_string(struct yl_json json, struct yl_arena *arena)
{
    struct yl_str s = YL_STR("");

    yl_json_string(json, arena, &s);
    return s;
}

static const bool *
read_bool(struct yl_json json)
{
    bool value;

    if (yl_json_bool(json, &value) < 0) {
        return NULL;
    }
    return value ? &yes : &no;
}

static struct yl_json
find_controller(struct yl_json owners)
{
    struct yl_json_iter it = yl_json_iter(owners);

    while (yl_json_next(&it)) {
        bool value;

        if (yl_json_bool(yl_json_get(it.value, YL_STR("controller")),
                         &value) == 0 && value) {
            return it.value;
        }
    }
    return yl_json_none();
}

static void
read_owner(struct yl_json json, struct yl_arena *arena,
           struct yl_owner *owner)
{
    owner->api_version = read_string(yl_json_get(json, YL_STR("apiVersion")),
                                     arena);
    owner->kind = read_string(yl_json_get(json, YL_STR("kind")), arena);
    owner->name = read_string(yl_json_get(json, YL_STR("name")), arena);
    owner->uid = read_string(yl_json_get(json, YL_STR("uid")), arena);
    owner->controller = read_bool(yl_json_get(json, YL_STR("controller")));
    owner->block_owner_deletion
        = read_bool(yl_json_get(json, YL_STR("blockOwnerDeletion")));
}

static void
write_bool(struct yl_buf *buf, const char *name, const bool *value)
{
    if (value) {
        yl_buf_printf(buf, ",\"%s\":%s", name, *value ? "true" : "false");
    }
}
