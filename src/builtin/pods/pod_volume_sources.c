/* Validation of volume sources.
 *
 * A table in upstream's order has one row for each type of source.  Most types
 * only have required fields; the others have a function. */

#include "builtin/common/meta.h"

#include <string.h>
#include "builtin/pods/pod_check.h"

#define TOO_MANY "may not specify more than 1 volume type"

typedef void source_fn(struct yl_pod_check *, const struct yl_at *source);

struct source {
    const char *name;           /* In the tree. */
    const char *path;           /* In a cause; NULL for 'name'. */
    const char *conflict;       /* The path if there is another source
                                 * already. */
    const char *required[4];    /* Fields that must be there. */
    source_fn *check;           /* Further checks, or NULL. */
};

static source_fn check_empty_dir, check_host_path, check_git_repo,
                 check_partition, check_keys, check_nfs, check_iscsi,
                 check_flocker, check_cinder, check_quobyte,
                 check_downward_api, check_fc, check_flex, check_azure_disk,
                 check_storage_os, check_projected, check_csi,
                 check_ephemeral, check_image, check_local,
                 check_persistent_csi, check_persistent_storage_os;
static void check_sources(struct yl_pod_check *, const struct yl_at *volume,
                          const struct source *, size_t n);
static void check_secret_ref(struct yl_check *, const struct yl_at *ref);
static void check_ephemeral_name(struct yl_pod_check *,
                                 const struct yl_at *volume);
static void check_iscsi_name(struct yl_check *, const struct yl_at *);
static bool is_iqn(struct yl_str);
static bool is_world_wide(struct yl_str, size_t length);

static const struct source sources[] = {
    { "emptyDir", NULL, NULL, { NULL }, check_empty_dir },
    { "hostPath", NULL, NULL, { "path" }, check_host_path },
    { "gitRepo", NULL, NULL, { "repository" }, check_git_repo },
    { "gcePersistentDisk", "persistentDisk", NULL, { "pdName" },
      check_partition },
    { "awsElasticBlockStore", NULL, NULL, { "volumeID" }, check_partition },
    { "secret", NULL, NULL, { "secretName" }, check_keys },
    { "nfs", NULL, NULL, { "server", "path" }, check_nfs },
    { "iscsi", NULL, NULL, { "targetPortal", "iqn" }, check_iscsi },
    { "glusterfs", NULL, NULL, { "endpoints", "path" }, NULL },
    { "flocker", NULL, NULL, { NULL }, check_flocker },
    { "persistentVolumeClaim", NULL, NULL, { "claimName" }, NULL },
    { "rbd", NULL, NULL, { "monitors", "image" }, NULL },
    { "cinder", NULL, NULL, { "volumeID" }, check_cinder },
    { "cephfs", NULL, "cephFS", { "monitors" }, NULL },
    { "quobyte", NULL, NULL, { NULL }, check_quobyte },
    { "downwardAPI", NULL, "downwarAPI", { NULL }, check_downward_api },
    { "fc", NULL, NULL, { NULL }, check_fc },
    { "flexVolume", NULL, NULL, { "driver" }, check_flex },
    { "configMap", NULL, NULL, { "name" }, check_keys },
    { "azureFile", NULL, NULL, { "secretName", "shareName" }, NULL },
    { "vsphereVolume", NULL, NULL, { "volumePath" }, NULL },
    { "photonPersistentDisk", NULL, NULL, { "pdID" }, NULL },
    { "portworxVolume", NULL, NULL, { "volumeID" }, NULL },
    { "azureDisk", NULL, NULL, { "diskName", "diskURI" }, check_azure_disk },
    { "storageos", NULL, NULL, { "volumeName" }, check_storage_os },
    { "projected", NULL, NULL, { NULL }, check_projected },
    { "scaleIO", NULL, NULL, { "gateway", "system", "volumeName" }, NULL },
    { "csi", NULL, NULL, { NULL }, check_csi },
    { "ephemeral", NULL, NULL, { NULL }, check_ephemeral },
    { "image", NULL, NULL, { NULL }, check_image },
};

