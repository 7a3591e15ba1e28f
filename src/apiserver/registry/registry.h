#ifndef APISERVER_REGISTRY_REGISTRY_H
#define APISERVER_REGISTRY_REGISTRY_H 1

/* Registry: the table of the resources that are served.  A kind that is not in
 * it does not exist for clients.
 *
 *     group, version, resource -> [registry] -> resource, version
 *
 * A resource is one set of stored objects, kept in one version (the hub),
 * however many versions and groups they are served in.  Events of the core
 * group and of events.k8s.io are one resource.
 *
 * Guarantees
 * ==========
 *
 *   - A resource that was found stays as it is until its reference is dropped.
 *     Built-in ones never change; custom ones are added, replaced and removed,
 *     while requests that found one go on with the one they found.
 *
 *   - At each moment a group, version and plural leads to one resource at
 *     most: a custom resource that would take another's place is refused.
 *
 *   - The generation rises with every change, and only then.
 *
 * Ownership
 * =========
 *
 * Resources are counted.  What they point to belongs to their maker, until
 * 'release' is called.
 *
 * Threads
 * =======
 *
 * Everything may be called from any thread, except that yl_registry_free()
 * comes last, after all references were dropped.  There is one lock, held for
 * a lookup or a change; nothing outside of the registry is called under it.
 *
 * Usage
 * =====
 *
 *     if (yl_registry_find(registry, gvr, &resource, &version) < 0) {
 *         ... 404 ...
 *     }
 *     ... yl_ks_get(resource->objects, ...) ...
 *     yl_api_resource_unref(resource); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/gvk.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_columns;
struct yl_error;
struct yl_keyspace;
struct yl_ks_resource;
struct yl_registry;
struct yl_scale_paths;
struct yl_strategy;

/* Verbs, as discovery lists them. */
enum yl_verb {
    YL_VERB_CREATE = 1 << 0,
    YL_VERB_DELETE = 1 << 1,
    YL_VERB_DELETECOLLECTION = 1 << 2,
    YL_VERB_GET = 1 << 3,
    YL_VERB_LIST = 1 << 4,
    YL_VERB_PATCH = 1 << 5,
    YL_VERB_UPDATE = 1 << 6,
    YL_VERB_WATCH = 1 << 7,
};

#define YL_VERBS_ALL 0xffu

/* What a subresource does. */
enum yl_subresource {
    YL_SUB_NONE,                /* The object itself. */
    YL_SUB_STATUS,
    YL_SUB_SCALE,
    YL_SUB_FINALIZE,            /* namespaces */
    YL_SUB_BINDING,             /* pods; also the resource "bindings" */
    YL_SUB_EVICTION,            /* pods */
    YL_SUB_EPHEMERAL_CONTAINERS,
    YL_SUB_RESIZE,
    YL_SUB_APPROVAL,            /* certificatesigningrequests */
    YL_SUB_TOKEN,               /* serviceaccounts */
    YL_SUB_CONNECT,             /* pods/exec, log, ...: no kubelet here. */
};

/* A row of discovery below a resource: "deployments/scale". */
struct yl_api_subresource {
    enum yl_subresource what;
    const char *name;           /* "scale". */
    const char *group;          /* The group of its kind, if it is not */
    const char *version;        /* the resource's: "autoscaling", "v1". */
    const char *kind;           /* "Scale"; NULL: the resource's. */
    uint32_t verbs;             /* enum yl_verb. */
    const struct yl_kind *schema;   /* Descriptors of its kind, if it is not
                                     * the resource's and has any. */
    const struct yl_scale_paths *scale; /* Of YL_SUB_SCALE: where its fields
                                         * are; NULL: the usual places. */
};

/* Where an object has the fields that its Scale shows: JSON paths with dots,
 * ".spec.replicas".  The selector is a string, a LabelSelector or a map of
 * labels. */
struct yl_scale_paths {
    const char *spec_replicas;
    const char *status_replicas;
    const char *selector;       /* NULL: there is none. */
};

/* A version in which a resource is served. */
struct yl_api_version {
    struct yl_str group;        /* May differ from the hub's (Events). */
    struct yl_str version;
    const struct yl_kind *kind; /* Descriptors of this version. */
    const char *selectable;     /* Of a custom kind: fields that selectors can
                                 * name, "spec.color,spec.size"; or NULL. */
    bool hub;                   /* Whether it is the stored version. */
    struct yl_str deprecation;  /* Text of the Warning for each request; or
                                 * empty. */
    const struct yl_api_subresource *subresources;
    size_t n_subresources;
    const struct yl_columns *columns;   /* Of Tables, read from an object of
                                         * this version.  NULL: those of the
                                         * resource. */
    const void *aux;            /* Its strategy's. */
};

