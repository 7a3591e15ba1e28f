/* Tests of scans. */

#include "apiserver/keyspace/keyspace.h"

#include "keyspace_unit.h"

/* The names and labels that a scan gives, as "ns/name=v ..." */
static const char *
scan_text(struct yl_ks_scan *scan, size_t max)
{
    static char text[4096];
    struct yl_versioned items[64];
    size_t size = 0;
    int i, n;

    text[0] = '\0';
    n = yl_ks_scan_next(scan, items, max);
    if (n < 0) {
        return yl_error_name(n);
    }
    for (i = 0; i < n; i++) {
        struct yl_key key = yl_object_key(items[i].object);
        struct yl_str v = yl_object_label(items[i].object, YL_STR("v"), NULL);

        size += (size_t) snprintf(text + size, sizeof text - size,
                                  "%s%.*s/%.*s=%.*s", i ? " " : "",
                                  YL_STR_ARG(key.namespace_),
                                  YL_STR_ARG(key.name), YL_STR_ARG(v));
        yl_object_unref(items[i].object);
    }
    return text;
}

KS_TEST(a_scan_sees_its_revision)
{
    struct fixture f;
    struct yl_ks_scan *now, *then;
    uint64_t x = 0, y = 0, past;

    fixture_init(&f, NULL);
    put(&f, "b", "y", "1", 0, &y);
    put(&f, "a", "x", "1", 0, &x);
    past = yl_keyspace_revision(f.ks);
    put(&f, "a", "x", "2", x, &x);
    put(&f, "a", "z", "1", 0, NULL);
    delete(&f, "b", "y", y, NULL);
    assert_int_equal(yl_ks_scan_open(f.pods, NULL, &now, NULL), 0);
    assert_int_equal(yl_ks_scan_open(f.pods, &(struct yl_ks_scan_opts) {
        .revision = past,
    }, &then, NULL), 0);
    put(&f, "c", "later", "1", 0, NULL);
    assert_int_equal(yl_ks_scan_remaining(now), 2);
    assert_int_equal(yl_ks_scan_remaining(then), 2);
    assert_string_equal(scan_text(now, 1), "a/x=2");
    assert_int_equal(yl_ks_scan_remaining(now), 1);
    assert_string_equal(scan_text(now, 9), "a/z=1");
    assert_string_equal(scan_text(now, 9), "");
    assert_string_equal(scan_text(then, 9), "a/x=1 b/y=1");
    assert_int_equal(yl_ks_scan_remaining(then), 0);
    assert_int_equal(yl_ks_scan_revision(then), past);
    yl_ks_scan_close(now);
    yl_ks_scan_close(then);
    fixture_release(&f);
}

static struct yl_ks_scan *
scan_open(struct yl_ks_resource *resource, struct yl_ks_scan_opts opts)
{
    struct yl_ks_scan *scan;

    assert_int_equal(yl_ks_scan_open(resource, &opts, &scan, NULL), 0);
    return scan;
}

KS_TEST(keys_are_ordered_as_in_etcd)
{
    struct fixture f;
    struct yl_ks_scan *scan;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, NULL);
    put(&f, "a.b", "x", "1", 0, NULL);
    put(&f, "a0", "x", "1", 0, NULL);
    put(&f, "a-b", "x", "1", 0, NULL);
    put(&f, "b", "x", "1", 0, NULL);
    put(&f, "a", "x-y", "1", 0, NULL);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) { .revision = 0 });
    assert_string_equal(scan_text(scan, 9), "a-b/x=1 a.b/x=1 a/x=1 a/x-y=1 "
                        "a0/x=1 b/x=1");
    yl_ks_scan_close(scan);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("a"),
    });
    assert_int_equal(yl_ks_scan_remaining(scan), 2);
    assert_string_equal(scan_text(scan, 1), "a/x=1");
    assert_int_equal(yl_ks_scan_remaining(scan), 1);
    assert_string_equal(scan_text(scan, 9), "a/x-y=1");
    assert_string_equal(scan_text(scan, 9), "");
    assert_int_equal(yl_ks_scan_remaining(scan), 0);
    yl_ks_scan_close(scan);
    fixture_release(&f);
}

