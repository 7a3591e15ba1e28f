/* Tests of owner references. */

#include "yuloh/owner.h"

#include "unit.h"
#include "yuloh/arena.h"

static const struct yl_str owners_text = YL_STR_INIT(
    "[ {\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n\\u0031\","
    "\"uid\":\"u-1\",\"controller\":false},"
    " 7,"
    " {\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"web\","
    "\"uid\":\"u-2\",\"controller\":true,\"blockOwnerDeletion\":true},"
    " {\"uid\":\"u-3\",\"controller\":true} ]");

TEST(owners_are_read_in_order)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_owner_iter it = yl_owner_iter(yl_json(owners_text), arena);
    struct yl_owner owner;

    assert_true(yl_owner_next(&it, &owner));
    assert_str_equal(owner.api_version, "v1");
    assert_str_equal(owner.kind, "Node");
    assert_str_equal(owner.name, "n1");
    assert_str_equal(owner.uid, "u-1");
    assert_non_null(owner.controller);
    assert_false(*owner.controller);
    assert_null(owner.block_owner_deletion);
    assert_true(yl_owner_next(&it, &owner));
    assert_str_equal(owner.name, "web");
    assert_true(*owner.controller && *owner.block_owner_deletion);
    assert_true(yl_owner_next(&it, &owner));
    assert_str_equal(owner.kind, "");
    assert_false(yl_owner_next(&it, &owner));
    yl_arena_free(arena);
}

TEST(an_absent_array_has_no_owners)
{
    static const char *const texts[] = { "", "null", "{\"a\":{}}", "[]",
                                         "[1,null]", "7" };
    struct yl_arena *arena = yl_arena_new();
    struct yl_owner owner;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        struct yl_json owners = yl_json(yl_str_c(texts[i]));
        struct yl_owner_iter it = yl_owner_iter(owners, arena);

        assert_false(yl_owner_next(&it, &owner));
        assert_false(yl_owner_controller(owners, arena, &owner));
        assert_false(yl_owner_has_uid(owners, YL_STR("u-1")));
        assert_false(yl_owner_is_controlled_by(owners, YL_STR("u-1")));
    }
    yl_arena_free(arena);
}

TEST(the_first_true_controller_manages)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json owners = yl_json(owners_text);
    struct yl_owner owner;

    assert_true(yl_owner_controller(owners, arena, &owner));
    assert_str_equal(owner.uid, "u-2");
    assert_true(yl_owner_is_controlled_by(owners, YL_STR("u-2")));
    assert_false(yl_owner_is_controlled_by(owners, YL_STR("u-3")));
    assert_false(yl_owner_is_controlled_by(owners, YL_STR("u-1")));
    assert_true(yl_owner_has_uid(owners, YL_STR("u-1")));
    assert_true(yl_owner_has_uid(owners, YL_STR("u-3")));
    assert_false(yl_owner_has_uid(owners, YL_STR("u")));
    yl_arena_free(arena);
}

TEST(json_is_canonical_and_reads_back)
{
    static const bool off = false;
    struct yl_gvk gvk = { YL_STR("apps"), YL_STR("v1"),
                          YL_STR("ReplicaSet") };
    struct yl_arena *arena = yl_arena_new();
    struct yl_owner owner = yl_owner_make_controller(gvk, YL_STR("we\"b"),
                                                     YL_STR("u"), arena);

    assert_str_equal(yl_owner_json(&owner, arena),
                     "{\"apiVersion\":\"apps/v1\",\"blockOwnerDeletion\":true,"
                     "\"controller\":true,\"kind\":\"ReplicaSet\","
                     "\"name\":\"we\\\"b\",\"uid\":\"u\"}");
    assert_str_equal(yl_owner_json(&(struct yl_owner) { .controller = NULL },
                                   arena),
                     "{\"apiVersion\":\"\",\"kind\":\"\",\"name\":\"\","
                     "\"uid\":\"\"}");
    owner.controller = &off;
    owner.block_owner_deletion = NULL;
    assert_str_equal(yl_owner_json(&owner, arena),
                     "{\"apiVersion\":\"apps/v1\",\"controller\":false,"
                     "\"kind\":\"ReplicaSet\",\"name\":\"we\\\"b\","
                     "\"uid\":\"u\"}");
    yl_arena_free(arena);
}
