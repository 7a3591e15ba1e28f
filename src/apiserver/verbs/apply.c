/* Server-side apply.  See apply.h.
 *
 *     body -> configuration ---.
 *     what is stored -----------> keeper of managedFields -> object
 *
 * The body is a part of the object: the fields that its manager wants to own.
 * The keeper (own.h) merges it.  An object that does not exist is created. */

#include "apiserver/verbs/apply.h"

#include "apiserver/server.h"
#include "apiserver/verbs/body_kind.h"
#include "apiserver/verbs/own.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "json/yaml_in.h"
#include "yuloh/arena.h"

static int decode(struct yl_write *, struct yl_status *);
static int read_body(struct yl_write *, struct yl_node **ret_applied,
                     struct yl_str *ret_repeated, struct yl_status *);
static int parse_yaml(struct yl_write *, struct yl_node **ret_root,
                      struct yl_str *ret_repeated, struct yl_error *err);
static int bad_body(struct yl_write *, const char *what, struct yl_str why,
                    struct yl_status *);
static int judge(struct yl_write *, struct yl_str repeated,
                 struct yl_status *);
static int check_uid(struct yl_write *, struct yl_status *);

const struct yl_write_ops yl_apply_ops = {
    .operation = YL_OPERATION_UPDATE,
    .decode = decode,
};

int
yl_apply_body(struct yl_write *w, struct yl_ownership *o,
              struct yl_status *status)
{
    struct yl_str repeated = yl_str_null();
    int r = read_body(w, &o->applied, &repeated, status);

    if (r == 0) {
        o->force = w->options.force;
        r = w->request->server->opts.own(o, status);
    }
    return r == 0 ? judge(w, repeated, status) : r;
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct yl_ownership *o;
    int r;

    if (!w->base && yl_write_subresource(w) != YL_SUB_NONE) {
        return yl_write_not_found(w, status);
    }
    r = w->base ? yl_write_see(w, status) : 0;
    if (r != 0) {
        return r;
    }
    o = yl_write_ownership(w);
    r = yl_apply_body(w, o, status);
    if (r != 0) {
        return r;
    }
    w->tree = o->object;
    w->in_hub = o->unchanged;
    w->owned = true;
    if (!w->base) {
        w->creates = w->by_put = true;
        r = check_uid(w, status);
        r = r == 0 ? yl_write_check_namespace(w, w->tree, status) : r;
        r = r == 0 ? yl_write_check_name(w, w->tree, status) : r;
    }
    return r;
}

/* Reads the configuration.  Most clients send JSON, which is YAML too; what is
 * said of repeated members goes to '*ret_repeated'. */
static int
read_body(struct yl_write *w, struct yl_node **ret_applied,
          struct yl_str *ret_repeated, struct yl_status *status)
{
    struct yl_tree_opts opts = { .limits = { .refuse_duplicates = true } };
    struct yl_str text = w->request->http->body;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root = NULL;
    int r = YL_ESYNTAX;

    if (text.size && text.data[0] == '{') {
        r = yl_tree_parse(w->arena, text, &opts, &root, NULL);
    }
    if (r < 0) {
        r = parse_yaml(w, &root, ret_repeated, &err);
    }
    if (r < 0) {
        r = bad_body(w, "error decoding YAML: error converting YAML to JSON: ",
                     yl_str_c(yl_error_message(&err)), status);
        yl_error_clear(&err);
        return r;
    }
    if (yl_node_type(root) == YL_JSON_NULL) {
        root = yl_node_new_object(w->arena);
    }
    if (yl_node_type(root) != YL_JSON_OBJECT) {
        return bad_body(w, "error decoding YAML: error unmarshaling JSON: "
                        "while decoding JSON: ", yl_str_c(yl_arena_printf(
            w->arena, "json: cannot unmarshal %s into Go value of type "
            "map[string]interface {}", yl_body_json_type(root))), status);
    }
    *ret_applied = root;
    return 0;
}

static int
parse_yaml(struct yl_write *w, struct yl_node **ret_root,
           struct yl_str *ret_repeated, struct yl_error *err)
{
    struct yl_yaml_opts opts = { .refuse_duplicates = true,
                                 .go_messages = true };
    struct yl_str text = w->request->http->body;
    int r = yl_yaml_parse(w->arena, text, &opts, ret_root, err);

    if (r == YL_EDUPLICATE) {
        *ret_repeated = yl_arena_copy(w->arena,
                                      yl_str_c(yl_error_message(err)));
        yl_error_clear(err);
        opts.refuse_duplicates = false;
        r = yl_yaml_parse(w->arena, text, &opts, ret_root, err);
    }
    return r;
}

static int
bad_body(struct yl_write *w, const char *what, struct yl_str why,
         struct yl_status *status)
{
    return yl_status_bad_request(status, yl_str_c(yl_arena_printf(
        w->arena, "%s%.*s", what, YL_STR_ARG(why))));
}

/* Turns repeated members into an error or Warnings.  Upstream does that once
 * the object is merged. */
static int
judge(struct yl_write *w, struct yl_str repeated, struct yl_status *status)
{
    struct yl_str line, rest;

    if (!repeated.size || w->options.field_validation == YL_FIELDS_IGNORE) {
        return 0;
    }
    if (w->options.field_validation == YL_FIELDS_STRICT) {
        return bad_body(w, "error strict decoding YAML: error converting YAML "
                        "to JSON: ", repeated, status);
    }
    yl_str_cut(repeated, '\n', &line, &rest);
    while (rest.size) {
        if (!yl_str_cut(rest, '\n', &line, &rest)) {
            line = rest;
            rest = yl_str_null();
        }
        line = yl_str_trim(line);
        yl_api_warn(w->request, "%.*s", YL_STR_ARG(line));
    }
    return 0;
}

/* Refuses to create an object that already has a uid. */
static int
check_uid(struct yl_write *w, struct yl_status *status)
{
    struct yl_str uid = yl_write_text(
        w, yl_member_object(w->tree, "metadata"), "uid");

    return !uid.size ? 0 : yl_status_conflict(
        status, yl_write_gvr(w), w->key.name, yl_str_c(yl_arena_printf(
            w->arena, "uid mismatch: the provided object specified uid %.*s, "
            "and no existing object was found", YL_STR_ARG(uid))));
}