static const struct source persistent[] = {
    { "hostPath", NULL, NULL, { "path" }, check_host_path },
    { "gcePersistentDisk", "persistentDisk", NULL, { "pdName" },
      check_partition },
    { "awsElasticBlockStore", NULL, NULL, { "volumeID" }, check_partition },
    { "glusterfs", NULL, NULL, { "endpoints", "path" },
      yl_check_persistent_gluster },
    { "flocker", NULL, NULL, { NULL }, check_flocker },
    { "nfs", NULL, NULL, { "server", "path" }, check_nfs },
    { "rbd", NULL, NULL, { "monitors", "image" }, NULL },
    { "quobyte", NULL, NULL, { NULL }, check_quobyte },
    { "cephfs", NULL, "cephFS", { "monitors" }, NULL },
    { "iscsi", NULL, NULL, { NULL }, yl_check_persistent_iscsi },
    { "cinder", NULL, NULL, { "volumeID" }, yl_check_persistent_cinder },
    { "fc", NULL, NULL, { NULL }, check_fc },
    { "flexVolume", NULL, NULL, { "driver" }, check_flex },
    { "azureFile", NULL, NULL, { "secretName", "shareName" },
      yl_check_persistent_azure },
    { "vsphereVolume", NULL, NULL, { "volumePath" }, NULL },
    { "photonPersistentDisk", NULL, NULL, { "pdID" }, NULL },
    { "portworxVolume", NULL, NULL, { "volumeID" }, NULL },
    { "azureDisk", NULL, NULL, { "diskName", "diskURI" }, check_azure_disk },
    { "scaleIO", NULL, NULL, { "gateway", "system", "volumeName" }, NULL },
    { "local", NULL, NULL, { "path" }, check_local },
    { "storageos", NULL, NULL, { "volumeName" },
      check_persistent_storage_os },
    { "csi", NULL, NULL, { NULL }, check_persistent_csi },
};

void
yl_check_volume_source(struct yl_pod_check *p, const struct yl_at *volume)
{
    check_sources(p, volume, sources, YL_ARRAY_SIZE(sources));
}

void
yl_check_persistent_source(struct yl_pod_check *p, const struct yl_at *spec)
{
    check_sources(p, spec, persistent, YL_ARRAY_SIZE(persistent));
}

bool
yl_is_iscsi_name(struct yl_str s)
{
    if (yl_str_starts_with(s, YL_STR("iqn"))) {
        return is_iqn(s);
    }
    if (yl_str_starts_with(s, YL_STR("eui"))) {
        return is_world_wide(s, 16);
    }
    return yl_str_starts_with(s, YL_STR("naa")) && is_world_wide(s, 32);
}

/* There must be exactly one source. */
static void
check_sources(struct yl_pod_check *p, const struct yl_at *volume,
              const struct source *table, size_t n_rows)
{
    size_t i, k, n = 0;

    for (i = 0; i < n_rows; i++) {
        const struct source *s = &table[i];
        struct yl_at at = yl_at(volume, s->name);
        struct yl_at source =
            yl_at_node(volume, s->path ? s->path : s->name, at.node);
        struct yl_at conflict =
            yl_at_node(volume, s->conflict ? s->conflict : s->name, NULL);

        if (!yl_at_has(&at)) {
            continue;
        }
        if (n++) {
            yl_field_forbidden(p->c->err, yl_at_path(&conflict), TOO_MANY);
            continue;
        }
        for (k = 0; k < 4 && s->required[k]; k++) {
            struct yl_at field = yl_at(&source, s->required[k]);

            yl_check_required(p->c, &field);
        }
        if (s->check) {
            s->check(p, &source);
        }
        if (s->check == check_ephemeral) {
            check_ephemeral_name(p, volume);
        }
    }
    if (!n) {
        yl_field_required(p->c->err, yl_at_path(volume),
                          "must specify a volume type");
    }
}

