/* JSON Patch.  See json/patch.h.
 *
 * An operation first finds its place: a container and the last token of the
 * path (json/place.h).  Then a value is read from that place, put there or
 * taken away.  The two dialects differ in how places are found and read; the
 * operations themselves are the same functions. */

#include "json/patch.h"

#include "base/arena.h"
#include "json/place.h"
#include "json/pointer.h"
#include "json/tree.h"
#include "yuloh/error.h"

struct patcher {
    struct yl_places places;    /* The tree, and the work so far. */
    struct yl_patch_opts opts;  /* Defaults filled in. */
    struct yl_error *err;
    size_t copied;              /* Bytes made by "copy" so far. */
};

struct operation {
    struct yl_str kind;
    struct yl_str path;         /* Null if absent. */
    struct yl_str from;         /* Null if absent. */
    const struct yl_node *value;    /* NULL if absent. */
};

static int apply(struct patcher *, const struct yl_node *node);
static void read_operation(struct patcher *, const struct yl_node *node,
                           struct operation *);
static int check_strict(struct patcher *, const struct operation *);
static int apply_add(struct patcher *, const struct operation *);
static int apply_remove(struct patcher *, const struct operation *);
static int apply_replace(struct patcher *, const struct operation *);
static int apply_move(struct patcher *, const struct operation *);
static int apply_copy(struct patcher *, const struct operation *);
static int apply_test(struct patcher *, const struct operation *);
static struct yl_node *new_value(struct patcher *, const struct operation *);
static int measure(struct patcher *, const struct yl_node *, unsigned depth,
                   size_t *size);
static size_t measure_string(struct yl_str);
static bool equal_as_spelled(const struct yl_node *value,
                             const struct yl_node *node);
static int check_depth(struct patcher *);
static int too_deep(struct patcher *);
static int missing(struct patcher *, const struct operation *,
                   const char *field);
static int not_there(struct patcher *, const struct operation *,
                     const char *what, struct yl_str path);
static int wrap(struct patcher *, int r, const char *what,
                struct yl_str path);
static const char *type_name(const struct yl_node *);

int
yl_patch_check(const struct yl_node *patch, struct yl_error *err)
{
    static const char *const fields[] = { "op", "path", "from" };
    const struct yl_node *op, *field;
    size_t i;

    if (yl_node_type(patch) == YL_JSON_NULL) {
        return 0;
    }
    if (yl_node_type(patch) != YL_JSON_ARRAY) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "error decoding patch: json: cannot unmarshal %s "
                            "into Go value of type []handlers.jsonPatchOp",
                            type_name(patch));
    }
    YL_NODE_FOR_EACH (op, patch) {
        if (op->type == YL_JSON_NULL) {
            continue;
        }
        if (op->type != YL_JSON_OBJECT) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "error decoding patch: json: cannot unmarshal "
                                "%s into Go value of type "
                                "handlers.jsonPatchOp", type_name(op));
        }
        YL_NODE_FOR_EACH (field, op) {
            for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
                if (field->type != YL_JSON_STRING
                    && field->type != YL_JSON_NULL
                    && yl_str_equal_c(yl_node_key(field), fields[i])) {
                    return yl_error_set(
                        err, YL_EBADREQUEST,
                        "error decoding patch: json: cannot unmarshal %s into "
                        "Go struct field jsonPatchOp.%s of type string",
                        type_name(field), fields[i]);
                }
            }
        }
    }
    return 0;
}

int
yl_patch_apply(struct yl_arena *arena, struct yl_node **root,
               const struct yl_node *patch, const struct yl_patch_opts *opts,
               struct yl_error *err)
{
    struct patcher p = {
        .places = {
            .arena = arena,
            .root = *root,
            .kubernetes = opts && opts->kubernetes,
            .err = err,
        },
        .err = err,
    };
    const struct yl_node *op;
    unsigned i = 0;
    int r;

    if (opts) {
        p.opts = *opts;
    }
#define DEFAULT(MEMBER, VALUE) \
    p.opts.MEMBER = p.opts.MEMBER ? p.opts.MEMBER : (VALUE)
    DEFAULT(max_operations, YL_PATCH_MAX_OPERATIONS);
    DEFAULT(max_copy_size, YL_PATCH_MAX_COPY_SIZE);
    DEFAULT(max_work, YL_PATCH_MAX_WORK);
    DEFAULT(max_depth, YL_JSON_MAX_DEPTH);
#undef DEFAULT

