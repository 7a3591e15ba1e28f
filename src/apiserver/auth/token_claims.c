/* Claims.  See apiserver/auth/token_claims.h for the contract. */

#include "apiserver/auth/token_claims.h"

#include "apiserver/auth/user.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* The names of the claims in tokens of Secrets. */
#define LEGACY "kubernetes.io/serviceaccount/"

/* Times beyond these (the year 100,000) are not told apart. */
#define MAX_TIME ((double) (INT64_C(3093527980800)))

#define MAX_EXTRAS 5

/* Reads claims; 'bad' is the first one that is not of its type. */
struct reader {
    struct yl_arena *arena;
    const char *bad;
};

/* Writes members, with commas between them. */
struct writer {
    struct yl_buf *out;
    bool comma;
};

static void read_legacy(struct reader *, struct yl_json root,
                        struct yl_token_claims *);
static void read_bound(struct reader *, struct yl_json root,
                       struct yl_token_claims *);
static void read_audiences(struct reader *, struct yl_json,
                           struct yl_token_claims *);
static struct yl_token_ref read_ref(struct reader *, struct yl_json parent,
                                    const char *name);
static struct yl_str read_text(struct reader *, struct yl_json parent,
                               const char *name);
static int64_t read_time(struct reader *, struct yl_json parent,
                         const char *name, int64_t absent);
static void write_audiences(struct writer *, const struct yl_token_claims *);
static void write_bound(struct writer *, const struct yl_token_claims *);
static void write_legacy(struct writer *, const struct yl_token_claims *);
static void write_ref(struct writer *, const char *name,
                      const struct yl_token_ref *);
static void write_name(struct writer *, const char *name);
static void write_text(struct writer *, const char *name, struct yl_str);
static void write_time(struct writer *, const char *name, int64_t);
static void add_extra(struct yl_arena *, struct yl_user_extra *, size_t *n,
                      const char *key, struct yl_str value);

int
yl_token_claims_read(struct yl_arena *arena, struct yl_str payload,
                     struct yl_token_claims *ret_claims, struct yl_error *err)
{
    struct yl_json root = yl_json(payload);
    struct reader reader = { arena, NULL };
    struct yl_token_claims claims = {
        .issuer = read_text(&reader, root, "iss"),
        .subject = read_text(&reader, root, "sub"),
        .id = read_text(&reader, root, "jti"),
        .expires = read_time(&reader, root, "exp", YL_TOKEN_NEVER),
        .not_before = read_time(&reader, root, "nbf", INT64_MIN),
        .issued = read_time(&reader, root, "iat", INT64_MIN),
    };

    read_audiences(&reader, yl_json_get(root, YL_STR("aud")), &claims);
    if (yl_token_claims_is_legacy(&claims)) {
        read_legacy(&reader, root, &claims);
    } else {
        read_bound(&reader, yl_json_get(root, YL_STR("kubernetes.io")),
                   &claims);
    }
    if (reader.bad) {
        return yl_error_set(err, YL_EINVALID, "the claim \"%s\" cannot be "
                            "read", reader.bad);
    }
    *ret_claims = claims;
    return 0;
}

/* In the order of their names, as kube-apiserver writes them. */
void
yl_token_claims_write(const struct yl_token_claims *claims,
                      struct yl_buf *out)
{
    struct writer w = { out, false };

    yl_buf_append_c(out, "{");
    write_audiences(&w, claims);
    if (claims->expires != YL_TOKEN_NEVER) {
        write_time(&w, "exp", claims->expires);
    }
    if (claims->issued != INT64_MIN) {
        write_time(&w, "iat", claims->issued);
    }
    write_text(&w, "iss", claims->issuer);
    write_text(&w, "jti", claims->id);
    if (yl_token_claims_is_legacy(claims)) {
        write_legacy(&w, claims);
    } else {
        write_bound(&w, claims);
    }
    if (claims->not_before != INT64_MIN) {
        write_time(&w, "nbf", claims->not_before);
    }
    write_text(&w, "sub", claims->subject);
    yl_buf_append_c(out, "}");
}

int
yl_token_claims_check_times(const struct yl_token_claims *claims, int64_t now,
                            struct yl_error *err)
{
    const char *why = NULL;

