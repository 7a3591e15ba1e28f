/* Server-side apply without a server: sets of fields, objects by field, and
 * managers that write one object in turn. */

#include "driver.h"

#include "all_kinds.h"
#include "apply/updater.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/normalize.h"
#include "schema/props.h"
#include "yuloh/gvk.h"

/* One object and its managers; versions differ in the names of two fields. */
struct story {
    struct call *call;
    struct yl_typed_object live;
    struct yl_managers managers;
    struct yl_field_filter filter;
};

static int parse_set(struct call *, struct yl_str,
                     const struct yl_field_set **ret_set);
static void answer_set(struct call *, const struct yl_field_set *);
static void answer_paths(struct call *, const struct yl_field_set *);
static bool append_path(void *buf, const struct yl_path_element *, size_t n);
static int answer_node(struct call *, const struct yl_node *);
static int compile(struct call *, struct yl_str, struct yl_schema **ret_schema,
                   struct yl_typed_as *ret_as);
static int decode(struct call *, const struct yl_scheme *, struct yl_str,
                  struct yl_node **ret_object, struct yl_typed_as *ret_as);
static int step(struct story *, const struct yl_node *);
static void answer_managers(struct story *);
static void answer_conflicts(struct call *, const struct yl_conflicts *);
static int convert(void *story, const struct yl_typed_object *from,
                   struct yl_str version, struct yl_typed_object *ret_to,
                   struct yl_error *);
static const struct yl_field_filter *ignored(void *story, struct yl_str);
static struct yl_str text_of(const struct yl_node *, const char *name);

/* set, set */
OP(field_sets)
{
    struct yl_arena *arena = call->arena;
    const struct yl_field_set *a, *b;
    int r = parse_set(call, arg(call, 0), &a);

    if (r == 0) {
        r = parse_set(call, arg(call, 1), &b);
    }
    if (r < 0) {
        return r;
    }
    answer_set(call, a);
    answer_set(call, b);
    answer_set(call, yl_field_set_union(arena, a, b));
    answer_set(call, yl_field_set_intersection(arena, a, b));
    answer_set(call, yl_field_set_difference(arena, a, b));
    answer_set(call, yl_field_set_recursive_difference(arena, a, b));
    answer_set(call, yl_field_set_leaves(arena, a));
    answer_bool(call, yl_field_set_equal(a, b));
    answer_int(call, (int64_t) yl_field_set_count(a));
    answer_paths(call, a);
    return 0;
}

/* schema, object, object, set */
OP(typed_objects)
{
    struct yl_arena *arena = call->arena;
    const struct yl_field_set *set;
    struct yl_node *old, *now;
    struct yl_schema *schema = NULL;
    struct yl_comparison c;
    struct yl_typed_as as;
    int r = compile(call, arg(call, 0), &schema, &as);

    if (r == 0) {
        r = yl_tree_parse(arena, arg(call, 1), NULL, &old, &call->err);
    }
    if (r == 0) {
        r = yl_tree_parse(arena, arg(call, 2), NULL, &now, &call->err);
    }
    if (r == 0) {
        r = parse_set(call, arg(call, 3), &set);
    }
    if (r == 0) {
        r = yl_typed_validate(arena, as, old, true, &call->err);
    }
    if (r == 0) {
        r = yl_typed_validate(arena, as, now, false, &call->err);
    }
    if (r == 0) {
        answer_set(call, yl_typed_fields(arena, as, old));
        answer_set(call, yl_typed_fields(arena, as, now));
        yl_typed_compare(arena, as, old, now, &c);
        answer_set(call, c.removed);
        answer_set(call, c.modified);
        answer_set(call, c.added);
        answer_set(call, yl_typed_with_structs(arena, as, set));
        answer_set(call, yl_typed_reconcile(arena, as, set));
        r = answer_node(call, yl_typed_merge(arena, as, old, now));
    }
    if (r == 0) {
        r = answer_node(call, yl_typed_remove(arena, as, old, set));
    }
    if (r == 0) {
        r = answer_node(call, yl_typed_extract(arena, as, old, set, true));
    }
    if (r == 0) {
        /* What is created is what is added to nothing. */
        struct yl_node *nothing = yl_node_new_object(arena);
        struct yl_buf buf;

        yl_buf_init(&buf, (size_t) 1 << 30);
        yl_typed_compare(arena, as, nothing, now, &c);
        yl_typed_write_created(arena, as, now, NULL, NULL, &buf);
        answer(call, yl_buf_str(&buf));
        yl_buf_release(&buf);
        answer_set(call, yl_field_set_union(arena, c.added, c.modified));
    }
    yl_schema_unref(schema);
    return r;
}