    if (p.opts.kubernetes && yl_node_type(patch) == YL_JSON_NULL) {
        return 0;
    }
    if (yl_node_type(patch) != YL_JSON_ARRAY) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "json: cannot unmarshal %s into Go value of type "
                            "jsonpatch.Patch", type_name(patch));
    }
    YL_NODE_FOR_EACH (op, patch) {
        if (op->type != YL_JSON_OBJECT
            && !(p.opts.kubernetes && op->type == YL_JSON_NULL)) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "json: cannot unmarshal %s into Go value of "
                                "type jsonpatch.Operation", type_name(op));
        }
    }
    if (patch->n > p.opts.max_operations) {
        return yl_error_set(err, YL_ETOOBIG,
                            "The allowed maximum operations in a JSON patch "
                            "is %zu, got %zu", p.opts.max_operations,
                            (size_t) patch->n);
    }
    YL_NODE_FOR_EACH (op, patch) {
        r = apply(&p, op);
        if (r == 0) {
            r = yl_arena_check(arena, err);
        }
        if (r == 0 && p.places.work > p.opts.max_work) {
            r = yl_error_set(err, YL_ETOOBIG,
                             "the patch takes more than %zu steps",
                             p.opts.max_work);
        }
        if (r < 0) {
            if (!p.opts.kubernetes) {
                yl_error_prefix(err, "operation %u", i);
            }
            return r;
        }
        i++;
    }
    r = p.places.grown ? check_depth(&p) : 0;
    if (r == 0) {
        *root = p.places.root;
    }
    return r;
}

static int
apply(struct patcher *p, const struct yl_node *node)
{
    static const struct {
        const char *kind;
        int (*apply)(struct patcher *, const struct operation *);
    } kinds[] = {
        { "add", apply_add },           { "remove", apply_remove },
        { "replace", apply_replace },   { "move", apply_move },
        { "copy", apply_copy },         { "test", apply_test },
    };
    struct operation op;
    size_t i;
    int r;

    read_operation(p, node, &op);
    p->places.work++;
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (yl_str_equal_c(op.kind, kinds[i].kind)) {
            r = p->opts.kubernetes ? 0 : check_strict(p, &op);
            return r < 0 ? r : kinds[i].apply(p, &op);
        }
    }
    return yl_error_set(p->err, YL_EINVALID, "Unexpected kind: %.*s",
                        YL_STR_ARG(op.kind));
}

/* A member that is no string reads as if it were absent. */
static void
read_operation(struct patcher *p, const struct yl_node *node,
               struct operation *op)
{
    struct yl_arena *arena = p->places.arena;

    memset(op, 0, sizeof *op);
    op->kind = YL_STR("unknown");
    op->value = yl_node_get(node, YL_STR("value"));
    yl_node_string(yl_node_get(node, YL_STR("op")), arena, &op->kind);
    yl_node_string(yl_node_get(node, YL_STR("path")), arena, &op->path);
    yl_node_string(yl_node_get(node, YL_STR("from")), arena, &op->from);
}

/* The RFC's requirements on an operation that do not depend on the
 * document. */
static int
check_strict(struct patcher *p, const struct operation *op)
{
    bool has_from = yl_str_equal_c(op->kind, "move")
                    || yl_str_equal_c(op->kind, "copy");
    bool has_value = !has_from && !yl_str_equal_c(op->kind, "remove");
    int r;

    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    r = yl_pointer_check(op->path, p->err);
    if (r == 0 && has_from) {
        if (yl_str_is_null(op->from)) {
            return missing(p, op, "from");
        }
        r = yl_pointer_check(op->from, p->err);
        if (r == 0 && yl_str_equal_c(op->kind, "move")
            && op->path.size > op->from.size
            && yl_str_starts_with(op->path, op->from)
            && op->path.data[op->from.size] == '/') {
            return yl_error_set(p->err, YL_EINVALID,
                                "a value cannot be moved into itself");
        }
    }
    if (r == 0 && has_value && !op->value) {
        return missing(p, op, "value");
    }
    return r;
}

static int
apply_add(struct patcher *p, const struct operation *op)
{
    struct yl_place place;
    int r;

    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    if (yl_place_find(&p->places, op->path, &place) < 0) {
        return not_there(p, op, "path", op->path);
    }
    r = yl_place_put(&p->places, &place, new_value(p, op));
    return r < 0 ? wrap(p, r, "error in add for path", op->path) : r;
}

static int
apply_remove(struct patcher *p, const struct operation *op)
{
    struct yl_place place;
    struct yl_node *node;
    int r;

    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    if (yl_place_find(&p->places, op->path, &place) < 0) {
        return not_there(p, op, "path", op->path);
    }
    r = yl_place_take(&p->places, &place, &node);
    return r < 0 ? wrap(p, r, "error in remove for path", op->path) : r;
}

