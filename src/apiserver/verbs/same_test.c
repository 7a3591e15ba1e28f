/* Tests of what counts as a change. */

#include "apiserver/verbs/same.h"

#include "json/tree.h"
#include "object/object.h"
#include "unit.h"
#include "yuloh/arena.h"

/* An object with these managedFields ("" for none), and data. */
static struct yl_object *
make(const char *managed, const char *data)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *object;
    struct yl_node *root;
    const char *json = yl_arena_printf(
        arena, "{\"metadata\":{\"name\":\"a\"%s%s},\"data\":{\"k\":\"%s\"}}",
        *managed ? ",\"managedFields\":" : "", managed, data);

    assert_int_equal(yl_tree_parse(arena, yl_str_c(json), NULL, &root, NULL),
                     0);
    assert_int_equal(yl_object_from_tree(root, NULL, &object, NULL), 0);
    yl_arena_free(arena);
    return object;
}

static bool
same(const char *managed, const char *data, const char *other_managed,
     const char *other_data)
{
    struct yl_object *a = make(managed, data);
    struct yl_object *b = make(other_managed, other_data);
    bool is = yl_write_is_same(a, b);

    yl_object_unref(a);
    yl_object_unref(b);
    return is;
}

#define ENTRY(MANAGER, TIME) "{\"manager\":\"" MANAGER "\"" TIME "}"
#define AT(TIME) ",\"time\":\"" TIME "\""

TEST(times_in_managed_fields_are_no_change)
{
    static const char now[] = "[" ENTRY("m", AT("1")) "]";
    static const char later[] = "[" ENTRY("m", AT("22")) "]";

    assert_true(same("", "v", "", "v"));
    assert_true(same(now, "v", now, "v"));
    assert_true(same(now, "v", later, "v"));
    assert_true(same(now, "v", "[" ENTRY("m", "") "]", "v"));
    assert_true(same("[" ENTRY("m", AT("1")) "," ENTRY("n", AT("2")) "]", "v",
                     "[" ENTRY("m", AT("3")) "," ENTRY("n", AT("2")) "]",
                     "v"));
}

TEST(everything_else_is)
{
    static const char now[] = "[" ENTRY("m", AT("1")) "]";
    static const char more[] = "[" ENTRY("m", AT("1")) "," ENTRY("m", "") "]";

    assert_false(same("", "v", "", "w"));
    assert_false(same(now, "v", now, "w"));
    assert_false(same(now, "v", "", "v"));
    assert_false(same(now, "v", "[" ENTRY("n", AT("1")) "]", "v"));
    assert_false(same(now, "v", more, "v"));
    assert_false(same(more, "v", now, "v"));
    assert_false(same(now, "v", "[" ENTRY("m", AT("1") ",\"z\":1") "]", "v"));
    assert_false(same("[" ENTRY("m", AT("1") ",\"z\":1") "]", "v", now, "v"));
}
