#ifndef APISERVER_VERBS_WRITE_H
#define APISERVER_VERBS_WRITE_H 1

/* The write machine: every change of an object, whatever its verb.
 *
 *     what is stored -> [steps] -> proposal -> keyspace -> finish
 *           ^              |                       |
 *           |            wait                      |
 *           '------- another write came first -----'
 *
 * A write runs a constant table of steps (steps.h) over the struct below: it
 * decodes what the request sent, converts and defaults it, lets admission
 * change it, prepares and validates it.  The last step makes a proposal: store
 * the object, delete it, or change nothing.  The machine submits it to the
 * keyspace with the revision it was made from, and runs the table again if the
 * object has changed meanwhile.  Where verbs differ, their struct yl_write_ops
 * says how; where kinds differ, their strategy.
 *
 * A step may wait (for a webhook): the write stops without blocking its loop,
 * and goes on where it stopped.
 *
 * Guarantees
 * ==========
 *
 *   - 'finish' is called once, on the request's loop, unless the request was
 *     answered (its deadline) or its client went away before.
 *
 *   - A write that waits in a step and is no longer needed (its client has
 *     left, its deadline has passed, the server stops) is abandoned: what it
 *     waits for is cancelled, nothing is written.
 *
 *   - A write of several rounds ('again') whose first one is stored is
 *     finished even then.  Only the first round may wait in a step.
 *
 *   - Claims of a write are settled, whatever becomes of it: refused, stored,
 *     failed or abandoned.
 *
 *   - The other writes that the kind's strategy asks for (the IPAddresses of a
 *     Service) go in the same batch.
 *
 *   - A proposal that equals what is stored, except for the times in
 *     managedFields, writes nothing; its revision is the stored one.  The same
 *     holds for every proposal of a dry run.
 *
 *   - The memory of the steps is kept while they wait, and freed before the
 *     write waits for its commit: then only the proposed object and its base
 *     are left.
 *
 *   - After YL_WRITE_MAX_TRIES lost races a write ends with a Conflict.
 *
 * Ownership
 * =========
 *
 * The struct is the verb's, in the request's arena; its references are
 * dropped with it.
 *
 * Threads
 * =======
 *
 * All on the request's loop. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/admission/admission.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/options.h"
#include "apiserver/wait.h"
#include "net/loop.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/status.h"

struct yl_arena;
struct yl_node;
struct yl_object;
struct yl_write;

#define YL_WRITE_MAX_TRIES 256

enum yl_write_action {
    YL_WRITE_NOTHING,           /* Answer with 'object' as it is stored. */
    YL_WRITE_STORE,             /* 'object' replaces the base. */
    YL_WRITE_DELETE,            /* The base is deleted; 'object' is the
                                 * answer. */
};

/* A step: 0 to go on with the next one, a negative code with the Status to
 * answer, or YL_WAITING.  A step that has waited is called again when the wait
 * is over, with its result in 'waited'. */
typedef int yl_write_step_fn(struct yl_write *, struct yl_status *);

/* The part of a verb in the steps that differ from verb to verb. */
struct yl_write_ops {
    enum yl_operation operation;        /* Admission's name for it. */

    /* Reads what the request sent: sets 'tree', or 'sent' and 'tree', and
     * 'old' if there is an object.  Sets 'in_hub' if the tree is in the hub's
     * version already. */
    yl_write_step_fn *decode;

    /* Puts what was sent into the object, where that is another kind (a Scale,
     * a Binding).  Called at once, and again when admission has changed it;
     * twice must give the same as once. */
    yl_write_step_fn *merge;

    /* Makes the proposal.  NULL: store the object. */
    yl_write_step_fn *propose;

    /* The server changes the object on a client's order (it binds a Pod): such
     * a change is not prepared and validated like one that a client makes
     * itself. */
    bool order;

    /* Its fields have no manager: the server writes for itself. */
    bool unowned;
};

struct yl_write {
    /* Set before it starts
     * ==================== */

    struct yl_api_request *request;
    const struct yl_api_resource *resource;
    const struct yl_write_ops *ops;
    struct yl_write_options options;
    struct yl_key key;          /* In the request's arena. */
    bool dry_run;
    bool unseen;                /* The first try does not read what is stored,
                                 * as most likely there is nothing. */
    bool admitted;              /* Another write of this request was admitted
                                 * already, for this one too. */

    /* Called at the end: see 'result'.  yl_write_new() sets one that answers
     * with the object, as created (201) if it is new, or with the Status of
     * what went wrong. */
    void (*finish)(struct yl_write *);
    void *aux;

    /* What a new try keeps
     * ====================
     *
     * A write that lost a race runs the table again.  The body is decoded
     * again then, from its bytes: the memory to keep its tree during every
     * commit would cost more than the time to parse it again after a
     * conflict. */

