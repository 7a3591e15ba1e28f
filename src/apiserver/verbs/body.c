/* Bodies of requests.  See body.h for the contract. */

#include "apiserver/verbs/body.h"

#include "apiserver/answer/protobuf.h"
#include "apiserver/request.h"
#include "apiserver/strategy/scheme.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/body_kind.h"
#include "apiserver/verbs/body_protobuf.h"
#include "apiserver/verbs/patch_strict.h"
#include "base/arena.h"
#include "base/quote.h"
#include "json/member.h"
#include "json/tree.h"
#include "json/yaml_in.h"
#include "schema/at.h"
#include "schema/normalize.h"
#include "schema/strict.h"
#include "yuloh/status.h"

/* How many bytes of a body a message shows. */
#define SUMMARY_BYTES 30

/* The encoding of a body. */
enum body_form {
    BODY_JSON,
    BODY_YAML,
    BODY_PROTOBUF,
};

static int unstructured_object(struct yl_api_request *, const struct yl_kind *,
                               enum yl_field_validation, struct yl_strict *,
                               size_t n_yaml, struct yl_gvk,
                               struct yl_node *root,
                               struct yl_node **ret_root, struct yl_status *);
static int check_type(const struct yl_api_request *, enum body_form *ret_form,
                      struct yl_status *);
static int parse(struct yl_api_request *, struct yl_arena *,
                 enum body_form, struct yl_strict *,
                 struct yl_node **ret_root, struct yl_error *err);
static int open_message(struct yl_api_request *, struct yl_arena *,
                        enum body_form, struct yl_type_ref,
                        struct yl_node *root, struct yl_error *err);
static int parse_yaml(struct yl_arena *, struct yl_str text,
                      struct yl_strict *, struct yl_node **ret_root,
                      struct yl_error *err);
static int parse_sorted(struct yl_arena *, struct yl_str yaml,
                        struct yl_strict *, struct yl_node **ret_root,
                        struct yl_error *err);
static void add_yaml_faults(struct yl_strict *, struct yl_str message);
static int judge(struct yl_api_request *, enum yl_field_validation,
                 const struct yl_strict *, size_t n_yaml,
                 const struct yl_kind *,
                 struct yl_status *);
static int unrecognized(const struct yl_api_request *, const char *kind,
                        struct yl_error *, struct yl_status *);
static int unhandled(struct yl_str kind, struct yl_str version,
                     const char *wanted, const char *why, struct yl_status *);
static int other_kind(struct yl_api_request *, struct yl_arena *,
                      const struct yl_kind *, struct yl_gvk,
                      struct yl_status *);
static int other_version_in_data(struct yl_arena *, const struct yl_kind *,
                                 struct yl_gvk, struct yl_status *);
static int bad_request(struct yl_status *, struct yl_error *);

int
yl_body_begin(const struct yl_api_request *req, struct yl_status *status)
{
    enum body_form form;

    return check_type(req, &form, status);
}

int
yl_body_object(struct yl_api_request *req, struct yl_arena *arena,
               const struct yl_kind *kind, enum yl_field_validation fields,
               struct yl_node **ret_root, struct yl_status *status)
{
    return yl_body_object_like(req, arena, kind, NULL, fields, ret_root,
                               status);
}

int
yl_body_object_like(struct yl_api_request *req, struct yl_arena *arena,
                    const struct yl_kind *kind, const char *other_version,
                    enum yl_field_validation fields,
                    struct yl_node **ret_root, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_strict strict;
    struct yl_node *root = NULL;
    struct yl_gvk gvk = { .kind = yl_str_null() };
    enum body_form form = BODY_JSON;
    bool unstructured = yl_body_is_unstructured(req, kind);
    size_t n_yaml;
    int r;

    r = check_type(req, &form, status);
    if (r < 0) {
        return r;
    }
    yl_strict_init(&strict, arena);
    r = parse(req, arena, form, &strict, &root, &err);
    n_yaml = form == BODY_YAML ? strict.n_errors : 0;
    if (r == 0) {
        r = yl_body_gvk(arena, &root, unstructured ? NULL : kind, &gvk, &err);
    }
    if (r == 0 && unstructured) {
        return unstructured_object(req, kind, fields, &strict, n_yaml, gvk,
                                   root, ret_root, status);
    }
    if (r == 0 && other_version
        && yl_str_equal_c(gvk.kind, kind->name)
        && yl_str_equal_c(gvk.version, other_version)) {
        gvk.version = yl_str_c(kind->set->version);
    }
    if (r < 0) {
        r = unrecognized(req, kind->name, &err, status);
    } else if (!yl_body_is_kind(&gvk, kind)) {
        r = other_kind(req, arena, kind, gvk, status);
    } else {
        r = open_message(req, arena, form, yl_kind_type(kind), root, &err);
        r = r < 0 ? r : yl_body_decode(req, arena, kind, root, &strict, &err);
        r = r < 0 ? unhandled(gvk.kind, gvk.version, kind->name,
                              yl_error_message(&err), status)
                  : judge(req, fields, &strict, n_yaml, kind, status);
    }
    if (r == 0) {
        yl_body_set_type(arena, root, kind);
        *ret_root = root;
    }
    yl_strict_release(&strict);
    yl_error_clear(&err);
    return r;
}

