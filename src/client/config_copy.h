#ifndef CLIENT_CONFIG_COPY_H
#define CLIENT_CONFIG_COPY_H 1

/* A copy of a client's configuration, all texts included. */

struct yl_arena;
struct yl_client_config;

/* The copy is in 'arena'.  'connect_aux' stays the caller's. */
struct yl_client_config *yl_config_copy(struct yl_arena *,
                                        const struct yl_client_config *);

#endif /* client/config_copy.h */
