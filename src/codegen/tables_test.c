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

/* Adds 'n' fields of 'value' that are called 'name'.  They are linked by hand,
 * for adding at the end looks for the end. */
static void
add_fields(struct yl_gen_type *type, const char *name,
           struct yl_gen_value *value, unsigned n)
{
    struct yl_gen_field *field;

    while (n--) {
        field = yl_arena_zalloc(arena, sizeof *field);
        field->c_name = field->json_name = name;
        field->c_count = field->doc = "";
        field->merge_key = field->default_ = "";
        field->value = value;
        field->next = type->fields;
        type->fields = field;
    }
}

static struct yl_gen_value *
value_of(struct yl_gen_unit *unit, enum yl_value_kind kind)
{
    return yl_gen_value_new(unit, kind);
}

/* Builds the tables of 'unit', which must fail with 'words'; or not fail, if
 * they are NULL. */
static void
check_fits(struct yl_gen_unit *unit, const char *words)
{
    struct yl_tables tables;
    int r;

    unit->file = "x.h";
    yl_error_clear(&fault);
    r = yl_tables_build(&tables, unit, &fault);
    assert_int_equal(r, words ? YL_ETOOBIG : 0);
    if (words) {
        assert_string_equal(yl_error_message(&fault), words);
    }
    yl_tables_release(&tables);
}

TEST(records_have_a_ceiling)
{
    struct yl_gen_unit *unit;
    struct yl_gen_value *inner;
    struct yl_gen_type *a, *b;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    a = yl_gen_type_add(unit, "a");
    add_fields(a, "x", value_of(unit, YL_VALUE_INT64), 65527 / 8);
    check_fits(unit, NULL);
    b = yl_gen_type_add(unit, "b");
    inner = value_of(unit, YL_VALUE_STRUCT);
    inner->type = a;
    add_fields(b, "a", inner, 1);
    check_fits(unit, NULL);
    add_fields(b, "l", value_of(unit, YL_VALUE_BOOL), 1);
    check_fits(unit, "x.h: struct b has more than 65527 bytes");
    yl_error_clear(&fault);
}

TEST(names_have_a_ceiling)
{
    char *name = malloc(65537);
    struct yl_gen_unit *unit;

    begin();
    memset(name, 'x', 65536);
    name[65535] = '\0';
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    add_fields(yl_gen_type_add(unit, "a"), name,
               value_of(unit, YL_VALUE_BOOL), 1);
    check_fits(unit, NULL);
    name[65535] = 'x';
    name[65536] = '\0';
    check_fits(unit, "x.h: struct a has more than 65535 bytes in the name of "
                     "a field");
    yl_error_clear(&fault);
    free(name);
}

TEST(rules_of_one_value_have_a_ceiling)
{
    struct yl_gen_unit *unit;
    struct yl_gen_value *value;
    struct yl_gen_rule *rule;
    unsigned i;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    value = value_of(unit, YL_VALUE_STRING);
    for (i = 0; i < 65535; i++) {
        rule = yl_arena_zalloc(arena, sizeof *rule);
        rule->op = YL_RULE_CEL;
        rule->text = "{}";
        rule->next = value->rules;
        value->rules = rule;
    }
    add_fields(yl_gen_type_add(unit, "a"), "x", value, 1);
    check_fits(unit, NULL);
    unit->types->fields->doc = "One more.";
    check_fits(unit, "x.h: struct a has more than 65535 rules at one place");
    yl_error_clear(&fault);
}

TEST(imports_have_a_ceiling)
{
    struct yl_gen_unit *unit;
    unsigned i;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    for (i = 0; i < 255; i++) {
        yl_gen_import(unit, yl_gen_unit_new(arena, "e", "e", "v1"));
    }
    check_fits(unit, NULL);
    yl_gen_import(unit, yl_gen_unit_new(arena, "e", "e", "v1"));
    check_fits(unit, "x.h: the group-version has more than 255 imports");
    yl_error_clear(&fault);
}

TEST(columns_have_a_ceiling)
{
    struct yl_gen_column *column;
    struct yl_gen_unit *unit;
    struct yl_gen_kind *kind;
    unsigned i;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    kind = yl_gen_kind_add(yl_gen_type_add(unit, "a"));
    for (i = 0; i < 65535; i++) {
        column = yl_arena_zalloc(arena, sizeof *column);
        column->name = column->type = column->format = "";
        column->description = column->json_path = "";
        column->next = kind->columns;
        kind->columns = column;
    }
    check_fits(unit, "x.h: the group-version has more than 65535 columns");
    kind->columns = kind->columns->next;
    check_fits(unit, NULL);
}

TEST(types_and_values_have_a_ceiling)
{
    struct yl_gen_type *type;
    struct yl_gen_unit *unit;
    unsigned i;

    begin();
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    type = yl_gen_type_add(unit, "a");
    for (i = 0; i < 65535; i++) {
        struct yl_gen_value *value = value_of(unit, YL_VALUE_STRING);

        value->list_keys = yl_arena_printf(arena, "%u", i);
        if (i % 1000 == 0) {
            struct yl_gen_type *next = yl_arena_zalloc(arena, sizeof *next);

            *next = *type;
            next->fields = NULL;
            type->next = next;
            type = next;
        }
        add_fields(type, "x", value, 1);
    }
    check_fits(unit, "x.h: the group-version has more than 65535 different "
                     "values");
    type->fields = type->fields->next;
    check_fits(unit, NULL);
    unit->n_types = 65535;
    check_fits(unit, "x.h: the group-version has more than 65534 types");
    yl_error_clear(&fault);
}

TEST(texts_have_a_ceiling)
{
    struct yl_gen_unit *unit;
    char *doc = malloc(((size_t) 16 << 20) + 1);

    begin();
    memset(doc, 'x', (size_t) 16 << 20);
    doc[(size_t) 16 << 20] = '\0';
    unit = yl_gen_unit_new(arena, "d", "d", "v1");
    yl_gen_type_add(unit, "a")->doc = doc;
    check_fits(unit, "x.h: the group-version has more than 16777216 bytes of "
                     "tables");
    yl_error_clear(&fault);
    free(doc);
}

CODEGEN_END;
