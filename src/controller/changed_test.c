/* Tests of change masks. */

#include "controller/changed.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/object.h"

#define SPEC(META) "{\"metadata\":{\"name\":\"a\"," META "}}"

static struct yl_object *
object(const char *json)
{
    struct yl_object *made;

    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &made, NULL), 0);
    return made;
}

static bool
matters(const struct yl_watch *watch, const char *before, const char *after)
{
    struct yl_object *old = object(before), *new_ = object(after);
    struct yl_arena *arena = yl_arena_new();
    bool result = yl_watch_update_matters(watch, old, new_, arena, NULL);

    yl_arena_free(arena);
    yl_object_unref(old);
    yl_object_unref(new_);
    return result;
}

static bool
changed(unsigned mask, const char *before, const char *after)
{
    return matters(&(struct yl_watch) { .changed = mask }, before, after);
}

TEST(without_a_mask_every_update_matters)
{
    assert_true(changed(0, SPEC("\"generation\":1"),
                        SPEC("\"generation\":1")));
}

TEST(a_mask_lets_through_what_it_names)
{
    static const struct {
        unsigned bit;
        const char *before, *after;
    } cases[] = {
        { YL_GENERATION, SPEC("\"generation\":1"), SPEC("\"generation\":2") },
        { YL_LABELS, SPEC("\"generation\":1"),
          SPEC("\"generation\":1,\"labels\":{\"a\":\"b\"}") },
        { YL_ANNOTATIONS, SPEC("\"generation\":1,\"annotations\":{}"),
          SPEC("\"generation\":1,\"annotations\":{\"a\":\"b\"}") },
        { YL_OWNERS, SPEC("\"generation\":1"),
          SPEC("\"generation\":1,\"ownerReferences\":[{\"uid\":\"u\"}]") },
        { YL_FINALIZERS, SPEC("\"generation\":1,\"finalizers\":[\"a/b\"]"),
          SPEC("\"generation\":1") },
    };
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(cases); j++) {
            assert_int_equal(changed(cases[j].bit, cases[i].before,
                                     cases[i].after), i == j);
        }
        assert_true(changed(cases[i].bit | YL_LABELS, cases[i].before,
                            cases[i].after));
    }
}

TEST(objects_without_a_generation_always_matter)
{
    assert_true(changed(YL_GENERATION, SPEC("\"uid\":\"u\""),
                        SPEC("\"uid\":\"u\"")));
}

TEST(deletion_matters_whatever_the_mask_says)
{
#define DELETING \
    "\"generation\":1,\"deletionTimestamp\":\"2026-01-31T12:00:00Z\""

    assert_true(changed(YL_LABELS, SPEC("\"generation\":1"), SPEC(DELETING)));
    assert_false(changed(YL_LABELS, SPEC(DELETING), SPEC(DELETING)));
    assert_true(changed(YL_LABELS,
                        SPEC(DELETING ",\"finalizers\":[\"a/b\",\"c/d\"]"),
                        SPEC(DELETING ",\"finalizers\":[\"c/d\"]")));
}

static bool
refuse(const struct yl_object *old YL_UNUSED,
       const struct yl_object *new_ YL_UNUSED, void *aux YL_UNUSED)
{
    return false;
}

TEST(a_filter_is_asked_after_the_mask)
{
    const struct yl_watch watch = { .changed = YL_GENERATION,
                                    .filter = refuse };

    assert_false(matters(&watch, SPEC("\"generation\":1"),
                         SPEC("\"generation\":2")));
}
