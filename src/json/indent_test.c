/* Tests of indentation. */

#include "json/indent.h"

#include <string.h>

#include "unit.h"

static const char text[] =
    "{\"a\":[],\"b\":{},\"c\":[1,{\"d\":\"x\\\"{,:}\\\\\"}],\"e\":null}";
static const char indented[] = "{\n"
                               "  \"a\": [],\n"
                               "  \"b\": {},\n"
                               "  \"c\": [\n"
                               "    1,\n"
                               "    {\n"
                               "      \"d\": \"x\\\"{,:}\\\\\"\n"
                               "    }\n"
                               "  ],\n"
                               "  \"e\": null\n"
                               "}";

TEST(text_is_indented_like_go_does)
{
    struct yl_json_indenter in = YL_JSON_INDENTER_INIT;
    struct yl_buf out;

    yl_buf_init(&out, 4096);
    yl_json_indent(&in, yl_str_c(text), &out);
    assert_string_equal(yl_buf_c_str(&out), indented);
    yl_buf_release(&out);
}

TEST(pieces_may_end_anywhere)
{
    size_t cut;

    for (cut = 0; cut <= sizeof text - 1; cut++) {
        struct yl_json_indenter in = YL_JSON_INDENTER_INIT;
        struct yl_buf out;

        yl_buf_init(&out, 4096);
        yl_json_indent(&in, yl_str_n(text, cut), &out);
        yl_json_indent(&in, yl_str_c(text + cut), &out);
        assert_string_equal(yl_buf_c_str(&out), indented);
        yl_buf_release(&out);
    }
}