KS_TEST(a_scan_starts_behind_a_key)
{
    struct fixture f;
    struct yl_ks_scan *scan;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, NULL);
    put(&f, "b", "x", "1", 0, NULL);
    put(&f, "b", "y", "1", 0, NULL);
    put(&f, NULL, "n", "1", 0, NULL);
    put(&f, NULL, "m", "1", 0, NULL);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .start = YL_STR("a/x\0"),
    });
    assert_int_equal(yl_ks_scan_remaining(scan), 2);
    assert_string_equal(scan_text(scan, 9), "b/x=1 b/y=1");
    yl_ks_scan_close(scan);

    /* One that is not there; one before the namespace, one behind it. */
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .start = YL_STR("b/xx\0"),
    });
    assert_string_equal(scan_text(scan, 9), "b/y=1");
    yl_ks_scan_close(scan);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("b"),
        .start = YL_STR("a/x\0"),
    });
    assert_string_equal(scan_text(scan, 9), "b/x=1 b/y=1");
    yl_ks_scan_close(scan);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("b"),
        .start = YL_STR("c/x\0"),
    });
    assert_int_equal(yl_ks_scan_remaining(scan), 0);
    assert_string_equal(scan_text(scan, 9), "");
    yl_ks_scan_close(scan);
    scan = scan_open(f.nodes, (struct yl_ks_scan_opts) {
        .start = YL_STR("m\0"),
    });
    assert_string_equal(scan_text(scan, 9), "/n=1");
    yl_ks_scan_close(scan);
    fixture_release(&f);
}

/* Where to start is a text, wherever it lies; another key may be behind it,
 * but none behind the range. */
KS_TEST(a_scan_starts_at_any_text)
{
    static const struct {
        const char *namespace_, *name, *start, *items;
    } cases[] = {
        { "", "", "a/x", "a/x=1 a/y=1 b/x=1 b/y=1" },
        { "", "", "a/xx", "a/y=1 b/x=1 b/y=1" },
        { "", "", "b", "b/x=1 b/y=1" },
        { "", "", "a/y/z", "b/x=1 b/y=1" },
        { "", "", "zz", "" },
        { "a", "", "a/y", "a/y=1" },
        { "a", "", "a/y/z", "" },
        { "a", "", "b/x", "" },
        { "a", "", "0", "a/x=1 a/y=1" },
        { "a", "x", "a/y", "" },
        { "a", "x", "a/x", "a/x=1" },
        { "a", "y", "a/x", "a/y=1" },
    };
    struct yl_ks_scan *scan;
    struct fixture f;
    char text[YL_KS_MAX_KEY + 10];
    size_t i;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, NULL);
    put(&f, "a", "y", "1", 0, NULL);
    put(&f, "b", "x", "1", 0, NULL);
    put(&f, "b", "y", "1", 0, NULL);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
            .namespace_ = yl_str_c(cases[i].namespace_),
            .name = yl_str_c(cases[i].name),
            .start = yl_str_c(cases[i].start),
        });
        assert_int_equal(yl_ks_scan_remaining(scan),
                         strlen(cases[i].items) ? (strlen(cases[i].items) + 1)
                                                  / 6 : 0);
        assert_string_equal(scan_text(scan, 9), cases[i].items);
        yl_ks_scan_close(scan);
    }
    memset(text, 'a', sizeof text);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .start = yl_str_n(text, sizeof text),
    });
    assert_string_equal(scan_text(scan, 9), "b/x=1 b/y=1");
    yl_ks_scan_close(scan);
    fixture_release(&f);
}

/* Of a longer key nothing stays when a shorter one comes. */
KS_TEST(what_remains_is_counted_behind_keys_of_any_length)
{
    struct yl_ks_scan *scan;
    struct fixture f;

    fixture_init(&f, NULL);
    put(&f, NULL, "m1zz", "1", 0, NULL);
    put(&f, NULL, "m2", "1", 0, NULL);
    put(&f, NULL, "m2a", "1", 0, NULL);
    put(&f, NULL, "m3", "1", 0, NULL);
    scan = scan_open(f.nodes, (struct yl_ks_scan_opts) { .revision = 0 });
    assert_string_equal(scan_text(scan, 1), "/m1zz=1");
    assert_int_equal(yl_ks_scan_remaining(scan), 3);
    assert_string_equal(scan_text(scan, 1), "/m2=1");
    assert_int_equal(yl_ks_scan_remaining(scan), 2);
    yl_ks_scan_close(scan);
    fixture_release(&f);
}

KS_TEST(a_scan_that_cannot_be_says_why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_ks_scan *scan;
    struct fixture f;
    char name[2000];

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, NULL);
    assert_int_equal(yl_ks_scan_open(f.pods, &(struct yl_ks_scan_opts) {
        .revision = nth(2),
    }, &scan, &err), YL_ETIMEOUT);
    snprintf(name, sizeof name, "Too large resource version: %d, current: %d",
             (int) nth(2), (int) nth(1));
    assert_string_equal(yl_error_message(&err), name);
    yl_error_clear(&err);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(yl_ks_scan_open(f.pods, &(struct yl_ks_scan_opts) {
        .namespace_ = yl_str_c(name),
    }, &scan, NULL), YL_EINVALID);
    fixture_release(&f);
}

