/* The columns of the cluster's own kinds: nodes, namespaces, configuration,
 * quotas, Events, leases. */

#include "builtin/columns/columns_cell.h"
#include "builtin/columns/columns_event.h"

static yl_cell_fn cell_node_status, cell_node_roles, cell_node_address;
static yl_cell_fn cell_kernel;
static yl_cell_fn cell_data;
static yl_cell_fn cell_quota;
static yl_cell_fn cell_component;
static yl_cell_fn cell_api_service, cell_available;
static yl_cell_fn cell_claim_state;

static void put_quota(struct yl_row *, const struct yl_row_set *hard,
                      struct yl_json used, bool limits);

static const struct yl_table_column name_and_age[] = {
    YL_COLUMN_NAME,
    YL_COLUMN_AGE,
};

static const struct yl_table_column node[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Status", cell_node_status, NULL, NULL),
    YL_TEXT("Roles", cell_node_roles, NULL, "<none>"),
    YL_COLUMN_AGE,
    YL_TEXT("Version", yl_cell_text, "status.nodeInfo.kubeletVersion", ""),
    YL_WIDE("Internal-IP", cell_node_address, "InternalIP", "<none>"),
    YL_WIDE("External-IP", cell_node_address, "ExternalIP", "<none>"),
    YL_WIDE("OS-Image", yl_cell_filled, "status.nodeInfo.osImage",
            "<unknown>"),
    YL_WIDE("Kernel-Version", cell_kernel, "status.nodeInfo", "<unknown>"),
    YL_WIDE("Container-Runtime", yl_cell_filled,
            "status.nodeInfo.containerRuntimeVersion", "<unknown>"),
};

