/* Pods as upstream's messages show them: tables.  The order is that of
 * upstream's structs.  See builtin/go/go_core.h. */

#include "builtin/go/go_core.h"

#include "builtin/go/go_core_row.h"

static const struct yl_go_field selector_requirement[] = {
    STR(key, key), STR(operator, operator), PTR(values, values), END
};

const struct yl_go_field yl_go_selector[] = {
    PTR(matchLabels, matchLabels),
    TAGGED_SLICE(matchExpressions, matchExpressions, selector_requirement), END
};

static const struct yl_go_field owner_reference[] = {
    STR(apiVersion, apiVersion), STR(kind, kind), STR(name, name),
    STR(uid, uid), PTR(controller, controller),
    PTR(blockOwnerDeletion, blockOwnerDeletion), END
};

const struct yl_go_field yl_go_metadata[] = {
    PTR(name, name), PTR(generateName, generateName),
    PTR(namespace, namespace), PTR(selfLink, selfLink), PTR(uid, uid),
    PTR(resourceVersion, resourceVersion), PTR(generation, generation),
    PTR(creationTimestamp, creationTimestamp),
    PTR(deletionTimestamp, deletionTimestamp),
    PTR(deletionGracePeriodSeconds, deletionGracePeriodSeconds),
    PTR(labels, labels), PTR(annotations, annotations),
    TAGGED_SLICE(ownerReferences, ownerReferences, owner_reference),
    PTR(finalizers, finalizers), PTR(managedFields, managedFields), END
};

static const struct yl_go_field container_port[] = {
    STR(Name, name), INT(HostPort, hostPort),
    INT(ContainerPort, containerPort), STR(Protocol, protocol),
    STR(HostIP, hostIP), END
};

static const struct yl_go_field config_map_env_source[] = {
    STR(Name, name), PTR(Optional, optional), END
};

static const struct yl_go_field secret_env_source[] = {
    STR(Name, name), PTR(Optional, optional), END
};

static const struct yl_go_field env_from_source[] = {
    STR(Prefix, prefix),
    STRUCT_PTR(ConfigMapRef, configMapRef, config_map_env_source),
    STRUCT_PTR(SecretRef, secretRef, secret_env_source), END
};

static const struct yl_go_field config_map_key_selector[] = {
    STR(Name, name), STR(Key, key), PTR(Optional, optional), END
};

static const struct yl_go_field secret_key_selector[] = {
    STR(Name, name), STR(Key, key), PTR(Optional, optional), END
};

static const struct yl_go_field file_key_selector[] = {
    STR(VolumeName, volumeName), STR(Path, path), STR(Key, key),
    PTR(Optional, optional), END
};

static const struct yl_go_field env_var_source[] = {
    STRUCT_PTR(FieldRef, fieldRef, yl_go_field_ref),
    STRUCT_PTR(ResourceFieldRef, resourceFieldRef, yl_go_resource_ref),
    STRUCT_PTR(ConfigMapKeyRef, configMapKeyRef, config_map_key_selector),
    STRUCT_PTR(SecretKeyRef, secretKeyRef, secret_key_selector),
    STRUCT_PTR(FileKeyRef, fileKeyRef, file_key_selector), END
};

static const struct yl_go_field env_var[] = {
    STR(Name, name), STR(Value, value),
    STRUCT_PTR(ValueFrom, valueFrom, env_var_source), END
};

static const struct yl_go_field resource_claim[] = {
    STR(Name, name), STR(Request, request), END
};

static const struct yl_go_field resource_requirements[] = {
    PTR(Limits, limits), PTR(Requests, requests),
    SLICE(Claims, claims, resource_claim), END
};

static const struct yl_go_field container_resize_policy[] = {
    STR(ResourceName, resourceName), STR(RestartPolicy, restartPolicy), END
};

static const struct yl_go_field container_restart_rule_on_exit_codes[] = {
    STR(Operator, operator), PTR(Values, values), END
};

