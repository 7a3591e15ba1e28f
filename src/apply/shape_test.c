/* Tests of shapes. */

#include "apply/shape.h"

#include "apply_unit.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"

/* The shape at the end of a path; "[]" is an item. */
static struct yl_shape
shape_at(struct yl_typed_as as, const char *path)
{
    struct yl_shape shape = yl_shape_root(as);
    struct yl_str rest = yl_str_c(path), name;
    bool declared;

    while (rest.data) {
        if (!yl_str_cut(rest, '.', &name, &rest)) {
            name = rest;
            rest = yl_str_null();
        }
        shape = yl_str_equal_c(name, "[]")
                    ? yl_shape_item(&shape)
                    : yl_shape_member(&shape, name, NULL, &declared);
    }
    return shape;
}

static void
check_kind(const struct yl_kind *kind, const char *path, unsigned scalar,
           unsigned list, unsigned map, const char *keys)
{
    struct yl_typed_as as = { .type = yl_kind_type(kind) };
    struct yl_shape shape = shape_at(as, path);

    assert_int_equal(shape.scalar, scalar);
    assert_int_equal(shape.list, list);
    assert_int_equal(shape.map, map);
    if (keys) {
        assert_string_equal(shape.keys, keys);
    }
}

TEST(built_in_kinds_have_the_shapes_of_upstreams_openapi)
{
    const struct yl_kind *pod = &core_v1_pod_kind;

    check_kind(pod, "apiVersion", YL_SHAPE_STRING, 0, 0, NULL);
    check_kind(pod, "metadata.labels", 0, 0, YL_MAP_GRANULAR, NULL);
    check_kind(pod, "metadata.creationTimestamp", YL_SHAPE_SCALAR, 0, 0, NULL);
    check_kind(pod, "metadata.managedFields", 0, YL_LIST_ATOMIC, 0, NULL);
    check_kind(pod, "metadata.ownerReferences", 0, YL_LIST_MAP, 0, "uid");
    check_kind(pod, "metadata.ownerReferences.[]", 0, 0, YL_MAP_ATOMIC, NULL);
    check_kind(pod, "spec.containers", 0, YL_LIST_MAP, 0, "name");
    check_kind(pod, "spec.containers.[].ports", 0, YL_LIST_MAP, 0,
               "containerPort,protocol");
    check_kind(pod, "spec.containers.[].command", 0, YL_LIST_ATOMIC, 0, NULL);
    check_kind(pod, "spec.containers.[].resources.limits.cpu",
               YL_SHAPE_SCALAR, 0, 0, NULL);
    check_kind(pod, "spec.nodeSelector", 0, 0, YL_MAP_ATOMIC, NULL);
    check_kind(pod, "spec.hostNetwork", YL_SHAPE_BOOL, 0, 0, NULL);
    check_kind(pod, "spec.activeDeadlineSeconds", YL_SHAPE_NUMBER, 0, 0, NULL);
    check_kind(pod, "status.hostIPs", 0, YL_LIST_ATOMIC, 0, NULL);
    check_kind(pod, "status.podIPs", 0, YL_LIST_MAP, 0, "ip");
    check_kind(&core_v1_service_kind, "spec.ports.[].targetPort",
               YL_SHAPE_SCALAR, YL_LIST_ATOMIC, YL_MAP_GRANULAR, NULL);
    check_kind(&core_v1_service_kind, "spec.selector", 0, 0, YL_MAP_ATOMIC,
               NULL);
    check_kind(&apps_v1_deployment_kind, "spec.selector", 0, 0, YL_MAP_ATOMIC,
               NULL);
    check_kind(&apps_v1_controller_revision_kind, "data", YL_SHAPE_SCALAR,
               YL_LIST_ATOMIC, YL_MAP_ATOMIC, NULL);
    check_kind(&apps_v1_stateful_set_kind,
               "spec.volumeClaimTemplates.[].kind", YL_SHAPE_STRING, 0, 0,
               NULL);
    check_kind(&core_v1_pod_kind, "spec.none", 0, 0, 0, NULL);
    check_kind(&apiextensions_v1_custom_resource_definition_kind,
               "spec.versions.[].schema.openAPIV3Schema.default",
               YL_SHAPE_SCALAR, YL_LIST_ATOMIC, YL_MAP_GRANULAR, NULL);
    check_kind(&apiextensions_v1_custom_resource_definition_kind,
               "spec.versions.[].subresources.status", 0, 0, YL_MAP_GRANULAR,
               NULL);
}

TEST(unknown_members_are_kept_below_what_preserves_them)
{
    struct yl_shape shape;
    struct apply_unit u;

    apply_init(&u, "{'type':'object','properties':{'p':{'type':'object',"
                   "'x-kubernetes-preserve-unknown-fields':true,'properties':"
                   "{'q':{'type':'object','properties':{'r':{'type':'string'"
                   "}}}}},'o':{'type':'object','properties':{'r':{'type':"
                   "'string','format':'date'}}}}}");
    shape = shape_at(u.as, "p.q.x");
    assert_false(yl_shape_is_none(&shape));
    shape = shape_at(u.as, "o.x");
    assert_true(yl_shape_is_none(&shape));
    shape = shape_at(u.as, "o.r");
    assert_int_equal(shape.scalar, YL_SHAPE_SCALAR);
    shape = shape_at(u.as, "metadata.x");
    assert_true(yl_shape_is_none(&shape));
    u.as.preserve = true;
    shape = shape_at(u.as, "o.x");
    assert_false(yl_shape_is_none(&shape));
    shape = shape_at(u.as, "metadata.x");
    assert_false(yl_shape_is_none(&shape));
    apply_release(&u);
}

TEST(without_a_schema_everything_is_deduced)
{
    struct yl_typed_as as = { .custom = true };
    struct yl_shape shape = shape_at(as, "metadata.finalizers");

    assert_int_equal(shape.list, YL_LIST_ATOMIC);
    assert_int_equal(shape.map, YL_MAP_GRANULAR);
    shape = shape_at(as, "spec.a.b.[].c");
    assert_int_equal(shape.map, YL_MAP_ATOMIC);
}

TEST(a_hint_changes_nothing_but_the_time)
{
    struct yl_typed_as as = { .type = yl_kind_type(&core_v1_pod_kind) };
    static const char *const names[] = { "volumes", "containers", "hostIPC",
                                         "nodeName", "zzz", "affinity" };
    struct yl_shape root = yl_shape_root(as), spec;
    size_t hint = 0, i;
    bool declared;

    spec = yl_shape_member(&root, YL_STR("spec"), &hint, &declared);
    hint = 0;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct yl_shape a, b;
        bool other;

        a = yl_shape_member(&spec, yl_str_c(names[i]), &hint, &declared);
        b = yl_shape_member(&spec, yl_str_c(names[i]), NULL, &other);
        assert_int_equal(declared, other);
        assert_int_equal(a.list, b.list);
        assert_int_equal(a.map, b.map);
        assert_ptr_equal(a.type, b.type);
    }
}
