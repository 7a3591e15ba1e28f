/* The parser: validates a text and, if asked, builds its tree.
 *
 * The indexer (json/bits.h) lists the places where something starts, 4 KB of
 * text at a time; the parser walks that list with one branch for each place
 * and never looks at white space or at the inside of strings.  One function,
 * walk(), is compiled twice, with and without building.
 *
 * It only decides whether a text is good.  When it is not, the plain scanner
 * of json/explain.c runs over it again and says what is wrong. */

#include "json/tree.h"

#include <assert.h>

#include "base/arena.h"
#include "base/quote.h"
#include "json/bits.h"
#include "json/explain.h"
#include "json/index.h"
#include "json/text.h"
#include "json/utf8.h"
#include "yuloh/error.h"

/* Nodes come from the arena in batches; 72 bytes each. */
#define BATCH 32

struct walker {
    const char *end;            /* Of the text. */
    const char *chunk;          /* What 'offsets' are relative to. */
    const char *to_index;       /* First byte not indexed yet. */
    const uint32_t *last;       /* End of 'offsets'. */
    const struct yl_bits *bits;
    struct yl_bits_state state;

    unsigned depth;
    unsigned max_depth;

    /* Without building: a bit for each level, set for an object. */
    uint64_t objects[YL_JSON_MAX_DEPTH / 64 + 1];

    /* With building. */
    struct yl_arena *arena;
    const struct yl_tree_opts *opts;
    struct yl_node *batch;      /* Unused nodes. */
    size_t n_batch;
    uint8_t flags;              /* For every node: YL_NODE_CANONICAL or 0. */
    struct yl_str repeated;     /* If parsing stopped at a member that was
                                 * there already: its key.  Else null. */

    uint32_t offsets[YL_BITS_CHUNK + 64];
};

static bool parse(struct walker *, struct yl_str text,
                  const struct yl_json_limits *, struct yl_node *root);
static bool walk_flat(struct walker *);
static bool walk_tree(struct walker *, struct yl_node *root);
static int fail_repeated(struct yl_str key, struct yl_error *);

int
yl_json_validate(struct yl_str text, const struct yl_json_limits *limits,
                 struct yl_error *err)
{
    struct walker w;

    if (limits && limits->refuse_duplicates) {
        struct yl_tree_opts opts = { .limits = *limits };
        struct yl_node *root;
        struct yl_arena arena;
        int r;

        yl_arena_init(&arena);
        r = yl_tree_parse(&arena, text, &opts, &root, err);
        yl_arena_release(&arena);
        return r;
    }
    if (parse(&w, text, limits, NULL)) {
        return 0;
    }
    return yl_json_explain(text, limits, NULL, err);
}

int
yl_tree_parse(struct yl_arena *arena, struct yl_str text,
              const struct yl_tree_opts *opts, struct yl_node **ret_root,
              struct yl_error *err)
{
    static const struct yl_tree_opts defaults;
    struct yl_node *root = yl_arena_zalloc(arena, sizeof *root);
    struct walker w;
    int r;

    w.arena = arena;
    w.opts = opts ? opts : &defaults;
    w.flags = w.opts->canonical ? YL_NODE_CANONICAL : 0;
    if (parse(&w, text, &w.opts->limits, root)) {
        *ret_root = root;
        return 0;
    }
    if (w.repeated.data) {
        return fail_repeated(w.repeated, err);
    }
    r = yl_arena_check(arena, err);
    if (r < 0) {
        return r;
    }
    r = yl_json_explain(text, &w.opts->limits, NULL, err);
    assert(r < 0);
    return r;
}

