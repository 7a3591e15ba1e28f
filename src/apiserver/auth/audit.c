/* Audit.  See apiserver/auth/audit.h. */

#include "apiserver/auth/audit.h"

#include <stdlib.h>

#include "apiserver/auth/audit_log.h"
#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/arena.h"

/* The largest line: it may hold the object of a request and that of its
 * answer. */
#define MAX_LINE ((size_t) 64 << 20)

#define MAX_USER_AGENT 1024

struct yl_audit {
    struct yl_audit_policy *policy;
    struct yl_audit_log *log;
    _Atomic uint64_t n_events;  /* Events passed to the log. */
};

static void write_event(const struct yl_audit_event *, enum yl_audit_stage,
                        bool whole, struct yl_buf *);
static void set_type(const struct yl_audit_event *, struct yl_node *request);
static void write_user(const char *name, const struct yl_user *,
                       struct yl_buf *);
static void write_reference(const struct yl_audit_event *,
                            const struct yl_node *request, struct yl_buf *);
static void write_status(const struct yl_audit_event *,
                         const struct yl_node *response, struct yl_buf *);
static void write_object(const char *name, const struct yl_node *,
                         struct yl_buf *);
static void write_annotations(const struct yl_audit_event *, bool whole,
                              struct yl_buf *);
static void write_time(const char *name, struct yl_time, struct yl_buf *);
static struct yl_node *parse(const struct yl_audit_event *, struct yl_str);
static void forget_managed_fields(struct yl_node *);
static bool is_status(const struct yl_node *);
static void member(struct yl_buf *, const char *name, struct yl_str text);
static void strings(struct yl_buf *, const char *name, const struct yl_str *,
                    size_t n);
static void begin(struct yl_buf *, const char *name);

int
yl_audit_new(const struct yl_audit_opts *opts, struct yl_audit **ret_audit,
             struct yl_error *err)
{
    const struct yl_audit_log_opts log = {
        .path = opts->log_path,
        .max_size = opts->max_size,
        .max_backups = opts->max_backups,
        .max_age_days = opts->max_age_days,
    };
    struct yl_audit *audit;
    int r;

    if (!opts->policy_file || !opts->log_path) {
        *ret_audit = NULL;
        return 0;
    }
    audit = yl_zalloc(sizeof *audit);
    r = yl_audit_policy_read(opts->policy_file, &audit->policy, err);
    if (r == 0) {
        r = yl_audit_log_new(&log, &audit->log, err);
    }
    if (r < 0) {
        yl_audit_free(audit);
        return r;
    }
    *ret_audit = audit;
    return 0;
}

void
yl_audit_free(struct yl_audit *audit)
{
    if (audit) {
        yl_audit_log_free(audit->log);
        yl_audit_policy_free(audit->policy);
        free(audit);
    }
}

void
yl_audit_counts(struct yl_audit *audit, uint64_t *ret_written,
                uint64_t *ret_dropped)
{
    *ret_dropped = yl_audit_log_dropped(audit->log);
    *ret_written = audit->n_events - *ret_dropped;
}

struct yl_audit_event *
yl_audit_event_new(struct yl_audit *audit, struct yl_arena *arena,
                   const struct yl_attributes *attributes)
{
    struct yl_audit_decision decision
        = yl_audit_policy_decide(audit->policy, attributes);
    struct yl_audit_event *event;

    if (decision.level == YL_AUDIT_NONE) {
        return NULL;
    }
    event = yl_arena_zalloc(arena, sizeof *event);
    event->audit = audit;
    event->arena = arena;
    event->decision = decision;
    event->attributes = *attributes;
    return event;
}

void
yl_audit_event_write(const struct yl_audit_event *event,
                     enum yl_audit_stage stage)
{
    struct yl_buf line;

    if (event->decision.omitted & UINT32_C(1) << stage) {
        return;
    }
    yl_buf_init(&line, MAX_LINE);
    write_event(event, stage, true, &line);
    if (yl_buf_error(&line) < 0) {
        yl_buf_release(&line);
        yl_buf_init(&line, MAX_LINE);
        write_event(event, stage, false, &line);
    }
    event->audit->n_events++;
    yl_audit_log_add(event->audit->log, yl_buf_str(&line));
    yl_buf_release(&line);
}

