/* The columns of RBAC, certificates, admission and flow control. */

#include "builtin/columns/columns_cell.h"

static yl_cell_fn cell_role, cell_subjects;
static yl_cell_fn cell_requested_duration, cell_csr_status;
static yl_cell_fn cell_param_kind, cell_param_ref;
static yl_cell_fn cell_dangling;

static void add_selector(struct yl_row *, struct yl_json selector);

static const struct yl_table_column role_binding[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Role", cell_role, "roleRef", NULL),
    YL_COLUMN_AGE,
    YL_WIDE("Users", cell_subjects, "User", NULL),
    YL_WIDE("Groups", cell_subjects, "Group", NULL),
    YL_WIDE("ServiceAccounts", cell_subjects, "ServiceAccount", NULL),
};

static const struct yl_table_column certificate_signing_request[] = {
    YL_COLUMN_NAME,
    YL_COLUMN_AGE,
    YL_TEXT("SignerName", yl_cell_filled, "spec.signerName", "<none>"),
    YL_TEXT("Requestor", yl_cell_text, "spec.username", ""),
    YL_TEXT("RequestedDuration", cell_requested_duration,
            "spec.expirationSeconds", "<none>"),
    YL_TEXT("Condition", cell_csr_status, "status", NULL),
};

static const struct yl_table_column webhook_configuration[] = {
    YL_COLUMN_NAME,
    YL_INT("Webhooks", yl_cell_count, "webhooks"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column validating_admission_policy[] = {
    YL_COLUMN_NAME,
    YL_INT("Validations", yl_cell_count, "spec.validations"),
    YL_TEXT("ParamKind", cell_param_kind, "spec.paramKind", "<unset>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column mutating_admission_policy[] = {
    YL_COLUMN_NAME,
    YL_INT("Mutations", yl_cell_count, "spec.mutations"),
    YL_TEXT("ParamKind", cell_param_kind, "spec.paramKind", "<unset>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column admission_policy_binding[] = {
    YL_COLUMN_NAME,
    YL_TEXT("PolicyName", yl_cell_text, "spec.policyName", ""),
    YL_TEXT("ParamRef", cell_param_ref, "spec.paramRef", "<unset>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column flow_schema[] = {
    YL_COLUMN_NAME,
    YL_TEXT("PriorityLevel", yl_cell_text,
            "spec.priorityLevelConfiguration.name", ""),
    YL_TEXT("MatchingPrecedence", yl_cell_int, "spec.matchingPrecedence",
            NULL),
    YL_TEXT("DistinguisherMethod", yl_cell_text,
            "spec.distinguisherMethod.type", "<none>"),
    YL_COLUMN_AGE,
    YL_TEXT("MissingPL", cell_dangling, "status.conditions", "?"),
};

#define QUEUING "spec.limited.limitResponse.queuing."

static const struct yl_table_column priority_level_configuration[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Type", yl_cell_text, "spec.type", ""),
    YL_TEXT("NominalConcurrencyShares", yl_cell_present,
            "spec.limited.nominalConcurrencyShares", "<none>"),
    YL_TEXT("Queues", yl_cell_present, QUEUING "queues", "<none>"),
    YL_TEXT("HandSize", yl_cell_present, QUEUING "handSize", "<none>"),
    YL_TEXT("QueueLengthLimit", yl_cell_present, QUEUING "queueLengthLimit",
            "<none>"),
    YL_COLUMN_AGE,
};

#define RBAC "rbac.authorization.k8s.io"
#define ADMISSION "admissionregistration.k8s.io"
#define FLOW_CONTROL "flowcontrol.apiserver.k8s.io"

const struct yl_columns yl_columns_policy[] = {
    YL_COLUMNS(RBAC, "RoleBinding", role_binding),
    YL_COLUMNS(RBAC, "ClusterRoleBinding", role_binding),
    YL_COLUMNS("certificates.k8s.io", "CertificateSigningRequest",
               certificate_signing_request),
    YL_COLUMNS(ADMISSION, "ValidatingWebhookConfiguration",
               webhook_configuration),
    YL_COLUMNS(ADMISSION, "MutatingWebhookConfiguration",
               webhook_configuration),
    YL_COLUMNS(ADMISSION, "ValidatingAdmissionPolicy",
               validating_admission_policy),
    YL_COLUMNS(ADMISSION, "MutatingAdmissionPolicy",
               mutating_admission_policy),
    YL_COLUMNS(ADMISSION, "ValidatingAdmissionPolicyBinding",
               admission_policy_binding),
    YL_COLUMNS(ADMISSION, "MutatingAdmissionPolicyBinding",
               admission_policy_binding),
    YL_COLUMNS(FLOW_CONTROL, "FlowSchema", flow_schema),
    YL_COLUMNS(FLOW_CONTROL, "PriorityLevelConfiguration",
               priority_level_configuration),
    { NULL, NULL, NULL, 0, NULL },
};

static void
cell_role(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json role = yl_row_at(row->object, column->path);

    yl_row_add(row, yl_row_str_at(row, role, "kind"));
    yl_buf_append_char(&row->text, '/');
    yl_row_add(row, yl_row_str_at(row, role, "name"));
    yl_row_put_text(row, "");
}

/* The subjects whose kind is the column's path. */
static void
cell_subjects(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it = yl_json_iter(yl_row_at(row->object, "subjects"));

    while (yl_json_next(&it)) {
        if (!yl_json_string_is(yl_json_get(it.value, YL_STR("kind")),
                               yl_str_c(column->path))) {
            continue;
        }
        yl_row_add_to_list(row, YL_STR(""), ", ");
        if (yl_str_equal_c(yl_str_c(column->path), "ServiceAccount")) {
            yl_row_add(row, yl_row_str_at(row, it.value, "namespace"));
            yl_buf_append_char(&row->text, '/');
        }
        yl_row_add(row, yl_row_str_at(row, it.value, "name"));
    }
    yl_row_put_text(row, "");
}

static void
cell_requested_duration(struct yl_row *row,
                        const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);
    int64_t seconds = yl_row_int(value, "");
    char text[YL_DURATION_TEXT_SIZE];

    if (yl_json_exists(value) && seconds >= INT32_MIN
        && seconds <= INT32_MAX) {
        yl_row_add(row, yl_str_n(text, yl_duration_write_human(
                                           seconds * 1000000000, text)));
    }
    yl_row_put_text(row, column->absent);
}

/* "Approved,Issued" */
static void
cell_csr_status(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json status = yl_row_at(row->object, column->path);
    struct yl_json conditions = yl_row_at(status, "conditions");
    bool denied = yl_json_exists(yl_row_condition(conditions, "Denied"));
    bool approved = yl_json_exists(yl_row_condition(conditions, "Approved"));

    yl_buf_append_c(&row->text, denied ? "Denied"
                                : approved ? "Approved" : "Pending");
    if (yl_json_exists(yl_row_condition(conditions, "Failed"))) {
        yl_buf_append_c(&row->text, ",Failed");
    }
    if (yl_row_str_at(row, status, "certificate").size) {
        yl_buf_append_c(&row->text, ",Issued");
    }
    yl_row_put_text(row, "");
}

static void
cell_param_kind(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json kind = yl_row_at(row->object, column->path);

    if (yl_json_exists(kind)) {
        yl_row_add(row, yl_row_str_at(row, kind, "apiVersion"));
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, kind, "kind"));
    }
    yl_row_put_text(row, column->absent);
}

/* "namespace/name", or the selector. */
static void
cell_param_ref(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json param = yl_row_at(row->object, column->path);
    struct yl_json selector = yl_row_at(param, "selector");
    struct yl_str name = yl_row_str_at(row, param, "name");
    struct yl_str namespace_ = yl_row_str_at(row, param, "namespace");

    if (name.size) {
        yl_row_add(row, namespace_.size ? namespace_ : YL_STR("*"));
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, name);
    } else if (yl_json_exists(selector)) {
        add_selector(row, selector);
    }
    yl_row_put_text(row, column->absent);
}

static void
cell_dangling(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json condition =
        yl_row_condition(yl_row_at(row->object, column->path), "Dangling");

    yl_row_put_str(row, yl_json_exists(condition)
                            ? yl_row_str_at(row, condition, "status")
                            : yl_str_c(column->absent));
}

/* Upstream prints the Go struct here, and so do we. */
static void
add_selector(struct yl_row *row, struct yl_json selector)
{
    struct yl_row_set labels =
        yl_row_pairs(row, yl_row_at(selector, "matchLabels"));
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(selector, "matchExpressions"));

    yl_buf_append_c(&row->text,
                    "&LabelSelector{MatchLabels:map[string]string{");
    for (size_t i = 0; i < labels.n; i++) {
        struct yl_str key, value;

        yl_str_cut(labels.items[i], '\0', &key, &value);
        yl_buf_printf(&row->text, "%.*s: %.*s,", YL_STR_ARG(key),
                      YL_STR_ARG(value));
    }
    yl_buf_append_c(&row->text,
                    "},MatchExpressions:[]LabelSelectorRequirement{");
    while (yl_json_next(&it)) {
        struct yl_json_iter value =
            yl_json_iter(yl_row_at(it.value, "values"));
        const char *separator = "";

        yl_buf_append_c(&row->text, "LabelSelectorRequirement{Key:");
        yl_row_add(row, yl_row_str_at(row, it.value, "key"));
        yl_buf_append_c(&row->text, ",Operator:");
        yl_row_add(row, yl_row_str_at(row, it.value, "operator"));
        yl_buf_append_c(&row->text, ",Values:[");
        for (; yl_json_next(&value); separator = " ") {
            yl_buf_append_c(&row->text, separator);
            yl_row_add(row, yl_row_str(row, value.value));
        }
        yl_buf_append_c(&row->text, "],},");
    }
    yl_buf_append_c(&row->text, "},}");
}
