#ifndef CLIENT_KUBECONFIG_READ_H
#define CLIENT_KUBECONFIG_READ_H 1

/* Members of a kubeconfig's objects, as C strings and structs.
 *
 * Every function returns 0, or YL_ETYPE or YL_EINVALID and a sentence that
 * names the member.  A member that is absent, null or empty leaves what the
 * caller has put there. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/json.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_kubeconfig_entry;

struct yl_config_reader {
    struct yl_arena *arena;     /* For what is read. */
    const char *directory;      /* Relative paths begin here; NULL: they stay
                                 * as they are. */
    struct yl_error *err;
};

/* 'value' must be an object; 'name' is what to call it. */
int yl_config_check_object(const struct yl_config_reader *,
                           struct yl_json value, const char *name);

/* Member 'name' of 'object'. */
int yl_config_read_text(const struct yl_config_reader *, struct yl_json object,
                        const char *name, const char **ret);

/* Fills in the struct around an entry, which is zeros otherwise. */
typedef int yl_config_read_fn(const struct yl_config_reader *,
                              struct yl_json value,
                              struct yl_kubeconfig_entry *);
yl_config_read_fn yl_config_read_cluster;
yl_config_read_fn yl_config_read_user;
yl_config_read_fn yl_config_read_context;

#endif /* client/kubeconfig_read.h */
