/* Impersonation.  See apiserver/auth/impersonate.h. */

#include "apiserver/auth/impersonate.h"

#include <stdarg.h>
#include <stdlib.h>

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "base/buf.h"
#include "base/quote.h"
#include "net/http.h"
#include "net/url.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/names.h"
#include "yuloh/status.h"

#define MAX_TEXT ((size_t) 1 << 20)

/* With at least this many groups or extras, a mode first asks for permission
 * for all of them at once. */
#define MANY 4

#define AUTHENTICATION "authentication.k8s.io"

enum mode {
    ASSOCIATED_NODE,
    ARBITRARY_NODE,
    SERVICE_ACCOUNT,
    USER_INFO,
    LEGACY,
    N_MODES
};

static const struct yl_str mode_names[N_MODES] = {
    [ASSOCIATED_NODE] = YL_STR_INIT("associated-node"),
    [ARBITRARY_NODE] = YL_STR_INIT("arbitrary-node"),
    [SERVICE_ACCOUNT] = YL_STR_INIT("serviceaccount"),
    [USER_INFO] = YL_STR_INIT("user-info"),
};

/* A key and value from an Impersonate-Extra header. */
struct pair {
    struct yl_str key, value;
    size_t position;
};

/* One attempt to impersonate the wanted user, in one mode. */
struct attempt {
    yl_authorize_fn *authorize;
    void *aux;
    struct yl_arena *arena;
    const struct yl_attributes *attributes;
    const struct yl_user *wanted;
    enum mode mode;
    struct yl_str verb;         /* "impersonate:user-info". */
    struct yl_user actual;      /* The resulting user. */
    struct yl_status *status;   /* Receives the refusal; NULL if it will not be
                                 * shown. */
};

static bool applies(const struct attempt *);
static bool is_allowed(struct attempt *);
static bool allows_verb(struct attempt *);
static bool allows_name(struct attempt *);
static bool allows_groups(struct attempt *);
static bool allows_extra(struct attempt *);
static const char *extra_fault(struct yl_arena *, const struct yl_user *);
static bool ask(struct attempt *, const struct yl_attributes *);
static bool refuse(struct attempt *, const struct yl_attributes *,
                   const char *why);
static struct yl_attributes about(const struct attempt *, const char *group,
                                  const char *version, const char *resource,
                                  struct yl_str name);
static bool split_service_account(struct yl_str user,
                                  struct yl_str *ret_namespace,
                                  struct yl_str *ret_name);
static bool split_node(struct yl_str user, struct yl_str *ret_name);
static void set_groups(struct attempt *, size_t n, ...);
static void ensure_group(struct attempt *, struct yl_str group);
static struct yl_str extra_key(struct yl_arena *, struct yl_str encoded);
static void set_extra(struct yl_arena *, struct yl_user *, struct pair *,
                      size_t n);
static void describe(const struct yl_user *, struct yl_buf *);

int
yl_impersonate_parse(const struct yl_http_request *http,
                     struct yl_arena *arena, const struct yl_user **ret_wanted,
                     struct yl_status *status)
{
    static const struct yl_str prefix = YL_STR_INIT("impersonate-extra-");
    struct yl_user *wanted = NULL;
    struct yl_str *groups = NULL;
    struct pair *pairs = NULL;
    size_t i, n = 0;

