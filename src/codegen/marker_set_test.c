/* Tests of what markers of files, structs and members do to the model. */

#include "codegen/marker_set.h"

#include "codegen_unit.h"

static enum yl_presence
presence(enum yl_value_kind kind, const char *markers, bool pointer,
         bool required)
{
    struct target t = field_of(kind);

    if (markers[0]) {
        assert_applies(&t, markers);
    }
    t.marker.diag = &t.diag;
    yl_marker_settle(&t.marker, pointer);
    assert_int_equal(t.diag.n, 0);
    assert_int_equal(t.field->required, required);
    yl_diag_release(&t.diag);
    return t.field->presence;
}

TEST(presence_follows_markers_and_pointers)
{
    begin();
    assert_int_equal(presence(YL_VALUE_STRING, "", false, true),
                     YL_PRESENCE_ALWAYS);
    assert_int_equal(presence(YL_VALUE_STRING, "+optional", false, false),
                     YL_PRESENCE_OMIT_EMPTY);
    assert_int_equal(presence(YL_VALUE_INT32, "", true, false),
                     YL_PRESENCE_POINTER);
    assert_int_equal(presence(YL_VALUE_INT32, "+required", true, true),
                     YL_PRESENCE_POINTER);
    assert_int_equal(presence(YL_VALUE_INT32, "+json=,always", true, false),
                     YL_PRESENCE_POINTER_ALWAYS);
    assert_int_equal(presence(YL_VALUE_STRING, "+optional +json=,pointer",
                              false, false), YL_PRESENCE_POINTER);
    assert_int_equal(presence(YL_VALUE_STRING, "+json=,pointer,always",
                              false, true), YL_PRESENCE_POINTER_ALWAYS);
    assert_int_equal(presence(YL_VALUE_TIME, "+optional", false, false),
                     YL_PRESENCE_OMIT_ZERO);
    assert_int_equal(presence(YL_VALUE_STRUCT, "+optional +json=,omitzero",
                              false, false), YL_PRESENCE_OMIT_ZERO);
    assert_int_equal(presence(YL_VALUE_STRING, "+optional +json=,always",
                              false, false), YL_PRESENCE_ALWAYS);
    assert_int_equal(presence(YL_VALUE_STRING, "+json=,omitempty", false,
                              true), YL_PRESENCE_OMIT_EMPTY);
}

TEST(settling_finds_contradictions)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+optional");
    assert_applies(&t, "+kubebuilder:validation:Required");
    yl_marker_settle(&t.marker, false);
    assert_non_null(strstr(yl_buf_c_str(&t.diag.text), "both optional and"));
    yl_diag_release(&t.diag);

    t = field_of(YL_VALUE_INT32);
    assert_applies(&t, "+json=,pointer");
    yl_marker_settle(&t.marker, false);
    assert_non_null(strstr(yl_buf_c_str(&t.diag.text), "make 'x' a pointer"));
    yl_diag_release(&t.diag);
}

TEST(files_may_make_fields_optional)
{
    struct target t;

    begin();
    t = target_of(YL_MARKER_FILE, yl_gen_value_new(
        yl_gen_unit_new(arena, "d", "", "v1"), YL_VALUE_STRING));
    assert_applies(&t, "+kubebuilder:validation:Optional");
    assert_true(t.unit->fields_optional);
    t.marker.field = t.field;
    yl_marker_settle(&t.marker, false);
    assert_false(t.field->required);
    t.marker.required = true;
    yl_marker_settle(&t.marker, false);
    assert_true(t.field->required);
}

TEST(files_say_where_they_belong)
{
    struct target t;

    begin();
    t = target_of(YL_MARKER_FILE, yl_gen_value_new(
        yl_gen_unit_new(arena, "d", "", "v1"), YL_VALUE_STRING));
    assert_applies(&t, "+groupName=a.b");
    assert_applies(&t, "+version=v2");
    assert_applies(&t, "+output=ab_v2");
    assert_applies(&t, "+include=yuloh/x.h");
    assert_applies(&t, "+prefix=ab_");
    assert_applies(&t, "+k8s:openapi-model-package=io.ab");
    assert_applies(&t, "+k8s:openapi-gen=true");
    assert_applies(&t, "+k8s:deepcopy-gen=package");
    assert_string_equal(t.unit->group, "a.b");
    assert_string_equal(t.unit->version, "v2");
    assert_string_equal(t.unit->base, "ab_v2");
    assert_string_equal(t.unit->include_as, "yuloh/x.h");
    assert_string_equal(t.unit->prefix, "ab_");
    assert_string_equal(t.unit->openapi_prefix, "io.ab");
}

