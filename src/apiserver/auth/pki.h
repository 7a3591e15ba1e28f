#ifndef APISERVER_AUTH_PKI_H
#define APISERVER_AUTH_PKI_H 1

/* PKI: makes and renews the server's certificates without any set-up.
 *
 *     ca.crt      ca.key       signs everything below; ten years
 *     server.crt  server.key   the server's own; a year
 *     admin.crt   admin.key    kubernetes-admin in system:masters; a year
 *
 * in one directory.  Missing files are made at start.  A certificate that
 * expires soon, or that is not valid yet because the clock was wrong, is made
 * again; the authority keeps its key then, so that what it has signed stays
 * valid.
 *
 * Guarantees
 * ==========
 *
 *   - Keys (ECDSA, P-256) are readable by their owner alone, from the first
 *     byte on.  Files are replaced whole and flushed.
 *
 *   - A crash at any moment leaves files with which the next start works.
 *
 *   - The authority's own files are never thrown away.  If certificate and key
 *     do not belong together, that is an error which a person must resolve.
 *     An authority that does not have the name we give ours is never changed.
 *
 * Threads
 * =======
 *
 * Only one thread at a time may use a directory. */

#include <stddef.h>
#include <stdint.h>

struct yl_error;

#define YL_PKI_CA "ca"
#define YL_PKI_SERVER "server"
#define YL_PKI_ADMIN "admin"

struct yl_pki_opts {
    const char *directory;      /* Made if it is missing. */

    /* More names or addresses of the server, besides those of
     * yl_pki_names(). */
    const char *const *names;
    size_t n_names;
    const char *service_cidr;   /* Its first address too; NULL: none. */
    int64_t now;                /* Seconds since 1970; 0: the system's. */
};

/* Makes certificates that are missing or expire within thirty days, and the
 * server's also if it lacks one of the names.  Returns 1 if the server's
 * certificate is a new one, 0 if not, or YL_EIO or YL_EINVALID. */
int yl_pki_prepare(const struct yl_pki_opts *, struct yl_error *err);

/* A certificate and its key, as PEM texts. */
struct yl_pki_pair {
    char *certificate;
    char *key;
};

void yl_pki_pair_release(struct yl_pki_pair *);

/* Signs a certificate for a client: 'user' is its name, 'groups' its groups,
 * good for 'seconds' from 'now' (0: the system's) on, though never longer
 * than the authority.  YL_EINVALID for a name that is empty or too long. */
int yl_pki_issue(const char *directory, const char *user,
                 const char *const *groups, size_t n_groups, int64_t seconds,
                 int64_t now, struct yl_pki_pair *ret_pair,
                 struct yl_error *err);

/* Reads "NAME.crt" and "NAME.key"; the key is NULL if 'name' is the
 * authority. */
int yl_pki_load(const char *directory, const char *name,
                struct yl_pki_pair *ret_pair, struct yl_error *err);

/* The path of a file in the directory, to be freed: yl_pki_path(D, "ca",
 * ".crt"). */
char *yl_pki_path(const char *directory, const char *name,
                  const char *suffix);

#endif /* apiserver/auth/pki.h */
