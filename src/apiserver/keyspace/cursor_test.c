/* Tests of cursors. */

#include "apiserver/keyspace/keyspace.h"

#include "keyspace_unit.h"

#define MINUTE (60 * 1000)

static struct yl_ks_cursor *
cursor_open(struct yl_ks_resource *resource, const char *namespace_,
            const char *name, uint64_t revision)
{
    struct yl_ks_scope scope = { yl_str_c(namespace_), yl_str_c(name) };
    struct yl_ks_cursor *cursor;

    assert_int_equal(yl_ks_cursor_open(resource, &scope, revision, &cursor,
                                       NULL), 0);
    return cursor;
}

static void
drop_events(struct yl_ks_event *events, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
}

KS_TEST(a_cursor_sees_what_happens_behind_its_revision)
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

KS_TEST(a_quiet_scope_never_expires)
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

/* What a cursor sees, as "ns/name@revision ..." */
static const char *
cursor_text(struct yl_ks_cursor *cursor)
{
    static char text[4096];
    struct yl_ks_event events[3];
    size_t size = 0;
    int i, n;

    text[0] = '\0';
    while ((n = yl_ks_cursor_next(cursor, events, 3)) > 0) {
        for (i = 0; i < n; i++) {
            struct yl_key key = yl_object_key(events[i].object);

            size += (size_t) snprintf(text + size, sizeof text - size,
                                      "%s%.*s/%.*s@%d", size ? " " : "",
                                      YL_STR_ARG(key.namespace_),
                                      YL_STR_ARG(key.name),
                                      (int) ordinal(events[i].revision) + 1);
        }
        drop_events(events, n);
    }
    return n < 0 ? yl_error_name(n) : text;
}

KS_TEST(a_cursor_sees_its_scope)
{
    struct fixture f;
    struct yl_ks_cursor *all, *ns, *key, *name, *none;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, NULL);
    put(&f, "a-b", "x", "1", 0, NULL);
    put(&f, "a", "y", "1", 0, NULL);
    put(&f, "a", "x", "2", nth(1), NULL);
    all = cursor_open(f.pods, NULL, NULL, 1);
    ns = cursor_open(f.pods, "a", NULL, nth(1));
    key = cursor_open(f.pods, "a", "x", 1);
    name = cursor_open(f.pods, NULL, "x", 1);
    none = cursor_open(f.pods, "c", NULL, 1);
    put(&f, "a", "x", "3", nth(4), NULL);
    delete(&f, "a-b", "x", nth(2), NULL);
    assert_string_equal(cursor_text(all),
                        "a/x@2 a-b/x@3 a/y@4 a/x@5 a/x@6 a-b/x@7");
    assert_string_equal(cursor_text(ns), "a/y@4 a/x@5 a/x@6");
    assert_string_equal(cursor_text(key), "a/x@2 a/x@5 a/x@6");
    assert_string_equal(cursor_text(name),
                        "a/x@2 a-b/x@3 a/x@5 a/x@6 a-b/x@7");
    assert_string_equal(cursor_text(none), "");
    assert_int_equal(yl_ks_cursor_revision(none), nth(6));
    assert_int_equal(yl_ks_cursor_revision(ns), nth(6));
    put(&f, "c", "x", "1", 0, NULL);
    assert_string_equal(cursor_text(none), "c/x@8");
    yl_ks_cursor_close(all);
    yl_ks_cursor_close(ns);
    yl_ks_cursor_close(key);
    yl_ks_cursor_close(name);
    yl_ks_cursor_close(none);
    yl_ks_cursor_close(NULL);
    fixture_release(&f);
}

KS_TEST(in_no_namespace_a_name_is_a_key)
{
    struct fixture f;
    struct yl_ks_cursor *key, *odd;

    fixture_init(&f, NULL);
    put(&f, NULL, "n", "1", 0, NULL);
    key = cursor_open(f.nodes, NULL, "n", 1);
    odd = cursor_open(f.nodes, "ignored", NULL, 1);
    put(&f, NULL, "m", "1", 0, NULL);
    put(&f, NULL, "n", "2", nth(1), NULL);
    assert_string_equal(cursor_text(key), "/n@2 /n@4");
    assert_string_equal(cursor_text(odd), "/n@2 /m@3 /n@4");
    yl_ks_cursor_close(key);
    yl_ks_cursor_close(odd);
    fixture_release(&f);
}

KS_TEST(a_cursor_in_the_future_waits_for_it)
{
    struct fixture f;
    struct yl_ks_cursor *cursor;

    fixture_init(&f, NULL);
    cursor = cursor_open(f.pods, NULL, NULL, nth(2));
    put(&f, "a", "x", "1", 0, NULL);
    put(&f, "a", "y", "1", 0, NULL);
    assert_string_equal(cursor_text(cursor), "");
    assert_int_equal(yl_ks_cursor_revision(cursor), nth(2));
    put(&f, "a", "z", "1", 0, NULL);
    assert_string_equal(cursor_text(cursor), "a/z@4");
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

KS_TEST(a_cursor_starts_where_the_log_reaches_back_to)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_ks_cursor *cursor;
    struct fixture f;
    uint64_t last = 0;
    char text[64];

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &last);
    put(&f, "a", "x", "2", last, &last);
    yl_clock_fake_advance(f.clock, 5000);
    put(&f, NULL, "n", "1", 0, NULL);
    put(&f, "a", "y", "1", 0, NULL);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, last - 1, &cursor, &err),
                     YL_EEXPIRED);
    snprintf(text, sizeof text, "too old resource version: %d (%d)",
             (int) last - 1, (int) last);
    assert_string_equal(yl_error_message(&err), text);
    yl_error_clear(&err);
    cursor = cursor_open(f.pods, NULL, NULL, last);
    assert_string_equal(cursor_text(cursor), "a/y@5");
    yl_ks_cursor_close(cursor);

    /* Of nodes nothing has gone since then. */
    cursor = cursor_open(f.nodes, NULL, NULL, 1);
    assert_string_equal(cursor_text(cursor), "/n@4");
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

KS_TEST(names_have_a_largest_length)
{
    struct yl_ks_scope scope = { YL_STR("a"), YL_STR("x") };
    struct yl_ks_cursor *cursor;
    struct fixture f;
    char name[2000];

    fixture_init(&f, NULL);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    scope.name = yl_str_c(name);
    assert_int_equal(yl_ks_cursor_open(f.pods, &scope, 1, &cursor, NULL),
                     YL_EINVALID);
    fixture_release(&f);
}