    for (i = 0; i < http->n_headers; i++) {
        const struct yl_http_header *header = &http->headers[i];

        if (!yl_str_starts_with(header->name, YL_STR("impersonate-"))) {
            continue;
        }
        if (!wanted) {
            wanted = yl_arena_zalloc(arena, sizeof *wanted);
            groups = yl_arena_array(arena, http->n_headers, sizeof *groups);
            pairs = yl_arena_array(arena, http->n_headers, sizeof *pairs);
            wanted->groups = groups;
            wanted->name = yl_arena_copy(
                arena, yl_http_header(http, YL_STR("impersonate-user")));
            wanted->uid = yl_arena_copy(
                arena, yl_http_header(http, YL_STR("impersonate-uid")));
        }
        if (yl_str_equal(header->name, YL_STR("impersonate-group"))) {
            groups[wanted->n_groups++] = yl_arena_copy(arena, header->value);
        } else if (yl_str_starts_with(header->name, prefix)) {
            pairs[n].key = extra_key(arena, yl_str_skip(header->name,
                                                        prefix.size));
            pairs[n].value = yl_arena_copy(arena, header->value);
            pairs[n].position = n;
            n++;
        }
    }
    if (n > 0) {
        set_extra(arena, wanted, pairs, n);
    }
    if (wanted && yl_str_is_empty(wanted->name)) {
        struct yl_buf text;

        if (yl_str_is_empty(wanted->uid) && wanted->n_groups == 0
            && wanted->n_extra == 0) {
            *ret_wanted = NULL;
            return 0;
        }
        yl_buf_init(&text, MAX_TEXT);
        describe(wanted, &text);
        yl_status_bad_request(status, yl_buf_str(&text));
        yl_buf_release(&text);
        return YL_EBADREQUEST;
    }
    *ret_wanted = wanted;
    return 0;
}

int
yl_impersonate_check(yl_authorize_fn *authorize, void *aux,
                     const struct yl_attributes *attributes,
                     const struct yl_user *wanted, struct yl_arena *arena,
                     const struct yl_user **ret_user,
                     struct yl_str *ret_constraint, struct yl_status *status)
{
    static const enum mode order[] = {
        LEGACY, ASSOCIATED_NODE, ARBITRARY_NODE, SERVICE_ACCOUNT, USER_INFO,
        LEGACY,
    };
    bool refused = false;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(order); i++) {
        bool last = i + 1 == YL_ARRAY_SIZE(order);
        struct attempt attempt = {
            .authorize = authorize, .aux = aux, .arena = arena,
            .attributes = attributes, .wanted = wanted, .mode = order[i],
            .verb = YL_STR("impersonate"), .actual = *wanted,
            .status = i > 0 && !refused ? status : NULL,
        };

        /* The legacy mode comes a second time only to explain the refusal, if
         * no other mode has done so. */
        if ((last && refused) || !applies(&attempt)) {
            continue;
        }
        if (attempt.mode != LEGACY) {
            attempt.verb = yl_str_c(yl_arena_printf(
                arena, "impersonate:%s", mode_names[attempt.mode].data));
        }
        if (is_allowed(&attempt)) {
            struct yl_user *user = yl_arena_alloc(arena, sizeof *user);

            *user = attempt.actual;
            *ret_user = user;
            *ret_constraint = attempt.mode == LEGACY ? yl_str_null()
                                                     : attempt.verb;
            if (refused) {
                yl_status_clear(status);
            }
            return 0;
        }
        refused = refused || attempt.status;
    }
    return YL_EFORBIDDEN;
}

/* Whether the mode is meant for the wanted user. */
static bool
applies(const struct attempt *attempt)
{
    const struct yl_user *wanted = attempt->wanted;
    const struct yl_user *asker = attempt->attributes->user;
    bool only_name = wanted->uid.size == 0 && wanted->n_groups == 0
                     && wanted->n_extra == 0;
    struct yl_str namespace_, name, node;
    size_t i;

    switch (attempt->mode) {
    case ASSOCIATED_NODE:
        if (!only_name || !split_node(wanted->name, &node)
            || !split_service_account(asker->name, &namespace_, &name)) {
            return false;
        }
        for (i = 0; i < asker->n_extra; i++) {
            if (yl_str_equal_c(asker->extra[i].key,
                               "authentication.kubernetes.io/node-name")) {
                return asker->extra[i].n_values == 1
                       && yl_str_equal(asker->extra[i].values[0], node);
            }
        }
        return false;

    case ARBITRARY_NODE:
        return only_name && split_node(wanted->name, &node);

    case SERVICE_ACCOUNT:
        return only_name
               && split_service_account(wanted->name, &namespace_, &name);

    case USER_INFO:
        return !split_node(wanted->name, &node)
               && !split_service_account(wanted->name, &namespace_, &name);

    case LEGACY:
    case N_MODES:
    default:
        return true;
    }
}

