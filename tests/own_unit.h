#ifndef TESTS_OWN_UNIT_H
#define TESTS_OWN_UNIT_H 1

/* What the tests of ownership share: tables of requests to a server.
 *
 * A case is a list of lines.  A request is
 *
 *     VERB MANAGER OBJECT STATUS [BODY]
 *
 * where the verb is apply, force (apply with force=true), post, put, merge,
 * json, get or delete, and "-" stands for no manager.  An object is a name
 * behind the short name of its resource, "cm:a", and a subresource behind a
 * slash.  A body has no outer braces, ' in the place of ", and gets an
 * apiVersion, a kind and a name, unless it has its own.  The other lines are
 * about the last answer:
 *
 *     = OWNERS             who owns what: "m+ .data.x; u/status .status.phase"
 *                          with + for what was applied, and @VERSION for
 *                          another version than the path's
 *     ? POINTER VALUE      what stands there; nothing: it is absent
 *     ! TEXT               the message
 *     same, new            whether its revision is the one before
 *
 * Each request comes a second after the one before, by the keeper's clock.
 * What is expected here is what a kube-apiserver does. */

#include "apiserver/own/entries.h"
#include "apiserver/own/own.h"
#include "crd_rig.h"
#include "json/member.h"
#include "yuloh/gvk.h"

#define MAX_LINES 24

struct test_case {
    const char *title;
    const char *lines[MAX_LINES];
};

static struct yl_time now;
static char revision[64], last_revision[64];

static inline int
keep(struct yl_ownership *o, struct yl_status *status)
{
    o->now = now;
    return yl_own_keep(o, status);
}

static const struct {
    const char *name, *version, *kind, *path;
} resources[] = {
    { "cm", "v1", "ConfigMap", "/api/v1/namespaces/ns/configmaps" },
    { "pod", "v1", "Pod", "/api/v1/namespaces/ns/pods" },
    { "svc", "v1", "Service", "/api/v1/namespaces/ns/services" },
    { "sec", "v1", "Secret", "/api/v1/namespaces/ns/secrets" },
    { "ns", "v1", "Namespace", "/api/v1/namespaces" },
    { "node", "v1", "Node", "/api/v1/nodes" },
    { "deploy", "apps/v1", "Deployment",
      "/apis/apps/v1/namespaces/ns/deployments" },
    { "hpa1", "autoscaling/v1", "HorizontalPodAutoscaler",
      "/apis/autoscaling/v1/namespaces/ns/horizontalpodautoscalers" },
    { "hpa2", "autoscaling/v2", "HorizontalPodAutoscaler",
      "/apis/autoscaling/v2/namespaces/ns/horizontalpodautoscalers" },
    { "sa", "v1", "ServiceAccount", "/api/v1/namespaces/ns/serviceaccounts" },
};

/* A request, taken apart. */
struct request {
    char verb[16], manager[32], object[64];
    int status;
    const char *body;
    const char *version, *kind, *path;
    const char *name;           /* With the subresource. */
};

static inline bool
append_path(void *buf, const struct yl_path_element *path, size_t n)
{
    yl_buf_append_char(buf, ' ');
    yl_path_print(buf, path, n);
    return true;
}

