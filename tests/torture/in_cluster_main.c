/* A client inside of a cluster, under load.
 *
 *     torture-in_cluster NAME
 *
 * Knows nothing but what a Pod has: the directory of its service account and
 * its environment.  It keeps changing the ConfigMap NAME in its own namespace,
 * and writes a line whenever something changes that a test waits for:
 *
 *     calls 200                       some more calls have succeeded
 *     credential JTI=...              it acts with another token
 *
 * It goes on while the server cannot be reached, and when it is refused once,
 * because its token may have been replaced in that moment.  It ends with
 * status 0 when its standard input ends, and with 1, and a sentence, when it
 * is refused again and again. */

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define LINE_EVERY 50           /* Calls. */
#define MAX_REFUSED 5           /* In a row. */
#define PAUSE 20000             /* Microseconds, while nobody is there. */

static const struct yl_resource maps = {
    { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("configmaps") },
    YL_STR_INIT("ConfigMap"), true,
};

static int connect_client(struct yl_client **, char *namespace_, size_t size);
static int apply(struct yl_client *, const char *namespace_, const char *name,
                 unsigned n, struct yl_error *);
static int tell_credential(struct yl_client *, char *last, size_t size,
                           struct yl_error *);
static bool input_has_ended(void);

int
main(int argc, char *argv[])
{
    const char *name = argc > 1 ? argv[1] : "load";
    struct yl_error err = YL_ERROR_INIT;
    char namespace_[256], last[256] = "";
    unsigned n = 0, n_refused = 0;
    struct yl_client *client;

    if (connect_client(&client, namespace_, sizeof namespace_) < 0) {
        return 1;
    }
    while (!input_has_ended()) {
        int r = apply(client, namespace_, name, n, &err);

        if (r == 0 && n % LINE_EVERY == 0) {
            printf("calls %u\n", n);
            fflush(stdout);
            r = tell_credential(client, last, sizeof last, &err);
        }
        if (r == 0) {
            n++;
            n_refused = 0;
        } else if (r == YL_EUNAVAILABLE || r == YL_ETIMEOUT) {
            usleep(PAUSE);
        } else if (++n_refused == MAX_REFUSED) {
            fprintf(stderr, "after %u calls: %s\n", n, yl_error_message(&err));
            break;
        }
        yl_error_clear(&err);
    }
    yl_error_clear(&err);
    yl_client_unref(client);
    printf("calls %u\n", n);
    return n_refused < MAX_REFUSED ? 0 : 1;
}

static int
connect_client(struct yl_client **client, char *namespace_, size_t size)
{
    struct yl_client_config *config;
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_client_config_load(NULL, &config, &err);

    if (r == 0) {
        snprintf(namespace_, size, "%s", config->namespace_);
        r = yl_client_new(config, NULL, client, &err);
        yl_client_config_free(config);
    }
    if (r < 0) {
        fprintf(stderr, "%s\n", yl_error_message(&err));
        yl_error_clear(&err);
    }
    return r;
}

static int
apply(struct yl_client *client, const char *namespace_, const char *name,
      unsigned n, struct yl_error *err)
{
    const struct yl_call_opts opts = { .field_manager = "load",
                                       .force = true };
    struct yl_key key = yl_key_make(yl_str_c(namespace_), yl_str_c(name));
    struct yl_buf json;
    int r;

    yl_buf_init(&json, 4096);
    yl_buf_printf(&json, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                  "\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\"},"
                  "\"data\":{\"n\":\"%u\"}}", name, namespace_, n);
    r = yl_client_apply(client, &maps, &key, yl_buf_str(&json), &opts, NULL,
                        err);
    yl_buf_release(&json);
    return r;
}

/* Asks the server who we are. */
static int
tell_credential(struct yl_client *client, char *last, size_t size,
                struct yl_error *err)
{
    const struct yl_client_request request = {
        .method = "POST",
        .path = YL_STR_INIT("/apis/authentication.k8s.io/v1/"
                            "selfsubjectreviews"),
        .body = YL_STR_INIT("{\"apiVersion\":\"authentication.k8s.io/v1\","
                            "\"kind\":\"SelfSubjectReview\"}"),
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_answer answer;
    struct yl_json extra;
    struct yl_str id = YL_STR("none");
    int r = yl_client_request(client, &request, NULL, arena, &answer, err);

    if (r == 0) {
        r = yl_client_answer_error(&answer, err);
    }
    if (r == 0) {
        extra = yl_json_path(yl_json(answer.body), "status", "userInfo",
                             "extra", (char *) NULL);
        (void) yl_json_string(
            yl_json_at(yl_json_get(extra, YL_STR(
                "authentication.kubernetes.io/credential-id")), 0), arena,
            &id);
        if (!yl_str_equal_c(id, last)) {
            snprintf(last, size, "%.*s", YL_STR_ARG(id));
            printf("credential %s\n", last);
            fflush(stdout);
        }
    }
    yl_arena_free(arena);
    return r;
}

static bool
input_has_ended(void)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    char byte;

    return poll(&in, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) <= 0;
}
