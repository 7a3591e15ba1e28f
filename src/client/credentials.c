/* Credentials.  See client/credentials.h for the contract. */

#include "client/credentials.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/thread.h"
#include "client/config_copy.h"
#include "client/exec_credential.h"
#include "client/exec_run.h"
#include "json/base64.h"
#include "net/tls.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/log.h"
#include "yuloh/time.h"

/* A minute, less client-go's leeway of ten seconds. */
#define READ_EVERY 50000

#define EXEC_TIMEOUT 60000
#define EXEC_AHEAD 60000        /* yl_credentials_try() runs it so early, */
#define EXEC_PAUSE 10000        /* but not more often than this. */

/* How often a thread that waits for another's run looks whether it was
 * canceled itself: a condition cannot be waited for together with that. */
#define CANCEL_LOOK 20

#define MAX_FILE ((size_t) 1 << 20)

enum pem {
    AUTHORITIES,
    CERTIFICATE,
    KEY,
    N_PEMS
};

struct yl_credentials {
    struct yl_arena *arena;     /* Of 'config'. */
    const struct yl_client_config *config;
    bool uses_exec;
    struct yl_cancel *stop;     /* Ends the plug-in that 'thread' runs. */

    struct yl_mutex lock;       /* Not held while a plug-in runs. */
    struct yl_cond ended;       /* A run of the plug-in has. */
    char *authorization YL_GUARDED;     /* NULL: none. */
    char *pems[N_PEMS] YL_GUARDED;      /* NULL: none. */
    uint64_t generation YL_GUARDED;
    uint64_t tls_generation YL_GUARDED;
    yl_msec next_read YL_GUARDED;   /* When files are to be read again. */

    /* Of the plug-in. */
    bool is_running YL_GUARDED;
    yl_msec expires YL_GUARDED;     /* When it has to run again. */
    yl_msec not_before YL_GUARDED;  /* Earliest time to run it in advance. */
    struct yl_error failure YL_GUARDED;     /* Of its last run. */

    /* The thread of yl_credentials_try(), which starts it with the lock held;
     * yl_credentials_free() needs none. */
    struct yl_thread thread;
    bool has_thread;            /* It is to be joined. */
    yl_msec thread_now;         /* What 'now' was when it began. */
};

static int read_files(struct yl_credentials *, bool is_first,
                      struct yl_error *);
static int read_token(struct yl_credentials *, struct yl_error *);
static int read_pems(struct yl_credentials *, struct yl_error *);
static int set_authorization(struct yl_credentials *, const char *scheme,
                             struct yl_str secret, struct yl_error *);
static int set_pems(struct yl_credentials *, char *pems[N_PEMS],
                    struct yl_error *);
static int make_tls(const struct yl_credentials *, char *const pems[N_PEMS],
                    struct yl_tls_client **, struct yl_error *);
static int need_plugin(struct yl_credentials *, yl_msec now,
                       struct yl_cancel *);
static void run_plugin(struct yl_credentials *, yl_msec now,
                       struct yl_cancel *);
static int take_output(struct yl_credentials *, struct yl_str output,
                       yl_msec now, struct yl_error *);
static void start_thread(struct yl_credentials *, yl_msec now);
static void thread_main(void *);
static void fill_in(const struct yl_credentials *, struct yl_arena *,
                    struct yl_credentials_use *);
static void wipe(char *);

int
yl_credentials_new(const struct yl_client_config *config, yl_msec now,
                   struct yl_credentials **ret_credentials,
                   struct yl_error *err)
{
    struct yl_credentials *c = yl_zalloc(sizeof *c);
    int r;

    c->arena = yl_arena_new();
    c->config = yl_config_copy(c->arena, config);
    c->uses_exec = config->exec && !config->token && !config->token_file
                   && !config->username && !config->password
                   && !config->certificate_file && !config->certificate.size;
    c->stop = yl_cancel_new();
    yl_mutex_init(&c->lock);
    yl_cond_init(&c->ended);
    yl_mutex_lock(&c->lock);
    c->expires = INT64_MIN;
    c->not_before = INT64_MIN;
    c->next_read = now + READ_EVERY;
    r = read_files(c, true, err);
    yl_mutex_unlock(&c->lock);
    if (r < 0) {
        yl_credentials_free(c);
        return r;
    }
    *ret_credentials = c;
    return 0;
}

void
yl_credentials_free(struct yl_credentials *c)
{
    size_t i;

    if (!c) {
        return;
    }
    yl_cancel_now(c->stop);
    if (c->has_thread) {
        yl_thread_join(&c->thread);
    }
    yl_mutex_lock(&c->lock);
    wipe(c->authorization);
    for (i = 0; i < N_PEMS; i++) {
        wipe(c->pems[i]);
    }
    yl_error_clear(&c->failure);
    yl_mutex_unlock(&c->lock);
    yl_cond_destroy(&c->ended);
    yl_mutex_destroy(&c->lock);
    yl_cancel_unref(c->stop);
    yl_arena_free(c->arena);
    free(c);
}

