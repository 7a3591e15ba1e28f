/* Volumes as upstream's messages show them: tables.  The order is that of
 * upstream's structs.  See builtin/go/go_core.h. */

#include "builtin/go/go_core.h"

#include "builtin/go/go_core_row.h"

static const struct yl_go_field host_path_volume[] = {
    STR(Path, path), PTR(Type, type), END
};

static const struct yl_go_field empty_dir_volume[] = {
    STR(Medium, medium), PTR(SizeLimit, sizeLimit), END
};

static const struct yl_go_field gce_persistent_disk_volume[] = {
    STR(PDName, pdName), STR(FSType, fsType), INT(Partition, partition),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field aws_elastic_block_store_volume[] = {
    STR(VolumeID, volumeID), STR(FSType, fsType), INT(Partition, partition),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field git_repo_volume[] = {
    STR(Repository, repository), STR(Revision, revision),
    STR(Directory, directory), END
};

static const struct yl_go_field key_to_path[] = {
    STR(Key, key), STR(Path, path), PTR(Mode, mode), END
};

static const struct yl_go_field secret_volume[] = {
    STR(SecretName, secretName), SLICE(Items, items, key_to_path),
    PTR(DefaultMode, defaultMode), PTR(Optional, optional), END
};

static const struct yl_go_field nfs_volume[] = {
    STR(Server, server), STR(Path, path), BOOL(ReadOnly, readOnly), END
};

const struct yl_go_field yl_go_local_reference[] = {
    STR(Name, name), END
};

static const struct yl_go_field iscsi_volume[] = {
    STR(TargetPortal, targetPortal), STR(IQN, iqn), INT(Lun, lun),
    STR(ISCSIInterface, iscsiInterface), STR(FSType, fsType),
    BOOL(ReadOnly, readOnly), PTR(Portals, portals),
    BOOL(DiscoveryCHAPAuth, chapAuthDiscovery),
    BOOL(SessionCHAPAuth, chapAuthSession),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference),
    PTR(InitiatorName, initiatorName), END
};

static const struct yl_go_field glusterfs_volume[] = {
    STR(EndpointsName, endpoints), STR(Path, path), BOOL(ReadOnly, readOnly),
    END
};

static const struct yl_go_field persistent_volume_claim_volume[] = {
    STR(ClaimName, claimName), BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field rbd_volume[] = {
    PTR(CephMonitors, monitors), STR(RBDImage, image), STR(FSType, fsType),
    STR(RBDPool, pool), STR(RadosUser, user), STR(Keyring, keyring),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field quobyte_volume[] = {
    STR(Registry, registry), STR(Volume, volume), BOOL(ReadOnly, readOnly),
    STR(User, user), STR(Group, group), STR(Tenant, tenant), END
};

static const struct yl_go_field flex_volume[] = {
    STR(Driver, driver), STR(FSType, fsType),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference),
    BOOL(ReadOnly, readOnly), PTR(Options, options), END
};

static const struct yl_go_field cinder_volume[] = {
    STR(VolumeID, volumeID), STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference), END
};

static const struct yl_go_field ceph_fs_volume[] = {
    PTR(Monitors, monitors), STR(Path, path), STR(User, user),
    STR(SecretFile, secretFile),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field flocker_volume[] = {
    STR(DatasetName, datasetName), STR(DatasetUUID, datasetUUID), END
};

const struct yl_go_field yl_go_field_ref[] = {
    STR(APIVersion, apiVersion), STR(FieldPath, fieldPath), END
};

const struct yl_go_field yl_go_resource_ref[] = {
    STR(ContainerName, containerName), STR(Resource, resource),
    QTY(Divisor, divisor), END
};

static const struct yl_go_field downward_api_volume_file[] = {
    STR(Path, path), STRUCT_PTR(FieldRef, fieldRef, yl_go_field_ref),
    STRUCT_PTR(ResourceFieldRef, resourceFieldRef, yl_go_resource_ref),
    PTR(Mode, mode), END
};

static const struct yl_go_field downward_api_volume[] = {
    SLICE(Items, items, downward_api_volume_file),
    PTR(DefaultMode, defaultMode), END
};

static const struct yl_go_field fc_volume[] = {
    PTR(TargetWWNs, targetWWNs), PTR(Lun, lun), STR(FSType, fsType),
    BOOL(ReadOnly, readOnly), PTR(WWIDs, wwids), END
};

static const struct yl_go_field azure_file_volume[] = {
    STR(SecretName, secretName), STR(ShareName, shareName),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field config_map_volume[] = {
    STR(Name, name), SLICE(Items, items, key_to_path),
    PTR(DefaultMode, defaultMode), PTR(Optional, optional), END
};

static const struct yl_go_field vsphere_virtual_disk_volume[] = {
    STR(VolumePath, volumePath), STR(FSType, fsType),
    STR(StoragePolicyName, storagePolicyName),
    STR(StoragePolicyID, storagePolicyID), END
};

static const struct yl_go_field azure_disk_volume[] = {
    STR(DiskName, diskName), STR(DataDiskURI, diskURI),
    PTR(CachingMode, cachingMode), PTR(FSType, fsType),
    PTR(ReadOnly, readOnly), PTR(Kind, kind), END
};

static const struct yl_go_field photon_persistent_disk_volume[] = {
    STR(PdID, pdID), STR(FSType, fsType), END
};

static const struct yl_go_field secret_projection[] = {
    STR(Name, name), SLICE(Items, items, key_to_path), PTR(Optional, optional),
    END
};

static const struct yl_go_field downward_api_projection[] = {
    SLICE(Items, items, downward_api_volume_file), END
};

static const struct yl_go_field config_map_projection[] = {
    STR(Name, name), SLICE(Items, items, key_to_path), PTR(Optional, optional),
    END
};

static const struct yl_go_field service_account_token_projection[] = {
    STR(Audience, audience), INT(ExpirationSeconds, expirationSeconds),
    STR(Path, path), END
};

static const struct yl_go_field cluster_trust_bundle_projection[] = {
    PTR(Name, name), PTR(SignerName, signerName),
    TAGGED(LabelSelector, labelSelector, yl_go_selector),
    PTR(Optional, optional), STR(Path, path), END
};

static const struct yl_go_field pod_certificate_projection[] = {
    STR(SignerName, signerName), STR(KeyType, keyType),
    PTR(MaxExpirationSeconds, maxExpirationSeconds),
    STR(CredentialBundlePath, credentialBundlePath), STR(KeyPath, keyPath),
    STR(CertificateChainPath, certificateChainPath),
    PTR(UserAnnotations, userAnnotations), END
};

static const struct yl_go_field volume_projection[] = {
    STRUCT_PTR(Secret, secret, secret_projection),
    STRUCT_PTR(DownwardAPI, downwardAPI, downward_api_projection),
    STRUCT_PTR(ConfigMap, configMap, config_map_projection),
    STRUCT_PTR(ServiceAccountToken,
               serviceAccountToken,
               service_account_token_projection),

    STRUCT_PTR(ClusterTrustBundle,
               clusterTrustBundle,
               cluster_trust_bundle_projection),
    STRUCT_PTR(PodCertificate, podCertificate, pod_certificate_projection), END
};

static const struct yl_go_field projected_volume[] = {
    SLICE(Sources, sources, volume_projection), PTR(DefaultMode, defaultMode),
    END
};

static const struct yl_go_field portworx_volume[] = {
    STR(VolumeID, volumeID), STR(FSType, fsType), BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field scale_io_volume[] = {
    STR(Gateway, gateway), STR(System, system),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference),
    BOOL(SSLEnabled, sslEnabled), STR(ProtectionDomain, protectionDomain),
    STR(StoragePool, storagePool), STR(StorageMode, storageMode),
    STR(VolumeName, volumeName), STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    END
};

static const struct yl_go_field storage_os_volume[] = {
    STR(VolumeName, volumeName), STR(VolumeNamespace, volumeNamespace),
    STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    STRUCT_PTR(SecretRef, secretRef, yl_go_local_reference), END
};

static const struct yl_go_field csi_volume[] = {
    STR(Driver, driver), PTR(ReadOnly, readOnly), PTR(FSType, fsType),
    PTR(VolumeAttributes, volumeAttributes),
    STRUCT_PTR(NodePublishSecretRef,
               nodePublishSecretRef,
               yl_go_local_reference),
    END
};

static const struct yl_go_field volume_resource_requirements[] = {
    PTR(Limits, limits), PTR(Requests, requests), END
};

static const struct yl_go_field typed_local_reference[] = {
    PTR(APIGroup, apiGroup), STR(Kind, kind), STR(Name, name), END
};

static const struct yl_go_field typed_reference[] = {
    PTR(APIGroup, apiGroup), STR(Kind, kind), STR(Name, name),
    PTR(Namespace, namespace), END
};

const struct yl_go_field yl_go_claim_spec[] = {
    PTR(AccessModes, accessModes), TAGGED(Selector, selector, yl_go_selector),
    STRUCT(Resources, resources, volume_resource_requirements),
    STR(VolumeName, volumeName), PTR(StorageClassName, storageClassName),
    PTR(VolumeMode, volumeMode),
    STRUCT_PTR(DataSource, dataSource, typed_local_reference),
    STRUCT_PTR(DataSourceRef, dataSourceRef, typed_reference),
    PTR(VolumeAttributesClassName, volumeAttributesClassName), END
};

static const struct yl_go_field persistent_volume_claim_template[] = {
    INLINE(metadata, yl_go_metadata), STRUCT(Spec, spec, yl_go_claim_spec), END
};

static const struct yl_go_field ephemeral_volume[] = {

    STRUCT_PTR(VolumeClaimTemplate,
               volumeClaimTemplate,
               persistent_volume_claim_template),
    END
};

static const struct yl_go_field image_volume[] = {
    STR(Reference, reference), STR(PullPolicy, pullPolicy), END
};

const struct yl_go_field yl_go_volume[] = {
    STR(Name, name), STRUCT_PTR(HostPath, hostPath, host_path_volume),
    STRUCT_PTR(EmptyDir, emptyDir, empty_dir_volume),
    STRUCT_PTR(GCEPersistentDisk,
               gcePersistentDisk,
               gce_persistent_disk_volume),

    STRUCT_PTR(AWSElasticBlockStore,
               awsElasticBlockStore,
               aws_elastic_block_store_volume),
    STRUCT_PTR(GitRepo, gitRepo, git_repo_volume),
    STRUCT_PTR(Secret, secret, secret_volume),
    STRUCT_PTR(NFS, nfs, nfs_volume), STRUCT_PTR(ISCSI, iscsi, iscsi_volume),
    STRUCT_PTR(Glusterfs, glusterfs, glusterfs_volume),
    STRUCT_PTR(PersistentVolumeClaim,
               persistentVolumeClaim,
               persistent_volume_claim_volume),
    STRUCT_PTR(RBD, rbd, rbd_volume),
    STRUCT_PTR(Quobyte, quobyte, quobyte_volume),
    STRUCT_PTR(FlexVolume, flexVolume, flex_volume),
    STRUCT_PTR(Cinder, cinder, cinder_volume),
    STRUCT_PTR(CephFS, cephfs, ceph_fs_volume),
    STRUCT_PTR(Flocker, flocker, flocker_volume),
    STRUCT_PTR(DownwardAPI, downwardAPI, downward_api_volume),
    STRUCT_PTR(FC, fc, fc_volume),
    STRUCT_PTR(AzureFile, azureFile, azure_file_volume),
    STRUCT_PTR(ConfigMap, configMap, config_map_volume),
    STRUCT_PTR(VsphereVolume, vsphereVolume, vsphere_virtual_disk_volume),
    STRUCT_PTR(AzureDisk, azureDisk, azure_disk_volume),
    STRUCT_PTR(PhotonPersistentDisk,
               photonPersistentDisk,
               photon_persistent_disk_volume),
    STRUCT_PTR(Projected, projected, projected_volume),
    STRUCT_PTR(PortworxVolume, portworxVolume, portworx_volume),
    STRUCT_PTR(ScaleIO, scaleIO, scale_io_volume),
    STRUCT_PTR(StorageOS, storageos, storage_os_volume),
    STRUCT_PTR(CSI, csi, csi_volume),
    STRUCT_PTR(Ephemeral, ephemeral, ephemeral_volume),
    STRUCT_PTR(Image, image, image_volume), END
};

static const struct yl_go_field glusterfs_persistent[] = {
    STR(EndpointsName, endpoints), STR(Path, path), BOOL(ReadOnly, readOnly),
    PTR(EndpointsNamespace, endpointsNamespace), END
};

static const struct yl_go_field secret_reference[] = {
    STR(Name, name), STR(Namespace, namespace), END
};

static const struct yl_go_field rbd_persistent[] = {
    PTR(CephMonitors, monitors), STR(RBDImage, image), STR(FSType, fsType),
    STR(RBDPool, pool), STR(RadosUser, user), STR(Keyring, keyring),
    STRUCT_PTR(SecretRef, secretRef, secret_reference),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field iscsi_persistent[] = {
    STR(TargetPortal, targetPortal), STR(IQN, iqn), INT(Lun, lun),
    STR(ISCSIInterface, iscsiInterface), STR(FSType, fsType),
    BOOL(ReadOnly, readOnly), PTR(Portals, portals),
    BOOL(DiscoveryCHAPAuth, chapAuthDiscovery),
    BOOL(SessionCHAPAuth, chapAuthSession),
    STRUCT_PTR(SecretRef, secretRef, secret_reference),
    PTR(InitiatorName, initiatorName), END
};

static const struct yl_go_field flex_persistent[] = {
    STR(Driver, driver), STR(FSType, fsType),
    STRUCT_PTR(SecretRef, secretRef, secret_reference),
    BOOL(ReadOnly, readOnly), PTR(Options, options), END
};

static const struct yl_go_field cinder_persistent[] = {
    STR(VolumeID, volumeID), STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    STRUCT_PTR(SecretRef, secretRef, secret_reference), END
};

static const struct yl_go_field ceph_fs_persistent[] = {
    PTR(Monitors, monitors), STR(Path, path), STR(User, user),
    STR(SecretFile, secretFile),
    STRUCT_PTR(SecretRef, secretRef, secret_reference),
    BOOL(ReadOnly, readOnly), END
};

static const struct yl_go_field azure_file_persistent[] = {
    STR(SecretName, secretName), STR(ShareName, shareName),
    BOOL(ReadOnly, readOnly), PTR(SecretNamespace, secretNamespace), END
};

static const struct yl_go_field scale_io_persistent[] = {
    STR(Gateway, gateway), STR(System, system),
    STRUCT_PTR(SecretRef, secretRef, secret_reference),
    BOOL(SSLEnabled, sslEnabled), STR(ProtectionDomain, protectionDomain),
    STR(StoragePool, storagePool), STR(StorageMode, storageMode),
    STR(VolumeName, volumeName), STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    END
};

static const struct yl_go_field local_volume[] = {
    STR(Path, path), PTR(FSType, fsType), END
};

static const struct yl_go_field object_reference[] = {
    STR(Kind, kind), STR(Namespace, namespace), STR(Name, name), STR(UID, uid),
    STR(APIVersion, apiVersion), STR(ResourceVersion, resourceVersion),
    STR(FieldPath, fieldPath), END
};

static const struct yl_go_field storage_os_persistent[] = {
    STR(VolumeName, volumeName), STR(VolumeNamespace, volumeNamespace),
    STR(FSType, fsType), BOOL(ReadOnly, readOnly),
    STRUCT_PTR(SecretRef, secretRef, object_reference), END
};

static const struct yl_go_field csi_persistent[] = {
    STR(Driver, driver), STR(VolumeHandle, volumeHandle),
    BOOL(ReadOnly, readOnly), STR(FSType, fsType),
    PTR(VolumeAttributes, volumeAttributes),
    STRUCT_PTR(ControllerPublishSecretRef,
               controllerPublishSecretRef,
               secret_reference),
    STRUCT_PTR(NodeStageSecretRef, nodeStageSecretRef, secret_reference),
    STRUCT_PTR(NodePublishSecretRef, nodePublishSecretRef, secret_reference),
    STRUCT_PTR(ControllerExpandSecretRef,
               controllerExpandSecretRef,
               secret_reference),
    STRUCT_PTR(NodeExpandSecretRef, nodeExpandSecretRef, secret_reference), END
};

/* Upstream embeds them in the spec. */
#define PERSISTENT_SOURCES                                                    \
    STRUCT_PTR(GCEPersistentDisk, gcePersistentDisk,                          \
               gce_persistent_disk_volume),                                   \
    STRUCT_PTR(AWSElasticBlockStore, awsElasticBlockStore,                    \
               aws_elastic_block_store_volume),                               \
    STRUCT_PTR(HostPath, hostPath, host_path_volume),                         \
    STRUCT_PTR(Glusterfs, glusterfs, glusterfs_persistent),                   \
    STRUCT_PTR(NFS, nfs, nfs_volume),                                         \
    STRUCT_PTR(RBD, rbd, rbd_persistent),                                     \
    STRUCT_PTR(Quobyte, quobyte, quobyte_volume),                             \
    STRUCT_PTR(ISCSI, iscsi, iscsi_persistent),                               \
    STRUCT_PTR(FlexVolume, flexVolume, flex_persistent),                      \
    STRUCT_PTR(Cinder, cinder, cinder_persistent),                            \
    STRUCT_PTR(CephFS, cephfs, ceph_fs_persistent),                           \
    STRUCT_PTR(FC, fc, fc_volume),                                            \
    STRUCT_PTR(Flocker, flocker, flocker_volume),                             \
    STRUCT_PTR(AzureFile, azureFile, azure_file_persistent),                  \
    STRUCT_PTR(VsphereVolume, vsphereVolume,                                  \
               vsphere_virtual_disk_volume),                                  \
    STRUCT_PTR(AzureDisk, azureDisk, azure_disk_volume),                      \
    STRUCT_PTR(PhotonPersistentDisk, photonPersistentDisk,                    \
               photon_persistent_disk_volume),                                \
    STRUCT_PTR(PortworxVolume, portworxVolume, portworx_volume),              \
    STRUCT_PTR(ScaleIO, scaleIO, scale_io_persistent),                        \
    STRUCT_PTR(Local, local, local_volume),                                   \
    STRUCT_PTR(StorageOS, storageos, storage_os_persistent),                  \
    STRUCT_PTR(CSI, csi, csi_persistent)

const struct yl_go_field yl_go_persistent_source[] = {
    PERSISTENT_SOURCES, END
};

static const struct yl_go_field volume_affinity[] = {
    STRUCT_PTR(Required, required, yl_go_node_selector), END
};

const struct yl_go_field yl_go_persistent_spec[] = {
    PTR(Capacity, capacity), PERSISTENT_SOURCES,
    PTR(AccessModes, accessModes),
    STRUCT_PTR(ClaimRef, claimRef, object_reference),
    STR(PersistentVolumeReclaimPolicy, persistentVolumeReclaimPolicy),
    STR(StorageClassName, storageClassName), PTR(MountOptions, mountOptions),
    PTR(VolumeMode, volumeMode),
    STRUCT_PTR(NodeAffinity, nodeAffinity, volume_affinity),
    PTR(VolumeAttributesClassName, volumeAttributesClassName), END
};
