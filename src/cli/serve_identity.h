#ifndef CLI_SERVE_IDENTITY_H
#define CLI_SERVE_IDENTITY_H 1

/* The flags of yuloh serve that are about service accounts, admission and
 * controllers, as kube-apiserver and kube-controller-manager have them. */

#include <stdbool.h>

#include "controller/flags.h"
#include "yuloh/clock.h"

struct yl_apiserver_opts;

struct yl_serve_identity {
    struct yl_flag_list issuers, key_files, audiences;
    struct yl_flag_list plugins_on, plugins_off;
    struct yl_flag_list controllers;
    const char *root_ca_file;   /* NULL: our own. */
    yl_msec max_expiration;     /* 0: any. */
    bool extend_expiration;
    bool lookup;
};

/* Checks the flags and sets the options, which then point to them.  Returns
 * YL_EXIT_OK, or YL_EXIT_USAGE after it has said what is wrong. */
int yl_serve_identity_apply(const struct yl_serve_identity *,
                            struct yl_apiserver_opts *);

#endif /* cli/serve_identity.h */
