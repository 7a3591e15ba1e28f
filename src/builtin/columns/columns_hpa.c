/* The computed cells of a HorizontalPodAutoscaler.
 *
 * TARGETS shows "CURRENT/TARGET" for each of the first two metrics.  A table
 * has a row for each type of metric, which says where the values are. */

#include "builtin/columns/columns_hpa.h"

#include <string.h>

#define MAX_SHOWN 2

/* Kinds of metrics. */
struct metric_kind {
    const char *type;
    const char *member;         /* In a MetricSpec and a MetricStatus. */
    bool named;                 /* Shown as "NAME: ..."? */
    bool averages;              /* Without an average value, is it a
                                 * utilisation? */
    bool marked;                /* Is an average marked as one? */
};

static const struct metric_kind kinds[] = {
    { "External", "external", false, false, true },
    { "Object", "object", false, false, true },
    { "Pods", "pods", false, false, false },
    { "Resource", "resource", true, true, false },
    { "ContainerResource", "containerResource", true, true, false },
};

static void add_metric(struct yl_row *, struct yl_json spec,
                       struct yl_json status);
static void add_pair(struct yl_row *, const struct metric_kind *,
                     struct yl_json target, struct yl_json measured);
static void add_value(struct yl_row *, struct yl_json values,
                      const char *member, const char *absent);

void
yl_cell_hpa_reference(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json target = yl_row_at(row->object, column->path);

    yl_row_add(row, yl_row_str_at(row, target, "kind"));
    yl_buf_append_char(&row->text, '/');
    yl_row_add(row, yl_row_str_at(row, target, "name"));
    yl_row_put_text(row, "");
}

void
yl_cell_hpa_targets(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter spec =
        yl_json_iter(yl_row_at(row->object, "spec.metrics"));
    struct yl_json_iter status =
        yl_json_iter(yl_row_at(row->object, "status.currentMetrics"));
    size_t n = 0;

    while (yl_json_next(&spec)) {
        if (n < MAX_SHOWN) {
            bool measured = yl_json_next(&status);

            yl_row_add_to_list(row, YL_STR(""), ", ");
            add_metric(row, spec.value,
                       measured ? status.value : yl_json_none());
        }
        n++;
    }
    if (n > MAX_SHOWN) {
        yl_buf_printf(&row->text, " + %zu more...", n - MAX_SHOWN);
    }
    yl_row_put_text(row, column->absent);
}

static void
add_metric(struct yl_row *row, struct yl_json spec, struct yl_json status)
{
    struct yl_json type = yl_row_at(spec, "type");

    for (size_t i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        const struct metric_kind *kind = &kinds[i];
        struct yl_json source = yl_row_at(spec, kind->member);

        if (!yl_json_string_is(type, yl_str_c(kind->type))) {
            continue;
        }
        if (kind->named) {
            yl_row_add(row, yl_row_str_at(row, source, "name"));
            yl_buf_append_c(&row->text, ": ");
        }
        add_pair(row, kind, yl_row_at(source, "target"),
                 yl_row_at(status, kind->member));
        return;
    }
    yl_buf_append_c(&row->text, "<unknown type>");
}

static void
add_pair(struct yl_row *row, const struct metric_kind *kind,
         struct yl_json target, struct yl_json measured)
{
    bool average = yl_json_exists(yl_row_at(target, "averageValue"))
                   || !strcmp(kind->type, "Pods");
    bool utilization = !average && kind->averages;
    const char *member = average ? "averageValue"
                         : utilization ? "averageUtilization" : "value";

    /* In some cases upstream does not check whether there is a quantity, and
     * prints "<nil>". */
    add_value(row, yl_row_at(measured, "current"), member,
              !yl_json_exists(measured) || utilization
                      || (average && kind->marked)
                  ? "<unknown>"
                  : "<nil>");
    yl_buf_append_char(&row->text, '/');
    add_value(row, target, member, utilization ? "<auto>" : "<nil>");
    if (average && kind->marked) {
        yl_buf_append_c(&row->text, " (avg)");
    }
}

/* A quantity, or a utilisation with its sign. */
static void
add_value(struct yl_row *row, struct yl_json values, const char *member,
          const char *absent)
{
    struct yl_json value = yl_row_at(values, member);

    if (!yl_json_exists(value)) {
        yl_buf_append_c(&row->text, absent);
    } else if (!strcmp(member, "averageUtilization")) {
        yl_buf_printf(&row->text, "%lld%%", (long long) yl_row_int(value, ""));
    } else {
        yl_row_add_quantity(row, value);
    }
}
