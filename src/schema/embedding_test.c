/* Tests of what Go embeds. */

#include "schema/embedding.h"

#include "unit.h"

TEST(embedded_structs_are_known_by_their_fields)
{
    const struct yl_embedding *volume = yl_embedding_of("Volume");
    const struct yl_embedding *probe = yl_embedding_of("Probe");

    assert_string_equal(volume->embedded, "VolumeSource");
    assert_int_equal(volume->number, 2);
    assert_true(yl_embedding_has(volume, YL_STR("hostPath")));
    assert_false(yl_embedding_has(volume, YL_STR("name")));
    assert_string_equal(probe->embedded, "ProbeHandler");
    assert_true(yl_embedding_has(probe, YL_STR("exec")));
    assert_true(yl_embedding_has(probe, YL_STR("tcpSocket")));
    assert_false(yl_embedding_has(probe, YL_STR("periodSeconds")));
}

TEST(what_is_embedded_may_embed)
{
    const struct yl_embedding *outer
        = yl_embedding_of("NamedRuleWithOperations");

    assert_true(yl_embedding_has(outer, YL_STR("scope")));
    assert_true(yl_embedding_has(outer, YL_STR("operations")));
    assert_false(yl_embedding_has(outer, YL_STR("resourceNames")));
    assert_string_equal(yl_embedding_of(outer->embedded)->embedded, "Rule");
}

TEST(most_structs_embed_nothing)
{
    assert_null(yl_embedding_of("Pod"));
    assert_false(yl_embedding_has(NULL, YL_STR("name")));
}