static void
check_empty_dir(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at limit = yl_at(source, "sizeLimit");
    struct yl_quantity q;

    if (yl_at_has(&limit) && yl_node_quantity(p->c->arena, limit.node, &q)
        && yl_quantity_sign(&q) < 0) {
        yl_field_forbidden(p->c->err, yl_at_path(&limit),
                           "SizeLimit field must be a valid resource "
                           "quantity");
    }
}

static void
check_host_path(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char *const types[] = {
        "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate",
        "File", "FileOrCreate", "Socket", NULL
    };
    struct yl_at path = yl_at(source, "path");
    struct yl_at type = yl_at(source, "type");

    if (!yl_at_is(&path, "")) {
        yl_check_no_backsteps(p->c, &path);
        yl_check_one_of(p->c, &type, types);
    }
}

static void
check_git_repo(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at directory = yl_at(source, "directory");

    yl_check_local_path(p->c, &directory);
}

static void
check_partition(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at partition = yl_at(source, "partition");
    int64_t n = yl_at_int(&partition);

    if (n < 0 || n > 255) {
        yl_field_invalid(p->c->err, yl_at_path(&partition), yl_bad_int(n),
                         "must be between 1 and 255, inclusive");
    }
}

/* Secrets and ConfigMaps. */
static void
check_keys(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at mode = yl_at(source, "defaultMode");
    struct yl_at items = yl_at(source, "items");

    yl_check_mode(p->c, &mode);
    YL_CHECK_FOR_EACH (p->c, item, &items) {
        yl_check_key_to_path(p->c, &item);
    }
}

static void
check_nfs(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at path = yl_at(source, "path");
    struct yl_str s = yl_at_str(p->c, &path);

    if (!yl_str_starts_with(s, YL_STR("/"))) {
        yl_field_invalid(p->c->err, yl_at_path(&path), yl_bad_string(s),
                         "must be an absolute path");
    }
}

static void
check_iscsi(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char too_long[] =
        "Total length of <volume name>:<iscsi.targetPortal> must be under 64 "
        "characters if iscsi.initiatorName is specified.";
    struct yl_check *c = p->c;
    struct yl_at iqn = yl_at(source, "iqn");
    struct yl_at lun = yl_at(source, "lun");
    struct yl_at secret = yl_at(source, "secretRef");
    struct yl_at initiator = yl_at(source, "initiatorName");
    struct yl_at shown =
        yl_at_node(source, "initiatorname", initiator.node);
    struct yl_str portal = yl_at_get_str(c, source, "targetPortal");

    if (!yl_at_is(&iqn, "")) {
        check_iscsi_name(c, &iqn);
    }
    yl_check_range(c, &lun, 0, 255);
    if ((yl_at_get_bool(source, "chapAuthDiscovery")
         || yl_at_get_bool(source, "chapAuthSession"))
        && !yl_at_has(&secret)) {
        yl_field_required(c->err, yl_at_path(&secret), NULL);
    }
    if (yl_at_has(&initiator)) {
        struct yl_field_path name =
            yl_field_member(source->path.parent, YL_STR("name"));
        struct yl_at volume = yl_at_root(source->node->parent);
        struct yl_str s = yl_at_get_str(c, &volume, "name");

        check_iscsi_name(c, &shown);
        if (s.size + 1 + portal.size > 64) {
            yl_field_invalid(c->err, &name, yl_bad_string(s), "%s",
                             too_long);
        }
    }
}

/* iqn.YEAR-MONTH.DOMAIN:NAME, eui.16 characters, naa.32 characters */
static void
check_iscsi_name(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);

    if (!yl_str_starts_with(s, YL_STR("iqn"))
        && !yl_str_starts_with(s, YL_STR("eui"))
        && !yl_str_starts_with(s, YL_STR("naa"))) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be valid format starting with iqn, eui, or "
                         "naa");
    } else if (!yl_is_iscsi_name(s)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be valid format");
    }
}

static bool
alnum(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
           || (ch >= '0' && ch <= '9');
}

