/* Tests of Pods: what the recorded answers do not show, and one of each. */

#include "builtin/pods/pod.h"

#include "builtin/pods/pod_resources.h"
#include "builtin_case.h"

/* A Pod with more in its spec, and one whose container has more. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"
#define CTR(MORE) "{'spec':{'containers':[{'name':'c','image':'i'" MORE "}]}}"
#define VOL(MORE) POD(",'volumes':[{'name':'v'," MORE "}]")

TEST(pods_get_defaults)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "Pod", POD(""),
                     "{\"containers\":[{\"image\":\"i\",\"imagePullPolicy\":"
                     "\"Always\",\"name\":\"c\",\"terminationMessagePath\":"
                     "\"/dev/termination-log\",\"terminationMessagePolicy\":"
                     "\"File\"}],\"dnsPolicy\":\"ClusterFirst\","
                     "\"enableServiceLinks\":true,\"restartPolicy\":"
                     "\"Always\",\"schedulerName\":\"default-scheduler\","
                     "\"securityContext\":{},"
                     "\"terminationGracePeriodSeconds\":30}");
    CASE_DEFAULT_HAS(arena, "Pod",
                     CTR(",'resources':{'limits':{'cpu':'0.0001'}}"),
                     "\"requests\":{\"cpu\":\"1m\"}");
    CASE_DEFAULT_HAS(arena, "Pod", CTR(",'livenessProbe':{'httpGet':{}}"),
                     "{\"failureThreshold\":3,\"httpGet\":{\"path\":\"/\","
                     "\"scheme\":\"HTTP\"},\"periodSeconds\":10,"
                     "\"successThreshold\":1,\"timeoutSeconds\":1}");
    CASE_DEFAULT_HAS(arena, "Pod", CTR(",'startupProbe':{'grpc':{}}"),
                     "\"grpc\":{\"service\":\"\"}");
    CASE_DEFAULT_HAS(arena, "Pod", CTR(",'env':[{'valueFrom':{'fieldRef':{}}},"
                                       "{'valueFrom':{'fileKeyRef':{}}}]"),
                     "{\"fieldRef\":{\"apiVersion\":\"v1\"}}");
    CASE_DEFAULT_HAS(arena, "Pod",
                     "{'spec':{'hostNetwork':true,'containers':["
                     "{'ports':[{'containerPort':80}]}]}}",
                     "\"hostPort\":80,\"protocol\":\"TCP\"");
    CASE_DEFAULT_HAS(arena, "Pod", POD(",'serviceAccount':'x'"),
                     "\"serviceAccountName\":\"x\"");
    yl_arena_free(arena);
}

TEST(volumes_get_defaults)
{
    static const char *const cases[][2] = {
        { "'x':1", "\"emptyDir\":{}" },
        { "'hostPath':{}", "\"hostPath\":{\"type\":\"\"}" },
        { "'secret':{}", "\"defaultMode\":420" },
        { "'iscsi':{}", "\"iscsiInterface\":\"default\"" },
        { "'rbd':{}", "{\"keyring\":\"/etc/ceph/keyring\",\"pool\":\"rbd\","
                      "\"user\":\"admin\"}" },
        { "'azureDisk':{}", "{\"cachingMode\":\"ReadWrite\",\"fsType\":"
                            "\"ext4\",\"kind\":\"Shared\","
                            "\"readOnly\":false}" },
        { "'scaleIO':{}", "{\"fsType\":\"xfs\",\"storageMode\":"
                          "\"ThinProvisioned\"}" },
        { "'image':{'reference':'x:1'}", "\"pullPolicy\":\"IfNotPresent\"" },
        { "'downwardAPI':{'items':[{'fieldRef':{}}]}",
          "\"apiVersion\":\"v1\"" },
        { "'projected':{'sources':[{'serviceAccountToken':{}}]}",
          "\"expirationSeconds\":3600" },
        { "'ephemeral':{'volumeClaimTemplate':{}}",
          "\"volumeMode\":\"Filesystem\"" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *json = yl_arena_printf(
            arena, "{'spec':{'volumes':[{'name':'v',%s}]}}", cases[i][0]);

        CASE_DEFAULT_HAS(arena, "Pod", json, cases[i][1]);
    }
    yl_arena_free(arena);
}

TEST(pods_ask_for_what_their_containers_do)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "Pod",
                     "{'spec':{'resources':{'limits':{'cpu':'4'}},"
                     "'containers':[{'resources':{'requests':{'cpu':'1',"
                     "'memory':'1Gi'}}},{'resources':{'requests':"
                     "{'cpu':'500m'}}}],'initContainers':[{'restartPolicy':"
                     "'Always','resources':{'requests':{'cpu':'1'}}},"
                     "{'resources':{'requests':{'memory':'2Gi'}}}]}}",
                     "\"resources\":{\"limits\":{\"cpu\":\"4\"},"
                     "\"requests\":{\"cpu\":\"2500m\",\"memory\":\"2Gi\"}}");
    CASE_DEFAULT_HAS(arena, "Pod",
                     "{'spec':{'resources':{'requests':{'cpu':'1'}},"
                     "'containers':[{'resources':{'limits':"
                     "{'hugepages-2Mi':'4Mi'}}}]}}",
                     "\"resources\":{\"limits\":{\"hugepages-2Mi\":\"4Mi\"},"
                     "\"requests\":{\"cpu\":\"1\","
                     "\"hugepages-2Mi\":\"4Mi\"}}");
    yl_arena_free(arena);
}

TEST(label_keys_become_requirements)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *pod = case_parse(
        arena,
        "{'metadata':{'labels':{'a':'b'}},'spec':{'affinity':{'podAffinity':"
        "{'requiredDuringSchedulingIgnoredDuringExecution':[{'matchLabelKeys':"
        "['a','none'],'labelSelector':{}}],"
        "'preferredDuringSchedulingIgnoredDuringExecution':[{"
        "'podAffinityTerm':{'mismatchLabelKeys':['a'],'labelSelector':"
        "{'matchExpressions':[]}}}]}},'topologySpreadConstraints':["
        "{'matchLabelKeys':['a']}]}}");
    struct yl_buf buf;

    yl_pod_merge_label_keys(arena, pod);
    yl_buf_init(&buf, 10000);
    yl_node_write_canonical(&buf, pod);
    assert_non_null(strstr(yl_buf_c_str(&buf),
                           "{\"key\":\"a\",\"operator\":\"In\","
                           "\"values\":[\"b\"]}"));
    assert_non_null(strstr(yl_buf_c_str(&buf), "\"operator\":\"NotIn\""));
    assert_null(strstr(yl_buf_c_str(&buf), "\"key\":\"none\""));
    yl_buf_release(&buf);
    yl_pod_merge_label_keys(arena, case_parse(arena, "{}"));
    yl_arena_free(arena);
}

TEST(containers_are_checked)
{
    static const struct builtin_case cases[] = {
        { POD(""), "" },
        { "{'spec':{}}", "spec.containers: Required value\n" },
        { "{'spec':{'containers':[{}]}}",
          "spec.containers[0].name: Required value\n"
          "spec.containers[0].image: Required value\n" },
        { CTR("},{'name':'c','image':'i'"),
          "spec.containers[1].name: Duplicate value: \"c\"\n" },
        { CTR(",'ports':[{'name':'A','containerPort':0}]"),
          "spec.containers[0].ports[0].containerPort: Required value\n" },
        { CTR(",'ports':[{'containerPort':1,'hostPort':5},"
              "{'containerPort':2,'hostPort':5}]"),
          "spec.containers[0].ports[1].hostPort: Duplicate value: "
          "\"TCP//5\"\n" },
        { CTR(",'volumeMounts':[{'name':'x','mountPath':'/a'}]"),
          "spec.containers[0].volumeMounts[0].name: Not found: \"x\"\n" },
        { CTR(",'volumeDevices':[{'name':'x','devicePath':'/a/..'},"
              "{'name':'x'}]"),
          "spec.containers[0].volumeDevices[0].devicePath: Invalid value: "
          "\"/a/..\": can not contain backsteps ('..')\n" },
        { "{'spec':{'volumes':[{'name':'v','emptyDir':{}}],'containers':["
          "{'name':'c','image':'i','volumeDevices':[{'name':'v',"
          "'devicePath':'/d'}],'volumeMounts':[{'name':'v',"
          "'mountPath':'/d','mountPropagation':'Bidirectional',"
          "'recursiveReadOnly':'Enabled'}]}]}}",
          "spec.containers[0].volumeMounts[0].name: Invalid value: \"v\": "
          "must "
          "not already exist in volumeDevices\n"
          "spec.containers[0].volumeMounts[0].mountPath: Invalid value: "
          "\"/d\": must not already exist as a path in volumeDevices\n"
          "spec.containers[0].volumeMounts.mountPropagation: Forbidden: "
          "Bidirectional mount propagation is available only to privileged "
          "containers\n"
          "spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may "
          "only be specified when readOnly is true\n" },
        { CTR(",'resizePolicy':[{'resourceName':'x','restartPolicy':'y'},"
              "{'resourceName':'x'}]"),
          "spec.containers[0].resizePolicy: Unsupported value: \"x\": "
          "supported values: \"cpu\", \"memory\"\n" },
        { CTR(",'restartPolicyRules':[{'action':'x'}]"),
          "spec.containers[0].restartPolicy: Required value: must specify "
          "restartPolicy when restart rules are used\n" },
        { CTR(",'restartPolicy':'Never','restartPolicyRules':[{'action':"
              "'Restart','exitCodes':{'operator':'X'}}]"),
          "restartPolicyRules[0].exitCodes.operator: Unsupported value: "
          "\"X\": supported values: \"In\", \"NotIn\"\n" },
        { POD(",'initContainers':[{'name':'c','image':'i','lifecycle':{},"
              "'resizePolicy':[{'resourceName':'cpu','restartPolicy':"
              "'RestartContainer'}]}]"),
          "spec.initContainers[0].lifecycle: Forbidden: may not be set for "
          "init containers without restartPolicy=Always\n" },
        { POD(",'ephemeralContainers':[{'name':'c','image':' i','ports':"
              "[{'containerPort':1}],'targetContainerName':'z',"
              "'volumeMounts':[{'subPath':'x','subPathExpr':'y'}]}]"),
          "spec.ephemeralContainers[0].targetContainerName: Not found: "
          "\"z\"\n" },
        { POD(",'ephemeralContainers':[{'name':'e','image':'i'}]"),
          "spec.ephemeralContainers: Forbidden: cannot be set on create\n" },
        { "{'spec':{'containers':[{'name':'c','image':' i'}]}}",
          "spec.containers[0].image: Invalid value: \" i\": must not have "
          "leading or trailing whitespace\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(environments_are_checked)
{
    static const struct builtin_case cases[] = {
        { CTR(",'env':[{'name':'a=b'}]"), "spec.containers[0].env[0].name: "
          "Invalid value: \"a=b\": a valid environment variable name must "
          "consist only of printable ASCII characters other than '='\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{}}]"),
          "spec.containers[0].env[0].valueFrom: Invalid value: \"\": must "
          "specify one of: `fieldRef`, `resourceFieldRef`, "
          "`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`\n" },
        { CTR(",'env':[{'name':'a','value':'x','valueFrom':{'secretKeyRef':"
              "{'name':'A','key':'b c'}}}]"),
          "spec.containers[0].env[0].valueFrom: Invalid value: \"\": may not "
          "be specified when `value` is not empty\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'secretKeyRef':{'name':'a',"
              "'key':'b'},'fieldRef':{'fieldPath':'metadata.name'}}}]"),
          "may not have more than one field specified at a time\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'metadata.labels'}}}]"),
          "fieldRef.fieldPath: Unsupported value: \"metadata.labels\"" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'spec.host'}}}]"), "" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'x'}}}]"),
          "fieldRef.fieldPath: Invalid value: \"x\": error converting "
          "fieldPath: field label not supported: x\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'apiVersion':'v2',"
              "'fieldPath':'metadata.name'}}}]"),
          "error converting fieldPath: unsupported pod version: v2\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'limits.cpu','divisor':'2'}}}]"),
          "resourceFieldRef.divisor: Invalid value: \"limits.cpu\": only "
          "divisor's values 1m and 1 are supported with the cpu "
          "resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'requests.memory','divisor':'3'}}}]"),
          "are supported with the memory resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'requests.ephemeral-storage','divisor':'3'}}}]"),
          "are supported with the local ephemeral storage resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'limits.hugepages-2Mi','divisor':'3'}}}]"),
          "are supported with the hugepages resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fileKeyRef':{'key':'a=',"
              "'volumeName':'V','path':'../x'}}}]"),
          "fileKeyRef.volumeName: Not found: \"V\"\n" },
        { "{'spec':{'volumes':[{'name':'v','secret':{'secretName':'s'}}],"
          "'containers':[{'name':'c','image':'i','env':[{'name':'a',"
          "'valueFrom':{'fileKeyRef':{'key':'a','volumeName':'v',"
          "'path':'x'}}}]}]}}", "referenced volume must be of type "
          "emptyDir\n" },
        { CTR(",'envFrom':[{'prefix':'a='},{'configMapRef':{'name':'A'},"
              "'secretRef':{}}]"),
          "spec.containers[0].envFrom: Invalid value: \"\": may not have more "
          "than one field specified at a time\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(probes_are_checked)
{
    static const struct builtin_case cases[] = {
        { CTR(",'livenessProbe':{'exec':{'command':['x']}}"), "" },
        { CTR(",'livenessProbe':{}"), "spec.containers[0].livenessProbe: "
          "Required value: must specify a handler type\n" },
        { CTR(",'readinessProbe':{'tcpSocket':{'port':'x_'},"
              "'terminationGracePeriodSeconds':0}"),
          "spec.containers[0].readinessProbe.terminationGracePeriodSeconds: "
          "Invalid value: 0: must be greater than 0\n" },
        { CTR(",'startupProbe':{'grpc':{'port':1},'exec':{},"
              "'successThreshold':2}"),
          "spec.containers[0].startupProbe.exec.command: Required value\n"
          "spec.containers[0].startupProbe.grpc: Forbidden: may not specify "
          "more than 1 handler type\n" },
        { CTR(",'lifecycle':{'preStop':{'sleep':{'seconds':31}},"
              "'postStart':{'httpGet':{'port':0,'scheme':'X','httpHeaders':"
              "[{'name':'a b'}]}}}"),
          "preStop.sleep: Invalid value: 31: must be non-negative and less "
          "than terminationGracePeriodSeconds (30)\n" },
        { CTR(",'lifecycle':{'postStart':{'httpGet':{'port':1,'httpHeaders':"
              "[{'name':'a b'}]}}}"),
          "postStart.httpGet.httpHeaders: Invalid value: \"a b\": a valid "
          "HTTP header must consist of alphanumeric characters or '-' (e.g. "
          "'X-Header-Name', regex used for validation is "
          "'[-A-Za-z0-9]+')\n" },
    };

    CASE_RUN("Pod", cases);
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
          "contain '..'\n" },
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
          "spec.volumes[0].secret.items[0].path: Invalid value: \"..x\": must "
          "not start with '..'\n" },
        { VOL("'nfs':{}"), "spec.volumes[0].nfs.path: Invalid value: \"\": "
          "must be an absolute path\n" },
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
          "spec.volumes[0].name: Invalid value: \"v\": Total length of" },
        { VOL("'flocker':{}"), "one of datasetName and datasetUUID is "
          "required\n" },
        { VOL("'flocker':{'datasetName':'a/b','datasetUUID':'x'}"),
          "spec.volumes[0].flocker.datasetName: Invalid value: \"a/b\": must "
          "not contain '/'\n" },
        { VOL("'cinder':{'secretRef':{}}"),
          "spec.volumes[0].cinder.secretRef.name: Required value\n" },
        { VOL("'quobyte':{'registry':'a:1,b'}"),
          "spec.volumes[0].quobyte.registry: Invalid value: \"a:1,b\": must "
          "be "
          "a host:port pair" },
        { VOL("'quobyte':{}"), "spec.volumes[0].quobyte.volume: Required "
          "value\n" },
        { VOL("'downwardAPI':{'items':[{}]}"),
          "spec.volumes[0].downwardAPI: Required value: one of fieldRef and "
          "resourceFieldRef is required\n" },
        { VOL("'downwardAPI':{'items':[{'path':'x','fieldRef':{'fieldPath':"
              "'metadata.annotations[\\u0027a b\\u0027]'},"
              "'resourceFieldRef':{}}]}"),
          "fieldRef and resourceFieldRef can not be specified "
          "simultaneously\n" },
        { VOL("'downwardAPI':{'items':[{'path':'x','resourceFieldRef':{}}]}"),
          "resourceFieldRef.containerName: Required value\n" },
        { VOL("'fc':{}"), "must specify either targetWWNs or wwids, but not "
          "both\n" },
        { VOL("'fc':{'targetWWNs':['a'],'wwids':['b']}"),
          "spec.volumes[0].fc.lun: Required value: lun is required if "
          "targetWWNs is specified\n" },
        { VOL("'flexVolume':{'driver':'d','options':{'Foo.K8s.io/x':'y'}}"),
          "spec.volumes[0].flexVolume.options[Foo.K8s.io/x]: Invalid value: "
          "\"Foo.K8s.io/x\": kubernetes.io and k8s.io namespaces are "
          "reserved\n" },
        { VOL("'azureDisk':{'diskName':'d','diskURI':'x','kind':'Managed',"
              "'cachingMode':'X'}"),
          "spec.volumes[0].azureDisk.diskURI: Unsupported value: \"x\"" },
        { VOL("'storageos':{'volumeName':'A','volumeNamespace':'B'}"),
          "spec.volumes[0].storageos.volumeName: Invalid value: \"A\"" },
        { VOL("'csi':{'driver':'A_','nodePublishSecretRef':{'name':'B_'}}"),
          "spec.volumes[0].csi.driver: Invalid value: \"A_\"" },
        { VOL("'ephemeral':{}"), "spec.volumes[0].ephemeral."
          "volumeClaimTemplate: Required value\n" },
        { VOL("'ephemeral':{'volumeClaimTemplate':{'metadata':{'name':'x'},"
              "'spec':{'accessModes':['ReadWriteOncePod','ReadWriteOnce','X'],"
              "'storageClassName':'A','volumeMode':'Y','dataSource':{},"
              "'dataSourceRef':{'apiGroup':'A_','kind':'k','name':'n'},"
              "'volumeAttributesClassName':'B_'}}}"),
          "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: "
          "Forbidden: may not use ReadWriteOncePod with other access "
          "modes\n" },
        { VOL("'image':{'pullPolicy':'X'}"),
          "spec.volumes[0].image.reference: Required value\n"
          "spec.volumes[0].image.pullPolicy: Unsupported value: \"X\"" },
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
          "spec.volumes[0].projected: Invalid value: \"c\": conflicting "
          "duplicate paths\n"
          "spec.volumes[0].projected.sources[0]: Forbidden: may not specify "
          "more than 1 volume type per source\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':"
              "{'expirationSeconds':1}}]}"),
          "expirationSeconds: Invalid value: 1: may not specify a duration "
          "less than 10 minutes\n"
          "spec.volumes[0].projected.path: Required value\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':{'path':'x',"
              "'expirationSeconds':4294967297}}]}"),
          "may not specify a duration larger than 2^32 seconds\n" },
        { VOL("'projected':{'sources':[{'serviceAccountToken':{'path':'x'}},"
              "{'downwardAPI':{'items':[{'path':'x','fieldRef':"
              "{'fieldPath':'metadata.name'}},{'path':'x','fieldRef':"
              "{'fieldPath':'metadata.name'}}]}}]},'x':1"),
          "spec.volumes[0].projected: Invalid value: \"x\": conflicting "
          "duplicate paths\n" },
        /* Behind a closed gate. */
        { VOL("'projected':{'sources':[{'clusterTrustBundle':{}},"
              "{'podCertificate':{}}]}"),
          "" },
    };

    CASE_RUN("Pod", cases);
}

