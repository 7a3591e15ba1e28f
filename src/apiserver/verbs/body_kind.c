/* What kind a body says it is.  See body_kind.h for the contract. */

#include "apiserver/verbs/body_kind.h"

#include <strings.h>

#include "apiserver/strategy/scheme.h"
#include "base/quote.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The most parameters of a Content-Type that are read. */
#define MAX_PARAMS 32

static struct yl_str take_token(struct yl_str *text);
static bool take_char(struct yl_str *text, char c);
static bool take_value(struct yl_str *text);
static int read_text(struct yl_arena *, const struct yl_node *root,
                     const char *name, struct yl_str *ret_text,
                     struct yl_error *err);
static bool is_among(struct yl_str word, const char *const *words);

bool
yl_body_media_is(struct yl_str type, const char *name)
{
    return type.size == strlen(name)
           && strncasecmp(type.data, name, type.size) == 0;
}

bool
yl_body_has_params(struct yl_str params)
{
    struct yl_str names[MAX_PARAMS];
    size_t i, n = 0;

    while (yl_str_trim(params).size) {
        struct yl_str name = take_token(&params);

        if (!name.size || n == MAX_PARAMS || !take_char(&params, '=')
            || !take_value(&params)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            if (names[i].size == name.size
                && strncasecmp(names[i].data, name.data, name.size) == 0) {
                return false;
            }
        }
        names[n++] = name;
        if (yl_str_trim(params).size && !take_char(&params, ';')) {
            return false;
        }
    }
    return true;
}

int
yl_body_gvk(struct yl_arena *arena, struct yl_node **root,
            const struct yl_kind *kind, struct yl_gvk *ret_gvk,
            struct yl_error *err)
{
    struct yl_str api_version, name;
    struct yl_gv gv;
    int r;

    if (yl_node_type(*root) == YL_JSON_NULL) {
        *root = yl_node_new_object(arena);
    }
    if (yl_node_type(*root) != YL_JSON_OBJECT) {
        return yl_error_set(
            err, YL_EBADREQUEST,
            "couldn't get version/kind; json parse error: json: cannot "
            "unmarshal %s into Go value of type struct { APIVersion string "
            "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
            "\"json:\\\"kind,omitempty\\\"\" }", yl_body_json_type(*root));
    }
    r = read_text(arena, *root, "apiVersion", &api_version, err);
    if (r == 0) {
        r = read_text(arena, *root, "kind", &name, err);
    }
    if (r != 0) {
        return r;
    }
    /* Cuts a name that is too long for a message; no kind has such a name. */
    api_version = yl_excerpt_copy(arena, api_version);
    name = yl_excerpt_copy(arena, name);
    if (yl_gv_parse(api_version, &gv, NULL) < 0) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "unexpected GroupVersion string: %.*s",
                            YL_STR_ARG(api_version));
    }
    if (kind && !gv.version.size
        && (!gv.group.size || yl_str_equal_c(gv.group, kind->set->group))) {
        gv.group = yl_str_c(kind->set->group);
        gv.version = yl_str_c(kind->set->version);
    }
    ret_gvk->group = gv.group;
    ret_gvk->version = gv.version;
    ret_gvk->kind = kind && !name.size ? yl_str_c(kind->name) : name;
    return 0;
}

bool
yl_body_is_kind(const struct yl_gvk *gvk, const struct yl_kind *kind)
{
    return yl_str_equal_c(gvk->kind, kind->name)
           && yl_str_equal_c(gvk->version, kind->set->version)
           && yl_str_equal_c(gvk->group, kind->set->group);
}

bool
yl_body_is_other_version(struct yl_apiserver *server,
                         const struct yl_gvk *gvk, const struct yl_kind *kind)
{
    return yl_str_equal_c(gvk->kind, kind->name)
           && yl_scheme_has(server, gvk);
}

void
yl_body_set_type(struct yl_arena *arena, struct yl_node *root,
                 const struct yl_kind *kind)
{
    struct yl_gv gv = { yl_str_c(kind->set->group),
                        yl_str_c(kind->set->version) };

    yl_node_set(arena, root, YL_STR("apiVersion"),
                yl_node_new_string(arena, yl_gv_api_version(gv, arena)));
    yl_node_set(arena, root, YL_STR("kind"),
                yl_node_new_string(arena, yl_str_c(kind->name)));
}

int
yl_body_unknown_kind(struct yl_gvk gvk, struct yl_arena *arena,
                     struct yl_error *err)
{
    struct yl_str version = yl_gv_api_version(yl_gvk_gv(gvk), arena);
    bool internal = yl_str_equal(gvk.version, YL_STR("__internal"));

    return yl_error_set(err, YL_EBADREQUEST,
                        "no kind \"%.*s\" is registered for %s \"%.*s\" "
                        "in scheme \"pkg/runtime/scheme.go:111\"",
                        YL_STR_ARG(gvk.kind),
                        internal ? "the internal version of group"
                                 : "version",
                        YL_STR_ARG(internal ? gvk.group : version));
}