static bool
is_iqn(struct yl_str s)
{
    static const char pattern[] = "iqn.0000-00.";
    size_t i, domain;

    for (i = 0; pattern[i]; i++) {
        char ch = i < s.size ? s.data[i] : 0;

        if (pattern[i] == '0' ? ch < '0' || ch > '9' : ch != pattern[i]) {
            return false;
        }
    }
    domain = i;
    while (i < s.size && (alnum(s.data[i]) || s.data[i] == '-'
                          || s.data[i] == '.')) {
        i++;
    }
    if (i == domain || i + 1 >= s.size || s.data[i] != ':') {
        return false;
    }
    for (i++; i < s.size; i++) {
        if (!s.data[i] || strchr(",;*&$| \t\n\v\f\r", s.data[i])) {
            return false;
        }
    }
    return true;
}

static bool
is_world_wide(struct yl_str s, size_t length)
{
    size_t i;

    for (i = 4; i < s.size; i++) {
        if (!alnum(s.data[i])) {
            return false;
        }
    }
    return s.size == length + 4;
}

static void
check_flocker(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at name = yl_at(source, "datasetName");
    bool has_name = !yl_at_is(&name, "");
    bool has_uuid = !yl_at_get_is(source, "datasetUUID", "");

    if (!has_name && !has_uuid) {
        yl_field_required(p->c->err, yl_at_path(source),
                          "one of datasetName and datasetUUID is required");
    }
    if (has_name && has_uuid) {
        yl_field_invalid(p->c->err, yl_at_path(source),
                         yl_bad_string(YL_STR("resource")),
                         "datasetName and datasetUUID can not be specified "
                         "simultaneously");
    }
    if (yl_str_find_char(yl_at_str(p->c, &name), '/')) {
        yl_field_invalid(p->c->err, yl_at_path(&name),
                         yl_bad_str(p->c, &name), "must not contain '/'");
    }
}

static void
check_cinder(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at ref = yl_at(source, "secretRef");
    struct yl_at name = yl_at(&ref, "name");

    if (yl_at_has(&ref)) {
        yl_check_required(p->c, &name);
    }
}

static void
check_quobyte(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char pairs[] =
        "must be a host:port pair or multiple pairs separated by commas";
    struct yl_at registry = yl_at(source, "registry");
    struct yl_at tenant = yl_at(source, "tenant");
    struct yl_at volume = yl_at(source, "volume");
    struct yl_str s = yl_at_str(p->c, &registry), pair, rest = s;
    bool more = s.size != 0;

    if (!s.size) {
        yl_field_required(p->c->err, yl_at_path(&registry), "%s", pairs);
    } else if (yl_at_str(p->c, &tenant).size >= 65) {
        yl_field_required(p->c->err, yl_at_path(&tenant),
                          "must be a UUID and may not exceed a length of 64 "
                          "characters");
        more = false;
    }
    while (more) {
        pair = rest;
        more = yl_str_cut(rest, ',', &pair, &rest);
        if (!yl_str_find_char(pair, ':')) {
            yl_field_invalid(p->c->err, yl_at_path(&registry),
                             yl_bad_string(s), "%s", pairs);
        }
    }
    yl_check_required(p->c, &volume);
}

static void
check_downward_api(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at mode = yl_at(source, "defaultMode");
    struct yl_at items = yl_at(source, "items");

    yl_check_mode(p->c, &mode);
    YL_CHECK_FOR_EACH (p->c, item, &items) {
        struct yl_at shown = *source;

        shown.node = item.node;
        yl_check_downward_file(p->c, &shown);
    }
}

static void
check_fc(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at wwns = yl_at(source, "targetWWNs");
    struct yl_at wwids = yl_at(source, "wwids");
    struct yl_at lun = yl_at(source, "lun");
    size_t n = yl_at_count(&wwns), m = yl_at_count(&wwids);

    if (!n && !m) {
        yl_field_required(p->c->err, yl_at_path(&wwns),
                          "must specify either targetWWNs or wwids, but not "
                          "both");
    }
    if (n && m) {
        yl_field_invalid(p->c->err, yl_at_path(&wwns), yl_bad_at(&wwns),
                         "targetWWNs and wwids can not be specified "
                         "simultaneously");
    }
    if (n && !yl_at_has(&lun)) {
        yl_field_required(p->c->err, yl_at_path(&lun),
                          "lun is required if targetWWNs is specified");
    } else if (n) {
        yl_check_range(p->c, &lun, 0, 255);
    }
}

