/* The entries of managedFields.  See entries.h for the contract. */

#include "apiserver/own/entries.h"

#include <stdlib.h>

#include "base/buf.h"
#include "json/member.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* From this number on, entries of the same manager are found by an index. */
#define FEW 16

static int read_one(struct yl_arena *, const struct yl_node *, size_t i,
                    struct yl_manager *ret, struct yl_error *err);
static int read_fields(struct yl_arena *, const struct yl_node *,
                       const struct yl_field_set **ret_set, struct yl_error *);
static struct yl_node *write_one(struct yl_arena *, const struct yl_entry *,
                                 bool applied, struct yl_str api_version,
                                 struct yl_str fields_v1);
static void set_text(struct yl_arena *, struct yl_node *, const char *member,
                     struct yl_str text);
static struct yl_str text_of(struct yl_arena *, const struct yl_node *,
                             const char *member);
static void read_time(struct yl_arena *, const struct yl_node *,
                      struct yl_entry *);
static int compare(const void *, const void *);
static int64_t seconds_of(const struct yl_entry *);

struct yl_entry *
yl_entry_new(struct yl_arena *arena, struct yl_str manager,
             struct yl_str subresource)
{
    struct yl_entry *entry = yl_arena_zalloc(arena, sizeof *entry);

    entry->manager = manager;
    entry->subresource = subresource;
    return entry;
}

struct yl_str
yl_entry_key(struct yl_arena *arena, const struct yl_entry *entry,
             bool applied, struct yl_str api_version)
{
    struct yl_buf text;
    struct yl_str key;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_char(&text, '{');
    if (entry->manager.size) {
        yl_buf_append_c(&text, "\"manager\":");
        yl_json_write_text(&text, entry->manager);
        yl_buf_append_char(&text, ',');
    }
    yl_buf_append_c(&text, applied ? "\"operation\":\"Apply\""
                                   : "\"operation\":\"Update\"");
    if (!applied) {
        yl_buf_append_c(&text, ",\"apiVersion\":");
        yl_json_write_text(&text, api_version);
    }
    if (entry->subresource.size) {
        yl_buf_append_c(&text, ",\"subresource\":");
        yl_json_write_text(&text, entry->subresource);
    }
    yl_buf_append_char(&text, '}');
    key = yl_arena_copy(arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return key;
}

int
yl_entries_read(struct yl_arena *arena, const struct yl_node *list,
                struct yl_managers *ret_managers, struct yl_error *err)
{
    struct yl_managers managers = { NULL, 0 };
    struct yl_node *index = NULL;
    const struct yl_node *node;
    size_t i = 0;

    if (yl_node_type(list) != YL_JSON_ARRAY) {
        *ret_managers = managers;
        return 0;
    }
    managers.items = yl_arena_array(arena, list->n, sizeof *managers.items);
    if (list->n > FEW) {
        index = yl_node_new_object(arena);
    }
    YL_NODE_FOR_EACH (node, list) {
        struct yl_manager one, *same;
        int r = read_one(arena, node, i++, &one, err);

        if (r < 0) {
            return r;
        }
        same = index ? yl_managers_indexed(&managers, index, one.key)
                     : yl_managers_find(&managers, one.key);
        if (same) {
            *same = one;
            continue;
        }
        if (index) {
            yl_node_set(arena, index, one.key,
                        yl_node_new_int64(arena, (int64_t) managers.n));
        }
        managers.items[managers.n++] = one;
    }
    *ret_managers = managers;
    return 0;
}

void
yl_entries_set(struct yl_arena *arena, struct yl_node *object,
               struct yl_managers *managers)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *list;
    struct yl_buf fields;
    size_t i;

    if (!managers->n) {
        yl_member_drop(metadata, "managedFields");
        return;
    }
    qsort(managers->items, managers->n, sizeof *managers->items, compare);
    list = yl_node_new_array(arena);
    yl_buf_init(&fields, SIZE_MAX);
    for (i = 0; i < managers->n; i++) {
        const struct yl_manager *m = &managers->items[i];

        yl_buf_clear(&fields);
        yl_field_set_write(&fields, m->set);
        yl_node_append(list, write_one(arena, yl_entry_of(m), m->applied,
                                       m->version, yl_buf_str(&fields)));
    }
    yl_buf_release(&fields);
    yl_member_set(arena, metadata, "managedFields", list);
}

void
yl_entries_set_one(struct yl_arena *arena, struct yl_node *object,
                   const struct yl_entry *entry, struct yl_str api_version,
                   struct yl_str fields_v1)
{
    struct yl_node *list = yl_node_new_array(arena);

    yl_node_append(list, write_one(arena, entry, false, api_version,
                                   fields_v1));
    yl_member_set(arena, yl_member_make(arena, object, "metadata"),
                  "managedFields", list);
}

struct yl_node *
yl_managers_index(struct yl_arena *arena, const struct yl_managers *managers)
{
    struct yl_node *index = yl_node_new_object(arena);
    size_t i;

    for (i = 0; i < managers->n; i++) {
        yl_node_set(arena, index, managers->items[i].key,
                    yl_node_new_int64(arena, (int64_t) i));
    }
    return index;
}

struct yl_manager *
yl_managers_indexed(const struct yl_managers *managers,
                    const struct yl_node *index, struct yl_str key)
{
    int64_t i = 0;

    return yl_node_int64(yl_node_get(index, key), &i) == 0
           ? &managers->items[i] : NULL;
}

struct yl_manager *
yl_managers_find(const struct yl_managers *managers, struct yl_str key)
{
    size_t i;

    for (i = 0; i < managers->n; i++) {
        if (yl_str_equal(managers->items[i].key, key)) {
            return &managers->items[i];
        }
    }
    return NULL;
}

