/* Our Tables against the recorded ones of kube-apiserver.
 *
 * Every scenario is replayed without a server: answers that are objects are
 * remembered by kind and name, and each Table's cells are made again from the
 * objects of its rows.  Descriptions are not compared; we have none.  Objects
 * of autoscaling/v1 are left out: Tables are made of what is stored, which is
 * autoscaling/v2. */

#include "builtin/columns/columns.h"

#include "base/buf.h"
#include "json/text.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

#define NOW "2026-11-15T00:00:00Z"
#define A_WHILE_AGO "2026-11-14T23:55:00Z"

/* What a replay has seen. */
struct replay {
    struct yl_arena *arena;
    struct yl_node *kinds;      /* Collection path -> {group, kind}. */
    struct yl_node *objects;    /* "group/kind/name" -> object. */
    unsigned n_tables, n_tables_equal;
    unsigned n_rows, n_rows_equal;
    unsigned n_rows_unknown;    /* Whose objects were not recorded. */
};

static struct yl_json
get(struct yl_json value, const char *key)
{
    return yl_json_get(value, yl_str_c(key));
}

static struct yl_str
text_of(struct replay *r, struct yl_json value)
{
    struct yl_str s;

    return yl_json_string(value, r->arena, &s) < 0 ? YL_STR("") : s;
}

/* The collection that a path is in: without the name and what is behind. */
static struct yl_str
collection(struct yl_str path)
{
    unsigned n = yl_str_starts_with(path, YL_STR("/api/")) ? 3 : 4;
    size_t i;

    if (memmem(path.data, path.size, "/namespaces/${NS}/", 18)) {
        n += 2;
    }
    for (i = 1; i < path.size; i++) {
        if (path.data[i] == '/' && --n == 0) {
            break;
        }
    }
    return yl_str_n(path.data, i);
}

static struct yl_str
replace_all(struct replay *r, struct yl_str s, const char *from,
            struct yl_str to)
{
    struct yl_buf buf;
    const char *hit;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    while ((hit = memmem(s.data, s.size, from, strlen(from)))) {
        yl_buf_append_str(&buf, yl_str_range(s.data, hit));
        yl_buf_append_str(&buf, to);
        s = yl_str_skip(s, (size_t) (hit - s.data) + strlen(from));
    }
    yl_buf_append_str(&buf, s);
    s = yl_arena_copy(r->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return s;
}

/* "<uid 3>" as "uuid-3x", which can be a label's value. */
static struct yl_str
without_uids(struct replay *r, struct yl_str s)
{
    struct yl_str copy = yl_arena_copy(r->arena, s);
    char *p = (char *) (uintptr_t) copy.data, *end = p + copy.size;

    while ((p = memmem(p, (size_t) (end - p), "<uid ", 5))) {
        char *close = memchr(p, '>', (size_t) (end - p));

        assert_non_null(close);
        *p = 'u';
        p[4] = '-';
        *close = 'x';
        p = close;
    }
    return copy;
}

/* The object with the recorder's stand-ins made real. */
static struct yl_str
real_object(struct replay *r, struct yl_json object)
{
    struct yl_str text = yl_json_raw(object);
    struct yl_json ip = get(get(object, "spec"), "clusterIP");

    text = replace_all(r, text, "<time>", YL_STR(A_WHILE_AGO));
    text = without_uids(r, text);
    if (yl_json_type(ip) == YL_JSON_STRING) {
        text = replace_all(r, text, "\"<ip>\"", yl_json_raw(ip));
    }
    return text;
}

static void
remember(struct replay *r, struct yl_str path, struct yl_json object,
         struct yl_str kind)
{
    struct yl_str api_version = text_of(r, get(object, "apiVersion"));
    struct yl_str group, version;
    struct yl_str name = text_of(r, get(get(object, "metadata"), "name"));
    char *key;

