/* Tests of the kinds of storage.k8s.io. */

#include "builtin_case.h"

#define CLASS(MORE)                                                           \
    "{'provisioner':'example.com/p'" MORE "}"

#define DRIVER(MORE)                                                          \
    "{'spec':{" MORE "}}"

#define NODE(MORE)                                                            \
    "{'spec':{'drivers':[{" MORE "}]}}"

#define ATTACH(MORE)                                                          \
    "{'spec':{'attacher':'a.example.com','nodeName':'n','source':{" MORE      \
    "}}}"

TEST(classes_get_defaults)
{
    CASE_DEFAULT("StorageClass", CLASS(""),
                 "{'provisioner':'example.com/p','reclaimPolicy':'Delete',"
                 "'volumeBindingMode':'Immediate'}");
}

TEST(classes_are_checked)
{
    static const struct builtin_case cases[] = {
        { CLASS(""), "" },
        { "{}", "provisioner: Required value\n" },
        { CLASS(",'provisioner':'a b'"),
          "provisioner: Invalid value: \"a b\": " CASE_NAME_PART "\n" },
        { CLASS(",'parameters':{'':'x'}"),
          "parameters: Invalid value: \"\": field can not be empty.\n" },
        { CLASS(",'reclaimPolicy':'Recycle','volumeBindingMode':'X'"),
          "reclaimPolicy: Unsupported value: \"Recycle\": supported values: "
          "\"Delete\", \"Retain\"\n"
          "volumeBindingMode: Unsupported value: \"X\": supported values: "
          "\"Immediate\", \"WaitForFirstConsumer\"\n" },
        { CLASS(",'allowedTopologies':[{'matchLabelExpressions':[{'key':'a',"
                "'values':['x']}]}]"),
          "" },
        { CLASS(",'allowedTopologies':[{'matchLabelExpressions':[{'key':'a "
                "b','values':['x','x']},{'key':'a'},{'key':'a',"
                "'values':['x']}]}]"),
          "allowedTopologies[0].matchLabelExpressions[0].values[1]: "
          "Duplicate value: \"x\"\n"
          "allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "
          "\"a b\": " CASE_NAME_PART "\n"
          "allowedTopologies[0].matchLabelExpressions[1].values: Required "
          "value\n"
          "allowedTopologies[0].matchLabelExpressions[2].key: Duplicate "
          "value: \"a\"\n" },
        { CLASS(",'allowedTopologies':[{'matchLabelExpressions':[{'key':'a',"
                "'values':['x']}]},{'matchLabelExpressions':[{'key':'a',"
                "'values':['x']}]}]"),
          "allowedTopologies[1].matchLabelExpressions: Duplicate value: "
          "\"\"\n" },
    };

    CASE_RUN("StorageClass", cases);
}

TEST(classes_keep_what_they_make)
{
    static const struct builtin_update cases[] = {
        { CLASS(""),
          CLASS(",'allowVolumeExpansion':true,'mountOptions':['a']"),
          "" },
        { CLASS(""),
          "{'provisioner':'b','parameters':{'a':'b'},"
          "'reclaimPolicy':'Retain','volumeBindingMode':"
          "'WaitForFirstConsumer'}",
          "parameters: Invalid value: {\"a\":\"b\"}: field is immutable\n"
          "provisioner: Invalid value: \"b\": field is immutable\n"
          "reclaimPolicy: Invalid value: \"Retain\": field is immutable\n"
          "volumeBindingMode: Invalid value: \"WaitForFirstConsumer\": "
          "field is immutable\n" },
    };

    CASE_RUN_UPDATES("StorageClass", cases);
}

TEST(classes_of_attributes_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'driverName':'d','parameters':{'a':'b'}}", "" },
        { "{}",
          "driverName: Required value\n"
          "parameters: Required value: must contain at least one key/value "
          "pair\n" },
    };

    CASE_RUN("VolumeAttributesClass", cases);
}

TEST(classes_of_attributes_do_not_change)
{
    static const struct builtin_update cases[] = {
        { "{'driverName':'d','parameters':{'a':'b'}}",
          "{'driverName':'d','parameters':{'a':'b'}}",
          "" },
        { "{'driverName':'d','parameters':{'a':'b'}}",
          "{'driverName':'e'}",
          "driverName: Forbidden: updates to driverName are forbidden.\n"
          "parameters: Forbidden: updates to parameters are forbidden.\n"
          "parameters: Required value: must contain at least one key/value "
          "pair\n" },
    };

    CASE_RUN_UPDATES("VolumeAttributesClass", cases);
}

