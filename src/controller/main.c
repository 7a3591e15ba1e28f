/* A whole program around a manager: flags and signals.  See
 * yuloh/controller.h. */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "controller/flags.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/controller.h"
#include "yuloh/log.h"
#include "yuloh/manager.h"
#include "yuloh/metrics.h"
#include "yuloh/names.h"

enum { OK, FAILED, MISUSED };

/* The name of a namespace is a label of at most 63 bytes. */
#define NAMESPACE_SIZE 64

/* Room for the name of a Lease, which is cut if it is longer. */
#define LEASE_SIZE 254

/* What the flags say. */
struct program {
    const char *name;           /* Of the program. */
    const struct yl_controller *const *controllers;
    struct yl_client_config_opts config;
    const char *namespace_;
    int workers;
    int verbosity;
    const char *logging_format;
    const char *metrics_address, *health_address;
    bool leader_elect;
    const char *lease_name, *lease_namespace;
    yl_msec lease_duration, renew_deadline, retry_period;
    yl_msec sync_timeout, stop_timeout;
    int qps, burst;
    bool dump_graph, dump_rbac, help;
};

/* The thread that waits for signals. */
struct signals {
    struct yl_thread thread;
    struct yl_manager *manager;
    sigset_t set, old;
    atomic_bool over;
};

static int parse(struct program *, int argc, char *argv[]);
static int check(const struct program *, struct yl_error *);
static int run(const struct program *, struct yl_error *);
static int connect_to(const struct program *, struct yl_metrics *,
                      struct yl_client **ret_client,
                      char namespace_[NAMESPACE_SIZE], struct yl_error *);
static void name_lease(const struct program *, char name[LEASE_SIZE]);
static bool is_off(const char *address);
static int catch_signals(struct signals *, struct yl_manager *,
                         struct yl_error *);
static void wait_for_signals(void *signals);
static void release_signals(struct signals *);

int
yl_main(int argc, char *argv[],
        const struct yl_controller *const *controllers)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    struct program program = {
        .name = slash ? slash + 1 : argc > 0 ? argv[0] : "controller",
        .controllers = controllers,
        .metrics_address = "0",
        .health_address = "0",
        .logging_format = "text",
        .lease_duration = 15000,
        .renew_deadline = 10000,
        .retry_period = 2000,
        .sync_timeout = 120000,
        .stop_timeout = 30000,
    };
    struct yl_error err = YL_ERROR_INIT;
    int status = parse(&program, argc, argv);

    if (status != OK || program.help) {
        return status;
    } else if (check(&program, &err) < 0 || run(&program, &err) < 0) {
        fprintf(stderr, "%s: %s\n", program.name, yl_error_message(&err));
        yl_error_clear(&err);
        return FAILED;
    }
    return OK;
}

