/* Tests of reading headers into the model. */

#include "codegen/read_header.h"

#include "codegen_unit.h"

TEST(units_have_group_version_and_names)
{
    struct yl_gen_unit *unit;

    begin();
    unit = read_named("some-file.v1_types.h",
                      "// +groupName=a.example.com\n// +version=v1beta1\n"
                      "struct a_v1beta1_foo_spec { double x; };\n");
    assert_non_null(unit);
    assert_string_equal(unit->base, "some_file_v1");
    assert_string_equal(unit->group, "a.example.com");
    assert_string_equal(unit->version, "v1beta1");
    assert_string_equal(unit->types->name, "FooSpec");
    assert_string_equal(unit->types->openapi_name,
                        "com.example.a.v1beta1.FooSpec");
    unit = read_named("plain.h", "// +groupName=\n// +version=v1\n");
    assert_string_equal(unit->base, "plain");
    assert_string_equal(unit->group, "");
}

TEST(headers_without_group_or_version_are_refused)
{
    begin();
    assert_null(read_named("x_types.h", "struct a { int x; };\n"));
    assert_fault("no group and version; write '// +groupName=NAME'");
    assert_null(read_named("x_types.h", "// +groupName=a\n"));
    assert_fault("no group and version");
}

TEST(kinds_have_metadata_and_lists)
{
    struct yl_gen_unit *unit;
    struct yl_gen_field *metadata;

    begin();
    unit = read_text("// +genclient\n"
                     "struct foo { struct yl_object_meta metadata; };\n");
    assert_non_null(unit);
    assert_string_equal(unit->kinds->name, "Foo");
    assert_string_equal(unit->kinds->list->c_name, "foo_list");
    assert_string_equal(unit->imports->unit->base, "meta_v1");
    metadata = yl_gen_field_find(unit->types, "metadata");
    assert_false(metadata->required);
    assert_int_equal(metadata->presence, YL_PRESENCE_OMIT_EMPTY);
    assert_string_equal(metadata->value->type->name, "ObjectMeta");
}

TEST(faults_are_found_all_at_once)
{
    static const char *const words[] = {
        ":7: 'ab' and 'a_b' are both",
        ":10: 'xs' is '+listType=map' without a key",
        ":12: 'kind' is written by itself",
        ":11: struct foo is a kind; write 'struct yl_object_meta metadata;'",
        ":11: struct foo has the status subresource and no member",
        ":14: struct foo and struct demo_v1_foo are both Foo",
        ":15: 'p' is inlined and no struct",
        ":16: struct timespec is from",
        ":17: unknown marker '+requierd'; write '+required'?",
        ":18: 'w' is both optional and required",
    };
    size_t i;

    begin();
    assert_null(read_text(
        "#include <time.h>\n"
        "struct twice {\n"
        "    // +json=aB\n"
        "    int32_t ab; int32_t a_b;\n"
        "};\n"
        "struct keys { // +listType=map\n"
        "    const struct twice *xs; size_t n_xs; };\n"
        "/* +genclient +kubebuilder:subresource:status */ struct foo {\n"
        "    const char *kind;\n"
        "};\n"
        "struct demo_v1_foo { const struct twice *\n"
        "    p; // +json=,inline\n"
        "    struct timespec t;\n"
        "    bool v; // +requierd\n"
        "    bool w; // +optional +required\n"
        "};\n"));
    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (!strstr(yl_error_message(&fault), words[i] + 3)) {
            fail_msg("no \"%s\" in %s", words[i], yl_error_message(&fault));
        }
    }
    assert_fault(":17: unknown marker");
}

TEST(structs_are_inlined_and_left_out)
{
    struct yl_gen_unit *unit;
    struct yl_gen_type *type;

    begin();
    unit = read_text(
        "struct inner { const char *a; const char *const *bs; size_t n_bs; "
        "};\n"
        "struct outer {\n"
        "    struct inner in; // +json=,inline\n"
        "    void *private_data; // +json=-\n"
        "    bool z;\n"
        "};\n");
    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    type = yl_gen_type_find(unit, "outer");
    assert_string_equal(yl_gen_field_find(type, "a")->c_name, "in.a");
    assert_string_equal(yl_gen_field_find(type, "bs")->c_count, "in.n_bs");
    assert_null(yl_gen_field_find(type, "privateData"));
    assert_non_null(yl_gen_field_find(type, "z"));
}