TEST(drivers_get_defaults)
{
    CASE_DEFAULT("CSIDriver", "{}",
                 "{'spec':{'attachRequired':true,"
                 "'fsGroupPolicy':'ReadWriteOnceWithFSType',"
                 "'podInfoOnMount':false,'requiresRepublish':false,"
                 "'seLinuxMount':false,'storageCapacity':false,"
                 "'volumeLifecycleModes':['Persistent']}}");
}

TEST(drivers_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { DRIVER("'fsGroupPolicy':'X','volumeLifecycleModes':['X',"
                 "'Ephemeral']"),
          "spec.fsGroupPolicy: Unsupported value: \"X\": supported values: "
          "\"File\", \"None\", \"ReadWriteOnceWithFSType\"\n"
          "spec.volumeLifecycleModes: Unsupported value: \"X\": supported "
          "values: \"Persistent\", \"Ephemeral\"\n" },
        { DRIVER("'tokenRequests':[{'audience':'a','expirationSeconds':1},"
                 "{'audience':'a'},{'audience':'b',"
                 "'expirationSeconds':4294967297},{'audience':'c',"
                 "'expirationSeconds':600}]"),
          "spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may "
          "not specify a duration less than 10 minutes\n"
          "spec.tokenRequests[1].audience: Duplicate value: \"a\"\n"
          "spec.tokenRequests[2].expirationSeconds: Invalid value: "
          "4294967297: may not specify a duration larger than 2^32 seconds\n"
          "" },
        { DRIVER("'nodeAllocatableUpdatePeriodSeconds':9"),
          "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must "
          "be greater than or equal to 10 seconds\n" },
        { DRIVER("'serviceAccountTokenInSecrets':true"),
          "spec.serviceAccountTokenInSecrets: Invalid value: true: "
          "serviceAccountTokenInSecrets is set but no tokenRequests are "
          "specified\n" },
        { DRIVER("'serviceAccountTokenInSecrets':true,"
                 "'tokenRequests':[{'audience':''}],"
                 "'nodeAllocatableUpdatePeriodSeconds':10"),
          "" },
    };

    CASE_RUN("CSIDriver", cases);
}

TEST(drivers_keep_how_they_attach)
{
    static const struct builtin_update cases[] = {
        { "{}", DRIVER("'podInfoOnMount':true"), "" },
        { "{}",
          DRIVER("'attachRequired':false,'volumeLifecycleModes':"
                 "['Ephemeral']"),
          "spec.attachedRequired: Invalid value: false: field is immutable\n"
          "spec.volumeLifecycleModes: Invalid value: [\"Ephemeral\"]: field "
          "is immutable\n" },
    };

    CASE_RUN_UPDATES("CSIDriver", cases);
}

TEST(drivers_of_nodes_are_checked)
{
    static const struct builtin_case cases[] = {
        { NODE("'name':'d','nodeID':'n','topologyKeys':['a'],"
               "'allocatable':{'count':1}"),
          "" },
        { NODE(""),
          "spec.drivers[0].name: Required value\n"
          "spec.drivers[0].nodeID: Required value\n" },
        { NODE("'name':'d','nodeID':'n'},{'name':'d','nodeID':'m',"
               "'allocatable':{'count':-1}"),
          "spec.drivers[1].allocatable.count: Invalid value: -1: must be "
          "greater than or equal to 0\n"
          "spec.drivers[1].name: Duplicate value: \"d\"\n" },
        { NODE("'name':'d_','nodeID':'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"),
          "spec.drivers[0].name: Invalid value: \"d_\": " CASE_SUBDOMAIN "\n"
          "spec.drivers[0].nodeID: Invalid value: "
          "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\": "
          "must be 256 characters or less\n" },
        { NODE("'name':'d','nodeID':'n','topologyKeys':['','a','a','a b']"),
          "spec.drivers[0]: Required value\n"
          "spec.drivers[0]: Invalid value: \"\": name part must be "
          "non-empty\n"
          "spec.drivers[0]: Invalid value: \"\": " CASE_NAME_PART "\n"
          "spec.drivers[0]: Duplicate value: \"a\"\n"
          "spec.drivers[0]: Invalid value: \"a b\": " CASE_NAME_PART "\n" },
    };

    CASE_RUN("CSINode", cases);
}

