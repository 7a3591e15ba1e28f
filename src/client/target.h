#ifndef CLIENT_TARGET_H
#define CLIENT_TARGET_H 1

/* Target: the path and query of a request for a resource.
 *
 *     /apis/apps/v1/namespaces/default/deployments/web/status?dryRun=All
 *
 * Guarantees
 * ==========
 *
 *   - No name can reach another path: one that is empty, "." or "..", or has
 *     a slash or a percent sign, is refused as by client-go; the rest is
 *     escaped.
 *
 *   - Parameters stand in the order of their names if they are added by these
 *     functions, as in the requests of client-go. */

#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/client.h"

/* Longest target that is sent. */
#define YL_TARGET_MAX ((size_t) 64 << 10)

struct yl_target {
    struct yl_buf text;
    bool has_query;
};

/* What a target names.  Zeros are left out. */
struct yl_target_parts {
    struct yl_str prefix;       /* Path of the server's URL: "/k8s". */
    const struct yl_resource *resource;
    struct yl_str namespace_;   /* Of an object, or of a list. */
    struct yl_str name;         /* Null for a collection. */
    const char *subresource;
};

void yl_target_init(struct yl_target *);
void yl_target_release(struct yl_target *);

/* Writes the path: 0 or YL_EINVALID. */
int yl_target_path(struct yl_target *, const struct yl_target_parts *,
                   struct yl_error *err);

/* Adds a parameter. */
void yl_target_add(struct yl_target *, const char *name, struct yl_str value);

/* Adds what the options of a list or watch say. */
void yl_target_add_list(struct yl_target *, const struct yl_list_options *,
                        bool watch);

/* Adds what the options of a write say; 'apply' is for those of an apply
 * alone. */
void yl_target_add_write(struct yl_target *, const struct yl_call_opts *,
                         bool apply);

/* The text, lent until the target changes: 0 or YL_ETOOBIG. */
int yl_target_text(const struct yl_target *, struct yl_str *ret_text,
                   struct yl_error *err);

#endif /* client/target.h */
