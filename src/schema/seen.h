#ifndef SCHEMA_SEEN_H
#define SCHEMA_SEEN_H 1

/* Values that were seen already: finds equal elements of a list in one pass.
 *
 *     struct yl_seen seen;
 *     yl_seen_init(&seen, arena, yl_node_equal);
 *     ... if (yl_seen_add(&seen, node)) { repeated } ...
 *     yl_seen_release(&seen); */

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"

struct yl_arena;
struct yl_node;

/* When two values are equal.  Values that are must be yl_node_equal(). */
typedef bool yl_seen_equal_fn(const struct yl_node *, const struct yl_node *);

struct yl_seen {
    struct yl_arena *arena;     /* Lent. */
    yl_seen_equal_fn *equal;
    struct yl_map map;          /* By canonical text. */
    struct yl_buf text;
};

void yl_seen_init(struct yl_seen *, struct yl_arena *, yl_seen_equal_fn *);
void yl_seen_release(struct yl_seen *);

/* Was a value that equals 'node' added before?  If not, it is added now; it
 * must stay as long as 'seen'. */
bool yl_seen_add(struct yl_seen *, const struct yl_node *node);

#endif /* schema/seen.h */
