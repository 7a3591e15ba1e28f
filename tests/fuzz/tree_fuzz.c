/* Fuzzes trees.  Input: a text, a zero byte, then changes.  After each change
 * the children of the changed node must be the same as in a plain array of
 * pointers after the same change, and every link of the tree must be right.
 * At the end the tree is written, read again and compared, in canonical form
 * too. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_CHANGES 100
#define MAX_NODES 600
#define MAX_LOOSE 8

/* The model: the children of one node. */
struct children {
    struct yl_node *at[MAX_NODES + 1];
    size_t n;
};

struct forest {
    struct yl_arena *arena;
    struct yl_node *root;
    struct yl_node *loose[MAX_LOOSE];   /* Nodes that were detached, to be used
                                         * again. */
    size_t n_loose;
};

static void change(struct forest *, struct fuzz_input *);
static void change_object(struct forest *, struct fuzz_input *,
                          struct yl_node *object, struct children *);
static void change_array(struct forest *, struct fuzz_input *,
                         struct yl_node *array, struct children *);
static void change_child(struct forest *, struct fuzz_input *,
                         struct yl_node *parent, struct children *);
static struct yl_node *pick_container(struct forest *, struct fuzz_input *);
static struct yl_node *pick_value(struct forest *, struct fuzz_input *);
static struct yl_str pick_key(struct forest *, struct fuzz_input *);
static void set_aside(struct forest *, struct yl_node *);
static void children_put(struct children *, size_t i, struct yl_node *);
static void children_drop(struct children *, size_t i);
static void check_children(const struct yl_node *parent,
                           const struct children *);
static size_t check_links(const struct yl_node *);
static void check_written(struct yl_arena *, const struct yl_node *root);
static void check_canonical(struct yl_arena *, struct yl_node *root);
static void reverse(struct yl_arena *, struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_str text = fuzz_text(&in);
    struct forest forest = { .arena = yl_arena_new() };
    int i;

    if (yl_tree_parse(forest.arena, text, NULL, &forest.root, NULL) == 0) {
        check_links(forest.root);
        for (i = 0; i < MAX_CHANGES && in.rest.size; i++) {
            change(&forest, &in);
        }
        check_written(forest.arena, forest.root);
        check_canonical(forest.arena, forest.root);
    }
    yl_arena_free(forest.arena);
    return 0;
}

static void
change(struct forest *forest, struct fuzz_input *in)
{
    struct yl_node *parent = pick_container(forest, in);
    struct children model = { .n = 0 };
    struct yl_node *child;
    size_t i;

    if (!parent || check_links(forest->root) > MAX_NODES / 2) {
        in->rest.size = 0;
        return;
    }
    YL_NODE_FOR_EACH (child, parent) {
        model.at[model.n++] = child;
    }
    if (fuzz_below(in, 2)) {
        change_child(forest, in, parent, &model);
    } else if (parent->type == YL_JSON_OBJECT) {
        change_object(forest, in, parent, &model);
    } else {
        change_array(forest, in, parent, &model);
    }
    check_children(parent, &model);
    check_links(forest->root);
    for (i = 0; i < forest->n_loose; i++) {
        check_links(forest->loose[i]);
    }
}

static void
change_object(struct forest *forest, struct fuzz_input *in,
              struct yl_node *object, struct children *model)
{
    struct yl_str key = pick_key(forest, in);
    struct yl_node *old = yl_node_get(object, key);
    struct yl_node *value;
    size_t i;

    for (i = 0; i < model->n && model->at[i] != old; i++) {
        continue;
    }
    CHECK(!old || i < model->n);
    if (fuzz_below(in, 4) == 0) {
        CHECK(yl_node_remove(object, key) == (old != NULL));
        if (old) {
            children_drop(model, i);
        }
        CHECK(!yl_node_get(object, key));
        return;
    }
    value = pick_value(forest, in);
    CHECK(yl_node_set(forest->arena, object, key, value) == old);
    CHECK(yl_node_get(object, key) == value);
    if (old) {
        model->at[i] = value;
        set_aside(forest, old);
    } else {
        children_put(model, model->n, value);
    }
}

