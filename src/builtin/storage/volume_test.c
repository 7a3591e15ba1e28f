/* Tests of PersistentVolume. */

#include "builtin_case.h"

#define PV(MORE)                                                              \
    "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"  \
    "" MORE "}}"

TEST(volumes_get_defaults)
{
    CASE_DEFAULT("PersistentVolume", PV("'hostPath':{'path':'/a'}"),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                 "'storage':'1Gi'},'hostPath':{'path':'/a','type':''},"
                 "'persistentVolumeReclaimPolicy':'Retain',"
                 "'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}");
    CASE_DEFAULT("PersistentVolume",
                 PV("'azureDisk':{'diskName':'a','diskURI':'b'}"),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'azureDisk':{"
                 "'cachingMode':'ReadWrite','diskName':'a','diskURI':'b',"
                 "'fsType':'ext4','kind':'Shared','readOnly':false},"
                 "'capacity':{'storage':'1Gi'},"
                 "'persistentVolumeReclaimPolicy':'Retain',"
                 "'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}");
    CASE_DEFAULT("PersistentVolume", PV("'iscsi':{'lun':1}"),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                 "'storage':'1Gi'},'iscsi':{'iscsiInterface':'default',"
                 "'lun':1},'persistentVolumeReclaimPolicy':'Retain',"
                 "'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}");
    CASE_DEFAULT("PersistentVolume", PV("'rbd':{}"),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                 "'storage':'1Gi'},'persistentVolumeReclaimPolicy':'Retain',"
                 "'rbd':{'keyring':'/etc/ceph/keyring','pool':'rbd',"
                 "'user':'admin'},'volumeMode':'Filesystem'},'status':{"
                 "'phase':'Pending'}}");
    CASE_DEFAULT("PersistentVolume", PV("'scaleIO':{}"),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                 "'storage':'1Gi'},'persistentVolumeReclaimPolicy':'Retain',"
                 "'scaleIO':{'fsType':'xfs','storageMode':'ThinProvisioned'},"
                 "'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}");
}

TEST(volumes_are_checked)
{
    static const struct builtin_case cases[] = {
        { PV("'hostPath':{'path':'/a'}"), "" },
        { "{'spec':{}}",
          "spec.accessModes: Required value\n"
          "spec.capacity: Required value\n"
          "spec.capacity: Unsupported value: null: supported values: "
          "\"storage\"\n"
          "spec: Required value: must specify a volume type\n" },
        { "{'spec':{'capacity':{'storage':'0','cpu':'-1'},"
          "'accessModes':['X','ReadWriteOncePod','ReadWriteOnce'],"
          "'hostPath':{'path':'/a'}}}",
          "spec.accessModes: Unsupported value: \"X\": supported values: "
          "\"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOnce\", "
          "\"ReadWriteOncePod\"\n"
          "spec.accessModes: Forbidden: may not use ReadWriteOncePod with "
          "other access modes\n"
          "spec.capacity: Unsupported value: "
          "{\"cpu\":\"-1\",\"storage\":\"0\"}: supported values: "
          "\"storage\"\n"
          "spec.capacity[storage]: Invalid value: \"0\": must be greater "
          "than zero\n"
          "spec.capacity[cpu]: Invalid value: -1: must be a valid resource "
          "quantity\n"
          "spec.capacity[cpu]: Invalid value: \"-1\": must be greater than "
          "zero\n" },
        { PV("'hostPath':{'path':'/a'},'persistentVolumeReclaimPolicy':'X',"
             "'nodeAffinity':{},'storageClassName':'A','volumeMode':'X'"),
          "spec.persistentVolumeReclaimPolicy: Unsupported value: \"X\": "
          "supported values: \"Delete\", \"Recycle\", \"Retain\"\n"
          "spec.nodeAffinity.required: Required value: must specify required "
          "node constraints\n"
          "spec.storageClassName: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.volumeMode: Unsupported value: \"X\": supported values: "
          "\"Block\", \"Filesystem\"\n" },
        { PV("'hostPath':{'path':'/./'},'persistentVolumeReclaimPolicy':"
             "'Recycle'"),
          "spec.persistentVolumeReclaimPolicy: Forbidden: may not be "
          "'recycle' for a hostPath mount of '/'\n" },
        { PV("'hostPath':{'path':'/a'},'persistentVolumeReclaimPolicy':"
             "'Recycle'"),
          "" },
        { PV("'hostPath':{'path':'/a'},'nodeAffinity':{'required':"
             "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a',"
             "'operator':'X'}]}]}}"),
          "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions["
          "0].operator: Invalid value: \"X\": not a valid selector "
          "operator\n" },
        { PV("'hostPath':{'path':'/a'},'nfs':{'server':'a','path':'/b'}"),
          "spec.nfs: Forbidden: may not specify more than 1 volume type\n" },
        { PV("'nfs':{}"),
          "spec.nfs.server: Required value\n"
          "spec.nfs.path: Required value\n"
          "spec.nfs.path: Invalid value: \"\": must be an absolute path\n" },
        { PV("'csi':{'driver':'d','volumeHandle':'h'},"
             "'volumeAttributesClassName':''"),
          "spec.volumeAttributesClassName: Required value: an empty string "
          "is disallowed\n" },
        { PV("'hostPath':{'path':'/a'},'volumeAttributesClassName':'a'"),
          "spec.csi: Required value: has to be specified when using "
          "volumeAttributesClassName\n" },
        { PV("'csi':{}"),
          "spec.csi.driver: Required value\n"
          "spec.csi.volumeHandle: Required value\n" },
        { PV("'local':{}"),
          "spec.local.path: Required value\n"
          "spec.nodeAffinity: Required value: Local volume requires node "
          "affinity\n" },
        { PV("'iscsi':{}"),
          "spec.iscsi.targetPortal: Required value\n"
          "spec.iscsi.iqn: Required value\n" },
        { PV("'fc':{}"),
          "spec.fc.targetWWNs: Required value: must specify either "
          "targetWWNs or wwids, but not both\n" },
        { PV("'cephfs':{}"), "spec.cephfs.monitors: Required value\n" },
        { PV("'glusterfs':{}"),
          "spec.glusterfs.endpoints: Required value\n"
          "spec.glusterfs.path: Required value\n" },
    };

    CASE_RUN("PersistentVolume", cases);
}

TEST(volumes_stay_what_they_are)
{
    static const struct builtin_update cases[] = {
        { PV("'hostPath':{'path':'/a'}"),
          PV("'hostPath':{'path':'/a'},'storageClassName':'a',"
             "'mountOptions':['x']"),
          "" },
        { PV("'hostPath':{'path':'/a'}"),
          PV("'hostPath':{'path':'/b'},'volumeMode':'Block'"),
          "spec.persistentvolumesource: Forbidden: "
          "spec.persistentvolumesource is immutable after creation\n"
          " @@ -2,7 +2,7 @@\n"
          "   \"GCEPersistentDisk\": null,\n"
          "   \"AWSElasticBlockStore\": null,\n"
          "   \"HostPath\": {\n"
          " -  \"Path\": \"/a\",\n"
          " +  \"Path\": \"/b\",\n"
          "    \"Type\": \"\"\n"
          "   },\n"
          "   \"Glusterfs\": null,\n"
          " \n"
          "volumeMode: Invalid value: \"Block\": field is immutable\n" },
        { PV("'hostPath':{'path':'/a'}"),
          PV("'hostPath':{'path':'/a'},'volumeMode':'Block'"),
          "volumeMode: Invalid value: \"Block\": field is immutable\n" },
        { PV("'csi':{'driver':'d','volumeHandle':'h'}"),
          PV("'csi':{'driver':'d','volumeHandle':'h',"
             "'controllerExpandSecretRef':{'name':'s','namespace':'n'}}"),
          "" },
        { PV("'csi':{'driver':'d','volumeHandle':'h',"
             "'controllerExpandSecretRef':{'name':'s','namespace':'n'}}"),
          PV("'csi':{'driver':'d','volumeHandle':'h',"
             "'controllerExpandSecretRef':{'name':'t','namespace':'n'}}"),
          "spec.persistentvolumesource: Forbidden: "
          "spec.persistentvolumesource is immutable after creation\n"
          " @@ -30,7 +30,7 @@\n"
          "    \"NodeStageSecretRef\": null,\n"
          "    \"NodePublishSecretRef\": null,\n"
          "    \"ControllerExpandSecretRef\": {\n"
          " -   \"Name\": \"s\",\n"
          " +   \"Name\": \"t\",\n"
          "     \"Namespace\": \"n\"\n"
          "    },\n"
          "    \"NodeExpandSecretRef\": null\n"
          " \n" },
        { PV("'csi':{'driver':'d','volumeHandle':'h'},"
             "'volumeAttributesClassName':'a'"),
          PV("'csi':{'driver':'d','volumeHandle':'h'}"),
          "spec.volumeAttributesClassName: Forbidden: update from non-nil "
          "value to nil is forbidden\n" },
        { PV("'hostPath':{'path':'/a'},'nodeAffinity':{'required':"
             "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a',"
             "'operator':'Exists'}]}]}}"),
          PV("'hostPath':{'path':'/a'},'nodeAffinity':{'required':"
             "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'b',"
             "'operator':'Exists'}]}]}}"),
          "nodeAffinity: Invalid value: {\"Required\":"
          "{\"NodeSelectorTerms\":[{\"MatchExpressions\":[{\"Key\":\"b\","
          "\"Operator\":\"Exists\",\"Values\":null}],"
          "\"MatchFields\":null}]}}: field is immutable, except for "
          "updating from beta label to GA\n" },
        { PV("'hostPath':{'path':'/a'},'nodeAffinity':{'required':"
             "{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
             "'beta.kubernetes.io/os','operator':'Exists'}]}]}}"),
          PV("'hostPath':{'path':'/a'},'nodeAffinity':{'required':"
             "{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
             "'kubernetes.io/os','operator':'Exists'}]}]}}"),
          "" },
    };

    CASE_RUN_UPDATES("PersistentVolume", cases);
}

TEST(a_volume_s_status_is_free)
{
    static const struct builtin_update cases[] = {
        { PV("'hostPath':{'path':'/a'}"), "{'status':{'phase':'Bound'}}", "" },
        { PV("'hostPath':{'path':'/a'}"),
          "{'metadata':{'finalizers':['a b']},'status':{'phase':'Bound'}}",
          "metadata.finalizers: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "metadata.finalizers[0]: Invalid value: \"a b\": name is neither a "
          "standard finalizer name nor is it fully qualified\n" },
    };

    CASE_RUN_STATUS("PersistentVolume", cases);
}

TEST(phases_have_times)
{
    const struct yl_builtin *kind = case_kind("PersistentVolume");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old, *object;

    old = case_parse(arena, "{'status':{'phase':'Available',"
                            "'lastPhaseTransitionTime':"
                            "'2020-01-01T00:00:00Z'}}");
    object = case_parse(arena, "{'status':{'phase':'Available'}}");
    yl_builtin_prepare_status(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{},'status':{"
            "'lastPhaseTransitionTime':'2020-01-01T00:00:00Z',"
            "'phase':'Available'}}");
    object = case_parse(arena, "{'status':{'phase':'Bound'}}");
    yl_builtin_prepare_status(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{},'status':{"
            "'lastPhaseTransitionTime':'20" ANY_TEXT "Z',"
            "'phase':'Bound'}}");
    assert_false(
        yl_node_string_is(yl_node_get(yl_member_object(object, "status"),
                                      YL_STR("lastPhaseTransitionTime")),
                          YL_STR("2020-01-01T00:00:00Z")));
    object = case_parse(arena, "{'status':{'phase':'Bound',"
                               "'lastPhaseTransitionTime':"
                               "'2021-01-01T00:00:00Z'}}");
    yl_builtin_prepare_status(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{},'status':{"
            "'lastPhaseTransitionTime':'2021-01-01T00:00:00Z',"
            "'phase':'Bound'}}");
    object = case_parse(arena, "{'status':{'phase':'Bound'}}");
    yl_builtin_prepare(kind, arena, object);
    CASE_IS(object,
            "{'status':{'lastPhaseTransitionTime':'20" ANY_TEXT "Z',"
            "'phase':'Pending'}}");
    yl_arena_free(arena);
}

TEST(sources_have_rules_of_their_own)
{
    static const struct builtin_case cases[] = {
        { PV("'iscsi':{'lun':256,'chapAuthSession':true,"
             "'initiatorName':'x'}"),
          "spec.iscsi.targetPortal: Required value\n"
          "spec.iscsi.iqn: Required value\n"
          "spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, "
          "inclusive\n"
          "spec.iscsi.secretRef: Required value\n"
          "spec.iscsi.initiatorname: Invalid value: \"x\": must be valid "
          "format\n" },
        { PV("'iscsi':{'targetPortal':'1.2.3.4','iqn':'naa.x','secretRef':"
             "{}}"),
          "spec.iscsi.iqn: Invalid value: \"naa.x\": must be valid format\n"
          "spec.iscsi.secretRef.name: Required value\n" },
        { PV("'storageos':{'volumeName':'v','secretRef':{'name':'n'}}"),
          "spec.storageos.secretRef.namespace: Required value\n" },
        { PV("'cinder':{'volumeID':'v','secretRef':{}}"),
          "spec.cinder.secretRef.name: Required value\n"
          "spec.cinder.secretRef.namespace: Required value\n" },
        { PV("'azureFile':{'secretName':'s','shareName':'h',"
             "'secretNamespace':''}"),
          "spec.azureFile.secretNamespace: Required value\n" },
        { PV("'glusterfs':{'endpoints':'e','path':'p',"
             "'endpointsNamespace':''}"),
          "spec.glusterfs.endpointsNamespace: Invalid value: \"\": if the "
          "endpointnamespace is set, it must be a valid namespace name\n" },
        { PV("'glusterfs':{'endpoints':'e','path':'p',"
             "'endpointsNamespace':'A'}"),
          "spec.glusterfs.endpointsNamespace: Invalid value: \"A\": "
          CASE_LABEL "\n" },
    };

    CASE_RUN("PersistentVolume", cases);
}
