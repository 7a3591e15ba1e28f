#ifndef APISERVER_VERBS_STEPS_H
#define APISERVER_VERBS_STEPS_H 1

/* The steps of a write, in their order.
 *
 *     decode -> convert -> identify -> own -> mutate -> own -> default
 *            -> claim -> prepare -> validate -> admit -> store -> settle
 *
 * All work on a struct yl_write (write.h).  A step that does not apply to a
 * write (a DELETE has no object to validate) does nothing.  These may wait:
 * decode, convert, identify and store (conversion), own, mutate and admit
 * (plugins). */

#include "apiserver/verbs/write.h"

struct yl_node;
struct yl_ownership;
struct yl_status;

/* Runs the table from the write's step on: 0 if the proposal is made, a
 * negative code with the Status, or YL_WAITING. */
int yl_write_run_steps(struct yl_write *);

/* What the verb takes: a body, a patch, the object of a subresource. */
yl_write_step_fn yl_write_decode;

/* Defaults of the object's version, conversion to the hub, its defaults.  With
 * YL_STRATEGY_IN_VERSION the first of these only. */
yl_write_step_fn yl_write_convert;

/* Checks that it is the object that the path names, and whether there is one.
 * Removes fields that clients cannot set. */
yl_write_step_fn yl_write_identify;

/* managedFields, before and after admission. */
yl_write_step_fn yl_write_own;
yl_write_step_fn yl_write_own_again;

/* Mutating admission; then name, uid and revision, which plugins cannot
 * choose. */
yl_write_step_fn yl_write_mutate;

/* The hub's defaults again, if a plugin has patched the object. */
yl_write_step_fn yl_write_default;

/* Claims, such as the addresses of a Service.  Before the object is prepared,
 * as upstream does it. */
yl_write_step_fn yl_write_claim;

/* What the kind does: sets and removes fields, finds faults, warns. */
yl_write_step_fn yl_write_prepare;
yl_write_step_fn yl_write_validate;

/* Validating admission. */
yl_write_step_fn yl_write_admit;

/* Conversion to the hub, with YL_STRATEGY_IN_VERSION. */
yl_write_step_fn yl_write_store;

/* Makes the proposal. */
yl_write_step_fn yl_write_settle;

/* For verbs
 * ========= */

/* What the keeper of managedFields is told of a write, without the object; in
 * the write's arena.  See own.h. */
struct yl_ownership *yl_write_ownership(struct yl_write *);

/* Sets 'old' to the base, which there must be, as a tree: in the hub's
 * version, or with YL_STRATEGY_IN_VERSION in the requested one.  Called again
 * after a wait.  0, YL_WAITING, or a code with the Status to answer. */
int yl_write_see(struct yl_write *, struct yl_status *);

/* Converts 'tree', a copy of 'old', to the request's version, likewise. */
int yl_write_to_version(struct yl_write *, struct yl_status *);

/* Checks that the object's namespace is the request's; fills it in if it is
 * missing. */
int yl_write_check_namespace(struct yl_write *, struct yl_node *object,
                             struct yl_status *);

/* Checks that its name is the request's. */
int yl_write_check_name(struct yl_write *, const struct yl_node *object,
                        struct yl_status *);

/* Checks that the object, or what was sent for it, has the uid of 'old' (NULL:
 * no object) or none. */
int yl_write_check_uid(struct yl_write *, const struct yl_node *object,
                       const struct yl_node *old, struct yl_status *);

/* Checks that it has the base's revision, or none (where the kind allows
 * that). */
int yl_write_check_revision(struct yl_write *, const struct yl_node *object,
                            struct yl_status *);

/* Reads the revision that an object names; 0 if it names none.  Returns 0, or
 * YL_EINTERNAL with the Status (unless that is NULL) if it cannot be read. */
int yl_write_named_revision(struct yl_write *, const struct yl_node *object,
                            uint64_t *ret_revision, struct yl_status *);

/* Refuses a new object because its name is taken.  YL_EEXISTS, with the
 * Status. */
int yl_write_exists(struct yl_write *, struct yl_status *);

/* Proposes to store 'object' (YL_WRITE_STORE), or only to answer with it, in
 * its stored form. */
int yl_write_propose(struct yl_write *, struct yl_node *object,
                     struct yl_status *);

#endif /* apiserver/verbs/steps.h */
