/* Tests of cursors. */

#include "apiserver/keyspace/keyspace.h"

#include "apiserver/keyspace/testing.h"
#include "unit.h"

#define MINUTE (60 * 1000)

static void
drop_events(struct yl_ks_event *events, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
}

TEST(a_cursor_sees_what_happens_behind_its_revision)
{
    struct fixture f;
    struct yl_ks_cursor *cursor;
    struct yl_ks_event events[8];
    uint64_t r1 = 0, r2 = 0, r3 = 0;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "0", 0, &r1);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, r1, &cursor, NULL), 0);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 0);
    assert_int_equal(yl_ks_cursor_revision(cursor), r1);
    put(&f, "a", "x", "1", r1, &r2);
    put(&f, "b", "y", "1", 0, NULL);
    delete(&f, "a", "x", r2, &r3);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 3);
    assert_int_equal(events[0].type, YL_KS_MODIFIED);
    assert_true(yl_object_label_is(events[0].previous, YL_STR("v"),
                                   YL_STR("0")));
    assert_true(yl_object_label_is(events[0].object, YL_STR("v"),
                                   YL_STR("1")));
    assert_int_equal(events[1].type, YL_KS_ADDED);
    assert_null(events[1].previous);
    assert_int_equal(events[2].type, YL_KS_DELETED);
    assert_int_equal(events[2].revision, r3);
    assert_true(yl_object_label_is(events[2].object, YL_STR("v"),
                                   YL_STR("1")));
    drop_events(events, 3);
    assert_int_equal(yl_ks_cursor_revision(cursor), r3);
    put(&f, NULL, "n", "1", 0, &r3);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 0);
    assert_int_equal(yl_ks_cursor_revision(cursor), r3);
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

TEST(a_quiet_scope_never_expires)
{
    struct fixture f;
    struct yl_ks_cursor *all, *ns, *key;
    struct yl_ks_event events[8];
    struct yl_ks_scope in_a = { .namespace_ = YL_STR("a") };
    struct yl_ks_scope of_x = { YL_STR("a"), YL_STR("x") };
    uint64_t x = 0, b = 0;
    int i;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "0", 0, &x);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, x, &all, NULL), 0);
    assert_int_equal(yl_ks_cursor_open(f.pods, &in_a, x, &ns, NULL), 0);
    assert_int_equal(yl_ks_cursor_open(f.pods, &of_x, x, &key, NULL), 0);
    for (i = 0; i < 10; i++) {
        put(&f, "b", "y", "0", b, &b);
        yl_clock_fake_advance(f.clock, MINUTE);
    }
    assert_int_equal(yl_ks_cursor_next(all, events, 8), YL_EEXPIRED);
    assert_int_equal(yl_ks_cursor_next(ns, events, 8), 0);
    assert_int_equal(yl_ks_cursor_next(key, events, 8), 0);
    put(&f, "a", "x", "1", x, &x);
    assert_int_equal(yl_ks_cursor_next(ns, events, 8), 1);
    assert_int_equal(events[0].revision, x);
    drop_events(events, 1);
    assert_int_equal(yl_ks_cursor_next(key, events, 8), 1);
    assert_int_equal(events[0].revision, x);
    drop_events(events, 1);
    for (i = 0; i < 10; i++) {
        put(&f, "a", "x", "2", x, &x);
        yl_clock_fake_advance(f.clock, MINUTE);
    }
    assert_int_equal(yl_ks_cursor_next(ns, events, 8), YL_EEXPIRED);
    assert_int_equal(yl_ks_cursor_next(key, events, 8), YL_EEXPIRED);
    yl_ks_cursor_close(all);
    yl_ks_cursor_close(ns);
    yl_ks_cursor_close(key);
    fixture_release(&f);
}