static void
check_flex(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at options = yl_at(source, "options");

    YL_CHECK_FOR_EACH (p->c, option, &options) {
        struct yl_str key = yl_at_key(&option), domain = key, rest;
        char *lower;
        size_t i;

        yl_str_cut(key, '/', &domain, &rest);
        lower = yl_arena_printf(p->c->arena, ".%.*s", YL_STR_ARG(domain));
        for (i = 0; lower[i]; i++) {
            if (lower[i] >= 'A' && lower[i] <= 'Z') {
                lower[i] = (char) (lower[i] + 'a' - 'A');
            }
        }
        if (yl_str_ends_with(yl_str_c(lower), YL_STR(".kubernetes.io"))
            || yl_str_ends_with(yl_str_c(lower), YL_STR(".k8s.io"))) {
            yl_field_invalid(p->c->err, yl_at_path(&option),
                             yl_bad_string(key),
                             "kubernetes.io and k8s.io namespaces are "
                             "reserved");
        }
    }
}

static void
check_azure_disk(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char *const modes[] = { "None", "ReadOnly", "ReadWrite",
                                         NULL };
    static const char *const kinds[] = { "Dedicated", "Managed", "Shared",
                                         NULL };
    static const char *const managed[] = {
        "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
        "microsoft.compute/disks/{disk-id}", NULL
    };
    static const char *const blob[] = {
        "https://{account-name}.blob.core.windows.net/{container-name}/"
        "{disk-name}.vhd", NULL
    };
    struct yl_at mode = yl_at(source, "cachingMode");
    struct yl_at kind = yl_at(source, "kind");
    struct yl_at uri = yl_at(source, "diskURI");
    struct yl_str s = yl_at_str(p->c, &uri);
    bool is_managed = yl_at_is(&kind, "Managed");

    if (yl_at_has(&mode)) {
        yl_check_one_of(p->c, &mode, modes);
    }
    if (!yl_at_has(&kind)) {
        return;
    }
    yl_check_one_of(p->c, &kind, kinds);
    if (!yl_str_starts_with(s, is_managed ? YL_STR("/subscriptions/")
                                          : YL_STR("https://"))) {
        yl_field_not_supported(p->c->err, yl_at_path(&uri), yl_bad_string(s),
                               is_managed ? managed : blob);
    }
}

static void
check_storage_os(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at name = yl_at(source, "volumeName");
    struct yl_at namespace = yl_at(source, "volumeNamespace");

    if (!yl_at_is(&name, "")) {
        yl_check_name(p->c, &name, YL_NAME_DNS1123_LABEL);
    }
    if (!yl_at_is(&namespace, "")) {
        yl_check_name(p->c, &namespace, YL_NAME_DNS1123_LABEL);
    }
    check_cinder(p, source);
}

static void
check_projected(struct yl_pod_check *p, const struct yl_at *source)
{
    yl_check_projected(p->c, source);
}