static int
apply_replace(struct patcher *p, const struct operation *op)
{
    struct yl_place place;
    struct yl_node *node;
    int r;

    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    if (p->opts.kubernetes && op->path.size == 0) {
        if (!yl_node_is_container(op->value)) {
            return yl_error_set(p->err, YL_EINVALID,
                                "replace operation value must be object or "
                                "array");
        }
        place.parent = NULL;
        return yl_place_put(&p->places, &place, new_value(p, op));
    }
    if (yl_place_find(&p->places, op->path, &place) < 0) {
        return not_there(p, op, "path", op->path);
    }
    r = yl_place_get(&p->places, &place, &node);
    if (r < 0 || (!node && !p->opts.kubernetes)) {
        return not_there(p, op, "key", op->path);
    }
    if (node && place.parent) {
        yl_node_replace(node, new_value(p, op));
        return 0;
    }
    return yl_place_put(&p->places, &place, new_value(p, op));
}

static int
apply_move(struct patcher *p, const struct operation *op)
{
    struct yl_place place;
    struct yl_node *node;
    int r;

    if (yl_str_is_null(op->from)) {
        return missing(p, op, "from");
    }
    if (!p->opts.kubernetes && yl_str_equal(op->from, op->path)
        && op->from.size == 0) {
        return 0;
    }
    if (yl_place_find(&p->places, op->from, &place) < 0) {
        return not_there(p, op, "from path", op->from);
    }
    r = yl_place_take(&p->places, &place, &node);
    if (r < 0) {
        return wrap(p, r, "error in move for path", place.key);
    }
    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }

    /* The value has been taken out of the tree, so a path that leads into it
     * is not found any more. */
    if (yl_place_find(&p->places, op->path, &place) < 0) {
        return not_there(p, op, "destination path", op->path);
    }
    r = yl_place_put(&p->places, &place, node);
    return r < 0 ? wrap(p, r, "error in move for path", op->path) : r;
}

static int
apply_copy(struct patcher *p, const struct operation *op)
{
    struct yl_place place;
    struct yl_node *node;
    size_t size = 0;
    int r;

    if (yl_str_is_null(op->from)) {
        return missing(p, op, "from");
    }
    if (yl_place_find(&p->places, op->from, &place) < 0) {
        return not_there(p, op, "from path", op->from);
    }
    r = yl_place_get(&p->places, &place, &node);
    if (r < 0) {
        return wrap(p, r, "error in copy for from", op->from);
    }
    if (!node && !p->opts.kubernetes) {
        return not_there(p, op, "from path", op->from);
    }
    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    if (yl_place_find(&p->places, op->path, &place) < 0) {
        return not_there(p, op, "destination path", op->path);
    }
    if (node) {
        r = measure(p, node, 0, &size);
        if (r < 0) {
            return r;
        }
    }
    p->copied += size;
    if (p->copied > p->opts.max_copy_size) {
        return yl_error_set(p->err, YL_EINVALID,
                            "Unable to complete the copy, the accumulated "
                            "size increase of copy is %zu, exceeding the "
                            "limit %zu", p->copied, p->opts.max_copy_size);
    }
    node = node ? yl_node_copy(p->places.arena, node)
                : yl_node_new_null(p->places.arena);
    r = yl_place_put(&p->places, &place, node);
    if (r < 0) {
        yl_error_prefix(p->err, "error while adding value during copy");
    }
    return r;
}

static int
apply_test(struct patcher *p, const struct operation *op)
{
    struct yl_place place = { NULL, yl_str_null() };
    struct yl_node *node;
    bool passed;
    int r;

    if (yl_str_is_null(op->path)) {
        return missing(p, op, "path");
    }
    if (op->path.size && yl_place_find(&p->places, op->path, &place) < 0) {
        return yl_error_set(p->err, YL_EINVALID,
                            "test operation does not apply: is missing path: "
                            "%.*s: missing value", YL_STR_ARG(op->path));
    }
    r = yl_place_get(&p->places, &place, &node);
    if (r < 0) {
        return wrap(p, r, "error in test for path", op->path);
    }
    if (!p->opts.kubernetes) {
        passed = node && yl_node_equal(op->value, node);
    } else if (!node || node->type == YL_JSON_NULL) {
        passed = !op->value || op->value->type == YL_JSON_NULL;
    } else {
        passed = op->value && equal_as_spelled(op->value, node);
    }
    if (!passed) {
        return yl_error_set(p->err, YL_ETESTFAILED,
                            "testing value %.*s failed: test failed",
                            YL_STR_ARG(op->path));
    }
    return 0;
}

/* The value of an operation, to be put into the tree. */
static struct yl_node *
new_value(struct patcher *p, const struct operation *op)
{
    p->places.grown |= yl_node_is_container(op->value);
    return op->value ? yl_node_copy(p->places.arena, op->value)
                     : yl_node_new_null(p->places.arena);
}

/* Adds the size that 'node' has when Go writes it.  Go also escapes characters
 * that HTML would interpret. */
