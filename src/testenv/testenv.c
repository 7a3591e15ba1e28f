/* The server of a test environment.  See yuloh/testenv.h for the contract. */

#include "testenv/testenv.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apiserver/admission/admission.h"
#include "apiserver/filters/filters.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "net/server.h"
#include "storage/dir.h"
#include "storage/memory.h"
#include "storage/storage.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* A file of definitions.  The largest known ones have some 5 MB. */
#define MAX_FILE ((size_t) 64 << 20)

static void init_identity(struct yl_testenv *, struct yl_testenv_identity *,
                          bool exempt);
static void init_steps(struct yl_testenv *);
static int start(struct yl_testenv *, struct yl_error *err);
static int install(struct yl_testenv *, const struct yl_testenv_opts *,
                   struct yl_error *err);
static int apply_path(struct yl_testenv *, const char *path,
                      struct yl_error *err);
static int apply_file(struct yl_testenv *, const char *path,
                      struct yl_error *err);
static enum yl_step meet_faults(struct yl_api_request *);

static const struct yl_http_handler handler;

int
yl_testenv_new(const struct yl_testenv_opts *opts,
               struct yl_testenv **ret_env, struct yl_error *err)
{
    static const struct yl_testenv_opts defaults = { .held_clock = false };
    struct yl_testenv *env = yl_zalloc(sizeof *env);
    int r;

    opts = opts ? opts : &defaults;
    yl_mutex_init(&env->lock);
    yl_faults_init(&env->faults);
    env->clock = opts->held_clock ? yl_clock_fake_new(1000 * 1000) : NULL;
    env->storage = yl_memory_new(NULL);
    env->listen = opts->listen;
    snprintf(env->url, sizeof env->url, "http://testenv");
    init_identity(env, &env->admin, false);
    init_identity(env, &env->self, true);
    init_steps(env);
    r = start(env, err);
    if (r == 0) {
        r = install(env, opts, err);
    }
    if (r < 0) {
        yl_testenv_free(env);
        return r;
    }
    *ret_env = env;
    return 0;
}

void
yl_testenv_free(struct yl_testenv *env)
{
    if (!env) {
        return;
    }
    yl_testenv_kill(env);
    yl_storage_close(env->storage);
    yl_clock_free(env->clock);
    yl_faults_release(&env->faults);
    yl_mutex_destroy(&env->lock);
    free(env);
}

struct yl_clock *
yl_testenv_clock(struct yl_testenv *env)
{
    return env->clock;
}

void
yl_testenv_advance(struct yl_testenv *env, yl_msec by)
{
    yl_clock_fake_advance(env->clock, by);
}

struct yl_client_config
yl_testenv_client_config(struct yl_testenv *env)
{
    return (struct yl_client_config) {
        .server = env->url,
        .connect = yl_testenv_connect,
        .connect_aux = env,
        .connect_is_quick = true,
    };
}

int
yl_testenv_connect(void *env_, struct yl_cancel *cancel YL_UNUSED,
                   int *ret_fd, struct yl_error *err)
{
    struct yl_testenv *env = env_;

    return yl_testenv_dial(env, &env->admin, ret_fd, err);
}

int
yl_testenv_dial(struct yl_testenv *env,
                const struct yl_testenv_identity *identity, int *ret_fd,
                struct yl_error *err)
{
    int r;

    yl_mutex_lock(&env->lock);
    r = env->http ? yl_http_server_connect(env->http, false, identity, ret_fd,
                                           err)
        : yl_error_set(err, YL_EUNAVAILABLE, "the server of the test is dead");
    yl_mutex_unlock(&env->lock);
    return r;
}

const char *
yl_testenv_url(const struct yl_testenv *env)
{
    return env->url;
}

uint64_t
yl_testenv_revision(struct yl_testenv *env)
{
    uint64_t revision;

    yl_mutex_lock(&env->lock);
    revision = env->http ? yl_keyspace_revision(env->server->keyspace)
               : env->revision;
    yl_mutex_unlock(&env->lock);
    return revision;
}

int
yl_testenv_inject(struct yl_testenv *env, const struct yl_testenv_fault *rule)
{
    return yl_faults_add(&env->faults, rule);
}

unsigned
yl_testenv_hits(struct yl_testenv *env, int fault)
{
    return yl_faults_hits(&env->faults, fault);
}

void
yl_testenv_remove(struct yl_testenv *env, int fault)
{
    yl_faults_remove(&env->faults, fault);
}

void
yl_testenv_remove_all(struct yl_testenv *env)
{
    yl_faults_remove(&env->faults, -1);
}

void
yl_testenv_kill(struct yl_testenv *env)
{
    struct yl_http_server *http;

    yl_mutex_lock(&env->lock);
    http = env->http;
    if (http) {
        env->revision = yl_keyspace_revision(env->server->keyspace);
    }
    env->http = NULL;
    yl_mutex_unlock(&env->lock);
    if (http) {
        yl_apiserver_stop(env->server);
        yl_http_server_free(http);
        yl_apiserver_free(env->server);
        env->server = NULL;
    }
}

int
yl_testenv_revive(struct yl_testenv *env, struct yl_error *err)
{
    yl_testenv_kill(env);
    return start(env, err);
}

