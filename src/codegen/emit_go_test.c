/* Tests of the tables of Go's types. */

#include "codegen/emit_go.h"

#include "codegen_unit.h"

static const char text[] =
    "// +embeds:name=Inner,protobuf=3,first=b,last=b\n"
    "struct s {\n"
    "    const char *c; // +goType=v1.C\n"
    "    const char *b;\n"
    "    const int32_t *api; // +internal:value\n"
    "};\n"
    "struct t { int32_t x; };\n";

#define assert_has(BUF, TEXT)                                                 \
    do {                                                                      \
        const char *all_ = yl_arena_strdup(arena, yl_buf_str(BUF));           \
        if (!strstr(all_, TEXT)) {                                            \
            fail_msg("no \"%s\" in: %s", TEXT, all_);                         \
        }                                                                     \
    } while (0)

TEST(the_header_numbers_types)
{
    struct yl_buf buf;

    begin();
    yl_buf_init(&buf, SIZE_MAX);
    yl_gen_emit_go_header(read_text(text), &buf);
    assert_has(&buf, "#ifndef DEMO_GO_H\n");
    assert_has(&buf, "enum demo_go_types {\n    demo_s_go = 1,\n"
                     "    demo_t_go = 2,\n};\n");
    yl_buf_release(&buf);
}

TEST(the_source_has_what_json_does_not_say)
{
    struct yl_buf buf;

    begin();
    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_gen_emit_go_source(read_text(text), &buf, &fault), 0);
    assert_has(&buf, "    \"\\0\"\n    \"API\\0\"\n    \"v1.C\\0\"\n"
                     "    \"Inner\\0\";\n");
    assert_has(&buf, "types[] = {\n    { 0, 0 },\n    { 0, 1 },\n"
                     "    { 3, 2 },\n    { 4, 2 },\n};\n");
    assert_has(&buf, "fields[5] = {\n    { 0, 0, 0, 0 },\n"
                     "    /* S.api */\n    [1] = { 1, 0, YL_GO_VALUE, 0 },\n"
                     "    /* S.b */\n    [2] = { 0, 0, 0, 1 },\n"
                     "    /* S.c */\n    [3] = { 0, 5, 0, 0 },\n};\n");
    assert_has(&buf, "    /* S */\n    3, 2, 1,\n    /* T */\n    4,\n");
    assert_has(&buf, "embeddings[] = {\n    { 0, 0 },\n    { 10, 3 },\n");
    assert_has(&buf, ".tagged = false,\n");
    yl_buf_release(&buf);
}

TEST(all_sets_are_listed)
{
    struct yl_gen_unit *units[2];
    struct yl_buf buf;

    begin();
    units[0] = yl_gen_unit_new(arena, "a_v1", "a", "v1");
    units[1] = yl_gen_unit_new(arena, "b_v1", "b", "v1");
    yl_buf_init(&buf, SIZE_MAX);
    yl_gen_emit_go_sets(units, 2, &buf);
    assert_has(&buf, "yl_go_sets[] = {\n    { &a_v1_types, &a_v1_go },\n"
                     "    { &b_v1_types, &b_v1_go },\n};\n"
                     "const size_t yl_n_go_sets = 2;\n");
    yl_buf_release(&buf);
}

CODEGEN_END;
