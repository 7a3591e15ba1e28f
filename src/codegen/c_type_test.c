/* Tests of C types and what they are in JSON. */

#include "codegen/reader.h"

#include "codegen_unit.h"

static const struct yl_gen_field *
field(const struct yl_gen_unit *unit, const char *json_name)
{
    const struct yl_gen_field *f;

    f = yl_gen_field_find(yl_gen_type_find(unit, "all"), json_name);
    assert_non_null(f);
    return f;
}

TEST(c_types_have_kinds)
{
    static const struct {
        const char *name;
        enum yl_value_kind kind;
        enum yl_presence presence;
    } want[] = {
        { "yes", YL_VALUE_BOOL, YL_PRESENCE_ALWAYS },
        { "small", YL_VALUE_INT32, YL_PRESENCE_ALWAYS },
        { "large", YL_VALUE_INT64, YL_PRESENCE_ALWAYS },
        { "real", YL_VALUE_DOUBLE, YL_PRESENCE_ALWAYS },
        { "text", YL_VALUE_STRING, YL_PRESENCE_ALWAYS },
        { "bytes", YL_VALUE_BYTES, YL_PRESENCE_ALWAYS },
        { "time", YL_VALUE_TIME, YL_PRESENCE_ALWAYS },
        { "micro", YL_VALUE_MICRO_TIME, YL_PRESENCE_ALWAYS },
        { "length", YL_VALUE_DURATION, YL_PRESENCE_ALWAYS },
        { "amount", YL_VALUE_QUANTITY, YL_PRESENCE_ALWAYS },
        { "port", YL_VALUE_INT_OR_STRING, YL_PRESENCE_ALWAYS },
        { "raw", YL_VALUE_RAW, YL_PRESENCE_ALWAYS },
        { "object", YL_VALUE_EMBEDDED, YL_PRESENCE_ALWAYS },
        { "inside", YL_VALUE_STRUCT, YL_PRESENCE_ALWAYS },
        { "maybe", YL_VALUE_BOOL, YL_PRESENCE_POINTER },
        { "maybeTime", YL_VALUE_TIME, YL_PRESENCE_POINTER },
        { "maybeInside", YL_VALUE_STRUCT, YL_PRESENCE_POINTER },
        { "numbers", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
        { "words", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
        { "insides", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
        { "table", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
        { "rows", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
        { "labels", YL_VALUE_MAP, YL_PRESENCE_ALWAYS },
        { "groups", YL_VALUE_MAP, YL_PRESENCE_ALWAYS },
        { "named", YL_VALUE_MAP, YL_PRESENCE_ALWAYS },
        { "own", YL_VALUE_MAP, YL_PRESENCE_ALWAYS },
        { "wrapped", YL_VALUE_LIST, YL_PRESENCE_ALWAYS },
    };
    struct yl_gen_unit *unit;
    size_t i;

    begin();
    unit = read_text(
        "struct inside { bool x; };\n"
        "struct own_pair { const char *key; struct inside value; };\n"
        "struct all {\n"
        "    bool yes; int32_t small; int64_t large; double real;\n"
        "    const char *text;\n"
        "    struct yl_bytes bytes; struct yl_time time;\n"
        "    struct yl_micro_time micro; struct yl_duration length;\n"
        "    struct yl_quantity amount; struct yl_int_or_string port;\n"
        "    struct yl_raw raw; struct yl_embedded object;\n"
        "    struct inside inside;\n"
        "    const bool *maybe; const struct yl_time *maybe_time;\n"
        "    const struct inside *maybe_inside;\n"
        "    const int32_t *numbers; size_t n_numbers;\n"
        "    const char *const *words; size_t n_words;\n"
        "    const struct inside *insides; size_t n_insides;\n"
        "    const struct yl_strings *table; size_t n_table;\n"
        "    const struct yl_string_map *rows; size_t n_rows;\n"
        "    const struct yl_string_pair *labels; size_t n_labels;\n"
        "    const struct yl_strings_pair *groups; size_t n_groups;\n"
        "    const struct yl_pair_of_inside *named; size_t n_named;\n"
        "    const struct own_pair *own; size_t n_own;\n"
        "    struct yl_strings wrapped;\n"
        "};\n");
    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    for (i = 0; i < YL_ARRAY_SIZE(want); i++) {
        const struct yl_gen_field *f = field(unit, want[i].name);

        if (f->value->kind != want[i].kind
            || f->presence != want[i].presence) {
            fail_msg("%s: kind %d, presence %d", want[i].name,
                     (int) f->value->kind, (int) f->presence);
        }
    }
    assert_null(yl_gen_field_find(yl_gen_type_find(unit, "all"), "nWords"));
    assert_string_equal(field(unit, "numbers")->value->c_element, "int32_t");
    assert_string_equal(field(unit, "words")->value->c_element,
                        "const char *");
    assert_string_equal(field(unit, "insides")->value->c_element,
                        "struct inside");
    assert_int_equal(field(unit, "table")->value->element->kind,
                     YL_VALUE_LIST);
    assert_int_equal(field(unit, "rows")->value->element->kind,
                     YL_VALUE_MAP);
    assert_int_equal(field(unit, "groups")->value->element->kind,
                     YL_VALUE_LIST);
    assert_string_equal(field(unit, "named")->value->c_element,
                        "struct yl_pair_of_inside");
    assert_ptr_equal(field(unit, "own")->value->element->type,
                     yl_gen_type_find(unit, "inside"));
    assert_string_equal(field(unit, "wrapped")->c_name, "wrapped.items");
    assert_string_equal(field(unit, "wrapped")->c_count, "wrapped.n_items");
    /* Pairs are no types of their own, nor are counts. */
    assert_null(yl_gen_type_find(unit, "own_pair"));
}

TEST(types_that_json_lacks_are_refused)
{
    static const char *const words[] = {
        ":5: 'a' has type 'int', which JSON has no word for; write int32_t",
        ":6: 'b' has type 'unsigned long', which JSON has no word for; write "
        "int64_t",
        ":7: 'c' has type 'float', which JSON has no word for; write double",
        ":8: 'd' has type 'char[8]', which JSON has no word for; write "
        "'const char *'",
        ":9: 'e' has type 'enum color', which JSON has no word for; write "
        "'const char *' with +kubebuilder:validation:Enum",
        ":10: 'f' has type 'union u', which JSON has no word for; write a "
        "struct whose",
        ":11: 'g' points to what may change; write 'const char *g'",
        ":12: 'h' is a list without a count; write 'size_t n_h;' behind it",
        ":13: 'i' is a list without a count",
        ":14: 'j' is a string and has a count 'n_j'",
        ":15: 'k' is a bit-field; write 'bool k'",
        ":16: 'l' is a list of pointers",
        ":17: struct nowhere is not defined",
        ":18: struct bad_pair is no pair",
        ":19: there is no struct nothing for a map's values",
        ":20: struct bad_wrap is +transparent; write one list",
        ":21: 'q' has type 'void',",
        ":22: a struct or union inside of another",
        ":23: 'n_r' has type",
        ":24: 't' needs no pointer to be absent; write 'struct yl_raw t;' "
        "with +optional",
    };
    size_t i;

    begin();
    assert_null(read_text(
        "union u { int x; }; struct all {\n"
        "    int a;\n"
        "    size_t b;\n"
        "    float c;\n"
        "    char d[8];\n"
        "    enum color { RED } e;\n"
        "    union u f;\n"
        "    char *g;\n"
        "    const char *const *h;\n"
        "    const struct yl_string_pair *i;\n"
        "    const char *j; size_t n_j;\n"
        "    int32_t k : 3;\n"
        "    const struct all *const *l; size_t n_l;\n"
        "    const struct nowhere *m;\n"
        "    const struct bad_pair *n; size_t n_n;\n"
        "    const struct yl_pair_of_nothing *o; size_t n_o;\n"
        "    const struct bad_wrap *p; size_t n_p;\n"
        "    const void *q;\n"
        "    struct { int x; } s;\n"
        "    size_t n_r;\n"
        "    const struct yl_raw *t;\n"
        "};\n"
        "struct bad_pair { const char *value; const char *key; };\n"
        "/* +transparent */ struct bad_wrap { const char *x; };\n"));
    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        assert_fault(words[i]);
    }
}

CODEGEN_END;
