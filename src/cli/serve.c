/* yuloh serve: the API server as a process. */

#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "apiserver/auth/kubeconfig.h"
#include "apiserver/auth/pki.h"
#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/trim.h"
#include "builtin/network/ip.h"
#include "cli/data_dir.h"
#include "cli/notify.h"
#include "cli/serve_identity.h"
#include "controllers/inside.h"
#include "net/server.h"
#include "storage/dir.h"
#include "storage/sqlite.h"
#include "storage/storage.h"
#include "yuloh/log.h"
#include "yuloh/names.h"

/* How often the expiry of certificates is checked. */
#define RENEW_PERIOD ((yl_msec) 3600 * 1000)

/* File descriptors that are reserved for files, so that connections do not use
 * them up: the database's, certificates, logs. */
#define RESERVED_FILES 64

#define MAX_ROOT_CA ((size_t) 1 << 20)

struct serve {
    /* From the command line. */
    const char *data_dir;
    const char *listen;
    int insecure_port;
    const char *authorization_mode;
    const char *node_ports;
    const char *certificate, *key, *client_ca, *names;
    bool allow_privileged;
    struct yl_serve_identity identity;
    int audit_max_size, audit_max_backups;
    yl_msec drain_timeout;
    int verbosity;
    const char *log_format;
    struct yl_apiserver_opts api;
    struct yl_http_server_opts http;

    /* While it runs. */
    struct yl_storage *storage;
    struct yl_apiserver *server;
    struct yl_http_server *listener;
    struct yl_inside *controllers;
    char *root_ca;              /* What the controllers publish. */
    char *own_data_dir, *real_data_dir, *pki_dir, *kubeconfig;
    char *paths[3];             /* Of certificate, key, authority. */
    char clear[32];
    char *extra_names[16];
    size_t n_extra_names;
};

static void set_defaults(struct serve *);
static int parse(struct serve *, int argc, char *argv[]);
static bool has_port(const char *address);
static bool parse_node_ports(struct serve *);
static bool is_host(struct yl_str name);
static int write_kubeconfig(const struct serve *, struct yl_error *);
static int start_controllers(struct serve *, struct yl_error *);
static void raise_file_limit(struct yl_http_server_opts *);
static int start(struct serve *, struct yl_error *);
static void run_until_signal(struct serve *, sigset_t *);
static void renew(struct serve *, bool asked);
static void reload_keys(struct serve *);
static void give_back_memory(const struct serve *, struct yl_trim *);
static void allow_twice(int signal_number);
static void stop(struct serve *);
static void announce(const struct serve *);

static struct serve serve;