static void
check_csi(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at driver = yl_at(source, "driver");
    struct yl_at ref = yl_at(source, "nodePublishSecretRef");
    struct yl_at secret = yl_at(&ref, "name");
    struct yl_at shown = yl_at_node(source, "name", secret.node);

    yl_check_csi_driver_name(p->c, &driver);
    if (yl_at_has(&ref) && yl_check_required(p->c, &secret)) {
        yl_check_name(p->c, &shown, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

static void
check_persistent_storage_os(struct yl_pod_check *p,
                            const struct yl_at *source)
{
    struct yl_at secret = yl_at(source, "secretRef");
    struct yl_at namespace = yl_at(&secret, "namespace");

    check_storage_os(p, source);
    if (yl_at_has(&secret)) {
        yl_check_required(p->c, &namespace);
    }
}

static void
check_persistent_csi(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char *const refs[] = {
        "controllerPublishSecretRef", "controllerExpandSecretRef",
        "nodePublishSecretRef", "nodeExpandSecretRef",
    };
    struct yl_at driver = yl_at(source, "driver");
    struct yl_at handle = yl_at(source, "volumeHandle");
    size_t i;

    yl_check_csi_driver_name(p->c, &driver);
    yl_check_required(p->c, &handle);
    for (i = 0; i < YL_ARRAY_SIZE(refs); i++) {
        struct yl_at ref = yl_at(source, refs[i]);

        if (yl_at_has(&ref)) {
            check_secret_ref(p->c, &ref);
        }
    }
}

static void
check_secret_ref(struct yl_check *c, const struct yl_at *ref)
{
    struct yl_at name = yl_at(ref, "name");
    struct yl_at namespace = yl_at(ref, "namespace");

    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_check_required(c, &namespace)) {
        yl_check_name(c, &namespace, YL_NAME_DNS1123_LABEL);
    }
}

static void
check_local(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at path = yl_at(source, "path");
    struct yl_at affinity = yl_at(p->spec, "nodeAffinity");

    if (!yl_at_is(&path, "")) {
        yl_check_no_backsteps(p->c, &path);
    }
    if (!yl_at_has(&affinity)) {
        yl_field_required(p->c->err, yl_at_path(&affinity),
                          "Local volume requires node affinity");
    }
}

static void
check_ephemeral(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char *const others[] = {
        "name", "generateName", "namespace", "selfLink", "uid",
        "resourceVersion", "generation", "creationTimestamp",
        "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences",
        "finalizers", "managedFields",
    };
    struct yl_at template = yl_at(source, "volumeClaimTemplate");
    struct yl_at metadata = yl_at(&template, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at labels = yl_at(&metadata, "labels");
    struct yl_at spec = yl_at(&template, "spec");
    size_t i;

    if (!yl_check_required(p->c, &template)) {
        return;
    }
    yl_check_annotations(p->c, &annotations);
    yl_check_labels(p->c, &labels);
    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        struct yl_at field = yl_at(&metadata, others[i]);
        struct yl_at shown = yl_at_node(&metadata, "uID", NULL);
        bool uid = !strcmp(others[i], "uid");

        if (field.emptied || yl_at_count(&field)
            || yl_node_type(field.node) == YL_JSON_ARRAY
            || !yl_node_is_zero(field.node)) {
            yl_field_forbidden(p->c->err, yl_at_path(uid ? &shown : &field),
                               "cannot be set");
        }
    }
    yl_check_claim_spec(p->c, &spec);
}

/* The claim for an ephemeral volume is called POD-VOLUME, which must be a
 * valid name. */
static void
check_ephemeral_name(struct yl_pod_check *p, const struct yl_at *volume)
{
    struct yl_at name = yl_at(volume, "name");
    struct yl_str s = yl_at_str(p->c, &name), pod = YL_STR("");
    struct yl_name_faults faults;
    const char *claim;
    size_t i;

    if (p->metadata) {
        pod = yl_at_get_str(p->c, p->metadata, "name");
    }
    if (!pod.size || !s.size) {
        return;
    }
    claim = yl_arena_printf(p->c->arena, "%.*s-%.*s", YL_STR_ARG(pod),
                            YL_STR_ARG(s));
    if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, yl_str_c(claim), &faults)
        == 0) {
        return;
    }
    for (i = 0; i < faults.n_faults; i++) {
        yl_field_invalid(p->c->err, yl_at_path(&name), yl_bad_string(s),
                         "PVC name \"%s\": %s", claim, faults.faults[i]);
    }
}

static void
check_image(struct yl_pod_check *p, const struct yl_at *source)
{
    static const char *const policies[] = { "Always", "IfNotPresent",
                                            "Never", NULL };
    struct yl_at reference = yl_at(source, "reference");
    struct yl_at policy = yl_at(source, "pullPolicy");

    if (p->metadata) {
        yl_check_required(p->c, &reference);
    }
    if (yl_check_required(p->c, &policy)) {
        yl_check_one_of(p->c, &policy, policies);
    }
}
