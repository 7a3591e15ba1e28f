/* Tests of resources: which one a row belongs to, and what it says.  How rows
 * of others are published is in publish_test.c. */

#include "apiserver/keyspace/resources.h"

#include "apiserver/keyspace/resource.h"
#include "keyspace_unit.h"
#include "storage/storage.h"

struct set {
    struct yl_ks_history history;
    _Atomic uint64_t published;
    struct yl_ks_resources resources;
};

static void
set_init(struct set *set)
{
    atomic_init(&set->published, 100);
    yl_ks_history_init(&set->history, 1000, 1000);
    yl_ks_resources_init(&set->resources, &set->history, &set->published,
                         NULL, false);
}

static void
set_release(struct set *set)
{
    yl_ks_resources_release(&set->resources);
    yl_ks_history_release(&set->history);
}

static struct yl_ks_resource *
set_add(struct set *set, const char *prefix, bool namespaced)
{
    struct yl_type_meta type = type_of("Thing");
    struct yl_ks_resource *resource;

    assert_int_equal(yl_ks_resources_add(&set->resources, yl_str_c(prefix),
                                         namespaced, &type, 1, NULL,
                                         &resource, NULL), 0);
    return resource;
}

static struct yl_storage_row
row_of(const char *key, const char *value)
{
    return (struct yl_storage_row) {
        .revision = 7,
        .key = yl_str_c(key),
        .value = yl_str_c(value),
        .delete_ = !value,
    };
}

TEST(a_row_belongs_to_the_longest_prefix)
{
    struct yl_storage_row row = row_of("/registry/things/x/y", NULL);
    struct yl_ks_resource *things, *x;
    struct set set;

    set_init(&set);
    assert_null(yl_ks_resources_find(&set.resources, &row));
    things = set_add(&set, "/registry/things/", true);
    assert_ptr_equal(yl_ks_resources_find(&set.resources, &row), things);
    x = set_add(&set, "/registry/things/x/", false);
    assert_ptr_equal(yl_ks_resources_find(&set.resources, &row), x);
    row = row_of("/registry/things", NULL);
    assert_null(yl_ks_resources_find(&set.resources, &row));
    set_release(&set);
}

TEST(a_row_is_an_object_or_says_why_not)
{
    static const struct {
        const char *key, *value;
        int code;
        const char *message;
    } cases[] = {
        { "/registry/things/a/x",
          "{\"metadata\":{\"name\":\"x\",\"namespace\":\"a\"}}", 0, "" },
        { "/registry/things/a/x", NULL, 0, "" },
        { "/registry/things/x", NULL, YL_ENOTFOUND,
          "row 7: no object of this resource can be stored as "
          "/registry/things/x" },
        { "/registry/things/a/x", "{\"metadata\":{\"name\":\"x\"}}",
          YL_ESTOREREAD,
          "row 7: another object is stored as /registry/things/a/x" },
        { "/registry/things/a/x", "{\"metadata\":", YL_ETRUNCATED,
          "row 7, /registry/things/a/x: unexpected end of JSON input" },
    };
    struct yl_ks_resource *things;
    struct set set;
    size_t i;

    set_init(&set);
    things = set_add(&set, "/registry/things/", true);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_storage_row row = row_of(cases[i].key, cases[i].value);
        struct yl_error err = YL_ERROR_INIT;
        struct yl_object *object = NULL;
        int r = yl_ks_resources_read(things, &row, &object, &err);

        assert_int_equal(r, cases[i].code);
        if (r == 0) {
            assert_int_equal(object != NULL, cases[i].value != NULL);
        } else {
            assert_string_equal(yl_error_message(&err), cases[i].message);
        }
        yl_error_clear(&err);
        yl_object_unref(object);
    }
    set_release(&set);
}

TEST(trimming_takes_resources_and_what_is_aside)
{
    struct yl_storage *storage = yl_memory_new(NULL);
    uint64_t revision, compacted;
    struct set set;
    size_t bytes = 0;

    scribble(storage, "/registry/things/x",
             "{\"metadata\":{\"name\":\"x\"}}");
    scribble(storage, "/registry/things/x", NULL);
    scribble(storage, "/registry/others/x", "{}");
    scribble(storage, "/registry/others/x", "{}");
    set_init(&set);
    set_add(&set, "/registry/things/", false);
    assert_int_equal(yl_ks_resources_load(&set.resources, storage, &revision,
                                          &compacted, &bytes, NULL), 0);
    assert_int_equal(revision, 5);
    assert_true(bytes > 0);

    /* Two events and a row, step by step. */
    assert_false(yl_ks_resources_trim(&set.resources, 5, 1));
    assert_false(yl_ks_resources_trim(&set.resources, 5, 1));
    assert_true(yl_ks_resources_trim(&set.resources, 5, 1));
    set_release(&set);
    yl_storage_close(storage);
}
