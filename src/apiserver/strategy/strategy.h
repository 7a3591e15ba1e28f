#ifndef APISERVER_STRATEGY_STRATEGY_H
#define APISERVER_STRATEGY_STRATEGY_H 1

/* Strategy: how the objects of one resource behave.
 *
 *     registry -> resource -> [strategy] <- verbs, answer, watch
 *
 * The general code (verbs/, filters/, answer/) is the same for all kinds and
 * knows none of them by name.  Where kinds differ, a resource points to
 * functions that do the work.  Built-in kinds get theirs from the tables of
 * src/builtin (strategy/builtin.h), custom kinds from their definition
 * (crd/custom.h).
 *
 * Every member may be NULL; its comment says what happens then.  A strategy
 * that is all zero is complete: such objects are checked by their schema
 * alone.
 *
 * Guarantees
 * ==========
 *
 *   - The general code calls strategies only through the functions below,
 *     which know what NULL means.
 *
 *   - A strategy is constant, and stays as long as its resource.
 *
 * Threads
 * =======
 *
 * Any loop's thread, several at once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/wait.h"
#include "builtin/builtin.h"
#include "yuloh/key.h"
#include "yuloh/object.h"

struct yl_admission;
struct yl_arena;
struct yl_deletion;
struct yl_deletion_options;
struct yl_error;
struct yl_ks_write;
struct yl_node;
struct yl_object;
struct yl_status;
struct yl_strict;

enum yl_strategy_flags {
    /* See builtin/builtin.h for the meaning of these. */
    YL_STRATEGY_CREATE_ON_UPDATE = YL_BUILTIN_CREATE_ON_UPDATE,
    YL_STRATEGY_CONDITIONAL_ONLY = YL_BUILTIN_CONDITIONAL_ONLY,
    YL_STRATEGY_ORPHANS = YL_BUILTIN_ORPHANS,
    YL_STRATEGY_DELETE_RETURNS_OBJECT = YL_BUILTIN_DELETE_RETURNS_OBJECT,
    YL_STRATEGY_GENERATION = YL_BUILTIN_GENERATION,
    YL_STRATEGY_STATUS = YL_BUILTIN_STATUS,

    YL_STRATEGY_UNCACHED = 1 << 16,     /* Upstream has no watch cache for
                                         * them: revisions behave as in
                                         * etcd. */
    YL_STRATEGY_NO_DEPENDENTS = 1 << 17,    /* They have no dependents: a
                                             * DELETE adds no finalizers for
                                             * them. */
    YL_STRATEGY_HEARS_WATCHES = 1 << 18,    /* A watch reaches 'serve' although
                                             * the resource has no such
                                             * verb. */
    YL_STRATEGY_IN_VERSION = 1 << 19,   /* A write is owned, admitted, prepared
                                         * and validated in the requested
                                         * version, and converted to the hub's
                                         * when that is done. */
    YL_STRATEGY_UNSTRUCTURED = 1 << 20, /* Upstream has no Go type for the
                                         * objects.  A body must say its kind,
                                         * which 'validate' checks; strategic
                                         * merge patches are refused; lists
                                         * say more (answer/view.h). */
};

/* A write of an object, as a strategy sees it. */
struct yl_change {
    struct yl_apiserver *server;
    struct yl_arena *arena;     /* For new nodes. */
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;   /* The requested version; NULL: the
                                             * server itself writes. */
    enum yl_subresource subresource;
    struct yl_key key;          /* The name of a new object is in it. */
    struct yl_node *object;     /* What is to be stored, in the hub's version
                                 * (or see YL_STRATEGY_IN_VERSION). */
    const struct yl_node *old;  /* What is stored, in the same version; NULL:
                                 * the object is new. */
    const void *write;          /* Tells this write from others. */
    bool dry_run;
};

/* Objects of one version that are to be converted to another one. */
struct yl_conversion {
    const struct yl_api_resource *resource;
    const struct yl_api_version *from, *to;
    struct yl_arena *arena;     /* Of the trees; stays valid during a wait. */
    struct yl_node **objects;   /* They have apiVersion and kind.  Changed in
                                 * place, or replaced. */
    size_t n_objects;           /* 0 only asks whether it can be done; there
                                 * is no wait. */
    bool whole;                 /* Fields that the other version does not have
                                 * are kept. */
    struct yl_wait *wait;       /* NULL: this caller cannot wait. */
    struct yl_error *err;       /* Says why it failed; stays valid during a
                                 * wait. */
};

