/* Tests of looking things up in descriptors. */

#include "yuloh/schema.h"

#include "unit.h"

static const char strings[] = "\0a\0bb\0c";
static const struct yl_field fields[] = {
    { 0 },
    { .name = 1, .name_size = 1 },
    { .name = 3, .name_size = 2 },
    { .name = 6, .name_size = 1 },
};
static const struct yl_type types[] = {
    { 0 },
    { .fields = 1, .n_fields = 3 },
    { .fields = 1, .n_fields = 0 },
};
static const struct yl_type_set set = {
    .strings = strings,
    .fields = fields,
    .types = types,
};

TEST(fields_are_found_by_name)
{
    struct yl_type_ref ref = { &set, &types[1] };

    assert_ptr_equal(yl_type_field(ref, YL_STR("a")), &fields[1]);
    assert_ptr_equal(yl_type_field(ref, YL_STR("bb")), &fields[2]);
    assert_ptr_equal(yl_type_field(ref, YL_STR("c")), &fields[3]);
    assert_null(yl_type_field(ref, YL_STR("b")));
    assert_null(yl_type_field(ref, YL_STR("")));
    assert_null(yl_type_field(ref, YL_STR("d")));
}

TEST(type_without_fields_has_none)
{
    struct yl_type_ref ref = { &set, &types[2] };

    assert_null(yl_type_field(ref, YL_STR("a")));
}

TEST(offset_zero_is_the_empty_text)
{
    assert_string_equal(yl_type_set_text(&set, 0), "");
}