/* Is 'text' good?  Builds its tree below 'root' unless that is NULL. */
static bool
parse(struct walker *w, struct yl_str text,
      const struct yl_json_limits *limits, struct yl_node *root)
{
    size_t max_size = yl_json_max_size(limits);

    w->repeated = yl_str_null();
    if (!text.data) {
        return false;
    }
    w->to_index = text.data;
    w->end = text.data + text.size;
    w->bits = yl_bits();
    memset(&w->state, 0, sizeof w->state);
    w->depth = 0;
    w->max_depth = limits && limits->max_depth ? limits->max_depth
                                               : YL_JSON_MAX_DEPTH;
    w->n_batch = 0;
    if (w->max_depth > YL_JSON_MAX_DEPTH) {
        w->max_depth = YL_JSON_MAX_DEPTH;
    }
    if (text.size > max_size) {
        return false;
    }
    return (root ? walk_tree(w, root) : walk_flat(w)) && !w->state.control
           && !w->state.bad_escape && !w->state.in_string
           && !(w->state.high && yl_utf8_find_invalid(text));
}

/* Indexes more text into 'offsets'.  False if there is none. */
static YL_NOINLINE bool
refill(struct walker *w)
{
    while (w->to_index < w->end) {
        size_t n = (size_t) (w->end - w->to_index);

        n = n < YL_BITS_CHUNK ? n : YL_BITS_CHUNK;
        w->chunk = w->to_index;
        w->to_index += n;
        w->last = w->offsets
                  + w->bits->index(&w->state, w->chunk, n, w->offsets);
        if (w->last > w->offsets) {
            return true;
        }
    }
    return false;
}

static YL_ALWAYS_INLINE bool
is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Whether one of the 'blocks' that the indexer noted lies between 'p' and
 * 'end'.  The notes of older chunks are gone, so for those the answer is
 * yes. */
static YL_ALWAYS_INLINE bool
is_noted(const struct walker *w, uint64_t blocks, const char *p,
         const char *end)
{
    size_t first, last;

    if (YL_UNLIKELY(p < w->chunk)) {
        return true;
    }
    first = (size_t) (p - w->chunk) / 64;
    last = (size_t) (end - 1 - w->chunk) / 64;
    return blocks >> first << (63 - last + first) != 0;
}

/* The end of the string that starts at 'p', behind its closing quote; NULL if
 * it has none or a \u in it is broken (the indexer checks other escapes).
 * 'after' is where the next thing starts: between the two there are only
 * blanks.  '*escaped' is only set when building. */
static YL_ALWAYS_INLINE const char *
string_end(const struct walker *w, const char *p, const char *after,
           bool build, bool *escaped)
{
    const char *end = after;

    while (is_blank(end[-1])) {
        end--;
    }
    if (end - p < 2 || end[-1] != '"') {
        return NULL;
    }
    if (YL_UNLIKELY(is_noted(w, w->state.unicodes, p, end))
        && yl_json_check_escapes(yl_str_range(p + 1, end - 1)) < 0) {
        return NULL;
    }
    if (build) {
        *escaped = YL_UNLIKELY(is_noted(w, w->state.backslashes, p, end))
                   && memchr(p, '\\', (size_t) (end - p));
    }
    return end;
}

/* The end of the number or word that starts at 'p'; NULL if it is invalid, or
 * if another character follows it directly. */
static YL_ALWAYS_INLINE const char *
scalar_end(const struct walker *w, const char *p)
{
    const char *end;

    switch (*p) {
    case 't':
        end = w->end - p >= 4 && !memcmp(p, "true", 4) ? p + 4 : NULL;
        break;
    case 'f':
        end = w->end - p >= 5 && !memcmp(p, "false", 5) ? p + 5 : NULL;
        break;
    case 'n':
        end = w->end - p >= 4 && !memcmp(p, "null", 4) ? p + 4 : NULL;
        break;
    default:
        end = yl_json_number_end(p, w->end);
        break;
    }
    if (!end || end == w->end) {
        return end;
    }
    switch (*end) {
    case ' ': case '\t': case '\n': case '\r':
    case ',': case ']': case '}': case ':': case '[': case '{':
        return end;
    default:
        return NULL;
    }
}

static YL_ALWAYS_INLINE enum yl_json_type
scalar_type(char c)
{
    return c == 'n' ? YL_JSON_NULL
           : c == 't' || c == 'f' ? YL_JSON_BOOL
           : YL_JSON_NUMBER;
}

