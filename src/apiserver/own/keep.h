#ifndef APISERVER_OWN_KEEP_H
#define APISERVER_OWN_KEEP_H 1

/* The parts of the keeper.  See own.h for what it does. */

#include "apiserver/own/entries.h"
#include "apiserver/own/own.h"

struct yl_error;

/* One call of the keeper. */
struct yl_keeper {
    struct yl_ownership *o;
    struct yl_arena *arena;
    struct yl_typed_as as;      /* What is owned, in the request's version: the
                                 * object, or a Scale; */
    struct yl_str version;      /* its apiVersion, */
    struct yl_str kind;         /* and kind. */
    struct yl_updater updater;
    struct yl_version_filter *filters;
    struct yl_managers managers;
};

/* What does not count in one version. */
struct yl_version_filter {
    struct yl_str version;
    struct yl_field_filter filter;
    struct yl_version_filter *next;
};

/* keep.c: everything but apply. */

void yl_keeper_init(struct yl_keeper *, struct yl_ownership *);

/* Notes that 'manager' has replaced 'live' (in the request's version; NULL:
 * nothing) by 'now'.  0, or an error of a conversion. */
int yl_keeper_update(struct yl_keeper *, const struct yl_node *live,
                     const struct yl_node *now, struct yl_str manager,
                     struct yl_error *err);

/* Removes the fields that nobody owns from those of a manager, and the manager
 * if it has no other ones.  Returns whether it is still there. */
bool yl_keeper_strip(struct yl_keeper *, struct yl_manager *);

/* keep_apply.c: server-side apply. */

int yl_keeper_apply(struct yl_keeper *, struct yl_status *);

/* keep_versions.c: objects in other versions. */

/* A copy of an object of the write, which is in the hub's version, in the
 * request's; the object itself if it is in that already.  0, or an error of
 * the conversion. */
int yl_keeper_to_version(struct yl_keeper *, const struct yl_node *object,
                         const struct yl_node **ret_object,
                         struct yl_error *err);

/* The resource's version "apps/v1", or NULL if there is none of that name. */
const struct yl_api_version *
yl_keeper_find_version(const struct yl_keeper *, struct yl_str version);

/* The updater's functions, which find all they need in the keeper. */
int yl_keeper_convert(void *keeper, const struct yl_typed_object *from,
                      struct yl_str version, struct yl_typed_object *ret_to,
                      struct yl_error *err);
const struct yl_field_filter *yl_keeper_ignored(void *keeper,
                                                struct yl_str version);

/* keep_cap.c: joins the oldest entries of updates, if there are too many. */

void yl_keeper_cap(struct yl_keeper *);

/* keep_scale.c: owners of a Scale, and of the object it belongs to. */

/* Makes the object's managers those of its Scale. */
void yl_keeper_to_scale(struct yl_keeper *);

/* The other way: 'parent' are the object's managers from before. */
void yl_keeper_from_scale(struct yl_keeper *,
                          const struct yl_managers *parent);

/* keep_conflict.c: the answer to conflicts.  YL_ECONFLICT, with the Status. */

int yl_keeper_conflict(struct yl_keeper *, const struct yl_conflicts *,
                       struct yl_status *);

/* keep_last_applied.c: the annotation of kubectl's apply on the client's
 * side. */

/* Removes the conflicts about fields that were applied on the client's side
 * and have not changed since: kubectl takes those over.  'live' is in the
 * request's version.  Returns whether none is left. */
bool yl_keeper_allow_last_applied(struct yl_keeper *,
                                  const struct yl_node *live,
                                  struct yl_conflicts *);

/* Has 'object' the annotation?  Then it is to be set to what is applied
 * now. */
bool yl_keeper_has_last_applied(struct yl_keeper *,
                                const struct yl_node *object);
struct yl_str yl_keeper_last_applied(struct yl_keeper *);
void yl_keeper_set_last_applied(struct yl_keeper *, struct yl_node *object,
                                struct yl_str text);

#endif /* apiserver/own/keep.h */