int
yl_body_other_options(struct yl_gvk gvk, struct yl_arena *arena,
                      struct yl_error *err)
{
    /* The kinds that upstream's scheme of options has in every version, and
     * those that it has in its own versions besides. */
    static const char *const any[] = {
        "CreateOptions", "UpdateOptions", "Status", "APIVersions", "APIGroup",
        "APIGroupList", "APIResourceList", NULL,
    };
    static const char *const v1[] = {
        "ListOptions", "GetOptions", "PatchOptions", "WatchEvent", "Table",
        "TableOptions", "PartialObjectMetadata", "PartialObjectMetadataList",
        NULL,
    };
    bool meta;

    if (!gvk.version.size && !gvk.group.size) {
        gvk.group = YL_STR("meta.k8s.io");
        gvk.version = YL_STR("v1");
    }
    meta = yl_str_equal(gvk.group, YL_STR("meta.k8s.io"));
    if (!is_among(gvk.kind, any)
        && !(meta && yl_str_equal(gvk.version, YL_STR("v1"))
             && is_among(gvk.kind, v1))) {
        return yl_body_unknown_kind(gvk, arena, err);
    }
    return yl_error_set(err, YL_EBADREQUEST,
                        "converting (v1.%.*s) to (v1.DeleteOptions): unknown "
                        "conversion", YL_STR_ARG(gvk.kind));
}

int
yl_body_no_conversion(struct yl_gvk gvk, const struct yl_kind *wanted,
                      struct yl_error *err)
{
    struct yl_str group = yl_str_c(wanted->set->group), package, rest;

    if (!yl_str_cut(group, '.', &package, &rest)) {
        package = group.size ? group : YL_STR("core");
    }
    if (yl_scheme_is_everywhere(gvk.kind)) {
        gvk.version = YL_STR("v1");
    }
    return yl_error_set(err, YL_EBADREQUEST,
                        "converting (%.*s.%.*s) to (%.*s.%s): unknown "
                        "conversion", YL_STR_ARG(gvk.version),
                        YL_STR_ARG(gvk.kind), YL_STR_ARG(package),
                        wanted->name);
}

const char *
yl_body_json_type(const struct yl_node *node)
{
    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
        return "bool";
    case YL_JSON_NUMBER:
        return "number";
    case YL_JSON_STRING:
        return "string";
    case YL_JSON_ARRAY:
        return "array";
    case YL_JSON_OBJECT:
        return "object";
    default:
        return "null";
    }
}

/* Takes a token of RFC 2045, and the space around it, off the front of
 * 'text'. */
static struct yl_str
take_token(struct yl_str *text)
{
    struct yl_str rest = yl_str_trim(*text);
    size_t n = 0;

    while (n < rest.size && rest.data[n] > ' ' && rest.data[n] < 0x7f
           && !strchr("()<>@,;:\\\"/[]?=", rest.data[n])) {
        n++;
    }
    *text = yl_str_trim(yl_str_skip(rest, n));
    rest.size = n;
    return rest;
}

static bool
take_char(struct yl_str *text, char c)
{
    if (!text->size || text->data[0] != c) {
        return false;
    }
    *text = yl_str_trim(yl_str_skip(*text, 1));
    return true;
}

/* Takes the value of a parameter: a token, or anything in quotes. */
static bool
take_value(struct yl_str *text)
{
    size_t i;

    if (!text->size || text->data[0] != '"') {
        return take_token(text).size > 0;
    }
    for (i = 1; i < text->size && text->data[i] != '"'; i++) {
        i += text->data[i] == '\\';
    }
    if (i >= text->size) {
        return false;
    }
    *text = yl_str_trim(yl_str_skip(*text, i + 1));
    return true;
}

/* Reads a member as Go's decoder does: the case of its name does not matter,
 * and the last of several counts. */
static int
read_text(struct yl_arena *arena, const struct yl_node *root,
          const char *name, struct yl_str *ret_text, struct yl_error *err)
{
    const struct yl_node *node;

    *ret_text = yl_str_null();
    YL_NODE_FOR_EACH (node, root) {
        struct yl_str key = yl_node_key(node);

        if (key.size != strlen(name)
            || strncasecmp(key.data, name, key.size) != 0
            || yl_node_type(node) <= YL_JSON_NULL) {
            continue;
        }
        if (yl_node_string(node, arena, ret_text) < 0) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "couldn't get version/kind; json parse "
                                "error: json: cannot unmarshal %s into Go "
                                "struct field .%s of type string",
                                yl_body_json_type(node), name);
        }
    }
    return 0;
}

static bool
is_among(struct yl_str word, const char *const *words)
{
    for (; *words; words++) {
        if (yl_str_equal_c(word, *words)) {
            return true;
        }
    }
    return false;
}