static const struct yl_go_field container_restart_rule[] = {
    STR(Action, action),
    STRUCT_PTR(ExitCodes, exitCodes, container_restart_rule_on_exit_codes), END
};

static const struct yl_go_field volume_mount[] = {
    STR(Name, name), BOOL(ReadOnly, readOnly),
    PTR(RecursiveReadOnly, recursiveReadOnly), STR(MountPath, mountPath),
    STR(SubPath, subPath), PTR(MountPropagation, mountPropagation),
    STR(SubPathExpr, subPathExpr), END
};

static const struct yl_go_field volume_device[] = {
    STR(Name, name), STR(DevicePath, devicePath), END
};

static const struct yl_go_field exec_action[] = {
    PTR(Command, command), END
};

static const struct yl_go_field http_header[] = {
    STR(Name, name), STR(Value, value), END
};

static const struct yl_go_field http_get_action[] = {
    STR(Path, path), INT(Port, port), STR(Host, host), STR(Scheme, scheme),
    SLICE(HTTPHeaders, httpHeaders, http_header), END
};

static const struct yl_go_field tcp_socket_action[] = {
    INT(Port, port), STR(Host, host), END
};

static const struct yl_go_field grpc_action[] = {
    INT(Port, port), PTR(Service, service), END
};

static const struct yl_go_field probe[] = {
    STRUCT_PTR(Exec, exec, exec_action),
    STRUCT_PTR(HTTPGet, httpGet, http_get_action),
    STRUCT_PTR(TCPSocket, tcpSocket, tcp_socket_action),
    STRUCT_PTR(GRPC, grpc, grpc_action),
    INT(InitialDelaySeconds, initialDelaySeconds),
    INT(TimeoutSeconds, timeoutSeconds), INT(PeriodSeconds, periodSeconds),
    INT(SuccessThreshold, successThreshold),
    INT(FailureThreshold, failureThreshold),
    PTR(TerminationGracePeriodSeconds, terminationGracePeriodSeconds), END
};

static const struct yl_go_field sleep_action[] = {
    INT(Seconds, seconds), END
};

static const struct yl_go_field lifecycle_handler[] = {
    STRUCT_PTR(Exec, exec, exec_action),
    STRUCT_PTR(HTTPGet, httpGet, http_get_action),
    STRUCT_PTR(TCPSocket, tcpSocket, tcp_socket_action),
    STRUCT_PTR(Sleep, sleep, sleep_action), END
};

static const struct yl_go_field lifecycle[] = {
    STRUCT_PTR(PostStart, postStart, lifecycle_handler),
    STRUCT_PTR(PreStop, preStop, lifecycle_handler),
    PTR(StopSignal, stopSignal), END
};

static const struct yl_go_field capabilities[] = {
    PTR(Add, add), PTR(Drop, drop), END
};

static const struct yl_go_field se_linux_options[] = {
    STR(User, user), STR(Role, role), STR(Type, type), STR(Level, level), END
};

static const struct yl_go_field windows_security_context_options[] = {
    PTR(GMSACredentialSpecName, gmsaCredentialSpecName),
    PTR(GMSACredentialSpec, gmsaCredentialSpec),
    PTR(RunAsUserName, runAsUserName), PTR(HostProcess, hostProcess), END
};

const struct yl_go_field yl_go_seccomp_profile[] = {
    STR(Type, type), PTR(LocalhostProfile, localhostProfile), END
};

static const struct yl_go_field app_armor_profile[] = {
    STR(Type, type), PTR(LocalhostProfile, localhostProfile), END
};

const struct yl_go_field yl_go_security_context[] = {
    STRUCT_PTR(Capabilities, capabilities, capabilities),
    PTR(Privileged, privileged),
    STRUCT_PTR(SELinuxOptions, seLinuxOptions, se_linux_options),
    STRUCT_PTR(WindowsOptions,
               windowsOptions,
               windows_security_context_options),
    PTR(RunAsUser, runAsUser), PTR(RunAsGroup, runAsGroup),
    PTR(RunAsNonRoot, runAsNonRoot),
    PTR(ReadOnlyRootFilesystem, readOnlyRootFilesystem),
    PTR(AllowPrivilegeEscalation, allowPrivilegeEscalation),
    PTR(ProcMount, procMount),
    STRUCT_PTR(SeccompProfile, seccompProfile, yl_go_seccomp_profile),
    STRUCT_PTR(AppArmorProfile, appArmorProfile, app_armor_profile), END
};