TEST(other_headers_are_imported)
{
    const char *path;
    struct yl_gen_unit *unit;

    begin();
    path = yl_arena_strdup(arena, yl_str_c(scratch_path("other_types.h")));
    write_text(path, "#ifndef O\n#define O\n"
               "// +groupName=other\n// +version=v2\n"
               "struct other_v2_first { bool x; };\n"
               "struct other_v2_second { bool y; };\n#endif\n");
    unit = read_text("#include \"other_types.h\"\n"
                     "struct mine { struct other_v2_second s; };\n");
    unlink(path);
    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    assert_string_equal(unit->imports->unit->base, "other");
    assert_int_equal(unit->types->fields->value->type->index, 2);
    assert_string_equal(unit->types->fields->value->type->name, "Second");
    assert_null(unit->types->next);
}

TEST(a_kind_needs_the_header_of_metadata)
{
    begin();
    assert_null(read_named("x_types.h",
                           "// +groupName=a\n// +version=v1\n"
                           "// +kind\nstruct a { _Bool x; };\n"));
    assert_fault("write '#include <yuloh/types.h>' at the top");
}

/* What the metadata's structs say is what Kubernetes' types say. */
TEST(meta_v1_is_upstreams)
{
    static const char *const presences[] = {
        [YL_PRESENCE_ALWAYS] = "always",
        [YL_PRESENCE_OMIT_EMPTY] = "omitempty",
        [YL_PRESENCE_OMIT_ZERO] = "omitempty+omitzero",
        [YL_PRESENCE_POINTER] = "*omitempty",
        [YL_PRESENCE_POINTER_ALWAYS] = "*always",
    };
    const char *include = source_path("include");
    char *header = strdup(include), *text, *line, *next;
    struct yl_gen_unit *unit;
    size_t n = 0, size;

    begin();
    include = header;
    assert_int_equal(yl_gen_read_header(
        arena, source_path("include/yuloh/meta_types.h"), &include, 1, &unit,
        &fault), 0);
    text = read_file(truth_path("types/fields.tsv"), &size);
    for (line = text; line; line = next) {
        const char *columns[7] = { "" };
        const struct yl_gen_field *field;
        const struct yl_gen_type *type;
        const char *want;
        char *p = line;
        size_t i;

        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        for (i = 0; i < 7 && p; i++) {
            columns[i] = p;
            p = strchr(p, '\t');
            if (p) {
                *p++ = '\0';
            }
        }
        if (strncmp(columns[0], "meta/v1.", 8) || columns[1][0] == '(') {
            continue;
        }
        type = yl_gen_type_find_api(unit, columns[0] + 8);
        if (!type) {
            continue;           /* Not a record of ours. */
        }
        field = yl_gen_field_find(type, columns[1]);
        if (!field) {
            fail_msg("%s lacks %s", columns[0], columns[1]);
        }
        /* Raw JSON is absent without a pointer. */
        if (columns[2][0] == '*' && field->value->kind == YL_VALUE_RAW) {
            want = "omitempty+omitzero";
        } else {
            want = yl_arena_printf(arena, "%s%s",
                                   columns[2][0] == '*' ? "*" : "",
                                   columns[3]);
        }
        if (strcmp(presences[field->presence], want)) {
            fail_msg("%s.%s: %s, upstream %s", columns[0], columns[1],
                     presences[field->presence], want);
        }
        assert_int_equal(!strcmp(columns[4], "merge"),
                         (field->patch & YL_FIELD_MERGE) != 0);
        assert_string_equal(field->merge_key,
                            columns[5][0] == '-' ? "" : columns[5]);
        assert_int_equal(field->number, strtoul(columns[6], NULL, 10));
        n++;
    }
    assert_true(n > 50);
    free(text);
    free(header);
}

CODEGEN_END;