bool
yl_body_is_unstructured(const struct yl_api_request *req,
                        const struct yl_kind *kind)
{
    return req->version && req->version->kind == kind
           && req->resource->strategy->flags & YL_STRATEGY_UNSTRUCTURED;
}

int
yl_body_decode(struct yl_api_request *req, struct yl_arena *arena,
               const struct yl_kind *kind, struct yl_node *root,
               struct yl_strict *strict, struct yl_error *err)
{
    return req->version && req->version->kind == kind
           ? yl_strategy_decode(req->resource, req->version, arena, root,
                                strict, err)
           : yl_normalize_decoded(arena, yl_kind_type(kind), root, strict,
                                  err);
}

int
yl_body_delete_options(struct yl_api_request *req, struct yl_node **ret_root,
                       struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root = NULL;
    struct yl_type_ref type = { NULL, NULL };
    struct yl_gvk gvk = { .kind = yl_str_null() };
    enum body_form form = BODY_JSON;
    int r;

    r = check_type(req, &form, status);
    if (r < 0) {
        return r;
    }
    r = parse(req, req->arena, form, NULL, &root, &err);
    if (r == 0) {
        r = yl_body_gvk(req->arena, &root, NULL, &gvk, &err);
    }
    if (r == 0 && gvk.kind.size
        && !yl_str_equal(gvk.kind, YL_STR("DeleteOptions"))) {
        r = yl_body_other_options(gvk, req->arena, &err);
    }
    if (r == 0) {
        yl_member_drop(root, "apiVersion");
        yl_member_drop(root, "kind");
        type = yl_answer_type(YL_STR("DeleteOptions"));
        r = open_message(req, req->arena, form, type, root, &err);
    }
    if (r == 0) {
        r = yl_normalize_decoded(req->arena, type, root, NULL, &err);
    }
    if (r < 0) {
        return bad_request(status, &err);
    }
    *ret_root = root;
    return 0;
}

void
yl_body_warn(struct yl_api_request *req, const struct yl_strict *strict)
{
    size_t i;

    for (i = 0; i < strict->n_errors; i++) {
        yl_api_warn(req, "%.*s", YL_STR_ARG(strict->errors[i]));
    }
}

/* Goes on with a body that was parsed.  Upstream decodes it into a map, which
 * takes its kind from the body alone. */
static int
unstructured_object(struct yl_api_request *req, const struct yl_kind *kind,
                    enum yl_field_validation fields, struct yl_strict *strict,
                    size_t n_yaml, struct yl_gvk gvk, struct yl_node *root,
                    struct yl_node **ret_root, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    if (!gvk.kind.size) {
        yl_error_set(&err, YL_EBADREQUEST, "Object 'Kind' is missing in "
                     "'%.*s'", YL_STR_ARG(yl_excerpt(req->http->body,
                                                     YL_EXCERPT_MAX)));
        r = unrecognized(req, kind->name, &err, status);
    } else {
        r = yl_patch_check_numbers(false, root, &err);
        r = r < 0 ? r : yl_body_decode(req, strict->arena, kind, root, strict,
                                       &err);
        r = r < 0 ? unhandled(gvk.kind, gvk.version, kind->name,
                              yl_error_message(&err), status)
                  : judge(req, fields, strict, n_yaml, kind, status);
    }
    if (r == 0
        && (!yl_str_equal_c(gvk.group, kind->set->group)
            || !yl_str_equal_c(gvk.version, kind->set->version))) {
        r = other_version_in_data(strict->arena, kind, gvk, status);
    }
    if (r == 0) {
        *ret_root = root;
    }
    yl_strict_release(strict);
    yl_error_clear(&err);
    return r;
}