/* The managedFields of the last answer, in the short form. */
static inline const char *
owners_of(const char *version)
{
    struct yl_managers managers;
    struct yl_node *root;
    struct yl_buf text;
    const char *copy;
    size_t i;

    assert_int_equal(yl_tree_parse(rig.arena, rig.body, NULL, &root, NULL), 0);
    assert_int_equal(yl_entries_read(rig.arena, yl_member_array(
        yl_member_object(root, "metadata"), "managedFields"), &managers,
        NULL), 0);
    yl_buf_init(&text, SIZE_MAX);
    for (i = 0; i < managers.n; i++) {
        const struct yl_manager *m = &managers.items[i];
        const struct yl_entry *entry = yl_entry_of(m);

        yl_buf_printf(&text, "%s%.*s%s", i ? "; " : "",
                      YL_STR_ARG(entry->manager), m->applied ? "+" : "");
        if (entry->subresource.size) {
            yl_buf_printf(&text, "/%.*s", YL_STR_ARG(entry->subresource));
        }
        if (!yl_str_equal_c(m->version, version)) {
            yl_buf_printf(&text, "@%.*s", YL_STR_ARG(m->version));
        }
        yl_field_set_for_each(m->set, append_path, &text);
    }
    copy = yl_arena_strdup(rig.arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return copy;
}

/* Reads what stands before the next blank; returns what is behind it. */
static inline const char *
read_word(const char *line, char *word, size_t size)
{
    size_t n = strcspn(line, " ");

    snprintf(word, size, "%.*s", (int) n, line);
    return line + n + (line[n] == ' ');
}

/* Takes a line apart; false if it is no request. */
static inline bool
read_request(const char *line, struct request *r)
{
    static char name[64];
    char status[8];
    size_t i;

    line = read_word(line, r->verb, sizeof r->verb);
    line = read_word(line, r->manager, sizeof r->manager);
    line = read_word(line, r->object, sizeof r->object);
    r->body = read_word(line, status, sizeof status);
    r->status = (int) strtol(status, NULL, 10);
    if (!r->status || !strchr(r->object, ':')) {
        return false;
    }
    snprintf(name, sizeof name, "%s", strchr(r->object, ':') + 1);
    *strchr(r->object, ':') = '\0';
    r->name = name;
    for (i = 0; strcmp(resources[i].name, r->object) != 0; i++) {
        assert_true(i + 1 < YL_ARRAY_SIZE(resources));
    }
    r->version = resources[i].version;
    r->kind = resources[i].kind;
    r->path = resources[i].path;
    if (strstr(name, "/scale")) {
        r->version = "autoscaling/v1";
        r->kind = "Scale";
    }
    return true;
}

/* Has the body such a member, outside of all braces? */
static inline bool
has_member(const char *body, const char *member)
{
    int depth = 0;

    for (; *body; body++) {
        depth += *body == '{' || *body == '[';
        depth -= *body == '}' || *body == ']';
        if (!depth && strncmp(body, member, strlen(member)) == 0) {
            return true;
        }
    }
    return false;
}

/* The body with what all have. */
static inline const char *
complete(const struct request *r)
{
    size_t size = strcspn(r->name, "/");
    struct yl_buf text;
    const char *copy;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_char(&text, '{');
    if (!has_member(r->body, "'kind':")) {
        yl_buf_printf(&text, "'apiVersion':'%s','kind':'%s'", r->version,
                      r->kind);
    }
    if (!has_member(r->body, "'metadata':")) {
        yl_buf_printf(&text, "%s'metadata':{'name':'%.*s'}",
                      text.size > 1 ? "," : "", (int) size, r->name);
    }
    yl_buf_printf(&text, "%s%s}", *r->body && text.size > 1 ? "," : "",
                  r->body);
    copy = yl_arena_strdup(rig.arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return copy;
}

static inline void
send_request(const char *title, const char *line, const struct request *r)
{
    bool applies = !strcmp(r->verb, "apply") || !strcmp(r->verb, "force");
    bool posts = !strcmp(r->verb, "post"), named = strchr(r->name, '/');
    const char *body = NULL, *method = "PATCH";
    char path[256];

    snprintf(path, sizeof path, "%s%s%s?fieldValidation=Strict%s%s%s",
             r->path, posts && !named ? "" : "/",
             posts && !named ? "" : r->name,
             *r->manager == '-' ? "" : "&fieldManager=",
             *r->manager == '-' ? "" : r->manager,
             strcmp(r->verb, "force") == 0 ? "&force=true" : "");
    rig.content_type = NULL;
    rig.headers = "user-agent: agent/1\r\n";
    if (posts || !strcmp(r->verb, "put")) {
        method = posts ? "POST" : "PUT";
        body = complete(r);
    } else if (applies) {
        rig.content_type = "application/apply-patch+yaml";
        body = complete(r);
    } else if (!strcmp(r->verb, "merge")) {
        rig.content_type = "application/merge-patch+json";
        body = yl_arena_printf(rig.arena, "{%s}", r->body);
    } else if (!strcmp(r->verb, "json")) {
        rig.content_type = "application/json-patch+json";
        body = yl_arena_printf(rig.arena, "[%s]", r->body);
    } else {
        method = strcmp(r->verb, "get") ? "DELETE" : "GET";
    }
    now.seconds++;
    if (api(method, path, verb_json(body)) != r->status) {
        fail_msg("%s: %s: %d: %.*s", title, line, rig.status,
                 YL_STR_ARG(rig.body));
    }
    if (rig.status < 300) {
        memcpy(last_revision, revision, sizeof revision);
        snprintf(revision, sizeof revision, "%s",
                 text_at("/metadata/resourceVersion"));
    }
}

static inline void
check_value(const char *title, const char *line)
{
    char pointer[128];
    const char *want = read_word(line + 2, pointer, sizeof pointer);
    struct yl_node *root, *node;
    struct yl_str have = YL_STR("");
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    assert_int_equal(yl_tree_parse(rig.arena, rig.body, NULL, &root, NULL), 0);
    if (yl_pointer_find(rig.arena, root, yl_str_c(pointer), &node, NULL) == 0
        && yl_node_string(node, rig.arena, &have) < 0) {
        yl_node_write(&text, node);
        have = yl_buf_str(&text);
    }
    if (!yl_str_equal_c(have, want)) {
        fail_msg("%s: %s: %.*s", title, line, YL_STR_ARG(have));
    }
    yl_buf_release(&text);
}

static inline void
run_line(const char *title, const char *line, struct request *r)
{
    const char *have;

    if (*line == '=') {
        have = owners_of(r->version);
        if (strcmp(have, line[1] ? line + 2 : "") != 0) {
            fail_msg("%s:\n%s, but\n= %s", title, line, have);
        }
    } else if (*line == '?') {
        check_value(title, line);
    } else if (*line == '!') {
        if (strcmp(text_at("/message"), line + 2) != 0) {
            fail_msg("%s: %s\nbut %s", title, line, text_at("/message"));
        }
    } else if (strcmp(line, "same") == 0 || strcmp(line, "new") == 0) {
        if ((strcmp(revision, last_revision) == 0) != (*line == 's')) {
            fail_msg("%s: not %s: %s, %s", title, line, last_revision,
                     revision);
        }
    } else if (read_request(line, r)) {
        send_request(title, line, r);
    } else {
        fail_msg("%s: cannot read %s", title, line);
    }
}

static inline void
run_case(const struct test_case *c)
{
    struct request r;
    size_t i;

    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true,
                                               .own = keep });
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    now = (struct yl_time) { INT64_C(1767225600), 0 };
    for (i = 0; i < MAX_LINES && c->lines[i]; i++) {
        run_line(c->title, c->lines[i], &r);
    }
    rig_close();
}

