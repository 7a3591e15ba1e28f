#ifndef TESTS_AUTH_RIG_H
#define TESTS_AUTH_RIG_H 1

/* The server of api_rig.h with users and RBAC: "root" may do everything, "bob"
 * only what a test allows.
 *
 *     auth_open();
 *     assert_int_equal(as("bob", "GET", "/api/v1/nodes", NULL), 403);
 *     auth_close(); */

#include "api_rig.h"

#include "base/file.h"

#define RBAC "/apis/rbac.authorization.k8s.io/v1"

static char auth_tokens[] = "/tmp/yuloh-rig-XXXXXX";

static inline void
auth_open_with(struct yl_apiserver_opts opts)
{
    int fd;

    memcpy(auth_tokens, "/tmp/yuloh-rig-XXXXXX", sizeof auth_tokens);
    fd = mkstemp(auth_tokens);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(yl_file_replace(
                         auth_tokens,
                         YL_STR("root,root,r-1,\"system:masters\"\n"
                                "bob,bob,b-1,dev\n"), 0600, NULL), 0);
    opts.token_file = auth_tokens;
    rig_open_with(opts);
}

static inline void
auth_open(void)
{
    auth_open_with((struct yl_apiserver_opts) { .token_file = NULL });
}

static inline void
auth_close(void)
{
    rig_close();
    unlink(auth_tokens);
}

/* Sends a request with the token of 'user'.  In 'body', ' stands for ". */
static inline int
as(const char *user, const char *method, const char *path, const char *body)
{
    struct yl_arena *arena = yl_arena_new();
    char *json = body ? yl_arena_strdup(arena, yl_str_c(body)) : NULL, *p;
    int status;

    for (p = json; p && *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    rig.headers = yl_arena_printf(arena, "%s%s%s%s",
                                  rig.headers ? rig.headers : "",
                                  user ? "authorization: Bearer " : "",
                                  user ? user : "", user ? "\r\n" : "");
    status = api(method, path, json);
    yl_arena_free(arena);
    return status;
}

/* Allows bob what 'rules' say in the namespace default. */
static inline void
let_bob(const char *rules)
{
    struct yl_arena *arena = yl_arena_new();

    as("root", "DELETE", RBAC "/namespaces/default/roles/bob", NULL);
    assert_int_equal(as("root", "POST", RBAC "/namespaces/default/roles",
                        yl_arena_printf(arena, "{'metadata':{'name':'bob'},"
                                        "'rules':%s}", rules)), 201);
    as("root", "POST", RBAC "/namespaces/default/rolebindings",
       "{'metadata':{'name':'bob'},'roleRef':{'kind':'Role','name':'bob',"
       "'apiGroup':'rbac.authorization.k8s.io'},'subjects':[{'kind':'User',"
       "'name':'bob','apiGroup':'rbac.authorization.k8s.io'}]}");
    yl_arena_free(arena);
}

#endif /* tests/auth_rig.h */