TEST(structs_have_markers)
{
    struct target t;

    begin();
    t = target_of(YL_MARKER_TYPE, yl_gen_value_new(
        yl_gen_unit_new(arena, "d", "", "v1"), YL_VALUE_STRING));
    assert_applies(&t, "+typeName=HTTPThing");
    assert_string_equal(t.type->name, "HTTPThing");
    assert_string_equal(t.type->openapi_name,
                        "com.example.demo.v1.HTTPThing");
    assert_applies(&t, "+k8s:deepcopy-gen=false");
    assert_true(t.type->no_copy);
    assert_applies(&t, "+k8s:deepcopy-gen=true");
    assert_false(t.type->no_copy);
    assert_refused(&t, "+k8s:deepcopy-gen=package", "is true or false here");
    assert_applies(&t, "+k8s:deepcopy-gen:interfaces=a/b.Object");
    assert_applies(&t, "+structType=atomic");
    assert_int_equal(t.type->topology, YL_TOPOLOGY_ATOMIC);
    assert_applies(&t, "+structType=granular");
    assert_int_equal(t.type->topology, YL_TOPOLOGY_GRANULAR);
    assert_refused(&t, "+structType=set", "is atomic or granular, not 'set'");
    assert_applies(&t, "+kubebuilder:pruning:PreserveUnknownFields");
    assert_int_equal(t.type->flags, YL_VALUE_PRESERVE);
    assert_applies(&t, "+kubebuilder:validation:MinProperties=1");
    assert_applies(&t, "+kubebuilder:validation:XValidation:rule=\"a\"");
    assert_int_equal(t.type->rules->op, YL_RULE_MIN_PROPERTIES);
    assert_string_equal(t.type->rules->next->text, "{\"rule\":\"a\"}");
    assert_null(t.type->kind);
}

TEST(json_is_like_a_tag)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRUCT);
    assert_applies(&t, "+json=clusterIP,omitempty,inline");
    assert_string_equal(t.field->json_name, "clusterIP");
    assert_true(t.marker.inlined);
    assert_applies(&t, "+json=,omitempty");
    assert_string_equal(t.field->json_name, "clusterIP");
    assert_refused(&t, "+json=a,string", "has no 'string'");
    /* The reader sees to "+json=-" alone. */
    assert_refused(&t, "+json=-", "stands on a line of its own");
}

TEST(members_have_markers)
{
    struct target t;

    begin();
    t = list_of(YL_VALUE_LIST, YL_VALUE_STRUCT);
    assert_applies(&t, "+listType=map");
    assert_applies(&t, "+listMapKey=ip");
    assert_applies(&t, "+listMapKey=port");
    assert_string_equal(t.field->value->list_keys, "ip,port");
    assert_int_equal(t.field->value->topology, YL_TOPOLOGY_MAP);
    assert_applies(&t, "+patchStrategy=merge,retainKeys");
    assert_applies(&t, "+patchMergeKey=ip");
    assert_int_equal(t.field->patch, YL_FIELD_MERGE | YL_FIELD_RETAIN_KEYS);
    assert_applies(&t, "+patchStrategy=replace");
    assert_int_equal(t.field->patch & YL_FIELD_REPLACE, YL_FIELD_REPLACE);
    assert_string_equal(t.field->merge_key, "ip");
    assert_refused(&t, "+patchStrategy=mix", "not 'mix'");
    assert_refused(&t, "+listType=bag", "is atomic, set or map, not 'bag'");
    assert_refused(&t, "+mapType=atomic", "needs a map or struct");
    assert_applies(&t, "+nullable");
    assert_applies(&t, "+nullable=false");
    assert_applies(&t, "+kubebuilder:pruning:PreserveUnknownFields");
    assert_int_equal(t.field->value->flags,
                     YL_VALUE_NULLABLE | YL_VALUE_PRESERVE);
    assert_refused(&t, "+nullable=maybe", "is true or false, not 'maybe'");
    assert_refused(&t, "+protobuf=70000", "is 65535 at most");
    assert_applies(&t, "+protobuf=65535");

    t = list_of(YL_VALUE_MAP, YL_VALUE_STRING);
    assert_applies(&t, "+mapType=granular");
    assert_refused(&t, "+mapType=set", "is atomic or granular");
    assert_refused(&t, "+listType=set", "needs a list");
    assert_refused(&t, "+listMapKey=a", "needs a list of structs");
}

TEST(defaults_have_the_type_of_the_field)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+default=Always");
    assert_string_equal(t.field->default_, "\"Always\"");
    assert_applies(&t, "+default=\"5\"");
    assert_refused(&t, "+default=5", "is '5', and 'x' needs a string");
    assert_refused(&t, "+default", "needs a value");
    assert_refused(&t, "+default={a", "needs a value");
    t = list_of(YL_VALUE_LIST, YL_VALUE_STRING);
    assert_applies(&t, "+kubebuilder:default={}");
    assert_string_equal(t.field->default_, "[]");
    assert_applies(&t, "+kubebuilder:default={a,b}");
    assert_refused(&t, "+items:default=a", "belongs to a field");
    assert_refused(&t, "+default=true", "needs a list");
    t = field_of(YL_VALUE_RAW);
    assert_applies(&t, "+default={a: 1}");
    assert_string_equal(t.field->default_, "{\"a\":1}");
}

