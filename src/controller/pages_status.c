/* The status page: why does it not converge?  See yuloh/manager.h. */

#include <stdlib.h>

#include "base/buf.h"
#include "controller/manager.h"
#include "controller/runner.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/json.h"
#include "yuloh/leader_election.h"
#include "yuloh/schema.h"
#include "yuloh/workqueue.h"

/* Keys that are shown of each controller. */
#define MAX_KEYS 200

/* How long the server may take to say its revision. */
#define SERVER_TIMEOUT 1000

#define MAX_TEXT ((size_t) 4 << 20)

static void append_leadership(struct yl_manager *, struct yl_buf *);
static void append_runner(struct yl_runner *, struct yl_buf *,
                          struct yl_arena *, bool *ask);
static void append_queue(struct yl_runner *, struct yl_buf *,
                         struct yl_arena *);
static void append_failures(struct yl_runner *, struct yl_buf *,
                            struct yl_arena *);
static void append_cache(const struct yl_source *, struct yl_buf *,
                         struct yl_arena *, bool *ask);
static uint64_t server_revision(const struct yl_source *, struct yl_arena *,
                                bool *ask);
static void append_time(struct yl_buf *, yl_msec);

struct yl_str
yl_manager_status_text(struct yl_manager *manager, struct yl_arena *arena)
{
    struct yl_str text;
    struct yl_buf buf;
    bool ask = true;
    size_t i;

    yl_buf_init(&buf, MAX_TEXT);
    append_leadership(manager, &buf);
    for (i = 0; i < manager->n_runners; i++) {
        append_runner(manager->runners[i], &buf, arena, &ask);
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static void
append_leadership(struct yl_manager *manager, struct yl_buf *buf)
{
    struct yl_leader_election *election = yl_manager_election(manager);
    char *leader;

    if (!election) {
        return;
    }
    leader = yl_leader_election_leader(election);
    yl_buf_printf(buf, "leader election: %s is %s; the leader is %s\n",
                  yl_leader_election_identity(election),
                  yl_leader_election_is_leader(election)
                      ? "leading" : "NOT LEADING, so it does no work",
                  leader[0] ? leader : "unknown");
    free(leader);
}

static void
append_runner(struct yl_runner *runner, struct yl_buf *buf,
              struct yl_arena *arena, bool *ask)
{
    const char *group = runner->kind->set->group;
    unsigned i;

    yl_buf_printf(buf, "%scontroller %s, for %s%s%s\n",
                  yl_buf_str(buf).size ? "\n" : "",
                  runner->controller->name, runner->kind->name,
                  group[0] ? "." : "", group);
    append_queue(runner, buf, arena);
    append_failures(runner, buf, arena);
    yl_buf_append_c(buf, "  caches:\n");
    for (i = 0; i < runner->n_sources; i++) {
        append_cache(&runner->sources[i], buf, arena, ask);
    }
}

static void
append_queue(struct yl_runner *runner, struct yl_buf *buf,
             struct yl_arena *arena)
{
    static const char *const states[] = {
        [YL_WORKQUEUE_OUT] = "out",
        [YL_WORKQUEUE_READY] = "ready",
        [YL_WORKQUEUE_WAITING] = "waiting",
        [YL_WORKQUEUE_IDLE] = "idle",
    };
    const struct yl_workqueue_entry *entries;
    struct yl_workqueue_stats stats;
    yl_msec now = yl_now(runner->opts.clock);
    size_t n, i;

    yl_workqueue_get_stats(runner->queue, &stats);
    yl_buf_printf(buf, "  queue: %zu ready, %zu waiting, %zu out; %zu wait "
                  "for their own writes\n", stats.n_ready, stats.n_waiting,
                  stats.n_out, yl_keys_n_parked(&runner->keys));
    n = yl_workqueue_snapshot(runner->queue, MAX_KEYS, arena, &entries);
    for (i = 0; i < n; i++) {
        const struct yl_workqueue_entry *entry = &entries[i];

        if (entry->state == YL_WORKQUEUE_IDLE) {
            continue;
        }
        yl_buf_printf(buf, "    %.*s: %s",
                      YL_STR_ARG(yl_key_text(entry->key, arena)),
                      states[entry->state]);
        if (entry->state == YL_WORKQUEUE_WAITING) {
            yl_buf_append_c(buf, ", comes out in ");
            append_time(buf, entry->when - now);
        } else if (entry->state == YL_WORKQUEUE_OUT
                   && entry->since != YL_NEVER) {
            yl_buf_append_c(buf, " for ");
            append_time(buf, now - entry->since);
        }
        if (entry->n_requeues) {
            yl_buf_printf(buf, ", failed %u times", entry->n_requeues);
        }
        yl_buf_append_char(buf, '\n');
    }
}

static void
append_failures(struct yl_runner *runner, struct yl_buf *buf,
                struct yl_arena *arena)
{
    const struct yl_key_status *statuses;
    yl_msec now = yl_now(runner->opts.clock);
    size_t n = yl_keys_snapshot(&runner->keys, MAX_KEYS, arena, &statuses);
    size_t i;

    yl_buf_printf(buf, "  keys that do not converge:%s\n", n ? "" : " none");
    for (i = 0; i < n; i++) {
        const struct yl_key_status *status = &statuses[i];

        yl_buf_printf(buf, "    %.*s:",
                      YL_STR_ARG(yl_key_text(status->key, arena)));
        if (status->error) {
            yl_buf_printf(buf, " %s, %u in a row, the last one ",
                          yl_error_retry(status->code) == YL_RETRY_NEVER
                              ? "failed for good" : "fails",
                          status->n_failures);
            append_time(buf, now - status->failed_at);
            yl_buf_printf(buf, " ago: %s", status->error);
        }
        if (status->await) {
            const struct yl_source *source
                = &runner->sources[status->await->source];

            yl_buf_printf(buf, " waits until the cache shows %s %.*s at "
                          "%llu", source->kind->name,
                          YL_STR_ARG(yl_key_text(&status->await->object,
                                                 arena)),
                          (unsigned long long) status->await->revision);
        }
        yl_buf_append_char(buf, '\n');
    }
}

static void
append_cache(const struct yl_source *source, struct yl_buf *buf,
             struct yl_arena *arena, bool *ask)
{
    struct yl_informer_status status;
    uint64_t server = server_revision(source, arena, ask);

    yl_informer_status(source->informer, arena, &status);
    yl_buf_printf(buf, "    %s: %s, %zu objects, revision %llu, server ",
                  status.name, status.synced ? "synced" : "NOT SYNCED",
                  status.store.n_objects,
                  (unsigned long long) status.revision);
    if (server) {
        yl_buf_printf(buf, "%llu", (unsigned long long) server);
    } else {
        yl_buf_append_c(buf, "unknown");
    }
    yl_buf_printf(buf, "; %llu lists, %llu watches, %llu events, %llu errors",
                  (unsigned long long) status.n_lists,
                  (unsigned long long) status.n_watches,
                  (unsigned long long) status.n_events,
                  (unsigned long long) status.n_errors);
    if (status.last_error[0]) {
        yl_buf_printf(buf, "; last error: %s", status.last_error);
    }
    yl_buf_append_char(buf, '\n');
}

/* The newest revision that the server has; 0 if it does not say.  It is asked
 * where the controller may list.  One that cannot be reached is not asked
 * again ('*ask'): the health pages wait for this one. */
static uint64_t
server_revision(const struct yl_source *source, struct yl_arena *arena,
                bool *ask)
{
    const struct yl_gvr *gvr = &source->resource.gvr;
    const struct yl_client_request request = {
        .path = yl_str_c(yl_arena_printf(
            arena, "/%s%.*s%s%.*s/%s%.*s%s%.*s?limit=1",
            gvr->group.size ? "apis/" : "api/", YL_STR_ARG(gvr->group),
            gvr->group.size ? "/" : "", YL_STR_ARG(gvr->version),
            source->namespace_.size ? "namespaces/" : "",
            YL_STR_ARG(source->namespace_),
            source->namespace_.size ? "/" : "",
            YL_STR_ARG(gvr->resource))),
    };
    struct yl_client_answer answer;
    unsigned long long revision;
    struct yl_str text;

    *ask = *ask
           && yl_client_request(source->runner->opts.client, &request,
                                &(struct yl_call_opts) {
                                    .timeout = SERVER_TIMEOUT,
                                    .max_retries = -1 },
                                arena, &answer, NULL) == 0;
    if (!*ask || answer.http_status != 200
        || yl_json_string(yl_json_get(yl_json_get(yl_json(answer.body),
                                                  YL_STR("metadata")),
                                      YL_STR("resourceVersion")),
                          arena, &text) < 0
        || yl_str_to_u64(text, &revision) < 0) {
        return 0;
    }
    return revision;
}

static void
append_time(struct yl_buf *buf, yl_msec time)
{
    yl_buf_printf(buf, "%lld.%03llds", (long long) (time / 1000),
                  (long long) (time < 0 ? 0 : time % 1000));
}