int
yl_credentials_now(struct yl_credentials *c, yl_msec now,
                   struct yl_cancel *cancel, struct yl_arena *arena,
                   struct yl_credentials_use *ret_use, struct yl_error *err)
{
    int r = 0;

    yl_mutex_lock(&c->lock);
    if (now >= c->next_read) {
        c->next_read = now + READ_EVERY;
        read_files(c, false, NULL);
    }
    if (c->uses_exec && now >= c->expires) {
        r = need_plugin(c, now, cancel);
    }
    if (r < 0) {
        yl_error_set(err, r, "getting credentials: %s",
                     r == c->failure.code ? yl_error_message(&c->failure)
                                          : yl_error_text(r));
    } else {
        fill_in(c, arena, ret_use);
    }
    yl_mutex_unlock(&c->lock);
    return r;
}

int
yl_credentials_try(struct yl_credentials *c, yl_msec now,
                   struct yl_arena *arena, struct yl_credentials_use *ret_use,
                   struct yl_error *err)
{
    int r = 0;

    yl_mutex_lock(&c->lock);
    if (now >= c->next_read) {
        c->next_read = now + READ_EVERY;
        read_files(c, false, NULL);
    }
    if (c->uses_exec && !c->is_running && now >= c->not_before
        && (c->expires <= now || c->expires - now <= EXEC_AHEAD)) {
        start_thread(c, now);
    }
    if (c->uses_exec && now >= c->expires) {
        /* That another thread was canceled says nothing about this call. */
        bool failed = c->failure.code && c->failure.code != YL_ECANCELED;

        r = failed ? c->failure.code : YL_EUNAVAILABLE;
        yl_error_set(err, r, "getting credentials: %s",
                     failed ? yl_error_message(&c->failure)
                            : "the plug-in is still running");
    } else {
        fill_in(c, arena, ret_use);
    }
    yl_mutex_unlock(&c->lock);
    return r;
}

void
yl_credentials_refused(struct yl_credentials *c, uint64_t generation)
{
    yl_mutex_lock(&c->lock);
    if (generation == c->generation) {
        c->next_read = INT64_MIN;
        c->expires = INT64_MIN;
        c->not_before = INT64_MIN;
    }
    yl_mutex_unlock(&c->lock);
}

int
yl_credentials_make_tls(struct yl_credentials *c,
                        struct yl_tls_client **ret_tls,
                        uint64_t *ret_generation, struct yl_error *err)
{
    int r;

    yl_mutex_lock(&c->lock);
    r = make_tls(c, c->pems, ret_tls, err);
    if (r == 0) {
        *ret_generation = c->tls_generation;
    }
    yl_mutex_unlock(&c->lock);
    return r;
}

/* Reads what the configuration names.  What cannot be read is an error only at
 * first. */
static int
read_files(struct yl_credentials *c, bool is_first, struct yl_error *err)
    YL_REQUIRES(c->lock)
{
    struct yl_error why = YL_ERROR_INIT;
    int r = read_token(c, &why);

    if (r == 0 || !is_first) {
        int r_pems = read_pems(c, r == 0 ? &why : NULL);

        r = r < 0 ? r : r_pems;
    }
    if (r < 0 && is_first) {
        r = yl_error_set(err, YL_EINVALID, "%s", yl_error_message(&why));
    } else if (r < 0) {
        yl_log_warning("unable to read credentials again",
                       YL_LOG_ERROR(&why));
        r = 0;
    }
    yl_error_clear(&why);
    return r;
}

static int
read_token(struct yl_credentials *c, struct yl_error *err)
    YL_REQUIRES(c->lock)
{
    const struct yl_client_config *config = c->config;
    struct yl_error why = YL_ERROR_INIT;
    struct yl_buf buf;
    int r = 0;

    yl_buf_init(&buf, MAX_FILE);
    if (config->token_file) {
        r = yl_file_read(config->token_file, &buf, &why);
        if (r == 0 && !yl_str_trim(yl_buf_str(&buf)).size) {
            r = yl_error_set(&why, YL_EINVALID,
                             "read empty token from file \"%s\"",
                             config->token_file);
        }
        if (r == 0) {
            r = set_authorization(c, "Bearer", yl_str_trim(yl_buf_str(&buf)),
                                  &why);
        }
    }
    if ((!config->token_file || (r < 0 && !c->authorization))
        && config->token) {
        r = set_authorization(c, "Bearer", yl_str_c(config->token), &why);
    } else if (!config->token_file && (config->username || config->password)) {
        struct yl_buf pair;

        yl_buf_printf(&buf, "%s:%s", config->username ? config->username : "",
                      config->password ? config->password : "");
        yl_buf_init(&pair, SIZE_MAX);
        yl_base64_write(&pair, yl_buf_str(&buf));
        r = set_authorization(c, "Basic", yl_buf_str(&pair), &why);
        wipe(yl_buf_detach(&pair));
    }
    if (r < 0) {
        yl_error_set(err, r, "%s", yl_error_message(&why));
    }
    yl_error_clear(&why);
    wipe(yl_buf_detach(&buf));
    return r;
}