    if (claims->not_before != INT64_MIN
        && now + YL_TOKEN_LEEWAY < claims->not_before) {
        why = "service account token is not valid yet";
    } else if (claims->expires != YL_TOKEN_NEVER
               && now - YL_TOKEN_LEEWAY > claims->expires) {
        why = "service account token has expired";
    } else if (claims->issued != INT64_MIN
               && now + YL_TOKEN_LEEWAY < claims->issued) {
        why = "service account token is issued in the future";
    }
    return why ? yl_error_set(err, YL_EUNAUTHORIZED, "%s", why) : 0;
}

const struct yl_user *
yl_token_claims_user(struct yl_arena *arena,
                     const struct yl_token_claims *claims)
{
    struct yl_user *user = yl_arena_zalloc(arena, sizeof *user);
    struct yl_str *groups = yl_arena_array(arena, 3, sizeof *groups);
    struct yl_user_extra *extra = yl_arena_array(arena, MAX_EXTRAS,
                                                 sizeof *extra);
    size_t n = 0;

    user->name = yl_token_user_name(arena, claims->namespace_,
                                    claims->account.name);
    user->uid = claims->account.uid;
    groups[0] = YL_STR("system:serviceaccounts");
    groups[1] = yl_str_c(yl_arena_printf(arena, "system:serviceaccounts:%.*s",
                                         YL_STR_ARG(claims->namespace_)));
    groups[2] = YL_STR("system:authenticated");
    user->groups = groups;
    user->n_groups = 3;
    if (claims->id.size) {
        add_extra(arena, extra, &n, "credential-id",
                  yl_str_c(yl_arena_printf(arena, "JTI=%.*s",
                                           YL_STR_ARG(claims->id))));
    }
    if (claims->node.name.size) {
        add_extra(arena, extra, &n, "node-name", claims->node.name);
        if (claims->node.uid.size) {
            add_extra(arena, extra, &n, "node-uid", claims->node.uid);
        }
    }
    if (claims->pod.name.size && claims->pod.uid.size) {
        add_extra(arena, extra, &n, "pod-name", claims->pod.name);
        add_extra(arena, extra, &n, "pod-uid", claims->pod.uid);
    }
    user->extra = extra;
    user->n_extra = n;
    user->warn_after = claims->warn_after;
    return user;
}

struct yl_str
yl_token_user_name(struct yl_arena *arena, struct yl_str namespace_,
                   struct yl_str name)
{
    return yl_str_c(yl_arena_printf(arena, "system:serviceaccount:%.*s:%.*s",
                                    YL_STR_ARG(namespace_),
                                    YL_STR_ARG(name)));
}

static void
read_legacy(struct reader *reader, struct yl_json root,
            struct yl_token_claims *claims)
{
    claims->namespace_ = read_text(reader, root, LEGACY "namespace");
    claims->account = (struct yl_token_ref) {
        .is_set = true,
        .name = read_text(reader, root, LEGACY "service-account.name"),
        .uid = read_text(reader, root, LEGACY "service-account.uid"),
    };
    claims->secret = (struct yl_token_ref) {
        .is_set = true,
        .name = read_text(reader, root, LEGACY "secret.name"),
    };
}

static void
read_bound(struct reader *reader, struct yl_json ours,
           struct yl_token_claims *claims)
{
    claims->namespace_ = read_text(reader, ours, "namespace");
    claims->account = read_ref(reader, ours, "serviceaccount");
    claims->pod = read_ref(reader, ours, "pod");
    claims->secret = read_ref(reader, ours, "secret");
    claims->node = read_ref(reader, ours, "node");
    claims->warn_after = read_time(reader, ours, "warnafter", 0);
}

/* One audience, or a list of them. */
static void
read_audiences(struct reader *reader, struct yl_json value,
               struct yl_token_claims *claims)
{
    struct yl_json_iter it = yl_json_iter(value);
    bool is_list = yl_json_type(value) == YL_JSON_ARRAY;
    size_t n = is_list ? yl_json_count(value) : 1, i = 0;
    struct yl_str *all;

    if (yl_json_type(value) <= YL_JSON_NULL) {
        return;
    }
    all = yl_arena_array(reader->arena, n, sizeof *all);
    if (!is_list && yl_json_string(value, reader->arena, &all[i++]) < 0) {
        reader->bad = "aud";
    }
    while (is_list && i < n && yl_json_next(&it)) {
        if (yl_json_string(it.value, reader->arena, &all[i++]) < 0) {
            reader->bad = "aud";
        }
    }
    claims->audiences = all;
    claims->n_audiences = i;
}

