/* JSON Pointer.  See json/pointer.h. */

#include "json/pointer.h"

#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int not_found(struct yl_str pointer, struct yl_error *);

int
yl_pointer_check(struct yl_str pointer, struct yl_error *err)
{
    size_t i;

    if (pointer.size && pointer.data[0] != '/') {
        return yl_error_set(err, YL_EINVALID,
                            "JSON Pointer \"%.*s\" must be empty or start "
                            "with \"/\"", YL_STR_ARG(pointer));
    }
    for (i = 0; i < pointer.size; i++) {
        if (pointer.data[i] == '~'
            && (i + 1 == pointer.size
                || (pointer.data[i + 1] != '0'
                    && pointer.data[i + 1] != '1'))) {
            return yl_error_set(err, YL_EINVALID,
                                "JSON Pointer \"%.*s\" has a \"~\" that is "
                                "neither \"~0\" nor \"~1\"",
                                YL_STR_ARG(pointer));
        }
    }
    return 0;
}

int
yl_pointer_find(struct yl_arena *arena, const struct yl_node *root,
                struct yl_str pointer, struct yl_node **ret_node,
                struct yl_error *err)
{
    const struct yl_node *node = root;
    struct yl_str rest = pointer;
    struct yl_str token;
    size_t i;
    int r = yl_pointer_check(pointer, err);

    if (r < 0) {
        return r;
    }
    while (node && yl_pointer_next(&rest, &token)) {
        if (node->type == YL_JSON_ARRAY) {
            node = yl_pointer_index(token, &i) == 0 ? yl_node_at(node, i)
                                                    : NULL;
        } else {
            node = yl_node_get(node, yl_pointer_unescape(arena, token));
        }
    }
    if (!node) {
        return not_found(pointer, err);
    }
    *ret_node = (struct yl_node *) node;
    return 0;
}

int
yl_pointer_find_json(struct yl_arena *arena, struct yl_json root,
                     struct yl_str pointer, struct yl_json *ret_value,
                     struct yl_error *err)
{
    struct yl_json value = root;
    struct yl_str rest = pointer;
    struct yl_str token;
    size_t i;
    int r = yl_pointer_check(pointer, err);

    if (r < 0) {
        return r;
    }
    while (yl_json_exists(value) && yl_pointer_next(&rest, &token)) {
        if (yl_json_type(value) == YL_JSON_ARRAY) {
            value = yl_pointer_index(token, &i) == 0 ? yl_json_at(value, i)
                                                     : yl_json_none();
        } else {
            value = yl_json_get(value, yl_pointer_unescape(arena, token));
        }
    }
    if (!yl_json_exists(value)) {
        return not_found(pointer, err);
    }
    *ret_value = value;
    return 0;
}

void
yl_pointer_append(struct yl_buf *buf, struct yl_str token)
{
    size_t i;

    yl_buf_append_char(buf, '/');
    for (i = 0; i < token.size; i++) {
        if (token.data[i] == '~') {
            yl_buf_append_c(buf, "~0");
        } else if (token.data[i] == '/') {
            yl_buf_append_c(buf, "~1");
        } else {
            yl_buf_append_char(buf, token.data[i]);
        }
    }
}

bool
yl_pointer_next(struct yl_str *pointer, struct yl_str *ret_token)
{
    struct yl_str rest;
    const char *slash;

    if (pointer->size == 0) {
        return false;
    }
    rest = yl_str_skip(*pointer, 1);
    slash = yl_str_find_char(rest, '/');
    *ret_token = slash ? yl_str_range(rest.data, slash) : rest;
    *pointer = yl_str_skip(rest, ret_token->size);
    return true;
}

struct yl_str
yl_pointer_unescape(struct yl_arena *arena, struct yl_str token)
{
    char *out;
    size_t i;
    size_t n = 0;

    if (!yl_str_find_char(token, '~')) {
        return token;
    }
    out = yl_arena_alloc(arena, token.size);
    for (i = 0; i < token.size; i++) {
        char c = token.data[i];
        char next = i + 1 < token.size ? token.data[i + 1] : '\0';

        if (c == '~' && (next == '0' || next == '1')) {
            c = next == '0' ? '~' : '/';
            i++;
        }
        out[n++] = c;
    }
    return yl_str_n(out, n);
}

int
yl_pointer_index(struct yl_str token, size_t *ret_index)
{
    unsigned long long index;

    if (token.size == 0 || (token.size > 1 && token.data[0] == '0')
        || yl_str_to_u64(token, &index) < 0 || index != (size_t) index) {
        return YL_EINVALID;
    }
    *ret_index = (size_t) index;
    return 0;
}

static int
not_found(struct yl_str pointer, struct yl_error *err)
{
    return yl_error_set(err, YL_ENOTFOUND, "there is nothing at \"%.*s\"",
                        YL_STR_ARG(pointer));
}