struct yl_api_resource {
    struct yl_str group;        /* Of the hub. */
    struct yl_str plural;       /* "deployments". */
    struct yl_str singular;
    struct yl_str kind;         /* "Deployment". */
    bool namespaced;
    uint32_t verbs;             /* enum yl_verb. */
    const struct yl_api_version *versions;      /* Those that are served. */
    size_t n_versions;          /* The hub first, if it is among them. */
    size_t n_unserved;          /* Versions behind these that are known but not
                                 * served: fields may be owned in them. */
    const struct yl_api_version *unserved_hub;  /* The hub, if it is not;
                                                 * else NULL. */
    const char *short_names;    /* "deploy,dep"; "" for none. */
    const char *categories;     /* "all". */
    bool custom;                /* From a CustomResourceDefinition. */

    const struct yl_strategy *strategy; /* How its objects behave; not NULL in
                                         * a resource that was found. */
    const struct yl_columns *columns;   /* Of Tables, read from an object of
                                         * the hub's version; not NULL
                                         * either. */
    struct yl_ks_resource *objects;     /* NULL: nothing is stored. */
    uint32_t schema_generation; /* That of the blocks that are in the form of
                                 * this resource (yuloh/object.h).  Others were
                                 * stored under an older schema or in another
                                 * version: see yl_strategy_read(). */

    /* Why objects of this resource have no effect yet: a Warning for the
     * client that creates one, and a line for the log.  NULL for most. */
    const char *no_effect;
};

struct yl_registry *yl_registry_new(void);
void yl_registry_free(struct yl_registry *);

/* Adds all built-in kinds, with the keys they have in etcd.  Call it once. */
void yl_registry_add_builtins(struct yl_registry *, struct yl_keyspace *);

/* Adds a resource, or puts it in the place of the custom one of the same group
 * and plural.  The struct is copied (without a strategy or columns it gets the
 * plain ones); what it points to must stay until 'release' (may be NULL) is
 * called with 'aux', when the last reference is dropped, on the thread that
 * drops it.  YL_EEXISTS if a built-in one, or another custom one, has one of
 * its versions already: then it is released at once. */
int yl_registry_put(struct yl_registry *, const struct yl_api_resource *,
                    void (*release)(void *aux), void *aux);

/* Removes a custom resource.  YL_ENOTFOUND. */
int yl_registry_remove(struct yl_registry *, struct yl_str group,
                       struct yl_str plural);

/* Says that the definition of a custom resource is being deleted: from now on
 * discovery lists only the verbs that read and delete.  The second tells. */
void yl_registry_end(struct yl_registry *, struct yl_str group,
                     struct yl_str plural);
bool yl_api_resource_is_ending(const struct yl_api_resource *);

/* Finds a resource and the version asked for; drop the reference with
 * yl_api_resource_unref().  YL_ENOTFOUND. */
int yl_registry_find(struct yl_registry *, struct yl_gvr,
                     const struct yl_api_resource **ret_resource,
                     const struct yl_api_version **ret_version);
const struct yl_api_resource *
yl_api_resource_ref(const struct yl_api_resource *);
void yl_api_resource_unref(const struct yl_api_resource *);

/* Has it been removed, or replaced by another? */
bool yl_api_resource_is_retired(const struct yl_api_resource *);

/* Returns the resource's 'no_effect' at the first call, NULL from then on. */
const char *yl_api_resource_tell(const struct yl_api_resource *);

/* Is anything served in this group (and version, unless it is empty)? */
bool yl_registry_has_group(struct yl_registry *, struct yl_str group,
                           struct yl_str version);

/* The same for what is built in, whatever the version is. */
bool yl_registry_has_builtin_group(struct yl_registry *, struct yl_str group);

/* The version that is stored. */
const struct yl_api_version *
yl_api_resource_hub(const struct yl_api_resource *);

const struct yl_api_subresource *
yl_api_version_subresource(const struct yl_api_version *, struct yl_str name);

/* All resources at this moment, in discovery's order.  The caller frees the
 * array and drops a reference of each entry. */
const struct yl_api_resource **yl_registry_all(struct yl_registry *,
                                               size_t *ret_n);

/* Rises when a resource is added, replaced or removed: for ETags. */
uint64_t yl_registry_generation(struct yl_registry *);

/* The generation at which something last changed in a group and version; 0 if
 * nothing is served there. */
uint64_t yl_registry_version_generation(struct yl_registry *,
                                        struct yl_str group,
                                        struct yl_str version);

/* Orders groups as /apis lists them: built-in ones by upstream's priorities,
 * then all others by name.  Negative, 0 or positive. */
int yl_api_group_compare(struct yl_str a, struct yl_str b);

/* Built-in resources by their hub's group, for other parts of the server that
 * read them (RBAC, admission).  The pointer is valid as long as the registry,
 * and never NULL for a resource in the table. */
const struct yl_api_resource *yl_registry_builtin(struct yl_registry *,
                                                  const char *group,
                                                  const char *plural);

#endif /* apiserver/registry/registry.h */
