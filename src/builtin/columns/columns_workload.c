/* The columns of Pods and of the kinds that make them. */

#include "builtin/columns/columns_cell.h"
#include "builtin/columns/columns_hpa.h"
#include "builtin/columns/columns_pod.h"

static yl_cell_fn cell_pod_ip;
static yl_cell_fn cell_ready;
static yl_cell_fn cell_controller;
static yl_cell_fn cell_job_status, cell_completions, cell_job_duration;
static yl_cell_fn cell_suspend;
static yl_cell_fn cell_int_or_string;

#define TEMPLATE "spec.template.spec.containers"
#define CONTAINERS(PATH)                                                      \
    YL_WIDE("Containers", yl_cell_containers, PATH, NULL),                    \
        YL_WIDE("Images", NULL, NULL, NULL)

static const struct yl_table_column pod[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Ready", yl_cell_pod_state, NULL, NULL),
    YL_TEXT("Status", NULL, NULL, NULL),
    YL_TEXT("Restarts", NULL, NULL, NULL),
    YL_COLUMN_AGE,
    YL_WIDE("IP", cell_pod_ip, "status", "<none>"),
    YL_WIDE("Node", yl_cell_filled, "spec.nodeName", "<none>"),
    YL_WIDE("Nominated Node", yl_cell_filled, "status.nominatedNodeName",
            "<none>"),
    YL_WIDE("Readiness Gates", yl_cell_pod_gates, "spec.readinessGates",
            "<none>"),
};

static const struct yl_table_column pod_template[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Containers", yl_cell_containers, "template.spec.containers",
            NULL),
    YL_TEXT("Images", NULL, NULL, NULL),
    YL_TEXT("Pod Labels", yl_cell_labels, "template.metadata.labels", NULL),
};

static const struct yl_table_column replication_controller[] = {
    YL_COLUMN_NAME,
    YL_INT("Desired", yl_cell_int, "spec.replicas"),
    YL_INT("Current", yl_cell_int, "status.replicas"),
    YL_INT("Ready", yl_cell_int, "status.readyReplicas"),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
    YL_WIDE("Selector", yl_cell_labels, "spec.selector", NULL),
};

static const struct yl_table_column replica_set[] = {
    YL_COLUMN_NAME,
    YL_INT("Desired", yl_cell_int, "spec.replicas"),
    YL_INT("Current", yl_cell_int, "status.replicas"),
    YL_INT("Ready", yl_cell_int, "status.readyReplicas"),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
    YL_WIDE("Selector", yl_cell_selector, "spec.selector", "<none>"),
};

static const struct yl_table_column deployment[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Ready", cell_ready, NULL, NULL),
    YL_TEXT("Up-to-date", yl_cell_int, "status.updatedReplicas", NULL),
    YL_TEXT("Available", yl_cell_int, "status.availableReplicas", NULL),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
    YL_WIDE("Selector", yl_cell_selector, "spec.selector", ""),
};

static const struct yl_table_column stateful_set[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Ready", cell_ready, NULL, NULL),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
};

static const struct yl_table_column daemon_set[] = {
    YL_COLUMN_NAME,
    YL_INT("Desired", yl_cell_int, "status.desiredNumberScheduled"),
    YL_INT("Current", yl_cell_int, "status.currentNumberScheduled"),
    YL_INT("Ready", yl_cell_int, "status.numberReady"),
    YL_INT("Up-to-date", yl_cell_int, "status.updatedNumberScheduled"),
    YL_INT("Available", yl_cell_int, "status.numberAvailable"),
    YL_TEXT("Node Selector", yl_cell_labels, "spec.template.spec.nodeSelector",
            NULL),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
    YL_WIDE("Selector", yl_cell_selector, "spec.selector", "<none>"),
};

