#ifndef APISERVER_INFO_H
#define APISERVER_INFO_H 1

/* Request info: what a path and a method ask for, whether it exists or not.
 *
 *     GET /apis/apps/v1/namespaces/shop/deployments/web/status
 *
 *     verb get, group apps, version v1, namespace shop, resource deployments,
 *     name web, subresource status
 *
 * As upstream's RequestInfo, which authorization and audit are based on. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_http_request;
struct yl_params;

struct yl_request_info {
    bool is_resource;           /* False: only path and verb are set. */
    struct yl_str path;         /* Decoded, in the arena; the slices below
                                 * point into it. */
    struct yl_str verb;         /* "get", "list", "watch", "create", "update",
                                 * "patch", "delete", "deletecollection";
                                 * "get" and so on for other paths. */
    struct yl_str prefix;       /* "api" or "apis". */
    struct yl_str group;
    struct yl_str version;
    struct yl_str namespace_;   /* For a Namespace itself: its name. */
    bool in_namespace;          /* A resource follows the namespace in the
                                 * path. */
    bool forced_watch;          /* The path has "watch" before the resource. */
    struct yl_str resource;
    struct yl_str subresource;
    struct yl_str name;
    struct yl_str parts[8];     /* The segments from the resource on: resource,
                                 * name, subresource, ... */
    size_t n_parts;
    struct yl_str label_selector;   /* As the query has them. */
    struct yl_str field_selector;
};

/* 0, YL_EBADREQUEST for a path that cannot be decoded, or YL_EINVALID for one
 * that ends after "watch". */
int yl_request_info_parse(struct yl_arena *, struct yl_str method,
                          struct yl_str path, const struct yl_params *query,
                          struct yl_request_info *ret_info);

#endif /* apiserver/info.h */
