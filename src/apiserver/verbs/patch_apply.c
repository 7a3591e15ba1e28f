/* Applying the patch of a request.  See patch_apply.h for the contract. */

#include "apiserver/verbs/patch_apply.h"

#include <stdlib.h>

#include "apiserver/request.h"
#include "apiserver/strategy/scheme.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/body_kind.h"
#include "apiserver/verbs/patch_strict.h"
#include "apiserver/verbs/write.h"
#include "base/quote.h"
#include "json/merge.h"
#include "json/patch.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/go_print.h"
#include "schema/restore.h"
#include "schema/strategic.h"
#include "schema/strict.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

static int read_json_type(struct yl_str header, const char *const *types,
                          enum yl_patch_type *ret_type, struct yl_status *);
static int apply(struct yl_arena *, enum yl_patch_type,
                 const struct yl_kind *, struct yl_node **root,
                 const struct yl_node *patch, struct yl_status *);
static int parse(struct yl_arena *, enum yl_patch_type,
                 enum yl_field_validation, struct yl_str text,
                 struct yl_strict *, struct yl_node **ret_patch,
                 struct yl_status *);
static int decode(struct yl_api_request *, struct yl_arena *,
                  enum yl_patch_type, const struct yl_kind *,
                  struct yl_node **root, struct yl_strict *,
                  struct yl_error *err);
static int missing_kind(const struct yl_node *root, struct yl_error *);
static int judge(struct yl_api_request *, enum yl_patch_type,
                 enum yl_field_validation, const struct yl_strict *,
                 const struct yl_node *shown, struct yl_status *);
static int refuse(enum yl_patch_type, const struct yl_node *shown,
                  const char *why, struct yl_status *);
static int rejected(struct yl_status *);
static bool is_unversioned(const struct yl_node *root);
static void warn_of_all(struct yl_api_request *, struct yl_arena *,
                        const struct yl_node *root);
static int compare_texts(const void *, const void *);
static int apply_failed(enum yl_patch_type, struct yl_error *,
                        struct yl_status *);

int
yl_patch_read_type(const struct yl_api_request *req,
                   enum yl_patch_type *ret_type, struct yl_status *status)
{
    static const char *const types[] = {
        [YL_PATCH_JSON] = "application/json-patch+json",
        [YL_PATCH_MERGE] = "application/merge-patch+json",
        [YL_PATCH_STRATEGIC] = "application/strategic-merge-patch+json",
        [YL_PATCH_APPLY] = "application/apply-patch+yaml",
    };
    struct yl_str header = yl_http_header(req->http, YL_STR("content-type"));
    struct yl_str one, after;
    size_t i;

    if (req->resource->strategy->flags & YL_STRATEGY_UNSTRUCTURED) {
        return read_json_type(header, types, ret_type, status);
    }
    for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
        one = header;
        yl_str_cut(header, ';', &one, &after);
        if (yl_str_equal_c(one, types[i])) {
            *ret_type = (enum yl_patch_type) i;
            return 0;
        }
    }
    yl_status_clear(status);
    /* Upstream's router accepts a list of types if it knows one of them; its
     * handler then refuses the list, with another error. */
    while (header.size) {
        if (!yl_str_cut(header, ',', &one, &header)) {
            one = header;
            header = yl_str_null();
        }
        yl_str_cut(one, ';', &one, &after);
        for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
            if (yl_str_equal_c(yl_str_trim(one), types[i])) {
                return yl_error_set(&status->error, YL_EMEDIATYPE,
                                    "the body of the request was in an "
                                    "unknown format - accepted media types "
                                    "include: %s, %s, %s, %s", types[0],
                                    types[1], types[2], types[3]);
            }
        }
    }
    status->has_details = true;
    return yl_error_set(&status->error, YL_EMEDIATYPE,
                        "415: Unsupported Media Type");
}

/* The same for objects without a Go type, by upstream's other handler. */
static int
read_json_type(struct yl_str header, const char *const *types,
               enum yl_patch_type *ret_type, struct yl_status *status)
{
    static const enum yl_patch_type known[] = {
        YL_PATCH_JSON, YL_PATCH_MERGE, YL_PATCH_APPLY,
    };
    struct yl_str one = header, after;
    size_t i;

    yl_str_cut(header, ';', &one, &after);
    for (i = 0; i < YL_ARRAY_SIZE(known); i++) {
        if (yl_str_equal_c(one, types[known[i]])) {
            *ret_type = known[i];
            return 0;
        }
    }
    yl_status_clear(status);
    return yl_error_set(&status->error, YL_EMEDIATYPE,
                        "the body of the request was in an unknown format - "
                        "accepted media types include: %s, %s, %s",
                        types[YL_PATCH_JSON], types[YL_PATCH_MERGE],
                        types[YL_PATCH_APPLY]);
}

