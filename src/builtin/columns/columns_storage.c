/* The columns of volumes, their claims and classes. */

#include "builtin/columns/columns_cell.h"

static yl_cell_fn cell_phase, cell_claim, cell_access_modes;
static yl_cell_fn cell_storage_class;
static yl_cell_fn cell_claim_capacity;
static yl_cell_fn cell_class_name;
static yl_cell_fn cell_token_requests;

static void put_access_modes(struct yl_row *, const char *path);

#define STORAGE_CLASS \
    YL_TEXT("StorageClass", cell_storage_class, "spec.storageClassName", "")
#define ATTRIBUTES_CLASS                                                      \
    YL_TEXT("VolumeAttributesClass", yl_cell_text,                            \
            "spec.volumeAttributesClassName", "<unset>")
#define VOLUME_MODE                                                           \
    YL_WIDE("VolumeMode", yl_cell_text, "spec.volumeMode", "<unset>")

static const struct yl_table_column persistent_volume[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Capacity", yl_cell_quantity, "spec.capacity.storage", "0"),
    YL_TEXT("Access Modes", cell_access_modes, "spec.accessModes", NULL),
    YL_TEXT("Reclaim Policy", yl_cell_text,
            "spec.persistentVolumeReclaimPolicy", ""),
    YL_TEXT("Status", cell_phase, "status.phase", ""),
    YL_TEXT("Claim", cell_claim, "spec.claimRef", ""),
    STORAGE_CLASS,
    ATTRIBUTES_CLASS,
    YL_TEXT("Reason", yl_cell_text, "status.reason", ""),
    YL_COLUMN_AGE,
    VOLUME_MODE,
};

static const struct yl_table_column persistent_volume_claim[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Status", cell_phase, "status.phase", ""),
    YL_TEXT("Volume", yl_cell_text, "spec.volumeName", ""),
    YL_TEXT("Capacity", cell_claim_capacity, "status.capacity.storage", NULL),
    YL_TEXT("Access Modes", NULL, NULL, NULL),
    STORAGE_CLASS,
    ATTRIBUTES_CLASS,
    YL_COLUMN_AGE,
    VOLUME_MODE,
};

