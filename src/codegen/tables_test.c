/* Tests of the tables' rows. */

#include "codegen/tables.h"

#include "codegen_unit.h"

static struct yl_tables
build(struct yl_gen_unit *unit)
{
    struct yl_tables tables;

    assert_int_equal(yl_tables_build(&tables, unit, &fault), 0);
    return tables;
}

TEST(lines_are_wrapped)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 4096);
    yl_write_wrapped(&buf, 4, "{ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "
                     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb },");
    assert_str_equal(yl_buf_str(&buf),
                     "    { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n"
                     "      bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb },\n");
    yl_buf_release(&buf);
}

TEST(equal_values_texts_and_rules_stand_once)
{
    struct yl_gen_unit *unit;
    struct yl_tables tables;

    begin();
    unit = read_text(
        "struct a {\n"
        "    const char *x; const char *y; const int32_t *z; int32_t w;\n"
        "    // +kubebuilder:validation:MinLength=1\n"
        "    const char *u;\n"
        "    // +kubebuilder:validation:MinLength=1\n"
        "    const char *v;\n"
        "};\n");
    tables = build(unit);
    /* A string, a number, and a string with a rule. */
    assert_int_equal(tables.values.n, 4);
    assert_int_equal(tables.rules.n, 2);
    assert_int_equal(tables.n_fields, 7);
    yl_tables_release(&tables);
}

TEST(long_texts_are_split)
{
    struct yl_gen_unit *unit;
    struct yl_tables tables;
    const char *rows;

    begin();
    unit = read_text(
        "/* A description that is a good deal longer than what has room on "
        "one line. */\n"
        "struct a { /* \xc3\xa4 */ bool x; // +nullable\n"
        "    // +nullable +kubebuilder:pruning:PreserveUnknownFields\n"
        "    struct yl_raw y;\n"
        "    struct yl_raw z; // +kubebuilder:pruning:PreserveUnknownFields\n"
        "};\n");
    tables = build(unit);
    rows = yl_buf_c_str(&tables.strings.text);
    assert_non_null(strstr(rows, "\"A description that is a good deal "));
    assert_non_null(strstr(rows, "\"\n    \""));
    assert_null(strstr(rows, "than what has room on one line"));
    assert_non_null(strstr(rows, "\\303\\244"));
    rows = yl_buf_c_str(&tables.values.text);
    assert_non_null(strstr(rows, "YL_VALUE_NULLABLE | YL_VALUE_PRESERVE"));
    assert_non_null(strstr(rows, "YL_VALUE_RAW, YL_VALUE_PRESERVE"));
    yl_tables_release(&tables);
}

TEST(too_many_rows_are_refused)
{
    struct yl_gen_unit *unit;
    struct yl_gen_value *value;
    struct yl_gen_field *field, *last = NULL;
    struct yl_tables tables;
    struct yl_gen_type *type;
    unsigned i;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    type = yl_gen_type_add(unit, "a");
    value = yl_gen_value_new(unit, YL_VALUE_BOOL);
    for (i = 0; i < 65536; i++) {
        /* Linked by hand: adding at the end looks for the end. */
        field = yl_arena_zalloc(arena, sizeof *field);
        field->c_name = field->json_name = "x";
        field->c_count = field->doc = "";
        field->merge_key = field->default_ = "";
        field->value = value;
        if (last) {
            last->next = field;
        } else {
            type->fields = field;
        }
        last = field;
    }
    assert_int_equal(yl_tables_build(&tables, unit, &fault), YL_ETOOBIG);
    yl_tables_release(&tables);
}

CODEGEN_END;
