#ifndef APISERVER_AUTH_PKI_H
#define APISERVER_AUTH_PKI_H 1

/* PKI: the certificates of a server that nobody has to set up.
 *
 *     ca.crt      ca.key       signs everything below; ten years
 *     server.crt  server.key   the server's own; a year
 *     admin.crt   admin.key    kubernetes-admin in system:masters; a year
 *
 * in one directory.  What is missing is made at start; what expires soon, or
 * is not good yet because the clock was wrong, is made again; the authority
 * keeps its key then, so that what it has signed stays good.
 *
 * Guarantees
 * ==========
 *
 *   - Keys (ECDSA, P-256) are readable by their owner alone, from the first
 *     byte on.  Files are replaced whole and flushed.
 *
 *   - A crash at any moment leaves files with which the next start works.
 *
 *   - The authority's own files are never thrown away: if they do not fit
 *     together, that is an error for people to look at, and one that is not
 *     ours, nor named like ours, stays as it is.
 *
 * Threads
 * =======
 *
 * One at a time for each directory. */

#include <stddef.h>
#include <stdint.h>

struct yl_error;

#define YL_PKI_CA "ca"
#define YL_PKI_SERVER "server"
#define YL_PKI_ADMIN "admin"

struct yl_pki_opts {
    const char *directory;      /* Made if it is missing. */

    /* What else the server is called: names or addresses, besides those of
     * yl_pki_names(). */
    const char *const *names;
    size_t n_names;
    const char *service_cidr;   /* Its first address too; NULL: none. */
    int64_t now;                /* Seconds since 1970; 0: the system's. */
};

/* Makes what is missing or expires within thirty days; a server's certificate
 * also if it lacks one of the names.  Returns 1 if the server's certificate
 * is a new one, 0, or YL_EIO, YL_EINVALID. */
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