TEST(drivers_of_nodes_stay_what_they_are)
{
    static const struct builtin_update cases[] = {
        { NODE("'name':'d','nodeID':'n'"),
          NODE("'name':'e','nodeID':'m'"),
          "" },
        { NODE("'name':'d','nodeID':'n'"),
          NODE("'name':'d','nodeID':'n','allocatable':{'count':3}"),
          "" },
        { NODE("'name':'d','nodeID':'n'"),
          NODE("'name':'d','nodeID':'m','topologyKeys':['a']"),
          "spec.drivers: Invalid value: {\"Name\":\"d\",\"NodeID\":\"m\","
          "\"TopologyKeys\":[\"a\"],\"Allocatable\":null}: field is "
          "immutable\n" },
    };

    CASE_RUN_UPDATES("CSINode", cases);
}

TEST(capacities_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'storageClassName':'a','capacity':'1Gi'}", "" },
        { "{'storageClassName':'A','capacity':'-1',"
          "'nodeTopology':{'matchLabels':{'a b':'c'}}}",
          "nodeTopology.matchLabels: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "storageClassName: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "capacity: Invalid value: \"-1\": must be greater than or equal to "
          "0\n" },
    };

    CASE_RUN("CSIStorageCapacity", cases);
}

TEST(capacities_are_of_one_class)
{
    static const struct builtin_update cases[] = {
        { "{'storageClassName':'a','capacity':'1Gi'}",
          "{'storageClassName':'a','capacity':'2Gi'}",
          "" },
        { "{'storageClassName':'a'}",
          "{'storageClassName':'b','nodeTopology':{}}",
          "nodeTopology: Invalid value: {}: field is immutable\n"
          "storageClassName: Invalid value: \"b\": field is immutable\n" },
    };

    CASE_RUN_UPDATES("CSIStorageCapacity", cases);
}

TEST(attachments_are_checked)
{
    static const struct builtin_case cases[] = {
        { ATTACH("'persistentVolumeName':'pv'"), "" },
        { ATTACH(""),
          "spec.source: Required value: must specify exactly one of "
          "inlineVolumeSpec and persistentVolumeName\n" },
        { ATTACH("'persistentVolumeName':''"),
          "spec.source.persistentVolumeName: Required value: must specify "
          "non empty persistentVolumeName\n"
          "spec.source.persistentVolumeName: Invalid value: \"\": "
          CASE_SUBDOMAIN "\n" },
        { ATTACH("'persistentVolumeName':'A'"),
          "spec.source.persistentVolumeName: Invalid value: \"A\": "
          CASE_SUBDOMAIN "\n" },
        { ATTACH("'persistentVolumeName':'pv','inlineVolumeSpec':{}"),
          "spec.source: Forbidden: must specify exactly one of "
          "inlineVolumeSpec and persistentVolumeName\n" },
        { ATTACH("'inlineVolumeSpec':{'accessModes':['ReadWriteOnce'],"
                 "'csi':{'driver':'d','volumeHandle':'h'}}"),
          "" },
        { ATTACH("'inlineVolumeSpec':{'claimRef':{'name':'c'},"
                 "'capacity':{'storage':'1Gi'},"
                 "'persistentVolumeReclaimPolicy':'Delete',"
                 "'nodeAffinity':{},'storageClassName':'a',"
                 "'volumeMode':'Block'}"),
          "spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be "
          "specified in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec.capacity: Forbidden: may not be "
          "specified in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec.csi: Required value: has to be "
          "specified in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec.accessModes: Required value\n"
          "spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: "
          "Forbidden: may only be Retain in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be "
          "specified in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec: Required value: must specify a "
          "volume type\n"
          "spec.source.inlineVolumeSpec.storageClassName: Forbidden: may "
          "not be specified in the context of inline volumes\n"
          "spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not "
          "specify volumeMode other than Filesystem in the context of "
          "inline volumes\n" },
        { "{'spec':{'attacher':'a b','source':{'persistentVolumeName':'pv'}}"
          "}",
          "spec.attacher: Invalid value: \"a b\": " CASE_SUBDOMAIN "\n"
          "spec.nodeName: Invalid value: \"\": " CASE_SUBDOMAIN "\n" },
    };

    CASE_RUN("VolumeAttachment", cases);
}

