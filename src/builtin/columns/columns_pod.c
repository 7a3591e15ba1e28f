/* The computed cells of a Pod.
 *
 * STATUS is the last of these that applies:
 *
 *     phase, or the Pod's own reason
 *     SchedulingGated
 *     the first init container that is not done yet     Init:...
 *     the first container that waits or has ended       CrashLoopBackOff, ...
 *     Running, if some containers run and others have completed
 *     Terminating, or Unknown on a lost node
 *
 * The "first" container is the first in the list.  Upstream gets it by walking
 * backwards and overwriting; here the walk is forwards and stops at the first
 * one. */

#include "builtin/columns/columns_pod.h"

#include "yuloh/arena.h"

#define RESTART_ALWAYS YL_STR("Always")

/* What is collected from a Pod. */
struct state {
    int64_t n_restarts;
    struct yl_time last_restart;
    int64_t n_sidecar_restarts; /* Of init containers that stay. */
    struct yl_time last_sidecar_restart;
    int64_t n_ready;
    int64_t n_containers;
    const char *prefix;         /* Before 'reason'. */
    struct yl_str reason;
};

static bool look_at_init_containers(struct yl_row *, struct state *);
static bool look_at_init_container(struct yl_row *, struct state *,
                                   struct yl_json status, bool sidecar);
static void look_at_containers(struct yl_row *, struct state *);
static void add_restarts(struct yl_row *, struct yl_json status, int64_t *n,
                         struct yl_time *last);
static struct yl_str ended(struct yl_row *, struct yl_json terminated);
static void look_at_deletion(struct yl_row *, struct state *);

void
yl_cell_pod_state(struct yl_row *row,
                  const struct yl_table_column *column YL_UNUSED)
{
    struct yl_json status = yl_row_at(row->object, "status");
    struct yl_json_iter it = yl_json_iter(yl_row_at(status, "conditions"));
    struct state s = {
        .last_restart = yl_time_zero(),
        .last_sidecar_restart = yl_time_zero(),
        .prefix = "",
        .reason = yl_row_str_at(row, status, "reason"),
    };

    if (!s.reason.size) {
        s.reason = yl_row_str_at(row, status, "phase");
    }
    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("type")),
                              YL_STR("PodScheduled"))
            && yl_json_string_is(yl_json_get(it.value, YL_STR("reason")),
                                 YL_STR("SchedulingGated"))) {
            s.reason = YL_STR("SchedulingGated");
        }
    }
    s.n_containers =
        (int64_t) yl_json_count(yl_row_at(row->object, "spec.containers"));
    if (!look_at_init_containers(row, &s)
        || yl_row_condition_is_true(yl_row_at(status, "conditions"),
                                    "Initialized")) {
        look_at_containers(row, &s);
    }
    look_at_deletion(row, &s);

    yl_buf_printf(&row->text, "%lld/%lld", (long long) s.n_ready,
                  (long long) s.n_containers);
    yl_row_put_text(row, "");
    yl_buf_append_c(&row->text, s.prefix);
    yl_row_add(row, s.reason);
    yl_row_put_text(row, "");
    yl_buf_printf(&row->text, "%lld", (long long) s.n_restarts);
    if (s.n_restarts && !yl_time_is_zero(s.last_restart)) {
        yl_buf_append_c(&row->text, " (");
        yl_row_add_since(row, s.last_restart);
        yl_buf_append_c(&row->text, " ago)");
    }
    yl_row_put_text(row, "");
}

void
yl_cell_pod_gates(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json gates = yl_row_at(row->object, column->path);
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "status.conditions"));
    struct yl_row_set seen = { NULL, 0, 0 }, open = { NULL, 0, 0 };
    size_t n_open = 0;

    if (!yl_json_count(gates)) {
        yl_row_put_c(row, column->absent);
        return;
    }

    /* A condition's type occurs only once, because it is the merge key of the
     * list. */
    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("status")),
                              YL_STR("True"))) {
            yl_row_set_add(row, &open, yl_row_str_at(row, it.value, "type"));
        }
    }
    yl_row_set_sort(&open);
    for (it = yl_json_iter(gates); yl_json_next(&it); ) {
        struct yl_str type = yl_row_str_at(row, it.value, "conditionType");

        n_open += yl_row_set_has(&open, type);
        yl_row_set_add(row, &seen, type);
    }
    yl_buf_printf(&row->text, "%zu/%zu", n_open, seen.n);
    yl_row_put_text(row, "");
}

bool
yl_pod_row_conditions(struct yl_json pod, struct yl_buf *out)
{
    struct yl_json phase = yl_row_at(pod, "status.phase");
    const char *reason, *message;

    if (yl_json_string_is(phase, YL_STR("Succeeded"))) {
        reason = "Succeeded";
        message = "The pod has completed successfully.";
    } else if (yl_json_string_is(phase, YL_STR("Failed"))) {
        reason = "Failed";
        message = "The pod failed.";
    } else {
        return false;
    }
    yl_buf_printf(out, "[{\"type\":\"Completed\",\"status\":\"True\","
                  "\"reason\":\"%s\",\"message\":\"%s\"}]", reason, message);
    return true;
}