static void
change_array(struct forest *forest, struct fuzz_input *in,
             struct yl_node *array, struct children *model)
{
    struct yl_node *value = pick_value(forest, in);
    size_t i = fuzz_below(in, (unsigned) (model->n < 255 ? model->n + 1
                                                         : 256));

    if (fuzz_below(in, 4) == 0) {
        yl_node_append(array, value);
        i = model->n;
    } else {
        yl_node_insert(array, i, value);
    }
    children_put(model, i, value);
    for (i = 0; i < model->n; i++) {
        CHECK(yl_node_at(array, i) == model->at[i]);
    }
    CHECK(!yl_node_at(array, i));
}

/* Changes that work for children of both objects and arrays. */
static void
change_child(struct forest *forest, struct fuzz_input *in,
             struct yl_node *parent, struct children *model)
{
    unsigned what = fuzz_below(in, 4);
    struct yl_node *value;
    size_t i;

    if (!model->n) {
        return;
    }
    i = fuzz_below(in, 256) % model->n;
    switch (what) {
    case 0:
        CHECK(yl_node_detach(model->at[i]) == model->at[i]);
        CHECK(!model->at[i]->parent);
        set_aside(forest, model->at[i]);
        children_drop(model, i);
        break;

    case 1:
        value = pick_value(forest, in);
        yl_node_replace(model->at[i], value);
        set_aside(forest, model->at[i]);
        model->at[i] = value;
        break;

    case 2:
        value = yl_node_copy(forest->arena, model->at[i]);
        CHECK(!value->parent && yl_node_equal(value, model->at[i]));
        set_aside(forest, value);
        break;

    default:
        value = model->at[i];
        children_drop(model, i);
        children_put(model, 0, value);
        yl_node_reorder(parent, model->at, model->n);
        break;
    }
}

/* Goes down from the root, a step for each byte. */
static struct yl_node *
pick_container(struct forest *forest, struct fuzz_input *in)
{
    struct yl_node *found = NULL;
    struct yl_node *node = forest->root;

    while (node && (node->type == YL_JSON_OBJECT
                    || node->type == YL_JSON_ARRAY)) {
        unsigned i = fuzz_below(in, 16);

        found = node;
        for (node = node->first; node && i > 1; i--) {
            node = node->next;
        }
        if (i == 0) {
            break;
        }
    }
    return found;
}

static struct yl_node *
pick_value(struct forest *forest, struct fuzz_input *in)
{
    unsigned what = fuzz_below(in, 10);

    switch (what) {
    case 0:
        return yl_node_new_null(forest->arena);
    case 1:
        return yl_node_new_bool(forest->arena, fuzz_below(in, 2));
    case 2:
        return yl_node_new_int64(forest->arena, (int64_t) fuzz_below(in, 256));
    case 3:
        return yl_node_new_double(forest->arena,
                                  0.25 * (double) fuzz_below(in, 256));
    case 4:
        return yl_node_new_string(forest->arena, pick_key(forest, in));
    case 5:
        return yl_node_new_array(forest->arena);
    case 6:
        return yl_node_new_object(forest->arena);
    case 7:
        return yl_node_new_number(forest->arena, YL_STR("-1.50e+2"));
    default:
        return forest->n_loose ? forest->loose[--forest->n_loose]
                               : yl_node_new_array(forest->arena);
    }
}

/* Enough different keys for an object to get an index, and few enough for them
 * to repeat. */
static struct yl_str
pick_key(struct forest *forest, struct fuzz_input *in)
{
    unsigned i = fuzz_below(in, 40);

    return yl_str_c(yl_arena_printf(forest->arena, i < 38 ? "%c" : "\t\"%c",
                                    '0' + (int) i));
}

