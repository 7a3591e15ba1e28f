/* Tests of security contexts. */

#include "builtin_case.h"

/* A Pod with more in its spec, and one whose container has more. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"
#define CTR(MORE) "{'spec':{'containers':[{'name':'c','image':'i'" MORE "}]}}"

TEST(security_is_checked)
{
    static const struct builtin_case cases[] = {
        { POD(",'securityContext':{'fsGroup':-1,'supplementalGroups':[-1]}"),
          "spec.securityContext.fsGroup: Invalid value: -1: must be between "
          "0 and 2147483647, inclusive\n"
          "spec.securityContext.supplementalGroups[0]: Invalid value: -1: "
          "must be between 0 and 2147483647, inclusive\n" },
        { POD(",'securityContext':{'sysctls':[{'name':'kernel.sem'},"
              "{'name':'kernel.sem'},{},{'name':'a..b'}]},'hostIPC':true"),
          "spec.securityContext.sysctls[0].name: Invalid value: "
          "\"kernel.sem\": may not be specified when 'hostIPC' is true\n"
          "spec.securityContext.sysctls[1].name: Duplicate value: "
          "\"kernel.sem\"\n"
          "spec.securityContext.sysctls[1].name: Invalid value: "
          "\"kernel.sem\": may not be specified when 'hostIPC' is true\n"
          "spec.securityContext.sysctls[2].name: Required value\n"
          "spec.securityContext.sysctls[3].name: Invalid value: \"a..b\": "
          "must have at most 253 characters and match regex ^([a-z0-9](["
          "-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$\n" },
        { POD(",'securityContext':{'sysctls':[{'name':'kernel.shm_x'},"
              "{'name':'kernel/shmmax'},{'name':'fs.mqueue.x'},"
              "{'name':'fs.mqueue'},{'name':'net.x'}]},'hostIPC':true"),
          "spec.securityContext.sysctls[1].name: Invalid value: "
          "\"kernel/shmmax\": may not be specified when 'hostIPC' is true\n"
          "spec.securityContext.sysctls[2].name: Invalid value: "
          "\"fs.mqueue.x\": may not be specified when 'hostIPC' is true\n" },
        { POD(",'securityContext':{'sysctls':[{'name':'net.x'},"
              "{'name':'net/a.b'},{'name':'netx'},{'name':'a/net.x'},"
              "{'name':'kernel.sem'}]},'hostNetwork':true"),
          "spec.securityContext.sysctls[0].name: Invalid value: \"net.x\": "
          "may not be specified when 'hostNetwork' is true\n"
          "spec.securityContext.sysctls[1].name: Invalid value: "
          "\"net/a.b\": may not be specified when 'hostNetwork' is true\n" },
        { POD(",'securityContext':{'seccompProfile':{}}"),
          "spec.securityContext.seccompProfile.type: Required value: type is "
          "required when seccompProfile is set\n" },
        { POD(",'securityContext':{'seccompProfile':{'type':'Localhost',"
              "'localhostProfile':'/x'}}"),
              "spec.securityContext.seccompProfile.localhostProfile: Invalid "
              "value: \"/x\": must be a relative path\n" },
        { POD(",'securityContext':{'appArmorProfile':{}}"),
          "spec.securityContext.appArmorProfile.type: Required value: type "
          "is required when appArmorProfile is set\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Localhost',"
              "'localhostProfile':' x'}}"),
          "spec.securityContext.appArmorProfile.localhostProfile: Invalid "
          "value: \" x\": must not be padded with whitespace\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Localhost'}}"),
          "spec.securityContext.appArmorProfile.localhostProfile: Required "
          "value: must be set when AppArmor type is Localhost\n" },
        { POD(",'securityContext':{'appArmorProfile':{'type':'Unconfined',"
              "'localhostProfile':'x'}}"),
          "spec.securityContext.appArmorProfile.localhostProfile: Invalid "
          "value: \"x\": can only be set when AppArmor type is Localhost\n" },
        { CTR(",'securityContext':{'procMount':'Unmasked'}"),
          "spec.containers[0].securityContext.procMount: Invalid value: "
          "\"Unmasked\": `hostUsers` must be false to use `Unmasked`\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a\\\\b\\\\c','gmsaCredentialSpec':''}}"),
          "spec.containers["
          "0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid "
          "value: \"\": gmsaCredentialSpec cannot be an empty string\n"
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"a\\\\b\\\\c\": runAsUserName cannot contain more "
          "than one backslash\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'-*\\\\. .'}}"),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"-*\\\\. .\": runAsUserName's Domain doesn't "
          "match the NetBios nor the DNS format\n"
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"-*\\\\. .\": runAsUserName's User cannot contain "
          "only periods or spaces\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'d\\\\'}}"),
              "spec.containers["
              "0].securityContext.windowsOptions.runAsUserName: Invalid "
              "value: \"d\\\\\": runAsUserName's User cannot be empty\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a:b'}}"),
              "spec.containers["
              "0].securityContext.windowsOptions.runAsUserName: Invalid "
              "value: \"a:b\": runAsUserName's User cannot contain the "
              "following characters: \"/\\:;|=,+*?<>@[]\n" },
        { CTR(",'securityContext':{'windowsOptions':{'runAsUserName':"
              "'a\\tb'}}"),
              "spec.containers["
              "0].securityContext.windowsOptions.runAsUserName: Invalid "
              "value: \"a\\tb\": runAsUserName cannot contain control "
              "characters\n" },
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
          "metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "
          "\"\": must set spec.nodeName if mirror pod annotation is set\n"
          "metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: "
          "Invalid value: \"1.5\": must be a 32bit integer\n"
          "metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: "
          "Invalid value: \"x\": must be a valid seccomp profile\n"
          "metadata.annotations["
          "container.apparmor.security.beta.kubernetes.io/z]: Invalid value: "
          "\"z\": container not found\n"
          "metadata.annotations["
          "container.apparmor.security.beta.kubernetes.io/z]: Invalid value: "
          "\"y\": invalid AppArmor profile name: \"y\"\n" },
        { "{'metadata':{'annotations':{'seccomp.security.alpha.kubernetes.io/"
          "pod':'x','scheduler.alpha.kubernetes.io/tolerations':'x',"
          "'container.seccomp.security.alpha.kubernetes.io/c':'y'}},'spec':{"
          "'containers':[{'name':'c','image':'i'}]}}",
          "metadata.annotations: Invalid value: "
          "\"scheduler.alpha.kubernetes.io/tolerations\": invalid character "
          "'x' looking for beginning of value\n"
          "metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: "
          "Invalid value: \"x\": must be a valid seccomp profile\n"
          "metadata.annotations.container.seccomp.security.alpha.kubernetes.i"
          "o/c: Invalid value: \"y\": must be a valid seccomp profile\n" },
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

TEST(processes_of_the_host_are_all_or_none)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'hostNetwork':true,'securityContext':{'windowsOptions':"
          "{'hostProcess':false}},'containers':[{'name':'c','image':'i',"
          "'securityContext':{'windowsOptions':{'hostProcess':true}}},"
          "{'name':'d','image':'i'}]}}",
          "spec.containers[0].securityContext.windowsOptions.hostProcess: "
          "Invalid value: true: pod hostProcess value must be identical if "
          "both are specified, was false\n"
          "spec: Invalid value: \"\": If pod contains any hostProcess "
          "containers then all containers must be HostProcess containers\n" },
        { "{'spec':{'hostNetwork':true,'securityContext':{'windowsOptions':"
          "{'hostProcess':true}},'containers':[{'name':'c','image':'i'}]}}",
          "" },
        { POD(",'hostPID':true,'shareProcessNamespace':true"),
          "spec.securityContext.shareProcessNamespace: Invalid value: true: "
          "ShareProcessNamespace and HostPID cannot both be enabled\n" },
        { CTR(",'securityContext':{'allowPrivilegeEscalation':false,"
              "'privileged':true,'capabilities':{'add':['CAP_SYS_ADMIN']}}"),
          /* The whole context as upstream shows one, twice. */
          "spec.containers[0].securityContext: Invalid value: {" ANY_TEXT
          "}: cannot set `allowPrivilegeEscalation` to false and `privileged` "
          "to true\n"
          "spec.containers[0].securityContext: Invalid value: {" ANY_TEXT
          "}: cannot set `allowPrivilegeEscalation` to false and "
          "`capabilities.Add` CAP_SYS_ADMIN\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(profiles_have_a_path_only_on_the_node)
{
    static const struct builtin_case cases[] = {
        { POD(",'securityContext':{'seccompProfile':{'type':'Localhost'}}"),
          "spec.securityContext.seccompProfile.localhostProfile: Required "
          "value: must be set when seccomp type is Localhost\n" },
        { POD(",'securityContext':{'seccompProfile':{'type':'Unconfined',"
              "'localhostProfile':'x'}}"),
          "spec.securityContext.seccompProfile.localhostProfile: Invalid "
          "value: {\"Type\":\"Unconfined\",\"LocalhostProfile\":\"x\"}: can "
          "only be set when seccomp type is Localhost\n" },
        { POD(",'securityContext':{'seccompProfile':{'type':'Localhost',"
              "'localhostProfile':'../x'}}"),
          "spec.securityContext.seccompProfile.localhostProfile: Invalid "
          "value: \"../x\": must not contain '..'\n" },
        { POD(",'securityContext':{'seccompProfile':{'type':'X'},"
              "'appArmorProfile':{'type':'X'}}"),
          "spec.securityContext.seccompProfile.type: Unsupported value: "
          "\"X\": supported values: \"Localhost\", \"RuntimeDefault\", "
          "\"Unconfined\"\n"
          "spec.securityContext.appArmorProfile.type: Unsupported value: "
          "\"X\": supported values: \"Localhost\", \"RuntimeDefault\", "
          "\"Unconfined\"\n" },
    };

    CASE_RUN("Pod", cases);
}