#define RUN(CASES)                                                            \
    do {                                                                      \
        size_t i_;                                                            \
        for (i_ = 0; i_ < YL_ARRAY_SIZE(CASES); i_++) {                       \
            run_case(&(CASES)[i_]);                                           \
        }                                                                     \
    } while (0)

/* Bodies
 * ====== */

#define LIST(NAME) "'selector':{'matchLabels':{'a':'b'}},'template':"         \
    "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[" NAME "]}}"
#define SPEC(MORE) "'spec':{" LIST("{'name':'c','image':'i'}") MORE "}"

/* What the creation of a Deployment with SPEC owns besides its replicas and
 * its deadline. */
#define REST_OF_SPEC                                                          \
    ".spec.revisionHistoryLimit .spec.selector "                              \
    ".spec.strategy.rollingUpdate .spec.strategy.type "                       \
    ".spec.strategy.rollingUpdate.maxSurge "                                  \
    ".spec.strategy.rollingUpdate.maxUnavailable "                            \
    ".spec.template.metadata.labels .spec.template.metadata.labels.a "        \
    ".spec.template.spec.dnsPolicy .spec.template.spec.restartPolicy "        \
    ".spec.template.spec.schedulerName "                                      \
    ".spec.template.spec.securityContext "                                    \
    ".spec.template.spec.terminationGracePeriodSeconds "                      \
    ".spec.template.spec.containers[name=\"c\"] "                             \
    ".spec.template.spec.containers[name=\"c\"].image "                       \
    ".spec.template.spec.containers[name=\"c\"].imagePullPolicy "             \
    ".spec.template.spec.containers[name=\"c\"].name "                        \
    ".spec.template.spec.containers[name=\"c\"].resources "                   \
    ".spec.template.spec.containers[name=\"c\"].terminationMessagePath "      \
    ".spec.template.spec.containers[name=\"c\"].terminationMessagePolicy"

#endif /* tests/own_unit.h */