static void
set_aside(struct forest *forest, struct yl_node *node)
{
    if (forest->n_loose < MAX_LOOSE) {
        forest->loose[forest->n_loose++] = node;
    }
}

static void
children_put(struct children *model, size_t i, struct yl_node *node)
{
    memmove(model->at + i + 1, model->at + i,
            (model->n - i) * sizeof *model->at);
    model->at[i] = node;
    model->n++;
}

static void
children_drop(struct children *model, size_t i)
{
    model->n--;
    memmove(model->at + i, model->at + i + 1,
            (model->n - i) * sizeof *model->at);
}

static void
check_children(const struct yl_node *parent, const struct children *model)
{
    const struct yl_node *child;
    size_t i = 0;

    CHECK(parent->n == model->n);
    YL_NODE_FOR_EACH (child, parent) {
        CHECK(i < model->n && child == model->at[i++]);
    }
    CHECK(i == model->n);
}

/* Checks every link, lookup and span below 'node'.  Returns the number of
 * nodes. */
static size_t
check_links(const struct yl_node *node)
{
    const struct yl_node *child;
    const struct yl_node *last = NULL;
    size_t n_nodes = 1;
    size_t n = 0;

    YL_NODE_FOR_EACH (child, node) {
        CHECK(child->parent == node);
        CHECK(!last || child->prev == last);
        CHECK(child->raw_data || !node->raw_data);
        CHECK(node->type != YL_JSON_OBJECT
              || yl_node_get(node, yl_node_key(child)) == child);
        n_nodes += check_links(child);
        last = child;
        n++;
    }
    CHECK(node->n == n);
    CHECK(!last || node->first->prev == last);
    return n_nodes;
}

static void
check_written(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_node *again;
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write(&buf, root);
    r = yl_tree_parse(arena, yl_buf_str(&buf), NULL, &again, NULL);
    CHECK(r == 0 || r == YL_ETOODEEP);
    if (r == 0) {
        CHECK(yl_node_equal(root, again) && yl_node_equal(again, root));
    }
    yl_buf_release(&buf);
}

/* The canonical form must have the same meaning, be its own canonical form,
 * and not depend on the order of members. */
static void
check_canonical(struct yl_arena *arena, struct yl_node *root)
{
    struct yl_tree_opts known = { .canonical = true };
    struct yl_node *again;
    struct yl_buf first, second;

    yl_buf_init(&first, YL_JSON_MAX_SIZE);
    yl_buf_init(&second, YL_JSON_MAX_SIZE);
    if (yl_node_write_canonical(&first, root) == 0
        && yl_tree_parse(arena, yl_buf_str(&first), NULL, &again, NULL) == 0) {
        CHECK(yl_node_equal(root, again));
        CHECK(yl_node_write_canonical(&second, again) == 0);
        CHECK(yl_str_equal(yl_buf_str(&first), yl_buf_str(&second)));

        reverse(arena, root);
        yl_buf_clear(&second);
        CHECK(yl_node_write_canonical(&second, root) == 0);
        CHECK(yl_str_equal(yl_buf_str(&first), yl_buf_str(&second)));

        CHECK(yl_tree_parse(arena, yl_buf_str(&first), &known, &again, NULL)
              == 0);
        reverse(arena, again);
        yl_buf_clear(&second);
        CHECK(yl_node_write_canonical(&second, again) == 0);
        CHECK(yl_str_equal(yl_buf_str(&first), yl_buf_str(&second)));
    }
    yl_buf_release(&first);
    yl_buf_release(&second);
}

/* Reverses the members of every object. */
static void
reverse(struct yl_arena *arena, struct yl_node *node)
{
    struct yl_node **members = yl_arena_array(arena, node->n,
                                              sizeof *members);
    struct yl_node *child;
    size_t i = node->n;

    YL_NODE_FOR_EACH (child, node) {
        reverse(arena, child);
        members[--i] = child;
    }
    if (node->type == YL_JSON_OBJECT && node->n) {
        yl_node_reorder(node, members, node->n);
    }
}