/* The forms of an object: see schema/normalize.h. */
enum yl_normal_form {
    YL_NORMAL_COMPARED,           /* For comparison with a stored object. */
    YL_NORMAL_STORED,
};

/* When a warning is given. */
enum yl_warn_time {
    YL_WARN_FIRST,              /* Before a new object is prepared. */
    YL_WARN_VALID,              /* Once it is known to be valid. */
};

typedef bool yl_select_fn(const struct yl_api_resource *,
                          const struct yl_api_version *,
                          const struct yl_object *, struct yl_str name,
                          struct yl_arena *scratch, struct yl_str *ret_value);

struct yl_strategy {
    uint32_t flags;             /* enum yl_strategy_flags. */

    /* Reading and showing
     * =================== */

    /* Prunes an object of 'version' that was sent and normalises its values;
     * reports unknown fields to 'strict', which may be NULL.  NULL: as the
     * version's descriptors say. */
    int (*decode)(const struct yl_api_version *version, struct yl_arena *,
                  struct yl_node *object, struct yl_strict *strict,
                  struct yl_error *err);

    /* Normalises an object of the hub's version.  NULL: as the descriptors
     * say. */
    int (*normalize)(const struct yl_api_version *hub, struct yl_arena *,
                     struct yl_node *object, enum yl_normal_form,
                     struct yl_error *err);

    /* Sets defaults in an object of 'version'.  Calling it twice must give the
     * same as once. */
    void (*default_)(const struct yl_api_resource *,
                     const struct yl_api_version *version, struct yl_arena *,
                     struct yl_node *object);

    /* Converts: 0, a negative code with 'err', or YL_WAITING.  NULL: versions
     * differ in apiVersion alone. */
    int (*convert)(struct yl_conversion *);

    /* The version in which a block was stored that is not in the resource's
     * form.  NULL: the hub. */
    const struct yl_api_version *(*stored)(const struct yl_api_resource *,
                                           const struct yl_object *);

    /* Gives an object of such a block the form that it would have today in
     * that version.  NULL: schemas do not change. */
    void (*refresh)(const struct yl_api_version *, struct yl_arena *,
                    struct yl_node *object);

    /* Finds the value of a field that selectors may name besides those of
     * metadata; false if objects of this version have no such field.  With an
     * object of NULL only the name is checked.  NULL: as apiserver/fields.h
     * says. */
    yl_select_fn *select;

    /* Removes fields that are shown with the whole object only, before its
     * metadata are shown alone. */
    void (*hide)(struct yl_arena *, struct yl_node *object);

    /* Writing
     * ======= */

    /* Prepares an object for storage: removes fields that clients may not set
     * and sets those that the server sets.  NULL: what all kinds have in
     * common (identity, and generation and status by the flags). */
    void (*prepare)(const struct yl_change *);

    /* Reports every fault to 'err', as a cause.  NULL: checks metadata
     * only. */
    void (*validate)(const struct yl_change *, struct yl_error *err);

    /* The fields that a write of 'part' in version 'written' cannot set, so
     * that nobody comes to own them: their paths in version 'of', with a blank
     * between them, "spec metadata.labels"; NULL for none.  NULL: as custom
     * resources do, see yl_strategy_reset_fields(). */
    const char *(*reset_fields)(const struct yl_api_resource *,
                                const struct yl_api_version *written,
                                const struct yl_api_version *of,
                                enum yl_subresource part);

    /* Warns of what is allowed but unwise. */
    void (*warn)(const struct yl_change *, enum yl_warn_time,
                 struct yl_warnings *);

    /* May this user write such an object?  After mutating admission.  0, or a
     * code with the Status to answer. */
    int (*permit)(const struct yl_admission *, struct yl_status *);

    /* Claims something elsewhere for the write (the addresses of a Service),
     * and releases it: 'settle' is called once for each 'claim', whatever
     * became of the write, and keeps the claims of what was stored. */
    int (*claim)(const struct yl_change *, struct yl_status *);
    void (*settle)(struct yl_apiserver *, const void *write);

