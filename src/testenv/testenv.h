#ifndef TESTENV_TESTENV_H
#define TESTENV_TESTENV_H 1

/* What the parts of a test environment share.  See yuloh/testenv.h for the
 * contract. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/auth/user.h"
#include "apiserver/request.h"
#include "base/thread.h"
#include "testenv/testenv_faults.h"
#include "yuloh/testenv.h"

struct yl_apiserver;
struct yl_http_server;
struct yl_storage;

/* Whom a connection acts as: its identity (net/server.h). */
struct yl_testenv_identity {
    struct yl_user user;        /* First: the server reads this. */
    struct yl_testenv *env;
    bool exempt;                /* Its requests meet no faults. */
};

struct yl_testenv {
    struct yl_clock *clock;     /* NULL: the monotonic one. */
    struct yl_storage *storage;
    bool listen;
    uint16_t port;              /* Bound at the first start; 0: none. */
    char url[64];
    struct yl_testenv_identity admin;   /* Of clients. */
    struct yl_testenv_identity self;    /* Of our own requests. */
    yl_step_fn *steps[32];      /* The server's, and that for faults. */
    struct yl_faults faults;

    /* Set before the loop of 'http' runs, and constant while it does. */
    struct yl_apiserver *server;

    struct yl_mutex lock;       /* May be held while the server's are taken. */
    struct yl_http_server *http YL_GUARDED; /* NULL: dead. */
    uint64_t revision YL_GUARDED; /* At the last death. */
};

/* The same as yl_testenv_connect(), as somebody else. */
int yl_testenv_dial(struct yl_testenv *, const struct yl_testenv_identity *,
                    int *ret_fd, struct yl_error *err);

/* Installs a kind: applies the definition that its descriptor tells.  In the
 * schema unknown fields are kept, and nothing is validated. */
int yl_testenv_install(struct yl_testenv *, const struct yl_kind *,
                       struct yl_error *err);

#endif /* testenv/testenv.h */