static const struct yl_go_field container[] = {
    STR(Name, name), STR(Image, image), PTR(Command, command), PTR(Args, args),
    STR(WorkingDir, workingDir), SLICE(Ports, ports, container_port),
    SLICE(EnvFrom, envFrom, env_from_source), SLICE(Env, env, env_var),
    STRUCT(Resources, resources, resource_requirements),
    SLICE(ResizePolicy, resizePolicy, container_resize_policy),
    PTR(RestartPolicy, restartPolicy),
    SLICE(RestartPolicyRules, restartPolicyRules, container_restart_rule),
    SLICE(VolumeMounts, volumeMounts, volume_mount),
    SLICE(VolumeDevices, volumeDevices, volume_device),
    STRUCT_PTR(LivenessProbe, livenessProbe, probe),
    STRUCT_PTR(ReadinessProbe, readinessProbe, probe),
    STRUCT_PTR(StartupProbe, startupProbe, probe),
    STRUCT_PTR(Lifecycle, lifecycle, lifecycle),
    STR(TerminationMessagePath, terminationMessagePath),
    STR(TerminationMessagePolicy, terminationMessagePolicy),
    STR(ImagePullPolicy, imagePullPolicy),
    STRUCT_PTR(SecurityContext, securityContext, yl_go_security_context),
    BOOL(Stdin, stdin), BOOL(StdinOnce, stdinOnce), BOOL(TTY, tty), END
};

const struct yl_go_field yl_go_ephemeral_container[] = {
    STR(Name, name), STR(Image, image), PTR(Command, command), PTR(Args, args),
    STR(WorkingDir, workingDir), SLICE(Ports, ports, container_port),
    SLICE(EnvFrom, envFrom, env_from_source), SLICE(Env, env, env_var),
    STRUCT(Resources, resources, resource_requirements),
    SLICE(ResizePolicy, resizePolicy, container_resize_policy),
    PTR(RestartPolicy, restartPolicy),
    SLICE(RestartPolicyRules, restartPolicyRules, container_restart_rule),
    SLICE(VolumeMounts, volumeMounts, volume_mount),
    SLICE(VolumeDevices, volumeDevices, volume_device),
    STRUCT_PTR(LivenessProbe, livenessProbe, probe),
    STRUCT_PTR(ReadinessProbe, readinessProbe, probe),
    STRUCT_PTR(StartupProbe, startupProbe, probe),
    STRUCT_PTR(Lifecycle, lifecycle, lifecycle),
    STR(TerminationMessagePath, terminationMessagePath),
    STR(TerminationMessagePolicy, terminationMessagePolicy),
    STR(ImagePullPolicy, imagePullPolicy),
    STRUCT_PTR(SecurityContext, securityContext, yl_go_security_context),
    BOOL(Stdin, stdin), BOOL(StdinOnce, stdinOnce), BOOL(TTY, tty),
    STR(TargetContainerName, targetContainerName), END
};

static const struct yl_go_field sysctl[] = {
    STR(Name, name), STR(Value, value), END
};

