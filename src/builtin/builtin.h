#ifndef BUILTIN_BUILTIN_H
#define BUILTIN_BUILTIN_H 1

/* The rules of Kubernetes' own kinds, beyond their fields.
 *
 *     body -> decode -> normalise -> [default] -> admission -> [prepare]
 *          -> [validate] -> commit
 *
 * One constant table has a row for each kind with rules of its own.  The
 * functions work on the arena tree; the tree has the types that the kind's
 * descriptor promises.
 *
 * Guarantees
 * ==========
 *
 *   - Defaulting is idempotent: a second time changes nothing.
 *
 *   - Validation changes nothing and reports every fault, in upstream's order
 *     and words.
 *
 * Ownership
 * =========
 *
 * New nodes live in the arena that is passed, which must be the tree's.
 *
 * Threads
 * =======
 *
 * The table never changes; any thread may use it.
 *
 * Usage
 * =====
 *
 *     const struct yl_builtin *b = yl_builtin_find(YL_STR("apps"),
 *                                                  YL_STR("v1"),
 *                                                  YL_STR("Deployment"));
 *     yl_builtin_default(b, arena, object);
 *     ... name, uid, namespace, admission ...
 *     yl_builtin_prepare(b, arena, object);
 *     if (yl_builtin_validate(b, arena, object, err) < 0) { ... 422 ... } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_check;
struct yl_node;

/* The types of a kind's functions. */
typedef void yl_default_fn(struct yl_arena *, struct yl_node *object);
typedef void yl_validate_new_fn(struct yl_check *,
                                const struct yl_node *object);
typedef void yl_prepare_change_fn(struct yl_arena *, struct yl_node *object,
                                  const struct yl_node *old);
typedef void yl_validate_change_fn(struct yl_check *,
                                   const struct yl_node *object,
                                   const struct yl_node *old);

/* Collects warnings. */
struct yl_warnings {
    struct yl_arena *arena;
    void (*add)(void *aux, const char *text);
    void *aux;
};
typedef void yl_warn_fn(struct yl_warnings *, const struct yl_node *object,
                        const struct yl_node *old);

struct yl_builtin {
    const char *group;          /* "" for the core group. */
    const char *version;
    const char *kind;
    bool namespaced;

    uint32_t flags;             /* enum yl_builtin_flags. */

    /* Any of them may be NULL. */
    yl_default_fn *default_;
    yl_default_fn *prepare;
    yl_validate_new_fn *validate;

    /* Functions for updates.  'old' is the stored object, in the hub
     * version. */
    yl_prepare_change_fn *prepare_update;
    yl_validate_change_fn *validate_update;
    yl_prepare_change_fn *prepare_status;
    yl_validate_change_fn *validate_status;

    /* Removes fields of metadata that upstream stores elsewhere, and shows in
     * metadata only with the whole object. */
    yl_default_fn *hide;

    /* Warns of what is allowed but unwise.  'old' is NULL for a new object.
     * Some warnings about a new object are given before it is prepared, even
     * if it is refused then. */
    yl_warn_fn *warn;
    yl_warn_fn *warn_first;
    yl_warn_fn *warn_status;
};

/* How a kind's objects are written and deleted. */
enum yl_builtin_flags {
    YL_BUILTIN_CREATE_ON_UPDATE = 1 << 0,   /* PUT of a name that does not
                                             * exist creates the object. */
    YL_BUILTIN_CONDITIONAL_ONLY = 1 << 1,   /* PUT must name a
                                             * resourceVersion. */
    YL_BUILTIN_ORPHANS = 1 << 2,            /* A DELETE orphans dependents by
                                             * default. */
    YL_BUILTIN_GRACEFUL = 1 << 3,           /* A DELETE has a grace period. */
    YL_BUILTIN_DELETE_RETURNS_OBJECT = 1 << 4,
    YL_BUILTIN_GENERATION = 1 << 5,         /* generation is 1 in a new object;
                                             * the server counts changes of the
                                             * spec. */
    YL_BUILTIN_UNVALIDATED = 1 << 6,        /* Only the schema checks its
                                             * objects. */
    YL_BUILTIN_STATUS = 1 << 7,             /* Only /status writes status: it
                                             * is removed from a new object (by
                                             * its 'prepare', if it has one)
                                             * and kept by an update. */
    YL_BUILTIN_COUNTS_ANNOTATIONS = 1 << 8, /* A change of annotations counts
                                             * as one of the spec. */
    YL_BUILTIN_COUNTS_EMPTY = 1 << 9,       /* So does a list or map that is
                                             * sent empty. */
};

/* The row of a kind, or NULL if it has no rules besides its schema. */
const struct yl_builtin *yl_builtin_find(struct yl_str group,
                                         struct yl_str version,
                                         struct yl_str kind);

/* All rows. */
const struct yl_builtin *yl_builtin_all(size_t *ret_n);

/* Sets defaults. */
void yl_builtin_default(const struct yl_builtin *, struct yl_arena *,
                        struct yl_node *object);

/* Prepares an object that is to be created, once it has its name and uid:
 * removes fields that clients may not set, and sets those that the server
 * sets. */
void yl_builtin_prepare(const struct yl_builtin *, struct yl_arena *,
                        struct yl_node *object);

/* 0, or YL_EINVALID with a cause for each fault of an object that is to be
 * created. */
int yl_builtin_validate(const struct yl_builtin *, struct yl_arena *,
                        const struct yl_node *object, struct yl_error *err);

/* The same for an object that replaces 'old': fields that may not change are
 * put back, status is kept, generation is counted; then it is validated,
 * immutable fields included.  resourceVersion is not checked: the code that
 * stores the object does that. */
void yl_builtin_prepare_update(const struct yl_builtin *, struct yl_arena *,
                               struct yl_node *object,
                               const struct yl_node *old);
int yl_builtin_validate_update(const struct yl_builtin *, struct yl_arena *,
                               const struct yl_node *object,
                               const struct yl_node *old,
                               struct yl_error *err);

/* The same for a write to /status: everything except status is put back, and
 * the parts of metadata that a write to /status may not change. */
void yl_builtin_prepare_status(const struct yl_builtin *, struct yl_arena *,
                               struct yl_node *object,
                               const struct yl_node *old);
int yl_builtin_validate_status(const struct yl_builtin *, struct yl_arena *,
                               const struct yl_node *object,
                               const struct yl_node *old,
                               struct yl_error *err);

#endif /* builtin/builtin.h */
