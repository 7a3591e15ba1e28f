#ifndef TESTS_INSIDE_RIG_H
#define TESTS_INSIDE_RIG_H 1

/* A server with its controllers inside, and a client that may do everything.
 *
 *     inside_open("*");
 *     inside_create(&core_v1_namespace__kind, "{...}");
 *     inside_await(&core_v1_service_account_kind, "n", "default", found);
 *     inside_close();
 *
 * Everything has its threads, so tests wait for what must come; how long that
 * takes does not matter. */

#include <unistd.h>

#include "apiserver/auth/user.h"
#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "controllers/inside.h"
#include "net/server.h"
#include "storage/memory.h"
#include "storage/storage.h"
#include "unit.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

static struct inside_rig {
    struct yl_storage *storage;
    struct yl_apiserver *server;
    struct yl_http_server *http;
    struct yl_inside *inside;
    struct yl_client *client;
    struct yl_arena *arena;
    struct yl_error err;
} rig;

static inline int
inside_connect(void *aux YL_UNUSED, struct yl_cancel *cancel YL_UNUSED,
               int *ret_fd, struct yl_error *err)
{
    static const struct yl_str groups[] = { YL_STR_INIT("system:masters") };
    static const struct yl_user user = {
        .name = YL_STR_INIT("root"), .groups = groups, .n_groups = 1,
    };

    return yl_http_server_connect(rig.http, false, &user, ret_fd, err);
}

/* Starts the controllers that a word of --controllers chooses. */
static inline void
inside_start(const char *word, const char *root_ca)
{
    const struct yl_inside_opts opts = {
        .server = rig.server, .http = rig.http, .names = &word, .n_names = 1,
        .root_ca = yl_str_c(root_ca),
    };

    if (yl_inside_start(&opts, &rig.inside, &rig.err) < 0) {
        fail_msg("%s", yl_error_message(&rig.err));
    }
}

static inline void
inside_open_idle(void)
{
    struct yl_apiserver_opts opts = { .own = yl_own_keep };
    struct yl_http_server_opts http = {
        .handler = &yl_apiserver_handler, .n_loops = 1,
    };
    const struct yl_client_config config = {
        .server = "http://localhost", .connect = inside_connect,
        .connect_is_quick = true,
    };

    memset(&rig, 0, sizeof rig);
    rig.arena = yl_arena_new();
    rig.storage = yl_memory_new(NULL);
    opts.storage = rig.storage;
    assert_int_equal(yl_apiserver_new(&opts, &rig.server, NULL), 0);
    http.aux = rig.server;
    assert_int_equal(yl_http_server_new(&http, &rig.http, NULL), 0);
    assert_int_equal(yl_client_new(&config, NULL, &rig.client, NULL), 0);
}

static inline void
inside_open(const char *word)
{
    inside_open_idle();
    inside_start(word, "PEM");
}

static inline void
inside_close(void)
{
    yl_inside_stop(rig.inside);
    yl_client_unref(rig.client);
    yl_apiserver_drain(rig.server);
    yl_http_server_drain(rig.http, 10000);
    yl_apiserver_stop(rig.server);
    yl_http_server_free(rig.http);
    yl_apiserver_free(rig.server);
    yl_storage_close(rig.storage);
    yl_error_clear(&rig.err);
    yl_arena_free(rig.arena);
}

/* In 'json', ' stands for ". */
static inline struct yl_str
inside_json(const char *json)
{
    char *text = yl_arena_strdup(rig.arena, yl_str_c(json)), *p;

    for (p = text; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    return yl_str_c(text);
}

/* Creates an object in a namespace. */
static inline void
inside_create(const struct yl_kind *kind, const char *namespace_,
              const char *json)
{
    struct yl_resource resource = yl_resource_of(kind);

    if (yl_client_create(rig.client, &resource, yl_str_c(namespace_),
                         inside_json(json), NULL, NULL, &rig.err) < 0) {
        fail_msg("%s", yl_error_message(&rig.err));
    }
}

static inline void
inside_create_namespace(const char *name)
{
    inside_create(&core_v1_namespace__kind, "",
                  yl_arena_printf(rig.arena, "{'apiVersion':'v1',"
                                  "'kind':'Namespace','metadata':"
                                  "{'name':'%s'}}", name));
}

static inline void
inside_delete(const struct yl_kind *kind, const char *namespace_,
              const char *name)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_key key = yl_key_make(yl_str_c(namespace_), yl_str_c(name));

    assert_int_equal(yl_client_delete(rig.client, &resource, &key, NULL, NULL,
                                      NULL, NULL), 0);
}

/* The JSON of an object; "" if there is none. */
static inline const char *
inside_get(const struct yl_kind *kind, const char *namespace_,
           const char *name)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_key key = yl_key_make(yl_str_c(namespace_), yl_str_c(name));
    struct yl_versioned found;
    const char *text;

    if (yl_client_get(rig.client, &resource, &key, NULL, &found, NULL) < 0) {
        return "";
    }
    text = yl_arena_strdup(rig.arena, yl_object_json(found.object, rig.arena,
                                                     NULL));
    yl_object_unref(found.object);
    return text;
}

/* Waits until an object has 'part' in its JSON ("": until it is there), and
 * returns that.  With a part of NULL, until there is none. */
static inline const char *
inside_await(const struct yl_kind *kind, const char *namespace_,
             const char *name, const char *part)
{
    for (;;) {
        const char *json = inside_get(kind, namespace_, name);

        if (part ? *json && strstr(json, part) : !*json) {
            return json;
        }
        usleep(500);
    }
}

/* Waits until the controllers have nothing to do. */
static inline void
inside_settle(void)
{
    while (!yl_inside_is_idle(rig.inside)) {
        usleep(500);
    }
}

#endif /* tests/inside_rig.h */
