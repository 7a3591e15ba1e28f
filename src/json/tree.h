#ifndef JSON_TREE_H
#define JSON_TREE_H 1

/* A JSON tree in an arena, over the source bytes.
 *
 * Patches, pruning, defaults and validation work on this tree.  Every node
 * that came from a text remembers its bytes; a change anywhere below a node
 * makes it forget them.  So writing a tree copies each untouched subtree as
 * one span and spells out only what was changed.
 *
 * Guarantees
 * ==========
 *
 *   - Parsing validates (see yl_json_validate()).  A tree is always valid
 *     JSON.
 *
 *   - Members keep their order; a set member keeps its place; a new one comes
 *     last.  Of members repeated in the text the last one wins, in the first
 *     one's place, as in Go.
 *
 *   - Looking up a member takes constant time, however many there are.
 *     Finding an element by its number takes time in proportion to its
 *     distance from the nearer end.
 *
 * Ownership
 * =========
 *
 * Nodes live in the arena they were made in and point into the source text,
 * which must stay as long.  A node has at most one parent: to move a node,
 * detach it first.
 *
 * Threads
 * =======
 *
 * A tree belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     struct yl_node *root;
 *     if (yl_tree_parse(arena, text, NULL, &root, err) < 0) { ... }
 *     yl_node_set(arena, root, YL_STR("kind"), yl_node_new_string(...));
 *     yl_node_write(&buf, root); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/json.h"

struct yl_arena;
struct yl_error;
struct yl_node_index;

enum yl_node_flags {
    YL_NODE_TRUE = 1 << 0,      /* Of a bool: its value. */
    YL_NODE_ESCAPED = 1 << 1,   /* Of a string: 'raw_data' has escapes. */
    YL_NODE_CANONICAL = 1 << 2, /* 'raw_data' is in canonical form. */
    YL_NODE_MERGED = 1 << 3,    /* A repeated member was dropped below. */
};

/* The links, 'type', 'n' and the key may be read directly; everything else,
 * and every change, goes through the functions below. */
struct yl_node {
    struct yl_node *parent;     /* NULL for a root. */
    struct yl_node *next;       /* Next sibling; NULL for the last. */
    struct yl_node *prev;       /* Previous one; the first's is the last. */
    struct yl_node *first;      /* First child; NULL if there is none. */
    struct yl_node_index *index;    /* Members by key, if there are many. */
    struct yl_node *emptied;    /* Members that yl_node_empty_out() took. */
    const char *key_data;       /* Key without escapes, if in an object. */
    const char *raw_data;       /* Own bytes; NULL once changed. */
    uint32_t key_size;
    uint32_t raw_size;
    uint32_t n;                 /* Number of children. */
    uint8_t type;               /* enum yl_json_type. */
    uint8_t flags;              /* enum yl_node_flags. */
};

/* Options for parsing.  Zero means the default. */
struct yl_tree_opts {
    struct yl_json_limits limits;
    bool canonical;             /* Is the text known to be canonical? */

    /* If set, called for each repeated member (limits.refuse_duplicates is
     * ignored then) with the object it is in, before the repetition is merged
     * away. */
    void (*on_duplicate)(void *aux, const struct yl_node *object,
                         struct yl_str key);
    void *aux;
};

/* Parses 'text' into nodes in 'arena'.  0, the errors of yl_json_validate(),
 * or those of yl_arena_check() as soon as the arena's account has no
 * room. */
int yl_tree_parse(struct yl_arena *, struct yl_str text,
                  const struct yl_tree_opts *, struct yl_node **ret_root,
                  struct yl_error *err);

/* New nodes, without a parent.  Strings are copied. */
struct yl_node *yl_node_new_null(struct yl_arena *);
struct yl_node *yl_node_new_bool(struct yl_arena *, bool);
struct yl_node *yl_node_new_int64(struct yl_arena *, int64_t);
struct yl_node *yl_node_new_double(struct yl_arena *, double);
struct yl_node *yl_node_new_string(struct yl_arena *, struct yl_str);
struct yl_node *yl_node_new_array(struct yl_arena *);
struct yl_node *yl_node_new_object(struct yl_arena *);

/* A number from its text, which is copied and must be a valid JSON number. */
struct yl_node *yl_node_new_number(struct yl_arena *, struct yl_str text);

/* An object from its canonical text, which is copied and not parsed: it is
 * written and copied like any other, but no member of it can be seen. */
