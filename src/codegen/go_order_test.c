/* Tests of the order of Go's types. */

#include "codegen/go_order.h"

#include "codegen_unit.h"

/* The JSON names in the order of the internal type. */
static const char *
order_of(const struct yl_gen_unit *unit, const char *type)
{
    const char *text = "";
    struct yl_gen_field **order;
    size_t i, n;

    order = yl_gen_go_order(yl_gen_type_find(unit, type), &n);
    for (i = 0; i < n; i++) {
        text = yl_arena_printf(arena, "%s%s%s", text, i ? " " : "",
                               order[i]->json_name);
    }
    return text;
}

TEST(the_order_is_that_of_the_header)
{
    struct yl_gen_unit *unit;

    begin();
    unit = read_text("struct s { int32_t z, a; bool m; };\n");
    assert_string_equal(order_of(unit, "s"), "z a m");
}

TEST(fields_stand_elsewhere_in_internal_types)
{
    struct yl_gen_unit *unit;

    begin();
    unit = read_text("struct in { int32_t x; };\n"
                     "struct s {\n"
                     "    int32_t a;\n"
                     "    int32_t b; // +internal:after=d\n"
                     "    int32_t c; // +internal:absent\n"
                     "    int32_t d;\n"
                     "    int32_t e; // +internal:after=a\n"
                     "    int32_t f; // +internal:in=g\n"
                     "    struct in g;\n"
                     "    int32_t h; // +internal:in=g\n"
                     "};\n");
    assert_string_equal(order_of(unit, "s"), "a e d b g");
    assert_string_equal(order_of(unit, "in"), "f h x");
}

TEST(embedded_structs_have_a_depth)
{
    struct yl_gen_unit *unit;
    const struct yl_gen_field *field;
    unsigned depths[] = { 0, 1, 2, 2, 0 }, i = 0;

    begin();
    unit = read_text("// +embeds:name=Outer,first=b,last=d\n"
                     "// +embeds:name=Inner,first=c,last=d\n"
                     "struct s { int32_t a, b, c, d, e; };\n");
    for (field = unit->types->fields; field; field = field->next) {
        assert_int_equal(field->go.depth, depths[i++]);
    }
}

TEST(names_that_are_no_fields_are_faults)
{
    begin();
    assert_null(read_text("struct s { int32_t a; // +internal:after=x\n"
                          " int32_t b; // +internal:in=a\n"
                          " int32_t c; // +internal:after=c\n"
                          "};\n"
                          "// +embeds:name=E,first=b,last=a\n"
                          "struct t { int32_t a, b; };\n"
                          "// +embeds:name=E,first=a,last=b\n"
                          "// +embeds:name=F,first=b,last=c\n"
                          "struct u { int32_t a, b, c; };\n"));
    assert_fault("'+internal:after' names no other member: \"x\"");
    assert_fault("'+internal:in' names no struct: \"a\"");
    assert_fault("'+internal:after' names no other member: \"c\"");
    assert_fault("no members from \"b\" to \"a\" in struct t");
    assert_fault("no members from \"b\" to \"c\" in struct u, inside of "
                 "what it embeds");
}

TEST(names_start_with_a_capital_or_several)
{
    static const struct {
        const char *json, *go;
    } cases[] = {
        { "readOnly", "ReadOnly" }, { "apiVersion", "APIVersion" },
        { "ip", "IP" }, { "ips", "IPs" }, { "hostIP", "HostIP" },
        { "ipsum", "Ipsum" }, { "JSONPath", "JSONPath" },
        { "seLinuxOptions", "SELinuxOptions" }, { "secret", "Secret" },
        { "pods", "Pods" },
    };
    struct target t;
    size_t i;

    begin();
    t = field_of(YL_VALUE_STRING);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        t.field->json_name = cases[i].json;
        assert_string_equal(yl_gen_go_name(arena, t.field), cases[i].go);
    }
    t.field->go.name = "CephMonitors";
    assert_string_equal(yl_gen_go_name(arena, t.field), "CephMonitors");
}

CODEGEN_END;