void
yl_managers_remove(struct yl_managers *managers, struct yl_manager *manager)
{
    size_t i = (size_t) (manager - managers->items);

    managers->n--;
    memmove(manager, manager + 1, (managers->n - i) * sizeof *manager);
}

struct yl_manager *
yl_managers_add(struct yl_arena *arena, struct yl_managers *managers,
                const struct yl_manager *manager)
{
    struct yl_manager *items = yl_arena_array(arena, managers->n + 1,
                                              sizeof *items);

    if (managers->n) {
        memcpy(items, managers->items, managers->n * sizeof *items);
    }
    items[managers->n] = *manager;
    managers->items = items;
    return &items[managers->n++];
}

static int
read_one(struct yl_arena *arena, const struct yl_node *node, size_t i,
         struct yl_manager *ret, struct yl_error *err)
{
    struct yl_str operation = text_of(arena, node, "operation");
    struct yl_str type = text_of(arena, node, "fieldsType");
    const struct yl_node *fields;
    struct yl_entry *entry;

    ret->applied = yl_str_equal(operation, YL_STR("Apply"));
    ret->version = text_of(arena, node, "apiVersion");
    if (!ret->applied && !yl_str_equal(operation, YL_STR("Update"))) {
        return yl_error_set(err, YL_EINVALID,
                            "operation must be `Apply` or `Update`");
    }
    if (!ret->version.size) {
        return yl_error_set(err, YL_EINVALID, "apiVersion must not be empty");
    }
    if (!type.size) {
        return yl_error_set(err, YL_EINVALID, "missing fieldsType in managed "
                            "fields entry %zu", i);
    }
    if (!yl_str_equal(type, YL_STR("FieldsV1"))) {
        return yl_error_set(err, YL_EINVALID, "invalid fieldsType \"%.*s\" in "
                            "managed fields entry %zu", YL_STR_ARG(type), i);
    }
    entry = yl_entry_new(arena, text_of(arena, node, "manager"),
                         text_of(arena, node, "subresource"));
    read_time(arena, node, entry);
    ret->aux = entry;
    ret->key = yl_entry_key(arena, entry, ret->applied, ret->version);
    ret->set = NULL;
    fields = yl_node_get(node, YL_STR("fieldsV1"));
    return yl_node_type(fields) == YL_JSON_NONE
           || yl_node_type(fields) == YL_JSON_NULL
           ? 0 : read_fields(arena, fields, &ret->set, err);
}

/* A set without members may be one that write_one() has made, which is text
 * only. */
static int
read_fields(struct yl_arena *arena, const struct yl_node *fields,
            const struct yl_field_set **ret_set, struct yl_error *err)
{
    struct yl_buf text;
    int r;

    if (yl_node_type(fields) != YL_JSON_OBJECT || fields->n) {
        return yl_field_set_from_node(arena, fields, ret_set, err);
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, fields);
    r = yl_field_set_parse(arena, yl_arena_copy(arena, yl_buf_str(&text)),
                           ret_set, err);
    yl_buf_release(&text);
    return r;
}

/* Members are in the order of their names. */
static struct yl_node *
write_one(struct yl_arena *arena, const struct yl_entry *entry, bool applied,
          struct yl_str api_version, struct yl_str fields_v1)
{
    struct yl_node *node = yl_node_new_object(arena);
    char time[YL_TIME_TEXT_SIZE];

    set_text(arena, node, "apiVersion", api_version);
    set_text(arena, node, "fieldsType", YL_STR("FieldsV1"));
    yl_node_set(arena, node, YL_STR("fieldsV1"),
                yl_node_new_opaque(arena, fields_v1));
    if (entry->manager.size) {
        set_text(arena, node, "manager", entry->manager);
    }
    set_text(arena, node, "operation",
             applied ? YL_STR("Apply") : YL_STR("Update"));
    if (entry->subresource.size) {
        set_text(arena, node, "subresource", entry->subresource);
    }
    if (entry->timed) {
        set_text(arena, node, "time",
                 yl_str_n(time, yl_time_write(entry->time, time)));
    }
    return node;
}

static void
set_text(struct yl_arena *arena, struct yl_node *node, const char *member,
         struct yl_str text)
{
    yl_node_set(arena, node, yl_str_c(member),
                yl_node_new_string(arena, text));
}

static struct yl_str
text_of(struct yl_arena *arena, const struct yl_node *object,
        const char *member)
{
    struct yl_str text = YL_STR_INIT("");

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        (void) yl_node_string(yl_node_get(object, yl_str_c(member)), arena,
                              &text);
    }
    return text;
}

static void
read_time(struct yl_arena *arena, const struct yl_node *node,
          struct yl_entry *entry)
{
    struct yl_str text = text_of(arena, node, "time");

    entry->timed = text.size
                   && yl_time_parse(text, &entry->time, NULL) == 0;
}

static int
compare(const void *a_, const void *b_)
{
    const struct yl_manager *a = a_, *b = b_;
    const struct yl_entry *x = yl_entry_of(a), *y = yl_entry_of(b);
    int64_t s = seconds_of(x), t = seconds_of(y);
    int order;

    if (a->applied != b->applied) {
        return a->applied ? -1 : 1;
    }
    if (s != t) {
        return s < t ? -1 : 1;
    }
    order = yl_str_compare(x->manager, y->manager);
    if (order == 0) {
        order = yl_str_compare(a->version, b->version);
    }
    return order ? order : yl_str_compare(x->subresource, y->subresource);
}

static int64_t
seconds_of(const struct yl_entry *entry)
{
    return entry->timed ? entry->time.seconds : 0;
}