static const struct yl_flag flags[] = {
    { YL_FLAG_HEADING, NULL, NULL, NULL, "Where:" },
    { YL_FLAG_STRING, "listen", &serve.listen, "ADDRESS:PORT",
      "Where to serve HTTPS [127.0.0.1:6443]." },
    { YL_FLAG_STRING, "data-dir", &serve.data_dir, "DIRECTORY",
      "Objects, certificates and admin.kubeconfig [/var/lib/yuloh as root, "
      "else ~/.local/share/yuloh]." },
    { YL_FLAG_PORT, "insecure-loopback-port", &serve.insecure_port, "PORT",
      "Also serve cleartext HTTP on this port of 127.0.0.1; who connects must "
      "still show a token [none]." },
    { YL_FLAG_STRING, "advertise-address", &serve.api.advertise_address,
      "ADDRESS", "What the kubernetes Service points to [the address listened "
      "on]." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Who and what:" },
    { YL_FLAG_STRING, "tls-cert-file", &serve.certificate, "FILE",
      "Serve with this certificate, in PEM [one of our own]." },
    { YL_FLAG_STRING, "tls-private-key-file", &serve.key, "FILE",
      "Its key." },
    { YL_FLAG_STRING, "tls-client-ca-file", &serve.client_ca, "FILE",
      "Trust clients whose certificate one of these authorities has signed, "
      "and no others [our own authority]." },
    { YL_FLAG_STRING, "tls-names", &serve.names, "NAME,...",
      "More host names and addresses for our certificate." },
    { YL_FLAG_STRING, "token-auth-file", &serve.api.token_file, "FILE",
      "Lines of TOKEN,USER,UID,\"GROUP,...\" for clients with a bearer "
      "token." },
    { YL_FLAG_STRING, "authorization-mode", &serve.authorization_mode, "MODE",
      "RBAC or AlwaysAllow [RBAC]." },
    { YL_FLAG_BOOL, "allow-privileged", &serve.allow_privileged, NULL,
      "Let Pods ask for privileged containers." },

    { YL_FLAG_WORDS, "disable-admission-plugins",
      &serve.identity.plugins_off, "NAME,...",
      "Admission plugins that do not run." },
    { YL_FLAG_WORDS, "enable-admission-plugins", &serve.identity.plugins_on,
      "NAME,...", "Admission plugins that run; all that are here do, unless "
      "disabled." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Service accounts:" },
    { YL_FLAG_LIST, "service-account-issuer", &serve.identity.issuers, "URL",
      "Who issues their tokens; the first is named in new tokens, all that "
      "are given are accepted [" YL_SERVICE_ACCOUNTS_ISSUER "]." },
    { YL_FLAG_STRING, "service-account-signing-key-file",
      &serve.api.service_accounts.signing_key_file, "FILE",
      "Sign them with this key, in PEM [pki/sa.key in the data directory]." },
    { YL_FLAG_LIST, "service-account-key-file", &serve.identity.key_files,
      "FILE",
      "Accept tokens that were signed with the keys in this file, too; may "
      "be repeated." },
    { YL_FLAG_WORDS, "api-audiences", &serve.identity.audiences, "NAME,...",
      "What a token must be for, one of these [the issuers]." },
    { YL_FLAG_DURATION, "service-account-max-token-expiration",
      &serve.identity.max_expiration, "DURATION",
      "The longest time for which a token is issued [any]." },
    { YL_FLAG_BOOL, "service-account-extend-token-expiration",
      &serve.identity.extend_expiration, NULL,
      "Let the tokens that Pods get by default last for a year, not for an "
      "hour." },
    { YL_FLAG_BOOL, "service-account-lookup", &serve.identity.lookup, NULL,
      "Accept a token of a Secret only as long as that exists." },
    { YL_FLAG_STRING, "service-account-jwks-uri",
      &serve.api.service_accounts.jwks_uri, "URL",
      "Where others find the public keys [this server's /openid/v1/jwks]." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Controllers:" },
    { YL_FLAG_WORDS, "controllers", &serve.identity.controllers, "NAME,...",
      "Which run: * is all, NAME this one, -NAME not this one, -* none [*]." },
    { YL_FLAG_STRING, "root-ca-file", &serve.identity.root_ca_file, "FILE",
      "The authority that is published to Pods, in kube-root-ca.crt [our "
      "own]." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Services:" },
    { YL_FLAG_STRING, "service-cluster-ip-range", &serve.api.service_cidr,
      "CIDR", "Where the addresses of Services come from [10.0.0.0/24]." },
    { YL_FLAG_STRING, "service-node-port-range", &serve.node_ports,
      "FIRST-LAST", "Where their node ports come from [30000-32767]." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Audit:" },
    { YL_FLAG_STRING, "audit-policy-file", &serve.api.audit_policy_file,
      "FILE", "What is recorded, as an audit.k8s.io/v1 Policy [nothing]." },
    { YL_FLAG_STRING, "audit-log-path", &serve.api.audit_log_path, "FILE",
      "Where it is recorded, in lines of JSON; - is standard output." },
    { YL_FLAG_INT, "audit-log-maxsize", &serve.audit_max_size, "MB",
      "The size at which the file is put aside." },
    { YL_FLAG_INT, "audit-log-maxbackup", &serve.audit_max_backups, "N",
      "How many old files are kept; 0 is all." },
    { YL_FLAG_INT, "audit-log-maxage", &serve.api.audit_max_age_days, "DAYS",
      "How long they are kept; 0 is for ever." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Limits:" },
    { YL_FLAG_DURATION, "request-timeout", &serve.api.request_timeout,
      "DURATION", "How long a request may take; watches last longer." },
    { YL_FLAG_DURATION, "min-watch-timeout", &serve.api.min_watch_timeout,
      "DURATION", "How long a watch lasts at least that asks for nothing "
      "else." },
    { YL_FLAG_DURATION, "event-ttl", &serve.api.event_ttl, "DURATION",
      "How long Events are kept." },
    { YL_FLAG_SIZE, "max-body-bytes", &serve.http.max_body, "BYTES",
      "The largest request body; more is 413." },
    { YL_FLAG_SIZE, "max-target-bytes", &serve.http.max_target, "BYTES",
      "The longest path with its query; more is 414." },
    { YL_FLAG_SIZE, "max-header-bytes", &serve.http.max_head, "BYTES",
      "The largest request head; more is 431." },
    { YL_FLAG_COUNT, "max-headers", &serve.http.max_headers, "N",
      "Headers of a request; more are 431." },
    { YL_FLAG_COUNT, "max-connections", &serve.http.max_connections, "N",
      "Connections at a time; more are closed.  64 descriptors are left to "
      "files." },
    { YL_FLAG_COUNT, "max-streams", &serve.http.max_streams, "N",
      "HTTP/2 streams of a connection at a time; more are refused." },
    { YL_FLAG_COUNT, "max-resets", &serve.http.max_resets, "N",
      "Streams that a client may reset in a second; after more the connection "
      "is closed." },
    { YL_FLAG_SIZE, "max-inflight-bytes", &serve.http.budget, "BYTES",
      "Memory for bodies and answers on their way, all told; more is 429." },
    { YL_FLAG_SIZE, "max-request-memory-bytes",
      &serve.api.max_request_memory, "BYTES",
      "Memory for one request, decoded and worked on; more is 413." },
    { YL_FLAG_DURATION, "header-timeout", &serve.http.head_timeout, "DURATION",
      "For the head of a request to come; 408." },
    { YL_FLAG_DURATION, "body-timeout", &serve.http.body_timeout, "DURATION",
      "For its body to come; 408." },
    { YL_FLAG_DURATION, "write-timeout", &serve.http.write_timeout, "DURATION",
      "For a client to read on what it was sent; it is dropped." },
    { YL_FLAG_DURATION, "idle-timeout", &serve.http.idle_timeout, "DURATION",
      "For a client to send another request; it is closed." },
    { YL_FLAG_DURATION, "shutdown-timeout", &serve.drain_timeout, "DURATION",
      "For running requests to end after SIGTERM; they are cut off." },

    { YL_FLAG_HEADING, NULL, NULL, NULL, "Log:" },
    { YL_FLAG_INT, "v", &serve.verbosity, "N",
      "How much is logged, on standard error: 3 adds a line for each "
      "request." },
    { YL_FLAG_STRING, "log-format", &serve.log_format, "FORM",
      "text or json [text]." },
};

static int
run(int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    sigset_t signals;
    int r = parse(&serve, argc, argv);

    if (r != YL_EXIT_OK) {
        return r;
    }
    /* Threads inherit the signal mask, so only run_until_signal() receives
     * these signals. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    raise_file_limit(&serve.http);

    r = start(&serve, &err);
    if (r == 0) {
        announce(&serve);
        yl_notify("READY=1");
        run_until_signal(&serve, &signals);
        yl_notify("STOPPING=1");
    }
    stop(&serve);
    return r < 0 ? yl_cli_failed(&yl_command_serve, &err) : YL_EXIT_OK;
}

static void
set_defaults(struct serve *s)
{
    s->listen = "127.0.0.1:6443";
    s->allow_privileged = true;
    s->identity.lookup = s->identity.extend_expiration = true;
    s->authorization_mode = "RBAC";
    s->node_ports = "30000-32767";
    s->log_format = "text";
    s->drain_timeout = 10000;
    s->audit_max_size = 100;
    s->audit_max_backups = 10;
    yl_apiserver_set_defaults(&s->api);
    yl_http_server_set_defaults(&s->http);
}

static int
parse(struct serve *s, int argc, char *argv[])
{
    struct yl_ip address;
    int n;

    set_defaults(s);
    n = yl_cli_parse(&yl_command_serve, flags, YL_ARRAY_SIZE(flags), argc,
                     argv);
    if (n < 0) {
        return -n;
    }
    if (n > 0) {
        return yl_cli_misused(&yl_command_serve, "'%s' is one word too many",
                              argv[1]);
    }
    if (!strcmp(s->authorization_mode, "AlwaysAllow")) {
        s->api.authorize_always = true;
        s->api.anonymous_health_only = true;
    } else if (strcmp(s->authorization_mode, "RBAC")) {
        return yl_cli_misused(&yl_command_serve,
                              "--authorization-mode: no mode '%s': say RBAC "
                              "or AlwaysAllow", s->authorization_mode);
    }
    if (s->data_dir && !*s->data_dir) {
        return yl_cli_misused(&yl_command_serve, "--data-dir is empty");
    }
    if (!has_port(s->listen)) {
        return yl_cli_misused(&yl_command_serve,
                              "--listen: '%s' is not ADDRESS:PORT", s->listen);
    }
    if (s->api.advertise_address
        && !yl_ip_parse(yl_str_c(s->api.advertise_address), &address)) {
        return yl_cli_misused(&yl_command_serve,
                              "--advertise-address: '%s' is no IP address",
                              s->api.advertise_address);
    }
    if (!parse_node_ports(s)) {
        return yl_cli_misused(&yl_command_serve,
                              "--service-node-port-range: '%s' is no range of "
                              "ports such as 30000-32767", s->node_ports);
    }
    if (!s->api.audit_policy_file != !s->api.audit_log_path) {
        return yl_cli_misused(&yl_command_serve,
                              "--audit-policy-file and --audit-log-path "
                              "belong together");
    }
    if (!s->certificate != !s->key) {
        return yl_cli_misused(&yl_command_serve,
                              "--tls-cert-file and --tls-private-key-file "
                              "belong together");
    }
    if (strcmp(s->log_format, "json") && strcmp(s->log_format, "text")) {
        return yl_cli_misused(&yl_command_serve,
                              "--log-format: no form '%s': say text or json",
                              s->log_format);
    }
    n = yl_serve_identity_apply(&s->identity, &s->api);
    if (n != YL_EXIT_OK) {
        return n;
    }
    yl_log_set_format(strcmp(s->log_format, "json") ? YL_LOG_TEXT
                                                    : YL_LOG_JSON);
    yl_log_set_verbosity(s->verbosity);
    s->api.forbid_privileged = !s->allow_privileged;
    s->api.own = yl_own_keep;
    s->api.audit_max_size = (size_t) s->audit_max_size << 20;
    s->api.audit_max_backups = s->audit_max_backups;
    return YL_EXIT_OK;
}

/* Whether the address ends in a port.  The part before it is checked by the
 * listener. */
static bool
has_port(const char *address)
{
    const char *colon = strrchr(address, ':');
    long long port;

    return colon && yl_str_to_i64(yl_str_c(colon + 1), &port) == 0
           && port >= 0 && port <= UINT16_MAX;
}

static bool
parse_node_ports(struct serve *s)
{
    struct yl_str first, last;
    unsigned long long from, to;

    if (!yl_str_cut(yl_str_c(s->node_ports), '-', &first, &last)
        || yl_str_to_u64(first, &from) < 0 || yl_str_to_u64(last, &to) < 0
        || from == 0 || from > to || to > UINT16_MAX) {
        return false;
    }
    s->api.node_port_first = (uint16_t) from;
    s->api.node_port_last = (uint16_t) to;
    return true;
}

/* Makes our own certificates, or replaces those that will expire soon.
 * Returns what yl_pki_prepare() returns. */
static int
make_certificates(const struct serve *s, struct yl_error *err)
{
    const struct yl_pki_opts pki = {
        .directory = s->pki_dir,
        .names = (const char *const *) s->extra_names,
        .n_names = s->n_extra_names,
        .service_cidr = s->api.service_cidr,
    };

    return yl_pki_prepare(&pki, err);
}

/* Uses our own certificates, unless the command line names others. */
static int
prepare_tls(struct serve *s, struct yl_error *err)
{
    int r = make_certificates(s, err);

    if (r < 0) {
        return r;
    }
    s->paths[0] = yl_pki_path(s->pki_dir, YL_PKI_SERVER, ".crt");
    s->paths[1] = yl_pki_path(s->pki_dir, YL_PKI_SERVER, ".key");
    s->paths[2] = yl_pki_path(s->pki_dir, YL_PKI_CA, ".crt");
    s->http.tls.certificate = s->certificate ? s->certificate : s->paths[0];
    s->http.tls.key = s->key ? s->key : s->paths[1];
    s->http.tls.client_ca = s->client_ca ? s->client_ca : s->paths[2];
    return 0;
}

/* Splits a list of names, "a,b", and adds the address that the server listens
 * on. */
static int
split_names(struct serve *s, struct yl_error *err)
{
    const char *colon = strrchr(s->listen, ':');
    struct yl_str rest = yl_str_c(s->names ? s->names : ""), name;
    struct yl_str host = colon ? yl_str_range(s->listen, colon)
                               : yl_str_null();

    if (host.size > 2 && host.data[0] == '[') {
        host = yl_str_n(host.data + 1, host.size - 2);
    }
    if (host.size && !yl_str_equal(host, YL_STR("0.0.0.0"))
        && !yl_str_equal(host, YL_STR("::"))) {
        s->extra_names[s->n_extra_names++] = yl_strdup(host);
    }
    s->api.advertise_port = colon ? (uint16_t) strtoul(colon + 1, NULL, 10)
                                  : 0;
    if (!s->api.advertise_address && s->n_extra_names) {
        s->api.advertise_address = s->extra_names[0];
    }
    while (rest.size) {
        if (s->n_extra_names == YL_ARRAY_SIZE(s->extra_names)) {
            return yl_error_set(err, YL_EINVALID,
                                "--tls-names: more than %zu names",
                                s->n_extra_names);
        }
        if (!yl_str_cut(rest, ',', &name, &rest)) {
            name = rest;
            rest = yl_str_null();
        }
        if (!is_host(name)) {
            return yl_error_set(err, YL_EINVALID,
                                "--tls-names: '%.*s' is no host name and no "
                                "IP address", YL_STR_ARG(name));
        }
        s->extra_names[s->n_extra_names++] = yl_strdup(name);
    }
    return 0;
}

/* Whether a certificate can be issued for this name: "api.example.com",
 * "*.example.com", an address. */
static bool
is_host(struct yl_str name)
{
    struct yl_ip address;
    size_t i = yl_str_starts_with(name, YL_STR("*.")) ? 2 : 0;

    if (yl_ip_parse(name, &address)) {
        return true;
    }
    if (i == name.size || name.size > YL_NAME_SUBDOMAIN_MAX) {
        return false;
    }
    for (; i < name.size; i++) {
        if (!isalnum((unsigned char) name.data[i])
            && !memchr("-._", name.data[i], 3)) {
            return false;
        }
    }
    return true;
}

/* Raises the limit of file descriptors as far as the system allows.  The usual
 * soft limit is 1,024, which select() needs and we do not.  Connections must
 * not use up the last ones. */
static void
raise_file_limit(struct yl_http_server_opts *http)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
        return;
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < 2 * RESERVED_FILES) {
        http->max_connections = RESERVED_FILES;
    } else if (http->max_connections > limit.rlim_max - RESERVED_FILES) {
        http->max_connections = (size_t) limit.rlim_max - RESERVED_FILES;
    }
}

static int
start(struct serve *s, struct yl_error *err)
{
    struct yl_sqlite_opts sqlite = { .data_dir = NULL };
    struct yl_error why = YL_ERROR_INIT;
    int r;

    if (!s->data_dir) {
        r = yl_data_dir_default(&s->own_data_dir, err);
        if (r < 0) {
            return r;
        }
        s->data_dir = s->own_data_dir;
    }
    sqlite.data_dir = s->data_dir;
    r = yl_sqlite_open(&sqlite, &s->storage, err);
    if (r < 0) {
        return r;
    }
    /* The printed paths should work in other directories, too. */
    s->real_data_dir = realpath(s->data_dir, NULL);
    s->data_dir = s->real_data_dir ? s->real_data_dir : s->data_dir;
    s->pki_dir = yl_dir_file(s->data_dir, "pki");
    s->kubeconfig = yl_dir_file(s->data_dir, "admin.kubeconfig");
    r = split_names(s, err);
    if (r == 0) {
        r = prepare_tls(s, err);
    }
    if (r < 0) {
        return r;
    }
    s->api.storage = s->storage;
    s->api.service_accounts.key_directory = s->pki_dir;
    s->api.max_body = s->http.max_body;
    r = yl_apiserver_new(&s->api, &s->server, err);
    if (r < 0) {
        return r;
    }
    s->http.handler = &yl_apiserver_handler;
    s->http.aux = s->server;
    s->http.listen = s->listen;
    if (s->insecure_port) {
        snprintf(s->clear, sizeof s->clear, "127.0.0.1:%d", s->insecure_port);
        s->http.listen_clear = s->clear;
    }
    r = yl_http_server_new(&s->http, &s->listener, &why);
    if (r < 0) {
        const char *message = yl_error_message(&why);

        if (!strstr(message, "in use")) {
            yl_error_set(err, r, "%s", message);
        } else {
            yl_error_set(err, r, "%s; say with --%s where else", message,
                         *s->clear && strstr(message, s->clear)
                         ? "insecure-loopback-port" : "listen");
        }
        yl_error_clear(&why);
        return r;
    }
    atomic_store(&s->server->http, s->listener);
    atomic_store(&s->server->port, yl_http_server_port(s->listener));
    r = write_kubeconfig(s, err);
    return r < 0 ? r : start_controllers(s, err);
}

/* Starts the controllers, or starts them again if they have another authority
 * to publish. */
static int
start_controllers(struct serve *s, struct yl_error *err)
{
    const char *path = s->identity.root_ca_file ? s->identity.root_ca_file
                                                : s->paths[2];
    struct yl_inside_opts opts = {
        .server = s->server,
        .http = s->listener,
        .names = s->identity.controllers.values,
        .n_names = s->identity.controllers.n,
    };
    struct yl_buf pem;
    int r;

    yl_buf_init(&pem, MAX_ROOT_CA);
    r = yl_file_read(path, &pem, err);
    if (r == 0 && !(s->root_ca && yl_str_equal_c(yl_buf_str(&pem),
                                                 s->root_ca))) {
        yl_inside_stop(s->controllers);
        s->controllers = NULL;
        free(s->root_ca);
        s->root_ca = NULL;
        opts.root_ca = yl_buf_str(&pem);
        r = yl_inside_start(&opts, &s->controllers, err);

        /* If they did not start, the next turn tries again. */
        if (r == 0) {
            s->root_ca = yl_strdup(opts.root_ca);
        }
    }
    yl_buf_release(&pem);
    return r;
}

/* Writes the administrator's kubeconfig, if it is missing or has another
 * certificate. */
static int
write_kubeconfig(const struct serve *s, struct yl_error *err)
{
    const char *host = s->n_extra_names ? s->extra_names[0] : "127.0.0.1";
    struct yl_buf url;
    int r;

    yl_buf_init(&url, 1024);
    yl_buf_printf(&url, strchr(host, ':') ? "https://[%s]:%u"
                                          : "https://%s:%u", host,
                  yl_http_server_port(s->listener));
    r = yl_kubeconfig_write_admin(s->pki_dir, yl_buf_c_str(&url),
                                  s->kubeconfig, err);
    yl_buf_release(&url);
    return r;
}

static void
announce(const struct serve *s)
{
    unsigned port = yl_http_server_port(s->listener);

    yl_log_info("Serving", YL_LOG_C("version", YULOH_VERSION),
                YL_LOG_C("listen", s->listen), YL_LOG_INT("port", port),
                YL_LOG_C("dataDir", s->data_dir),
                YL_LOG_C("authorization", s->authorization_mode));
    if (isatty(STDOUT_FILENO)) {
        struct yl_str host = yl_str_range(s->listen,
                                          strrchr(s->listen, ':'));

        printf("Yuloh serves on %.*s:%u; its data is in %s.\n\n"
               "    export KUBECONFIG=%s\n"
               "    kubectl get namespaces\n\n"
               "Ctrl-C stops it.\n",
               YL_STR_ARG(host), port, s->data_dir, s->kubeconfig);
    } else {
        printf("serving on port %u, kubeconfig %s\n", port, s->kubeconfig);
    }
    fflush(stdout);
}

/* Waits for a signal to stop.  SIGHUP reloads the certificates, and they are
 * renewed in time. */
static void
run_until_signal(struct serve *s, sigset_t *signals)
{
    struct timespec turn = { YL_TRIM_PERIOD / 1000, 0 };
    yl_msec renew_at = yl_now(NULL) + RENEW_PERIOD;
    struct yl_trim trim = YL_TRIM_INIT;

    for (;;) {
        int got = sigtimedwait(signals, NULL, &turn);

        if (got == SIGTERM || got == SIGINT) {
            yl_log_info("Stopping", YL_LOG_C("signal", got == SIGTERM
                                                       ? "SIGTERM"
                                                       : "SIGINT"));
            allow_twice(got);
            return;
        }
        if (got < 0 && errno == EAGAIN) {
            give_back_memory(s, &trim);
        }
        if (got == SIGHUP || yl_now(NULL) >= renew_at) {
            renew(s, got == SIGHUP);
            renew_at = yl_now(NULL) + RENEW_PERIOD;
        }
    }
}

/* Renews our certificates if it is time.  Loads the files again if they were
 * renewed, or if SIGHUP 'asked' for it. */
static void
renew(struct serve *s, bool asked)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_pki_pair old = { NULL, NULL }, new = { NULL, NULL };
    bool again;
    int r;

    (void) yl_pki_load(s->pki_dir, YL_PKI_ADMIN, &old, NULL);
    r = make_certificates(s, &err);
    again = r > 0 || (r == 0 && asked);
    if (again) {
        r = yl_http_server_reload(s->listener, &err);
    }
    if (r >= 0) {
        r = start_controllers(s, &err);
    }

    /* Unless SIGHUP asked for it, the kubeconfig is only written again if the
     * certificate is another one, because people may have edited the file. */
    if (r >= 0 && yl_pki_load(s->pki_dir, YL_PKI_ADMIN, &new, NULL) == 0
        && (asked || !old.certificate
            || strcmp(old.certificate, new.certificate) != 0)) {
        r = write_kubeconfig(s, &err);
    }
    yl_pki_pair_release(&old);
    yl_pki_pair_release(&new);
    if (r < 0) {
        yl_log_error(r, "Certificates were not renewed", YL_LOG_ERROR(&err));
        yl_error_clear(&err);
    } else if (again) {
        yl_log_info("Certificates were read again");
    }
    if (asked) {
        reload_keys(s);
    }
}

/* Reads the keys of tokens again.  A certificate that cannot be read is no
 * reason to go on with a key that was taken away. */
static void
reload_keys(struct serve *s)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_service_accounts_reload(s->server->service_accounts, &err);

    if (r < 0) {
        yl_log_error(r, "Keys of tokens were not read again",
                     YL_LOG_ERROR(&err));
        yl_error_clear(&err);
    }
}

static void
give_back_memory(const struct serve *s, struct yl_trim *trim)
{
    struct yl_http_server_stats stats;
    yl_msec now = yl_now(NULL);

    yl_http_server_stats(s->listener, &stats);
    if (yl_trim_is_due(trim, stats.requests_total, now)) {
        yl_give_back_memory();
        yl_trim_done(trim, now, yl_now(NULL));
    }
}

/* Restores the signal's default action, so that sending it a second time ends
 * the process at once.  Nothing that was answered is lost. */
static void
allow_twice(int signal_number)
{
    sigset_t set;

    signal(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void
stop(struct serve *s)
{
    size_t i;

    yl_inside_stop(s->controllers);
    if (s->listener) {
        yl_apiserver_drain(s->server);
        if (!yl_http_server_drain(s->listener, s->drain_timeout)) {
            yl_log_warning("Some requests were cut off");
        }
        yl_apiserver_stop(s->server);
        yl_http_server_free(s->listener);
    }
    yl_apiserver_free(s->server);
    yl_storage_close(s->storage);
    if (s->listener) {
        yl_log_info("Stopped");
    }
    free(s->own_data_dir);
    free(s->real_data_dir);
    free(s->pki_dir);
    free(s->kubeconfig);
    free(s->root_ca);
    for (i = 0; i < YL_ARRAY_SIZE(s->paths); i++) {
        free(s->paths[i]);
    }
    for (i = 0; i < s->n_extra_names; i++) {
        free(s->extra_names[i]);
    }
}

static void
describe(void)
{
    set_defaults(&serve);
    yl_flags_print(stdout, flags, YL_ARRAY_SIZE(flags));
}

const struct yl_command yl_command_serve = {
    .name = "serve",
    .summary = "run the API server",
    .usage = "usage: yuloh serve [FLAG...]\n",
    .describe = describe,
    .run = run,
};
