#ifndef CLIENT_EXEC_CREDENTIAL_H
#define CLIENT_EXEC_CREDENTIAL_H 1

/* ExecCredential: what a plug-in for credentials is told and what it prints.
 *
 *     config -> KUBERNETES_EXEC_INFO -> [plug-in] -> standard output -> token
 *
 * Both are objects of client.authentication.k8s.io, v1 or v1beta1, which are
 * the same in JSON.  Texts in and out; nothing is run here. */

#include <stdbool.h>

#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_buf;
struct yl_client_config;
struct yl_error;

/* Most that a plug-in may print. */
#define YL_EXEC_MAX_OUTPUT ((size_t) 1 << 20)

/* What came out.  Slices of the arena or of the output. */
struct yl_exec_credential {
    struct yl_str token;        /* Empty: none. */
    struct yl_str certificate;  /* PEM; empty: none, as is the key. */
    struct yl_str key;
    struct yl_time expires;     /* Zero: never. */
};

/* Appends the text of KUBERNETES_EXEC_INFO for the plug-in of 'config', with
 * 'authorities' (PEM) if the plug-in wants to know its cluster. */
void yl_exec_credential_write(const struct yl_client_config *config,
                              struct yl_str authorities, bool interactive,
                              struct yl_buf *out);

/* Reads what the plug-in of 'api_version' printed: 0, or YL_EUNAUTHORIZED and
 * a sentence in client-go's words. */
int yl_exec_credential_read(struct yl_arena *, struct yl_str output,
                            const char *api_version,
                            struct yl_exec_credential *ret,
                            struct yl_error *err);

#endif /* client/exec_credential.h */
