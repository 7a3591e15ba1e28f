#ifndef YL_TESTENV_H
#define YL_TESTENV_H 1

/* Test environment: an API server inside of a test, and the faults that a
 * controller must survive.
 *
 *     your test -> [testenv: API server, storage in memory, clock, faults]
 *         |            ^
 *         '-> client, informers, manager of your controllers
 *
 * The server is the one that `yuloh serve` runs: validation, defaults,
 * managedFields, admission, watches and definitions are the real ones.  It
 * starts in milliseconds, needs neither a port nor a file, and ends with the
 * test.  Nothing else runs in it: there is no kubelet and no scheduler, so a
 * Pod stays Pending until the test writes its status.
 *
 * Guarantees
 * ==========
 *
 *   - What yl_testenv_new() has installed is served when it returns, and what
 *     yl_testenv_apply() has applied can be read when it returns.
 *
 *   - Several environments in one process, also at the same time, do not know
 *     of each other.
 *
 *   - With a held clock no time passes for the server but what
 *     yl_testenv_advance() lets pass.
 *
 *   - A fault hits the requests that it names, in the order in which they
 *     reach the server, and no request of yl_testenv_apply() or
 *     yl_testenv_request().
 *
 *   - yl_testenv_kill() loses nothing that was answered.
 *
 * Ownership
 * =========
 *
 * An environment must outlive the clients and managers that use it.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_testenv_free() comes last.
 *
 * Usage
 * =====
 *
 *     r = yl_testenv_new(&(struct yl_testenv_opts) {
 *         .crds = "my_crd.yaml",
 *     }, &env, &err);
 *     config = yl_testenv_client_config(env);
 *     r = yl_client_new(&config, NULL, &client, &err);
 *     ... make a manager with 'client' and the controller, start it ...
 *     r = yl_testenv_apply(env, "apiVersion: v1\n"
 *                               "kind: ConfigMap\n"
 *                               "metadata: {name: a, namespace: default}\n",
 *                          &err);
 *     r = yl_testenv_settle(env, manager, 0, &err);
 *     ... look at what the controller has done ...
 *     yl_manager_free(manager);
 *     yl_client_unref(client);
 *     yl_testenv_free(env);
 *
 * Such a program is linked with libyuloh-server (pkg-config yuloh-server). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/client_config.h"
#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_cancel;               /* yuloh/cancel.h */
struct yl_error;
struct yl_kind;                 /* yuloh/schema.h */
struct yl_manager;              /* yuloh/manager.h */
struct yl_testenv;

/* Options.  Zero means the default. */
struct yl_testenv_opts {
    bool held_clock;            /* Time stands still until it is moved
                                 * [real]. */
    const char *crds;           /* A file with YAML documents to apply first,
                                 * or a folder of them (*.yaml, *.yml,
                                 * *.json). */

    /* Custom kinds to install, by their descriptors; ends with NULL.  Their
     * schemas keep everything and judge nothing: a test that is about
     * defaults or validation installs the definition itself, by 'crds'. */
    const struct yl_kind *const *kinds;

    /* Also listens on a port of the loopback interface, without TLS, for
     * kubectl: see yl_testenv_url().  Whoever can connect may do
     * everything. */
    bool listen;
};

/* Starts an environment.  0, or YL_EIO, YL_EINVALID and so on with a sentence
 * about what cannot be installed.  'opts' may be NULL. */
int yl_testenv_new(const struct yl_testenv_opts *opts,
                   struct yl_testenv **ret_env, struct yl_error *err);
void yl_testenv_free(struct yl_testenv *);

/* The clock of the server, for everything else in the test that keeps time;
 * NULL, which means the monotonic one, if it is not held. */
struct yl_clock *yl_testenv_clock(struct yl_testenv *);

/* Lets 'by' milliseconds pass on a held clock. */
void yl_testenv_advance(struct yl_testenv *, yl_msec by);

/* Connections
 * =========== */

/* The configuration of a client of this environment, to be changed at will
 * (impersonation, limits) and passed to yl_client_new().  It borrows from the
 * environment. */
struct yl_client_config yl_testenv_client_config(struct yl_testenv *);

/* Makes a connection to the server, which speaks HTTP/1.1 and HTTP/2 without
 * TLS on it; requests act as a member of system:masters, and may impersonate
 * others.  '*ret_fd' is a blocking socket that the caller owns.
 * YL_EUNAVAILABLE while the server is dead.  It is the 'connect' of that
 * configuration: 'env' is a struct yl_testenv, and 'cancel' is not needed, as
 * nothing waits. */
int yl_testenv_connect(void *env, struct yl_cancel *cancel, int *ret_fd,
                       struct yl_error *err);

/* "http://127.0.0.1:PORT" with 'listen'; else a name that only clients of
 * this environment understand.  Lent until the environment is freed. */
const char *yl_testenv_url(const struct yl_testenv *);

/* The revision of the newest write. */
uint64_t yl_testenv_revision(struct yl_testenv *);

