#ifndef APISERVER_SERVER_H
#define APISERVER_SERVER_H 1

/* The API server: everything a request can reach.
 *
 *     yuloh serve, testenv -> [apiserver] -> net, keyspace, storage
 *
 * Each part has a folder of its own; this struct has a pointer to each of
 * them.  It is filled once, before the first request, and constant afterwards;
 * each part has its own locks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/auth/service_accounts.h"
#include "apiserver/request.h"
#include "net/http.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_admission_plugin;
struct yl_allocators;
struct yl_api_metrics;
struct yl_audit;
struct yl_authenticator;
struct yl_authorizer;
struct yl_crds;
struct yl_documents;
struct yl_error;
struct yl_events_ttl;
struct yl_flow_status;
struct yl_http_server;
struct yl_keyspace;
struct yl_ownership;
struct yl_registry;
struct yl_service_accounts;
struct yl_status;
struct yl_storage;
struct yl_watch_hub;

struct yl_apiserver_opts {
    struct yl_clock *clock;     /* [The monotonic one.] */
    struct yl_storage *storage; /* Borrowed. */
    const char *token_file;     /* NULL: none. */
    bool authorize_always;      /* --authorization-mode=AlwaysAllow */
    bool anonymous_health_only; /* Anonymous requests get health and version
                                 * only: for the mode above. */
    const char *service_cidr;   /* ["10.0.0.0/24"] */
    uint16_t node_port_first, node_port_last;   /* [30000, 32767] */
    bool forbid_privileged;
    const char *audit_policy_file;
    const char *audit_log_path; /* "-": standard output. */
    size_t audit_max_size;      /* Bytes before a rotation. [100 MB] */
    int audit_max_backups;      /* [10] */
    int audit_max_age_days;     /* [0: any age] */
    size_t max_body;            /* The limit for a body, for messages. [3
                                 * MB] */
    size_t max_request_memory;  /* Bytes of the trees that a request makes;
                                 * more is 413. [24 MB] */
    yl_msec request_timeout;    /* [60 s] */
    yl_msec min_watch_timeout;  /* [30 min] */
    yl_msec event_ttl;          /* [1 h] */
    const char *advertise_address;  /* Of the kubernetes Service. */
    uint16_t advertise_port;
    struct yl_service_account_opts service_accounts;

    uint64_t plugins_off;       /* Admission plugins that do not run; see
                                 * yl_admission_choose(). */

    /* More admission plugins, which run after the built-in ones
     * (admission/admission.h). */
    const struct yl_admission_plugin *plugins;
    size_t n_plugins;

    /* Keeps managedFields (verbs/own.h). [Nothing does.] */
    int (*own)(struct yl_ownership *, struct yl_status *);
};

struct yl_apiserver {
    struct yl_apiserver_opts opts;
    yl_step_fn *const *steps;   /* The steps of a request: yl_api_steps, unless
                                 * a test has its own. */
    struct yl_clock *clock;
    struct yl_keyspace *keyspace;
    struct yl_registry *registry;
    struct yl_service_accounts *service_accounts;
    struct yl_authenticator *authenticator;
    struct yl_authorizer *authorizer;
    struct yl_audit *audit;
    struct yl_allocators *allocators;   /* ClusterIPs and node ports. */
    struct yl_watch_hub *watches;
    struct yl_events_ttl *events_ttl;
    struct yl_flow_status *flow_status;
    struct yl_crds *crds;
    struct yl_documents *documents;     /* Discovery's and OpenAPI's. */
    struct yl_api_metrics *metrics;     /* What /metrics shows, or NULL. */
    _Atomic unsigned unwell;            /* See discovery/health.h. */
    _Atomic(struct yl_http_server *) http;  /* For its counters; may be
                                             * NULL. */
    _Atomic unsigned port;      /* Where that listens; 0 if it does not. */
};

/* Sets the defaults of members that are zero. */
void yl_apiserver_set_defaults(struct yl_apiserver_opts *);

/* Loads everything from storage, creates what is missing of the objects that
 * every cluster has (namespaces, the kubernetes Service, RBAC's bootstrap
 * objects, priority classes) and is ready for requests. */
int yl_apiserver_new(const struct yl_apiserver_opts *,
                     struct yl_apiserver **ret_server, struct yl_error *err);
void yl_apiserver_free(struct yl_apiserver *);

/* What the HTTP server calls; 'aux' is the struct yl_apiserver. */
extern const struct yl_http_handler yl_apiserver_handler;

/* Ends running watches, so that connections can drain. */
void yl_apiserver_drain(struct yl_apiserver *);

/* Finishes the writes that wait, and accepts no more.  Afterwards nothing in
 * the server posts to the HTTP server's loops, so they may be freed.  Without
 * this call the loops must outlive the server. */
void yl_apiserver_stop(struct yl_apiserver *);

#endif /* apiserver/server.h */