    if (!yl_str_cut(api_version, '/', &group, &version)) {
        group = YL_STR("");
    }
    key = yl_arena_printf(r->arena, "%.*s %.*s", YL_STR_ARG(group),
                          YL_STR_ARG(kind));
    if (yl_str_equal(text_of(r, get(object, "kind")), kind)
        && (name.size || yl_str_ends_with(kind, YL_STR("List")))) {
        yl_node_set(r->arena, r->kinds, collection(path),
                    yl_node_new_string(r->arena, yl_str_c(key)));
    }
    if (name.size && !yl_str_equal_c(api_version, "autoscaling/v1")) {
        key = yl_arena_printf(r->arena, "%s/%.*s", key, YL_STR_ARG(name));
        yl_node_set(r->arena, r->objects, yl_str_c(key),
                    yl_node_new_string(r->arena, yl_json_raw(object)));
    }
}

/* An answer of which only parts were recorded: {"/status": {...}}. */
static void
remember_part(struct replay *r, struct yl_str path, struct yl_json body,
              const char *part)
{
    struct yl_json value = yl_json_get(body, yl_str_c(part));
    struct yl_node *kind = yl_node_get(r->kinds, collection(path));
    struct yl_str name = yl_str_skip(path, collection(path).size);
    struct yl_str rest, key, text;
    struct yl_node *object, *root, *node;
    struct yl_buf buf;

    if (yl_json_type(value) != YL_JSON_OBJECT || !kind || !name.size) {
        return;
    }
    name = yl_str_skip(name, 1);
    yl_str_cut(name, '/', &name, &rest);
    assert_int_equal(yl_node_string(kind, r->arena, &key), 0);
    key = yl_str_c(yl_arena_printf(r->arena, "%.*s/%.*s", YL_STR_ARG(key),
                                   YL_STR_ARG(name)));
    object = yl_node_get(r->objects, key);
    if (!object || yl_node_string(object, r->arena, &text) < 0) {
        return;
    }
    assert_int_equal(yl_tree_parse(r->arena, text, NULL, &root, NULL), 0);
    assert_int_equal(yl_tree_parse(r->arena, yl_json_raw(value), NULL, &node,
                                   NULL), 0);
    yl_node_set(r->arena, root, yl_str_c(part + 1), node);
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write(&buf, root);
    yl_node_set(r->arena, r->objects, key,
                yl_node_new_string(r->arena, yl_buf_str(&buf)));
    yl_buf_release(&buf);
}

static bool
is_age(struct yl_str s)
{
    size_t i = 0;

    while (i < s.size) {
        size_t start = i;

        while (i < s.size && s.data[i] >= '0' && s.data[i] <= '9') {
            i++;
        }
        if (i == start || i == s.size || !strchr("ydhms", s.data[i])) {
            return false;
        }
        i++;
    }
    return s.size > 0;
}

static bool
cell_equal(struct replay *r, struct yl_json want, struct yl_json have)
{
    struct yl_str a, b;

    if (yl_json_type(want) != YL_JSON_STRING
        || yl_json_type(have) != YL_JSON_STRING) {
        return yl_str_equal(yl_json_raw(want), yl_json_raw(have));
    }
    a = text_of(r, want);
    b = text_of(r, have);
    a = without_uids(r, a);
    return yl_str_equal(a, b)
           || (yl_str_equal_c(a, "<age>") && is_age(b))
           || (yl_str_equal_c(a, "<time>") && yl_str_equal_c(b, A_WHILE_AGO));
}

static bool
cells_equal(struct replay *r, struct yl_json want, struct yl_json have)
{
    struct yl_json_iter a = yl_json_iter(want), b = yl_json_iter(have);

    while (yl_json_next(&a)) {
        if (!yl_json_next(&b) || !cell_equal(r, a.value, b.value)) {
            return false;
        }
    }
    return !yl_json_next(&b);
}

/* The object of a row: its own, or the one remembered by name. */
static struct yl_str
row_object(struct replay *r, struct yl_json row, struct yl_str key)
{
    struct yl_json object = get(row, "object");
    struct yl_json cells = get(row, "cells");
    struct yl_node *node;
    struct yl_str name, text;

    if (yl_json_type(object) == YL_JSON_OBJECT
        && !yl_json_string_is(get(object, "kind"),
                              YL_STR("PartialObjectMetadata"))
        && !yl_json_string_is(get(object, "apiVersion"),
                              YL_STR("autoscaling/v1"))) {
        return real_object(r, object);
    }
    name = text_of(r, get(get(object, "metadata"), "name"));
    if (!name.size) {
        name = text_of(r, yl_json_at(cells, 0));
    }
    node = yl_node_get(r->objects,
                       yl_str_c(yl_arena_printf(r->arena, "%.*s/%.*s",
                                                YL_STR_ARG(key),
                                                YL_STR_ARG(name))));
    if (!node || yl_node_string(node, r->arena, &text) < 0) {
        return yl_str_null();
    }
    return real_object(r, yl_json(text));
}

static bool
definitions_equal(struct replay *r, const struct yl_columns *columns,
                  struct yl_json want)
{
    static const char *const members[] = { "name", "type", "format",
                                           "priority" };
    struct yl_buf buf;
    struct yl_json_iter a = yl_json_iter(want), b;
    bool equal = true;