static void
init_identity(struct yl_testenv *env, struct yl_testenv_identity *identity,
              bool exempt)
{
    static const struct yl_str masters = YL_STR_INIT("system:masters");

    identity->user.name = exempt ? YL_STR("testenv:self")
                          : YL_STR("testenv:client");
    identity->user.groups = &masters;
    identity->user.n_groups = 1;
    identity->env = env;
    identity->exempt = exempt;
}

/* The server's steps, and ours behind the audit log: what is injected can be
 * read there, too. */
static void
init_steps(struct yl_testenv *env)
{
    size_t n = 0;

    for (size_t i = 0; yl_api_steps[i]; i++) {
        env->steps[n++] = yl_api_steps[i];
        if (yl_api_steps[i] == yl_filter_audit) {
            env->steps[n++] = meet_faults;
        }
    }
    env->steps[n] = NULL;
}

static int
start(struct yl_testenv *env, struct yl_error *err)
{
    const struct yl_apiserver_opts opts = {
        .clock = env->clock, .storage = env->storage, .own = yl_own_keep,

        /* Nobody makes the accounts that Pods would need. */
        .plugins_off = yl_admission_mask("ServiceAccount"),
    };
    char address[32];
    struct yl_http_server_opts http_opts = {
        .handler = &handler, .aux = env, .clock = env->clock, .n_loops = 1,
        .listen_clear = env->listen ? address : NULL,
    };
    struct yl_http_server *http;
    int r = yl_apiserver_new(&opts, &env->server, err);

    if (r < 0) {
        return r;
    }
    env->server->steps = env->steps;
    snprintf(address, sizeof address, "127.0.0.1:%u", env->port);
    r = yl_http_server_new(&http_opts, &http, err);
    if (r < 0) {
        yl_apiserver_free(env->server);
        env->server = NULL;
        return r;
    }
    atomic_store(&env->server->http, http);
    if (env->listen) {
        env->port = yl_http_server_clear_port(http);
        snprintf(env->url, sizeof env->url, "http://127.0.0.1:%u", env->port);
    }
    yl_mutex_lock(&env->lock);
    env->http = http;
    yl_mutex_unlock(&env->lock);
    return 0;
}

static int
install(struct yl_testenv *env, const struct yl_testenv_opts *opts,
        struct yl_error *err)
{
    int r = opts->crds ? apply_path(env, opts->crds, err) : 0;

    for (size_t i = 0; r == 0 && opts->kinds && opts->kinds[i]; i++) {
        r = yl_testenv_install(env, opts->kinds[i], err);
    }
    return r;
}

/* Only files that kubectl would apply, not hidden ones or what editors
 * leave. */
static int
is_manifest(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && dot != entry->d_name
           && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")
               || !strcmp(dot, ".json"));
}

/* Applies a file, or the files of a folder in the order of their names. */
static int
apply_path(struct yl_testenv *env, const char *path, struct yl_error *err)
{
    struct dirent **entries;
    struct stat status;
    int n, r = 0;

    if (stat(path, &status) < 0) {
        return yl_error_set(err, YL_EIO, "%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return apply_file(env, path, err);
    }
    n = scandir(path, &entries, is_manifest, alphasort);
    if (n < 0) {
        return yl_error_set(err, YL_EIO, "%s: %s", path, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        char *file = yl_dir_file(path, entries[i]->d_name);

        r = r < 0 ? r : apply_file(env, file, err);
        free(file);
        free(entries[i]);
    }
    free(entries);
    return r;
}

static int
apply_file(struct yl_testenv *env, const char *path, struct yl_error *err)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, MAX_FILE);
    r = yl_file_read(path, &text, err);
    if (r == 0) {
        r = yl_testenv_apply(env, yl_buf_c_str(&text), err);
        if (r < 0) {
            yl_error_prefix(err, "%s", path);
        }
    }
    yl_buf_release(&text);
    return r;
}

static enum yl_step
meet_faults(struct yl_api_request *req)
{
    const struct yl_testenv_identity *identity = req->http->peer->identity;

    return identity->exempt ? YL_STEP_NEXT
           : yl_faults_meet(&identity->env->faults, req);
}

/* The server's handler, for which everybody who can connect is the
 * administrator. */

static void
on_request(void *env_, struct yl_http_request *http)
{
    struct yl_testenv *env = env_;

    if (!http->peer->identity) {
        struct yl_http_peer *peer = yl_arena_alloc(http->arena, sizeof *peer);

        *peer = *http->peer;
        peer->identity = &env->admin;
        http->peer = peer;
    }
    yl_apiserver_handler.request(env->server, http);
}

static void
on_body(void *env_, struct yl_http_request *http)
{
    struct yl_testenv *env = env_;

    yl_apiserver_handler.body(env->server, http);
}

static void
on_end(void *env_, struct yl_http_request *http, bool finished)
{
    struct yl_testenv *env = env_;

    yl_faults_end(&env->faults, http);
    yl_apiserver_handler.end(env->server, http, finished);
}

static void
refuse(void *env_, int status, const char *why, const char **ret_type,
       struct yl_buf *body)
{
    struct yl_testenv *env = env_;

    yl_apiserver_handler.refuse(env->server, status, why, ret_type, body);
}

static const struct yl_http_handler handler = {
    on_request, on_body, on_end, refuse
};