/* Writes the members in upstream's order, and the objects only if 'whole'. */
static void
write_event(const struct yl_audit_event *event, enum yl_audit_stage stage,
            bool whole, struct yl_buf *out)
{
    enum yl_audit_level level = event->decision.level;
    bool received = stage == YL_AUDIT_REQUEST_RECEIVED;
    struct yl_node *request = received ? NULL : parse(event, event->request);
    struct yl_node *response = received ? NULL
                                        : parse(event, event->response);
    struct yl_str agent = event->user_agent;

    if (request && event->kind.size && request->type == YL_JSON_OBJECT) {
        set_type(event, request);
    }
    yl_buf_append_char(out, '{');
    member(out, "kind", YL_STR("Event"));
    member(out, "apiVersion", YL_STR("audit.k8s.io/v1"));
    member(out, "level", yl_str_c(yl_audit_level_name(level)));
    member(out, "auditID", event->id);
    member(out, "stage", yl_str_c(yl_audit_stage_name(stage)));
    member(out, "requestURI", event->uri);
    member(out, "verb", event->attributes.verb);
    write_user("user", event->attributes.user, out);
    if (event->impersonated) {
        write_user("impersonatedUser", event->impersonated, out);
        if (event->constraint.size) {
            begin(out, "authenticationMetadata");
            yl_buf_append_char(out, '{');
            member(out, "impersonationConstraint", event->constraint);
            yl_buf_append_char(out, '}');
        }
    }
    if (event->n_sources) {
        strings(out, "sourceIPs", event->sources, event->n_sources);
    }
    if (agent.size > MAX_USER_AGENT) {
        agent.size = MAX_USER_AGENT;
        agent = yl_str_c(yl_arena_printf(event->arena, "%.*s...TRUNCATED",
                                         YL_STR_ARG(agent)));
    }
    if (agent.size) {
        member(out, "userAgent", agent);
    }
    if (event->attributes.is_resource) {
        write_reference(event, request, out);
    }
    if (event->code && !received) {
        write_status(event, response, out);
    }
    if (whole && level >= YL_AUDIT_REQUEST && request) {
        write_object("requestObject", request, out);
    }
    if (whole && level >= YL_AUDIT_RESPONSE && response) {
        write_object("responseObject", response, out);
    }
    write_time("requestReceivedTimestamp", event->received, out);
    write_time("stageTimestamp", received ? event->received : yl_time_now(),
               out);
    write_annotations(event, whole, out);
    yl_buf_append_char(out, '}');
}

/* Fills in apiVersion and kind, which clients may leave out because the path
 * determines them. */
static void
set_type(const struct yl_audit_event *event, struct yl_node *request)
{
    const struct {
        struct yl_str name, value;
    } parts[] = {
        { YL_STR("apiVersion"), event->api_version },
        { YL_STR("kind"), event->kind },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(parts); i++) {
        if (!yl_node_get(request, parts[i].name)) {
            yl_node_set(event->arena, request, parts[i].name,
                        yl_node_new_string(event->arena, parts[i].value));
        }
    }
}

static void
write_user(const char *name, const struct yl_user *user, struct yl_buf *out)
{
    size_t i;

    begin(out, name);
    yl_buf_append_char(out, '{');
    if (user) {
        if (user->name.size) {
            member(out, "username", user->name);
        }
        if (user->uid.size) {
            member(out, "uid", user->uid);
        }
        if (user->n_groups) {
            strings(out, "groups", user->groups, user->n_groups);
        }
        if (user->n_extra) {
            begin(out, "extra");
            yl_buf_append_char(out, '{');
            for (i = 0; i < user->n_extra; i++) {
                yl_buf_append_c(out, i ? "," : "");
                yl_json_write_text(out, user->extra[i].key);
                yl_buf_append_char(out, ':');
                strings(out, NULL, user->extra[i].values,
                        user->extra[i].n_values);
            }
            yl_buf_append_char(out, '}');
        }
    }
    yl_buf_append_char(out, '}');
}

/* Writes objectRef.  What the path does not say about the object is taken from
 * the object in the request. */
static void
write_reference(const struct yl_audit_event *event,
                const struct yl_node *request, struct yl_buf *out)
{
    const struct yl_attributes *attributes = &event->attributes;
    const struct yl_node *metadata = yl_node_get(request, YL_STR("metadata"));
    struct {
        const char *name;
        struct yl_str value;
        const char *member;     /* Of metadata. */
    } parts[] = {
        { "resource", attributes->resource, NULL },
        { "namespace", attributes->namespace_, "namespace" },
        { "name", attributes->name, "name" },
        { "uid", yl_str_null(), "uid" },
        { "apiGroup", attributes->group, NULL },
        { "apiVersion", attributes->version, NULL },
        { "resourceVersion", yl_str_null(), "resourceVersion" },
        { "subresource", attributes->subresource, NULL },
    };
    size_t i;

    begin(out, "objectRef");
    yl_buf_append_char(out, '{');
    for (i = 0; i < YL_ARRAY_SIZE(parts); i++) {
        if (!parts[i].value.size && parts[i].member) {
            yl_node_string(yl_node_get(metadata, yl_str_c(parts[i].member)),
                           event->arena, &parts[i].value);
        }
        if (parts[i].value.size) {
            member(out, parts[i].name, parts[i].value);
        }
    }
    yl_buf_append_char(out, '}');
}