static const struct yl_go_field pod_security_context[] = {
    OUTER_BOOL(HostNetwork, hostNetwork), OUTER_BOOL(HostPID, hostPID),
    OUTER_BOOL(HostIPC, hostIPC),
    OUTER_PTR(ShareProcessNamespace, shareProcessNamespace),
    OUTER_PTR(HostUsers, hostUsers),
    STRUCT_PTR(SELinuxOptions, seLinuxOptions, se_linux_options),
    STRUCT_PTR(WindowsOptions,
               windowsOptions,
               windows_security_context_options),
    PTR(RunAsUser, runAsUser), PTR(RunAsGroup, runAsGroup),
    PTR(RunAsNonRoot, runAsNonRoot),
    PTR(SupplementalGroups, supplementalGroups),
    PTR(SupplementalGroupsPolicy, supplementalGroupsPolicy),
    PTR(FSGroup, fsGroup), PTR(FSGroupChangePolicy, fsGroupChangePolicy),
    SLICE(Sysctls, sysctls, sysctl),
    STRUCT_PTR(SeccompProfile, seccompProfile, yl_go_seccomp_profile),
    STRUCT_PTR(AppArmorProfile, appArmorProfile, app_armor_profile),
    PTR(SELinuxChangePolicy, seLinuxChangePolicy), END
};

static const struct yl_go_field node_selector_requirement[] = {
    STR(Key, key), STR(Operator, operator), PTR(Values, values), END
};

const struct yl_go_field yl_go_node_selector_term[] = {
    SLICE(MatchExpressions, matchExpressions, node_selector_requirement),
    SLICE(MatchFields, matchFields, node_selector_requirement), END
};

const struct yl_go_field yl_go_node_selector[] = {
    SLICE(NodeSelectorTerms, nodeSelectorTerms, yl_go_node_selector_term), END
};

static const struct yl_go_field preferred_scheduling_term[] = {
    INT(Weight, weight),
    STRUCT(Preference, preference, yl_go_node_selector_term),
    END
};

static const struct yl_go_field node_affinity[] = {

    STRUCT_PTR(RequiredDuringSchedulingIgnoredDuringExecution,
               requiredDuringSchedulingIgnoredDuringExecution,
               yl_go_node_selector),

    SLICE(PreferredDuringSchedulingIgnoredDuringExecution,
          preferredDuringSchedulingIgnoredDuringExecution,
          preferred_scheduling_term),
    END
};

static const struct yl_go_field pod_affinity_term[] = {
    TAGGED(LabelSelector, labelSelector, yl_go_selector),
    PTR(Namespaces, namespaces), STR(TopologyKey, topologyKey),
    TAGGED(NamespaceSelector, namespaceSelector, yl_go_selector),
    PTR(MatchLabelKeys, matchLabelKeys),
    PTR(MismatchLabelKeys, mismatchLabelKeys), END
};

static const struct yl_go_field weighted_pod_affinity_term[] = {
    INT(Weight, weight),
    STRUCT(PodAffinityTerm, podAffinityTerm, pod_affinity_term), END
};

static const struct yl_go_field pod_affinity[] = {

    SLICE(RequiredDuringSchedulingIgnoredDuringExecution,
          requiredDuringSchedulingIgnoredDuringExecution,
          pod_affinity_term),

    SLICE(PreferredDuringSchedulingIgnoredDuringExecution,
          preferredDuringSchedulingIgnoredDuringExecution,
          weighted_pod_affinity_term),
    END
};

static const struct yl_go_field pod_anti_affinity[] = {

    SLICE(RequiredDuringSchedulingIgnoredDuringExecution,
          requiredDuringSchedulingIgnoredDuringExecution,
          pod_affinity_term),

    SLICE(PreferredDuringSchedulingIgnoredDuringExecution,
          preferredDuringSchedulingIgnoredDuringExecution,
          weighted_pod_affinity_term),
    END
};

static const struct yl_go_field affinity[] = {
    STRUCT_PTR(NodeAffinity, nodeAffinity, node_affinity),
    STRUCT_PTR(PodAffinity, podAffinity, pod_affinity),
    STRUCT_PTR(PodAntiAffinity, podAntiAffinity, pod_anti_affinity), END
};

const struct yl_go_field yl_go_toleration[] = {
    STR(Key, key), STR(Operator, operator), STR(Value, value),
    STR(Effect, effect), PTR(TolerationSeconds, tolerationSeconds), END
};

static const struct yl_go_field host_alias[] = {
    STR(IP, ip), PTR(Hostnames, hostnames), END
};