TEST(security_is_checked)
{
    static const struct builtin_case cases[] = {
        { POD(",'securityContext':{'fsGroup':-1,'supplementalGroups':[-1]}"),
          "spec.securityContext.fsGroup: Invalid value: -1: must be between 0 "
          "and 2147483647, inclusive\n" },
        { POD(",'securityContext':{'sysctls':[{'name':'kernel.shm_x'},"
              "{'name':'kernel.shm_x'},{},{'name':'a..b'}]},'hostIPC':true"),
          "spec.securityContext.sysctls[0].name: Invalid value: "
          "\"kernel.shm_x\": may not be specified when 'hostIPC' is true\n" },
        { POD(",'securityContext':{'seccompProfile':{}}"),
          "seccompProfile.type: Required value: type is required when "
          "seccompProfile is set\n" },
        { POD(",'securityContext':{'seccompProfile':{'type':'Localhost',"
              "'localhostProfile':'/x'}}"), "must be a relative path\n" },
        { POD(",'securityContext':{'appArmorProfile':{}}"),
          "type is required when appArmorProfile is set\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Localhost',"
              "'localhostProfile':' x'}}"),
          "must not be padded with whitespace\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Localhost'}}"),
          "must be set when AppArmor type is Localhost\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Unconfined',"
              "'localhostProfile':'x'}}"),
          "can only be set when AppArmor type is Localhost\n" },
        { CTR(",'securityContext':{'procMount':'Unmasked'}"),
          "`hostUsers` must be false to use `Unmasked`\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a\\\\b\\\\c','gmsaCredentialSpec':''}}"),
          "runAsUserName cannot contain more than one backslash\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'-*\\\\. .'}}"),
          "runAsUserName's Domain doesn't match the NetBios nor the DNS "
          "format" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'d\\\\'}}"), "runAsUserName's User cannot be empty\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a:b'}}"), "runAsUserName's User cannot contain the following "
          "characters" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a\\tb'}}"), "cannot contain control characters\n" },
        { POD(",'securityContext':{'windowsOptions':{'hostProcess':true}}"),
          "spec.hostNetwork: Invalid value: false: hostNetwork must be true "
          "if "
          "pod contains any hostProcess containers\n" },
        { POD(",'os':{'name':'linux'},'securityContext':{'windowsOptions':"
              "{}}"), "spec.securityContext.windowsOptions: Forbidden: "
                      "windows "
          "options cannot be set for a linux pod\n" },
        { POD(",'os':{'name':'windows'},'hostPID':true,'securityContext':"
              "{'runAsUser':1}"),
          "spec.hostPID: Forbidden: cannot be set for a windows pod\n"
          "spec.securityContext.runAsUser: Forbidden: cannot be set for a "
          "windows pod\n" },
        { POD(",'os':{'name':'x'}"), "spec.os: Unsupported value: \"x\": "
          "supported values: \"linux\", \"windows\"\n" },
        { POD(",'hostUsers':false,'hostPID':true"),
          "spec.HostPID: Forbidden: when `hostUsers` is false\n" },
        { "{'metadata':{'annotations':{'seccomp.security.alpha.kubernetes.io/"
          "pod':'x','container.apparmor.security.beta.kubernetes.io/z':'y',"
          "'controller.kubernetes.io/pod-deletion-cost':'1.5',"
          "'kubernetes.io/config.mirror':''}},'spec':{'containers':"
          "[{'name':'c','image':'i'}]}}",
          "metadata.annotations[container.apparmor.security.beta.kubernetes."
          "io/z]: Invalid value: \"z\": container not found\n" },
        { "{'metadata':{'annotations':{'seccomp.security.alpha.kubernetes.io/"
          "pod':'unconfined','container.apparmor.security.beta.kubernetes."
          "io/c':'localhost/x'}},'spec':{'securityContext':{'seccompProfile':"
          "{'type':'RuntimeDefault'}},'containers':[{'name':'c','image':'i',"
          "'securityContext':{'appArmorProfile':{'type':'Localhost',"
          "'localhostProfile':'y'}}}]}}",
          "spec.securityContext.seccompProfile.type: Forbidden: seccomp type "
          "in annotation and field must match\n"
          "spec.containers[0].securityContext.appArmorProfile."
          "localhostProfile: Forbidden: apparmor profile in annotation and "
          "field must match\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(scheduling_is_checked)
{
    static const struct builtin_case cases[] = {
        { POD(",'affinity':{'nodeAffinity':{"
              "'requiredDuringSchedulingIgnoredDuringExecution':{},"
              "'preferredDuringSchedulingIgnoredDuringExecution':["
              "{'weight':0,'preference':{'matchExpressions':[{'key':'a',"
              "'operator':'X'}],'matchFields':[{'key':'x',"
              "'operator':'Exists'},{'key':'metadata.name','operator':'In',"
              "'values':['A_']}]}}]}}"),
          "nodeSelectorTerms: Required value: must have at least one node "
          "selector term\n" },
        { POD(",'affinity':{'podAntiAffinity':{"
              "'preferredDuringSchedulingIgnoredDuringExecution':["
              "{'weight':101,'podAffinityTerm':{'namespaces':['A'],"
              "'matchLabelKeys':['a'],'mismatchLabelKeys':['a'],"
              "'labelSelector':{'matchLabels':{'a':'b'},"
              "'matchExpressions':[{'key':'a','operator':'Exists'}]}}}]}}"),
          "podAffinityTerm.matchLabelKeys[0]: Invalid value: \"a\": exists in "
          "both matchLabelKeys and mismatchLabelKeys\n" },
        { POD(",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z',"
              "'whenUnsatisfiable':'DoNotSchedule','matchLabelKeys':['a']},"
              "{'maxSkew':1,'topologyKey':'z','whenUnsatisfiable':"
              "'DoNotSchedule'}]"),
          "spec.topologySpreadConstraints[0].{topologyKey, "
          "whenUnsatisfiable}: Duplicate value: \"{z, DoNotSchedule}\"\n"
          "spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must "
          "not be specified when labelSelector is not set\n" },
        { POD(",'tolerations':[{'key':'a','operator':'Gt','value':'1'}]"),
          "Unsupported value: \"Gt\": supported values: \"Equal\", "
          "\"Exists\", "
          "\"Lt\", \"Gt\"\n" },
        { POD(",'schedulingGates':[{'name':'a'},{'name':'a'}],"
              "'nodeName':'n'"),
          "spec.schedulingGates[1]: Duplicate value: \"a\"\nspec.nodeName: "
          "Forbidden: cannot be set until all schedulingGates have been "
          "cleared\n" },
        { POD(",'dnsPolicy':'None','dnsConfig':{}"),
          "spec.dnsConfig.nameservers: Required value: must provide at least "
          "one DNS nameserver when `dnsPolicy` is None\n" },
        { POD(",'dnsConfig':{'nameservers':['010.0.0.1','::ffff:1.2.3.4'],"
              "'searches':['.','a_b.c.','_x','x_']}"),
          "spec.dnsConfig.nameservers[0]: Invalid value: \"010.0.0.1\": must "
          "not have leading 0s\n"
          "spec.dnsConfig.nameservers[1]: Invalid value: \"::ffff:1.2.3.4\": "
          "must not be an IPv4-mapped IPv6 address\n"
          "spec.dnsConfig.searches[3]: Invalid value: \"x_\"" },
        { POD(",'hostnameOverride':'A_','setHostnameAsFQDN':true,"
              "'hostNetwork':true"),
          "spec.hostnameOverride: Forbidden: may not be specified when "
          "setHostnameAsFQDN is true\n" },
        { POD(",'activeDeadlineSeconds':0,'preemptionPolicy':'X',"
              "'runtimeClassName':'A','priorityClassName':'B'"),
          "spec.preemptionPolicy: Unsupported value: \"X\"" },
        { POD(",'overhead':{'x':'1'}"), "spec.overhead.limits[x]: Invalid "
          "value: \"x\": must be a standard resource type or fully "
          "qualified\n" },
        { POD(",'resourceClaims':[{'name':'a'},{'name':'a',"
              "'resourceClaimName':'A','resourceClaimTemplateName':'B'}]"),
          "spec.resourceClaims[0]: Invalid value: {\"Name\":\"a\","
          "\"ResourceClaimName\":null,\"ResourceClaimTemplateName\":null}: "
          "must specify one of: `resourceClaimName`, "
          "`resourceClaimTemplateName`\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(old_tolerations_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/"
          "tolerations':'[{\\'key\\':\\'a b\\'}]'}},'spec':{'containers':"
          "[{'name':'c','image':'i'}]}}",
          "metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0]."
          "key: Invalid value: \"a b\"" },
        { "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/"
          "tolerations':'[]'}},'spec':{'containers':[{'name':'c','image':"
          "'i'}]}}", "" },
    };

    CASE_RUN("Pod", cases);
}

TEST(app_armor_annotations_become_fields)
{
    static const struct {
        const char *profile, *of_pod, *want;
    } cases[] = {
        { "unconfined", "", "{'type':'Unconfined'}" },
        { "runtime/default", "", "{'type':'RuntimeDefault'}" },
        { "localhost/x", "",
          "{'localhostProfile':'x','type':'Localhost'}" },
        { "localhost/ x", "", NULL },
        { "localhost/", "", NULL },
        { "runtime/default",
          ",'securityContext':{'appArmorProfile':{'type':'RuntimeDefault'}}",
          NULL },
        { "unconfined", ",'os':{'name':'windows'}", NULL },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *pod = case_parse(arena, yl_arena_printf(
            arena, "{'metadata':{'annotations':{'container.apparmor.security."
                   "beta.kubernetes.io/c':'%s'}},'spec':{'containers':[{"
                   "'name':'c'}]%s}}", cases[i].profile, cases[i].of_pod));
        struct yl_node *c =
            yl_member_first(yl_member_object(pod, "spec"), "containers");

        yl_pod_copy_app_armor(arena, pod);
        if (cases[i].want) {
            case_has(arena, c, cases[i].want);
        } else {
            assert_true(yl_member_is_absent(c, "securityContext"));
        }
    }
    yl_arena_free(arena);
}
