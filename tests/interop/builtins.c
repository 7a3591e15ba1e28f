/* What the rules of Kubernetes' own kinds make of objects. */

#include "driver.h"

#include "builtin/builtin.h"
#include "builtin/columns/columns.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/normalize.h"
#include "yuloh/scheme.h"

#define UID "01234567-89ab-cdef-0123-456789abcdef"

extern const struct yl_type_set core_v1_types, apps_v1_types, batch_v1_types,
                                events_v1_types, coordination_v1_types,
                                apiextensions_v1_types;

struct subject {
    struct yl_scheme *scheme;
    struct yl_node *object;
    struct yl_str group;
    struct yl_str version;
    struct yl_str kind;
    const struct yl_kind *type;
    const struct yl_builtin *rules;     /* NULL: none but the type's. */
};

static int read_subject(struct call *, struct subject *);
static int create(struct call *, struct subject *);
static void fill_in(struct call *, const struct subject *);
static int answer_causes(struct call *);

/* object, namespace.  Answers with "object" and what would be stored, or with
 * "invalid" and the causes. */
OP(builtin_create)
{
    struct subject s = { .scheme = yl_scheme_new() };
    int r = read_subject(call, &s);

    if (r == 0) {
        r = create(call, &s);
    }
    yl_scheme_free(s.scheme);
    return r;
}

/* object, seconds.  Answers with the columns of its Table, the cells and the
 * conditions of its row. */
OP(builtin_table)
{
    struct subject s = { .scheme = yl_scheme_new() };
    struct yl_time now = { arg_int(call, 1), 0 };
    const struct yl_columns *columns;
    struct yl_json object = yl_json(arg(call, 0));
    struct yl_buf buf;
    int r = read_subject(call, &s);

    if (r == 0) {
        columns = yl_builtin_columns(s.group, s.kind);
        yl_buf_init(&buf, SIZE_MAX);
        yl_columns_write_definitions(columns, &buf);
        answer(call, yl_buf_str(&buf));
        yl_buf_clear(&buf);
        yl_columns_write_cells(columns, object, now, call->arena, &buf);
        answer(call, yl_buf_str(&buf));
        yl_buf_clear(&buf);
        yl_columns_write_conditions(columns, object, &buf);
        answer(call, yl_buf_str(&buf));
        yl_buf_release(&buf);
    }
    yl_scheme_free(s.scheme);
    return r;
}

static int
read_subject(struct call *call, struct subject *s)
{
    struct yl_check c = { call->arena, NULL };
    struct yl_str first, second;
    struct yl_at root;
    int r = yl_tree_parse(call->arena, arg(call, 0), NULL, &s->object,
                          &call->err);

    if (r < 0) {
        return r;
    }
    yl_scheme_add(s->scheme, &core_v1_types);
    yl_scheme_add(s->scheme, &apps_v1_types);
    yl_scheme_add(s->scheme, &batch_v1_types);
    yl_scheme_add(s->scheme, &events_v1_types);
    yl_scheme_add(s->scheme, &coordination_v1_types);
    yl_scheme_add(s->scheme, &apiextensions_v1_types);
    root = yl_at_root(s->object);
    s->version = yl_at_get_str(&c, &root, "apiVersion");
    s->kind = yl_at_get_str(&c, &root, "kind");
    if (yl_str_cut(s->version, '/', &first, &second)) {
        s->group = first;
        s->version = second;
    }
    s->type = yl_scheme_find(s->scheme, s->group, s->version, s->kind);
    s->rules = yl_builtin_find(s->group, s->version, s->kind);
    return s->type ? 0 : yl_error_set(&call->err, YL_ENOTFOUND,
                                      "no such kind");
}

static int
create(struct call *call, struct subject *s)
{
    struct yl_type_ref type = yl_kind_type(s->type);
    int r = yl_normalize(call->arena, type, s->object, NULL, &call->err);

    if (r < 0) {
        return r;
    }
    if (s->rules) {
        yl_builtin_default(s->rules, call->arena, s->object);
        fill_in(call, s);
        yl_builtin_prepare(s->rules, call->arena, s->object);
        if (yl_builtin_validate(s->rules, call->arena, s->object,
                                &call->err) < 0) {
            return answer_causes(call);
        }
    }
    if (yl_str_equal_c(s->group, "apiextensions.k8s.io")) {
        r = yl_normalize(call->arena, type, s->object, NULL, &call->err);
    } else {
        r = yl_normalize_stored(call->arena, type, s->object, &call->err);
    }
    if (r < 0) {
        return r;
    }
    answer_c(call, "object");
    return answer_tree(call, s->object);
}

/* What a server sets before it validates. */
static void
fill_in(struct call *call, const struct subject *s)
{
    struct yl_arena *arena = call->arena;
    struct yl_node *metadata = yl_member_make(arena, s->object, "metadata");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(metadata);
    struct yl_str prefix = yl_at_get_str(&c, &at, "generateName");

    if (prefix.size && yl_member_is_zero(metadata, "name")) {
        yl_member_set_str(
            arena, metadata, "name",
            yl_arena_printf(arena, "%.*sxxxxx", YL_STR_ARG(prefix)));
    }
    if (s->rules->namespaced) {
        yl_member_default_str(arena, metadata, "namespace",
                              yl_arena_strdup(arena, arg(call, 1)));
    } else {
        yl_member_drop(metadata, "namespace");
    }
    yl_member_set_str(arena, metadata, "uid", UID);
    yl_member_drop(metadata, "managedFields");
    yl_member_drop(metadata, "creationTimestamp");
    yl_member_drop(metadata, "deletionTimestamp");
    yl_member_drop(metadata, "deletionGracePeriodSeconds");
    yl_member_drop(metadata, "selfLink");
}

static int
answer_causes(struct call *call)
{
    size_t i;

    answer_c(call, "invalid");
    for (i = 0; i < call->err.n_causes; i++) {
        const struct yl_cause *cause = &call->err.causes[i];

        answer_c(call, cause->reason);
        answer_c(call, cause->field);
        answer_c(call, cause->message);
    }
    return 0;
}