static bool
is_allowed(struct attempt *attempt)
{
    struct yl_attributes uid = about(attempt, AUTHENTICATION, "v1", "uids",
                                     attempt->wanted->uid);

    if (!allows_verb(attempt) || !allows_name(attempt)
        || (uid.name.size && !ask(attempt, &uid)) || !allows_groups(attempt)
        || !allows_extra(attempt)) {
        return false;
    }
    if (yl_str_equal(attempt->actual.name, YL_STR("system:anonymous"))) {
        ensure_group(attempt, YL_STR("system:unauthenticated"));
    } else if (!yl_user_in_group(&attempt->actual,
                                 YL_STR("system:unauthenticated"))) {
        ensure_group(attempt, YL_STR("system:authenticated"));
    }
    return true;
}

/* Whether the mode allows the request's own verb. */
static bool
allows_verb(struct attempt *attempt)
{
    struct yl_attributes attributes = *attempt->attributes;

    if (attempt->mode == LEGACY) {
        return true;
    }
    attributes.verb = yl_str_c(yl_arena_printf(
        attempt->arena, "impersonate-on:%s:%.*s",
        mode_names[attempt->mode].data, YL_STR_ARG(attributes.verb)));
    return ask(attempt, &attributes);
}

static bool
allows_name(struct attempt *attempt)
{
    bool legacy = attempt->mode == LEGACY;
    struct yl_attributes attributes = about(
        attempt, legacy ? "" : AUTHENTICATION, "v1", "users",
        attempt->wanted->name);
    struct yl_str namespace_, name;

    if (!legacy && split_node(attempt->wanted->name, &name)) {
        attributes.resource = YL_STR("nodes");
        attributes.name = attempt->mode == ASSOCIATED_NODE ? YL_STR("*")
                                                           : name;
        set_groups(attempt, 1, "system:nodes");
    } else if (split_service_account(attempt->wanted->name, &namespace_,
                                     &name)) {
        attributes.resource = YL_STR("serviceaccounts");
        attributes.namespace_ = namespace_;
        attributes.name = name;
        if (attempt->wanted->n_groups == 0) {
            set_groups(attempt, 2, "system:serviceaccounts",
                       yl_arena_printf(attempt->arena,
                                       "system:serviceaccounts:%.*s",
                                       YL_STR_ARG(namespace_)));
        }
    }
    return ask(attempt, &attributes);
}

static bool
allows_groups(struct attempt *attempt)
{
    const struct yl_user *wanted = attempt->wanted;
    bool legacy = attempt->mode == LEGACY;
    struct yl_attributes attributes = about(
        attempt, legacy ? "" : AUTHENTICATION, "v1", "groups", YL_STR("*"));
    struct yl_status *status = attempt->status;
    size_t i;

    if (!legacy && yl_user_in_group(wanted, YL_STR(""))) {
        attributes.name = YL_STR("");
        return refuse(attempt, &attributes,
                      "impersonating the empty string group is not allowed");
    }
    if (!legacy && yl_user_in_group(wanted, YL_STR("system:masters"))) {
        attributes.name = YL_STR("system:masters");
        return refuse(attempt, &attributes, "impersonating the "
                      "system:masters group is not allowed");
    }
    if (!legacy && wanted->n_groups >= MANY) {
        attempt->status = NULL;
        if (ask(attempt, &attributes)) {
            attempt->status = status;
            return true;
        }
        attempt->status = status;
    }
    for (i = 0; i < wanted->n_groups; i++) {
        attributes.name = wanted->groups[i];
        if (!ask(attempt, &attributes)) {
            return false;
        }
    }
    return true;
}