static int
measure(struct patcher *p, const struct yl_node *node, unsigned depth,
        size_t *size)
{
    const struct yl_node *child;
    int r;

    p->places.work++;
    if (!yl_node_is_container(node)) {
        *size += measure_string(yl_str_n(node->raw_data, node->raw_size));
        return 0;
    }
    if (depth == p->opts.max_depth) {
        return too_deep(p);
    }
    *size += 2 + (node->n ? node->n - 1 : 0);
    YL_NODE_FOR_EACH (child, node) {
        if (node->type == YL_JSON_OBJECT) {
            *size += 3 + measure_string(yl_node_key(child));
        }
        r = measure(p, child, depth + 1, size);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static size_t
measure_string(struct yl_str raw)
{
    size_t size = raw.size;
    size_t i;

    for (i = 0; i < raw.size; i++) {
        if (raw.data[i] == '<' || raw.data[i] == '>' || raw.data[i] == '&') {
            size += 5;
        }
    }
    return size;
}

/* yl_node_equal(), except that numbers must be spelled the same.  The cost
 * depends on the size of 'value' only, whatever 'node' is. */
static bool
equal_as_spelled(const struct yl_node *value, const struct yl_node *node)
{
    const struct yl_node *a, *b;

    if (yl_node_type(value) != yl_node_type(node)) {
        return false;
    }
    if (value->type == YL_JSON_NUMBER) {
        return yl_str_equal(yl_str_n(value->raw_data, value->raw_size),
                            yl_str_n(node->raw_data, node->raw_size));
    }
    if (!yl_node_is_container(value)) {
        return yl_node_equal(value, node);
    }
    if (value->n != node->n) {
        return false;
    }
    b = node->first;
    YL_NODE_FOR_EACH (a, value) {
        if (node->type == YL_JSON_OBJECT) {
            b = yl_node_get(node, yl_node_key(a));
        }
        if (!b || !equal_as_spelled(a, b)) {
            return false;
        }
        b = b->next;
    }
    return true;
}

/* Walks over the whole tree, without recursion. */
static int
check_depth(struct patcher *p)
{
    const struct yl_node *node = p->places.root;
    unsigned depth = 0;

    for (;;) {
        if (node->first) {
            node = node->first;
            depth++;
        } else {
            while (node != p->places.root && !node->next) {
                node = node->parent;
                depth--;
            }
            if (node == p->places.root) {
                return 0;
            }
            node = node->next;
        }
        if (depth + yl_node_is_container(node) > p->opts.max_depth) {
            return too_deep(p);
        }
    }
}

static int
too_deep(struct patcher *p)
{
    return yl_error_set(p->err, YL_ETOODEEP, "exceeded max depth of %u",
                        p->opts.max_depth);
}

static int
missing(struct patcher *p, const struct operation *op, const char *field)
{
    bool brief = yl_str_equal_c(op->kind, "add")
                 || yl_str_equal_c(op->kind, "remove")
                 || (yl_str_equal_c(op->kind, "copy") && field[0] == 'p');

    if (brief) {
        return yl_error_set(p->err, YL_EINVALID,
                            "%.*s operation failed to decode %s: missing "
                            "value", YL_STR_ARG(op->kind), field);
    }
    return yl_error_set(p->err, YL_EINVALID,
                        "%.*s operation failed to decode %s: operation%s "
                        "missing %s field: missing value",
                        YL_STR_ARG(op->kind), field,
                        field[0] == 'p' ? "" : ",", field);
}

static int
not_there(struct patcher *p, const struct operation *op, const char *what,
          struct yl_str path)
{
    bool quoted = yl_str_equal_c(op->kind, "add")
                  || yl_str_equal_c(op->kind, "remove");
    const char *quote = quoted ? "\"" : "";

    return yl_error_set(p->err, YL_EINVALID,
                        "%.*s operation does not apply: doc is missing %s: "
                        "%s%.*s%s: missing value", YL_STR_ARG(op->kind), what,
                        quote, YL_STR_ARG(path), quote);
}

/* Adds to the error which operation it happened in. */
static int
wrap(struct patcher *p, int r, const char *what, struct yl_str path)
{
    yl_error_prefix(p->err, "%s: '%.*s'", what, YL_STR_ARG(path));
    return r;
}

static const char *
type_name(const struct yl_node *node)
{
    static const char *const names[] = {
        [YL_JSON_NONE] = "nothing",     [YL_JSON_NULL] = "null",
        [YL_JSON_BOOL] = "bool",        [YL_JSON_NUMBER] = "number",
        [YL_JSON_STRING] = "string",    [YL_JSON_ARRAY] = "array",
        [YL_JSON_OBJECT] = "object",
    };

    return names[yl_node_type(node)];
}