/* Whether an init container has not finished yet. */
static bool
look_at_init_containers(struct yl_row *row, struct state *s)
{
    struct yl_json containers = yl_row_at(row->object, "spec.initContainers");
    struct yl_json_iter it = yl_json_iter(containers);
    struct yl_row_set sidecars = { NULL, 0, 0 };
    int64_t i, n = 0;

    for (; yl_json_next(&it); n++) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("restartPolicy")),
                              RESTART_ALWAYS)) {
            s->n_containers++;
            yl_row_set_add(row, &sidecars,
                           yl_row_str_at(row, it.value, "name"));
        }
    }
    yl_row_set_sort(&sidecars);

    it = yl_json_iter(yl_row_at(row->object, "status.initContainerStatuses"));
    for (i = 0; yl_json_next(&it); i++) {
        bool sidecar =
            sidecars.n
            && yl_row_set_has(&sidecars, yl_row_str_at(row, it.value, "name"));

        if (!look_at_init_container(row, s, it.value, sidecar)) {
            continue;
        }
        if (!s->reason.size) {
            s->reason = yl_str_c(yl_arena_printf(row->arena, "%lld/%lld",
                                                 (long long) i,
                                                 (long long) n));
        }
        s->prefix = "Init:";
        return true;
    }
    return false;
}

/* Returns false if the init container has completed or, as a sidecar, has
 * started.  Else sets its reason, or "" if there is none. */
static bool
look_at_init_container(struct yl_row *row, struct state *s,
                       struct yl_json status, bool sidecar)
{
    struct yl_json state = yl_row_at(status, "state");
    struct yl_json terminated = yl_row_at(state, "terminated");
    struct yl_str waiting = yl_row_str_at(row, state, "waiting.reason");

    add_restarts(row, status, &s->n_restarts, &s->last_restart);
    if (sidecar) {
        add_restarts(row, status, &s->n_sidecar_restarts,
                     &s->last_sidecar_restart);
    }
    if (yl_json_exists(terminated)
        && yl_row_int(terminated, "exitCode") == 0) {
        return false;
    }
    if (sidecar && yl_row_bool(status, "started")) {
        s->n_ready += yl_row_bool(status, "ready");
        return false;
    }
    if (yl_json_exists(terminated)) {
        s->reason = ended(row, terminated);
    } else if (!yl_str_equal(waiting, YL_STR("PodInitializing"))) {
        s->reason = waiting;
    } else {
        s->reason = YL_STR("");
    }
    return true;
}

static void
look_at_containers(struct yl_row *row, struct state *s)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "status.containerStatuses"));
    bool found = false, running = false;
    struct yl_str error = yl_str_null();

    s->n_restarts = s->n_sidecar_restarts;
    s->last_restart = s->last_sidecar_restart;
    while (yl_json_next(&it)) {
        struct yl_json state = yl_row_at(it.value, "state");
        struct yl_json terminated = yl_row_at(state, "terminated");
        struct yl_str reason = yl_row_str_at(row, state, "waiting.reason");

        add_restarts(row, it.value, &s->n_restarts, &s->last_restart);
        if (!reason.size && yl_json_exists(terminated)) {
            reason = ended(row, terminated);
            if (yl_str_is_null(error)
                && yl_row_int(terminated, "exitCode") != 0) {
                error = reason;
            }
        } else if (!reason.size && yl_row_bool(it.value, "ready")
                   && yl_json_exists(yl_row_at(state, "running"))) {
            running = true;
            s->n_ready++;
        }
        if (reason.size && !found) {
            found = true;
            s->prefix = "";
            s->reason = reason;
        }
    }
    if (!*s->prefix && yl_str_equal(s->reason, YL_STR("Completed"))) {
        struct yl_json conditions =
            yl_row_at(row->object, "status.conditions");

        if (running && yl_row_condition_is_true(conditions, "Ready")) {
            s->reason = YL_STR("Running");
        } else if (!yl_str_is_null(error)) {
            s->reason = error;
        } else if (running) {
            s->reason = YL_STR("NotReady");
        }
    }
}

static void
add_restarts(struct yl_row *row, struct yl_json status, int64_t *n,
             struct yl_time *last)
{
    struct yl_json finished =
        yl_row_at(status, "lastState.terminated.finishedAt");
    int64_t count = yl_row_int(status, "restartCount");

    if (count > 0 && count <= INT32_MAX) {
        *n += count;
    }
    if (yl_json_exists(finished)) {
        struct yl_time t = yl_row_time(row, finished);

        if (yl_time_compare(*last, t) < 0) {
            *last = t;
        }
    }
}

/* The reason why a container has terminated. */
static struct yl_str
ended(struct yl_row *row, struct yl_json terminated)
{
    struct yl_str reason = yl_row_str_at(row, terminated, "reason");
    int64_t signal = yl_row_int(terminated, "signal");

    if (reason.size) {
        return reason;
    }
    if (signal) {
        return yl_str_c(yl_arena_printf(row->arena, "Signal:%lld",
                                        (long long) signal));
    }
    return yl_str_c(
        yl_arena_printf(row->arena, "ExitCode:%lld",
                        (long long) yl_row_int(terminated, "exitCode")));
}

static void
look_at_deletion(struct yl_row *row, struct state *s)
{
    struct yl_json status = yl_row_at(row->object, "status");
    struct yl_json phase = yl_row_at(status, "phase");

    if (!yl_json_exists(
            yl_row_at(row->object, "metadata.deletionTimestamp"))) {
        return;
    }
    if (yl_json_string_is(yl_row_at(status, "reason"), YL_STR("NodeLost"))) {
        s->prefix = "";
        s->reason = YL_STR("Unknown");
    } else if (!yl_json_string_is(phase, YL_STR("Succeeded"))
               && !yl_json_string_is(phase, YL_STR("Failed"))) {
        s->prefix = "";
        s->reason = YL_STR("Terminating");
    }
}