/* The next child of 'parent'; NULL if the arena's account has no room. */
static YL_ALWAYS_INLINE struct yl_node *
new_child(struct walker *w, struct yl_node *parent)
{
    struct yl_node *node;

    if (YL_UNLIKELY(!w->n_batch)) {
        if (yl_arena_is_over(w->arena)) {
            return NULL;
        }
        w->batch = yl_arena_alloc(w->arena, BATCH * sizeof *w->batch);
        w->n_batch = BATCH;
    }
    w->n_batch--;
    node = w->batch++;
    memset(node, 0, sizeof *node);
    node->parent = parent;
    if (parent->first) {
        node->prev = parent->first->prev;
        node->prev->next = node;
        parent->first->prev = node;
    } else {
        parent->first = node->prev = node;
    }
    parent->n++;
    return node;
}

/* Makes a member of 'object' with the key 'raw'.  If there is one with this
 * key already, the new value takes its place.  Returns the node to fill in, or
 * NULL if the key is malformed, duplicates are refused, or the arena's budget
 * is used up. */
static struct yl_node *
set_key(struct walker *w, struct yl_node *object, struct yl_str raw,
        bool escaped)
{
    struct yl_node *member, *twin;
    struct yl_str key = raw;

    if (YL_UNLIKELY(escaped)) {
        char *out = yl_arena_alloc(w->arena, raw.size);

        key.data = out;
        if (yl_json_unescape(raw, out, &key.size) < 0) {
            return NULL;        /* The indexer has recorded this fault, too. */
        }
    }
    twin = yl_node_get(object, key);
    if (YL_UNLIKELY(twin)) {
        if (w->opts->on_duplicate) {
            w->opts->on_duplicate(w->opts->aux, object, key);
        } else if (w->opts->limits.refuse_duplicates) {
            w->repeated = key;
            return NULL;
        }
        twin->first = NULL;
        twin->index = NULL;
        twin->n = 0;
        twin->flags = 0;
        object->flags |= YL_NODE_MERGED;
        return twin;
    }
    member = new_child(w, object);
    if (YL_UNLIKELY(!member)) {
        return NULL;
    }
    member->key_data = key.data;
    member->key_size = (uint32_t) key.size;
    yl_index_add(w->arena, object, member);
    return member;
}

static YL_ALWAYS_INLINE void
set_raw(struct walker *w, struct yl_node *node, const char *start,
        const char *end)
{
    node->raw_data = start;
    node->raw_size = (uint32_t) (end - start);
    node->flags |= w->flags;
}

/* Goes one level down.  False if that is too deep. */
static YL_ALWAYS_INLINE bool
push(struct walker *w, bool object, bool build)
{
    if (YL_UNLIKELY(w->depth == w->max_depth)) {
        return false;
    }
    w->depth++;
    if (!build) {
        uint64_t bit = UINT64_C(1) << (w->depth & 63);

        if (object) {
            w->objects[w->depth >> 6] |= bit;
        } else {
            w->objects[w->depth >> 6] &= ~bit;
        }
    }
    return true;
}

/* Goes one level up from 'node', which ends before 'end', and returns its
 * parent.  An object that had a repeated member cannot be written back as its
 * source bytes, and neither can the containers around it. */
static YL_ALWAYS_INLINE struct yl_node *
pop(struct walker *w, struct yl_node *node, const char *end, bool build)
{
    w->depth--;
    if (!build) {
        return NULL;
    }
    if (YL_LIKELY(!(node->flags & YL_NODE_MERGED))) {
        set_raw(w, node, node->raw_data, end);
    } else {
        node->raw_data = NULL;
        if (node->parent) {
            node->parent->flags |= YL_NODE_MERGED;
        }
    }
    return node->parent;
}

/* The grammar.  'node' is the container we are in and 'value' the node to
 * fill in next; both are only used when building.
 *
 * The place in the list of offsets is kept in local variables: kept in 'w' it
 * would go through memory at every step, which halves the speed. */