KS_TEST(a_scan_holds_history_until_its_deadline)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_ks_scan *held, *late;
    struct fixture f;
    uint64_t x = 0, y = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "y", "1", 0, &y);
    held = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .deadline = yl_now(f.clock) + 10000,
    });
    late = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .deadline = yl_now(f.clock) + 10000,
    });
    put(&f, "a", "x", "2", x, &x);
    delete(&f, "a", "y", y, &y);
    yl_clock_fake_advance(f.clock, 5000);
    put(&f, "a", "z", "1", 0, NULL);
    assert_int_equal(yl_ks_oldest(f.pods), yl_ks_scan_revision(held));
    assert_string_equal(scan_text(held, 1), "a/x=1");
    assert_int_equal(yl_ks_scan_remaining(held), 1);
    assert_string_equal(scan_text(held, 1), "a/y=1");
    yl_ks_scan_close(held);

    /* One that was slower than its deadline loses it. */
    assert_string_equal(scan_text(late, 1), "a/x=1");
    yl_clock_fake_advance(f.clock, 6000);
    put(&f, "a", "z2", "1", 0, NULL);
    assert_string_equal(scan_text(late, 1), "EEXPIRED");
    yl_ks_scan_close(late);
    fixture_release(&f);
}

KS_TEST(a_closed_scan_holds_nothing)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_ks_scan *scan;
    struct fixture f;
    uint64_t x = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) { .revision = 0 });
    put(&f, "a", "x", "2", x, &x);
    yl_ks_scan_close(scan);
    yl_ks_scan_close(NULL);
    yl_clock_fake_advance(f.clock, 5000);
    put(&f, "a", "z", "1", 0, NULL);
    assert_int_equal(yl_ks_oldest(f.pods), x);
    fixture_release(&f);
}

KS_TEST(large_scans_agree_with_what_was_written)
{
    struct fixture f;
    struct yl_ks_scan *now, *then;
    uint64_t revisions[2500], past;
    struct yl_versioned items[700];
    size_t i, n_now = 0, n_then = 0;
    char name[16];
    int n, j;

    fixture_init(&f, NULL);
    for (i = 0; i < 2500; i++) {
        snprintf(name, sizeof name, "x%05zu", i);
        put(&f, i % 2 ? "a" : "b", name, "1", 0, &revisions[i]);
    }
    past = yl_keyspace_revision(f.ks);
    for (i = 0; i < 2500; i++) {
        snprintf(name, sizeof name, "x%05zu", i);
        if (i % 3) {
            delete(&f, i % 2 ? "a" : "b", name, revisions[i], NULL);
        }
        snprintf(name, sizeof name, "y%05zu", i);
        if (i % 5 == 0) {
            put(&f, "a", name, "1", 0, NULL);
        }
    }
    now = scan_open(f.pods, (struct yl_ks_scan_opts) { .revision = 0 });
    then = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("a"), .revision = past,
    });
    while ((n = yl_ks_scan_next(now, items, 700)) > 0) {
        n_now += (size_t) n;
        for (j = 0; j < n; j++) {
            yl_object_unref(items[j].object);
        }
        assert_int_equal(yl_ks_scan_remaining(now), 834 + 500 - n_now);
    }
    while ((n = yl_ks_scan_next(then, items, 700)) > 0) {
        n_then += (size_t) n;
        for (j = 0; j < n; j++) {
            yl_object_unref(items[j].object);
        }
        assert_int_equal(yl_ks_scan_remaining(then), 1250 - n_then);
    }
    assert_int_equal(n_now, 834 + 500);
    assert_int_equal(n_then, 1250);
    yl_ks_scan_close(now);
    yl_ks_scan_close(then);
    fixture_release(&f);
}

KS_TEST(a_name_narrows_a_scan)
{
    struct fixture f;
    struct yl_ks_scan *scan;

    fixture_init(&f, NULL);
    put(&f, "a", "w", "1", 0, NULL);
    put(&f, "a", "web", "1", 0, NULL);
    put(&f, "a", "web-1", "1", 0, NULL);
    put(&f, "a", "wec", "1", 0, NULL);
    put(&f, "b", "web", "1", 0, NULL);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("a"), .name = YL_STR("web"),
    });
    assert_string_equal(scan_text(scan, 9), "a/web=1 a/web-1=1");
    assert_string_equal(scan_text(scan, 9), "");
    yl_ks_scan_close(scan);

    /* Without a namespace, or with a name that no object has, it is the
     * caller who chooses. */
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .name = YL_STR("web"),
    });
    assert_int_equal(yl_ks_scan_remaining(scan), 5);
    yl_ks_scan_close(scan);
    scan = scan_open(f.pods, (struct yl_ks_scan_opts) {
        .namespace_ = YL_STR("a"), .name = YL_STR("\xff"),
    });
    assert_int_equal(yl_ks_scan_remaining(scan), 4);
    yl_ks_scan_close(scan);
    fixture_release(&f);
}
