#ifndef YL_MAPPER_H
#define YL_MAPPER_H 1

/* Mapper: what a server serves, and which resource a kind is.
 *
 *     discovery of the API server -> [mapper] -> struct yl_resource
 *
 *     apps/v1 Deployment, deployments.apps, deployment, deploy
 *         -> /apis/apps/v1/.../deployments, in namespaces
 *
 * Generated kinds know their resource by themselves (yl_resource_of()).  A
 * mapper is for kinds that a program learns of at run time: from a manifest,
 * an owner reference, a command line.
 *
 * Guarantees
 * ==========
 *
 *   - The server is asked at the first question and then only if something
 *     cannot be found, at most every 'refresh' [10 s].  So a kind whose
 *     definition was just created is found, and one that does not exist costs
 *     little.
 *
 *   - Two requests (aggregated discovery) tell everything; servers before 1.26
 *     are asked for each group version.  A group version that cannot be had,
 *     because the server behind it is down, hides no other.
 *
 *   - Of several answers the first counts in the server's own order: the core
 *     group first, in each group the preferred version first.
 *
 * Ownership
 * =========
 *
 * What is found is lent until the arena that was passed is cleared; later
 * refreshes do not change it.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that yl_mapper_free()
 * must come last.  While one thread asks the server, others find what is
 * known already, and those that do not wait for its answer, at most for the
 * timeout of their own call and until that is canceled.
 *
 * Usage
 * =====
 *
 *     const struct yl_mapping *mapping;
 *
 *     if (yl_mapper_find(mapper, YL_STR("deploy"), NULL, arena, &mapping,
 *                        err) == 0) {
 *         yl_client_get(client, &mapping->resource, &key, ...);
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/client.h"
#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/gvk.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_error;
struct yl_mapper;

/* A resource that the server has. */
struct yl_mapping {
    struct yl_resource resource;        /* With its kind. */
    struct yl_str singular;     /* "deployment"; may be empty. */
    bool preferred;             /* Its version is the group's preferred. */

    const struct yl_str *short_names;   /* "deploy". */
    size_t n_short_names;
    const struct yl_str *categories;    /* "all". */
    size_t n_categories;
    const struct yl_str *verbs; /* "get", "list", "watch", ... */
    size_t n_verbs;
    const struct yl_str *subresources;  /* "status", "scale". */
    size_t n_subresources;
};

bool yl_mapping_has_verb(const struct yl_mapping *, struct yl_str verb);
bool yl_mapping_has_subresource(const struct yl_mapping *, struct yl_str name);

/* Options.  Zero means the default. */
struct yl_mapper_opts {
    yl_msec refresh;            /* [10,000] */
    struct yl_clock *clock;     /* Lent [monotonic]. */
};

/* Takes a reference of the client.  'opts' may be NULL. */
struct yl_mapper *yl_mapper_new(struct yl_client *,
                                const struct yl_mapper_opts *opts);
void yl_mapper_free(struct yl_mapper *);

/* Finds a kind.  An empty version means the preferred one.  YL_ENOTFOUND, in
 * client-go's words, if the server does not have it; else the errors of
 * calls.  The call's options may be NULL. */
int yl_mapper_find_kind(struct yl_mapper *, struct yl_gvk,
                        const struct yl_call_opts *, struct yl_arena *arena,
                        const struct yl_mapping **ret_mapping,
                        struct yl_error *err);

/* Finds a resource by its plural name.  An empty version means the preferred
 * one, a null group any. */
int yl_mapper_find_resource(struct yl_mapper *, struct yl_gvr,
                            const struct yl_call_opts *,
                            struct yl_arena *arena,
                            const struct yl_mapping **ret_mapping,
                            struct yl_error *err);

/* Finds what a person calls it, in upper or lower case: plural, singular,
 * short name or kind, alone or as NAME.GROUP or NAME.VERSION.GROUP. */
int yl_mapper_find(struct yl_mapper *, struct yl_str text,
                   const struct yl_call_opts *, struct yl_arena *arena,
                   const struct yl_mapping **ret_mapping,
                   struct yl_error *err);

/* Everything, in the server's order; the array is in 'arena'. */
int yl_mapper_all(struct yl_mapper *, const struct yl_call_opts *,
                  struct yl_arena *arena,
                  const struct yl_mapping **ret_mappings, size_t *ret_n,
                  struct yl_error *err);

/* Forgets everything: the next question asks the server. */
void yl_mapper_invalidate(struct yl_mapper *);

YL_C_END

#endif /* yuloh/mapper.h */
