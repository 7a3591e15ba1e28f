#ifndef CODEGEN_EMIT_CLIENT_H
#define CODEGEN_EMIT_CLIENT_H 1

/* Typed wrappers of a unit's kinds: X_client.h of X_types.h.
 *
 *     foo_client_get(), ...   the client (yuloh/typed.h)
 *     foo_lister_get(), ...   the cache
 *     foo_informer()          the informer
 *     foo_of(), ...           inside of a reconcile (yuloh/controller.h)
 *
 * Guarantees
 * ==========
 *
 *   - Only kinds with +genclient are in it, with the verbs that
 *     +genclient:onlyVerbs leaves; without "list" and "watch" there is no
 *     lister and no informer.
 *
 *   - A status is updated only if there is one, and no +genclient:noStatus.
 *
 *   - Kinds without a namespace have no argument for one. */

#include <stdbool.h>

#include "base/buf.h"

struct yl_gen_unit;

/* Is there a kind with a client? */
bool yl_gen_has_client(const struct yl_gen_unit *);

/* Appends the header. */
void yl_gen_emit_client(const struct yl_gen_unit *, struct yl_buf *);

#endif /* codegen/emit_client.h */
