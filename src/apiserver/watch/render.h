#ifndef APISERVER_WATCH_RENDER_H
#define APISERVER_WATCH_RENDER_H 1

/* Events of a watch as bytes: {"type":"ADDED","object":{...}} and a line end;
 * or in protobuf, behind their size in four bytes, the highest first:
 * { 1: "ADDED", 2: { 1: an envelope } }.
 *
 * What a watcher sees of a change depends on its selection: an object that
 * begins to match is ADDED; one that no longer matches is DELETED, in its old
 * state but with the revision of the change. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/selection.h"
#include "base/buf.h"

/* The place of the columns in a rendered event that is a Table: the first
 * event of a watch carries them, the others say null. */
#define YL_WATCH_NO_COLUMNS ((size_t) -1)

/* The view has no 'wait': a conversion that would have to wait fails. */

/* Appends what the change means for this selection.  Returns 1, or 0 if the
 * selection does not see it, or a negative code.  '*ret_columns' is where the
 * "null" of a Table's columns is, counted from the event's start, or
 * YL_WATCH_NO_COLUMNS. */
int yl_watch_render(const struct yl_view *, const struct yl_selection *,
                    const struct yl_ks_event *, struct yl_buf *out,
                    size_t *ret_columns, struct yl_error *err);

/* Appends an event of 'type' about an object. */
int yl_watch_render_object(const struct yl_view *, const char *type,
                           const struct yl_object *, uint64_t revision,
                           struct yl_buf *out, size_t *ret_columns,
                           struct yl_error *err);

/* Appends a BOOKMARK; the one that ends the initial events is annotated. */
int yl_watch_render_bookmark(const struct yl_view *, uint64_t revision,
                             bool initial_events_end, struct yl_buf *out,
                             size_t *ret_columns, struct yl_error *err);

/* Appends an ERROR that says that 'revision' is too old. */
void yl_watch_render_expired(const struct yl_view *, uint64_t revision,
                             uint64_t oldest, struct yl_buf *out);

#endif /* apiserver/watch/render.h */