/* Can this Content-Type be read?  0, or YL_EMEDIATYPE with a Status. */
static int
check_type(const struct yl_api_request *req, enum body_form *ret_form,
           struct yl_status *status)
{
    static const char *const names[] = {
        [BODY_JSON] = "application/json",
        [BODY_YAML] = "application/yaml",
        [BODY_PROTOBUF] = "application/vnd.kubernetes.protobuf",
    };
    struct yl_str type = yl_http_header(req->http, YL_STR("content-type"));
    struct yl_str params = yl_str_null();
    bool absent = !type.size;
    size_t i;

    yl_str_cut(type, ';', &type, &params);
    type = yl_str_trim(type);
    for (i = 0; i < YL_ARRAY_SIZE(names) && yl_body_has_params(params); i++) {
        if (absent || yl_body_media_is(type, names[i])) {
            *ret_form = (enum body_form) i;
            return 0;
        }
    }
    yl_status_clear(status);
    return yl_error_set(&status->error, YL_EMEDIATYPE,
                        "the body of the request was in an unknown format - "
                        "accepted media types include: application/json, "
                        "application/yaml, "
                        "application/vnd.kubernetes.protobuf");
}

/* Parses the body; of protobuf, the envelope only. */
static int
parse(struct yl_api_request *req, struct yl_arena *arena,
      enum body_form form, struct yl_strict *strict,
      struct yl_node **ret_root, struct yl_error *err)
{
    int r;

    if (form == BODY_YAML) {
        return parse_sorted(arena, req->http->body, strict, ret_root, err);
    }
    if (form == BODY_PROTOBUF) {
        return yl_body_protobuf_open(arena, req->http->body, ret_root, err);
    }
    r = yl_body_parse_json(arena, req->http->body, strict, ret_root, err);
    if (r < 0) {
        yl_error_prefix(err, "couldn't get version/kind; json parse error");
    }
    return r;
}

/* Decodes the message in the envelope of protobuf, if it is that. */
static int
open_message(struct yl_api_request *req, struct yl_arena *arena,
             enum body_form form, struct yl_type_ref type,
             struct yl_node *root, struct yl_error *err)
{
    return form == BODY_PROTOBUF
           ? yl_body_protobuf_read(req, arena, type, root, err) : 0;
}

static int
parse_yaml(struct yl_arena *arena, struct yl_str text,
           struct yl_strict *strict, struct yl_node **ret_root,
           struct yl_error *err)
{
    struct yl_yaml_opts opts = { .refuse_duplicates = strict != NULL,
                                 .go_messages = true };
    struct yl_error first = YL_ERROR_INIT;
    int r = yl_yaml_parse(arena, text, &opts, ret_root, &first);

    if (r == YL_EDUPLICATE) {
        add_yaml_faults(strict, yl_str_c(yl_error_message(&first)));
        yl_error_clear(&first);
        opts.refuse_duplicates = false;
        return yl_yaml_parse(arena, text, &opts, ret_root, err);
    }
    if (r < 0) {
        *err = first;
    }
    return r;
}

/* Parses YAML with its members sorted by name: upstream turns YAML into JSON
 * in that order, and reports errors in that order. */
static int
parse_sorted(struct yl_arena *arena, struct yl_str yaml,
             struct yl_strict *strict, struct yl_node **ret_root,
             struct yl_error *err)
{
    struct yl_arena scratch;    /* Holds the tree in the order that was
                                 * sent. */
    struct yl_node *root;
    struct yl_buf text;
    int r;

    yl_arena_init(&scratch);
    yl_arena_set_account(&scratch, arena->account);
    yl_buf_init(&text, SIZE_MAX);
    r = parse_yaml(&scratch, yaml, strict, &root, err);
    if (r == 0) {
        yl_node_write_canonical(&text, root);
    }
    yl_arena_release(&scratch);
    if (r == 0) {
        r = yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&text)),
                          NULL, ret_root, err);
    }
    yl_buf_release(&text);
    return r;
}

/* "yaml: unmarshal errors:\n  line 3: ...\n  line 4: ..." */
static void
add_yaml_faults(struct yl_strict *strict, struct yl_str message)
{
    struct yl_str line, rest;

    if (!yl_str_cut(message, '\n', &line, &rest)) {
        rest = message;
    }
    while (rest.size && strict->n_errors < YL_STRICT_MAX) {
        if (!yl_str_cut(rest, '\n', &line, &rest)) {
            line = rest;
            rest = yl_str_null();
        }
        strict->errors[strict->n_errors++] = yl_arena_copy(strict->arena,
                                                           yl_str_trim(line));
    }
}

