#ifndef YL_RECORD_H
#define YL_RECORD_H 1

/* Records: an object as a C struct, for as long as one needs it.
 *
 *     block --> [decode] --> record --> reconcile --> record --> [encode]
 *
 * A record is decoded on demand into the caller's arena and lives as long as
 * that arena.  Generated headers wrap these functions for each kind
 * (apps_v1_deployment_decode()).  Use the ones here when the kind or type is
 * known only at run time.
 *
 * Guarantees
 * ==========
 *
 *   - One arena and one walk over the bytes: no malloc for a field, and a
 *     record does not point into the text it came from.
 *
 *   - Faithful.  Encoding what was decoded gives an equal document, with empty
 *     values written or left out as the type says.
 *
 *   - Safe on any bytes.  Text that is not JSON, or not the type, is an error
 *     that names the field.
 *
 * A string with a NUL in it does not decode: C would cut it short.
 *
 * apiVersion and kind of an object inside another (a StatefulSet's claims, a
 * List's items) are passed over: its type says what it is, and records have no
 * place for them.
 *
 * Ownership
 * =========
 *
 * The record itself is the caller's; all that it points to lives in the arena
 * it was decoded or copied into, and nothing of it is freed alone.
 *
 * Threads
 * =======
 *
 * No state is shared: every function may run in any thread.
 *
 * Usage
 * =====
 *
 *     struct apps_v1_deployment d;
 *     int r = yl_record_decode(&apps_v1_deployment_kind, yl_json(text), arena,
 *                              NULL, &d, err);
 *     if (r == 0) {
 *         d.spec.replicas = &three;
 *         text = yl_record_encode(&apps_v1_deployment_kind, &d, arena);
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/json.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_error;

/* Options for decoding.  Zero means the default. */
struct yl_decode_opts {
    bool refuse_unknown;        /* Is a member that the type does not have an
                                 * error? [it is passed over] */

    /* If set, called for each member that the type does not have, with its
     * path ("spec.foo"), which is lent for the call.  It is passed over
     * then. */
    void (*on_unknown)(void *aux, struct yl_str path, struct yl_json value);
    void *aux;
};

/* Decodes 'json' into '*record', which has the size that the type says; what
 * it points to is in 'arena'.  'opts' may be NULL.
 *
 * 0, or YL_ESYNTAX if it is no JSON; YL_ETYPE if a value is of another type;
 * YL_ERANGE if a number does not fit; YL_EINVALID for a time, quantity,
 * duration or base64 that is none, or a string with a NUL; YL_EBADREQUEST for
 * an unknown member that is refused, or another apiVersion or kind than the
 * kind's; YL_ETOODEEP.  '*record' is undefined then. */
int yl_record_decode(const struct yl_kind *, struct yl_json json,
                     struct yl_arena *arena, const struct yl_decode_opts *opts,
                     void *record, struct yl_error *err);

/* The JSON of a record in 'arena', with its apiVersion and kind. */
struct yl_str yl_record_encode(const struct yl_kind *, const void *record,
                               struct yl_arena *arena);

/* A deep copy: '*copy' is a record that shares nothing with 'record'. */
void yl_record_copy(const struct yl_kind *, const void *record,
                    struct yl_arena *arena, void *copy);

/* Whether two records are equal in meaning: absent and empty lists, maps and
 * strings are equal, quantities are compared by value, maps in any order. */
bool yl_record_equal(const struct yl_kind *, const void *, const void *);

/* The same for any type, which has neither apiVersion nor kind. */
int yl_type_decode(struct yl_type_ref, struct yl_json json,
                   struct yl_arena *arena, const struct yl_decode_opts *opts,
                   void *record, struct yl_error *err);
struct yl_str yl_type_encode(struct yl_type_ref, const void *record,
                             struct yl_arena *arena);
void yl_type_copy(struct yl_type_ref, const void *record,
                  struct yl_arena *arena, void *copy);
bool yl_type_equal(struct yl_type_ref, const void *, const void *);

YL_C_END

#endif /* yuloh/record.h */
