/* Tests of volumes in Pods. */

#include "builtin_case.h"

/* A Pod with more in its spec, and one with more in a volume. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"
#define VOL(MORE) POD(",'volumes':[{'name':'v'," MORE "}]")

/* What is given to a volume, and what it becomes. */
TEST(volumes_get_defaults)
{
    static const char *const cases[][2] = {
        { "'name':'v'", "'emptyDir':{},'name':'v'" },
        { "'hostPath':{}", "'hostPath':{'type':''}" },
        { "'secret':{}", "'secret':{'defaultMode':420}" },
        { "'iscsi':{}", "'iscsi':{'iscsiInterface':'default'}" },
        { "'rbd':{}", "'rbd':{'keyring':'/etc/ceph/keyring','pool':'rbd',"
                      "'user':'admin'}" },
        { "'azureDisk':{}", "'azureDisk':{'cachingMode':'ReadWrite',"
                            "'fsType':'ext4','kind':'Shared',"
                            "'readOnly':false}" },
        { "'scaleIO':{}",
          "'scaleIO':{'fsType':'xfs','storageMode':'ThinProvisioned'}" },
        { "'image':{'reference':'x:1'}",
          "'image':{'pullPolicy':'IfNotPresent','reference':'x:1'}" },
        { "'downwardAPI':{'items':[{'fieldRef':{}}]}",
          "'downwardAPI':{'defaultMode':420,'items':[{'fieldRef':"
          "{'apiVersion':'v1'}}]}" },
        { "'projected':{'sources':[{'serviceAccountToken':{}}]}",
          "'projected':{'defaultMode':420,'sources':[{'serviceAccountToken':"
          "{'expirationSeconds':3600}}]}" },
        { "'ephemeral':{'volumeClaimTemplate':{}}",
          "'ephemeral':{'volumeClaimTemplate':{'spec':"
          "{'volumeMode':'Filesystem'}}}" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        CASE_DEFAULT("Pod",
                     yl_arena_printf(arena, "{'spec':{'volumes':[{%s}]}}",
                                     cases[i][0]),
                     yl_arena_printf(arena,
                                     "{'spec':{'dnsPolicy':'ClusterFirst',"
                                     "'enableServiceLinks':true,"
                                     "'restartPolicy':'Always',"
                                     "'schedulerName':'default-scheduler',"
                                     "'securityContext':{},"
                                     "'terminationGracePeriodSeconds':30,"
                                     "'volumes':[{%s}]}}", cases[i][1]));
    }
    yl_arena_free(arena);
}

TEST(volumes_are_checked)
{
    static const struct builtin_case cases[] = {
        { VOL("'emptyDir':{'sizeLimit':'-1'}"), "spec.volumes[0].emptyDir."
          "sizeLimit: Forbidden: SizeLimit field must be a valid resource "
          "quantity\n" },
        { VOL("'emptyDir':{},'hostPath':{'path':'/'},'downwardAPI':{},"
              "'cephfs':{}"),
          "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 "
          "volume type\n"
          "spec.volumes[0].cephFS: Forbidden: may not specify more than 1 "
          "volume type\n"
          "spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 "
          "volume type\n" },
        { VOL("'hostPath':{'path':'/a/..','type':'X'}"),
          "spec.volumes[0].hostPath.path: Invalid value: \"/a/..\": must not "
          "contain '..'\n"
          "spec.volumes[0].hostPath.type: Unsupported value: \"X\": "
          "supported values: \"\", \"BlockDevice\", \"CharDevice\", "
          "\"Directory\", \"DirectoryOrCreate\", \"File\", \"FileOrCreate\", "
          "\"Socket\"\n" },
        { VOL("'gitRepo':{'directory':'/x'}"),
          "spec.volumes[0].gitRepo.repository: Required value\n"
          "spec.volumes[0].gitRepo.directory: Invalid value: \"/x\": must be "
          "a "
          "relative path\n" },
        { VOL("'gcePersistentDisk':{'partition':256}"),
          "spec.volumes[0].persistentDisk.pdName: Required value\n"
          "spec.volumes[0].persistentDisk.partition: Invalid value: 256: must "
          "be between 1 and 255, inclusive\n" },
        { VOL("'secret':{'defaultMode':512,'items':[{'path':'..x',"
              "'mode':-1}]}"),
          "spec.volumes[0].secret.secretName: Required value\n"
          "spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a "
          "number between 0 and 0777 (octal), both inclusive\n"
          "spec.volumes[0].secret.items[0].key: Required value\n"
          "spec.volumes[0].secret.items[0].path: Invalid value: \"..x\": "
          "must not start with '..'\n"
          "spec.volumes[0].secret.items[0].mode: Invalid value: -1: must be "
          "a number between 0 and 0777 (octal), both inclusive\n" },
        { VOL("'nfs':{}"),
          "spec.volumes[0].nfs.server: Required value\n"
          "spec.volumes[0].nfs.path: Required value\n"
          "spec.volumes[0].nfs.path: Invalid value: \"\": must be an "
          "absolute path\n" },
        { VOL("'iscsi':{'targetPortal':'p','iqn':'x','lun':256,"
              "'chapAuthSession':true,'initiatorName':'iqn.2001'}"),
          "spec.volumes[0].iscsi.iqn: Invalid value: \"x\": must be valid "
          "format starting with iqn, eui, or naa\n"
          "spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 "
          "and 255, inclusive\n"
          "spec.volumes[0].iscsi.secretRef: Required value\n"
          "spec.volumes[0].iscsi.initiatorname: Invalid value: \"iqn.2001\": "
          "must be valid format\n" },
        { VOL("'iscsi':{'targetPortal':'p','iqn':'iqn.2001-04.com.x:y',"
              "'initiatorName':'eui.0123456789abcdef'}"), "" },
        { VOL("'iscsi':{'targetPortal':'pppppppppppppppppppppppppppppppppppppp"
              "ppppppppppppppppppppppppppppppppp','iqn':'naa.x',"
              "'initiatorName':'naa.0123456789abcdef0123456789abcdef'}"),
          "spec.volumes[0].iscsi.iqn: Invalid value: \"naa.x\": must be "
          "valid format\n"
          "spec.volumes[0].name: Invalid value: \"v\": Total length of "
          "<volume name>:<iscsi.targetPortal> must be under 64 characters if "
          "iscsi.initiatorName is specified.\n" },
        { VOL("'flocker':{}"),
          "spec.volumes[0].flocker: Required value: one of datasetName and "
          "datasetUUID is required\n" },
        { VOL("'flocker':{'datasetName':'a/b','datasetUUID':'x'}"),
          "spec.volumes[0].flocker: Invalid value: \"resource\": datasetName "
          "and datasetUUID can not be specified simultaneously\n"
          "spec.volumes[0].flocker.datasetName: Invalid value: \"a/b\": must "
          "not contain '/'\n" },
        { VOL("'cinder':{'secretRef':{}}"),
          "spec.volumes[0].cinder.volumeID: Required value\n"
          "spec.volumes[0].cinder.secretRef.name: Required value\n" },
        { VOL("'quobyte':{'registry':'a:1,b'}"),
          "spec.volumes[0].quobyte.registry: Invalid value: \"a:1,b\": must "
          "be a host:port pair or multiple pairs separated by commas\n"
          "spec.volumes[0].quobyte.volume: Required value\n" },
        { VOL("'quobyte':{}"),
          "spec.volumes[0].quobyte.registry: Required value: must be a "
          "host:port pair or multiple pairs separated by commas\n"
          "spec.volumes[0].quobyte.volume: Required value\n" },
        { VOL("'downwardAPI':{'items':[{}]}"),
          "spec.volumes[0].downwardAPI.path: Required value\n"
          "spec.volumes[0].downwardAPI: Required value: one of fieldRef and "
          "resourceFieldRef is required\n" },
        { VOL("'downwardAPI':{'items':[{'path':'x','fieldRef':{'fieldPath':"
              "'metadata.annotations[\\u0027a b\\u0027]'},"
              "'resourceFieldRef':{}}]}"),
          "spec.volumes[0].downwardAPI.fieldRef: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "spec.volumes[0].downwardAPI: Invalid value: \"resource\": "
          "fieldRef and resourceFieldRef can not be specified "
          "simultaneously\n" },
        { VOL("'downwardAPI':{'items':[{'path':'x','resourceFieldRef':{}}]}"),
          "spec.volumes[0].downwardAPI.resourceFieldRef.containerName: "
          "Required value\n" },
        { VOL("'fc':{}"),
          "spec.volumes[0].fc.targetWWNs: Required value: must specify "
          "either targetWWNs or wwids, but not both\n" },
        { VOL("'fc':{'targetWWNs':['a'],'wwids':['b']}"),
          "spec.volumes[0].fc.targetWWNs: Invalid value: [\"a\"]: targetWWNs "
          "and wwids can not be specified simultaneously\n"
          "spec.volumes[0].fc.lun: Required value: lun is required if "
          "targetWWNs is specified\n" },
        { VOL("'flexVolume':{'driver':'d','options':{'Foo.K8s.io/x':'y'}}"),
          "spec.volumes[0].flexVolume.options[Foo.K8s.io/x]: Invalid value: "
          "\"Foo.K8s.io/x\": kubernetes.io and k8s.io namespaces are "
          "reserved\n" },
        { VOL("'azureDisk':{'diskName':'d','diskURI':'x','kind':'Managed',"
              "'cachingMode':'X'}"),
          "spec.volumes[0].azureDisk.cachingMode: Unsupported value: \"X\": "
          "supported values: \"None\", \"ReadOnly\", \"ReadWrite\"\n"
          "spec.volumes[0].azureDisk.diskURI: Unsupported value: \"x\": "
          "supported values: \"/subscriptions/{sub-id}/resourcegroups/{"
          "group-name}/providers/microsoft.compute/disks/{disk-id}\"\n" },
        { VOL("'storageos':{'volumeName':'A','volumeNamespace':'B'}"),
          "spec.volumes[0].storageos.volumeName: Invalid value: \"A\": "
          CASE_LABEL "\n"
          "spec.volumes[0].storageos.volumeNamespace: Invalid value: \"B\": "
          CASE_LABEL "\n" },
        { VOL("'csi':{'driver':'A_','nodePublishSecretRef':{'name':'B_'}}"),
          "spec.volumes[0].csi.driver: Invalid value: \"A_\": "
          CASE_SUBDOMAIN "\n"
          "spec.volumes[0].csi.name: Invalid value: \"B_\": "
          CASE_SUBDOMAIN "\n" },
        { VOL("'ephemeral':{}"), "spec.volumes[0].ephemeral."
          "volumeClaimTemplate: Required value\n" },
        { VOL("'ephemeral':{'volumeClaimTemplate':{'metadata':{'name':'x'},"
              "'spec':{'accessModes':['ReadWriteOncePod','ReadWriteOnce','X'],"
              "'storageClassName':'A','volumeMode':'Y','dataSource':{},"
              "'dataSourceRef':{'apiGroup':'A_','kind':'k','name':'n'},"
              "'volumeAttributesClassName':'B_'}}}"),
          "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: "
          "Forbidden: cannot be set\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: "
          "Unsupported value: \"X\": supported values: \"ReadOnlyMany\", "
          "\"ReadWriteMany\", \"ReadWriteOnce\", \"ReadWriteOncePod\"\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: "
          "Forbidden: may not use ReadWriteOncePod with other access modes\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources["
          "storage]: Required value\n"
          "spec.volumes["
          "0].ephemeral.volumeClaimTemplate.spec.storageClassName: Invalid "
          "value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeMode: "
          "Unsupported value: \"Y\": supported values: \"Block\", "
          "\"Filesystem\"\n"
          "spec.volumes["
          "0].ephemeral.volumeClaimTemplate.spec.dataSource.name: Required "
          "value\n"
          "spec.volumes["
          "0].ephemeral.volumeClaimTemplate.spec.dataSource.kind: Required "
          "value\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource: "
          "Invalid value: \"\": must be 'PersistentVolumeClaim' when "
          "referencing the default apiGroup\n"
          "spec.volumes["
          "0].ephemeral.volumeClaimTemplate.spec.dataSourceRef.apiGroup: "
          "Invalid value: \"A_\": " CASE_SUBDOMAIN "\n"
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec: Invalid "
          "value: {}: must match dataSourceRef\n"
          "spec.volumes["
          "0].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName: "
          "Invalid value: \"B_\": " CASE_SUBDOMAIN "\n" },
        { VOL("'image':{'pullPolicy':'X'}"),
          "spec.volumes[0].image.reference: Required value\n"
          "spec.volumes[0].image.pullPolicy: Unsupported value: \"X\": "
          "supported values: \"Always\", \"IfNotPresent\", \"Never\"\n" },
        { POD(",'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':"
              "{'spec':{'accessModes':['ReadWriteOnce'],'resources':"
              "{'requests':{'storage':'1Gi'}}}}}},{'name':'w',"
              "'persistentVolumeClaim':{'claimName':'a-v'}},{'name':'w'}]"),
          "spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "
          "\"a-v\": must not reference a PVC that gets created for an "
          "ephemeral volume\n"
          "spec.volumes[2].name: Duplicate value: \"w\"\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(projected_volumes_are_checked)
{
    static const struct builtin_case cases[] = {
        { VOL("'projected':{'defaultMode':-1,'sources':[{'secret':{'items':"
              "[{'key':'k','path':'p'}]},'configMap':{'name':'c','items':"
              "[{'key':'k','path':'p'}]}}]}"),
          "spec.volumes[0].projected.defaultMode: Invalid value: -1: must be "
          "a number between 0 and 0777 (octal), both inclusive\n"
          "spec.volumes[0].projected.sources[0].secret.name: Required value\n"
          "spec.volumes[0].projected: Invalid value: \"c\": conflicting "
          "duplicate paths\n"
          "spec.volumes[0].projected.sources[0]: Forbidden: may not specify "
          "more than 1 volume type per source\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':"
              "{'expirationSeconds':1}}]}"),
          "spec.volumes[0].projected.sources["
          "0].serviceAccountToken.expirationSeconds: Invalid value: 1: may "
          "not specify a duration less than 10 minutes\n"
          "spec.volumes[0].projected.path: Required value\n"
          "spec.volumes[0].projected.sources[0].serviceAccountToken: "
          "Forbidden: must not be specified when serviceAccountName is not "
          "set\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':{'path':'x',"
              "'expirationSeconds':4294967297}}]}"),
          "spec.volumes[0].projected.sources["
          "0].serviceAccountToken.expirationSeconds: Invalid value: "
          "4294967297: may not specify a duration larger than 2^32 seconds\n"
          "spec.volumes[0].projected.sources[0].serviceAccountToken: "
          "Forbidden: must not be specified when serviceAccountName is not "
          "set\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':{'path':'x'}},"
              "{'downwardAPI':{'items':[{'path':'x','fieldRef':"
              "{'fieldPath':'metadata.name'}},{'path':'x','fieldRef':"
              "{'fieldPath':'metadata.name'}}]}}]},'x':1"),
          "spec.volumes[0].projected: Invalid value: \"x\": conflicting "
          "duplicate paths\n"
          "spec.volumes[0].projected.sources[0].serviceAccountToken: "
          "Forbidden: must not be specified when serviceAccountName is not "
          "set\n" },
        /* Behind a closed gate. */
        { VOL("'projected':{'sources':[{'clusterTrustBundle':{}},"
              "{'podCertificate':{}}]}"),
          "" },
    };

    CASE_RUN("Pod", cases);
}

#define A64                                                                   \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CLAIM(MORE)                                                           \
    VOL("'ephemeral':{'volumeClaimTemplate':{'spec':{'accessModes':"          \
        "['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}"        \
        MORE "}}}")

TEST(tenants_are_short)
{
    static const struct builtin_case cases[] = {
        { VOL("'quobyte':{'registry':'a:1','volume':'v','tenant':'" A64 "'}"),
          "" },
        { VOL("'quobyte':{'registry':'a:1','volume':'v','tenant':'" A64
              "a'}"),
          "spec.volumes[0].quobyte.tenant: Required value: must be a UUID "
          "and may not exceed a length of 64 characters\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(claims_of_pods_are_checked)
{
    static const struct builtin_case cases[] = {
        { CLAIM(""), "" },
        { CLAIM(",'dataSource':{'kind':'PersistentVolumeClaim','name':'x'},"
                "'dataSourceRef':{'kind':'PersistentVolumeClaim',"
                "'name':'x','namespace':'y'}"),
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec: Invalid "
          "value: {}: may not be specified when dataSourceRef.namespace is "
          "specified\n" },
        { CLAIM(",'dataSource':{'kind':'PersistentVolumeClaim','name':'x'},"
                "'dataSourceRef':{'kind':'PersistentVolumeClaim',"
                "'name':'y'}"),
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec: Invalid "
          "value: {}: must match dataSourceRef\n" },
        { "{'metadata':{'name':'" A64 A64 A64 A64 "'},'spec':{'containers':"
          "[{'name':'c','image':'i'}],'volumes':[{'name':'v','ephemeral':"
          "{'volumeClaimTemplate':{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1Gi'}}}}}}]}}",
          "metadata.name: Invalid value: \"" A64 A64 A64 A64 "\": must be no "
          "more than 253 characters\n"
          "spec.volumes[0].name: Invalid value: \"v\": PVC name \"" A64 A64
          A64 A64 "-v\": must be no more than 253 characters\n" },
    };

    CASE_RUN("Pod", cases);
}