static int
read_pems(struct yl_credentials *c, struct yl_error *err) YL_REQUIRES(c->lock)
{
    const struct yl_client_config *config = c->config;
    const struct yl_tls_pem sources[N_PEMS] = {
        [AUTHORITIES] = { config->ca_file, config->ca },
        [CERTIFICATE] = { config->certificate_file, config->certificate },
        [KEY] = { config->key_file, config->key },
    };
    char *pems[N_PEMS] = { NULL };
    int r = 0;
    size_t i;

    for (i = 0; i < N_PEMS && r == 0; i++) {
        struct yl_buf buf;

        /* What the plug-in gave stays. */
        if (sources[i].bytes.size) {
            pems[i] = yl_strdup(sources[i].bytes);
        } else if (sources[i].path) {
            yl_buf_init(&buf, MAX_FILE);
            r = yl_file_read(sources[i].path, &buf, err);
            pems[i] = yl_buf_detach(&buf);
        } else if (c->pems[i]) {
            pems[i] = yl_strdup(yl_str_c(c->pems[i]));
        }
    }
    return r < 0 ? (wipe(pems[0]), wipe(pems[1]), wipe(pems[2]), r)
                 : set_pems(c, pems, err);
}

static int
set_authorization(struct yl_credentials *c, const char *scheme,
                  struct yl_str secret, struct yl_error *err)
    YL_REQUIRES(c->lock)
{
    struct yl_buf buf;
    char *text;
    size_t i;

    for (i = 0; i < secret.size; i++) {
        unsigned char byte = (unsigned char) secret.data[i];

        if (byte < ' ' || byte == 0x7f) {
            return yl_error_set(err, YL_EINVALID,
                                "the token has characters that an HTTP "
                                "header cannot have");
        }
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_printf(&buf, "%s %.*s", scheme, YL_STR_ARG(secret));
    text = yl_buf_detach(&buf);
    if (c->authorization && strcmp(text, c->authorization) == 0) {
        wipe(text);
    } else {
        wipe(c->authorization);
        c->authorization = text;
        c->generation++;
    }
    return 0;
}

/* Uses 'pems', which it takes, unless they are broken; then the old ones
 * stay. */
static int
set_pems(struct yl_credentials *c, char *pems[N_PEMS], struct yl_error *err)
    YL_REQUIRES(c->lock)
{
    struct yl_tls_client *tls;
    bool is_same = true;
    int r = 0;
    size_t i;

    for (i = 0; i < N_PEMS; i++) {
        is_same = is_same && yl_str_equal(yl_str_c(pems[i]),
                                          yl_str_c(c->pems[i]));
    }
    if (!is_same) {
        r = make_tls(c, pems, &tls, err);
        if (r == 0) {
            yl_tls_client_free(tls);
            c->tls_generation++;
            c->generation++;
        }
    }
    for (i = 0; i < N_PEMS; i++) {
        if (r == 0) {
            wipe(c->pems[i]);
            c->pems[i] = pems[i];
        } else {
            wipe(pems[i]);
        }
    }
    return r;
}

static int
make_tls(const struct yl_credentials *c, char *const pems[N_PEMS],
         struct yl_tls_client **ret_tls, struct yl_error *err)
{
    const struct yl_client_config *config = c->config;

    return yl_tls_client_new(&(struct yl_tls_client_opts) {
        .authorities = { config->ca_file, yl_str_c(pems[AUTHORITIES]) },
        .certificate = { config->certificate_file,
                         yl_str_c(pems[CERTIFICATE]) },
        .key = { config->key_file, yl_str_c(pems[KEY]) },
        .verify_name = config->tls_server_name,
        .sni = config->tls_server_name,
        .insecure = config->insecure,
    }, ret_tls, err);
}

/* Runs the plug-in, or waits for the thread that runs it already, whose result
 * is ours too, unless that thread was canceled.  0, the code of 'failure', or
 * YL_ECANCELED. */
static int
need_plugin(struct yl_credentials *c, yl_msec now, struct yl_cancel *cancel)
    YL_REQUIRES(c->lock)
{
    while (c->is_running) {
        while (c->is_running && !yl_cancel_is_set(cancel)) {
            yl_cond_wait_until(&c->ended, &c->lock, NULL,
                               cancel ? yl_now(NULL) + CANCEL_LOOK
                                      : YL_NEVER);
        }
        if (yl_cancel_is_set(cancel)) {
            return YL_ECANCELED;
        } else if (!c->is_running && c->failure.code != YL_ECANCELED) {
            return c->failure.code;
        }
    }
    run_plugin(c, now, cancel);
    return c->failure.code;
}

/* Runs the plug-in, with the lock released, and takes what it prints. */
static void
run_plugin(struct yl_credentials *c, yl_msec now, struct yl_cancel *cancel)
    YL_REQUIRES(c->lock)
{
    const struct yl_client_exec *exec = c->config->exec;
    bool is_terminal = isatty(STDIN_FILENO);
    bool interactive = is_terminal
                       && exec->interactive_mode != YL_CLIENT_EXEC_NEVER;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf info, output;
    int r = 0;

    yl_buf_init(&info, SIZE_MAX);
    yl_buf_init(&output, YL_EXEC_MAX_OUTPUT);
    yl_exec_credential_write(c->config, yl_str_c(c->pems[AUTHORITIES]),
                             interactive, &info);
    c->is_running = true;
    yl_mutex_unlock(&c->lock);

    if (exec->interactive_mode == YL_CLIENT_EXEC_ALWAYS && !is_terminal) {
        r = yl_error_set(&err, YL_EUNAUTHORIZED,
                         "exec plugin cannot support interactive mode: "
                         "standard input is not a terminal");
    } else {
        r = yl_exec_run(exec, yl_buf_c_str(&info), interactive,
                        interactive ? 0
                        : exec->timeout ? exec->timeout : EXEC_TIMEOUT,
                        cancel, &output, &err);
    }

    yl_mutex_lock(&c->lock);
    if (r == 0) {
        take_output(c, yl_buf_str(&output), now, &err);
    }
    c->is_running = false;
    if (err.code != YL_ECANCELED) {
        c->not_before = now + EXEC_PAUSE;
    }
    yl_error_clear(&c->failure);
    c->failure = err;
    yl_cond_broadcast(&c->ended);
    yl_buf_release(&info);
    wipe(yl_buf_detach(&output));
}

static int
take_output(struct yl_credentials *c, struct yl_str output, yl_msec now,
            struct yl_error *err) YL_REQUIRES(c->lock)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_exec_credential credential;
    int r = yl_exec_credential_read(arena, output,
                                    c->config->exec->api_version, &credential,
                                    err);

    if (r == 0 && credential.token.size) {
        r = set_authorization(c, "Bearer", credential.token, err);
    } else if (r == 0) {
        wipe(c->authorization);
        c->authorization = NULL;
    }
    if (r == 0) {
        char *pems[N_PEMS] = {
            [AUTHORITIES] = c->pems[AUTHORITIES]
                ? yl_strdup(yl_str_c(c->pems[AUTHORITIES])) : NULL,
            [CERTIFICATE] = credential.certificate.size
                ? yl_strdup(credential.certificate) : NULL,
            [KEY] = credential.key.size ? yl_strdup(credential.key) : NULL,
        };

        r = set_pems(c, pems, err);
    }
    if (r == 0) {
        /* A result is new even if it says the same, so that a 401 for the
         * one before does not count. */
        c->generation++;
        c->expires = yl_time_is_zero(credential.expires)
                     ? YL_NEVER
                     : now + (credential.expires.seconds
                              - yl_time_now().seconds) * 1000;
    }
    yl_arena_free(arena);
    return r;
}