static const struct yl_table_column storage_class[] = {
    YL_COLUMN_NAMED("Name", 0, cell_class_name, NULL, NULL),
    YL_TEXT("Provisioner", yl_cell_text, "provisioner", ""),
    YL_TEXT("ReclaimPolicy", yl_cell_text, "reclaimPolicy", "Delete"),
    YL_TEXT("VolumeBindingMode", yl_cell_text, "volumeBindingMode",
            "Immediate"),
    YL_TEXT("AllowVolumeExpansion", yl_cell_bool, "allowVolumeExpansion",
            "false"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column volume_attributes_class[] = {
    YL_COLUMN_NAME,
    YL_TEXT("DriverName", yl_cell_text, "driverName", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column volume_attachment[] = {
    YL_COLUMN_NAME,
    YL_COLUMN_NAMED("Attacher", 0, yl_cell_text, "spec.attacher", ""),
    YL_TEXT("PV", yl_cell_text, "spec.source.persistentVolumeName", ""),
    YL_TEXT("Node", yl_cell_text, "spec.nodeName", ""),
    YL_COLUMN("Attached", "boolean", 0, yl_cell_bool, "status.attached",
              "false"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column csi_node[] = {
    YL_COLUMN_NAME,
    YL_INT("Drivers", yl_cell_count, "spec.drivers"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column csi_driver[] = {
    YL_COLUMN_NAME,
    YL_COLUMN("AttachRequired", "boolean", 0, yl_cell_bool,
              "spec.attachRequired", "true"),
    YL_COLUMN("PodInfoOnMount", "boolean", 0, yl_cell_bool,
              "spec.podInfoOnMount", "false"),
    YL_COLUMN("StorageCapacity", "boolean", 0, yl_cell_bool,
              "spec.storageCapacity", "false"),
    YL_TEXT("TokenRequests", cell_token_requests, "spec.tokenRequests",
            "<unset>"),
    YL_COLUMN("RequiresRepublish", "boolean", 0, yl_cell_bool,
              "spec.requiresRepublish", "false"),
    YL_TEXT("Modes", yl_cell_join, "spec.volumeLifecycleModes", "<none>"),
    YL_COLUMN_AGE,
};

const struct yl_columns yl_columns_storage[] = {
    YL_COLUMNS("", "PersistentVolume", persistent_volume),
    YL_COLUMNS("", "PersistentVolumeClaim", persistent_volume_claim),
    YL_COLUMNS("storage.k8s.io", "StorageClass", storage_class),
    YL_COLUMNS("storage.k8s.io", "VolumeAttributesClass",
               volume_attributes_class),
    YL_COLUMNS("storage.k8s.io", "VolumeAttachment", volume_attachment),
    YL_COLUMNS("storage.k8s.io", "CSINode", csi_node),
    YL_COLUMNS("storage.k8s.io", "CSIDriver", csi_driver),
    { NULL, NULL, NULL, 0, NULL },
};

static void
cell_phase(struct yl_row *row, const struct yl_table_column *column)
{
    if (yl_json_exists(yl_row_at(row->object, "metadata.deletionTimestamp"))) {
        yl_row_put_c(row, "Terminating");
    } else {
        yl_cell_text(row, column);
    }
}

static void
cell_claim(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json claim = yl_row_at(row->object, column->path);

    if (yl_json_exists(claim)) {
        yl_row_add(row, yl_row_str_at(row, claim, "namespace"));
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, claim, "name"));
    }
    yl_row_put_text(row, column->absent);
}

static void
cell_access_modes(struct yl_row *row, const struct yl_table_column *column)
{
    put_access_modes(row, column->path);
}

/* The annotation is older than the field and has precedence. */
static void
cell_storage_class(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_str class =
        yl_row_annotation(row, "volume.beta.kubernetes.io/storage-class");

    if (yl_str_is_null(class)) {
        yl_cell_text(row, column);
    } else {
        yl_row_put_str(row, class);
    }
}

/* Capacity and access modes; empty until the claim is bound. */
static void
cell_claim_capacity(struct yl_row *row, const struct yl_table_column *column)
{
    if (yl_row_str_at(row, row->object, "spec.volumeName").size) {
        struct yl_json storage = yl_row_at(row->object, column->path);

        if (yl_json_exists(storage)) {
            yl_row_add_quantity(row, storage);
        }
        yl_row_put_text(row, "0");
        put_access_modes(row, "status.accessModes");
    } else {
        yl_row_put_c(row, "");
        yl_row_put_c(row, "");
    }
}

static void
cell_class_name(struct yl_row *row,
                const struct yl_table_column *column YL_UNUSED)
{
    yl_row_add(row, yl_row_str_at(row, row->object, "metadata.name"));
    if (yl_str_equal_c(yl_row_annotation(
                           row, "storageclass.kubernetes.io/is-default-class"),
                       "true")
        || yl_str_equal_c(
            yl_row_annotation(
                row, "storageclass.beta.kubernetes.io/is-default-class"),
            "true")) {
        yl_buf_append_c(&row->text, " (default)");
    }
    yl_row_put_text(row, "");
}

static void
cell_token_requests(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json requests = yl_row_at(row->object, column->path);
    struct yl_json_iter it = yl_json_iter(requests);
    bool first = true;

    for (; yl_json_next(&it); first = false) {
        if (!first) {
            yl_buf_append_char(&row->text, ',');
        }
        yl_row_add(row, yl_row_str_at(row, it.value, "audience"));
    }
    yl_row_put_text(row, yl_json_exists(requests) ? "" : column->absent);
}

/* Writes the access modes in a fixed order, whatever their order in the
 * object. */
static void
put_access_modes(struct yl_row *row, const char *path)
{
    static const struct {
        const char *mode, *text;
    } modes[] = {
        { "ReadWriteOnce", "RWO" },
        { "ReadOnlyMany", "ROX" },
        { "ReadWriteMany", "RWX" },
        { "ReadWriteOncePod", "RWOP" },
    };
    struct yl_json list = yl_row_at(row->object, path);

    for (size_t i = 0; i < YL_ARRAY_SIZE(modes); i++) {
        struct yl_json_iter it = yl_json_iter(list);

        while (yl_json_next(&it)) {
            if (yl_json_string_is(it.value, yl_str_c(modes[i].mode))) {
                yl_row_add_to_list(row, yl_str_c(modes[i].text), ",");
                break;
            }
        }
    }
    yl_row_put_text(row, "");
}