static const struct yl_go_field pod_dns_config_option[] = {
    STR(Name, name), PTR(Value, value), END
};

static const struct yl_go_field pod_dns_config[] = {
    PTR(Nameservers, nameservers), PTR(Searches, searches),
    SLICE(Options, options, pod_dns_config_option), END
};

static const struct yl_go_field pod_readiness_gate[] = {
    STR(ConditionType, conditionType), END
};

static const struct yl_go_field topology_spread_constraint[] = {
    INT(MaxSkew, maxSkew), STR(TopologyKey, topologyKey),
    STR(WhenUnsatisfiable, whenUnsatisfiable),
    TAGGED(LabelSelector, labelSelector, yl_go_selector),
    PTR(MinDomains, minDomains), PTR(NodeAffinityPolicy, nodeAffinityPolicy),
    PTR(NodeTaintsPolicy, nodeTaintsPolicy),
    PTR(MatchLabelKeys, matchLabelKeys), END
};

static const struct yl_go_field pod_os[] = {
    STR(Name, name), END
};

static const struct yl_go_field pod_scheduling_gate[] = {
    STR(Name, name), END
};

static const struct yl_go_field pod_resource_claim[] = {
    STR(Name, name), PTR(ResourceClaimName, resourceClaimName),
    PTR(ResourceClaimTemplateName, resourceClaimTemplateName), END
};

static const struct yl_go_field pod_scheduling_group[] = {
    PTR(PodGroupName, podGroupName), END
};

const struct yl_go_field yl_go_pod_spec[] = {
    SLICE(Volumes, volumes, yl_go_volume),
    SLICE(InitContainers, initContainers, container),
    SLICE(Containers, containers, container),
    SLICE(EphemeralContainers, ephemeralContainers, yl_go_ephemeral_container),
    STR(RestartPolicy, restartPolicy),
    PTR(TerminationGracePeriodSeconds, terminationGracePeriodSeconds),
    PTR(ActiveDeadlineSeconds, activeDeadlineSeconds),
    STR(DNSPolicy, dnsPolicy), PTR(NodeSelector, nodeSelector),
    STR(ServiceAccountName, serviceAccountName),
    PTR(AutomountServiceAccountToken, automountServiceAccountToken),
    STR(NodeName, nodeName),
    STRUCT_PTR(SecurityContext, securityContext, pod_security_context),
    SLICE(ImagePullSecrets, imagePullSecrets, yl_go_local_reference),
    STR(Hostname, hostname), STR(Subdomain, subdomain),
    PTR(SetHostnameAsFQDN, setHostnameAsFQDN),
    STRUCT_PTR(Affinity, affinity, affinity),
    STR(SchedulerName, schedulerName),
    SLICE(Tolerations, tolerations, yl_go_toleration),
    SLICE(HostAliases, hostAliases, host_alias),
    STR(PriorityClassName, priorityClassName), PTR(Priority, priority),
    PTR(PreemptionPolicy, preemptionPolicy),
    STRUCT_PTR(DNSConfig, dnsConfig, pod_dns_config),
    SLICE(ReadinessGates, readinessGates, pod_readiness_gate),
    PTR(RuntimeClassName, runtimeClassName), PTR(Overhead, overhead),
    PTR(EnableServiceLinks, enableServiceLinks),
    SLICE(TopologySpreadConstraints,
          topologySpreadConstraints,
          topology_spread_constraint),
    STRUCT_PTR(OS, os, pod_os),
    SLICE(SchedulingGates, schedulingGates, pod_scheduling_gate),
    SLICE(ResourceClaims, resourceClaims, pod_resource_claim),
    STRUCT_PTR(Resources, resources, resource_requirements),
    PTR(HostnameOverride, hostnameOverride),
    STRUCT_PTR(SchedulingGroup, schedulingGroup, pod_scheduling_group), END
};

const struct yl_go_field yl_go_pod_template[] = {
    INLINE(metadata, yl_go_metadata), STRUCT(Spec, spec, yl_go_pod_spec), END
};