static struct yl_token_ref
read_ref(struct reader *reader, struct yl_json parent, const char *name)
{
    struct yl_json value = yl_json_get(parent, yl_str_c(name));
    struct yl_token_ref ref = {
        .is_set = yl_json_type(value) == YL_JSON_OBJECT,
        .name = read_text(reader, value, "name"),
        .uid = read_text(reader, value, "uid"),
    };

    if (!ref.is_set && yl_json_type(value) > YL_JSON_NULL) {
        reader->bad = name;
    }
    return ref;
}

static struct yl_str
read_text(struct reader *reader, struct yl_json parent, const char *name)
{
    struct yl_json value = yl_json_get(parent, yl_str_c(name));
    struct yl_str text = YL_STR("");

    if (yl_json_type(value) > YL_JSON_NULL
        && yl_json_string(value, reader->arena, &text) < 0) {
        reader->bad = name;
    }
    return text;
}

/* Seconds since 1970; those of others may have a fraction. */
static int64_t
read_time(struct reader *reader, struct yl_json parent, const char *name,
          int64_t absent)
{
    struct yl_json value = yl_json_get(parent, yl_str_c(name));
    double seconds;

    if (yl_json_type(value) <= YL_JSON_NULL) {
        return absent;
    }
    if (yl_json_double(value, &seconds) < 0) {
        reader->bad = name;
        return absent;
    }
    return seconds > MAX_TIME ? (int64_t) MAX_TIME
           : seconds < -MAX_TIME ? (int64_t) -MAX_TIME : (int64_t) seconds;
}

static void
write_audiences(struct writer *w, const struct yl_token_claims *claims)
{
    size_t i;

    if (!claims->n_audiences) {
        return;
    }
    write_name(w, "aud");
    yl_buf_append_c(w->out, "[");
    for (i = 0; i < claims->n_audiences; i++) {
        yl_buf_append_c(w->out, i ? "," : "");
        yl_json_write_string(w->out, claims->audiences[i]);
    }
    yl_buf_append_c(w->out, "]");
}

static void
write_bound(struct writer *w, const struct yl_token_claims *claims)
{
    struct writer inner = { w->out, false };

    write_name(w, "kubernetes.io");
    yl_buf_append_c(w->out, "{");
    write_text(&inner, "namespace", claims->namespace_);
    write_ref(&inner, "node", &claims->node);
    write_ref(&inner, "pod", &claims->pod);
    write_ref(&inner, "secret", &claims->secret);
    write_ref(&inner, "serviceaccount", &claims->account);
    if (claims->warn_after) {
        write_time(&inner, "warnafter", claims->warn_after);
    }
    yl_buf_append_c(w->out, "}");
}

static void
write_legacy(struct writer *w, const struct yl_token_claims *claims)
{
    write_text(w, LEGACY "namespace", claims->namespace_);
    write_text(w, LEGACY "secret.name", claims->secret.name);
    write_text(w, LEGACY "service-account.name", claims->account.name);
    write_text(w, LEGACY "service-account.uid", claims->account.uid);
}

static void
write_ref(struct writer *w, const char *name, const struct yl_token_ref *ref)
{
    struct writer inner = { w->out, false };

    if (ref->is_set) {
        write_name(w, name);
        yl_buf_append_c(w->out, "{");
        write_text(&inner, "name", ref->name);
        write_text(&inner, "uid", ref->uid);
        yl_buf_append_c(w->out, "}");
    }
}

static void
write_name(struct writer *w, const char *name)
{
    yl_buf_printf(w->out, "%s\"%s\":", w->comma ? "," : "", name);
    w->comma = true;
}

/* An empty text is left out. */
static void
write_text(struct writer *w, const char *name, struct yl_str text)
{
    if (text.size) {
        write_name(w, name);
        yl_json_write_string(w->out, text);
    }
}

static void
write_time(struct writer *w, const char *name, int64_t seconds)
{
    write_name(w, name);
    yl_buf_printf(w->out, "%lld", (long long) seconds);
}

static void
add_extra(struct yl_arena *arena, struct yl_user_extra *extra, size_t *n,
          const char *key, struct yl_str value)
{
    struct yl_str *values = yl_arena_alloc(arena, sizeof *values);

    *values = value;
    extra[(*n)++] = (struct yl_user_extra) {
        .key = yl_str_c(yl_arena_printf(
            arena, "authentication.kubernetes.io/%s", key)),
        .values = values,
        .n_values = 1,
    };
}
