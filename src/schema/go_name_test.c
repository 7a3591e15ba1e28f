/* Tests of the names of Go types; more are tested with normalising. */

#include "schema/go_name.h"

#include "schema_set.h"
#include "unit.h"

TEST(types_have_gos_names)
{
    struct schema_set *s = schema_set_new(
        "", "type T\na : [] {} intOrString\nb : {} [] T\nc : {} quantity\n"
            "d : [] embedded\ne : [] duration\n");
    static const char *const names[] = {
        "[]map[string]intstr.IntOrString", "map[string][]v1.T",
        "v1.ResourceList", "[]runtime.RawExtension", "[]v1.Duration",
    };
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < 5; i++) {
        yl_buf_clear(&buf);
        yl_go_name_value(&buf, &s->set, &s->values[s->fields[i + 1].value]);
        assert_str_equal(yl_buf_str(&buf), names[i]);
    }
    yl_buf_release(&buf);
    free(s);
}

TEST(types_that_are_not_built_in_embed_nothing)
{
    struct schema_set *s = schema_set_new("", "type Probe\nexec : string\n");

    assert_int_equal(yl_go_name_depth(schema_set_type(s, 1), YL_STR("exec")),
                     0);
    assert_int_equal(yl_go_name_depth(schema_set_type(s, 1), YL_STR("x")), 0);
    free(s);
}