int
yl_patch_apply_body(struct yl_api_request *req, struct yl_arena *arena,
                    enum yl_patch_type type, enum yl_field_validation fields,
                    const struct yl_kind *kind, struct yl_node **root,
                    struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_strict strict;
    struct yl_node *patch;
    const struct yl_node *shown;
    int r;

    yl_strict_init(&strict, arena);
    r = parse(arena, type, fields, req->http->body, &strict, &patch, status);
    if (r == 0) {
        r = apply(arena, type, kind, root, patch, status);
    }
    if (r == 0 && type != YL_PATCH_STRATEGIC && is_unversioned(*root)) {
        if (fields == YL_FIELDS_WARN) {
            warn_of_all(req, arena, *root);
        }
        r = yl_status_bad_request(status, yl_str_c(yl_arena_printf(
            arena, "the name of the object (%.*s based on URL) was "
                   "undeterminable: name must be provided",
            YL_STR_ARG(req->info.name))));
    }
    if (r == 0) {
        /* The text for messages: the result, or the patch as Go prints it. */
        shown = type == YL_PATCH_STRATEGIC ? patch
                                           : yl_node_copy(arena, *root);
        if (decode(req, arena, type, kind, root, &strict, &err) < 0) {
            r = refuse(type, shown, yl_error_message(&err), status);
        } else {
            r = judge(req, type, fields, &strict, shown, status);
        }
    }
    yl_error_clear(&err);
    yl_strict_release(&strict);
    return r;
}

static int
apply(struct yl_arena *arena, enum yl_patch_type type,
      const struct yl_kind *kind, struct yl_node **root,
      const struct yl_node *patch, struct yl_status *status)
{
    struct yl_patch_opts json = { .kubernetes = true };
    struct yl_merge_opts merge = { .kubernetes = true };
    struct yl_error err = YL_ERROR_INIT;
    int r;

    switch (type) {
    case YL_PATCH_JSON:
        r = yl_node_type(patch) == YL_JSON_NULL
            ? 0 : yl_patch_apply(arena, root, patch, &json, &err);
        break;
    case YL_PATCH_MERGE:
        r = yl_merge_apply(arena, root, patch, &merge, &err);
        break;
    default:
        r = yl_node_type(patch) == YL_JSON_NULL
            ? 0 : yl_strategic_apply(arena, yl_kind_type(kind), root, patch,
                                     &err);
        break;
    }
    return r < 0 ? apply_failed(type, &err, status) : 0;
}

/* Reads the patch, and checks its form as upstream does before it applies
 * one. */
static int
parse(struct yl_arena *arena, enum yl_patch_type type,
      enum yl_field_validation fields, struct yl_str text,
      struct yl_strict *strict, struct yl_node **ret_patch,
      struct yl_status *status)
{
    const char *prefix = type == YL_PATCH_STRATEGIC ? ""
                                                    : "error decoding patch: ";
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_body_parse_json(arena, text, strict, ret_patch, &err);

    if (r == 0
        && (fields != YL_FIELDS_IGNORE || type == YL_PATCH_STRATEGIC)) {
        r = yl_patch_check_numbers(type == YL_PATCH_JSON, *ret_patch, &err);
    }
    if (r == 0 && type == YL_PATCH_JSON && fields != YL_FIELDS_IGNORE) {
        prefix = "";
        r = yl_node_type(*ret_patch) == YL_JSON_NULL
            ? 0 : yl_patch_check(*ret_patch, &err);
    } else if (r == 0 && type == YL_PATCH_STRATEGIC
               && yl_node_type(*ret_patch) != YL_JSON_OBJECT
               && yl_node_type(*ret_patch) != YL_JSON_NULL) {
        r = yl_error_set(&err, YL_EBADREQUEST,
                         "json: cannot unmarshal %s into Go value of type "
                         "map[string]interface {}",
                         yl_body_json_type(*ret_patch));
    }
    if (r < 0) {
        yl_status_bad_request(
            status, yl_str_c(yl_arena_printf(arena, "%s%s", prefix,
                                             yl_error_message(&err))));
        yl_error_clear(&err);
        return YL_EBADREQUEST;
    }
    yl_patch_find_strict(type == YL_PATCH_JSON, *ret_patch, strict);
    return 0;
}

/* Decodes the result as an object of its kind. */
static int
decode(struct yl_api_request *req, struct yl_arena *arena,
       enum yl_patch_type type, const struct yl_kind *kind,
       struct yl_node **root, struct yl_strict *strict, struct yl_error *err)
{
    bool unstructured = yl_body_is_unstructured(req, kind);
    struct yl_gvk gvk;
    size_t n;
    int r = 0;

