/* Notes.  See informer/note.h for the contract. */

#include "informer/note.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/arena.h"

struct yl_note *
yl_note_new(enum yl_note_kind kind)
{
    struct yl_note *note = yl_zalloc(sizeof *note);

    yl_ref_init(&note->ref);
    note->kind = kind;
    return note;
}

struct yl_note *
yl_note_ref(struct yl_note *note)
{
    yl_ref_get(&note->ref);
    return note;
}

void
yl_note_unref(struct yl_note *note)
{
    /* A loop, as the chain may be long. */
    while (note && yl_ref_put(&note->ref)) {
        struct yl_note *next = atomic_load(&note->next);

        yl_object_unref(note->object.object);
        yl_object_unref(note->old.object);
        yl_arena_free(note->arena);
        free(note);
        note = next;
    }
}

void
yl_note_append_take(struct yl_note **tail, struct yl_note *note)
{
    struct yl_note *last = *tail;

    /* One reference is the tail's, the other that of the note before. */
    *tail = yl_note_ref(note);
    atomic_store(&last->next, note);
    yl_note_unref(last);
}

struct yl_note *
yl_note_next(struct yl_note **cursor)
{
    struct yl_note *at = *cursor;
    struct yl_note *next = atomic_load(&at->next);

    if (next) {
        *cursor = yl_note_ref(next);
        yl_note_unref(at);
    }
    return next;
}
