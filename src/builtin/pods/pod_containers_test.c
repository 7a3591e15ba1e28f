/* Tests of containers, with their environments and probes. */

#include "builtin_case.h"

/* A Pod with more in its spec, and one whose container has more. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"
#define CTR(MORE) "{'spec':{'containers':[{'name':'c','image':'i'" MORE "}]}}"

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
          "spec.containers[0].ports[0].name: Invalid value: \"A\": must "
          "contain only alpha-numeric characters (a-z, 0-9), and hyphens "
          "(-)\n"
          "spec.containers[0].ports[0].name: Invalid value: \"A\": must "
          "contain at least one letter (a-z)\n"
          "spec.containers[0].ports[0].containerPort: Required value\n" },
        { CTR(",'ports':[{'containerPort':1,'hostPort':5},"
              "{'containerPort':2,'hostPort':5}]"),
          "spec.containers[0].ports[1].hostPort: Duplicate value: "
          "\"TCP//5\"\n" },
        { CTR(",'volumeMounts':[{'name':'x','mountPath':'/a'}]"),
          "spec.containers[0].volumeMounts[0].name: Not found: \"x\"\n" },
        { CTR(",'volumeDevices':[{'name':'x','devicePath':'/a/..'},"
              "{'name':'x'}]"),
          "spec.containers[0].volumeDevices[0].name: Not found: \"x\"\n"
          "spec.containers[0].volumeDevices[0].devicePath: Invalid value: "
          "\"/a/..\": can not contain backsteps ('..')\n"
          "spec.containers[0].volumeDevices[1].name: Invalid value: \"x\": "
          "must be unique\n"
          "spec.containers[0].volumeDevices[1].name: Not found: \"x\"\n"
          "spec.containers[0].volumeDevices[1].devicePath: Required value\n" },
        { "{'spec':{'volumes':[{'name':'v','emptyDir':{}}],'containers':["
          "{'name':'c','image':'i','volumeDevices':[{'name':'v',"
          "'devicePath':'/d'}],'volumeMounts':[{'name':'v',"
          "'mountPath':'/d','mountPropagation':'Bidirectional',"
          "'recursiveReadOnly':'Enabled'}]}]}}",
          "spec.containers[0].volumeMounts[0].name: Invalid value: \"v\": "
          "must not already exist in volumeDevices\n"
          "spec.containers[0].volumeMounts[0].mountPath: Invalid value: "
          "\"/d\": must not already exist as a path in volumeDevices\n"
          "spec.containers[0].volumeMounts.mountPropagation: Forbidden: "
          "Bidirectional mount propagation is available only to privileged "
          "containers\n"
          "spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may "
          "only be specified when readOnly is true\n"
          "spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may "
          "only be specified when mountPropagation is None or not specified\n"
          "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": "
          "can only use volume source type of PersistentVolumeClaim or "
          "Ephemeral for block mode\n"
          "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": "
          "must not already exist in volumeMounts\n"
          "spec.containers[0].volumeDevices[0].devicePath: Invalid value: "
          "\"/d\": must not already exist as a path in volumeMounts\n" },
        { CTR(",'resizePolicy':[{'resourceName':'x','restartPolicy':'y'},"
              "{'resourceName':'x'}]"),
          "spec.containers[0].resizePolicy: Unsupported value: \"x\": "
          "supported values: \"cpu\", \"memory\"\n"
          "spec.containers[0].resizePolicy: Unsupported value: \"y\": "
          "supported values: \"NotRequired\", \"RestartContainer\"\n"
          "spec.containers[0].resizePolicy[1]: Duplicate value: \"x\"\n"
          "spec.containers[0].resizePolicy: Unsupported value: \"x\": "
          "supported values: \"cpu\", \"memory\"\n"
          "spec.containers[0].resizePolicy: Required value\n" },
        { CTR(",'restartPolicyRules':[{'action':'x'}]"),
          "spec.containers[0].restartPolicy: Required value: must specify "
          "restartPolicy when restart rules are used\n"
          "spec.containers[0].restartPolicyRules[0].action: Unsupported "
          "value: \"x\": supported values: \"Restart\", "
          "\"RestartAllContainers\"\n"
          "spec.containers[0].restartPolicyRules[0].exitCodes: Required "
          "value: must be specified\n" },
        { CTR(",'restartPolicy':'Never','restartPolicyRules':[{'action':"
              "'Restart','exitCodes':{'operator':'X'}}]"),
          "spec.containers[0].restartPolicyRules[0].exitCodes.operator: "
          "Unsupported value: \"X\": supported values: \"In\", \"NotIn\"\n" },
        { POD(",'initContainers':[{'name':'c','image':'i','lifecycle':{},"
              "'resizePolicy':[{'resourceName':'cpu','restartPolicy':"
              "'RestartContainer'}]}]"),
          "spec.initContainers[0].name: Duplicate value: \"c\"\n"
          "spec.initContainers[0].lifecycle: Forbidden: may not be set for "
          "init containers without restartPolicy=Always\n"
          "spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid "
          "value: \"RestartContainer\": must not be set to "
          "'RestartContainer' for non-sidecar initContainers\n" },
        { POD(",'ephemeralContainers':[{'name':'c','image':' i','ports':"
              "[{'containerPort':1}],'targetContainerName':'z',"
              "'volumeMounts':[{'subPath':'x','subPathExpr':'y'}]}]"),
          "spec.ephemeralContainers[0].volumeMounts[0].name: Required value\n"
          "spec.ephemeralContainers[0].volumeMounts[0].name: Not found: "
          "\"\"\n"
          "spec.ephemeralContainers[0].volumeMounts[0].mountPath: Required "
          "value\n"
          "spec.ephemeralContainers[0].volumeMounts[0].subPathExpr: Invalid "
          "value: \"y\": subPathExpr and subPath are mutually exclusive\n"
          "spec.ephemeralContainers[0].image: Invalid value: \" i\": must "
          "not have leading or trailing whitespace\n"
          "spec.ephemeralContainers[0].name: Duplicate value: \"c\"\n"
          "spec.ephemeralContainers[0].targetContainerName: Not found: "
          "\"z\"\n"
          "spec.ephemeralContainers[0].ports: Forbidden: cannot be set for "
          "an Ephemeral Container\n"
          "spec.ephemeralContainers[0].volumeMounts[0].subPath: Forbidden: "
          "cannot be set for an Ephemeral Container\n"
          "spec.ephemeralContainers[0].volumeMounts[0].subPathExpr: "
          "Forbidden: cannot be set for an Ephemeral Container\n"
          "spec.ephemeralContainers: Forbidden: cannot be set on create\n" },
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
          "spec.containers[0].env[0].valueFrom.secretKeyRef.name: Invalid "
          "value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.containers[0].env[0].valueFrom.secretKeyRef.key: Invalid "
          "value: \"b c\": a valid config key must consist of alphanumeric "
          "characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or "
          "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')\n"
          "spec.containers[0].env[0].valueFrom: Invalid value: \"\": may not "
          "be specified when `value` is not empty\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'secretKeyRef':{'name':'a',"
              "'key':'b'},'fieldRef':{'fieldPath':'metadata.name'}}}]"),
          "spec.containers[0].env[0].valueFrom: Invalid value: \"\": may not "
          "have more than one field specified at a time\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'metadata.labels'}}}]"),
          "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: "
          "Unsupported value: \"metadata.labels\": supported values: "
          "\"metadata.name\", \"metadata.namespace\", \"metadata.uid\", "
          "\"spec.nodeName\", \"spec.serviceAccountName\", \"status.hostIP\","
          " \"status.hostIPs\", \"status.podIP\", \"status.podIPs\"\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'spec.host'}}}]"), "" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'x'}}}]"),
          "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid "
          "value: \"x\": error converting fieldPath: field label not "
          "supported: x\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'apiVersion':'v2',"
              "'fieldPath':'metadata.name'}}}]"),
          "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid "
          "value: \"metadata.name\": error converting fieldPath: unsupported "
          "pod version: v2\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'limits.cpu','divisor':'2'}}}]"),
          "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: "
          "Invalid value: \"limits.cpu\": only divisor's values 1m and 1 are "
          "supported with the cpu resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'requests.memory','divisor':'3'}}}]"),
          "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: "
          "Invalid value: \"requests.memory\": only divisor's values 1, 1k, "
          "1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported "
          "with the memory resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'requests.ephemeral-storage','divisor':'3'}}}]"),
          "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: "
          "Invalid value: \"requests.ephemeral-storage\": only divisor's "
          "values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei "
          "are supported with the local ephemeral storage resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'resourceFieldRef':"
              "{'resource':'limits.hugepages-2Mi','divisor':'3'}}}]"),
          "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: "
          "Invalid value: \"limits.hugepages-2Mi\": only divisor's values 1, "
          "1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are "
          "supported with the hugepages resource\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fileKeyRef':{'key':'a=',"
              "'volumeName':'V','path':'../x'}}}]"),
          "spec.containers[0].env[0].valueFrom.fileKeyRef.key: Invalid "
          "value: \"a=\": a valid environment variable name must consist "
          "only of printable ASCII characters other than '='\n"
          "spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: "
          "Invalid value: \"V\": " CASE_LABEL "\n"
          "spec.containers[0].env[0].valueFrom.fileKeyRef.path: Invalid "
          "value: \"../x\": must not contain '..'\n"
          "spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not "
          "found: \"V\"\n" },
        { "{'spec':{'volumes':[{'name':'v','secret':{'secretName':'s'}}],"
          "'containers':[{'name':'c','image':'i','env':[{'name':'a',"
          "'valueFrom':{'fileKeyRef':{'key':'a','volumeName':'v',"
          "'path':'x'}}}]}]}}",
          "spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: "
          "Invalid value: \"v\": referenced volume must be of type "
          "emptyDir\n" },
        { CTR(",'envFrom':[{'prefix':'a='},{'configMapRef':{'name':'A'},"
              "'secretRef':{}}]"),
          "spec.containers[0].envFrom[0].prefix: Invalid value: \"a=\": a "
          "valid environment variable name must consist only of printable "
          "ASCII characters other than '='\n"
          "spec.containers[0].envFrom: Invalid value: \"\": must specify one "
          "of: `configMapRef` or `secretRef`\n"
          "spec.containers[0].envFrom[1].configMapRef.name: Invalid value: "
          "\"A\": " CASE_SUBDOMAIN "\n"
          "spec.containers[0].envFrom[1].secretRef.name: Required value\n"
          "spec.containers[0].envFrom: Invalid value: \"\": may not have "
          "more than one field specified at a time\n" },
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
          "spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "
          "\"x_\": must contain only alpha-numeric characters (a-z, 0-9), "
          "and hyphens (-)\n"
          "spec.containers[0].readinessProbe.terminationGracePeriodSeconds: "
          "Invalid value: 0: must be greater than 0\n"
          "spec.containers[0].readinessProbe.terminationGracePeriodSeconds: "
          "Invalid value: 0: must not be set for readinessProbes\n" },
        { CTR(",'startupProbe':{'grpc':{'port':1},'exec':{},"
              "'successThreshold':2}"),
          "spec.containers[0].startupProbe.exec.command: Required value\n"
          "spec.containers[0].startupProbe.grpc: Forbidden: may not specify "
          "more than 1 handler type\n"
          "spec.containers[0].startupProbe.successThreshold: Invalid value: "
          "2: must be 1\n" },
        { CTR(",'lifecycle':{'preStop':{'sleep':{'seconds':31}},"
              "'postStart':{'httpGet':{'port':0,'scheme':'X','httpHeaders':"
              "[{'name':'a b'}]}}}"),
          "spec.containers[0].lifecycle.postStart.httpGet.port: Invalid "
          "value: 0: must be between 1 and 65535, inclusive\n"
          "spec.containers[0].lifecycle.postStart.httpGet.scheme: "
          "Unsupported value: \"X\": supported values: \"HTTP\", \"HTTPS\"\n"
          "spec.containers[0].lifecycle.postStart.httpGet.httpHeaders: "
          "Invalid value: \"a b\": a valid HTTP header must consist of "
          "alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used "
          "for validation is '[-A-Za-z0-9]+')\n"
          "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: "
          "must be non-negative and less than terminationGracePeriodSeconds "
          "(30)\n" },
        { CTR(",'lifecycle':{'postStart':{'httpGet':{'port':1,'httpHeaders':"
              "[{'name':'a b'}]}}}"),
          "spec.containers[0].lifecycle.postStart.httpGet.httpHeaders: "
          "Invalid value: \"a b\": a valid HTTP header must consist of "
          "alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used "
          "for validation is '[-A-Za-z0-9]+')\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(what_pods_never_restart_is_not_restarted_to_resize)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'i','resizePolicy':[{'resourceName':'cpu',"
          "'restartPolicy':'RestartContainer'},{'resourceName':'cpu',"
          "'restartPolicy':'NotRequired'},{'resourceName':'x',"
          "'restartPolicy':'X'},{}]}]}}",
          "spec.containers[0].resizePolicy: Invalid value: "
          "\"RestartContainer\": must be 'NotRequired' when pod "
          "`restartPolicy` is 'Never'\n"
          "spec.containers[0].resizePolicy[1]: Duplicate value: \"cpu\"\n"
          "spec.containers[0].resizePolicy: Unsupported value: \"x\": "
          "supported values: \"cpu\", \"memory\"\n"
          "spec.containers[0].resizePolicy: Unsupported value: \"X\": "
          "supported values: \"NotRequired\", \"RestartContainer\"\n"
          "spec.containers[0].resizePolicy: Invalid value: \"X\": must be "
          "'NotRequired' when pod `restartPolicy` is 'Never'\n"
          "spec.containers[0].resizePolicy: Required value\n"
          "spec.containers[0].resizePolicy: Required value\n"
          "spec.containers[0].resizePolicy: Invalid value: \"\": must be "
          "'NotRequired' when pod `restartPolicy` is 'Never'\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(sleep_ends_before_the_container_does)
{
    static const struct builtin_case cases[] = {
        { CTR(",'lifecycle':{'preStop':{'sleep':{'seconds':30}}}"), "" },
        { CTR(",'lifecycle':{'preStop':{'sleep':{'seconds':31}}}"),
          "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: "
          "must be non-negative and less than terminationGracePeriodSeconds "
          "(30)\n" },
        { CTR(",'lifecycle':{'postStart':{'sleep':{'seconds':-1}}}"),
          "spec.containers[0].lifecycle.postStart.sleep: Invalid value: -1: "
          "must be non-negative and less than terminationGracePeriodSeconds "
          "(30)\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(names_of_variables_are_checked)
{
    static const struct builtin_case cases[] = {
        { CTR(",'env':[{},{'name':'a=b'},{'name':'1 b'}]"),
          "spec.containers[0].env[0].name: Required value\n"
          "spec.containers[0].env[1].name: Invalid value: \"a=b\": a valid "
          "environment variable name must consist only of printable ASCII "
          "characters other than '='\n" },
        { CTR(",'envFrom':[{'prefix':'=','configMapRef':{'name':'a'}},{}]"),
          "spec.containers[0].envFrom[0].prefix: Invalid value: \"=\": a "
          "valid environment variable name must consist only of printable "
          "ASCII characters other than '='\n"
          "spec.containers[0].envFrom: Invalid value: \"\": must specify one "
          "of: `configMapRef` or `secretRef`\n" },
        { CTR(",'env':[{'name':'a','valueFrom':{'fieldRef':{'fieldPath':"
              "'spec.nodeName[\\u0027a\\u0027]'}}}]"),
          "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid "
          "value: \"spec.nodeName['a']\": error converting fieldPath: field "
          "label does not support subscript: spec.nodeName['a']\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(names_of_ports_and_places_of_mounts_are_of_one_each)
{
    static const struct builtin_case cases[] = {
        { CTR(",'ports':[{'name':'a','containerPort':1},{'name':'a',"
              "'containerPort':2}]"),
          "spec.containers[0].ports[1].name: Duplicate value: \"a\"\n" },
        { "{'spec':{'volumes':[{'name':'v','emptyDir':{}}],'containers':[{"
          "'name':'c','image':'i','volumeMounts':[{'name':'v','mountPath':"
          "'/a'},{'name':'v','mountPath':'/a'}],'volumeDevices':[{'name':"
          "'v','devicePath':'/a'}]}]}}",
          "spec.containers[0].volumeMounts[0].name: Invalid value: \"v\": "
          "must not already exist in volumeDevices\n"
          "spec.containers[0].volumeMounts[0].mountPath: Invalid value: "
          "\"/a\": must not already exist as a path in volumeDevices\n"
          "spec.containers[0].volumeMounts[1].mountPath: Invalid value: "
          "\"/a\": must be unique\n"
          "spec.containers[0].volumeMounts[1].name: Invalid value: \"v\": "
          "must not already exist in volumeDevices\n"
          "spec.containers[0].volumeMounts[1].mountPath: Invalid value: "
          "\"/a\": must not already exist as a path in volumeDevices\n"
          "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": "
          "can only use volume source type of PersistentVolumeClaim or "
          "Ephemeral for block mode\n"
          "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": "
          "must not already exist in volumeMounts\n"
          "spec.containers[0].volumeDevices[0].devicePath: Invalid value: "
          "\"/a\": must not already exist as a path in volumeMounts\n" },
    };

    CASE_RUN("Pod", cases);
}