static int
parse(struct program *p, int argc, char *argv[])
{
    const struct yl_flag flags[] = {
        { YL_FLAG_HEADING, NULL, NULL, NULL, "The API server:" },
        { YL_FLAG_STRING, "kubeconfig", &p->config.kubeconfig, "FILE",
          "Kubeconfig to use.  Without it: KUBECONFIG, then the service "
          "account of the Pod, then ~/.kube/config." },
        { YL_FLAG_STRING, "context", &p->config.context, "NAME",
          "Context of the kubeconfig; else its current one." },
        { YL_FLAG_STRING, "master", &p->config.master, "URL",
          "Address of the API server, in place of the kubeconfig's." },
        { YL_FLAG_INT, "kube-api-qps", &p->qps, "N",
          "Calls in a second at most; 0 is no limit." },
        { YL_FLAG_INT, "kube-api-burst", &p->burst, "N",
          "Calls at once at most, with --kube-api-qps; 0 is 10." },

        { YL_FLAG_HEADING, NULL, NULL, NULL, "Work:" },
        { YL_FLAG_STRING, "namespace", &p->namespace_, "NAME",
          "Watch this namespace only; else all of them." },
        { YL_FLAG_INT, "workers", &p->workers, "N",
          "Threads of each controller; 0 is what the controller says." },
        { YL_FLAG_DURATION, "cache-sync-timeout", &p->sync_timeout, "TIME",
          "Give up if the caches have not synced by then." },
        { YL_FLAG_DURATION, "graceful-shutdown-timeout", &p->stop_timeout,
          "TIME", "How long running reconciles may take to end." },

        { YL_FLAG_HEADING, NULL, NULL, NULL, "Leader election:" },
        { YL_FLAG_BOOL, "leader-elect", &p->leader_elect, "",
          "Work only while this process is the leader." },
        { YL_FLAG_STRING, "leader-elect-resource-name", &p->lease_name,
          "NAME", "Name of the Lease; else that of the program." },
        { YL_FLAG_STRING, "leader-elect-resource-namespace",
          &p->lease_namespace, "NAME",
          "Namespace of the Lease; else that of the kubeconfig or Pod." },
        { YL_FLAG_DURATION, "leader-elect-lease-duration",
          &p->lease_duration, "TIME",
          "How long others wait for a leader that is silent." },
        { YL_FLAG_DURATION, "leader-elect-renew-deadline",
          &p->renew_deadline, "TIME",
          "How long the leader tries to renew before it stops." },
        { YL_FLAG_DURATION, "leader-elect-retry-period", &p->retry_period,
          "TIME", "How long to wait between tries." },

        { YL_FLAG_HEADING, NULL, NULL, NULL, "To be watched:" },
        { YL_FLAG_STRING, "metrics-bind-address", &p->metrics_address,
          "ADDRESS", "Where to serve /metrics and /debug/controller, such as "
          "127.0.0.1:8080 or :8080; 0, the default, is nowhere." },
        { YL_FLAG_STRING, "health-probe-bind-address", &p->health_address,
          "ADDRESS", "Where to serve /healthz and /readyz; 0, the default, "
          "is nowhere." },
        { YL_FLAG_INT, "v", &p->verbosity, "N",
          "Verbosity of the log: 2 shows each reconcile and its reason." },
        { YL_FLAG_STRING, "logging-format", &p->logging_format, "FORMAT",
          "text, which is the default, or json." },

        { YL_FLAG_HEADING, NULL, NULL, NULL, "Instead of running:" },
        { YL_FLAG_BOOL, "dump-graph", &p->dump_graph, "",
          "Print what is watched and owned, for Graphviz." },
        { YL_FLAG_BOOL, "dump-rbac", &p->dump_rbac, "",
          "Print the ClusterRole that the program needs." },
        { YL_FLAG_BOOL, "help", &p->help, "", "Print this." },
    };
    struct yl_error err = YL_ERROR_INIT;
    int n;

    /* The help shows defaults, so it is printed before anything is set. */
    for (n = 1; n < argc; n++) {
        if (!strcmp(argv[n], "--help") || !strcmp(argv[n], "-h")) {
            printf("usage: %s [FLAG]...\n", p->name);
            yl_flags_print(stdout, flags, YL_ARRAY_SIZE(flags));
            p->help = true;
            return OK;
        }
    }
    n = yl_flags_parse(flags, YL_ARRAY_SIZE(flags), argc, argv, &err);
    if (n > 0) {
        yl_error_set(&err, YL_EINVALID, "'%s' is one word too many", argv[1]);
    } else if (n == 0 && strcmp(p->logging_format, "text")
               && strcmp(p->logging_format, "json")) {
        yl_error_set(&err, YL_EINVALID,
                     "--logging-format: '%s' is neither text nor json",
                     p->logging_format);
    }
    if (err.code) {
        fprintf(stderr, "%s: %s\nTry \"%s --help\".\n", p->name,
                yl_error_message(&err), p->name);
        yl_error_clear(&err);
        return MISUSED;
    }
    return OK;
}

/* Refuses tables that make no sense before anything is connected. */
static int
check(const struct program *p, struct yl_error *err)
{
    size_t i;
    int r = 0;

    if (!p->controllers[0]) {
        return yl_error_set(err, YL_EINVALID, "there is no controller");
    }
    if (p->namespace_ && p->namespace_[0]
        && yl_name_check(YL_NAME_DNS1123_LABEL, yl_str_c(p->namespace_),
                         NULL) < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "--namespace: '%s' is no name of a namespace",
                            p->namespace_);
    }
    if (p->lease_name
        && yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, yl_str_c(p->lease_name),
                         NULL) < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "--leader-elect-resource-name: '%s' is no name "
                            "of a Lease", p->lease_name);
    }
    for (i = 0; r == 0 && p->controllers[i]; i++) {
        r = yl_controller_check(p->controllers[i], err);
    }
    return r;
}

