/* Tests of the words of schemas. */

#include "schema/keyword.h"

#include "unit.h"

TEST(keywords_lead_to_rules_and_back)
{
    int op, n = 0;

    for (op = YL_RULE_NONE; op <= YL_RULE_SCHEMA; op++) {
        const struct yl_keyword *keyword
            = yl_keyword_of((enum yl_rule_op) op);

        if (keyword) {
            assert_int_equal(yl_keyword_find(yl_str_c(keyword->name)), op);
            n++;
        }
    }
    assert_int_equal(n, 18);
    assert_null(yl_keyword_of(YL_RULE_NONE));
    assert_null(yl_keyword_of(YL_RULE_CEL));
    assert_null(yl_keyword_of(YL_RULE_SCHEMA));
    assert_int_equal(yl_keyword_find(YL_STR("properties")), YL_RULE_NONE);
    assert_int_equal(yl_keyword_find(YL_STR("")), YL_RULE_NONE);
}

TEST(kinds_have_the_words_of_openapi)
{
    assert_string_equal(yl_type_words(YL_VALUE_INT32).type, "integer");
    assert_string_equal(yl_type_words(YL_VALUE_INT32).format, "int32");
    assert_string_equal(yl_type_words(YL_VALUE_MAP).type, "object");
    assert_null(yl_type_words(YL_VALUE_MAP).format);
    assert_null(yl_type_words(YL_VALUE_RAW).type);
    assert_null(yl_type_words(YL_VALUE_INT_OR_STRING).type);
    assert_null(yl_type_words(YL_VALUE_NONE).type);
}

TEST(topologies_have_words_for_lists_and_for_maps)
{
    assert_string_equal(yl_topology_word(YL_TOPOLOGY_SET), "set");
    assert_null(yl_topology_word(YL_TOPOLOGY_NONE));
    assert_int_equal(yl_topology_find(YL_STR("atomic"), true),
                     YL_TOPOLOGY_ATOMIC);
    assert_int_equal(yl_topology_find(YL_STR("atomic"), false),
                     YL_TOPOLOGY_ATOMIC);
    assert_int_equal(yl_topology_find(YL_STR("map"), true), YL_TOPOLOGY_MAP);
    assert_int_equal(yl_topology_find(YL_STR("map"), false),
                     YL_TOPOLOGY_NONE);
    assert_int_equal(yl_topology_find(YL_STR("granular"), true),
                     YL_TOPOLOGY_NONE);
    assert_int_equal(yl_topology_find(YL_STR("granular"), false),
                     YL_TOPOLOGY_GRANULAR);
    assert_int_equal(yl_topology_find(YL_STR(""), true), YL_TOPOLOGY_NONE);
}
