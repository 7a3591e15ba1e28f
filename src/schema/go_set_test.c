/* Tests of schema/go_set.h, on the tables of the built-in kinds. */

#include "schema/go_set.h"

#include "all_kinds.h"
#include "gen/core_v1_go.h"
#include "unit.h"

static struct yl_type_ref
type_of(const struct yl_type_set *set, const char *name)
{
    struct yl_type_ref type = { set, NULL };
    size_t i;

    for (i = 1; i < set->n_types; i++) {
        if (!strcmp(yl_type_set_text(set, set->types[i].name), name)) {
            type.type = &set->types[i];
        }
    }
    assert_non_null(type.type);
    return type;
}

static const char *
name_of(const struct yl_type_set *set, const char *type, const char *field)
{
    const struct yl_field *f = yl_type_field(type_of(set, type),
                                             yl_str_c(field));

    assert_non_null(f);
    return yl_go_field_type(set, f);
}

TEST(every_built_in_set_has_one)
{
    size_t i;

    for (i = 0; i < N_ALL_KINDS; i++) {
        assert_ptr_equal(yl_go_set_of(all_kinds[i])->set, all_kinds[i]);
    }
    assert_true(yl_go_set_of(&meta_v1_types)->tagged);
    assert_false(yl_go_set_of(&core_v1_types)->tagged);
}

TEST(types_of_strings_have_names)
{
    assert_string_equal(name_of(&core_v1_types, "Container",
                                "imagePullPolicy"), "v1.PullPolicy");
    assert_string_equal(name_of(&core_v1_types, "Capabilities", "add"),
                        "[]v1.Capability");
    assert_string_equal(name_of(&autoscaling_v2_types, "MetricSpec", "type"),
                        "v2.MetricSourceType");
    assert_string_equal(name_of(&meta_v1_types, "ObjectMeta", "uid"),
                        "types.UID");
    assert_string_equal(name_of(&flowcontrol_v1_types, "Subject", "kind"),
                        "v1.SubjectKind");
    assert_null(name_of(&rbac_v1_types, "Subject", "kind"));
    assert_null(name_of(&core_v1_types, "Container", "image"));
}

TEST(elements_are_named_in_the_name)
{
    assert_string_equal(yl_go_element_type("[]v1.Capability"),
                        "v1.Capability");
    assert_string_equal(yl_go_element_type("map[v1.ResourceName]v1.X"),
                        "v1.X");
    assert_null(yl_go_element_type("v1.Verbs"));
    assert_null(yl_go_element_type(NULL));
}

TEST(embedded_structs_are_known_by_their_fields)
{
    struct yl_type_ref volume = type_of(&core_v1_types, "Volume");

    assert_string_equal(yl_go_embedding_name(volume, 1), "VolumeSource");
    assert_int_equal(yl_go_embedding(volume, 1)->number, 2);
    assert_int_equal(yl_go_field_of(
        volume.set, yl_type_field(volume, YL_STR("hostPath")))->depth, 1);
    assert_int_equal(yl_go_field_of(
        volume.set, yl_type_field(volume, YL_STR("name")))->depth, 0);
}

TEST(what_is_embedded_may_embed)
{
    struct yl_type_ref outer = type_of(&admissionregistration_v1_types,
                                       "NamedRuleWithOperations");

    assert_string_equal(yl_go_embedding_name(outer, 1), "RuleWithOperations");
    assert_string_equal(yl_go_embedding_name(outer, 2), "Rule");
    assert_null(yl_go_embedding(outer, 3));
    assert_int_equal(yl_go_field_of(
        outer.set, yl_type_field(outer, YL_STR("scope")))->depth, 2);
    assert_int_equal(yl_go_field_of(
        outer.set, yl_type_field(outer, YL_STR("operations")))->depth, 1);
}

TEST(most_structs_embed_nothing)
{
    struct yl_type_ref pod = type_of(&core_v1_types, "Pod");

    assert_null(yl_go_embedding(pod, 1));
    assert_string_equal(yl_go_embedding_name(pod, 1), "");
}

TEST(types_have_numbers_for_messages)
{
    struct yl_go_type type = YL_GO(core_v1, pod_spec);

    assert_string_equal(
        yl_type_set_text(&core_v1_types,
                         core_v1_types.types[type.type].name), "PodSpec");
}