TEST(attachments_do_not_change)
{
    static const struct builtin_update cases[] = {
        { ATTACH("'persistentVolumeName':'pv'"),
          ATTACH("'persistentVolumeName':'pv'"),
          "" },
        { ATTACH("'persistentVolumeName':'pv'"),
          ATTACH("'persistentVolumeName':'other'"),
          "spec: Invalid value: {\"Attacher\":\"a.example.com\","
          "\"Source\":{\"PersistentVolumeName\":\"other\","
          "\"InlineVolumeSpec\":null},\"NodeName\":\"n\"}: field is "
          "immutable\n" },
        { ATTACH("'persistentVolumeName':'pv'"),
          ATTACH("'inlineVolumeSpec':{'accessModes':['ReadWriteOnce'],'csi':{"
                 "'driver':'d','volumeHandle':'h'}}"),
          "spec: Invalid value: {\"Attacher\":\"a.example.com\",\"Source\":{"
          "\"PersistentVolumeName\":null,\"InlineVolumeSpec\":{"
          "\"Capacity\":null,\"GCEPersistentDisk\":null,"
          "\"AWSElasticBlockStore\":null,\"HostPath\":null,"
          "\"Glusterfs\":null,\"NFS\":null,\"RBD\":null,\"Quobyte\":null,"
          "\"ISCSI\":null,\"FlexVolume\":null,\"Cinder\":null,"
          "\"CephFS\":null,\"FC\":null,\"Flocker\":null,\"AzureFile\":null,"
          "\"VsphereVolume\":null,\"AzureDisk\":null,"
          "\"PhotonPersistentDisk\":null,\"PortworxVolume\":null,"
          "\"ScaleIO\":null,\"Local\":null,\"StorageOS\":null,\"CSI\":{"
          "\"Driver\":\"d\",\"VolumeHandle\":\"h\",\"ReadOnly\":false,"
          "\"FSType\":\"\",\"VolumeAttributes\":null,"
          "\"ControllerPublishSecretRef\":null,\"NodeStageSecretRef\":null,"
          "\"NodePublishSecretRef\":null,\"ControllerExpandSecretRef\":null,"
          "\"NodeExpandSecretRef\":null},\"AccessModes\":[\"ReadWriteOnce\"],"
          "\"ClaimRef\":null,\"PersistentVolumeReclaimPolicy\":\"\","
          "\"StorageClassName\":\"\",\"MountOptions\":null,"
          "\"VolumeMode\":null,\"NodeAffinity\":null,"
          "\"VolumeAttributesClassName\":null}},\"NodeName\":\"n\"}: field "
          "is immutable\n" },
    };

    CASE_RUN_UPDATES("VolumeAttachment", cases);
}

TEST(errors_of_attachments_are_short)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *object;
    char text[1026];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    object = case_parse(arena, yl_arena_printf(
        arena, "{'metadata':{'name':'a'},'spec':{'attacher':'a','nodeName':"
        "'n','source':{'persistentVolumeName':'pv'}},'status':{'attachError':"
        "{'message':'%s'},'detachError':{'errorCode':-1}}}", text));
    assert_int_equal(yl_builtin_validate(case_kind("VolumeAttachment"), arena,
                                         object, &err), YL_EINVALID);
    assert_string_equal(case_write_causes(arena, &err),
                        "status.attachError.message: Too long: may not be "
                        "more than 262144 bytes\n"
                        "status.detachError.errorCode: Invalid value: -1: "
                        "must be between 0 and 2147483647, inclusive\n");
    yl_arena_free(arena);
}

TEST(parameters_are_bounded)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, CLASS(""));
    struct yl_node *parameters = yl_member_make(arena, object, "parameters");
    struct yl_error err = YL_ERROR_INIT;
    char big[257 * 1024];
    size_t i;

    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    yl_builtin_default(case_kind("StorageClass"), arena, object);
    case_identify(arena, case_kind("StorageClass"), object);
    yl_member_set_str(arena, parameters, "a", big);
    yl_builtin_validate(case_kind("StorageClass"), arena, object, &err);
    assert_string_equal(case_write_causes(arena, &err),
                        "parameters: Too long: may not be more than 262144 "
                        "bytes\n");
    for (i = 0; i < 512; i++) {
        yl_member_set_str(arena, parameters, yl_arena_printf(arena, "k%zu", i),
                          "");
    }
    yl_builtin_validate(case_kind("StorageClass"), arena, object, &err);
    assert_string_equal(case_write_causes(arena, &err),
                        "parameters: Too long: may not be more than 512 "
                        "bytes\n");
    yl_arena_free(arena);
}

TEST(drivers_count_their_changes_from_none)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(arena, DRIVER("'podInfoOnMount':true"));
    struct yl_node *object = case_parse(
        arena, DRIVER("'preventPodSchedulingIfMissing':true"));

    yl_builtin_prepare_update(case_kind("CSIDriver"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':1},'spec':{}}");
    assert_false(yl_at_get_has(
        &(struct yl_at){ .node = yl_member_object(object, "spec") },
        "preventPodSchedulingIfMissing"));
    yl_arena_free(arena);
}