static const struct yl_table_column namespace_[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Status", yl_cell_text, "status.phase", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column config_map[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Data", cell_data, NULL, NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column secret[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Type", yl_cell_text, "type", ""),
    YL_TEXT("Data", yl_cell_count, "data", NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column resource_quota[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Request", cell_quota, NULL, NULL),
    YL_TEXT("Limit", NULL, NULL, NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column component_status[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Status", cell_component, "conditions", NULL),
    YL_TEXT("Message", NULL, NULL, NULL),
    YL_TEXT("Error", NULL, NULL, NULL),
};

static const struct yl_table_column event[] = {
    YL_TEXT("Last Seen", yl_cell_event, NULL, NULL),
    YL_TEXT("Type", NULL, NULL, NULL),
    YL_TEXT("Reason", NULL, NULL, NULL),
    YL_TEXT("Object", NULL, NULL, NULL),
    YL_WIDE("Subobject", NULL, NULL, NULL),
    YL_WIDE("Source", NULL, NULL, NULL),
    YL_TEXT("Message", NULL, NULL, NULL),
    YL_WIDE("First Seen", NULL, NULL, NULL),
    YL_WIDE("Count", NULL, NULL, NULL),
    YL_COLUMN_NAMED("Name", 1, NULL, NULL, NULL),
};

static const struct yl_table_column lease[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Holder", yl_cell_text, "spec.holderIdentity", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column priority_class[] = {
    YL_COLUMN_NAME,
    YL_INT("Value", yl_cell_int, "value"),
    YL_COLUMN("Global-Default", "boolean", 0, yl_cell_bool, "globalDefault",
              "false"),
    YL_COLUMN_AGE,
    YL_TEXT("PreemptionPolicy", yl_cell_text, "preemptionPolicy", ""),
};

static const struct yl_table_column runtime_class[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Handler", yl_cell_text, "handler", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column api_service[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Service", cell_api_service, "spec.service", "Local"),
    YL_TEXT("Available", cell_available, "status.conditions", "Unknown"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column resource_claim[] = {
    YL_COLUMN_NAME,
    YL_TEXT("State", cell_claim_state, NULL, NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column resource_slice[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Node", yl_cell_text, "spec.nodeName", ""),
    YL_TEXT("Driver", yl_cell_text, "spec.driver", ""),
    YL_TEXT("Pool", yl_cell_text, "spec.pool.name", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column status[] = {
    YL_TEXT("Status", yl_cell_text, "status", ""),
    YL_TEXT("Reason", yl_cell_text, "reason", ""),
    YL_TEXT("Message", yl_cell_text, "message", ""),
};

const struct yl_columns yl_columns_cluster[] = {
    YL_COLUMNS("", "Node", node),
    YL_COLUMNS("", "Namespace", namespace_),
    YL_COLUMNS("", "ConfigMap", config_map),
    YL_COLUMNS("", "Secret", secret),
    YL_COLUMNS("", "ServiceAccount", name_and_age),
    YL_COLUMNS("", "ResourceQuota", resource_quota),
    YL_COLUMNS("", "ComponentStatus", component_status),
    YL_COLUMNS("", "Event", event),
    YL_COLUMNS("events.k8s.io", "Event", event),
    YL_COLUMNS("coordination.k8s.io", "Lease", lease),
    YL_COLUMNS("scheduling.k8s.io", "PriorityClass", priority_class),
    YL_COLUMNS("node.k8s.io", "RuntimeClass", runtime_class),
    YL_COLUMNS("apiregistration.k8s.io", "APIService", api_service),
    YL_COLUMNS("resource.k8s.io", "DeviceClass", name_and_age),
    YL_COLUMNS("resource.k8s.io", "ResourceClaim", resource_claim),
    YL_COLUMNS("resource.k8s.io", "ResourceClaimTemplate", name_and_age),
    YL_COLUMNS("resource.k8s.io", "ResourceSlice", resource_slice),
    YL_COLUMNS("", "Status", status),
    { NULL, NULL, NULL, 0, NULL },
};

static void
cell_node_status(struct yl_row *row,
                 const struct yl_table_column *column YL_UNUSED)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "status.conditions"));
    const char *ready = "Unknown";

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("type")),
                              YL_STR("Ready"))) {
            ready = yl_json_string_is(
                yl_json_get(it.value, YL_STR("status")), YL_STR("True"))
                ? "Ready" : "NotReady";
        }
    }
    yl_buf_append_c(&row->text, ready);
    if (yl_row_bool(row->object, "spec.unschedulable")) {
        yl_buf_append_c(&row->text, ",SchedulingDisabled");
    }
    yl_row_put_text(row, "");
}

/* A node's roles are labels: "node-role.kubernetes.io/ROLE", or the value of
 * "kubernetes.io/role". */
static void
cell_node_roles(struct yl_row *row, const struct yl_table_column *column)
{
    const struct yl_str prefix = YL_STR("node-role.kubernetes.io/");
    struct yl_row_set pairs =
        yl_row_pairs(row, yl_row_at(row->object, "metadata.labels"));
    struct yl_row_set roles = { NULL, 0, 0 };

    for (size_t i = 0; i < pairs.n; i++) {
        struct yl_str key, value, role = yl_str_null();

        yl_str_cut(pairs.items[i], '\0', &key, &value);
        if (yl_str_starts_with(key, prefix)) {
            role = yl_str_skip(key, prefix.size);
        } else if (yl_str_equal_c(key, "kubernetes.io/role")) {
            role = value;
        }
        if (role.size) {
            yl_row_set_add(row, &roles, role);
        }
    }
    yl_row_set_sort(&roles);
    if (roles.n) {
        yl_row_put_sorted(row, &roles);
    } else {
        yl_row_put_c(row, column->absent);
    }
}

/* The first address whose type is the column's path. */
static void
cell_node_address(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json address = yl_row_condition(
        yl_row_at(row->object, "status.addresses"), column->path);

    yl_row_put_str(row, yl_json_exists(address)
                            ? yl_row_str_at(row, address, "address")
                            : yl_str_c(column->absent));
}

/* "6.1.0 (amd64)" */
static void
cell_kernel(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json info = yl_row_at(row->object, column->path);
    struct yl_str version = yl_row_str_at(row, info, "kernelVersion");
    struct yl_str architecture = yl_row_str_at(row, info, "architecture");

    yl_row_add(row, version.size ? version : yl_str_c(column->absent));
    if (architecture.size) {
        yl_buf_append_c(&row->text, " (");
        yl_row_add(row, architecture);
        yl_buf_append_char(&row->text, ')');
    }
    yl_row_put_text(row, "");
}

static void
cell_data(struct yl_row *row, const struct yl_table_column *column YL_UNUSED)
{
    yl_row_put_int(
        row,
        (int64_t) (yl_json_count(yl_row_at(row->object, "data"))
                   + yl_json_count(yl_row_at(row->object, "binaryData"))));
}

/* Two cells, "RESOURCE: USED/HARD, ...": one for limits, one for all
 * others. */
static void
cell_quota(struct yl_row *row, const struct yl_table_column *column YL_UNUSED)
{
    struct yl_row_set hard =
        yl_row_pairs(row, yl_row_at(row->object, "status.hard"));
    struct yl_json used = yl_row_at(row->object, "status.used");

    put_quota(row, &hard, used, false);
    put_quota(row, &hard, used, true);
}

/* Both maps are sorted, so one walk finds all pairs. */
static void
put_quota(struct yl_row *row, const struct yl_row_set *hard,
          struct yl_json used, bool limits)
{
    struct yl_row_set pairs = yl_row_pairs(row, used);
    size_t j = 0;

    for (size_t i = 0; i < hard->n; i++) {
        struct yl_str name, total, key, amount = YL_STR("0");

        yl_str_cut(hard->items[i], '\0', &name, &total);
        if (yl_str_starts_with(name, YL_STR("limits.")) != limits) {
            continue;
        }
        for (; j < pairs.n; j++) {
            struct yl_str value;

            yl_str_cut(pairs.items[j], '\0', &key, &value);
            if (yl_str_compare(key, name) >= 0) {
                amount = yl_str_equal(key, name) ? value : amount;
                break;
            }
        }
        yl_row_add_to_list(row, name, ", ");
        yl_buf_append_c(&row->text, ": ");
        yl_row_add(row, amount);
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, total);
    }
    yl_row_put_text(row, "");
}

static void
cell_component(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json conditions = yl_row_at(row->object, column->path);
    struct yl_json healthy = yl_row_condition(conditions, "Healthy");

    yl_row_put_c(row, !yl_json_exists(healthy) ? "Unknown"
                      : yl_row_condition_is_true(conditions, "Healthy")
                          ? "Healthy"
                          : "Unhealthy");
    yl_row_put_str(row, yl_row_str_at(row, healthy, "message"));
    yl_row_put_str(row, yl_row_str_at(row, healthy, "error"));
}

static void
cell_api_service(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json service = yl_row_at(row->object, column->path);

    if (yl_json_exists(service)) {
        yl_row_add(row, yl_row_str_at(row, service, "namespace"));
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, service, "name"));
    }
    yl_row_put_text(row, column->absent);
}

