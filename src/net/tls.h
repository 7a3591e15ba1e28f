#ifndef NET_TLS_H
#define NET_TLS_H 1

/* TLS as a machine, for both ends: bytes in, bytes out, no socket.
 *
 *     socket -> encrypted bytes -> [tls] -> plain bytes -> HTTP
 *     socket <- encrypted bytes <- [tls] <- plain bytes <- HTTP
 *
 * OpenSSL is used behind this header only.
 *
 * Guarantees
 * ==========
 *
 *   - TLS 1.2 or 1.3, without compression or resumption: every connection
 *     sends its certificate again.  A client that tries to renegotiate is
 *     dropped.
 *
 *   - ALPN offers "h2" and "http/1.1"; a client that offers neither gets the
 *     latter.
 *
 *   - Server: a client needs no certificate.  If it sends one, that is checked
 *     against the authorities (chain, dates, use for clients); a bad one does
 *     not end the connection, but gives no identity either: struct yl_tls_peer
 *     says why.
 *
 *   - Client: a server needs a certificate of a trusted authority that is
 *     valid now and names the host; otherwise there is no connection, and no
 *     data is sent.  Only 'insecure' turns that off.
 *
 *   - Records are as large as what is sent at once, up to 16 KB.
 *
 *   - An idle connection holds no buffers.
 *
 * Ownership
 * =========
 *
 * A connection keeps the certificates that it began with; a reload that
 * replaces them does not change it, but yl_tls_recheck() tells whether the
 * client's certificate is still good.  A struct yl_tls_client may be freed
 * before its connections.
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
    const char *certificate;    /* With the chain to its authority. */
    const char *key;
    const char *client_ca;      /* Authorities that sign clients; NULL:
                                 * none. */
};

/* Reads the files: 0, or YL_EINVALID and a message that names the file. */
int yl_tls_server_new(const struct yl_tls_files *,
                      struct yl_tls_server **ret_server, struct yl_error *err);
void yl_tls_server_free(struct yl_tls_server *);

/* Reads the files again, for new connections.  Fails like yl_tls_server_new(),
 * and then changes nothing. */
int yl_tls_server_reload(struct yl_tls_server *, struct yl_error *err);

/* PEM, in a file or in memory. */
struct yl_tls_pem {
    const char *path;
    struct yl_str bytes;        /* Used if there are any. */
};

/* Options of a client.  Borrowed for the call. */
struct yl_tls_client_opts {
    struct yl_tls_pem authorities;      /* [Those of the system.] */
    struct yl_tls_pem certificate, key; /* To be sent to the server; a chain
                                         * may follow the certificate
                                         * [None]. */
    const char *verify_name;    /* Name or address that the server's
                                 * certificate must be for [The host]. */
    const char *sni;            /* The name for server name indication [The
                                 * host]. */
    bool insecure;              /* Accept any certificate. */
    bool http1;                 /* Offer no HTTP/2. */
};

/* What the connections of a client share: 0, or YL_EINVALID and a message that
 * names the file. */
int yl_tls_client_new(const struct yl_tls_client_opts *,
                      struct yl_tls_client **ret_client,
                      struct yl_error *err);
void yl_tls_client_free(struct yl_tls_client *);

/* A connection of a server, or of a client to 'host' (a name, or an address
 * without brackets).  A client's handshake begins with a call of
 * yl_tls_receive() without bytes. */
struct yl_tls *yl_tls_accept(struct yl_tls_server *);
struct yl_tls *yl_tls_connect(const struct yl_tls_client *, const char *host);
void yl_tls_free(struct yl_tls *);

enum yl_tls_result {
    YL_TLS_OK,
    YL_TLS_CLOSED,              /* The other side has closed (close_notify). */
    YL_TLS_FAILED,              /* Send what is in 'out' and close. */
};

/* Takes all of 'wire', appends what it decrypts to 'plain' and what must be
 * sent (the handshake, alerts) to 'out'. */
enum yl_tls_result yl_tls_receive(struct yl_tls *, struct yl_str wire,
                                  struct yl_buf *plain, struct yl_buf *out);

/* Appends all of 'plain' to 'out', encrypted; only after the handshake. */
enum yl_tls_result yl_tls_send(struct yl_tls *, struct yl_str plain,
                               struct yl_buf *out);

/* Sends close_notify: nothing may be sent afterwards. */
void yl_tls_close(struct yl_tls *, struct yl_buf *out);

/* Whether the handshake is complete; the functions below are meaningful only
 * then. */
bool yl_tls_is_open(const struct yl_tls *);
bool yl_tls_is_h2(const struct yl_tls *);

/* Why it failed, a constant string; NULL if it has not. */
const char *yl_tls_failure(const struct yl_tls *);

#define YL_TLS_MAX_ORGANIZATIONS 64

/* The client's certificate. */
struct yl_tls_peer {
    /* Why it is not accepted (constant), or NULL.  Nothing else is set if it
     * is not. */
    const char *refused;

    struct yl_str common_name;  /* Null if there is no certificate. */
    struct yl_str *organizations;   /* YL_TLS_MAX_ORGANIZATIONS at most. */
    size_t n_organizations;
    struct yl_str fingerprint;  /* SHA-256 in hexadecimal. */
    int64_t not_after;          /* Seconds since 1970. */
};

/* The certificate that the client has sent; copies are made in 'arena'. */
struct yl_arena;
void yl_tls_peer(const struct yl_tls *, struct yl_arena *,
                 struct yl_tls_peer *ret_peer);

/* Why a certificate that was accepted is no longer, since the authorities were
 * read again; NULL if it still is.  Costs a comparison if they were not. */
const char *yl_tls_recheck(struct yl_tls *, struct yl_tls_server *);

#endif /* net/tls.h */
