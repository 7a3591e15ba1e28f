/* OpenAPI of descriptors.  See schema/openapi.h.
 *
 * First all schemas that the kinds refer to are collected, each once; then
 * they are sorted by name and written. */

#include "schema/openapi.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "json/text.h"
#include "schema/openapi_value.h"
#include "yuloh/arena.h"

/* A schema that goes into the document. */
struct component {
    struct yl_map_node by_name;
    struct component *next;         /* In the order they were found. */
    struct yl_str name;
    struct yl_type_ref type;        /* Without a type: */
    enum yl_value_kind shared;      /* a shared one, or */
    struct yl_json raw;             /* one that a raw value names. */
};

struct collector {
    struct yl_arena *arena;
    struct yl_map by_name;
    struct component *first, **last;
};

static void write_own(struct yl_openapi_writer *, struct yl_type_ref,
                      const struct yl_kind *, struct yl_str name);
static void collect_type(struct collector *, struct yl_type_ref);
static void collect_fields(struct collector *, struct yl_type_ref,
                           unsigned depth);
static void collect_value(struct collector *, const struct yl_type_set *,
                          const struct yl_value *, unsigned depth);
static struct component *add(struct collector *, struct yl_str name);
static void write_component(struct yl_openapi_writer *,
                            const struct component *);
static void write_required(struct yl_openapi_writer *, struct yl_type_ref);
static const struct yl_kind *kind_of(struct yl_type_ref, bool *is_list);
static void write_gvk(struct yl_openapi_writer *, const struct yl_kind *,
                      bool is_list);
static int compare_components(const void *, const void *);

void
yl_openapi_write_schemas(struct yl_buf *buf, enum yl_openapi_version version,
                         const struct yl_kind *const *kinds, size_t n_kinds)
{
    struct yl_openapi_writer writer = { buf, version, 0 };
    struct collector collector = { .arena = yl_arena_new() };
    struct component **components, *c;
    size_t i, n = 0;

    yl_map_init(&collector.by_name);
    collector.last = &collector.first;
    for (i = 0; i < n_kinds; i++) {
        struct yl_type_ref list = { kinds[i]->set, NULL };

        collect_type(&collector, yl_kind_type(kinds[i]));
        if (kinds[i]->list_type) {
            list.type = &list.set->types[kinds[i]->list_type];
            collect_type(&collector, list);
        }
    }
    for (c = collector.first; c; c = c->next) {
        n++;
        if (c->type.type) {
            /* This appends what it finds to the list. */
            collect_fields(&collector, c->type, 0);
        }
    }
    components = yl_arena_array(collector.arena, n, sizeof *components);
    for (c = collector.first, i = 0; c; c = c->next) {
        components[i++] = c;
    }
    qsort(components, n, sizeof *components, compare_components);
    for (i = 0; i < n; i++) {
        write_component(&writer, components[i]);
    }
    yl_map_release(&collector.by_name);
    yl_arena_free(collector.arena);
}

void
yl_openapi_write_type(struct yl_buf *buf, enum yl_openapi_version version,
                      struct yl_type_ref type)
{
    struct yl_openapi_writer writer = { buf, version, 0 };

    yl_openapi_write_struct(&writer, type);
}

void
yl_openapi_write_prefix(struct yl_buf *buf, struct yl_str group,
                        struct yl_str version)
{
    while (group.size) {
        size_t n = group.size;

        while (n && group.data[n - 1] != '.') {
            n--;
        }
        yl_buf_append_str(buf, yl_str_skip(group, n));
        yl_buf_append_char(buf, '.');
        group.size = n ? n - 1 : 0;
    }
    yl_buf_append_str(buf, version);
}

void
yl_openapi_write_struct(struct yl_openapi_writer *w, struct yl_type_ref type)
{
    const struct yl_field *fields = &type.set->fields[type.type->fields];
    bool is_list = false;
    const struct yl_kind *kind = kind_of(type, &is_list);
    size_t i;

    yl_buf_append_c(w->buf, type.type->flags & YL_VALUE_UNTYPED
                                ? "{" : "{\"type\":\"object\"");
    if (type.type->n_fields || kind) {
        yl_openapi_key(w, YL_STR("properties"));
        yl_buf_append_char(w->buf, '{');
        write_own(w, type, kind, YL_STR("apiVersion"));
        write_own(w, type, kind, YL_STR("kind"));
        for (i = 0; i < type.type->n_fields; i++) {
            yl_openapi_key(w, yl_str_n(type.set->strings + fields[i].name,
                                       fields[i].name_size));
            yl_openapi_write_field(w, type, &fields[i]);
        }
        yl_buf_append_char(w->buf, '}');
    }
    write_required(w, type);
    yl_openapi_write_rules(w, type.set, type.type->rules, type.type->n_rules);
    yl_openapi_write_struct_type(w, (enum yl_topology) type.type->topology);
    if (type.type->flags & YL_VALUE_PRESERVE) {
        yl_openapi_key(w, YL_STR("x-kubernetes-preserve-unknown-fields"));
        yl_buf_append_c(w->buf, "true");
    }
    if (type.type->flags & YL_VALUE_RESOURCE) {
        yl_openapi_key(w, YL_STR("x-kubernetes-embedded-resource"));
        yl_buf_append_c(w->buf, "true");
    }
    if (kind) {
        write_gvk(w, kind, is_list);
    }
    yl_buf_append_char(w->buf, '}');
}

/* A member that every object of a kind has, unless a field describes it. */
static void
write_own(struct yl_openapi_writer *w, struct yl_type_ref type,
          const struct yl_kind *kind, struct yl_str name)
{
    if (kind && !yl_type_field(type, name)) {
        yl_openapi_key(w, name);
        yl_buf_append_c(w->buf, "{\"type\":\"string\"}");
    }
}

