#ifndef APISERVER_VERBS_WRITE_H
#define APISERVER_VERBS_WRITE_H 1

/* The write machine: prepare, commit, answer.
 *
 *     what is stored -> [prepare] -> proposal -> keyspace -> finish
 *           ^                                        |
 *           '---------- somebody else was faster ----'
 *
 * A verb is a function from what is stored to a proposal.  The machine looks
 * up what is stored, lets the verb prepare, hands the proposal to the
 * keyspace under the revision it was made from, and starts over if the object
 * has changed meanwhile.
 *
 * Guarantees
 * ==========
 *
 *   - 'finish' is called once, on the request's loop, unless the request was
 *     answered (its deadline) or its client went away before.
 *
 *   - A write of several steps ('again') whose first one is stored is
 *     finished even then.
 *
 *   - What a proposal has claimed elsewhere is settled ('settle'), whatever
 *     becomes of it: refused, stored, or failed.
 *
 *   - What the kind's strategy wants to be written with the object (the
 *     IPAddresses of a Service) is written in the same batch.
 *
 *   - A proposal equal to what is stored writes nothing and ends under the
 *     stored revision.  So does every proposal of a dry run.
 *
 *   - While a write waits for its commit it holds the proposed object, its
 *     base, and none of the memory that preparing took.
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

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "net/loop.h"
#include "yuloh/key.h"
#include "yuloh/status.h"

struct yl_arena;
struct yl_node;
struct yl_object;

#define YL_WRITE_MAX_TRIES 256

enum yl_write_action {
    YL_WRITE_NOTHING,           /* Answer with 'object' as it is stored. */
    YL_WRITE_STORE,             /* 'object' takes the base's place. */
    YL_WRITE_DELETE,            /* The base goes; 'object' is the answer. */
};

struct yl_write {
    /* Set before it starts. */
    struct yl_api_request *request;
    const struct yl_api_resource *resource;
    struct yl_key key;          /* In the request's arena. */
    bool dry_run;
    bool unseen;                /* The first try does not look at what is
                                 * stored: it is most likely nothing. */

    /* Makes the proposal: 0, or a code with the Status to answer. */
    int (*prepare)(struct yl_write *, struct yl_status *);

    /* It is over: see 'result'. */
    void (*finish)(struct yl_write *);
    void *aux;

    /* Lets go of what the proposal has claimed and does not need any more.
     * 'prepare' sets it; it is called once for that. */
    void (*settle)(struct yl_write *);

    /* For 'prepare'. */
    struct yl_arena *arena;     /* Until prepare returns. */
    struct yl_object *base;     /* What is stored; NULL: nothing. */
    uint64_t base_revision;
    unsigned tries;             /* Before this one. */
    unsigned steps;             /* Proposals with 'again' that are stored.  Who
                                 * prepares behind the first must not look at
                                 * the request's 'http', which may be gone. */
    struct yl_object *stored;   /* What the last of them stored, */
    uint64_t stored_revision;   /* and as which revision. */

    /* The proposal. */
    enum yl_write_action action;
    struct yl_object *object;   /* A reference. */
    bool again;                 /* Prepare again when this is stored. */
    bool released;              /* A deletion that is an update's doing: the
                                 * answer keeps the revision it had. */

    /* The outcome. */
    int result;                 /* 0, or a code with 'status'. */
    struct yl_status status;
    uint64_t revision;          /* Under which 'object' is answered; 0 for an
                                 * object that is not stored. */

    /* The machine's. */
    struct yl_loop *loop;       /* The request may have lost it. */
    bool attached;              /* To the request's arena. */
    struct yl_ks_write write;
    struct yl_ks_write *with;   /* Room for what goes with it. */
    struct yl_loop_task task;
};

/* A write of what the request names, in its arena, all else zero: 'size' is
 * that of the verb's own struct, which starts with a struct yl_write. */
void *yl_write_new(struct yl_api_request *, size_t size);

/* Starts; also again, once 'finish' was called, with 'tries' set to 0.
 * 'finish' may be called before this returns. */
void yl_write_start(struct yl_write *);

/* The same at the end of a verb: YL_STEP_DONE if the request is answered
 * already. */
enum yl_step yl_write_go(struct yl_write *);

/* A 'finish' that answers with the object, as created (201) if it is new; or
 * with the Status of what went wrong. */
void yl_write_answer(struct yl_write *);

/* The base as a tree, with apiVersion and kind of the hub, in the write's
 * arena; NULL without one. */
struct yl_node *yl_write_base_tree(struct yl_write *, struct yl_status *);

/* There is no such object, or its name cannot be one.  YL_ENOTFOUND or
 * YL_EBADREQUEST. */
int yl_write_not_found(const struct yl_write *, struct yl_status *);

/* The resource as Status details name it. */
struct yl_gvr yl_write_gvr(const struct yl_write *);
struct yl_gvk yl_write_gvk(const struct yl_write *);

#endif /* apiserver/verbs/write.h */
