#ifndef YL_TYPED_H
#define YL_TYPED_H 1

/* Typed layer: client, lister and informer in terms of records.
 *
 *     X_client.h (generated, inline) --> [typed] --> client, store, informer
 *
 * Generated headers wrap these functions for each kind (foo_client_get()).
 * Use the ones here when the kind is known only at run time.  A record is what
 * yuloh/record.h says; its metadata.resource_version is the revision that the
 * object came with.
 *
 * Guarantees
 * ==========
 *
 *   - A write sends the record as it is: a metadata.resource_version in it
 *     makes an update fail with YL_ECONFLICT if the object is newer.
 *
 *   - Listers read the cache only and never wait.
 *
 * Ownership
 * =========
 *
 * A record's strings live in the arena that was given.  'ret_record' may be
 * NULL where it says so.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct foo foo;
 *     int r = foo_client_get(client, &key, NULL, arena, &foo, err); */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/client.h"
#include "yuloh/compiler.h"
#include "yuloh/controller.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/key.h"
#include "yuloh/listwatch.h"
#include "yuloh/record.h"
#include "yuloh/selector.h"
#include "yuloh/store.h"

YL_C_BEGIN

struct yl_arena;

/* Client
 * ======
 *
 * Errors are those of yuloh/client.h, and those of yl_record_decode() for an
 * answer that is not of the kind.  'opts' may be NULL.  The key of a write is
 * that of the record's metadata. */

int yl_typed_get(struct yl_client *, const struct yl_kind *,
                 const struct yl_key *key, const struct yl_call_opts *opts,
                 struct yl_arena *arena, void *record, struct yl_error *err);

/* Calls 'each' for every object, in order, with a record that is lent for the
 * call.  'each' returns 0, or an error that ends the list.  An empty
 * 'namespace_' means all. */
typedef int yl_typed_each_fn(void *aux, const void *record);
int yl_typed_list(struct yl_client *, const struct yl_kind *,
                  struct yl_str namespace_, const struct yl_list_options *,
                  const struct yl_call_opts *opts, yl_typed_each_fn *each,
                  void *aux, struct yl_error *err);

/* 'ret_record' may be NULL. */
int yl_typed_create(struct yl_client *, const struct yl_kind *,
                    const void *record, const struct yl_call_opts *opts,
                    struct yl_arena *arena, void *ret_record,
                    struct yl_error *err);
int yl_typed_update(struct yl_client *, const struct yl_kind *,
                    const void *record, const struct yl_call_opts *opts,
                    struct yl_arena *arena, void *ret_record,
                    struct yl_error *err);
int yl_typed_update_status(struct yl_client *, const struct yl_kind *,
                           const void *record,
                           const struct yl_call_opts *opts,
                           struct yl_arena *arena, void *ret_record,
                           struct yl_error *err);
int yl_typed_apply(struct yl_client *, const struct yl_kind *,
                   const void *record, const struct yl_call_opts *opts,
                   struct yl_arena *arena, void *ret_record,
                   struct yl_error *err);
int yl_typed_patch(struct yl_client *, const struct yl_kind *,
                   const struct yl_key *key, enum yl_patch_type,
                   struct yl_str patch, const struct yl_call_opts *opts,
                   struct yl_arena *arena, void *ret_record,
                   struct yl_error *err);

/* 'options' may be NULL. */
int yl_typed_delete(struct yl_client *, const struct yl_kind *,
                    const struct yl_key *key,
                    const struct yl_delete_opts *options,
                    const struct yl_call_opts *opts, struct yl_error *err);
int yl_typed_delete_collection(struct yl_client *, const struct yl_kind *,
                               struct yl_str namespace_,
                               const struct yl_delete_opts *options,
                               const struct yl_list_options *which,
                               const struct yl_call_opts *opts,
                               struct yl_error *err);

/* Calls 'event' for each event until the server ends the watch; see
 * yl_client_watch().  yl_typed_decode() makes a record of the object. */
int yl_typed_watch(struct yl_client *, const struct yl_kind *,
                   struct yl_str namespace_, const struct yl_list_options *,
                   const struct yl_call_opts *opts,
                   yl_client_event_fn *event, void *aux,
                   struct yl_error *err);

/* Of kinds with the scale subresource. */
int yl_typed_get_scale(struct yl_client *, const struct yl_kind *,
                       const struct yl_key *key,
                       const struct yl_call_opts *opts,
                       struct yl_scale *ret_scale, struct yl_error *err);
int yl_typed_update_scale(struct yl_client *, const struct yl_kind *,
                          const struct yl_key *key, int64_t replicas,
                          uint64_t revision, const struct yl_call_opts *opts,
                          struct yl_scale *ret_scale, struct yl_error *err);

/* Lister
 * ====== */

/* 0 and the record; YL_ENOTFOUND, with the API server's message, if the cache
 * has no such object; or an error of yl_record_decode(). */
int yl_typed_lister_get(struct yl_store *, const struct yl_kind *,
                        const struct yl_key *key, struct yl_arena *arena,
                        void *record, struct yl_error *err);

/* Calls 'each' for every object in the cache, in no certain order, with a
 * record that is lent for the call.  An empty 'namespace_' means all, a NULL
 * selector too. */
int yl_typed_lister_list(struct yl_store *, const struct yl_kind *,
                         struct yl_str namespace_,
                         const struct yl_selector *selector,
                         yl_typed_each_fn *each, void *aux,
                         struct yl_error *err);

/* The record of an object from a cache or a handler. */
int yl_typed_decode(const struct yl_kind *, const struct yl_object *,
                    uint64_t revision, struct yl_arena *arena, void *record,
                    struct yl_error *err);

/* Informer
 * ======== */

/* The informer that the factory shares among all who ask for the kind with the
 * same scope, which may be NULL. */
struct yl_informer *yl_typed_informer(struct yl_informer_factory *,
                                      const struct yl_kind *,
                                      const struct yl_informer_scope *scope);

YL_C_END

#endif /* yuloh/typed.h */
