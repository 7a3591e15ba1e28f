/* Tests of the markers that say how Go's own types differ from JSON. */

#include "codegen/marker_set.h"

#include "codegen_unit.h"

TEST(fields_have_names_and_types_in_go)
{
    struct target t;

    begin();
    t = field_of(YL_VALUE_STRING);
    assert_applies(&t, "+goType=v1.PullPolicy +internal:name=RBDImage");
    assert_applies(&t, "+internal:after=y");
    assert_applies(&t, "+internal:in=z");
    assert_string_equal(t.field->go.type, "v1.PullPolicy");
    assert_string_equal(t.field->go.name, "RBDImage");
    assert_string_equal(t.field->go.after, "y");
    assert_string_equal(t.field->go.in, "z");
    assert_false(t.field->go.absent || t.field->go.value);
    assert_applies(&t, "+internal:absent +internal:value");
    assert_true(t.field->go.absent && t.field->go.value);
    t = list_of(YL_VALUE_MAP, YL_VALUE_STRING);
    assert_applies(&t, "+goType=map[v1.ResourceName]v1.ClaimResourceStatus");
    assert_string_equal(t.field->go.type,
                        "map[v1.ResourceName]v1.ClaimResourceStatus");
    assert_refused(&t, "+goType", "needs a name");
    assert_refused(&t, "+internal:after=", "needs a name");
    assert_refused(&t, "+internal:value=3", "takes no argument");
    assert_refused(&t, "+internal:none", "belongs");
}

TEST(structs_embed_runs_of_members)
{
    struct target t;

    begin();
    t = target_of(YL_MARKER_TYPE, field_of(YL_VALUE_STRING).field->value);
    assert_applies(&t, "+embeds:name=Outer,protobuf=2,first=a,last=z");
    assert_applies(&t, "+embeds:name=Inner,first=b,last=c");
    assert_string_equal(t.type->embeddings->name, "Outer");
    assert_int_equal(t.type->embeddings->number, 2);
    assert_string_equal(t.type->embeddings->first, "a");
    assert_string_equal(t.type->embeddings->next->last, "c");
    assert_null(t.type->embeddings->next->next);
    assert_refused(&t, "+embeds:name=X,first=a", "needs name=");
    assert_refused(&t, "+embeds:name=X,first=a,last=b,from=c",
                   "has no 'from'");
}

CODEGEN_END;
