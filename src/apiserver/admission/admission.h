#ifndef APISERVER_ADMISSION_ADMISSION_H
#define APISERVER_ADMISSION_ADMISSION_H 1

/* Admission: what Kubernetes' default plugins do to objects on their way in.
 *
 *     decoded, defaulted -> [mutate] -> prepare, validate -> [validate]
 *                        -> commit
 *
 * A plugin is one file with up to two functions; a constant table has them in
 * upstream's order.  Plugins read other objects from the keyspace (the
 * namespace, priority classes, storage classes).  The server's options can add
 * more, which run after the table's; webhooks and policies will be added that
 * way.  Those of the table can be turned off, by upstream's names.
 *
 * A plugin may wait (apiserver/wait.h): the write stops until the wait is over
 * and then goes on with the next plugin, or it is abandoned.
 *
 * Guarantees
 * ==========
 *
 *   - Mutation is a function of the object and of what is stored: preparing a
 *     write again (after a conflict) runs it again.
 *
 *   - Validation changes nothing.
 *
 *   - A plugin is called once for each try, in the order of the table.
 *
 * Threads
 * =======
 *
 * Any loop's thread. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/registry/registry.h"
#include "yuloh/status.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_apiserver;
struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_user;
struct yl_wait;

enum yl_operation {
    YL_OPERATION_CREATE,
    YL_OPERATION_UPDATE,
    YL_OPERATION_DELETE,
    YL_OPERATION_CONNECT,
};

/* The write that is to be admitted. */
struct yl_admission {
    struct yl_apiserver *server;
    struct yl_arena *arena;
    struct yl_api_request *request;     /* For Warnings; may be NULL. */
    const struct yl_user *user;
    const struct yl_api_resource *resource;
    enum yl_subresource subresource;
    enum yl_operation operation;
    struct yl_str namespace_;
    struct yl_str name;         /* Empty for a creation that generates it. */
    struct yl_node *object;     /* In the hub version; NULL for DELETE. */
    const struct yl_node *old;  /* NULL for CREATE. */
    bool dry_run;

    struct yl_wait *wait;       /* NULL: plugins cannot wait. */
    size_t next;                /* The plugin that is next, 0 at first. */
    bool patched;               /* A plugin has set something that may need
                                 * defaults. */
};

/* What a plugin does.  Returns 0, a code with the Status to answer, or
 * YL_WAITING.  In the last case the Status stays valid; it must be set before
 * yl_wait_end() is called with a code. */
typedef int yl_mutate_fn(struct yl_admission *, struct yl_status *);
typedef int yl_validate_fn(const struct yl_admission *, struct yl_status *);

#define YL_ADMIT(OPERATION) (1u << YL_OPERATION_##OPERATION)

struct yl_admission_plugin {
    const char *name;           /* As upstream calls it. */
    unsigned operations;        /* YL_ADMIT() of each operation that it
                                 * handles. */
    yl_mutate_fn *mutate;       /* Either may be NULL. */
    yl_validate_fn *validate;
};

/* Chooses plugins by names, as upstream's --enable-admission-plugins and
 * --disable-admission-plugins do: '*ret_off' is what the server's option
 * 'plugins_off' takes.  YL_EINVALID in upstream's words for a name that is
 * unknown, or in both lists.  Names of plugins that are not here yet are
 * known. */
int yl_admission_choose(const char *const *on, size_t n_on,
                        const char *const *off, size_t n_off,
                        uint64_t *ret_off, struct yl_error *err);

/* Is this plugin, whose name is known, really here? */
bool yl_admission_is_here(const char *name);

/* 'plugins_off' for a single plugin, which is here. */
uint64_t yl_admission_mask(const char *name);

/* Run all plugins.  0, a code with the Status to answer, or YL_WAITING: call
 * again when the wait is over, to go on with the next plugin. */
int yl_admit_mutate(struct yl_admission *, struct yl_status *);
int yl_admit_validate(struct yl_admission *, struct yl_status *);

#endif /* apiserver/admission/admission.h */
