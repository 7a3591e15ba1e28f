/* The condition NonStructuralSchema.  See builtin/apiextensions/definition.h
 * for the contract. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/apiextensions/definition.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/structural.h"

static const char *check_version(struct yl_arena *,
                                 const struct yl_at *open_api,
                                 struct yl_patterns *, struct yl_error *err);
static const char *join(struct yl_arena *, const struct yl_error *);

bool
yl_crd_structural_condition(struct yl_arena *arena,
                            const struct yl_node *object,
                            struct yl_patterns *patterns,
                            struct yl_crd_condition *ret_condition)
{
    struct yl_check c = { arena, NULL };
    struct yl_error err = YL_ERROR_INIT;
    const char *refusal = NULL;
    struct yl_at preserve;
    struct yl_crd crd;
    bool found = true;

    yl_crd_init(&crd, object);
    preserve = yl_at(&crd.spec, "preserveUnknownFields");
    if (yl_at_bool(&preserve)) {
        yl_field_invalid(&err, yl_at_path(&preserve), yl_bad_bool(true),
                         "must be false");
    }
    YL_AT_FOR_EACH (version, &crd.versions) {
        struct yl_at schema = yl_at(&version, "schema");
        struct yl_at open_api = yl_at(&schema, "openAPIV3Schema");

        refusal = yl_at_has(&open_api)
                  ? check_version(arena, &open_api, patterns, &err) : NULL;
        if (refusal) {
            struct yl_str name = yl_at_get_str(&c, &version, "name");

            ret_condition->status = "Unknown";
            ret_condition->reason = "StructuralError";
            ret_condition->message = yl_arena_printf(
                arena, "failed to check validation schema for version %.*s: "
                "%s", YL_STR_ARG(name), refusal);
            break;
        }
    }
    if (!refusal) {
        found = err.n_causes > 0;
        ret_condition->status = "True";
        ret_condition->reason = "Violations";
        ret_condition->message = join(arena, &err);
    }
    yl_error_clear(&err);
    return found;
}

/* Returns why the schema cannot be structural at all; or NULL. */
static const char *
check_version(struct yl_arena *arena, const struct yl_at *open_api,
              struct yl_patterns *patterns, struct yl_error *err)
{
    struct yl_structural_opts opts = { yl_at_path(open_api),
                                       yl_patterns_match, patterns };
    const struct yl_schema_props *props = NULL;
    struct yl_error fault = YL_ERROR_INIT;
    const char *refusal;

    if (yl_schema_props_read(arena, open_api->node, NULL, &props, &fault)
        < 0) {
        refusal = yl_arena_strdup(arena, yl_str_c(yl_error_message(&fault)));
        yl_error_clear(&fault);
        return refusal;
    }
    refusal = yl_structural_refusal(props);
    if (!refusal) {
        yl_structural_check(props, &opts, err);
    }
    return refusal;
}

/* "FIELD: MESSAGE", or several of them in brackets; each text once. */
static const char *
join(struct yl_arena *arena, const struct yl_error *err)
{
    struct yl_node *seen = yl_node_new_object(arena);
    const char *text;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < err->n_causes; i++) {
        text = yl_arena_printf(arena, "%s: %s", err->causes[i].field,
                               err->causes[i].message);
        if (yl_set_add(arena, seen, yl_str_c(text))) {
            yl_buf_printf(&buf, "%s%s", seen->n > 1 ? ", " : "", text);
        }
    }
    text = seen->n > 1 ? yl_arena_printf(arena, "[%s]", yl_buf_c_str(&buf))
                       : yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
