#ifndef APISERVER_AUTH_KUBECONFIG_H
#define APISERVER_AUTH_KUBECONFIG_H 1

/* kubeconfig: one file with everything that kubectl needs to connect to a
 * server and to authenticate, with the certificates inside. */

#include "base/buf.h"

struct yl_error;

struct yl_kubeconfig {
    const char *server;         /* "https://127.0.0.1:6443" */
    const char *user;
    const char *authority;      /* PEM. */
    const char *certificate;    /* PEM; NULL: a token instead. */
    const char *key;            /* PEM. */
    const char *token;
};

/* Appends the file's text. */
void yl_kubeconfig_render(const struct yl_kubeconfig *, struct yl_buf *);

/* Writes the administrator's file, from the PKI in 'pki_directory', to 'path',
 * readable by its owner alone; does nothing if it is there already with the
 * same text.  The errors of yl_pki_load() and yl_file_replace(). */
int yl_kubeconfig_write_admin(const char *pki_directory, const char *server,
                              const char *path, struct yl_error *err);

#endif /* apiserver/auth/kubeconfig.h */