static const struct yl_table_column controller_revision[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Controller", cell_controller, NULL, "<none>"),
    YL_TEXT("Revision", yl_cell_int, "revision", NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column job[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Status", cell_job_status, "status.conditions", NULL),
    YL_TEXT("Completions", cell_completions, NULL, NULL),
    YL_TEXT("Duration", cell_job_duration, NULL, NULL),
    YL_COLUMN_AGE,
    CONTAINERS(TEMPLATE),
    YL_WIDE("Selector", yl_cell_selector, "spec.selector", "<none>"),
};

static const struct yl_table_column cron_job[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Schedule", yl_cell_text, "spec.schedule", ""),
    YL_TEXT("Timezone", yl_cell_text, "spec.timeZone", "<none>"),
    YL_COLUMN("Suspend", "boolean", 0, cell_suspend, "spec.suspend",
              "<unset>"),
    YL_INT("Active", yl_cell_count, "status.active"),
    YL_TEXT("Last Schedule", yl_cell_age, "status.lastScheduleTime", "<none>"),
    YL_COLUMN_AGE,
    CONTAINERS("spec.jobTemplate.spec.template.spec.containers"),
    YL_WIDE("Selector", yl_cell_selector, "spec.jobTemplate.spec.selector",
            "<none>"),
};

static const struct yl_table_column pod_disruption_budget[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Min Available", cell_int_or_string, "spec.minAvailable", "N/A"),
    YL_TEXT("Max Unavailable", cell_int_or_string, "spec.maxUnavailable",
            "N/A"),
    YL_INT("Allowed Disruptions", yl_cell_int, "status.disruptionsAllowed"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column horizontal_pod_autoscaler[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Reference", yl_cell_hpa_reference, "spec.scaleTargetRef", NULL),
    YL_TEXT("Targets", yl_cell_hpa_targets, NULL, "<none>"),
    YL_TEXT("MinPods", yl_cell_int_text, "spec.minReplicas", "<unset>"),
    YL_TEXT("MaxPods", yl_cell_int, "spec.maxReplicas", NULL),
    YL_TEXT("Replicas", yl_cell_int, "status.currentReplicas", NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column scale[] = {
    YL_TEXT("Name", yl_cell_text, "metadata.name", ""),
    YL_INT("Desired", yl_cell_int, "spec.replicas"),
    YL_INT("Available", yl_cell_int, "status.replicas"),
    YL_COLUMN_AGE,
};

const struct yl_columns yl_columns_workload[] = {
    { "", "Pod", pod, YL_ARRAY_SIZE(pod), yl_pod_row_conditions },
    YL_COLUMNS("", "PodTemplate", pod_template),
    YL_COLUMNS("", "ReplicationController", replication_controller),
    YL_COLUMNS("apps", "ReplicaSet", replica_set),
    YL_COLUMNS("apps", "Deployment", deployment),
    YL_COLUMNS("apps", "StatefulSet", stateful_set),
    YL_COLUMNS("apps", "DaemonSet", daemon_set),
    YL_COLUMNS("apps", "ControllerRevision", controller_revision),
    YL_COLUMNS("batch", "Job", job),
    YL_COLUMNS("batch", "CronJob", cron_job),
    YL_COLUMNS("policy", "PodDisruptionBudget", pod_disruption_budget),
    YL_COLUMNS("autoscaling", "HorizontalPodAutoscaler",
               horizontal_pod_autoscaler),
    YL_COLUMNS("autoscaling", "Scale", scale),
    { NULL, NULL, NULL, 0, NULL },
};

/* If the list and the older field differ, the older field counts. */
static void
cell_pod_ip(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json status = yl_row_at(row->object, column->path);
    struct yl_json first = yl_json_at(yl_row_at(status, "podIPs"), 0);
    struct yl_str ip = yl_row_str_at(row, status, "podIP");

    yl_row_add(row, ip.size ? ip : yl_row_str_at(row, first, "ip"));
    yl_row_put_text(row, column->absent);
}

/* "2/3": ready replicas of wanted replicas. */
static void
cell_ready(struct yl_row *row, const struct yl_table_column *column YL_UNUSED)
{
    yl_buf_printf(&row->text, "%lld/%lld",
                  (long long) yl_row_int(row->object, "status.readyReplicas"),
                  (long long) yl_row_int(row->object, "spec.replicas"));
    yl_row_put_text(row, "");
}

/* "statefulset.apps/web": the owner that is the controller. */
static void
cell_controller(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "metadata.ownerReferences"));

    while (yl_json_next(&it)) {
        struct yl_str group, version;

        if (!yl_row_bool(it.value, "controller")) {
            continue;
        }
        yl_row_add_lower(row, yl_row_str_at(row, it.value, "kind"));
        if (yl_str_cut(yl_row_str_at(row, it.value, "apiVersion"), '/', &group,
                       &version)) {
            yl_buf_append_char(&row->text, '.');
            yl_row_add_lower(row, group);
        }
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, it.value, "name"));
        break;
    }
    yl_row_put_text(row, column->absent);
}

static void
cell_job_status(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json conditions = yl_row_at(row->object, column->path);
    const char *status = "Running";

    if (yl_row_condition_is_true(conditions, "Complete")) {
        status = "Complete";
    } else if (yl_row_condition_is_true(conditions, "Failed")) {
        status = "Failed";
    } else if (yl_json_exists(
                   yl_row_at(row->object, "metadata.deletionTimestamp"))) {
        status = "Terminating";
    } else if (yl_row_condition_is_true(conditions, "Suspended")) {
        status = "Suspended";
    } else if (yl_row_condition_is_true(conditions, "FailureTarget")) {
        status = "FailureTarget";
    } else if (yl_row_condition_is_true(conditions, "SuccessCriteriaMet")) {
        status = "SuccessCriteriaMet";
    }
    yl_row_put_c(row, status);
}

/* "1/3", or "1/1 of 5" if one of 5 parallel Pods has to complete. */
static void
cell_completions(struct yl_row *row,
                 const struct yl_table_column *column YL_UNUSED)
{
    struct yl_json spec = yl_row_at(row->object, "spec");
    int64_t parallelism = yl_row_int(spec, "parallelism");

    yl_buf_printf(&row->text, "%lld/",
                  (long long) yl_row_int(row->object, "status.succeeded"));
    if (yl_json_exists(yl_row_at(spec, "completions"))) {
        yl_buf_printf(&row->text, "%lld",
                      (long long) yl_row_int(spec, "completions"));
    } else if (parallelism > 1) {
        yl_buf_printf(&row->text, "1 of %lld", (long long) parallelism);
    } else {
        yl_buf_append_char(&row->text, '1');
    }
    yl_row_put_text(row, "");
}

static void
cell_job_duration(struct yl_row *row,
                  const struct yl_table_column *column YL_UNUSED)
{
    struct yl_json start = yl_row_at(row->object, "status.startTime");
    struct yl_json end = yl_row_at(row->object, "status.completionTime");
    struct yl_time from = yl_row_time(row, start);
    struct yl_time to = yl_json_exists(end) ? yl_row_time(row, end) : row->now;
    char text[YL_DURATION_TEXT_SIZE];

    if (yl_json_exists(start)) {
        yl_row_add(row, yl_str_n(text, yl_duration_write_human(
                                           yl_time_sub(to, from), text)));
    }
    yl_row_put_text(row, "");
}

static void
cell_suspend(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json suspend = yl_row_at(row->object, column->path);

    yl_row_put_c(row, !yl_json_exists(suspend)   ? column->absent
                      : yl_row_bool(suspend, "") ? "True"
                                                 : "False");
}

/* The number or the string, as text. */
static void
cell_int_or_string(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_type(value) == YL_JSON_NUMBER) {
        yl_cell_int_text(row, column);
    } else {
        yl_cell_text(row, column);
    }
}
