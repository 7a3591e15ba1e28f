/* Tests of scans. */

#include "apiserver/keyspace/keyspace.h"

#include "apiserver/keyspace/testing.h"
#include "unit.h"

/* The names and labels that a scan gives, as "ns/name=v ..." */
static const char *
scan_text(struct yl_ks_scan *scan, size_t max)
{
    static char text[4096];
    struct yl_ks_item items[64];
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

TEST(a_scan_sees_its_revision)
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