/* "True", or "False (WhyNot)". */
static void
cell_available(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json condition =
        yl_row_condition(yl_row_at(row->object, column->path), "Available");
    struct yl_str reason = yl_row_str_at(row, condition, "reason");

    yl_row_add(row, yl_row_str_at(row, condition, "status"));
    if (reason.size
        && !yl_str_equal_c(yl_buf_str(&row->text), "True")) {
        yl_buf_append_c(&row->text, " (");
        yl_row_add(row, reason);
        yl_buf_append_char(&row->text, ')');
    }
    yl_row_put_text(row, column->absent);
}

static void
cell_claim_state(struct yl_row *row,
                 const struct yl_table_column *column YL_UNUSED)
{
    bool deleted =
        yl_json_exists(yl_row_at(row->object, "metadata.deletionTimestamp"));
    struct yl_json state = yl_row_at(row->object, "status");

    if (deleted) {
        yl_row_add_to_list(row, YL_STR("deleted"), ",");
    }
    if (yl_json_exists(yl_row_at(state, "allocation"))) {
        yl_row_add_to_list(row, YL_STR("allocated"), ",");
        if (yl_json_count(yl_row_at(state, "reservedFor"))) {
            yl_row_add_to_list(row, YL_STR("reserved"), ",");
        }
    } else if (!deleted) {
        yl_row_add_to_list(row, YL_STR("pending"), ",");
    }
    yl_row_put_text(row, "");
}