static int
run(const struct program *p, struct yl_error *err)
{
    char namespace_[NAMESPACE_SIZE] = "default", lease[LEASE_SIZE];
    struct yl_manager_opts opts = {
        .namespace_ = p->namespace_,
        .workers = (unsigned) p->workers,
        .sync_timeout = p->sync_timeout,
        .stop_timeout = p->stop_timeout,
        .metrics_address = is_off(p->metrics_address) ? NULL
                                                      : p->metrics_address,
        .health_address = is_off(p->health_address) ? NULL
                                                    : p->health_address,
        .leader_election_namespace = p->lease_namespace ? p->lease_namespace
                                                        : namespace_,
        .lease_duration = p->lease_duration,
        .renew_deadline = p->renew_deadline,
        .retry_period = p->retry_period,
    };
    struct yl_manager *manager = NULL;
    struct signals signals;
    size_t i;
    int r;

    if (p->dump_graph || p->dump_rbac) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_str text
            = p->dump_graph
                  ? yl_controllers_graph(p->controllers, arena)
                  : yl_controllers_rbac(p->controllers, p->name,
                                        p->leader_elect, arena);

        printf("%.*s", YL_STR_ARG(text));
        yl_arena_free(arena);
        return 0;
    }
    name_lease(p, lease);
    if (p->leader_elect) {
        opts.leader_election_id = lease;
    }
    yl_log_set_verbosity(p->verbosity);
    yl_log_set_format(!strcmp(p->logging_format, "json") ? YL_LOG_JSON
                                                         : YL_LOG_TEXT);
    opts.metrics = yl_metrics_new();
    r = connect_to(p, opts.metrics, &opts.client, namespace_, err);
    if (r == 0) {
        r = yl_manager_new(&opts, &manager, err);
    }
    for (i = 0; r == 0 && p->controllers[i]; i++) {
        r = yl_manager_add(manager, p->controllers[i], err);
    }
    if (r == 0) {
        r = catch_signals(&signals, manager, err);
    }
    if (r == 0) {
        r = yl_manager_run(manager, err);
        release_signals(&signals);
    }
    yl_manager_free(manager);
    yl_client_unref(opts.client);
    yl_metrics_free(opts.metrics);
    return r;
}

static int
connect_to(const struct program *p, struct yl_metrics *metrics,
           struct yl_client **ret_client, char namespace_[NAMESPACE_SIZE],
           struct yl_error *err)
{
    struct yl_client_config *config;
    int r = yl_client_config_load(&p->config, &config, err);

    if (r < 0) {
        return r;
    }
    if (p->qps) {
        config->qps = p->qps;
        config->burst = p->burst;
    }
    snprintf(namespace_, NAMESPACE_SIZE, "%s",
             config->namespace_ ? config->namespace_ : "default");
    r = yl_client_new(config, &(struct yl_client_opts) { .metrics = metrics },
                      ret_client, err);
    yl_client_config_free(config);
    return r;
}

/* The name that was given, or else the program's, with what names of objects
 * may not have replaced: "network_controller" is "network-controller". */
static void
name_lease(const struct program *p, char name[LEASE_SIZE])
{
    char *c;

    snprintf(name, LEASE_SIZE, "%s", p->lease_name ? p->lease_name : p->name);
    for (c = name; *c && !p->lease_name; c++) {
        if (*c >= 'A' && *c <= 'Z') {
            *c = (char) (*c - 'A' + 'a');
        } else if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9')) {
            *c = '-';
        }
    }
}

static bool
is_off(const char *address)
{
    return !address[0] || !strcmp(address, "0");
}

/* A thread waits for them, because a handler could do next to nothing.  All
 * other threads block them; a connection that breaks is no signal. */
static int
catch_signals(struct signals *signals, struct yl_manager *manager,
              struct yl_error *err)
{
    signals->manager = manager;
    atomic_init(&signals->over, false);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&signals->set);
    sigaddset(&signals->set, SIGINT);
    sigaddset(&signals->set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals->set, &signals->old);
    if (yl_thread_start(&signals->thread, "signals", wait_for_signals,
                        signals) < 0) {
        pthread_sigmask(SIG_SETMASK, &signals->old, NULL);
        return yl_error_set(err, YL_EUNAVAILABLE, "no thread for signals");
    }
    return 0;
}

static void
wait_for_signals(void *signals_)
{
    struct signals *signals = signals_;
    bool again = false;
    int number;

    while (sigwait(&signals->set, &number) == 0
           && !atomic_load(&signals->over)) {
        if (again) {
            yl_log_info("Stopping at once");
            _exit(FAILED);
        }
        yl_log_info("Stopping; the next signal stops at once",
                    YL_LOG_C("signal", number == SIGINT ? "SIGINT"
                                                        : "SIGTERM"));
        again = true;
        yl_manager_stop(signals->manager);
    }
}

static void
release_signals(struct signals *signals)
{
    atomic_store(&signals->over, true);
    pthread_kill(signals->thread.id, SIGINT);
    yl_thread_join(&signals->thread);
    pthread_sigmask(SIG_SETMASK, &signals->old, NULL);
}
