/* Reviews.  See apiserver/auth/reviews.h. */

#include "apiserver/auth/reviews.h"

#include "apiserver/auth/authenticate.h"
#include "apiserver/auth/rbac.h"
#include "apiserver/auth/reviews_access.h"
#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "apiserver/verbs/body.h"
#include "json/member.h"
#include "json/tree.h"
#include "json/utf8.h"
#include "object/object.h"
#include "schema/normalize.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

#define MAX_RULES ((size_t) 16 << 20)

/* Replaces '*root', the object that was sent, by the answer.  0, or a code
 * with the Status. */
typedef int answer_fn(struct yl_api_request *, struct yl_node **root,
                      struct yl_status *);

static answer_fn answer_access, answer_rules, answer_self, answer_token;

static const struct {
    const char *plural;
    answer_fn *answer;
    bool same;                  /* The answer is what was sent, with a status:
                                 * it has managedFields. */
} kinds[] = {
    { "selfsubjectaccessreviews", answer_access, true },
    { "subjectaccessreviews", answer_access, true },
    { "localsubjectaccessreviews", answer_access, true },
    { "selfsubjectrulesreviews", answer_rules, false },
    { "selfsubjectreviews", answer_self, false },
    { "tokenreviews", answer_token, true },
};

static int decode(struct yl_api_request *, struct yl_node **ret_root,
                  struct yl_node **ret_managed, struct yl_status *);
static struct yl_node *own(struct yl_api_request *, const struct yl_node *root,
                           const struct yl_write_options *);
static int set_namespace(struct yl_api_request *, struct yl_node *root,
                         struct yl_status *);
static enum yl_step respond(struct yl_api_request *, struct yl_node *root);
static const struct yl_str *read_audiences(struct yl_arena *,
                                           const struct yl_node *review,
                                           size_t *ret_n);
static struct yl_node *user_node(struct yl_arena *, const struct yl_user *);
static struct yl_node *strings_node(struct yl_arena *, const struct yl_str *,
                                    size_t n);
static void write_rules(struct yl_policy, bool urls, struct yl_buf *);
static struct yl_node *set_object(struct yl_arena *, struct yl_node *,
                                  const char *name);
static void set_text(struct yl_arena *, struct yl_node *, const char *name,
                     struct yl_str);
static struct yl_str readable(struct yl_arena *, struct yl_str text);
static struct yl_str text_at(struct yl_arena *, const struct yl_node *root,
                             const char *member, const char *name);

enum yl_step
yl_review_create(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_node *root, *managed = NULL;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        if (yl_str_equal_c(req->resource->plural, kinds[i].plural)) {
            break;
        }
    }
    if (i == YL_ARRAY_SIZE(kinds)) {
        return yl_api_respond_unknown(req);
    }
    if (decode(req, &root, &managed, &status) < 0
        || kinds[i].answer(req, &root, &status) < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (managed && kinds[i].same) {
        yl_member_set(req->arena, yl_member_make(req->arena, root, "metadata"),
                      "managedFields", managed);
    }
    return respond(req, root);
}

static int
decode(struct yl_api_request *req, struct yl_node **ret_root,
       struct yl_node **ret_managed, struct yl_status *status)
{
    struct yl_write_options options;
    struct yl_node *root;
    int r = yl_body_begin(req, status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE, &options, status);
    }
    if (r == 0) {
        r = yl_body_object(req, req->arena, req->version->kind,
                           options.field_validation, &root, status);
    }
    if (r == 0) {
        r = set_namespace(req, root, status);
    }
    if (r == 0) {
        *ret_managed = own(req, root, &options);
        *ret_root = root;
    }
    return r;
}

/* The managedFields of a review, which it has as any object that is created,
 * although it is not stored; or NULL. */
static struct yl_node *
own(struct yl_api_request *req, const struct yl_node *root,
    const struct yl_write_options *options)
{
    struct yl_ownership o = {
        .request = req,
        .arena = req->arena,
        .resource = req->resource,
        .version = req->version,
        .now = yl_time_now(),
        .object = yl_node_copy(req->arena, root),
    };
    struct yl_status status = YL_STATUS_INIT;

    o.manager = yl_own_manager(req->arena, req, options->field_manager);
    if (!req->server->opts.own
        || yl_normalize(req->arena, yl_kind_type(req->version->kind), o.object,
                        NULL, NULL) < 0
        || req->server->opts.own(&o, &status) < 0) {
        yl_status_clear(&status);
        return NULL;
    }
    root = yl_member_array(yl_member_object(o.object, "metadata"),
                           "managedFields");
    return root ? yl_node_copy(req->arena, root) : NULL;
}