    yl_buf_init(&buf, 1 << 20);
    yl_columns_write_definitions(columns, &buf);
    b = yl_json_iter(yl_json(yl_buf_str(&buf)));
    while (equal && yl_json_next(&a)) {
        equal = yl_json_next(&b);
        for (size_t i = 0; equal && i < YL_ARRAY_SIZE(members); i++) {
            equal = cell_equal(r, get(a.value, members[i]),
                               get(b.value, members[i]));
        }
    }
    equal = equal && !yl_json_next(&b);
    yl_buf_release(&buf);
    return equal;
}

static void
compare_row(struct replay *r, const struct yl_columns *columns,
            struct yl_json row, struct yl_str key, struct yl_str where)
{
    struct yl_str object = row_object(r, row, key);
    struct yl_buf cells, conditions;
    struct yl_time now;
    bool equal;

    if (yl_str_is_null(object)) {
        r->n_rows_unknown++;
        return;
    }
    assert_int_equal(yl_time_parse(YL_STR(NOW), &now, NULL), 0);
    yl_buf_init(&cells, 1 << 20);
    yl_buf_init(&conditions, 1 << 20);
    yl_columns_write_cells(columns, yl_json(object), now, r->arena, &cells);
    equal = cells_equal(r, get(row, "cells"), yl_json(yl_buf_str(&cells)));
    if (yl_columns_write_conditions(columns, yl_json(object), &conditions)) {
        struct yl_node *a, *b;

        assert_int_equal(yl_tree_parse(r->arena, yl_buf_str(&conditions),
                                       NULL, &a, NULL), 0);
        equal = equal
                && yl_tree_parse(r->arena, yl_json_raw(get(row,
                                                           "conditions")),
                                 NULL, &b, NULL) == 0
                && yl_node_equal(a, b);
    } else {
        equal = equal && !yl_json_exists(get(row, "conditions"));
    }
    r->n_rows++;
    r->n_rows_equal += equal;
    if (!equal) {
        print_message("%.*s\n  want %.*s\n  have %.*s\n", YL_STR_ARG(where),
                      YL_STR_ARG(yl_json_raw(get(row, "cells"))),
                      YL_STR_ARG(yl_buf_str(&cells)));
    }
    yl_buf_release(&cells);
    yl_buf_release(&conditions);
}

static void
compare_table(struct replay *r, struct yl_json table, struct yl_str path,
              struct yl_str scenario)
{
    struct yl_node *node = yl_node_get(r->kinds, collection(path));
    struct yl_json_iter rows = yl_json_iter(get(table, "rows"));
    struct yl_str key, group, kind;
    const struct yl_columns *columns;
    struct yl_str where;

