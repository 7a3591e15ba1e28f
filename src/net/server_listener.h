#ifndef NET_SERVER_LISTENER_H
#define NET_SERVER_LISTENER_H 1

/* Listener: an address on which connections are accepted.
 *
 * When the process has no descriptors left it pauses, 100 ms at a time,
 * instead of trying again and again.
 *
 * Threads
 * =======
 *
 * A listener belongs to its loop. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "net/loop.h"

struct yl_error;

struct yl_listener {
    struct yl_loop_fd fd;       /* -1: closed. */
    struct yl_loop_timer resume;    /* Fires after a pause. */
    struct yl_loop *loop;
    uint16_t port;              /* The port that was bound. */
    void *aux;

    /* A new, non-blocking connection, which the callee owns. */
    void (*accepted)(struct yl_listener *, int fd,
                     const struct sockaddr_storage *);
};

void yl_listener_init(struct yl_listener *,
                      void (*accepted)(struct yl_listener *, int fd,
                                       const struct sockaddr_storage *),
                      void *aux);

/* Listens on "HOST:PORT", "[HOST]:PORT", or ":PORT" for every address of both
 * families.  0, YL_EINVALID (also if 'loopback' and the address is another) or
 * YL_EUNAVAILABLE. */
int yl_listener_open(struct yl_listener *, struct yl_loop *,
                     const char *address, bool loopback,
                     struct yl_error *err);

/* Closing one that is not open is fine. */
void yl_listener_close(struct yl_listener *);

#endif /* net/server_listener.h */
