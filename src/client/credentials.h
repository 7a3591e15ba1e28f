#ifndef CLIENT_CREDENTIALS_H
#define CLIENT_CREDENTIALS_H 1

/* Credentials: who we are at the API server, now.
 *
 *     config -> [credentials] -> Authorization header, TLS client
 *                    ^ files, plug-in
 *
 * What a configuration says is constant; what it names is not.  Tokens and
 * certificates in files are replaced while a client runs (the kubelet does so
 * with those of a Pod), and what a plug-in prints expires.
 *
 * Guarantees
 * ==========
 *
 *   - Files are read again when they were read more than 50 seconds ago, which
 *     is in time for the kubelet's tokens, and after a 401.  While one cannot
 *     be read, or what it has is broken, the last good content counts.
 *
 *   - A plug-in runs when it is needed: at first, when what it gave has
 *     expired, and after a 401.  It runs once, however many threads wait for
 *     it; if the one that runs it is canceled, another one runs it again.
 *
 *   - A 401 for credentials that have been replaced since then changes
 *     nothing.
 *
 * Ownership
 * =========
 *
 * Copies all it needs of the configuration.
 *
 * Threads
 * =======
 *
 * Any, except that yl_credentials_free() must come last.  yl_credentials_now()
 * may wait for a plug-in; yl_credentials_try() never waits, and is meant for
 * loops.
 *
 * Usage
 * =====
 *
 *     r = yl_credentials_now(credentials, now, cancel, arena, &use, err);
 *     ... if use.tls_generation is new: yl_credentials_make_tls() ...
 *     ... send the request with use.authorization ...
 *     if (status == 401) {
 *         yl_credentials_refused(credentials, use.generation);
 *     } */

#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_cancel;
struct yl_client_config;
struct yl_credentials;
struct yl_error;
struct yl_tls_client;

struct yl_credentials_use {
    struct yl_str authorization;    /* Value of the header, in the arena; null
                                     * if none is to be sent. */
    uint64_t generation;        /* Changes with whatever changes. */
    uint64_t tls_generation;    /* Changes with certificates and
                                 * authorities. */
};

/* Reads the files.  0, or YL_EINVALID and a sentence that names the file which
 * cannot be read or does not have what it should.  A plug-in does not run
 * yet. */
int yl_credentials_new(const struct yl_client_config *, yl_msec now,
                       struct yl_credentials **ret_credentials,
                       struct yl_error *err);
void yl_credentials_free(struct yl_credentials *);

/* What to use at 'now', by the clock that was used for yl_credentials_new().
 * 0, or YL_EUNAUTHORIZED, YL_ETIMEOUT or YL_ECANCELED if a plug-in had to run
 * and failed. */
int yl_credentials_now(struct yl_credentials *, yl_msec now,
                       struct yl_cancel *cancel, struct yl_arena *arena,
                       struct yl_credentials_use *ret_use,
                       struct yl_error *err);

/* The same without waiting: if a plug-in has to run, a thread begins to run
 * it, and the result is YL_EUNAVAILABLE, or its last error.  It also begins to
 * run when what it gave expires within a minute. */
int yl_credentials_try(struct yl_credentials *, yl_msec now,
                       struct yl_arena *arena,
                       struct yl_credentials_use *ret_use,
                       struct yl_error *err);

/* The server has answered 401 to what was 'generation'. */
void yl_credentials_refused(struct yl_credentials *, uint64_t generation);

/* What new connections need: the authorities to trust, and our certificate if
 * we have one.  The caller frees it.  '*ret_generation' is the tls_generation
 * that it is of. */
int yl_credentials_make_tls(struct yl_credentials *,
                            struct yl_tls_client **ret_tls,
                            uint64_t *ret_generation, struct yl_error *err);

#endif /* client/credentials.h */