/* Sets the object's namespace to that of the path. */
static int
set_namespace(struct yl_api_request *req, struct yl_node *root,
              struct yl_status *status)
{
    struct yl_node *metadata = yl_node_get(root, YL_STR("metadata"));
    struct yl_str have = text_at(req->arena, root, "metadata", "namespace");
    struct yl_str want = req->resource->namespaced ? req->info.namespace_
                                                   : yl_str_null();

    if (yl_node_type(metadata) != YL_JSON_OBJECT) {
        metadata = set_object(req->arena, root, "metadata");
    }
    yl_node_remove(metadata, YL_STR("managedFields"));
    if (have.size && want.size && !yl_str_equal(have, want)) {
        return yl_status_bad_request(
            status, YL_STR("the namespace of the provided object does not "
                           "match the namespace sent on the request"));
    }
    if (want.size) {
        set_text(req->arena, metadata, "namespace", want);
    } else {
        yl_node_remove(metadata, YL_STR("namespace"));
    }
    return 0;
}

static enum yl_step
respond(struct yl_api_request *req, struct yl_node *root)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object;
    enum yl_step step;

    if (yl_normalize(req->arena, yl_kind_type(req->version->kind), root, NULL,
                     &err) < 0
        || yl_object_from_tree(root, NULL, &object, &err) < 0) {
        return yl_api_respond_error(req, &err);
    }
    step = yl_api_respond_object(req, 201, object, 0);
    yl_object_unref(object);
    return step;
}

static int
answer_access(struct yl_api_request *req, struct yl_node **root,
              struct yl_status *status)
{
    struct yl_arena *arena = req->arena;
    bool self = yl_str_starts_with(req->resource->plural, YL_STR("self"));
    enum yl_review_scope scope = self ? YL_REVIEW_SELF
                                 : req->resource->namespaced
                                 ? YL_REVIEW_LOCAL : YL_REVIEW_SUBJECT;
    struct yl_attributes attributes;
    struct yl_node *answer;
    struct yl_str reason, error;
    bool allowed;
    int r = yl_review_access_check(arena, *root, scope, status);

    if (r < 0) {
        return r;
    }
    attributes = yl_review_access_read(arena, *root, self ? req->user : NULL,
                                       &error);
    allowed = yl_authorize(req->server->authorizer, &attributes, arena,
                           &reason);
    answer = set_object(arena, *root, "status");
    yl_node_set(arena, answer, YL_STR("allowed"),
                yl_node_new_bool(arena, allowed));
    set_text(arena, answer, "reason", reason);
    set_text(arena, answer, "evaluationError", error);
    return 0;
}

static int
answer_rules(struct yl_api_request *req, struct yl_node **root,
             struct yl_status *status)
{
    struct yl_arena *arena = req->arena;
    struct yl_str namespace_ = text_at(arena, *root, "spec", "namespace");
    struct yl_node *answer;
    struct yl_policy policy;
    struct yl_str errors;
    struct yl_buf json;
    int r;

    if (!namespace_.size) {
        return yl_status_bad_request(status,
                                     YL_STR("no namespace on request"));
    }
    policy = yl_authorizer_rules(req->server->authorizer, req->user,
                                 namespace_, arena, &errors);
    yl_buf_init(&json, MAX_RULES);
    yl_buf_append_c(&json, "{\"incomplete\":false,\"resourceRules\":[");
    write_rules(policy, false, &json);
    yl_buf_append_c(&json, "],\"nonResourceRules\":[");
    write_rules(policy, true, &json);
    yl_buf_append_c(&json, "]}");
    r = yl_buf_error(&json);
    if (r == 0) {
        r = yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&json)),
                          NULL, &answer, NULL);
    }
    yl_buf_release(&json);
    if (r < 0) {
        return yl_status_internal(status, YL_STR("the rules are too many"));
    }
    set_text(arena, answer, "evaluationError", errors);
    *root = yl_node_new_object(arena);
    set_object(arena, *root, "spec");
    yl_node_set(arena, *root, YL_STR("status"), answer);
    return 0;
}

static int
answer_self(struct yl_api_request *req, struct yl_node **root,
            struct yl_status *status YL_UNUSED)
{
    struct yl_arena *arena = req->arena;
    char now[YL_TIME_TEXT_SIZE];
    size_t size = yl_time_write((struct yl_time) { yl_time_now().seconds, 0 },
                                now);

    *root = yl_node_new_object(arena);
    set_text(arena, set_object(arena, *root, "metadata"),
             "creationTimestamp", yl_str_n(now, size));
    yl_node_set(arena, set_object(arena, *root, "status"),
                YL_STR("userInfo"), user_node(arena, req->user));
    return 0;
}

static int
answer_token(struct yl_api_request *req, struct yl_node **root,
             struct yl_status *status)
{
    struct yl_arena *arena = req->arena;
    struct yl_str token = text_at(arena, *root, "spec", "token");
    struct yl_error err = YL_ERROR_INIT;
    struct yl_token_answer found;
    const struct yl_str *audiences;
    struct yl_node *answer;
    size_t n;

