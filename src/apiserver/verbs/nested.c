/* Nested fields.  See apiserver/verbs/nested.h for the contract. */

#include "apiserver/verbs/nested.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/go_print.h"
#include "schema/go_value.h"
#include "yuloh/error.h"

static int find(const struct yl_node *object, const char *path,
                const struct yl_node **ret_node, struct yl_error *);
static int refuse(const struct yl_node *, struct yl_str path,
                  const char *expected, struct yl_error *);

int
yl_nested_int(const struct yl_node *object, const char *path,
              int64_t *ret_value, bool *ret_found, struct yl_error *err)
{
    const struct yl_node *node = NULL;
    int r = find(object, path, &node, err);

    if (r < 0) {
        return r;
    }
    *ret_value = 0;
    if (node && (yl_node_type(node) != YL_JSON_NUMBER
                 || !yl_go_number(node).is_int)) {
        return refuse(node, yl_str_c(path), "int64", err);
    }
    if (node) {
        *ret_value = yl_go_number(node).integer;
    }
    if (ret_found) {
        *ret_found = node != NULL;
    }
    return 0;
}

int
yl_nested_text(const struct yl_node *object, const char *path,
               struct yl_arena *arena, struct yl_str *ret_value,
               struct yl_error *err)
{
    const struct yl_node *node = NULL;
    int r = find(object, path, &node, err);

    if (r < 0) {
        return r;
    }
    *ret_value = YL_STR("");
    if (node && yl_node_type(node) != YL_JSON_STRING) {
        return refuse(node, yl_str_c(path), "string", err);
    }
    return node ? yl_node_string(node, arena, ret_value) : 0;
}

/* Finds the node at a path; NULL if there is none. */
static int
find(const struct yl_node *object, const char *path,
     const struct yl_node **ret_node, struct yl_error *err)
{
    struct yl_str rest = yl_str_c(path), name;
    bool more;

    if (yl_str_starts_with(rest, YL_STR("."))) {
        rest = yl_str_skip(rest, 1);
    }
    do {
        more = yl_str_cut(rest, '.', &name, &rest);
        if (!more) {
            name = rest;
        }
        if (yl_node_type(object) == YL_JSON_NULL) {
            object = NULL;      /* Upstream takes it for absent on the way. */
            break;
        }
        if (yl_node_type(object) != YL_JSON_OBJECT) {
            return refuse(object, yl_str_range(path, name.data + name.size),
                          "map[string]interface{}", err);
        }
        object = yl_node_get(object, name);
    } while (object && more);
    *ret_node = object;
    return 0;
}

static int
refuse(const struct yl_node *node, struct yl_str path, const char *expected,
       struct yl_error *err)
{
    const char *type = yl_node_type(node) == YL_JSON_NULL ? "<nil>"
                                                          : yl_go_type(node);
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    yl_go_print(&text, node);
    r = yl_error_set(err, YL_EINVALID, "%s%.*s accessor error: %.*s is of the "
                     "type %s, expected %s",
                     yl_str_starts_with(path, YL_STR(".")) ? "" : ".",
                     YL_STR_ARG(path), YL_STR_ARG(yl_buf_str(&text)), type,
                     expected);
    yl_buf_release(&text);
    return r;
}
