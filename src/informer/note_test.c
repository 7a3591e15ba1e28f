/* The log of notes and its cursors. */

#include "informer/note.h"

#include "base/thread.h"
#include "unit.h"

static struct yl_object *
make_object(void)
{
    struct yl_object *object = NULL;

    assert_int_equal(
        yl_object_ingest(YL_STR("{\"metadata\":{\"name\":\"a\"}}"), NULL,
                         &object, NULL), 0);
    return object;
}

static void
append(struct yl_note **tail, struct yl_object *object, uint64_t revision)
{
    struct yl_note *note = yl_note_new(YL_NOTE_CHANGE);

    note->object.object = yl_object_ref(object);
    note->object.revision = revision;
    yl_note_append_take(tail, note);
}

TEST(each_cursor_reads_every_note_in_order)
{
    struct yl_note *tail = yl_note_new(YL_NOTE_START);
    struct yl_note *a = yl_note_ref(tail), *b = yl_note_ref(tail);
    struct yl_object *object = make_object();

    assert_null(yl_note_next(&a));
    append(&tail, object, 1);
    append(&tail, object, 2);
    assert_int_equal(yl_note_next(&a)->object.revision, 1);
    assert_int_equal(yl_note_next(&a)->object.revision, 2);
    assert_null(yl_note_next(&a));
    append(&tail, object, 3);
    assert_int_equal(yl_note_next(&a)->object.revision, 3);
    assert_int_equal(yl_note_next(&b)->object.revision, 1);
    yl_note_unref(a);
    yl_note_unref(b);
    yl_note_unref(tail);
    yl_object_unref(object);
}

TEST(a_note_lives_until_the_slowest_cursor_has_read_it)
{
    struct yl_note *tail = yl_note_new(YL_NOTE_START);
    struct yl_note *slow = yl_note_ref(tail);
    struct yl_object *object = make_object();
    struct yl_ref *ref = (struct yl_ref *) (void *) object;
    int i;

    for (i = 0; i < 100; i++) {
        append(&tail, object, 1);
    }
    assert_int_equal(yl_ref_count(ref), 101);
    for (i = 0; i < 60; i++) {
        assert_non_null(yl_note_next(&slow));
    }

    /* The cursor and the tail each hold the note they are at. */
    assert_int_equal(yl_ref_count(ref), 42);
    yl_note_unref(slow);
    assert_int_equal(yl_ref_count(ref), 2);
    append(&tail, object, 1);
    assert_int_equal(yl_ref_count(ref), 2);
    yl_note_unref(tail);
    assert_int_equal(yl_ref_count(ref), 1);
    yl_object_unref(object);
}

#define MANY 20000

struct reader {
    struct yl_thread thread;
    struct yl_note *cursor;
};

static void
read_all(void *reader_)
{
    struct reader *reader = reader_;
    uint64_t last = 0;

    while (last < MANY) {
        struct yl_note *note = yl_note_next(&reader->cursor);

        if (note) {
            assert_int_equal(note->object.revision, last + 1);
            last++;
        }
    }
}

TEST(cursors_walk_while_notes_are_appended)
{
    struct yl_note *tail = yl_note_new(YL_NOTE_START);
    struct yl_object *object = make_object();
    struct reader readers[3];
    uint64_t i;

    for (i = 0; i < 3; i++) {
        readers[i].cursor = yl_note_ref(tail);
        assert_int_equal(yl_thread_start(&readers[i].thread, "reader",
                                         read_all, &readers[i]), 0);
    }
    for (i = 1; i <= MANY; i++) {
        append(&tail, object, i);
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&readers[i].thread);
        yl_note_unref(readers[i].cursor);
    }
    yl_note_unref(tail);
    yl_object_unref(object);
}
