#ifndef APISERVER_VERBS_WRITE_H
#define APISERVER_VERBS_WRITE_H 1

/* The write machine: every change of an object, whatever verb it came by.
 *
 *     what is stored -> [steps] -> proposal -> keyspace -> finish
 *           ^              |                       |
 *           |            wait                      |
 *           '-------- somebody else was faster ----'
 *
 * A write runs a constant table of steps (steps.h) over the struct below: it
 * decodes what the request sent, converts and defaults it, lets admission
 * change it, prepares and validates it.  The last step makes a proposal: store
 * this, delete it, or leave it.  The machine hands that to the keyspace under
 * the revision it was made from, and runs the table again if the object has
 * changed meanwhile.  What verbs do differently is in their struct
 * yl_write_ops, what kinds do differently in their strategy.
 *
 * A step may wait (a webhook): the write stands still, its loop does not, and
 * it goes on where it stopped.
 *
 * Guarantees
 * ==========
 *
 *   - 'finish' is called once, on the request's loop, unless the request was
 *     answered (its deadline) or its client went away before.
 *
 *   - A write that waits in a step and is not wanted any more (its client has
 *     left, its deadline has passed, the server stops) is abandoned: what it
 *     waits for is cancelled, nothing is written.
 *
 *   - A write of several rounds ('again') whose first one is stored is
 *     finished even then.  Only the first round may wait in a step.
 *
 *   - What a write has claimed elsewhere is settled, whatever becomes of it:
 *     refused, stored, failed or abandoned.
 *
 *   - What the kind's strategy wants to be written with the object (the
 *     IPAddresses of a Service) is written in the same batch.
 *
 *   - A proposal equal to what is stored, but for the times in managedFields,
 *     writes nothing and ends under the stored revision.  So does every
 *     proposal of a dry run.
 *
 *   - The memory that steps take is kept while they wait, and is gone while
 *     the write waits for its commit: then it holds the proposed object and
 *     its base.
 *
 *   - After YL_WRITE_MAX_TRIES lost races it ends in a Conflict.
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
    YL_WRITE_STORE,             /* 'object' takes the base's place. */
    YL_WRITE_DELETE,            /* The base goes; 'object' is the answer. */
};

/* A step: 0 to go on with the next one, a negative code with the Status to
 * answer, or YL_WAITING.  A step that has waited is called again when that is
 * over, with the result in 'waited'. */
typedef int yl_write_step_fn(struct yl_write *, struct yl_status *);

/* What one verb does in the steps that are not the same for all. */
struct yl_write_ops {
    enum yl_operation operation;        /* As admission calls it. */

    /* Reads what the request sent: sets 'tree', or 'sent' and 'tree', and
     * 'old' if there is something.  An object whose tree is in the hub's
     * version already says so ('in_hub'). */
    yl_write_step_fn *decode;

    /* Puts what was sent into the object, where that is another kind (a Scale,
     * a Binding): at once, and again when admission has changed it.  Twice is
     * once. */
    yl_write_step_fn *merge;

    /* Makes the proposal.  NULL: the object is to be stored. */
    yl_write_step_fn *propose;

    /* The server changes the object on somebody's order (it binds a Pod): what
     * clients may not do themselves is not prepared and validated away. */
    bool order;

    /* Nobody owns its fields: the server writes for itself. */
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
    bool unseen;                /* The first try does not look at what is
                                 * stored: it is most likely nothing. */
    bool admitted;              /* Another write of this request has been
                                 * through admission for it. */

    /* It is over: see 'result'.  yl_write_new() sets one that answers with the
     * object, as created (201) if it is new, or with the Status of what went
     * wrong. */
    void (*finish)(struct yl_write *);
    void *aux;

    /* What a new try keeps
     * ====================
     *
     * A write that lost a race runs the table again.  The body is decoded
     * again then, from its bytes: a tree of it would cost more memory while
     * the write waits for the disk than a second parse costs time. */

    unsigned tries;             /* Before this one. */
    unsigned rounds;            /* Proposals with 'again' that are stored.  Who
                                 * is called behind the first must not look at
                                 * the request's 'http', which may be gone. */
    struct yl_object *stored;   /* What the last of them stored, */
    uint64_t stored_revision;   /* and as which revision. */
    bool prefixed;              /* A new object has a prefix for names, */
    bool generated;             /* and its name is the server's. */
    unsigned n_generated;       /* Names that turned out to be taken. */

    /* One run of the table
     * ====================
     *
     * Empty when it begins. */

    struct yl_arena *arena;     /* Until the proposal is made. */
    struct yl_object *base;     /* What is stored; NULL: nothing. */
    uint64_t base_revision;
    size_t step;                /* In the table. */
    unsigned part;              /* Of this step; 0 when it is first called. */
    int waited;                 /* What the last wait came to. */

    struct yl_node *tree;       /* The object as it is to be stored, NULL for a
                                 * DELETE: of the version asked for, after the
                                 * step "convert" of the hub. */
    struct yl_node *old;        /* The base as a tree, or NULL. */
    struct yl_node *sent;       /* What the request sent, if that is not the
                                 * object: what admission sees; */
    struct yl_node *old_sent;   /* and what stood for it before. */
    bool in_hub;                /* 'tree' needs no conversion. */
    bool creates;               /* 'tree' is a new object, */
    bool by_put;                /* made by a PUT. */
    bool proposed;              /* The proposal is made: the rest of the table
                                 * is passed over. */
    struct yl_admission admission;
    struct yl_conversion conversion;
    struct yl_error conversion_error;

    /* The proposal
     * ============ */

    enum yl_write_action action;
    struct yl_object *object;   /* A reference. */
    bool again;                 /* Run again when this is stored. */
    bool released;              /* A deletion that is an update's doing: the
                                 * answer keeps the revision it had. */

    /* The outcome
     * =========== */

    int result;                 /* 0, or a code with 'status'. */
    struct yl_status status;
    uint64_t revision;          /* Under which 'object' is answered; 0 for an
                                 * object that is not stored. */

    /* The machine's
     * ============= */

    struct yl_loop *loop;       /* The request may have lost it. */
    bool attached;              /* To the request's arena. */
    bool claims;                /* Something is to be settled. */
    struct yl_wait wait;
    struct yl_write *next_waiting;      /* Of the same request. */
    struct yl_ks_write write;
    struct yl_ks_write *with;   /* Room for what goes with it. */
    struct yl_loop_task task;
};

/* A write of what the request names, in its arena, all else zero: 'size' is
 * that of the verb's own struct, which starts with a struct yl_write. */
void *yl_write_new(struct yl_api_request *, size_t size,
                   const struct yl_write_ops *);

/* Starts; also again, once 'finish' was called, with 'tries' set to 0.
 * 'finish' may be called before this returns. */
void yl_write_start(struct yl_write *);

/* The same at the end of a verb: YL_STEP_DONE if the request is answered
 * already. */
enum yl_step yl_write_go(struct yl_write *);

/* Goes on with a write whose step waited, on its loop: what it waited for has
 * come (0), or will not (a negative code).  yl_wait_end() of the write's
 * 'wait' calls it. */
void yl_write_continue(struct yl_write *, int result);

/* For steps
 * ========= */

/* The base as a tree, with apiVersion and kind of the hub, in the write's
 * arena; NULL without one. */
struct yl_node *yl_write_base_tree(struct yl_write *, struct yl_status *);

/* There is no such object, or its name cannot be one.  YL_ENOTFOUND or
 * YL_EBADREQUEST. */
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
