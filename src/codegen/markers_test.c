/* Tests of the marker language: its table, its manual, its complaints. */

#include "codegen/markers.h"

#include "codegen/marker_set.h"
#include "codegen_unit.h"

/* The names of the markers that the manual's tables list, one a line. */
static char *
listed(void)
{
    char *text = read_file(source_path("docs/markers.md"), NULL), *p = text;
    char *names = text, *end = text;

    /* In place: a name is never longer than the row it is from. */
    while ((p = strstr(p, "\n| `+")) != NULL) {
        size_t n;

        p += strlen("\n| `+");
        n = strcspn(p, "=`");
        memmove(end, p, n);
        end += n;
        p += n;
        *end++ = '\n';
    }
    *end = '\0';
    return names;
}

/* Is 'name', of 'n' bytes, that of a row?  Arguments may follow it. */
static bool
in_table(const char *name, size_t n)
{
    size_t i;

    for (i = 0; i < yl_n_markers; i++) {
        const struct yl_marker *m = &yl_markers[i];
        size_t size = strlen(m->name);

        if (n >= size && !strncmp(name, m->name, size)
            && (n == size
                || (name[size] == ':' && m->arg == YL_MARKER_ARG_NAMED))) {
            return true;
        }
    }
    return false;
}

TEST(the_manual_lists_no_marker_that_is_not)
{
    char *names = listed(), *p = names;

    assert_true(strlen(names) > 500);
    while (*p) {
        size_t n = strcspn(p, "\n");

        if (!in_table(p, n)) {
            fail_msg("docs/markers.md has +%.*s", (int) n, p);
        }
        p += n + 1;
    }
    free(names);
}

TEST(the_manual_lists_every_marker)
{
    char *names = listed();
    size_t i;

    for (i = 0; i < yl_n_markers; i++) {
        const struct yl_marker *m = &yl_markers[i];
        const char *p = names;
        size_t size = strlen(m->name);

        while (*p && (strncmp(p, m->name, size)
                      || (p[size] != '\n' && p[size] != ':'))) {
            p += strcspn(p, "\n") + 1;
        }
        if (!*p) {
            fail_msg("docs/markers.md lacks +%s", m->name);
        }
    }
    free(names);
}

TEST(markers_start_with_a_plus_and_a_letter)
{
    assert_true(yl_marker_is(YL_STR("+optional")));
    assert_false(yl_marker_is(YL_STR("+")));
    assert_false(yl_marker_is(YL_STR("+ optional")));
    assert_false(yl_marker_is(YL_STR("optional")));
    assert_false(yl_marker_is(YL_STR("+1 and more")));
    assert_true(yl_marker_is_name(YL_STR("+kind=Foo")));
    assert_false(yl_marker_is_name(YL_STR("+genclient")));
    assert_true(yl_marker_is_transparent(YL_STR("+transparent")));
}

TEST(file_markers_are_told_from_others)
{
    assert_non_null(yl_marker_of_file(YL_STR("+groupName=x")));
    assert_non_null(yl_marker_of_file(YL_STR("+k8s:deepcopy-gen=package")));
    assert_null(yl_marker_of_file(YL_STR("+k8s:deepcopy-gen=false")));
    assert_null(yl_marker_of_file(YL_STR("+genclient")));
    assert_null(yl_marker_of_file(YL_STR("+optional")));
    assert_null(yl_marker_of_file(YL_STR("+nonsense")));
}

TEST(unknown_markers_name_the_nearest)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_refused(&t, "+optinal", "demo_types.h:7: unknown marker "
                   "'+optinal'; write '+optional'?");
    assert_refused(&t, "+kubebuilder:validation:MinLenght=1",
                   "write '+kubebuilder:validation:MinLength'?");
    assert_refused(&t, "+bananas", "unknown marker '+bananas'; \"yuloh help");
    assert_refused(&t, "+optional:x", "unknown marker");
    t = target_of(YL_MARKER_TYPE, t.field->value);
    assert_refused(&t, "+genclient:noStatsu", "'+genclient:noStatus'?");
}

TEST(misplaced_markers_say_where_they_belong)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_refused(&t, "+genclient", "'+genclient' belongs above a struct "
                   "that is a kind");
    assert_refused(&t, "+groupName=x", "belongs at the top of the file");
    assert_refused(&t, "+typeName=x", "belongs above a struct");
    assert_refused(&t, "+k8s:deepcopy-gen=false",
                   "belongs at the top of the file or above a struct");
    t = target_of(YL_MARKER_TYPE, t.field->value);
    assert_refused(&t, "+optional", "belongs above a member");
    assert_refused(&t, "+kubebuilder:validation:Optional",
                   "belongs at the top of the file or above a member");
    t = target_of(YL_MARKER_FILE, t.field->value);
    assert_refused(&t, "+schema={}",
                   "belongs above a struct or above a member");
}

TEST(markers_may_share_a_line)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+optional +protobuf=4 "
                   "+kubebuilder:validation:Pattern=\"a +b +optional\"");
    assert_true(t.marker.optional);
    assert_int_equal(t.field->number, 4);
    assert_string_equal(t.field->value->rules->text, "a +b +optional");
    assert_applies(&t, "+default=a +b");
    assert_string_equal(t.field->default_, "\"a +b\"");
}

TEST(colon_equals_is_equals)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_INT32);
    assert_applies(&t, "+kubebuilder:validation:Minimum:=3");
    assert_int_equal(t.field->value->rules->number, 3);
    assert_applies(&t, "+kubebuilder:default:=4");
    assert_string_equal(t.field->default_, "4");
}

TEST(items_and_values_speak_of_elements)
{
    struct target t;

    begin();
    t = list_of(YL_VALUE_LIST, YL_VALUE_STRING);
    assert_applies(&t, "+kubebuilder:validation:items:MaxLength=5");
    assert_null(t.field->value->rules);
    assert_int_equal(t.field->value->element->rules->op, YL_RULE_MAX_LENGTH);
    assert_applies(&t, "+items:nullable");
    assert_int_equal(t.field->value->element->flags, YL_VALUE_NULLABLE);
    assert_refused(&t, "+values:nullable", "'values:' in '+values:nullable' "
                   "needs a map");
    t = list_of(YL_VALUE_MAP, YL_VALUE_INT32);
    assert_applies(&t, "+kubebuilder:validation:values:Minimum=1");
    assert_int_equal(t.field->value->element->rules->op, YL_RULE_MINIMUM);
    assert_refused(&t, "+kubebuilder:validation:items:Minimum=1",
                   "needs a list");
    t = target_of(YL_MARKER_TYPE, t.field->value);
    assert_refused(&t, "+items:nullable", "needs a list");
}

CODEGEN_END;