/* Turns unknown and repeated members into Warnings, errors or nothing.  The
 * first 'n_yaml' of them make one error of the YAML, if they are errors. */
static int
judge(struct yl_api_request *req, enum yl_field_validation fields,
      const struct yl_strict *strict, size_t n_yaml,
      const struct yl_kind *kind, struct yl_status *status)
{
    struct yl_buf why;
    size_t i;
    int r = 0;

    if (strict->n_errors && fields == YL_FIELDS_WARN) {
        yl_body_warn(req, strict);
    } else if (strict->n_errors && fields == YL_FIELDS_STRICT) {
        yl_buf_init(&why, SIZE_MAX);
        yl_buf_append_c(&why, "strict decoding error: ");
        yl_buf_append_c(&why, n_yaml ? "yaml: unmarshal errors:" : "");
        for (i = 0; i < strict->n_errors; i++) {
            yl_buf_append_c(&why, i < n_yaml ? "\n  " : i ? ", " : "");
            yl_buf_append_str(&why, strict->errors[i]);
        }
        r = unhandled(yl_str_c(kind->name), yl_str_c(kind->set->version),
                      kind->name, yl_buf_c_str(&why), status);
        yl_buf_release(&why);
    }
    return r;
}

static int
unrecognized(const struct yl_api_request *req, const char *kind,
             struct yl_error *err, struct yl_status *status)
{
    struct yl_str body = req->http->body;
    size_t i, n = body.size < SUMMARY_BYTES ? body.size : SUMMARY_BYTES;
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_printf(&text, "the object provided is unrecognized (must be of "
                         "type %s): %s (", kind, yl_error_message(err));
    if (!body.size) {
        yl_buf_append_c(&text, "<empty>");
    } else if (body.data[0] == '{') {
        yl_buf_append(&text, body.data, n);
    } else {
        for (i = 0; i < n; i++) {
            yl_buf_printf(&text, "%02x", (unsigned char) body.data[i]);
        }
    }
    yl_buf_append_c(&text, n < body.size ? " ...)" : ")");
    r = yl_status_bad_request(status, yl_buf_str(&text));
    yl_buf_release(&text);
    return r;
}

static int
unhandled(struct yl_str kind, struct yl_str version, const char *wanted,
          const char *why, struct yl_status *status)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_printf(&text, "%.*s in version \"%.*s\" cannot be handled as a "
                         "%s: %s", YL_STR_ARG(kind), YL_STR_ARG(version),
                  wanted, why);
    r = yl_status_bad_request(status, yl_buf_str(&text));
    yl_buf_release(&text);
    return r;
}

/* Refuses a body whose apiVersion and kind are not the expected ones. */
static int
other_kind(struct yl_api_request *req, struct yl_arena *arena,
           const struct yl_kind *kind, struct yl_gvk gvk,
           struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    if (yl_body_is_other_version(req->server, &gvk, kind)) {
        return other_version_in_data(arena, kind, gvk, status);
    }
    if (yl_scheme_has(req->server, &gvk)) {
        yl_body_no_conversion(gvk, kind, &err);
    } else {
        yl_body_unknown_kind(gvk, arena, &err);
    }
    r = unhandled(gvk.kind, gvk.version, kind->name, yl_error_message(&err),
                  status);
    yl_error_clear(&err);
    return r;
}

static int
other_version_in_data(struct yl_arena *arena, const struct yl_kind *kind,
                      struct yl_gvk gvk, struct yl_status *status)
{
    struct yl_gv want = { yl_str_c(kind->set->group),
                          yl_str_c(kind->set->version) };

    return yl_status_bad_request(
        status,
        yl_str_c(yl_arena_printf(
            arena, "the API version in the data (%.*s) does not match the "
            "expected API version (%.*s)",
            YL_STR_ARG(yl_gv_api_version(yl_gvk_gv(gvk), arena)),
            YL_STR_ARG(yl_gv_api_version(want, arena)))));
}

static int
bad_request(struct yl_status *status, struct yl_error *err)
{
    int r = yl_status_bad_request(status, yl_str_c(yl_error_message(err)));

    yl_error_clear(err);
    return r;
}
