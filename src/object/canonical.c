/* Canonical blocks, in which equal objects have equal bytes.  See
 * yuloh/object.h and object/object.h for the contract.
 *
 * The tree is written in the order that a block has, and then ingested like
 * any other text.  Nothing has to be moved then, and the code that finds facts
 * exists only once. */

#include "object/object.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/error.h"

static bool has_same_bytes(const struct yl_object *, const struct yl_object *,
                           struct yl_arena *);
static int write_object(struct yl_buf *, const struct yl_node *root);
static int write_metadata(struct yl_buf *, const struct yl_node *metadata);
static int write_members(struct yl_buf *, const struct yl_node *object,
                         struct yl_str but);
static int write_member(struct yl_buf *, const struct yl_node *);
static int compare_keys(const void *, const void *);
static struct yl_node *tree_of(const struct yl_object *, struct yl_arena *);

int
yl_object_from_tree(const struct yl_node *root,
                    const struct yl_object_opts *opts_,
                    struct yl_object **ret_object, struct yl_error *err)
{
    struct yl_object_opts opts = { 0 };
    struct yl_buf buf;
    int r;

    if (opts_) {
        opts = *opts_;
    }
    opts.canonical = true;
    opts.ret_type = NULL;
    if (yl_node_type(root) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_ETYPE,
                            "an API object must be a JSON object");
    }
    yl_buf_init(&buf, opts.max_size ? opts.max_size : YL_OBJECT_MAX_SIZE);
    r = write_object(&buf, root);
    if (r < 0) {
        yl_error_set(err, r, "object has a number that is out of range");
    } else if (yl_buf_error(&buf)) {
        r = yl_error_set(err, YL_ETOOBIG,
                         "object exceeds the limit of %zu bytes", buf.ceiling);
    } else {
        r = yl_object_ingest(yl_buf_str(&buf), &opts, ret_object, err);
    }
    yl_buf_release(&buf);
    return r;
}

bool
yl_object_equal(const struct yl_object *a, const struct yl_object *b)
{
    struct yl_arena arena;
    struct yl_node *x, *y;
    bool equal;

    yl_arena_init(&arena);
    a = yl_object_plain(a, &arena);
    b = yl_object_plain(b, &arena);
    equal = has_same_bytes(a, b, &arena);
    if (!equal && !(a->flags & b->flags & YL_OBJECT_CANONICAL)) {
        x = tree_of(a, &arena);
        y = x ? tree_of(b, &arena) : NULL;
        equal = y && yl_node_equal(x, y);
    }
    yl_arena_release(&arena);
    return equal;
}

static bool
has_same_bytes(const struct yl_object *a, const struct yl_object *b,
               struct yl_arena *arena)
{
    if (!((a->flags | b->flags) & YL_OBJECT_SHARED)) {
        return yl_str_equal(yl_str_n(a->text, a->size),
                            yl_str_n(b->text, b->size));
    }
    return a->managed_fields && b->managed_fields
           && yl_str_equal(yl_object_before_managed(a),
                           yl_object_before_managed(b))
           && yl_str_equal(yl_object_after_managed(a),
                           yl_object_after_managed(b))
           && yl_str_equal(yl_object_managed(a, arena),
                           yl_object_managed(b, arena));
}

static int
write_object(struct yl_buf *buf, const struct yl_node *root)
{
    const struct yl_node *metadata = yl_node_get(root, YL_STR("metadata"));
    int r;

    yl_buf_append_c(buf, "{\"metadata\":");
    r = yl_node_type(metadata) == YL_JSON_OBJECT
        ? write_metadata(buf, metadata)
        : metadata ? yl_node_write_canonical(buf, metadata)
                   : (yl_buf_append_c(buf, "{}"), 0);
    if (r == 0 && root->n > (metadata != NULL)) {
        yl_buf_append_char(buf, ',');
        r = write_members(buf, root, YL_STR("metadata"));
    }
    yl_buf_append_char(buf, '}');
    return r;
}

static int
write_metadata(struct yl_buf *buf, const struct yl_node *metadata)
{
    const struct yl_node *managed = yl_node_get(metadata,
                                                YL_STR("managedFields"));
    int r;

    yl_buf_append_char(buf, '{');
    r = write_members(buf, metadata, YL_STR("managedFields"));
    if (r == 0 && managed) {
        if (metadata->n > 1) {
            yl_buf_append_char(buf, ',');
        }
        r = write_member(buf, managed);
    }
    yl_buf_append_char(buf, '}');
    return r;
}

/* Writes the members of 'object', sorted, except the one called 'but'. */
static int
write_members(struct yl_buf *buf, const struct yl_node *object,
              struct yl_str but)
{
    const struct yl_node **members;
    const struct yl_node *child;
    size_t i, n = 0;
    int r = 0;

    members = yl_malloc_array(object->n, sizeof *members);
    YL_NODE_FOR_EACH (child, object) {
        if (!yl_str_equal(yl_node_key(child), but)) {
            members[n++] = child;
        }
    }
    qsort(members, n, sizeof *members, compare_keys);
    for (i = 0; i < n && r == 0; i++) {
        if (i) {
            yl_buf_append_char(buf, ',');
        }
        r = write_member(buf, members[i]);
    }
    free(members);
    return r;
}

static int
write_member(struct yl_buf *buf, const struct yl_node *member)
{
    yl_json_write_string(buf, yl_node_key(member));
    yl_buf_append_char(buf, ':');
    return yl_node_write_canonical(buf, member);
}

static int
compare_keys(const void *a, const void *b)
{
    const struct yl_node *const *x = a;
    const struct yl_node *const *y = b;

    return yl_str_compare(yl_node_key(*x), yl_node_key(*y));
}

/* The tree of 'object' with a fixed revision, so that two objects differ only
 * in their content; NULL if its text is not JSON. */
static struct yl_node *
tree_of(const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_object_head head = { .revision = 1 };
    struct yl_tree_opts opts = { .limits = { .max_size = SIZE_MAX } };
    struct yl_node *root;

    return yl_tree_parse(arena, yl_object_json(object, arena, &head), &opts,
                         &root, NULL) == 0 ? root : NULL;
}