    if (!token.size) {
        return yl_status_bad_request(
            status, YL_STR("token is required for TokenReview in "
                           "authentication"));
    }
    audiences = read_audiences(arena, *root, &n);
    answer = set_object(arena, *root, "status");
    if (yl_authenticate_token(req->server->authenticator, arena, token,
                              audiences, n, &found, &err) == 0) {
        yl_node_set(arena, answer, YL_STR("authenticated"),
                    yl_node_new_bool(arena, true));
        yl_node_set(arena, answer, YL_STR("user"),
                    user_node(arena, found.user));
        yl_node_set(arena, answer, YL_STR("audiences"),
                    strings_node(arena, found.audiences, found.n_audiences));
    } else {
        set_text(arena, answer, "error", yl_arena_copy(
            arena, yl_str_c(yl_error_message(&err))));
        set_object(arena, answer, "user");
    }
    yl_error_clear(&err);
    return 0;
}

/* The audiences that a TokenReview names. */
static const struct yl_str *
read_audiences(struct yl_arena *arena, const struct yl_node *review,
               size_t *ret_n)
{
    const struct yl_node *list = yl_member_array(
        yl_member_object(review, "spec"), "audiences"), *one;
    struct yl_str *all;
    size_t n = 0;

    *ret_n = 0;
    if (!list || !list->n) {
        return NULL;
    }
    all = yl_arena_array(arena, list->n, sizeof *all);
    YL_NODE_FOR_EACH (one, list) {
        all[n] = YL_STR("");
        (void) yl_node_string(one, arena, &all[n++]);
    }
    *ret_n = n;
    return all;
}

static struct yl_node *
user_node(struct yl_arena *arena, const struct yl_user *user)
{
    struct yl_node *node = yl_node_new_object(arena), *extra;
    size_t i;

    set_text(arena, node, "username", user->name);
    set_text(arena, node, "uid", user->uid);
    yl_node_set(arena, node, YL_STR("groups"),
                strings_node(arena, user->groups, user->n_groups));
    extra = set_object(arena, node, "extra");
    for (i = 0; i < user->n_extra; i++) {
        yl_node_set(arena, extra, readable(arena, user->extra[i].key),
                    strings_node(arena, user->extra[i].values,
                                 user->extra[i].n_values));
    }
    return node;
}

static struct yl_node *
strings_node(struct yl_arena *arena, const struct yl_str *all, size_t n)
{
    struct yl_node *list = yl_node_new_array(arena);
    size_t i;

    for (i = 0; i < n; i++) {
        yl_node_append(list, yl_node_new_string(arena,
                                                readable(arena, all[i])));
    }
    return list;
}

/* Writes the rules for resources, or those for URLs. */
static void
write_rules(struct yl_policy policy, bool urls, struct yl_buf *out)
{
    size_t i, n = 0;

    for (i = 0; i < policy.n; i++) {
        struct yl_policy_rule rule = policy.all[i];

        if (urls ? rule.urls.n == 0 : rule.resources.n == 0) {
            continue;
        }
        if (urls) {
            rule.groups.n = rule.resources.n = rule.names.n = 0;
        } else {
            rule.urls.n = 0;
        }
        yl_buf_append_c(out, n++ ? "," : "");
        yl_policy_rule_write(&rule, out);
    }
}

static struct yl_node *
set_object(struct yl_arena *arena, struct yl_node *object, const char *name)
{
    struct yl_node *child = yl_node_new_object(arena);

    yl_node_set(arena, object, yl_str_c(name), child);
    return child;
}

/* An empty text is left out. */
static void
set_text(struct yl_arena *arena, struct yl_node *object, const char *name,
         struct yl_str text)
{
    if (text.size) {
        yl_node_set(arena, object, yl_str_c(name),
                    yl_node_new_string(arena, readable(arena, text)));
    }
}

/* Names come from headers and may contain any bytes; those that are not UTF-8
 * become U+FFFD. */
static struct yl_str
readable(struct yl_arena *arena, struct yl_str text)
{
    struct yl_buf buf;

    if (!yl_utf8_find_invalid(text)) {
        return text;
    }
    yl_buf_init(&buf, SIZE_MAX);
    while (text.size) {
        size_t n = yl_utf8_char_size(text);

        yl_buf_append_str(&buf, n ? yl_str_n(text.data, n)
                                  : YL_STR("\xef\xbf\xbd"));
        text = yl_str_skip(text, n ? n : 1);
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static struct yl_str
text_at(struct yl_arena *arena, const struct yl_node *root,
        const char *member, const char *name)
{
    const struct yl_node *object = yl_node_get(root, yl_str_c(member));
    struct yl_str text = YL_STR("");

    yl_node_string(yl_node_get(object, yl_str_c(name)), arena, &text);
    return text;
}
