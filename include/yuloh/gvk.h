#ifndef YL_GVK_H
#define YL_GVK_H 1

/* Group, version, kind, resource: which sort of thing an object is.
 *
 *     apiVersion: apps/v1     group "apps", version "v1"
 *     kind: Deployment        kind "Deployment"
 *     .../deployments/web     resource "deployments"
 *
 * The core group's name is empty: its apiVersion is "v1".
 *
 * Ownership
 * =========
 *
 * These are slices by value; they live as long as the bytes they point to.
 * Parsing copies nothing.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_gvk gvk;
 *     int r = yl_gvk_parse(YL_STR("apps/v1"), YL_STR("Deployment"), &gvk,
 *                          err); */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

struct yl_gv {
    struct yl_str group;        /* Empty for the core group. */
    struct yl_str version;
};

struct yl_gvk {
    struct yl_str group;
    struct yl_str version;
    struct yl_str kind;
};

struct yl_gvr {
    struct yl_str group;
    struct yl_str version;
    struct yl_str resource;     /* Plural and lower case. */
};

/* Reads "group/version" or "version".  As upstream, an empty text and "/" are
 * the empty group-version, and the parts are not validated.  YL_EINVALID for
 * more than one slash. */
int yl_gv_parse(struct yl_str api_version, struct yl_gv *ret_gv,
                struct yl_error *err);
int yl_gvk_parse(struct yl_str api_version, struct yl_str kind,
                 struct yl_gvk *ret_gvk, struct yl_error *err);

/* "group/version", or "version" alone in the core group, from 'arena'. */
struct yl_str yl_gv_api_version(struct yl_gv, struct yl_arena *arena);

static inline struct yl_gv
yl_gvk_gv(struct yl_gvk gvk)
{
    struct yl_gv gv;

    gv.group = gvk.group;
    gv.version = gvk.version;
    return gv;
}

static inline struct yl_gv
yl_gvr_gv(struct yl_gvr gvr)
{
    struct yl_gv gv;

    gv.group = gvr.group;
    gv.version = gvr.version;
    return gv;
}

/* How upstream names them in messages: "apps/v1, Kind=Deployment" and
 * "apps/v1, Resource=deployments" in full, "Deployment.apps" and
 * "deployments.apps" without the version.  From 'arena'. */
struct yl_str yl_gvk_text(struct yl_gvk, struct yl_arena *arena);
struct yl_str yl_gvr_text(struct yl_gvr, struct yl_arena *arena);
struct yl_str yl_gvk_short_text(struct yl_gvk, struct yl_arena *arena);
struct yl_str yl_gvr_short_text(struct yl_gvr, struct yl_arena *arena);

/* Orders by bytes: group, version, then kind or resource. */
int yl_gvk_compare(struct yl_gvk, struct yl_gvk);
int yl_gvr_compare(struct yl_gvr, struct yl_gvr);

static inline bool
yl_gvk_equal(struct yl_gvk a, struct yl_gvk b)
{
    return yl_str_equal(a.kind, b.kind) && yl_str_equal(a.version, b.version)
           && yl_str_equal(a.group, b.group);
}

static inline bool
yl_gvr_equal(struct yl_gvr a, struct yl_gvr b)
{
    return yl_str_equal(a.resource, b.resource)
           && yl_str_equal(a.version, b.version)
           && yl_str_equal(a.group, b.group);
}

/* For tables; differs from one run of the process to the next. */
size_t yl_gvk_hash(struct yl_gvk);
size_t yl_gvr_hash(struct yl_gvr);

/* Orders versions by how much they promise: positive if 'a' comes before 'b'
 * in discovery.  v2 before v1 before v1beta2 before v1beta1 before v1alpha1
 * before all that look otherwise, which stand in the order of their bytes. */
int yl_version_compare(struct yl_str a, struct yl_str b);

YL_C_END

#endif /* yuloh/gvk.h */