static void
collect_type(struct collector *c, struct yl_type_ref type)
{
    const char *name = yl_type_set_text(type.set, type.type->openapi_name);
    struct component *component;

    if (name[0]) {
        component = add(c, yl_str_c(name));
        if (component) {
            component->type = type;
        }
    }
}

static void
collect_fields(struct collector *c, struct yl_type_ref type, unsigned depth)
{
    size_t i;

    if (depth > YL_OPENAPI_MAX_DEPTH) {
        return;
    }
    for (i = 0; i < type.type->n_fields; i++) {
        const struct yl_field *field
            = &type.set->fields[type.type->fields + i];

        collect_value(c, type.set, &type.set->values[field->value], depth);
    }
}

static void
collect_value(struct collector *c, const struct yl_type_set *set,
              const struct yl_value *value, unsigned depth)
{
    const char *shared;

    while (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        value = &set->values[value->element];
    }
    shared = yl_openapi_shared((enum yl_value_kind) value->kind);
    if (value->kind == YL_VALUE_STRUCT) {
        struct yl_type_ref type = yl_value_type(set, value);

        if (type.type->openapi_name) {
            collect_type(c, type);
        } else {
            collect_fields(c, type, depth + 1);
        }
    } else if (value->kind == YL_VALUE_RAW) {
        struct yl_json raw = yl_openapi_named_raw(set, value);
        struct component *component;
        struct yl_str name;

        if (yl_json_exists(raw)
            && !yl_json_string(yl_json_get(raw, YL_STR("$ref")), c->arena,
                               &name)) {
            component = add(c, name);
            if (component) {
                component->raw = raw;
            }
        }
    } else if (shared) {
        struct component *component = add(c, yl_str_c(shared));

        if (component) {
            component->shared = (enum yl_value_kind) value->kind;
        }
    }
}

/* A new component, or NULL if there is one of this name. */
static struct component *
add(struct collector *c, struct yl_str name)
{
    struct component *component;

    YL_MAP_FOR_EACH_WITH_HASH (component, by_name, yl_hash_str(name),
                               &c->by_name) {
        if (yl_str_equal(component->name, name)) {
            return NULL;
        }
    }
    component = yl_arena_zalloc(c->arena, sizeof *component);
    component->name = name;
    yl_map_insert(&c->by_name, &component->by_name, yl_hash_str(name));
    *c->last = component;
    c->last = &component->next;
    return component;
}

static void
write_component(struct yl_openapi_writer *w, const struct component *c)
{
    yl_openapi_key(w, c->name);
    if (c->type.type) {
        yl_openapi_write_struct(w, c->type);
    } else if (c->shared != YL_VALUE_NONE) {
        yl_openapi_write_shared(w, c->shared);
    } else {
        struct yl_json_iter it = yl_json_iter(c->raw);

        yl_buf_append_char(w->buf, '{');
        while (yl_json_next(&it)) {
            if (!yl_str_equal_c(it.key, "$ref")) {
                struct yl_str raw = yl_json_raw(it.value);

                yl_buf_printf(w->buf, "%s\"%.*s\":",
                              w->buf->data[w->buf->size - 1] == '{' ? "" : ",",
                              YL_STR_ARG(it.key));
                yl_buf_append_str(w->buf, raw);
            }
        }
        yl_buf_append_char(w->buf, '}');
    }
}

static void
write_required(struct yl_openapi_writer *w, struct yl_type_ref type)
{
    bool any = false;
    size_t i;

    for (i = 0; i < type.type->n_rules; i++) {
        const struct yl_rule *rule = &type.set->rules[type.type->rules + i];

        if (rule->op == YL_RULE_REQUIRED) {
            yl_openapi_key(w, YL_STR("required"));
            yl_buf_append_c(w->buf, yl_type_set_text(type.set, rule->text));
            return;
        }
    }
    for (i = 0; i < type.type->n_fields; i++) {
        const struct yl_field *field
            = &type.set->fields[type.type->fields + i];

        if (field->flags & YL_FIELD_REQUIRED) {
            if (!any) {
                yl_openapi_key(w, YL_STR("required"));
            }
            yl_buf_append_char(w->buf, any ? ',' : '[');
            yl_json_write_string(w->buf,
                                 yl_str_n(type.set->strings + field->name,
                                          field->name_size));
            any = true;
        }
    }
    if (any) {
        yl_buf_append_char(w->buf, ']');
    }
}

/* The kind whose type this is, or whose list it is; NULL if there is none. */
static const struct yl_kind *
kind_of(struct yl_type_ref type, bool *is_list)
{
    size_t i, index = (size_t) (type.type - type.set->types);

    for (i = 0; i < type.set->n_kinds; i++) {
        const struct yl_kind *kind = type.set->kinds[i];

        if (kind->type == index || kind->list_type == index) {
            *is_list = kind->type != index;
            return kind;
        }
    }
    return NULL;
}

static void
write_gvk(struct yl_openapi_writer *w, const struct yl_kind *kind,
          bool is_list)
{
    yl_openapi_key(w, YL_STR("x-kubernetes-group-version-kind"));
    yl_buf_printf(w->buf,
                  "[{\"group\":\"%s\",\"kind\":\"%s\",\"version\":\"%s\"}]",
                  kind->set->group, is_list ? kind->list_name : kind->name,
                  kind->set->version);
}

static int
compare_components(const void *a_, const void *b_)
{
    const struct component *const *a = a_, *const *b = b_;

    return yl_str_compare((*a)->name, (*b)->name);
}
