/* JSON Merge Patch.  See json/merge.h. */

#include "json/merge.h"

#include "base/arena.h"
#include "json/tree.h"
#include "yuloh/error.h"

static int check_depth(const struct yl_node *, struct yl_error *);
static bool is_too_deep(const struct yl_node *, unsigned room);
static void merge(struct yl_arena *, struct yl_node *object,
                  const struct yl_node *patch, bool kubernetes);
static struct yl_node *new_value(struct yl_arena *,
                                 const struct yl_node *patch,
                                 bool into_arrays);
static struct yl_node *diff(struct yl_arena *, const struct yl_node *from,
                            const struct yl_node *to);

int
yl_merge_apply(struct yl_arena *arena, struct yl_node **root,
               const struct yl_node *patch, const struct yl_merge_opts *opts,
               struct yl_error *err)
{
    static const char *const names[] = {
        [YL_JSON_NONE] = "nothing",     [YL_JSON_BOOL] = "bool",
        [YL_JSON_NUMBER] = "number",    [YL_JSON_STRING] = "string",
        [YL_JSON_ARRAY] = "array",
    };
    bool kubernetes = opts && opts->kubernetes;
    enum yl_json_type type = yl_node_type(patch);
    int r;

    if (kubernetes && type == YL_JSON_NULL) {
        return yl_error_set(err, YL_EBADREQUEST, "Invalid JSON Patch");
    }
    if (kubernetes && type != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "error decoding patch: json: cannot unmarshal %s "
                            "into Go value of type map[string]interface {}",
                            names[type]);
    }
    r = check_depth(patch, err);
    if (r < 0) {
        return r;
    }
    if (type == YL_JSON_OBJECT && yl_node_type(*root) == YL_JSON_OBJECT) {
        merge(arena, *root, patch, kubernetes);
    } else {
        *root = new_value(arena, patch, kubernetes);
    }
    return yl_arena_check(arena, err);
}

int
yl_merge_diff(struct yl_arena *arena, const struct yl_node *from,
              const struct yl_node *to, struct yl_node **ret_patch,
              struct yl_error *err)
{
    int r = check_depth(to, err);

    if (r < 0) {
        return r;
    }
    if (yl_node_type(from) == YL_JSON_OBJECT
        && yl_node_type(to) == YL_JSON_OBJECT) {
        *ret_patch = diff(arena, from, to);
    } else {
        *ret_patch = yl_node_copy(arena, to);
    }
    return yl_arena_check(arena, err);
}

static int
check_depth(const struct yl_node *node, struct yl_error *err)
{
    return is_too_deep(node, YL_JSON_MAX_DEPTH)
               ? yl_error_set(err, YL_ETOODEEP, "exceeded max depth of %d",
                              YL_JSON_MAX_DEPTH)
               : 0;
}

/* Are there more than 'room' containers inside each other?  Each level takes
 * two bytes of the text, so most trees need no walk. */
static bool
is_too_deep(const struct yl_node *node, unsigned room)
{
    const struct yl_node *child;

    if (node->type < YL_JSON_ARRAY
        || (node->raw_data && node->raw_size < 2 * (size_t) room)) {
        return false;
    }
    if (room == 0) {
        return true;
    }
    YL_NODE_FOR_EACH (child, node) {
        if (is_too_deep(child, room - 1)) {
            return true;
        }
    }
    return false;
}

/* Merges one object into another. */
static void
merge(struct yl_arena *arena, struct yl_node *object,
      const struct yl_node *patch, bool kubernetes)
{
    const struct yl_node *change;

    YL_NODE_FOR_EACH (change, patch) {
        struct yl_str key = yl_node_key(change);
        struct yl_node *member = yl_node_get(object, key);

        if (yl_arena_is_over(arena)) {
            break;
        }
        if (change->type == YL_JSON_NULL) {
            if (member) {
                yl_node_detach(member);
            }
        } else if (yl_node_type(member) != YL_JSON_OBJECT) {
            yl_node_set(arena, object, key,
                        new_value(arena, change, kubernetes));
        } else if (change->type == YL_JSON_OBJECT) {
            merge(arena, member, change, kubernetes);
        } else {
            yl_node_replace(member, yl_node_copy(arena, change));
        }
    }
}

/* The value of 'patch' where the document has none: a copy without null
 * members.  'into_arrays' tells whether objects in arrays lose their null
 * members too. */
static struct yl_node *
new_value(struct yl_arena *arena, const struct yl_node *patch,
          bool into_arrays)
{
    const struct yl_node *child;
    struct yl_node *value;

    if (patch->type == YL_JSON_OBJECT) {
        value = yl_node_new_object(arena);
        YL_NODE_FOR_EACH (child, patch) {
            if (yl_arena_is_over(arena)) {
                break;
            }
            if (child->type != YL_JSON_NULL) {
                yl_node_set(arena, value, yl_node_key(child),
                            new_value(arena, child, into_arrays));
            }
        }
    } else if (patch->type == YL_JSON_ARRAY && into_arrays) {
        value = yl_node_new_array(arena);
        YL_NODE_FOR_EACH (child, patch) {
            if (yl_arena_is_over(arena)) {
                break;
            }
            yl_node_append(value, new_value(arena, child, into_arrays));
        }
    } else {
        value = yl_node_copy(arena, patch);
    }
    return value;
}

static struct yl_node *
diff(struct yl_arena *arena, const struct yl_node *from,
     const struct yl_node *to)
{
    struct yl_node *patch = yl_node_new_object(arena);
    const struct yl_node *child, *old;

    YL_NODE_FOR_EACH (child, to) {
        struct yl_node *change = NULL;

        old = yl_node_get(from, yl_node_key(child));
        if (yl_node_type(old) == YL_JSON_OBJECT
            && child->type == YL_JSON_OBJECT) {
            change = diff(arena, old, child);
            change = change->n ? change : NULL;
        } else if (!yl_node_equal(old, child)) {
            change = yl_node_copy(arena, child);
        }
        if (change) {
            yl_node_set(arena, patch, yl_node_key(child), change);
        }
    }
    YL_NODE_FOR_EACH (child, from) {
        if (!yl_node_get(to, yl_node_key(child))) {
            yl_node_set(arena, patch, yl_node_key(child),
                        yl_node_new_null(arena));
        }
    }
    return patch;
}
