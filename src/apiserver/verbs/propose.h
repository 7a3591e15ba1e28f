#ifndef APISERVER_VERBS_PROPOSE_H
#define APISERVER_VERBS_PROPOSE_H 1

/* From a decoded object to a proposal: what every write of an object goes
 * through, whatever verb it came by.
 *
 *     object of some version -> defaults -> hub
 *         -> mutating admission -> prepare -> validate
 *         -> validating admission -> stored form -> proposal
 *
 * All return 0, or a code with the Status to answer. */

#include <stdbool.h>

#include "apiserver/registry/registry.h"
#include "yuloh/str.h"

struct yl_node;
struct yl_status;
struct yl_write;

/* Defaults of the object's version, conversion to the hub, and its
 * defaults. */
int yl_propose_hub(struct yl_write *, const struct yl_api_version *,
                   struct yl_node *object, struct yl_status *);

/* The other way: makes a hub's object one of 'version'. */
int yl_propose_version(struct yl_write *, const struct yl_api_version *,
                       struct yl_node *object, struct yl_status *);

/* Is the object's namespace the request's?  Fills it in. */
int yl_propose_namespace(struct yl_write *, struct yl_node *object,
                         struct yl_status *);

/* Is its name the request's? */
int yl_propose_name(struct yl_write *, const struct yl_node *object,
                    struct yl_status *);

/* Does the object, or what stands for it, name the uid of 'old' (NULL: no
 * object), or none? */
int yl_propose_check_uid(struct yl_write *, const struct yl_node *object,
                         const struct yl_node *old, struct yl_status *);

/* Does it name the base's revision, or none (where the kind allows that)? */
int yl_propose_check_revision(struct yl_write *, const struct yl_node *object,
                              struct yl_status *);

/* Has it a prefix for names, and will the server have to find one? */
bool yl_propose_has_prefix(struct yl_write *, const struct yl_node *object,
                           bool *ret_generates);

/* How an object comes to be written. */
struct yl_propose_opts {
    enum yl_subresource subresource;
    bool put;                   /* A PUT: the object's uid must be right. */
};

/* Proposes to create 'object', whose key becomes the write's. */
int yl_propose_create(struct yl_write *, struct yl_node *object,
                      struct yl_status *);

/* The same for a PUT of an object that is not there. */
int yl_propose_create_by_put(struct yl_write *, struct yl_node *object,
                             struct yl_status *);

/* Proposes that 'object' takes the place of 'old', which is the base's tree:
 * or that both go, if nothing holds the object back any more. */
int yl_propose_update(struct yl_write *, struct yl_node *object,
                      const struct yl_node *old,
                      const struct yl_propose_opts *, struct yl_status *);

/* Proposes to store 'object' (YL_WRITE_STORE) or only to answer with it, in
 * its stored form. */
int yl_propose_object(struct yl_write *, struct yl_node *object,
                      struct yl_status *);

/* An error that upstream answers with 500 and without a reason.  Returns
 * YL_EINTERNAL. */
int yl_propose_odd_error(struct yl_status *, const char *message);

#endif /* apiserver/verbs/propose.h */
