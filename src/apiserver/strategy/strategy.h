#ifndef APISERVER_STRATEGY_STRATEGY_H
#define APISERVER_STRATEGY_STRATEGY_H 1

/* Strategy: how the objects of one resource behave.
 *
 *     registry -> resource -> [strategy] <- verbs, answer, watch
 *
 * The general machine (verbs/, filters/, answer/) is the same for all kinds
 * and knows none of them by name.  What differs stands here, as functions that
 * a resource points to.  Built-in kinds get theirs from the tables of
 * src/builtin (strategy/builtin.h), custom kinds will get theirs from their
 * definition.
 *
 * Every member may be NULL; its comment says what happens then.  A strategy
 * that is all zero is a complete one: the schema alone judges.
 *
 * Guarantees
 * ==========
 *
 *   - The machine calls strategies only through the functions below, which
 *     know what NULL means.
 *
 *   - A strategy is constant, and stays as long as its resource.
 *
 * Threads
 * =======
 *
 * Any loop, several at once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/wait.h"
#include "builtin/builtin.h"
#include "yuloh/key.h"

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
    /* What these mean stands in builtin/builtin.h. */
    YL_STRATEGY_CREATE_ON_UPDATE = YL_BUILTIN_CREATE_ON_UPDATE,
    YL_STRATEGY_CONDITIONAL_ONLY = YL_BUILTIN_CONDITIONAL_ONLY,
    YL_STRATEGY_ORPHANS = YL_BUILTIN_ORPHANS,
    YL_STRATEGY_DELETE_RETURNS_OBJECT = YL_BUILTIN_DELETE_RETURNS_OBJECT,
    YL_STRATEGY_GENERATION = YL_BUILTIN_GENERATION,
    YL_STRATEGY_STATUS = YL_BUILTIN_STATUS,

    YL_STRATEGY_UNCACHED = 1 << 16,     /* Upstream keeps no cache of them:
                                         * revisions mean what they mean to
                                         * etcd. */
    YL_STRATEGY_NO_DEPENDENTS = 1 << 17,    /* They own nothing: a DELETE adds
                                             * no finalizers. */
    YL_STRATEGY_HEARS_WATCHES = 1 << 18,    /* A watch reaches 'serve' although
                                             * the resource has no such
                                             * verb. */
};

/* A write of an object, as a strategy sees it. */
struct yl_change {
    struct yl_apiserver *server;
    struct yl_arena *arena;     /* For new nodes. */
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;   /* That was asked for; NULL: the
                                             * server itself writes. */
    enum yl_subresource subresource;
    struct yl_key key;          /* The name of a new object is in it. */
    struct yl_node *object;     /* What is to be stored, in the hub's
                                 * version. */
    const struct yl_node *old;  /* What is stored; NULL: the object is new. */
    const void *write;          /* Tells this write from others. */
    bool dry_run;
};

/* Objects of one version that are to become objects of another one. */
struct yl_conversion {
    const struct yl_api_resource *resource;
    const struct yl_api_version *from, *to;
    struct yl_arena *arena;     /* Of the trees; stays while one waits. */
    struct yl_node **objects;   /* Have apiVersion and kind.  Changed where
                                 * they are, or replaced. */
    size_t n_objects;
    struct yl_wait *wait;       /* NULL: this caller cannot wait. */
    struct yl_error *err;       /* Says why; stays while one waits. */
};

/* Which form of an object: see schema/normalize.h. */
enum yl_normal_form {
    YL_NORMAL_COMPARED,           /* To be compared with a stored one. */
    YL_NORMAL_STORED,
};

/* When a warning is given. */
enum yl_warn_time {
    YL_WARN_FIRST,              /* Before a new object is prepared. */
    YL_WARN_VALID,              /* Once it is known to be valid. */
};

/* Where an object keeps what its Scale shows: JSON paths with dots,
 * ".spec.replicas".  The selector is a string, a LabelSelector or a map of
 * labels. */
struct yl_scale_paths {
    const char *spec_replicas;
    const char *status_replicas;
    const char *selector;       /* NULL: there is none. */
};

struct yl_strategy {
    uint32_t flags;             /* enum yl_strategy_flags. */
    const struct yl_scale_paths *scale;     /* NULL: .spec.replicas,
                                             * .status.replicas,
                                             * .spec.selector. */

    /* Reading and showing
     * =================== */

