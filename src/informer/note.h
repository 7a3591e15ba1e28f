#ifndef INFORMER_NOTE_H
#define INFORMER_NOTE_H 1

/* Notes: the log of what handlers are to be told, and cursors into it.
 *
 *     cursor of a slow handler      cursor of a quick one     the log's tail
 *               |                             |                     |
 *               v                             v                     v
 *             note ------> note ------> note ------> note ------> note
 *
 * A chain in which each note holds a reference to the next.  A cursor holds
 * one to the last note that it has read, the log to the last that there is.
 * So a note lives until the slowest cursor has moved on, nobody counts
 * readers, and a reader needs no lock to walk.
 *
 * Threads
 * =======
 *
 * One thread at a time appends.  A cursor belongs to one thread; it may walk
 * while another appends. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/ref.h"
#include "yuloh/delta.h"
#include "yuloh/store.h"

struct yl_arena;
struct yl_handler_registration;

enum yl_note_kind {
    YL_NOTE_START,              /* Says nothing: where a log begins. */
    YL_NOTE_CHANGE,             /* One object has changed. */
    YL_NOTE_ALL,                /* These objects are there. */
    YL_NOTE_SYNCED,             /* All of the first list was told. */
};

struct yl_note {
    struct yl_ref ref;
    enum yl_note_kind kind;
    enum yl_delta_type type;    /* Of a CHANGE: ADDED, UPDATED or DELETED.  Of
                                 * ALL: ADDED or SYNC. */
    bool initial, tombstone;
    _Atomic(struct yl_note *) next;
    struct yl_handler_registration *only;   /* For it alone; NULL: for all. */
    struct yl_versioned object, old;    /* References, of a CHANGE. */

    /* Of ALL.  The one handler that it is for frees the arena, which holds the
     * objects, when it has read them. */
    struct yl_store_items items;
    struct yl_arena *arena;
};

struct yl_note *yl_note_new(enum yl_note_kind);

struct yl_note *yl_note_ref(struct yl_note *);
void yl_note_unref(struct yl_note *);

/* Puts 'note' behind '*tail', which becomes it.  Takes the caller's
 * reference. */
void yl_note_append_take(struct yl_note **tail, struct yl_note *note);

/* The note behind '*cursor', to which the cursor moves; NULL if there is
 * none.  Lent until the cursor moves again. */
struct yl_note *yl_note_next(struct yl_note **cursor);

#endif /* informer/note.h */