/* object, object of the same built-in kind */
OP(typed_kinds)
{
    struct yl_scheme *scheme = all_kinds_new();
    struct yl_node *old, *now;
    struct yl_typed_as as;
    int r = decode(call, scheme, arg(call, 0), &old, &as);

    if (r == 0) {
        r = decode(call, scheme, arg(call, 1), &now, &as);
    }
    if (r == 0) {
        struct yl_arena *arena = call->arena;
        static const char *const names[] = { "apiVersion", "kind" };
        struct yl_comparison c;
        struct yl_buf buf;

        /* The library's empty object has these two. */
        yl_buf_init(&buf, (size_t) 1 << 30);
        yl_typed_write_created(arena, as, now, NULL,
                               yl_field_set_of(arena, names, 2), &buf);
        answer(call, yl_buf_str(&buf));
        yl_buf_release(&buf);
        yl_typed_compare(arena, as, old, now, &c);
        answer_set(call, c.removed);
        answer_set(call, c.modified);
        answer_set(call, c.added);
        answer_set(call, yl_typed_fields(arena, as, old));
    }
    yl_scheme_free(scheme);
    return r;
}

/* schema, set of ignored fields, [{"op":"apply" or "update", "manager",
 * "version", "object", "force"}...] */
OP(apply_stories)
{
    struct story story = { .call = call };
    struct yl_schema *schema = NULL;
    struct yl_node *steps, *one;
    int r = compile(call, arg(call, 0), &schema, &story.live.as);

    if (r == 0) {
        r = parse_set(call, arg(call, 1), &story.filter.exclude);
    }
    if (r == 0) {
        r = yl_tree_parse(call->arena, arg(call, 2), NULL, &steps,
                          &call->err);
    }
    if (r == 0) {
        story.live.version = YL_STR("v1");
        story.live.object = yl_node_new_object(call->arena);
        YL_NODE_FOR_EACH (one, steps) {
            r = step(&story, one);
            if (r < 0) {
                break;
            }
        }
    }
    yl_schema_unref(schema);
    return r;
}

/* An object as a server has it that has decoded it. */
static int
decode(struct call *call, const struct yl_scheme *scheme, struct yl_str text,
       struct yl_node **ret_object, struct yl_typed_as *ret_as)
{
    struct yl_typed_as as = { .custom = false };
    const struct yl_kind *kind;
    struct yl_gv gv;
    int r = yl_tree_parse(call->arena, text, NULL, ret_object, &call->err);

    if (r == 0) {
        r = yl_gv_parse(text_of(*ret_object, "apiVersion"), &gv, &call->err);
    }
    if (r < 0) {
        return r;
    }
    kind = yl_scheme_find(scheme, gv.group, gv.version,
                          text_of(*ret_object, "kind"));
    if (!kind) {
        return yl_error_set(&call->err, YL_EBADREQUEST, "no such kind");
    }
    as.type = yl_kind_type(kind);
    *ret_as = as;
    r = yl_normalize_update(call->arena, as.type, *ret_object, &call->err);
    return r < 0 ? r : yl_typed_validate(call->arena, as, *ret_object, true,
                                         &call->err);
}

static int
step(struct story *story, const struct yl_node *what)
{
    struct call *call = story->call;
    struct yl_updater updater = { convert, ignored, story };
    struct yl_typed_object live, now;
    struct yl_conflicts conflicts = { NULL, 0 };
    struct yl_str manager = text_of(what, "manager");
    bool apply = yl_str_equal_c(text_of(what, "op"), "apply"), force = false;
    const struct yl_node *result;
    int r;

    (void) yl_node_bool(yl_node_get(what, YL_STR("force")), &force);
    r = yl_str_equal(story->live.version, text_of(what, "version"))
            ? (live = story->live, 0)
            : convert(story, &story->live, text_of(what, "version"), &live,
                      NULL);
    now = live;
    now.object = yl_node_get(what, YL_STR("object"));
    if (r == 0) {
        r = yl_typed_validate(call->arena, now.as, now.object, !apply, NULL);
    }
    if (r < 0) {
        answer_c(call, "invalid");
        return 0;
    }
    if (apply) {
        r = yl_updater_apply(&updater, call->arena, &live, &now,
                             &story->managers, manager, force, &result,
                             &conflicts, NULL);
        now.object = result;
    } else {
        r = yl_updater_update(&updater, call->arena, &live, &now,
                              &story->managers, manager, NULL);
    }
    if (r == YL_ECONFLICT) {
        answer_conflicts(call, &conflicts);
        return 0;
    } else if (r < 0) {
        answer_c(call, "failed");
        return 0;
    }
    story->live = now;
    if (!now.object) {
        /* The library's objects always have an apiVersion. */
        story->live.object = now.object = yl_node_new_object(call->arena);
    }
    answer_managers(story);
    return answer_node(call, now.object);
}