TEST(rules_fit_what_they_are_about)
{
    static const struct {
        const char *marker;
        enum yl_value_kind good, bad;
    } cases[] = {
        { "Minimum=1", YL_VALUE_INT64, YL_VALUE_STRING },
        { "Maximum=1.5", YL_VALUE_DOUBLE, YL_VALUE_BOOL },
        { "ExclusiveMinimum", YL_VALUE_INT32, YL_VALUE_STRING },
        { "ExclusiveMaximum=true", YL_VALUE_INT32, YL_VALUE_STRUCT },
        { "MultipleOf=2", YL_VALUE_INT32, YL_VALUE_TIME },
        { "MinLength=1", YL_VALUE_STRING, YL_VALUE_INT32 },
        { "MaxLength=1", YL_VALUE_BYTES, YL_VALUE_INT32 },
        { "Pattern=a", YL_VALUE_STRING, YL_VALUE_BOOL },
        { "Format=int64", YL_VALUE_INT64, YL_VALUE_BOOL },
        { "MinItems=1", YL_VALUE_LIST, YL_VALUE_STRING },
        { "MaxItems=1", YL_VALUE_LIST, YL_VALUE_MAP },
        { "UniqueItems=true", YL_VALUE_LIST, YL_VALUE_MAP },
        { "MinProperties=1", YL_VALUE_MAP, YL_VALUE_LIST },
        { "MaxProperties=1", YL_VALUE_STRUCT, YL_VALUE_LIST },
        { "Minimum=1", YL_VALUE_INT_OR_STRING, YL_VALUE_LIST },
    };
    size_t i;

    begin();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        const char *marker = yl_arena_printf(
            arena, "+kubebuilder:validation:%s", cases[i].marker);
        struct target t = field_of(cases[i].good);

        assert_applies(&t, marker);
        assert_non_null(t.field->value->rules);
        assert_refused(&t, marker, "stands twice");
        t = field_of(cases[i].bad);
        assert_refused(&t, marker, "does not fit the type of 'x'");
    }
}

TEST(rules_keep_their_arguments)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+kubebuilder:validation:Enum=A;\"B C\";\"\"");
    assert_string_equal(t.field->value->rules->text,
                        "[\"A\",\"B C\",\"\"]");
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+kubebuilder:validation:Enum={A,B}");
    assert_string_equal(t.field->value->rules->text, "[\"A\",\"B\"]");
    t = field_of(YL_VALUE_INT32);
    assert_applies(&t, "+kubebuilder:validation:Enum=1;2");
    assert_string_equal(t.field->value->rules->text, "[1,2]");
    assert_applies(&t, "+kubebuilder:validation:ExclusiveMinimum=false");
    assert_null(t.field->value->rules->next);
    assert_applies(&t, "+kubebuilder:example=4");
    assert_applies(&t, "+kubebuilder:title=\"A title\"");
    assert_applies(&t, "+schema={\"not\":{\"enum\":[7]}}");
    assert_applies(&t, "+schema={\"x-y\":1}");
    assert_refused(&t, "+schema=1", "needs an object of keywords");
    assert_refused(&t, "+kubebuilder:validation:Enum=", "needs a list");
    assert_refused(&t, "+kubebuilder:validation:Enum={k: v}",
                   "needs a list");
    assert_refused(&t, "+kubebuilder:validation:Enum=a;\"b",
                   "needs a list");
    assert_refused(&t, "+kubebuilder:validation:Minimum=low",
                   "needs a number, not 'low'");
    assert_refused(&t, "+protobuf=1.5", "needs a whole number");
    assert_refused(&t, "+optional=maybe", "takes no argument");
    assert_refused(&t, "+json=\"a", "has a quote that is not closed");
}

TEST(cel_rules_become_json)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+kubebuilder:validation:XValidation:rule=\"self != "
                   "'a,b'\",message=\"not so\",optionalOldSelf=true");
    assert_string_equal(t.field->value->rules->text,
                        "{\"rule\":\"self != 'a,b'\",\"message\":\"not so\","
                        "\"optionalOldSelf\":true}");
    assert_applies(&t, "+kubebuilder:validation:XValidation:rule=`a`");
    assert_refused(&t, "+kubebuilder:validation:XValidation:rul=`a`",
                   "has 'rul=`a`'");
    assert_refused(&t, "+kubebuilder:validation:XValidation:message=a",
                   "needs rule=");
    assert_refused(&t, "+kubebuilder:validation:XValidation", "needs rule=");
}

CODEGEN_END;