/* Objects
 * ======= */

/* Applies each document of 'yaml' (server-side, by force, as field manager
 * "testenv"; a Namespace that does not exist is not made).  After a
 * CustomResourceDefinition it waits until it is served.  0, or the error of
 * the first document that is refused; those before it are applied. */
int yl_testenv_apply(struct yl_testenv *, const char *yaml,
                     struct yl_error *err);

/* Sends any request, which meets no fault: "GET", "/api/v1/namespaces".
 * 'body' may be NULL; 'content_type' may be NULL for "application/json".
 * '*ret_body' is in 'arena'.  Returns the HTTP status, or YL_EUNAVAILABLE. */
int yl_testenv_request(struct yl_testenv *, const char *method,
                       const char *path, const char *content_type,
                       const char *body, struct yl_arena *arena,
                       struct yl_str *ret_body, struct yl_error *err);

/* Waiting
 * =======
 *
 * A test that has changed something waits until the controllers are done with
 * it, without guessing how long that takes. */

/* Returns when everything has come to rest: the caches of 'manager', which was
 * started, have seen every write, its handlers have heard of them, no key is
 * ready, out or waiting for its own writes, and nothing was written
 * meanwhile.  Keys that back off or were asked for later do not count: if the
 * clock is held, move it.  0, or YL_ETIMEOUT with what has not come to rest
 * within 'timeout' milliseconds of real time [30 s]. */
int yl_testenv_settle(struct yl_testenv *, struct yl_manager *manager,
                      yl_msec timeout, struct yl_error *err);

/* The same for stations that are put together by hand.  'is_quiet' is called
 * again and again, with the newest revision: it tells whether everything up to
 * it has been seen and nothing is left to do.  It must ask in the order in
 * which data flows: informers (yl_informer_revision(),
 * yl_informer_is_settled()), then queues (yl_workqueue_get_stats()).  For
 * messages it may fill in 'why'. */
typedef bool yl_testenv_quiet_fn(void *aux, uint64_t revision, char *why,
                                 size_t why_size);
int yl_testenv_await(struct yl_testenv *, yl_testenv_quiet_fn *is_quiet,
                     void *aux, yl_msec timeout, struct yl_error *err);

/* Faults
 * ======
 *
 *     yl_testenv_inject(env, &(struct yl_testenv_fault) {
 *         .what = YL_FAULT_CUT, .verb = "watch", .resource = "pods",
 *         .after_events = 3,
 *     });
 */

enum yl_fault_kind {
    YL_FAULT_ANSWER,            /* Answers 'status' in the server's place. */
    YL_FAULT_DELAY,             /* Waits for 'delay' before it begins. */

    /* What happens to the answer, after 'after_events' events (lines of a
     * watch) and, with 'inside', half of the next one.  An answer that is no
     * watch is one line: 'inside' cuts it in half, and the work was done. */
    YL_FAULT_CUT,               /* It breaks off. */
    YL_FAULT_END,               /* It ends as if it were complete. */
    YL_FAULT_STALL,             /* It stands still for 'delay'. */
    YL_FAULT_ERROR,             /* An ERROR event with 'status', and it
                                 * ends. */
};

struct yl_testenv_fault {
    enum yl_fault_kind what;

    /* The requests that it hits; NULL means any.  Verbs are "get", "list",
     * "watch", "create", "update", "patch", "delete", "deletecollection"; a
     * subresource is a part of the resource: "pods/status". */
    const char *verb;
    const char *resource;
    const char *namespace_;
    const char *name;
    const char *user_agent;     /* How the header begins. */

    unsigned skip;              /* Lets so many requests pass first. */
    unsigned times;             /* Then hits so many, [until it is removed]. */
    unsigned every;             /* Of these, hits each n-th only [1]. */

    int status;                 /* 410, 429, 500, 503, 504, ... [500] */
    int retry_after;            /* Seconds, as a header; 0: none. */
    yl_msec delay;              /* By the server's clock.  YL_NEVER ends with
                                 * the connection. */
    unsigned after_events;
    bool inside;
};

/* Adds a fault, whose strings are copied, and returns its number.  A request
 * meets the first that fits. */
int yl_testenv_inject(struct yl_testenv *, const struct yl_testenv_fault *);

/* How many requests it has hit. */
unsigned yl_testenv_hits(struct yl_testenv *, int fault);

/* Removes one fault, or all of them; requests that were hit already stay
 * so. */
void yl_testenv_remove(struct yl_testenv *, int fault);
void yl_testenv_remove_all(struct yl_testenv *);

/* Kills the server: every connection breaks, and new ones are refused.  What
 * is stored stays; yl_testenv_revive() starts it again, on the same port.
 * Faults stay as well. */
void yl_testenv_kill(struct yl_testenv *);
int yl_testenv_revive(struct yl_testenv *, struct yl_error *err);

YL_C_END

#endif /* yuloh/testenv.h */