struct yl_node *yl_node_new_opaque(struct yl_arena *, struct yl_str text);

/* A deep copy, without a parent; of NULL, a null.  It is not complete if the
 * arena's account has no room for it (yl_arena_check()). */
struct yl_node *yl_node_copy(struct yl_arena *, const struct yl_node *);

/* Reading.  All take NULL and answer NULL, NONE, false or YL_ETYPE. */
static inline enum yl_json_type
yl_node_type(const struct yl_node *node)
{
    return node ? (enum yl_json_type) node->type : YL_JSON_NONE;
}

static inline struct yl_str
yl_node_key(const struct yl_node *node)
{
    return yl_str_n(node->key_data, node->key_size);
}

struct yl_node *yl_node_get(const struct yl_node *object, struct yl_str key);
struct yl_node *yl_node_at(const struct yl_node *array, size_t i);
int yl_node_bool(const struct yl_node *, bool *ret_value);
int yl_node_int64(const struct yl_node *, int64_t *ret_value);
int yl_node_double(const struct yl_node *, double *ret_value);

/* The text of a number, as written. */
int yl_node_number(const struct yl_node *, struct yl_str *ret_text);

/* The string without escapes, lent like yl_json_string()'s. */
int yl_node_string(const struct yl_node *, struct yl_arena *,
                   struct yl_str *ret_value);
bool yl_node_string_is(const struct yl_node *, struct yl_str);

/* Equal as values: members in any order, numbers by what they are worth (1,
 * 1.0 and 1e0 are equal), strings without their escapes. */
bool yl_node_equal(const struct yl_node *, const struct yl_node *);

/* Every child in turn.  The loop may detach CHILD in the SAFE form. */
#define YL_NODE_FOR_EACH(CHILD, PARENT) \
    for ((CHILD) = (PARENT)->first; (CHILD); (CHILD) = (CHILD)->next)
#define YL_NODE_FOR_EACH_SAFE(CHILD, NEXT, PARENT)                            \
    for ((CHILD) = (PARENT)->first;                                           \
         (CHILD) && ((NEXT) = (CHILD)->next, 1); (CHILD) = (NEXT))

/* Changing.  A value that is put into a tree must have no parent. */

/* Sets member 'key' of 'object', in place if there is one; the key is copied
 * when it is new.  Returns the value that was there, detached, or NULL. */
struct yl_node *yl_node_set(struct yl_arena *, struct yl_node *object,
                            struct yl_str key, struct yl_node *value);

/* Puts 'value' before the 'i'-th element; 'i' may be the count. */
void yl_node_insert(struct yl_node *array, size_t i, struct yl_node *value);
void yl_node_append(struct yl_node *array, struct yl_node *value);

/* Takes 'node' out of its parent, if it has one, and returns it. */
struct yl_node *yl_node_detach(struct yl_node *node);

/* Puts 'value' where 'old' is, under the same key; 'old' has no parent
 * then. */
void yl_node_replace(struct yl_node *old, struct yl_node *value);

/* Takes a member that is an empty list or object out of its object, which
 * remembers it, because Go distinguishes an empty list from an absent one in
 * some messages.  A copy of the object remembers it too.  In everything else
 * the tree is as if the member had never been there. */
void yl_node_empty_out(struct yl_node *member);
const struct yl_node *yl_node_emptied(const struct yl_node *object,
                                      struct yl_str key);

/* Removes a member; false if there was none. */
bool yl_node_remove(struct yl_node *object, struct yl_str key);

/* Sorts an array of members by the bytes of their keys.  The tree does not
 * change. */
void yl_node_sort_members(const struct yl_node **members, size_t n);

/* Puts the children of 'parent' in the order of the 'n' pointers, which must
 * be all of them. */
void yl_node_reorder(struct yl_node *parent, struct yl_node *const *children,
                     size_t n);

/* Writing
 * ======= */

/* Appends the tree; untouched subtrees as their source bytes. */
void yl_node_write(struct yl_buf *, const struct yl_node *);

/* Appends the tree in canonical form, which needs no schema: no white space,
 * members sorted by bytes, shortest escapes, numbers as Go writes them.
 * Returns 0, or YL_ERANGE if a number is too large for a double. */
int yl_node_write_canonical(struct yl_buf *, const struct yl_node *);

#endif /* json/tree.h */