static int
convert(void *aux, const struct yl_typed_object *from, struct yl_str version,
        struct yl_typed_object *ret_to, struct yl_error *err)
{
    struct story *story = aux;
    struct yl_arena *arena = story->call->arena;
    struct yl_node *copy = from->object ? yl_node_copy(arena, from->object)
                                        : yl_node_new_object(arena);
    struct yl_node *p = NULL, *q = NULL;

    if (yl_str_equal_c(version, "gone")) {
        return yl_error_set(err, YL_ENOTFOUND, "no such version");
    }
    if (yl_node_type(copy) == YL_JSON_OBJECT) {
        p = yl_node_get(copy, YL_STR("p"));
        q = yl_node_get(copy, YL_STR("q"));
    }
    if (p) {
        yl_node_detach(p);
    }
    if (q) {
        yl_node_detach(q);
    }
    if (p) {
        yl_node_set(arena, copy, YL_STR("q"), p);
    }
    if (q) {
        yl_node_set(arena, copy, YL_STR("p"), q);
    }
    *ret_to = *from;
    ret_to->object = copy;
    ret_to->version = version;
    return 0;
}

static const struct yl_field_filter *
ignored(void *aux, struct yl_str version)
{
    struct story *story = aux;

    return version.size ? &story->filter : NULL;
}

static void
answer_managers(struct story *story)
{
    struct yl_buf buf;
    size_t i, j;

    yl_buf_init(&buf, (size_t) 1 << 30);
    for (i = 0; i < story->managers.n; i++) {
        struct yl_manager one = story->managers.items[i];

        /* Go's map has no order. */
        for (j = i; j > 0 && yl_str_compare(story->managers.items[j - 1].key,
                                            one.key) > 0; j--) {
            story->managers.items[j] = story->managers.items[j - 1];
        }
        story->managers.items[j] = one;
    }
    for (i = 0; i < story->managers.n; i++) {
        const struct yl_manager *one = &story->managers.items[i];

        yl_buf_printf(&buf, "%.*s %.*s %s ", YL_STR_ARG(one->key),
                      YL_STR_ARG(one->version),
                      one->applied ? "Apply" : "Update");
        yl_field_set_write(&buf, one->set);
        yl_buf_append_char(&buf, '\n');
    }
    answer(story->call, yl_buf_str(&buf));
    yl_buf_release(&buf);
}

static void
answer_conflicts(struct call *call, const struct yl_conflicts *conflicts)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, (size_t) 1 << 30);
    for (i = 0; i < conflicts->n; i++) {
        yl_buf_printf(&buf, "%.*s %.*s\n",
                      YL_STR_ARG(conflicts->items[i].manager),
                      YL_STR_ARG(conflicts->items[i].path));
    }
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
}

static int
compile(struct call *call, struct yl_str text, struct yl_schema **ret_schema,
        struct yl_typed_as *ret_as)
{
    const struct yl_schema_props *props;
    struct yl_typed_as as = { .custom = true };
    struct yl_node *node;
    int r;

    if (text.size) {
        r = yl_tree_parse(call->arena, text, NULL, &node, &call->err);
        if (r == 0) {
            r = yl_schema_props_read(call->arena, node, NULL, &props,
                                     &call->err);
        }
        if (r == 0) {
            r = yl_schema_compile(props, NULL, ret_schema, &call->err);
        }
        if (r < 0) {
            return r;
        }
        as.type = yl_schema_type(*ret_schema);
    }
    *ret_as = as;
    return 0;
}

static int
parse_set(struct call *call, struct yl_str text,
          const struct yl_field_set **ret_set)
{
    return yl_field_set_parse(call->arena, text, ret_set, &call->err);
}

static void
answer_set(struct call *call, const struct yl_field_set *set)
{
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 1 << 30);
    yl_field_set_write(&buf, set);
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
}

static void
answer_paths(struct call *call, const struct yl_field_set *set)
{
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 1 << 30);
    yl_field_set_for_each(set, append_path, &buf);
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
}

static bool
append_path(void *buf, const struct yl_path_element *path, size_t n)
{
    yl_path_print(buf, path, n);
    yl_buf_append_char(buf, '\n');
    return true;
}

/* JSON, or "null" if there is nothing. */
static int
answer_node(struct call *call, const struct yl_node *node)
{
    return answer_tree(call, node ? node : yl_node_new_null(call->arena));
}

static struct yl_str
text_of(const struct yl_node *object, const char *name)
{
    struct yl_str text = YL_STR("");

    (void) yl_node_string(yl_node_get(object, yl_str_c(name)), NULL, &text);
    return text;
}