    /* Prunes an object that was sent in 'version' and gives its values the one
     * form they have; reports what is unknown to 'strict', which may be NULL.
     * NULL: as the version's descriptors say. */
    int (*decode)(const struct yl_api_version *version, struct yl_arena *,
                  struct yl_node *object, struct yl_strict *strict,
                  struct yl_error *err);

    /* Gives an object of the hub's version another form.  NULL: as the
     * descriptors say. */
    int (*normalize)(const struct yl_api_version *hub, struct yl_arena *,
                     struct yl_node *object, enum yl_normal_form,
                     struct yl_error *err);

    /* Sets what was left out of an object of 'version'.  Twice is once. */
    void (*default_)(const struct yl_api_resource *,
                     const struct yl_api_version *version, struct yl_arena *,
                     struct yl_node *object);

    /* Converts: 0, a negative code with 'err', or YL_WAITING.  NULL: versions
     * differ in apiVersion alone. */
    int (*convert)(struct yl_conversion *);

    /* Takes away what is shown with the whole object only, before its metadata
     * are shown alone. */
    void (*hide)(struct yl_arena *, struct yl_node *object);

    /* Writing
     * ======= */

    /* Makes an object ready to be stored: fields that clients may not set go,
     * those that the server sets come.  NULL: what all kinds have in
     * common (identity, and generation and status by the flags). */
    void (*prepare)(const struct yl_change *);

    /* Reports every fault to 'err', as causes.  NULL: metadata alone. */
    void (*validate)(const struct yl_change *, struct yl_error *err);

    /* Warns of what is allowed and yet not wise. */
    void (*warn)(const struct yl_change *, enum yl_warn_time,
                 struct yl_warnings *);

    /* May this user write such an object?  After mutating admission.  0, or a
     * code with the Status to answer. */
    int (*permit)(const struct yl_admission *, struct yl_status *);

    /* Claims something elsewhere for the write (the addresses of a Service),
     * and gives it back: 'settle' is called once for each 'claim', whatever
     * became of the write, and keeps what was stored. */
    int (*claim)(const struct yl_change *, struct yl_status *);
    void (*settle)(struct yl_apiserver *, const void *write);

    /* Fills in what is written in one batch with an object that was 'before'
     * (NULL: it is new) and becomes 'after' (NULL: it goes), at most
     * YL_KS_MAX_WITH.  Their objects are references of the caller's, their
     * keys live in the arena.  Returns how many, or a code. */
    int (*with)(struct yl_apiserver *, struct yl_arena *,
                const struct yl_object *before, const struct yl_object *after,
                struct yl_ks_write *writes, struct yl_error *err);

    /* Deleting
     * ======== */

    /* How many seconds the object gets to end.  NULL: its kind knows no grace
     * periods. */
    int64_t (*grace)(const struct yl_node *object,
                     const struct yl_deletion_options *);

    /* Is the object held back by something of its own, in the place of a grace
     * period that runs? */
    bool (*is_held)(const struct yl_node *object);

    /* Compares the preconditions in words of its own; 0, or a code with the
     * Status to answer. */
    int (*check_deletion)(struct yl_deletion *, struct yl_status *);

    /* Proposes what a DELETE does to 'object', in the place of removing it;
     * leaves '*ret_done' alone if that is to be done. */
    int (*mark)(struct yl_deletion *, struct yl_node *object, bool *ret_done,
                struct yl_status *);

    /* Warns who deletes. */
    void (*warn_deletion)(struct yl_api_request *,
                          const struct yl_deletion_options *);

    /* Serving
     * ======= */

    /* Takes requests that the general verbs know nothing about: of resources
     * that are not stored (reviews), and of subresources that are neither a
     * part of the object nor its Scale (pods/binding).  YL_STEP_NEXT leaves
     * the request to the verbs. */
    enum yl_step (*serve)(struct yl_api_request *);
};

/* What a resource has that names none. */
extern const struct yl_strategy yl_strategy_plain;

/* The steps
 * =========
 *
 * What they return is what the members above do. */

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
void yl_strategy_prepare(const struct yl_change *);

/* 0, or YL_EINVALID with a cause for each fault. */
int yl_strategy_validate(const struct yl_change *, struct yl_error *err);

/* What all kinds have in common, for a 'prepare' or 'validate' that adds to
 * it. */
void yl_strategy_prepare_common(const struct yl_change *);
void yl_strategy_validate_common(const struct yl_change *,
                                 struct yl_error *err);

#endif /* apiserver/strategy/strategy.h */