static void
write_status(const struct yl_audit_event *event,
             const struct yl_node *response, struct yl_buf *out)
{
    static const char *const copied[] = {
        "status", "message", "reason", "details",
    };
    size_t i;

    begin(out, "responseStatus");
    yl_buf_append_c(out, "{\"metadata\":{}");
    for (i = 0; is_status(response) && i < YL_ARRAY_SIZE(copied); i++) {
        const struct yl_node *node = yl_node_get(response,
                                                 yl_str_c(copied[i]));

        if (node) {
            write_object(copied[i], node, out);
        }
    }
    yl_buf_printf(out, ",\"code\":%d}", event->code);
}

/* Writes the object on one line, whatever white space it came with.  An object
 * with a number that no double can hold cannot be written; it is left out. */
static void
write_object(const char *name, const struct yl_node *node,
             struct yl_buf *out)
{
    size_t size = out->size;

    begin(out, name);
    if (yl_node_write_canonical(out, node) < 0) {
        out->size = size;
    }
}

static void
write_annotations(const struct yl_audit_event *event, bool whole,
                  struct yl_buf *out)
{
    const struct yl_user *user = event->attributes.user;
    int64_t late = user && user->warn_after
                   ? event->received.seconds - user->warn_after : 0;

    if (whole && !event->decided.size && !event->issued.size && late <= 0) {
        return;
    }
    begin(out, "annotations");
    yl_buf_append_char(out, '{');
    if (!whole) {
        member(out, "audit.k8s.io/truncated", YL_STR("true"));
    }
    if (late > 0) {
        member(out, "authentication.k8s.io/stale-token",
               yl_str_c(yl_arena_printf(event->arena, "subject: %.*s, seconds "
                                        "after warning threshold: %lld",
                                        YL_STR_ARG(user->name),
                                        (long long) late)));
    }
    if (event->issued.size) {
        member(out, "authentication.kubernetes.io/issued-credential-id",
               event->issued);
    }
    if (event->decided.size) {
        member(out, "authorization.k8s.io/decision", event->decided);
        member(out, "authorization.k8s.io/reason", event->reason);
    }
    yl_buf_append_char(out, '}');
}

static void
write_time(const char *name, struct yl_time time, struct yl_buf *out)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t size = yl_micro_time_write(time, text);

    member(out, name, yl_str_n(text, size));
}

/* The tree of a JSON object, without managedFields if they are not wanted;
 * NULL for anything else. */
static struct yl_node *
parse(const struct yl_audit_event *event, struct yl_str json)
{
    struct yl_node *root, *items, *item;

    if (!json.size
        || yl_tree_parse(event->arena, json, NULL, &root, NULL) < 0
        || (root->type != YL_JSON_OBJECT && root->type != YL_JSON_ARRAY)) {
        return NULL;
    }
    if (event->decision.omit_managed_fields) {
        forget_managed_fields(root);
        items = yl_node_get(root, YL_STR("items"));
        if (yl_node_type(items) == YL_JSON_ARRAY) {
            YL_NODE_FOR_EACH (item, items) {
                forget_managed_fields(item);
            }
        }
    }
    return root;
}

static void
forget_managed_fields(struct yl_node *object)
{
    struct yl_node *metadata = yl_node_get(object, YL_STR("metadata"));

    if (yl_node_type(metadata) == YL_JSON_OBJECT) {
        yl_node_remove(metadata, YL_STR("managedFields"));
    }
}

static bool
is_status(const struct yl_node *response)
{
    return yl_node_string_is(yl_node_get(response, YL_STR("kind")),
                             YL_STR("Status"))
           && yl_node_string_is(yl_node_get(response, YL_STR("apiVersion")),
                                YL_STR("v1"));
}

static void
member(struct yl_buf *out, const char *name, struct yl_str text)
{
    begin(out, name);
    yl_json_write_text(out, text);
}

static void
strings(struct yl_buf *out, const char *name, const struct yl_str *all,
        size_t n)
{
    size_t i;

    if (name) {
        begin(out, name);
    }
    yl_buf_append_char(out, '[');
    for (i = 0; i < n; i++) {
        yl_buf_append_c(out, i ? "," : "");
        yl_json_write_text(out, all[i]);
    }
    yl_buf_append_char(out, ']');
}

/* A member's name, behind a comma unless it is the first. */
static void
begin(struct yl_buf *out, const char *name)
{
    if (out->size && out->data[out->size - 1] != '{') {
        yl_buf_append_char(out, ',');
    }
    yl_json_write_string(out, yl_str_c(name));
    yl_buf_append_char(out, ':');
}