static YL_ALWAYS_INLINE bool
walk(struct walker *w, struct yl_node *value, bool build)
{
    const uint32_t *next = w->offsets;
    const uint32_t *last = w->offsets;
    const char *chunk = NULL;
    struct yl_node *node = NULL;
    const char *p, *end, *after;
    bool escaped = false, object;

/* Stores in P where the next thing starts; the end if there is none. */
#define PEEK(P)                                                               \
    do {                                                                      \
        (P) = w->end;                                                         \
        if (YL_LIKELY(next != last) || refill(w)) {                           \
            if (YL_UNLIKELY(next == last)) {                                  \
                next = w->offsets;                                            \
                last = w->last;                                               \
                chunk = w->chunk;                                             \
            }                                                                 \
            (P) = chunk + *next;                                              \
        }                                                                     \
    } while (0)

    PEEK(p);

value:
    if (p == w->end) {
        return false;
    }
    next++;
    switch (*p) {
    case '{':
    case '[':
        object = *p == '{';
        if (!push(w, object, build)) {
            return false;
        }
        if (build) {
            value->type = object ? YL_JSON_OBJECT : YL_JSON_ARRAY;
            value->raw_data = p;    /* Completed by pop(). */
            node = value;
        }
        PEEK(after);
        if (after < w->end && *after == (object ? '}' : ']')) {
            goto close;
        }
        p = after;
        if (object) {
            goto key;
        }
        goto element;

    case '"':
        PEEK(after);
        end = string_end(w, p, after, build, &escaped);
        if (!end) {
            return false;
        }
        if (build) {
            value->type = YL_JSON_STRING;
            value->flags = escaped ? YL_NODE_ESCAPED : 0;
            set_raw(w, value, p, end);
        }
        break;

    default:
        end = scalar_end(w, p);
        if (!end) {
            return false;
        }
        if (build) {
            value->type = (uint8_t) scalar_type(*p);
            value->flags = *p == 't' ? YL_NODE_TRUE : 0;
            set_raw(w, value, p, end);
        }
        PEEK(after);
        break;
    }

after_value:                    /* 'after' is what follows it. */
    if (w->depth == 0) {
        return after == w->end;
    }
    if (after == w->end) {
        return false;
    }
    object = build ? node->type == YL_JSON_OBJECT
                   : w->objects[w->depth >> 6] >> (w->depth & 63) & 1;
    if (*after == ',') {
        next++;
        PEEK(p);
        if (object) {
            goto key;
        }
        goto element;
    }
    if (*after != (object ? '}' : ']')) {
        return false;
    }

close:
    next++;
    node = pop(w, node, after + 1, build);
    PEEK(after);
    goto after_value;

element:
    if (build) {
        value = new_child(w, node);
        if (YL_UNLIKELY(!value)) {
            return false;
        }
    }
    goto value;

key:
    if (p == w->end || *p != '"') {
        return false;
    }
    next++;
    PEEK(after);
    end = string_end(w, p, after, build, &escaped);
    if (!end || after == w->end || *after != ':') {
        return false;
    }
    if (build) {
        value = set_key(w, node, yl_str_range(p + 1, end - 1), escaped);
        if (!value) {
            return false;
        }
    }
    next++;
    PEEK(p);
    goto value;
#undef PEEK
}

static YL_NOINLINE bool
walk_flat(struct walker *w)
{
    return walk(w, NULL, false);
}

static YL_NOINLINE bool
walk_tree(struct walker *w, struct yl_node *root)
{
    return walk(w, root, true);
}

/* Names the repeated member in the error, or only the start of its key,
 * because a key may be as long as the text. */
static int
fail_repeated(struct yl_str key, struct yl_error *err)
{
    const size_t max_size = 64;
    struct yl_buf quoted;

    yl_buf_init(&quoted, YL_QUOTE_MAX * max_size);
    yl_quote(&quoted, yl_str_n(key.data, key.size < max_size ? key.size
                                                             : max_size));
    yl_error_set(err, YL_EDUPLICATE, "member %s%s is repeated",
                 yl_buf_c_str(&quoted), key.size > max_size ? "..." : "");
    yl_buf_release(&quoted);
    return YL_EDUPLICATE;
}
