/* Continue tokens.  See apiserver/verbs/continue_token.h for the contract. */

#include "apiserver/verbs/continue_token.h"

#include "base/buf.h"
#include "json/base64.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/key.h"

/* The members of the JSON, before they are checked. */
struct parsed {
    struct yl_str version;
    struct yl_str start;
    int64_t revision;
};

static bool decode(struct yl_arena *, struct yl_str token, size_t *ret_bad,
                   struct yl_str *ret_json);
static const char *parse(struct yl_arena *, struct yl_json root,
                         struct parsed *);
static bool is_called(const struct yl_json_iter *, struct yl_arena *,
                      const char *name);
static const char *wrong_type(struct yl_arena *, struct yl_json,
                              const char *name, const char *type);
static const char *type_name(struct yl_json);
static bool is_clean(struct yl_str key);
static int refuse(struct yl_error *, const char *why);

struct yl_str
yl_continue_token_write(struct yl_arena *arena,
                        const struct yl_continue_token *t)
{
    struct yl_buf json, text;
    struct yl_str token;
    char *data;
    size_t i;

    yl_buf_init(&json, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_printf(&json, "{\"v\":\"meta.k8s.io/v1\",\"rv\":%lld,\"start\":",
                  (long long) t->revision);
    yl_json_write_string(&json, t->start);
    yl_buf_append_char(&json, '}');
    yl_base64_write(&text, yl_buf_str(&json));
    token = yl_arena_copy(arena, yl_buf_str(&text));
    yl_buf_release(&json);
    yl_buf_release(&text);

    data = (char *) token.data;
    for (i = 0; i < token.size; i++) {
        data[i] = data[i] == '+' ? '-' : data[i] == '/' ? '_' : data[i];
    }
    while (token.size && data[token.size - 1] == '=') {
        token.size--;
    }
    return token;
}

struct yl_str
yl_continue_token_behind(struct yl_arena *arena, uint64_t revision,
                         struct yl_key last, bool in_namespace)
{
    bool plain = in_namespace || yl_str_is_empty(last.namespace_);
    struct yl_continue_token token = {
        (int64_t) revision,
        yl_str_c(plain ? yl_arena_printf(arena, "%.*s", YL_STR_ARG(last.name))
                       : yl_arena_printf(arena, "%.*s/%.*s",
                                         YL_STR_ARG(last.namespace_),
                                         YL_STR_ARG(last.name))),
    };

    token.start.size++;         /* Includes the NUL: the key right behind it is
                                 * next. */
    return yl_continue_token_write(arena, &token);
}

int
yl_continue_token_read(struct yl_arena *arena, struct yl_str token,
                       struct yl_continue_token *ret_token,
                       struct yl_error *err)
{
    struct yl_error broken = YL_ERROR_INIT;
    struct parsed p = { .revision = 0 };
    struct yl_str json;
    const char *why;
    size_t bad = 0;

    if (!decode(arena, token, &bad, &json)) {
        return refuse(err, yl_arena_printf(
            arena, "illegal base64 data at input byte %zu", bad));
    }
    if (yl_json_validate(json, NULL, &broken) < 0) {
        refuse(err, yl_error_message(&broken));
        yl_error_clear(&broken);
        return YL_EBADREQUEST;
    }
    why = parse(arena, yl_json(json), &p);
    if (why) {
        return refuse(err, why);
    }
    if (!yl_str_equal(p.version, YL_STR("meta.k8s.io/v1"))) {
        return refuse(err, yl_arena_printf(
            arena, "server does not recognize this encoded version %.*s",
            YL_STR_ARG(p.version)));
    }
    if (p.revision == 0) {
        return refuse(err, "incorrect encoded start resourceVersion (version "
                           "meta.k8s.io/v1)");
    }
    if (yl_str_is_empty(p.start)) {
        return refuse(err, "encoded start key empty (version "
                           "meta.k8s.io/v1)");
    }
    if (!is_clean(p.start)) {
        return refuse(err, yl_arena_printf(arena, "%.*s",
                                           YL_STR_ARG(p.start)));
    }
    ret_token->revision = p.revision;
    ret_token->start = yl_str_skip(p.start, p.start.data[0] == '/');
    return 0;
}

/* Decodes base64 in the alphabet for URLs and without padding.  Line ends are
 * ignored, as in Go. */
static bool
decode(struct yl_arena *arena, struct yl_str token, size_t *ret_bad,
       struct yl_str *ret_json)
{
    char *text = yl_arena_alloc(arena, token.size + 4);
    size_t i, n = 0;

    for (i = 0; i < token.size; i++) {
        char c = token.data[i];

        if (c == '\n' || c == '\r') {
            continue;
        }
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z') || c == '-' || c == '_')) {
            *ret_bad = i;
            return false;
        }
        text[n++] = c == '-' ? '+' : c == '_' ? '/' : c;
    }
    if (n % 4 == 1) {
        *ret_bad = token.size - 1;
        return false;
    }
    while (n % 4) {
        text[n++] = '=';
    }
    return yl_base64_decode(arena, yl_str_n(text, n), ret_json);
}