#define A64                                                                   \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define LONG_DOMAIN A64 "." A64 "." A64 "." A64
#define USER(NAME)                                                            \
    CTR(",'securityContext':{'windowsOptions':{'runAsUserName':'" NAME "'}}")

TEST(users_of_windows_are_checked)
{
    static const struct builtin_case cases[] = {
        { USER("a-domain-of-names.example\\\\u"), "" },
        { USER("a-domain-of-names.example.\\\\u"),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"a-domain-of-names.example.\\\\u\": "
          "runAsUserName's Domain doesn't match the NetBios nor the DNS "
          "format\n" },
        { USER("a-domain-of-names.example-\\\\u"),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"a-domain-of-names.example-\\\\u\": "
          "runAsUserName's Domain doesn't match the NetBios nor the DNS "
          "format\n" },
        { USER("a-domain-of..names.example\\\\u"),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"a-domain-of..names.example\\\\u\": "
          "runAsUserName's Domain doesn't match the NetBios nor the DNS "
          "format\n" },
        { USER(""),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"\": runAsUserName cannot be an empty string\n" },
        { USER(A64 A64),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"" A64 A64 "\": runAsUserName's User length must "
          "not be longer than 104 characters\n" },
        { USER(LONG_DOMAIN "\\\\u"),
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"" LONG_DOMAIN "\\\\u\": runAsUserName's Domain "
          "length must be under 256 characters\n"
          "spec.containers[0].securityContext.windowsOptions.runAsUserName: "
          "Invalid value: \"" LONG_DOMAIN "\\\\u\": runAsUserName's Domain "
          "doesn't match the NetBios nor the DNS format\n" },
    };

    CASE_RUN("Pod", cases);
}