    /* Fills in the other writes that go in one batch with that of an object,
     * which was 'before' (NULL: it is new) and becomes 'after' (NULL: it is
     * deleted); at most YL_KS_MAX_WITH.  The caller owns a reference to each
     * of their objects; their keys live in the arena.  Returns how many, or a
     * code. */
    int (*with)(struct yl_apiserver *, struct yl_arena *,
                const struct yl_object *before, const struct yl_object *after,
                struct yl_ks_write *writes, struct yl_error *err);

    /* Deleting
     * ======== */

    /* The grace period of the object in seconds.  NULL: the kind has no grace
     * periods. */
    int64_t (*grace)(const struct yl_node *object,
                     const struct yl_deletion_options *);

    /* Is the deletion of the object held up by something special to its kind,
     * rather than by a grace period? */
    bool (*is_held)(const struct yl_node *object);

    /* Checks the preconditions with error messages of its own; 0, or a code
     * with the Status to answer. */
    int (*check_deletion)(struct yl_deletion *, struct yl_status *);

    /* Proposes what a DELETE does to 'object' instead of removing it; leaves
     * '*ret_done' alone if it is to be removed. */
    int (*mark)(struct yl_deletion *, struct yl_node *object, bool *ret_done,
                struct yl_status *);

    /* Warns a client that deletes. */
    void (*warn_deletion)(struct yl_api_request *,
                          const struct yl_deletion_options *);

    /* Serving
     * ======= */

    /* Serves requests that the general verbs cannot: those for resources that
     * are not stored (reviews), and of subresources that are neither a part of
     * the object nor its Scale (pods/binding).  YL_STEP_NEXT leaves the
     * request to the verbs. */
    enum yl_step (*serve)(struct yl_api_request *);
};

/* The strategy of a resource that names none. */
extern const struct yl_strategy yl_strategy_plain;

/* The steps
 * =========
 *
 * Each calls the member of the same name, or does what its comment says for
 * NULL. */

int yl_strategy_decode(const struct yl_api_resource *,
                       const struct yl_api_version *, struct yl_arena *,
                       struct yl_node *object, struct yl_strict *,
                       struct yl_error *err);
int yl_strategy_normalize(const struct yl_api_resource *, struct yl_arena *,
                          struct yl_node *object, enum yl_normal_form,
                          struct yl_error *err);
void yl_strategy_default(const struct yl_api_resource *,
                         const struct yl_api_version *, struct yl_arena *,
                         struct yl_node *object);
int yl_strategy_convert(struct yl_conversion *);

/* Was this block stored under another schema than the resource's, or in
 * another version? */
static inline bool
yl_strategy_is_stale(const struct yl_api_resource *resource,
                     const struct yl_object *object)
{
    return yl_object_schema_generation(object) != resource->schema_generation;
}

/* Would a write that changes nothing change how the block is stored? */
static inline bool
yl_strategy_is_elsewhere(const struct yl_api_resource *resource,
                         const struct yl_object *object)
{
    return (uint8_t) yl_object_schema_generation(object)
           != (uint8_t) resource->schema_generation;
}

/* Parses a block in the version that it is stored in, with apiVersion, kind
 * and 'revision' (0: none), and refreshes it if it is stale.  0, or an error
 * of yl_tree_parse(). */
int yl_strategy_read(const struct yl_api_resource *, struct yl_arena *,
                     const struct yl_object *, uint64_t revision,
                     const struct yl_api_version **ret_version,
                     struct yl_node **ret_tree, struct yl_error *err);

/* The same in the version 'to', by a conversion that cannot wait. */
int yl_strategy_read_as(const struct yl_api_resource *, struct yl_arena *,
                        const struct yl_object *, uint64_t revision,
                        const struct yl_api_version *to,
                        struct yl_node **ret_tree, struct yl_error *err);

void yl_strategy_prepare(const struct yl_change *);

/* If there is a subresource "status", the object itself is written without it
 * (known in the version written only), and it without metadata and spec. */
const char *yl_strategy_reset_fields(const struct yl_api_resource *,
                                     const struct yl_api_version *written,
                                     const struct yl_api_version *of,
                                     enum yl_subresource part);

/* 0, or YL_EINVALID with a cause for each fault. */
int yl_strategy_validate(const struct yl_change *, struct yl_error *err);

/* The part that all kinds have in common, for a 'prepare' or 'validate' that
 * adds to it. */
void yl_strategy_prepare_common(const struct yl_change *);
void yl_strategy_validate_common(const struct yl_change *,
                                 struct yl_error *err);

#endif /* apiserver/strategy/strategy.h */