    if (type == YL_PATCH_STRATEGIC) {
        if (yl_node_type(*root) != YL_JSON_OBJECT) {
            *root = yl_node_new_object(arena);
        }
        r = yl_restore(arena, yl_kind_type(kind), *root, err);
        yl_body_set_type(arena, *root, kind);
    }
    if (r == 0) {
        r = yl_body_gvk(arena, root, unstructured ? NULL : kind, &gvk, err);
    }
    if (r == 0 && unstructured && !gvk.kind.size) {
        r = missing_kind(*root, err);
    } else if (r == 0 && !unstructured && !yl_body_is_kind(&gvk, kind)) {
        r = yl_scheme_has(req->server, &gvk)
            ? yl_body_no_conversion(gvk, kind, err)
            : yl_body_unknown_kind(gvk, arena, err);
    }
    n = strict->n_errors;
    if (r == 0) {
        r = yl_body_decode(req, arena, kind, *root, strict, err);
        if (r < 0 && type == YL_PATCH_STRATEGIC
            && yl_str_starts_with(yl_str_c(yl_error_message(err)),
                                  YL_STR("illegal base64"))) {
            yl_error_prefix(err, "error decoding from json");
        }
    }
    if (strict->n_errors > n + 1) {
        /* Unknown members are reported in the order of their names. */
        qsort(strict->errors + n, strict->n_errors - n,
              sizeof *strict->errors, compare_texts);
    }
    if (r == 0 && !unstructured) {
        yl_body_set_type(arena, *root, kind);
    }
    return r;
}

static int
missing_kind(const struct yl_node *root, struct yl_error *err)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, root);
    r = yl_error_set(err, YL_EBADREQUEST, "Object 'Kind' is missing in "
                     "'%.*s'", YL_STR_ARG(yl_excerpt(yl_buf_str(&text),
                                                     YL_EXCERPT_MAX)));
    yl_buf_release(&text);
    return r;
}

/* Has the patch removed apiVersion?  Then upstream reports nothing else. */
static bool
is_unversioned(const struct yl_node *root)
{
    const struct yl_node *version;

    if (yl_node_type(root) != YL_JSON_OBJECT) {
        return false;
    }
    version = yl_node_get(root, YL_STR("apiVersion"));
    return !version || yl_node_type(version) == YL_JSON_NULL
           || (yl_node_type(version) == YL_JSON_STRING
               && yl_node_string_is(version, YL_STR("")));
}

static void
warn_of_all(struct yl_api_request *req, struct yl_arena *arena,
            const struct yl_node *root)
{
    const struct yl_node **members, *member;
    size_t n = 0, i;

    YL_NODE_FOR_EACH (member, root) {
        n++;
    }
    members = yl_arena_array(arena, n, sizeof *members);
    n = 0;
    YL_NODE_FOR_EACH (member, root) {
        members[n++] = member;
    }
    yl_node_sort_members(members, n);
    for (i = 0; i < n; i++) {
        struct yl_str name = yl_node_key(members[i]);

        if (!yl_str_equal(name, YL_STR("apiVersion"))
            && !yl_str_equal(name, YL_STR("kind"))) {
            yl_api_warn(req, "unknown field \"%.*s\"", YL_STR_ARG(name));
        }
    }
}

static int
judge(struct yl_api_request *req, enum yl_patch_type type,
      enum yl_field_validation fields, const struct yl_strict *strict,
      const struct yl_node *shown, struct yl_status *status)
{
    struct yl_buf why;
    int r = 0;

    if (strict->n_errors && fields == YL_FIELDS_WARN) {
        yl_body_warn(req, strict);
    } else if (strict->n_errors && fields == YL_FIELDS_STRICT) {
        yl_buf_init(&why, SIZE_MAX);
        yl_buf_append_c(&why, "strict decoding error: ");
        yl_strict_write(&why, strict);
        r = refuse(type, shown, yl_buf_c_str(&why), status);
        yl_buf_release(&why);
    }
    return r;
}

/* Refuses a result that is no object of its kind. */
static int
refuse(enum yl_patch_type type, const struct yl_node *shown, const char *why,
       struct yl_status *status)
{
    struct yl_field_path path = yl_field_member(NULL, YL_STR("patch"));
    struct yl_gvk nothing = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    if (type == YL_PATCH_STRATEGIC) {
        yl_go_print(&text, shown);
    } else {
        yl_node_write(&text, shown);
    }
    yl_field_invalid(&err, &path, yl_bad_string(yl_buf_str(&text)), "%s",
                     why);
    r = yl_status_invalid(status, nothing, YL_STR(""), &err);
    yl_buf_release(&text);
    yl_error_clear(&err);
    return r;
}

static int
apply_failed(enum yl_patch_type type, struct yl_error *err,
             struct yl_status *status)
{
    struct yl_str why = yl_str_c(yl_error_message(err));
    int r = err->code;

    if (r == YL_ETESTFAILED || r == YL_EINVALID) {
        rejected(status);
    } else if (r == YL_ETOOBIG) {
        yl_status_too_large(status, why);
    } else if (r == YL_EINTERNAL && type == YL_PATCH_STRATEGIC) {
        yl_write_odd_error(status, yl_error_message(err));
    } else {
        yl_status_bad_request(status, why);
    }
    yl_error_clear(err);
    return r;
}

/* Refuses without a reason, as upstream does. */
static int
rejected(struct yl_status *status)
{
    yl_status_clear(status);
    status->has_details = true;
    return yl_error_set(&status->error, YL_EINVALID,
                        "the server rejected our request due to an error in "
                        "our request");
}

static int
compare_texts(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}
