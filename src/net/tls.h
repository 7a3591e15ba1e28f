#ifndef NET_TLS_H
#define NET_TLS_H 1

/* TLS as a machine, for both ends: bytes in, bytes out, no socket.
 *
 *     socket -> encrypted bytes -> [tls] -> plain bytes -> HTTP
 *     socket <- encrypted bytes <- [tls] <- plain bytes <- HTTP
 *
 * OpenSSL is behind this header alone.
 *
 * Guarantees
 * ==========
 *
 *   - TLS 1.2 or 1.3, without compression or resumption: every connection
 *     shows its certificate anew.  Who wants to renegotiate is dropped.
 *
 *   - ALPN speaks of "h2" and "http/1.1"; a client that offers neither gets
 *     the latter.
 *
 *   - Server: a client needs no certificate.  One that it shows is checked
 *     against the authorities (chain, dates, use for clients); a bad one does
 *     not end the connection, but is no identity either: struct yl_tls_peer
 *     tells.
 *
 *   - Client: a server needs a certificate of a trusted authority that is
 *     valid now and names the host; else there is no connection, and nothing
 *     was sent.  'insecure' alone turns that off.
 *
 *   - Records are as large as what is sent at once, up to 16 KB.
 *
 *   - A connection that waits holds no buffers.
 *
 * Ownership
 * =========
 *
 * A connection keeps the certificates that it began with; a reload that
 * replaces them does not touch it, but yl_tls_recheck() tells whether the
 * client's is still good.  A struct yl_tls_client may go before its
 * connections.
 *
 * Threads
 * =======
 *
 * struct yl_tls_server and struct yl_tls_client: any thread.  struct yl_tls:
 * one thread at a time.
 *
 * Usage
 * =====
 *
 *     tls = yl_tls_connect(client, "example.com");
 *     yl_tls_receive(tls, YL_STR(""), &plain, &out);  -- the first flight
 *     ... send 'out', receive 'wire' ...
 *     yl_tls_receive(tls, wire, &plain, &out);
 *     if (yl_tls_is_open(tls)) {
 *         yl_tls_send(tls, YL_STR("GET / ..."), &out);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;
struct yl_tls;
struct yl_tls_client;
struct yl_tls_server;

/* PEM files. */
struct yl_tls_files {
    const char *certificate;    /* And the chain to its authority. */
    const char *key;
    const char *client_ca;      /* Who signs clients; NULL: nobody. */
};

/* Reads the files: 0, or YL_EINVALID and a sentence that names the file. */
int yl_tls_server_new(const struct yl_tls_files *,
                      struct yl_tls_server **ret_server, struct yl_error *err);
void yl_tls_server_free(struct yl_tls_server *);

/* Reads the files again, for connections to come.  Fails like
 * yl_tls_server_new() and leaves all as it was then. */
int yl_tls_server_reload(struct yl_tls_server *, struct yl_error *err);

/* PEM, in a file or in memory. */
struct yl_tls_pem {
    const char *path;
    struct yl_str bytes;        /* Count if there are any. */
};

/* Options of a client.  Lent for the call. */
struct yl_tls_client_opts {
    struct yl_tls_pem authorities;      /* [Those of the system.] */
    struct yl_tls_pem certificate, key; /* To show to the server; a chain may
                                         * follow the certificate [None]. */
    const char *verify_name;    /* Name or address that the server's
                                 * certificate must be for [The host]. */
    const char *sni;            /* The name that the server is told to be
                                 * asked by [The host]. */
    bool insecure;              /* Any certificate will do. */
    bool http1;                 /* Offer no HTTP/2. */
};

/* What the connections of a client share: 0, or YL_EINVALID and a sentence
 * that names the file. */
int yl_tls_client_new(const struct yl_tls_client_opts *,
                      struct yl_tls_client **ret_client,
                      struct yl_error *err);
void yl_tls_client_free(struct yl_tls_client *);

/* A connection, of a server, of a client to 'host' (a name or an address
 * without brackets).  A client's begins when it receives nothing. */
struct yl_tls *yl_tls_accept(struct yl_tls_server *);
struct yl_tls *yl_tls_connect(const struct yl_tls_client *, const char *host);
void yl_tls_free(struct yl_tls *);

enum yl_tls_result {
    YL_TLS_OK,
    YL_TLS_CLOSED,              /* The other side has said goodbye. */
    YL_TLS_FAILED,              /* Send what there is and close. */
};

/* Takes all of 'wire', appends what it decrypts to 'plain' and what has to be
 * answered (the handshake, alerts) to 'out'. */
enum yl_tls_result yl_tls_receive(struct yl_tls *, struct yl_str wire,
                                  struct yl_buf *plain, struct yl_buf *out);

/* Appends all of 'plain' to 'out', encrypted; only after the handshake. */
enum yl_tls_result yl_tls_send(struct yl_tls *, struct yl_str plain,
                               struct yl_buf *out);

/* Says goodbye: nothing is sent afterwards. */
void yl_tls_close(struct yl_tls *, struct yl_buf *out);

/* Whether the handshake is complete; what follows only counts then. */
bool yl_tls_is_open(const struct yl_tls *);
bool yl_tls_is_h2(const struct yl_tls *);

/* Why it failed, in words that are constant; NULL if it has not. */
const char *yl_tls_failure(const struct yl_tls *);

#define YL_TLS_MAX_ORGANIZATIONS 64

/* The client's certificate. */
struct yl_tls_peer {
    /* Why it does not count (constant), or NULL.  Nothing else is set if it
     * does not. */
    const char *refused;

    struct yl_str common_name;  /* Null if there is no certificate. */
    struct yl_str *organizations;   /* YL_TLS_MAX_ORGANIZATIONS at most. */
    size_t n_organizations;
    struct yl_str fingerprint;  /* SHA-256 in hexadecimal. */
    int64_t not_after;          /* Seconds since 1970. */
};

/* What the client has shown; copies are made in 'arena'. */
struct yl_arena;
void yl_tls_peer(const struct yl_tls *, struct yl_arena *,
                 struct yl_tls_peer *ret_peer);

/* Why the certificate that was good does not count any more, since the
 * authorities were read again; NULL if it does.  Costs a comparison if they
 * were not. */
const char *yl_tls_recheck(struct yl_tls *, struct yl_tls_server *);

#endif /* net/tls.h */