static void
start_thread(struct yl_credentials *c, yl_msec now) YL_REQUIRES(c->lock)
{
    /* The last one has ended, or is about to: it needs the lock no more. */
    if (c->has_thread) {
        yl_thread_join(&c->thread);
    }
    c->thread_now = now;
    c->is_running = true;
    c->has_thread = yl_thread_start(&c->thread, "credentials", thread_main, c)
                    == 0;
    if (!c->has_thread) {
        c->is_running = false;
    }
}

static void
thread_main(void *c_)
{
    struct yl_credentials *c = c_;

    yl_mutex_lock(&c->lock);
    run_plugin(c, c->thread_now, c->stop);
    yl_mutex_unlock(&c->lock);
}

static void
fill_in(const struct yl_credentials *c, struct yl_arena *arena,
        struct yl_credentials_use *use) YL_REQUIRES(c->lock)
{
    *use = (struct yl_credentials_use) {
        .authorization = c->authorization
            ? yl_arena_copy(arena, yl_str_c(c->authorization))
            : yl_str_null(),
        .generation = c->generation,
        .tls_generation = c->tls_generation,
    };
}

/* Frees a secret. */
static void
wipe(char *secret)
{
    if (secret) {
        explicit_bzero(secret, strlen(secret));
        free(secret);
    }
}
