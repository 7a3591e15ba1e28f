/* Tests of the markers of kinds. */

#include "codegen/marker_set.h"

#include "codegen_unit.h"

static struct target
kind_target(void)
{
    return target_of(YL_MARKER_TYPE, yl_gen_value_new(
        yl_gen_unit_new(arena, "d", "", "v1"), YL_VALUE_STRING));
}

TEST(markers_make_kinds)
{
    static const char *const markers[] = {
        "+genclient", "+genclient:noStatus", "+genclient:nonNamespaced",
        "+kind", "+kubebuilder:object:root=true",
        "+kubebuilder:subresource:status", "+kubebuilder:storageversion",
        "+kubebuilder:unservedversion", "+kubebuilder:deprecatedversion",
        "+kubebuilder:resource:path=things",
    };
    struct target t;
    size_t i;

    begin();
    for (i = 0; i < YL_ARRAY_SIZE(markers); i++) {
        t = kind_target();
        assert_applies(&t, markers[i]);
        assert_non_null(t.type->kind);
    }
    t = kind_target();
    assert_applies(&t, "+kubebuilder:object:root=false");
    assert_null(t.type->kind);
}

TEST(kinds_have_names)
{
    struct target t;

    begin();
    t = kind_target();
    assert_applies(&t, "+kind=CSINode");
    assert_string_equal(t.type->kind->name, "CSINode");
    assert_string_equal(t.type->kind->list_name, "CSINodeList");
    assert_string_equal(t.type->kind->singular, "csinode");
    assert_string_equal(t.type->kind->plural, "csinodes");
    assert_refused(&t, "+kind=Other", "stands twice");
    assert_applies(&t, "+kubebuilder:resource:path=nodes,singular=node,"
                   "shortName=n;no,categories={all,\"x y\"},scope=Cluster");
    assert_string_equal(t.type->kind->plural, "nodes");
    assert_string_equal(t.type->kind->singular, "node");
    assert_string_equal(t.type->kind->short_names->next->text, "no");
    assert_string_equal(t.type->kind->categories->next->text, "x y");
    assert_true(t.type->kind->cluster_scoped);
    assert_applies(&t, "+kubebuilder:resource:scope=Namespaced");
    assert_refused(&t, "+kubebuilder:resource:scope=Global",
                   "has no scope 'Global'");
    assert_refused(&t, "+kubebuilder:resource:plural=x", "has no 'plural'");
    assert_refused(&t, "+kubebuilder:resource:shortName=\"a",
                   "a quote is not closed");
}

TEST(kinds_have_columns)
{
    struct yl_gen_column *column;
    struct target t;

    begin();
    t = kind_target();
    assert_applies(&t, "+kubebuilder:printcolumn:name=\"Ready, now\",type="
                   "integer,JSONPath=`.status.n`,description=\"How many\","
                   "format=int32,priority=1");
    column = t.type->kind->columns;
    assert_string_equal(column->name, "Ready, now");
    assert_string_equal(column->type, "integer");
    assert_string_equal(column->json_path, ".status.n");
    assert_string_equal(column->description, "How many");
    assert_string_equal(column->format, "int32");
    assert_int_equal(column->priority, 1);
    assert_refused(&t, "+kubebuilder:printcolumn:name=A",
                   "needs name=, type= and JSONPath=");
    assert_refused(&t, "+kubebuilder:printcolumn:name=A,type=b,JSONPath=.c,"
                   "priority=low", "has a priority of 'low'");
    assert_refused(&t, "+kubebuilder:printcolumn:name=A,type=b,JSONPath=.c,"
                   "width=3", "has no 'width'");
}

TEST(kinds_have_subresources)
{
    struct target t;

    begin();
    t = kind_target();
    assert_applies(&t, "+kubebuilder:subresource:status");
    assert_true(t.type->kind->status);
    assert_applies(&t, "+kubebuilder:subresource:scale:specpath=.spec.n,"
                   "statuspath=.status.n,selectorpath=.status.s");
    assert_string_equal(t.type->kind->scale_spec, ".spec.n");
    assert_string_equal(t.type->kind->scale_status, ".status.n");
    assert_string_equal(t.type->kind->scale_selector, ".status.s");
    t = kind_target();
    assert_refused(&t, "+kubebuilder:subresource:scale:specpath=.a",
                   "needs specpath= and statuspath=");
    assert_refused(&t, "+kubebuilder:subresource:scale:path=.a",
                   "has no 'path'");
}

TEST(kinds_have_versions_and_metadata)
{
    struct target t;

    begin();
    t = kind_target();
    assert_applies(&t, "+kubebuilder:storageversion");
    assert_true(t.type->kind->storage && t.type->kind->storage_said);
    assert_applies(&t, "+kubebuilder:unservedversion");
    assert_true(t.type->kind->unserved);
    assert_applies(&t, "+kubebuilder:deprecatedversion:warning=\"use v2\"");
    assert_string_equal(t.type->kind->deprecation, "use v2");
    assert_refused(&t, "+kubebuilder:deprecatedversion:reason=x",
                   "has no 'reason'");
    assert_applies(&t, "+kubebuilder:selectablefield:JSONPath=.spec.a");
    assert_string_equal(t.type->kind->selectable->text, ".spec.a");
    assert_refused(&t, "+kubebuilder:selectablefield:path=.a",
                   "has no 'path'");
    assert_applies(&t, "+kubebuilder:metadata:annotations=\"a=b\";\"c=d\","
                   "labels=\"e=f\"");
    assert_string_equal(t.type->kind->annotations->text, "a=b");
    assert_string_equal(t.type->kind->annotations->next->text, "c=d");
    assert_string_equal(t.type->kind->labels->text, "e=f");
    assert_refused(&t, "+kubebuilder:metadata:name=x", "has no 'name'");
    assert_applies(&t, "+genclient");
    assert_applies(&t, "+genclient:noStatus");
    assert_applies(&t, "+genclient:nonNamespaced");
    assert_true(t.type->kind->client && t.type->kind->client_no_status
                && t.type->kind->cluster_scoped);
}

CODEGEN_END;