static bool
allows_extra(struct attempt *attempt)
{
    const struct yl_user *wanted = attempt->wanted;
    struct yl_attributes attributes = about(
        attempt, AUTHENTICATION, "v1", "userextras", YL_STR(""));
    struct yl_status *status = attempt->status;
    size_t i, k, n = 0;

    if (attempt->mode != LEGACY) {
        const char *fault = extra_fault(attempt->arena, wanted);

        if (fault) {
            return refuse(attempt, &attributes, fault);
        }
        for (i = 0; i < wanted->n_extra; i++) {
            n += wanted->extra[i].n_values;
        }
        if (n >= MANY) {
            attributes.subresource = attributes.name = YL_STR("*");
            attempt->status = NULL;
            if (ask(attempt, &attributes)) {
                attempt->status = status;
                return true;
            }
            attempt->status = status;
        }
    }
    for (i = 0; i < wanted->n_extra; i++) {
        attributes.subresource = wanted->extra[i].key;
        for (k = 0; k < wanted->extra[i].n_values; k++) {
            attributes.name = wanted->extra[i].values[k];
            if (!ask(attempt, &attributes)) {
                return false;
            }
        }
    }
    return true;
}

/* What is wrong with the extras: except in legacy mode keys must be
 * DOMAIN/PATH, and values must not be empty.  NULL if they are fine. */
static const char *
extra_fault(struct yl_arena *arena, const struct yl_user *wanted)
{
    size_t i, k;

    for (i = 0; i < wanted->n_extra; i++) {
        const struct yl_user_extra *extra = &wanted->extra[i];
        struct yl_name_faults faults;
        struct yl_str domain, path;
        struct yl_buf key;
        const char *quoted, *why = NULL;

        if (yl_str_is_empty(extra->key)) {
            return "impersonating the empty string key in extra is not "
                   "allowed";
        }
        if (!yl_str_cut(extra->key, '/', &domain, &path)
            || yl_str_is_empty(domain) || yl_str_is_empty(path)) {
            why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        } else if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, domain, &faults)
                   < 0) {
            why = faults.faults[0];
        }
        if (why) {
            yl_buf_init(&key, MAX_TEXT);
            yl_quote(&key, extra->key);
            quoted = yl_arena_strdup(arena, yl_buf_str(&key));
            yl_buf_release(&key);
            return yl_arena_printf(arena, "impersonating an invalid key in "
                                   "extra is not allowed: extra.key: Invalid "
                                   "value: %s: %s", quoted, why);
        }
        for (k = 0; k < extra->n_values; k++) {
            if (yl_str_is_empty(extra->values[k])) {
                return "impersonating the empty string value in extra is "
                       "not allowed";
            }
        }
    }
    return NULL;
}

static bool
ask(struct attempt *attempt, const struct yl_attributes *attributes)
{
    struct yl_str reason = YL_STR("");

    if (attempt->authorize(attempt->aux, attributes, attempt->arena,
                           attempt->status ? &reason : NULL)) {
        return true;
    }
    if (attempt->status) {
        yl_attributes_refuse(attributes, attempt->arena, reason,
                             attempt->status);
    }
    return false;
}

static bool
refuse(struct attempt *attempt, const struct yl_attributes *attributes,
       const char *why)
{
    if (attempt->status) {
        yl_attributes_refuse(attributes, attempt->arena, yl_str_c(why),
                             attempt->status);
    }
    return false;
}

static struct yl_attributes
about(const struct attempt *attempt, const char *group, const char *version,
      const char *resource, struct yl_str name)
{
    return (struct yl_attributes) {
        .user = attempt->attributes->user,
        .verb = attempt->verb,
        .is_resource = true,
        .group = yl_str_c(group),
        .version = yl_str_c(version),
        .resource = yl_str_c(resource),
        .name = name,
    };
}

/* system:serviceaccount:NAMESPACE:NAME */
static bool
split_service_account(struct yl_str user, struct yl_str *ret_namespace,
                      struct yl_str *ret_name)
{
    static const struct yl_str prefix = YL_STR_INIT("system:serviceaccount:");

    return yl_str_starts_with(user, prefix)
           && yl_str_cut(yl_str_skip(user, prefix.size), ':', ret_namespace,
                         ret_name)
           && yl_name_check(YL_NAME_DNS1123_LABEL, *ret_namespace, NULL) == 0
           && yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, *ret_name, NULL) == 0;
}