    unsigned tries;             /* Tries before this one. */
    unsigned rounds;            /* Proposals with 'again' that are stored.
                                 * After the first, nothing may use the
                                 * request's 'http', which may be gone. */
    struct yl_object *stored;   /* The object that the last of them stored, */
    uint64_t stored_revision;   /* and its revision. */
    bool prefixed;              /* A new object has a generateName, */
    bool generated;             /* and its name was generated. */
    unsigned n_generated;       /* Generated names that were taken. */

    /* One run of the table
     * ====================
     *
     * Empty when it begins. */

    struct yl_arena *arena;     /* Freed when the proposal is made. */
    struct yl_object *base;     /* What is stored; NULL: nothing. */
    uint64_t base_revision;
    size_t step;                /* Index in the table. */
    unsigned part;              /* Of this step, for its own use; 0 at its
                                 * first call. */
    int waited;                 /* The result of the last wait. */

    struct yl_node *tree;       /* The object to be stored, NULL for a DELETE:
                                 * in the requested version, and after the step
                                 * "convert" in the hub's (with
                                 * YL_STRATEGY_IN_VERSION after "store"). */
    struct yl_node *old;        /* The base as a tree in the hub's version (or
                                 * likewise), or NULL. */
    struct yl_node *sent;       /* What the request sent, if that is not the
                                 * object itself: admission sees it; */
    struct yl_node *old_sent;   /* and its former state. */
    bool in_hub;                /* 'tree' needs no conversion. */
    bool creates;               /* 'tree' is a new object, */
    bool by_put;                /* made by a PUT. */
    bool owned;                 /* Its managedFields are set already. */
    struct yl_node *managed;    /* A copy of them from before admission, if
                                 * that may change them. */
    bool proposed;              /* The proposal is made: the other steps are
                                 * skipped. */
    struct yl_admission admission;
    struct yl_conversion conversion;
    struct yl_error conversion_error;

    /* The proposal
     * ============ */

    enum yl_write_action action;
    struct yl_object *object;   /* A reference. */
    bool again;                 /* Run the table again when this is stored. */
    bool released;              /* An update that removed the last finalizer,
                                 * and so the object: the answer keeps the old
                                 * revision. */

    /* The outcome
     * =========== */

    int result;                 /* 0, or a code with 'status'. */
    struct yl_status status;
    uint64_t revision;          /* Of 'object' in the answer; 0 for an object
                                 * that is not stored. */

    /* Private to the machine
     * ============= */

    struct yl_loop *loop;       /* Kept here, as the request may lose it. */
    bool attached;              /* The request's arena frees it. */
    bool claims;                /* There are claims to be settled. */
    struct yl_wait wait;
    struct yl_write *next_waiting;      /* Next waiting write of the same
                                         * request. */
    struct yl_ks_write write;
    struct yl_ks_write *with;   /* The other writes of its batch. */
    struct yl_loop_task task;
};

/* Makes a write of the object that the request names, in its arena, all else
 * zero: 'size' is that of the verb's own struct, which starts with a struct
 * yl_write. */
void *yl_write_new(struct yl_api_request *, size_t size,
                   const struct yl_write_ops *);

/* Starts the write.  May be called again after 'finish', with 'tries' set to
 * 0.  'finish' may be called before this returns. */
void yl_write_start(struct yl_write *);

/* The same at the end of a verb: YL_STEP_DONE if the request is answered
 * already. */
enum yl_step yl_write_go(struct yl_write *);

/* Goes on with a write whose step waited, on its loop.  'result' is 0, or a
 * negative code if the wait failed.  yl_wait_end() of the write's 'wait' calls
 * it. */
void yl_write_continue(struct yl_write *, int result);

/* For steps
 * ========= */

/* The base as a tree, with apiVersion and kind of the hub, in the write's
 * arena; NULL if there is none. */
struct yl_node *yl_write_base_tree(struct yl_write *, struct yl_status *);

/* The error for an object that does not exist, or for a name that is not
 * possible.  YL_ENOTFOUND or YL_EBADREQUEST. */
int yl_write_not_found(const struct yl_write *, struct yl_status *);

/* The subresource that is written. */
enum yl_subresource yl_write_subresource(const struct yl_write *);

/* The resource as Status details name it. */
struct yl_gvr yl_write_gvr(const struct yl_write *);
struct yl_gvk yl_write_gvk(const struct yl_write *);

/* The text of a member, "" if there is none. */
struct yl_str yl_write_text(struct yl_write *, const struct yl_node *object,
                            const char *member);

/* An error that upstream answers with 500 and without a reason.  Returns
 * YL_EINTERNAL. */
int yl_write_odd_error(struct yl_status *, const char *message);

#endif /* apiserver/verbs/write.h */