    where = yl_str_c(yl_arena_printf(r->arena, "%.*s %.*s",
                                     YL_STR_ARG(scenario),
                                     YL_STR_ARG(path)));
    r->n_tables++;
    if (!node || yl_node_string(node, r->arena, &key) < 0) {
        print_message("%.*s: no kind\n", YL_STR_ARG(where));
        return;
    }
    assert_true(yl_str_cut(key, ' ', &group, &kind));
    if (yl_str_ends_with(group, YL_STR(".example.com"))) {
        r->n_tables--;
        return;
    }
    if (yl_str_ends_with(kind, YL_STR("List"))) {
        kind.size -= 4;
        key.size -= 4;
    }
    columns = yl_builtin_columns(group, kind);
    if (definitions_equal(r, columns, get(table, "columnDefinitions"))) {
        r->n_tables_equal++;
    } else {
        print_message("%.*s: other columns\n", YL_STR_ARG(where));
    }
    while (yl_json_next(&rows)) {
        compare_row(r, columns, rows.value, key, where);
    }
}

static void
replay_answer(struct replay *r, struct yl_json step, struct yl_str scenario,
              bool tables)
{
    struct yl_str path = text_of(r, get(step, "path"));
    struct yl_json body = get(get(step, "expect"), "body");
    struct yl_str kind = text_of(r, get(body, "kind"));

    if (yl_str_equal_c(kind, "Table")) {
        if (tables && yl_json_string_is(get(step, "do"), YL_STR("GET"))) {
            compare_table(r, body, path, scenario);
        }
    } else if (!kind.size) {
        remember_part(r, path, body, "/spec");
        remember_part(r, path, body, "/status");
    } else if (!yl_str_equal_c(kind, "Status")
               && !yl_str_starts_with(kind, YL_STR("Partial"))
               && yl_str_starts_with(path, YL_STR("/api"))) {
        struct yl_json_iter it = yl_json_iter(get(body, "items"));

        remember(r, path, body, kind);
        while (yl_json_next(&it)) {
            struct yl_buf item;

            /* Items have neither apiVersion nor kind of their own. */
            yl_buf_init(&item, YL_JSON_MAX_SIZE);
            yl_buf_append_c(&item, "{\"apiVersion\":");
            yl_buf_append_str(&item, yl_json_raw(get(body, "apiVersion")));
            yl_buf_append_c(&item, ",");
            yl_buf_append_str(&item, yl_str_skip(yl_json_raw(it.value), 1));
            kind = text_of(r, get(body, "kind"));
            kind.size -= 4;
            remember(r, path,
                     yl_json(yl_arena_copy(r->arena, yl_buf_str(&item))),
                     kind);
            yl_buf_release(&item);
        }
    }
}

static void
replay_file(struct replay *r, struct yl_str text, bool tables)
{
    struct yl_json_iter scenario = yl_json_iter(yl_json(text));

    while (yl_json_next(&scenario)) {
        struct yl_json_iter step = yl_json_iter(get(scenario.value, "steps"));
        struct yl_str name = text_of(r, get(scenario.value, "name"));

        r->objects = yl_node_new_object(r->arena);
        while (yl_json_next(&step)) {
            replay_answer(r, step.value, name, tables);
        }
    }
}

TEST(tables_are_as_recorded)
{
    static const char *const names[] = {
        "recorded/workloads.json", "recorded/kinds.json",
        "recorded/verbs.json", "recorded/reads.json",
        "recorded/patches.json",
    };
    struct replay r = { .arena = yl_arena_new() };
    char *texts[YL_ARRAY_SIZE(names)];
    size_t sizes[YL_ARRAY_SIZE(names)];

    /* Learn the kinds of all paths first: many Tables have no rows. */
    r.kinds = yl_node_new_object(r.arena);
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        texts[i] = read_file(truth_path(names[i]), &sizes[i]);
        replay_file(&r, yl_str_n(texts[i], sizes[i]), false);
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        replay_file(&r, yl_str_n(texts[i], sizes[i]), true);
    }
    print_message("Tables: %u of %u have our columns; rows: %u of %u have our "
                  "cells; %u rows without a recorded object\n",
                  r.n_tables_equal, r.n_tables, r.n_rows_equal, r.n_rows,
                  r.n_rows_unknown);
    assert_int_equal(r.n_tables_equal, r.n_tables);
    assert_int_equal(r.n_rows_equal, r.n_rows);
    assert_true(r.n_tables >= 190 && r.n_rows >= 350);
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        free(texts[i]);
    }
    yl_arena_free(r.arena);
}