/* system:node:NAME */
static bool
split_node(struct yl_str user, struct yl_str *ret_name)
{
    static const struct yl_str prefix = YL_STR_INIT("system:node:");

    if (!yl_str_starts_with(user, prefix)) {
        return false;
    }
    *ret_name = yl_str_skip(user, prefix.size);
    return yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, *ret_name, NULL) == 0;
}

static void
set_groups(struct attempt *attempt, size_t n, ...)
{
    struct yl_str *groups = yl_arena_array(attempt->arena, n, sizeof *groups);
    va_list args;
    size_t i;

    va_start(args, n);
    for (i = 0; i < n; i++) {
        groups[i] = yl_str_c(va_arg(args, const char *));
    }
    va_end(args);
    attempt->actual.groups = groups;
    attempt->actual.n_groups = n;
}

static void
ensure_group(struct attempt *attempt, struct yl_str group)
{
    struct yl_user *user = &attempt->actual;
    struct yl_str *groups;

    if (yl_user_in_group(user, group)) {
        return;
    }
    groups = yl_arena_array(attempt->arena, user->n_groups + 1,
                            sizeof *groups);
    if (user->n_groups) {
        memcpy(groups, user->groups, user->n_groups * sizeof *groups);
    }
    groups[user->n_groups++] = group;
    user->groups = groups;
}

/* Decodes %2f and the like; a key that cannot be decoded stays as it is. */
static struct yl_str
extra_key(struct yl_arena *arena, struct yl_str encoded)
{
    struct yl_str key;

    return yl_url_decode(arena, encoded, YL_URL_PATH, &key, NULL) == 0
           ? yl_arena_copy(arena, key) : yl_arena_copy(arena, encoded);
}

static int
compare_pairs(const void *a_, const void *b_)
{
    const struct pair *a = a_, *b = b_;
    int c = yl_str_compare(a->key, b->key);

    return c ? c : (a->position > b->position) - (a->position < b->position);
}

/* Makes the extras of pairs: sorted by key, the values in the order in which
 * they came. */
static void
set_extra(struct yl_arena *arena, struct yl_user *user, struct pair *pairs,
          size_t n)
{
    struct yl_user_extra *extra = yl_arena_array(arena, n, sizeof *extra);
    struct yl_str *values = yl_arena_array(arena, n, sizeof *values);
    size_t i;

    qsort(pairs, n, sizeof *pairs, compare_pairs);
    user->extra = extra;
    for (i = 0; i < n; i++) {
        if (i == 0 || !yl_str_equal(pairs[i].key, pairs[i - 1].key)) {
            extra[user->n_extra].key = pairs[i].key;
            extra[user->n_extra++].values = &values[i];
        }
        values[i] = pairs[i].value;
        extra[user->n_extra - 1].n_values++;
    }
}

static void
describe_strings(const struct yl_str *all, size_t n, struct yl_buf *out)
{
    size_t i;

    yl_buf_append_c(out, n ? "[]string{" : "[]string(nil)");
    for (i = 0; i < n; i++) {
        yl_buf_append_c(out, i ? ", " : "");
        yl_quote(out, all[i]);
    }
    yl_buf_append_c(out, n ? "}" : "");
}

/* Writes the user as Go prints it, because clients see this text. */
static void
describe(const struct yl_user *user, struct yl_buf *out)
{
    size_t i;

    yl_buf_append_c(out, "requested &user.DefaultInfo{Name:\"\", UID:");
    yl_quote(out, user->uid);
    yl_buf_append_c(out, ", Groups:");
    describe_strings(user->groups, user->n_groups, out);
    yl_buf_append_c(out, ", Extra:map[string][]string");
    yl_buf_append_c(out, user->n_extra ? "{" : "(nil)");
    for (i = 0; i < user->n_extra; i++) {
        yl_buf_append_c(out, i ? ", " : "");
        yl_quote(out, user->extra[i].key);
        yl_buf_append_char(out, ':');
        describe_strings(user->extra[i].values, user->extra[i].n_values, out);
    }
    yl_buf_append_c(out, user->n_extra ? "}" : "");
    yl_buf_append_c(out, "} without impersonating a user name");
}