/* Reads the members as Go's decoder does: the case of their names does not
 * matter, the last of several counts, null changes nothing.  Returns Go's
 * message for the first value of a wrong type. */
static const char *
parse(struct yl_arena *arena, struct yl_json root, struct parsed *p)
{
    struct yl_json_iter it = yl_json_iter(root);
    const char *why = NULL;

    if (yl_json_type(root) != YL_JSON_OBJECT
        && yl_json_type(root) != YL_JSON_NULL) {
        return yl_arena_printf(arena, "json: cannot unmarshal %s into Go "
                                      "value of type storage.continueToken",
                               type_name(root));
    }
    while (yl_json_next(&it)) {
        bool version = is_called(&it, arena, "v");
        const char *wrong = NULL;

        if (yl_json_type(it.value) == YL_JSON_NULL) {
            continue;
        }
        if (version || is_called(&it, arena, "start")) {
            if (yl_json_string(it.value, arena,
                               version ? &p->version : &p->start) < 0) {
                wrong = wrong_type(arena, it.value,
                                   version ? "v" : "start", "string");
            }
        } else if (is_called(&it, arena, "rv")
                   && yl_json_int64(it.value, &p->revision) < 0) {
            wrong = wrong_type(arena, it.value, "rv", "int64");
        }
        why = why ? why : wrong;
    }
    return why;
}

/* Is the member called 'name', in upper or lower case? */
static bool
is_called(const struct yl_json_iter *it, struct yl_arena *arena,
          const char *name)
{
    struct yl_str key = it->key;
    size_t i;

    if (it->escaped) {
        struct yl_str quoted = yl_str_n(key.data - 1, key.size + 2);

        if (yl_json_string(yl_json(quoted), arena, &key) < 0) {
            return false;
        }
    }
    for (i = 0; i < key.size && name[i]; i++) {
        char c = key.data[i];

        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != name[i]) {
            return false;
        }
    }
    return i == key.size && !name[i];
}

static const char *
wrong_type(struct yl_arena *arena, struct yl_json value, const char *name,
           const char *type)
{
    struct yl_str number = yl_str_null();

    if (yl_json_type(value) == YL_JSON_NUMBER
        && yl_str_equal_c(yl_str_c(type), "int64")) {
        number = yl_json_raw(value);
    }
    return yl_arena_printf(arena, "json: cannot unmarshal %s%s%.*s into Go "
                                  "struct field continueToken.%s of type %s",
                           type_name(value), number.size ? " " : "",
                           YL_STR_ARG(number), name, type);
}

static const char *
type_name(struct yl_json value)
{
    switch (yl_json_type(value)) {
    case YL_JSON_STRING:
        return "string";
    case YL_JSON_NUMBER:
        return "number";
    case YL_JSON_ARRAY:
        return "array";
    case YL_JSON_OBJECT:
        return "object";
    default:
        return "bool";
    }
}

/* Is a key what Go's path.Clean() makes of it? */
static bool
is_clean(struct yl_str key)
{
    struct yl_str part;
    bool more = true;

    if (yl_str_equal(key, YL_STR("/"))) {
        return true;
    }
    if (yl_str_starts_with(key, YL_STR("/"))) {
        key = yl_str_skip(key, 1);
    }
    while (more) {
        more = yl_str_cut(key, '/', &part, &key);
        part = more ? part : key;
        if (!part.size || yl_str_equal(part, YL_STR("."))
            || yl_str_equal(part, YL_STR(".."))) {
            return false;
        }
    }
    return true;
}

static int
refuse(struct yl_error *err, const char *why)
{
    return yl_error_set(err, YL_EBADREQUEST,
                        "invalid continue token: continue key is not valid: "
                        "%s", why);
}
