#ifndef BENCH_SERVER_LOAD_CONN_H
#define BENCH_SERVER_LOAD_CONN_H 1

/* A client's connection: TLS, and the part of HTTP/1.1 that the answers need.
 * It trusts its server, which bench/server has started: any error ends the
 * process with a message. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load_conn;

struct load_target {
    int port;                   /* Of 127.0.0.1. */
    const char *token;
    bool stamped;               /* Record when bytes arrive. */
    void *tls;                  /* SSL_CTX, by load_target_prepare(). */
    void *bio_method;           /* The same. */
};

enum load_state {
    LOAD_HEAD,
    LOAD_BODY,
    LOAD_CHUNK_SIZE,
    LOAD_CHUNK,
    LOAD_CHUNK_END,
};

struct load_conn {
    const struct load_target *target;
    int fd;
    void *ssl;
    uint64_t arrived;           /* When the kernel received the bytes read
                                 * last, in ns of CLOCK_REALTIME; if
                                 * 'stamped'. */

    /* Called from load_conn_read(); either may be NULL. */
    void (*on_answer)(void *aux, struct load_conn *, int status);
    void (*on_data)(void *aux, struct load_conn *, const char *data,
                    size_t size);

    /* Of the answer that is coming. */
    enum load_state state;
    int status;
    bool has_head;
    size_t left;                /* Of the body or the chunk. */
    bool chunked;
    char line[4096];            /* Of the head or of a chunk's size. */
    size_t line_size;

    /* Of load_conn_get(). */
    bool complete;
    size_t n_bytes;
    uint64_t revision;          /* Of load_conn_get_revision(). */
};

void load_target_prepare(struct load_target *);

/* Connects, shakes hands, and does not block from then on. */
void load_conn_open(struct load_conn *, const struct load_target *);

/* 'body' is JSON, which a PATCH applies.  It may be NULL. */
void load_conn_send(struct load_conn *, const char *method, const char *path,
                    const char *body, size_t body_size);

/* Reads what has arrived. */
void load_conn_read(struct load_conn *, void *aux);

/* Blocks until the head of an answer is there. */
void load_conn_wait_head(struct load_conn *, void *aux);

/* Sends a GET, waits for all of the answer, returns the size of its body. */
size_t load_conn_get(struct load_conn *, const char *path);

/* The highest resourceVersion in the answer to a GET of 'path'. */
uint64_t load_conn_get_revision(struct load_conn *, const char *path);

#endif /* bench/server_load_conn.h */
