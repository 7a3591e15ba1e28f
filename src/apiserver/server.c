/* The server as a whole.  See apiserver/server.h for the contract. */

#include "apiserver/server.h"

#include <stdlib.h>

#include "apiserver/auth/audit.h"
#include "apiserver/auth/authenticate.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/crd/lifecycle.h"
#include "apiserver/discovery/documents.h"
#include "apiserver/discovery/health.h"
#include "apiserver/events_ttl.h"
#include "apiserver/flow_status.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/registry/registry.h"
#include "apiserver/services/claims.h"
#include "apiserver/watch/hub.h"
#include "base/alloc.h"
#include "yuloh/error.h"

static int open_keyspace(struct yl_apiserver *, struct yl_error *err);
static int open_parts(struct yl_apiserver *, struct yl_error *err);
static int open_authenticator(struct yl_apiserver *, struct yl_error *err);
static int start_events_ttl(struct yl_apiserver *, struct yl_error *err);
static int start_flow_status(struct yl_apiserver *, struct yl_error *err);
static void tidy_up(void *server);

void
yl_apiserver_set_defaults(struct yl_apiserver_opts *o)
{
    if (!o->service_cidr) {
        o->service_cidr = "10.0.0.0/24";
    }
    if (!o->node_port_first) {
        o->node_port_first = 30000;
        o->node_port_last = 32767;
    }
    if (!o->max_body) {
        o->max_body = (size_t) 3 << 20;
    }
    if (!o->max_request_memory) {
        o->max_request_memory = (size_t) 24 << 20;
    }
    if (!o->request_timeout) {
        o->request_timeout = 60 * 1000;
    }
    if (!o->min_watch_timeout) {
        o->min_watch_timeout = 30 * 60 * 1000;
    }
    if (!o->event_ttl) {
        o->event_ttl = 60 * 60 * 1000;
    }
}

int
yl_apiserver_new(const struct yl_apiserver_opts *opts,
                 struct yl_apiserver **ret_server, struct yl_error *err)
{
    struct yl_apiserver *server = yl_zalloc(sizeof *server);
    int r;

    server->opts = *opts;
    yl_apiserver_set_defaults(&server->opts);
    server->clock = opts->clock;
    server->steps = yl_api_steps;
    r = open_keyspace(server, err);
    if (r == 0) {
        r = open_parts(server, err);
    }
    if (r == 0) {
        r = yl_bootstrap(server, err);
    }
    if (r == 0) {
        r = yl_crds_start(server, &server->crds, err);
    }
    if (r == 0) {
        r = start_events_ttl(server, err);
    }
    if (r == 0) {
        r = start_flow_status(server, err);
    }
    if (r < 0) {
        yl_apiserver_free(server);
        return r;
    }
    *ret_server = server;
    return 0;
}

void
yl_apiserver_free(struct yl_apiserver *server)
{
    if (!server) {
        return;
    }
    yl_flow_status_stop(server->flow_status);
    yl_events_ttl_stop(server->events_ttl);
    yl_crds_stop(server->crds);
    yl_watch_hub_free(server->watches);
    yl_documents_free(server->documents);
    yl_api_metrics_free(server->metrics);
    yl_allocators_free(server->allocators);
    yl_audit_free(server->audit);
    yl_authorizer_free(server->authorizer);
    yl_authenticator_free(server->authenticator);
    yl_service_accounts_free(server->service_accounts);
    yl_keyspace_free(server->keyspace);
    yl_registry_free(server->registry);
    yl_crds_free(server->crds);
    free(server);
}

void
yl_apiserver_drain(struct yl_apiserver *server)
{
    server->unwell |= YL_UNWELL_DRAINING;
    yl_watch_hub_drain(server->watches);
}

void
yl_apiserver_stop(struct yl_apiserver *server)
{
    yl_flow_status_stop(server->flow_status);
    server->flow_status = NULL;
    yl_events_ttl_stop(server->events_ttl);
    server->events_ttl = NULL;
    yl_crds_stop(server->crds);
    yl_keyspace_stop(server->keyspace);
}

static int
open_keyspace(struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_keyspace_opts opts = { .clock = server->clock };
    int r;

    server->keyspace = yl_keyspace_new(server->opts.storage, &opts);
    server->registry = yl_registry_new();
    yl_registry_add_builtins(server->registry, server->keyspace);
    r = yl_keyspace_load(server->keyspace, err);
    return r < 0 ? r : yl_keyspace_start(server->keyspace, err);
}

static int
open_parts(struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_authorizer_opts may = {
        .allow_all = server->opts.authorize_always,
        .keyspace = server->keyspace,
        .registry = server->registry,
    };
    struct yl_claims_opts claims = {
        .services = yl_registry_builtin(server->registry, "",
                                        "services")->objects,
        .addresses = yl_registry_builtin(server->registry,
                                         "networking.k8s.io",
                                         "ipaddresses")->objects,
        .cidr = server->opts.service_cidr,
        .first_port = server->opts.node_port_first,
        .last_port = server->opts.node_port_last,
    };
    struct yl_audit_opts audit = {
        .policy_file = server->opts.audit_policy_file,
        .log_path = server->opts.audit_log_path,
        .max_size = server->opts.audit_max_size,
        .max_backups = server->opts.audit_max_backups,
        .max_age_days = server->opts.audit_max_age_days,
    };
    int r;

    server->watches = yl_watch_hub_new();
    server->documents = yl_documents_new(server->clock);
    server->metrics = yl_api_metrics_new();
    r = yl_audit_new(&audit, &server->audit, err);
    if (r == 0) {
        r = open_authenticator(server, err);
    }
    if (r == 0) {
        r = yl_authorizer_new(&may, &server->authorizer, err);
    }
    return r < 0 ? r : yl_allocators_new(&claims, &server->allocators, err);
}

static int
open_authenticator(struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_authenticator_opts opts = {
        .token_file = server->opts.token_file,
    };
    int r = yl_service_accounts_new(&server->opts.service_accounts,
                                    server->registry,
                                    &server->service_accounts, err);

    if (r < 0) {
        return r;
    }
    opts.service_accounts = server->service_accounts;
    return yl_authenticator_new(&opts, &server->authenticator, err);
}

static int
start_events_ttl(struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_events_ttl_opts opts = {
        .clock = server->clock,
        .keyspace = server->keyspace,
        .events = yl_registry_builtin(server->registry, "",
                                      "events")->objects,
        .ttl = server->opts.event_ttl,
        .tick = tidy_up,
        .aux = server,
    };

    return yl_events_ttl_start(&opts, &server->events_ttl, err);
}

static int
start_flow_status(struct yl_apiserver *server, struct yl_error *err)
{
    static const char group[] = "flowcontrol.apiserver.k8s.io";
    struct yl_flow_status_opts opts = {
        .keyspace = server->keyspace,
        .schemas = yl_registry_builtin(server->registry, group,
                                       "flowschemas")->objects,
        .levels = yl_registry_builtin(server->registry, group,
                                      "prioritylevelconfigurations")->objects,
    };

    return yl_flow_status_start(&opts, &server->flow_status, err);
}

/* Frees what was made for clients that are gone, once the server is idle. */
static void
tidy_up(void *server_)
{
    struct yl_apiserver *server = server_;

    yl_documents_sweep(server->documents);
}
