#ifndef TESTS_ENV_RIG_H
#define TESTS_ENV_RIG_H 1

/* The API server in the test's process, and a client of it.
 *
 *     env_open("agent");
 *     ... calls of env.client ...
 *     env_close(); */

#include "unit.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/testenv.h"

static struct {
    struct yl_testenv *server;
    struct yl_client *client;
} env;

static inline void
env_open(const char *user_agent)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_client_config config;

    if (yl_testenv_new(NULL, &env.server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    config = yl_testenv_client_config(env.server);
    config.user_agent = user_agent;
    if (yl_client_new(&config, NULL, &env.client, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static inline void
env_close(void)
{
    yl_client_unref(env.client);
    yl_testenv_free(env.server);
}

#endif /* tests/env_rig.h */
