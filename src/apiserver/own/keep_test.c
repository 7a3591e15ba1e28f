/* Tests of ownership, as a table of requests to a server.
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
 * What is expected here is what a kube-apiserver does.
 *
 * This file is long because it is one table. */

#include "apiserver/own/own.h"

#include "apiserver/own/entries.h"
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

static int
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

static bool
append_path(void *buf, const struct yl_path_element *path, size_t n)
{
    yl_buf_append_char(buf, ' ');
    yl_path_print(buf, path, n);
    return true;
}

/* The managedFields of the last answer, in the short form. */
static const char *
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
static const char *
read_word(const char *line, char *word, size_t size)
{
    size_t n = strcspn(line, " ");

    snprintf(word, size, "%.*s", (int) n, line);
    return line + n + (line[n] == ' ');
}

/* Takes a line apart; false if it is no request. */
static bool
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
static bool
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
static const char *
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

static void
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

static void
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

static void
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

static void
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

/* Cases
 * ===== */

#define LIST(NAME) "'selector':{'matchLabels':{'a':'b'}},'template':"         \
    "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[" NAME "]}}"
#define SPEC(MORE) "'spec':{" LIST("{'name':'c','image':'i'}") MORE "}"

static const struct test_case writes[] = {
    { "a creation owns what it sets", {
        "post m cm:a 201 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "labels, annotations and finalizers are owned, the name is not", {
        "post m cm:a 201 'metadata':{'name':'a','labels':{'l':'1'},"
        "'annotations':{'n':'2'},'finalizers':['example.com/f']}",
        "= m .metadata.annotations .metadata.finalizers .metadata.labels "
        ".metadata.annotations.n .metadata.finalizers[=\"example.com/f\"] "
        ".metadata.labels.l",
    } },
    { "an object without fields has no owners", {
        "post m cm:a 201",
        "=",
        "merge m cm:a 200 'data':{'x':'1'}",
        "=",
    } },
    { "defaults are owned by who creates", {
        "post m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "= m .spec.internalTrafficPolicy .spec.ports .spec.sessionAffinity "
        ".spec.type .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol "
        ".spec.ports[port=80,protocol=\"TCP\"].targetPort",
    } },
    { "a creation cannot own a status", {
        "post m svc:s 201 'spec':{'ports':[{'port':80}]},'status':"
        "{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}",
        "= m .spec.internalTrafficPolicy .spec.ports .spec.sessionAffinity "
        ".spec.type .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol "
        ".spec.ports[port=80,protocol=\"TCP\"].targetPort",
    } },
    { "a kind without a status subresource owns all", {
        "post m sec:s 201 'type':'example.com/t','stringData':{'a':'b'}",
        "= m .data .type .data.a",
    } },
    { "an update owns what it changes", {
        "post m cm:a 201 'data':{'x':'1','y':'1'}",
        "merge u cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x; u .data.y",
    } },
    { "what an update leaves as it is stays with its owner", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'data':{'x':'1','y':'2'}",
        "= m .data .data.x; u .data.y",
    } },
    { "what an update removes has no owner", {
        "post m cm:a 201 'data':{'x':'1','y':'1'}",
        "put u cm:a 200 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "an update that removes everything", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200",
        "=",
    } },
    { "a manager that updates again has one entry", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x .data.y",
    } },
    { "an update that changes nothing makes no revision", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'data':{'x':'1'}",
        "same",
        "= m .data .data.x",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
    } },
    { "the time of an entry is that of its last change", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'y':'1'}",
        "merge u cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x; u .data.y",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
        "? /metadata/managedFields/1/time 2026-01-01T00:00:03Z",
    } },
    { "the user agent names the manager", {
        "post - cm:a 201 'data':{'x':'1'}",
        "= agent .data .data.x",
        "json - cm:a 200 {'op':'add','path':'/data/y','value':'2'}",
        "= agent .data .data.x .data.y",
    } },
    { "a list by keys is owned by its items", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d 200 'spec':{" LIST("{'name':'c','image':'i'},"
            "{'name':'e','image':'j'}") "}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        ".spec.revisionHistoryLimit .spec.selector "
        ".spec.strategy.rollingUpdate .spec.strategy.type "
        ".spec.strategy.rollingUpdate.maxSurge "
        ".spec.strategy.rollingUpdate.maxUnavailable "
        ".spec.template.metadata.labels .spec.template.metadata.labels.a "
        ".spec.template.spec.dnsPolicy .spec.template.spec.restartPolicy "
        ".spec.template.spec.schedulerName "
        ".spec.template.spec.securityContext "
        ".spec.template.spec.terminationGracePeriodSeconds "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"c\"].name "
        ".spec.template.spec.containers[name=\"c\"].resources "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePolicy; "
        "u .spec.template.spec.containers[name=\"e\"] "
        ".spec.template.spec.containers[name=\"e\"].image "
        ".spec.template.spec.containers[name=\"e\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"e\"].name "
        ".spec.template.spec.containers[name=\"e\"].resources "
        ".spec.template.spec.containers[name=\"e\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"e\"].terminationMessagePolicy",
    } },
    { "an item that is removed takes its fields with it", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ "
        ".spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "json u svc:s 200 {'op':'remove','path':'/spec/ports/0'}",
        "= n+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
    } },
};

static const struct test_case applies[] = {
    { "an apply creates", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "= m+ .data.x",
    } },
    { "the same again changes nothing", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "same",
        "= m+ .data.x",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
    } },
    { "an apply changes what its manager owns", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'2'}",
        "= m+ .data.x",
        "? /data/x 2",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:02Z",
    } },
    { "what is no longer applied is removed", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "= m+ .data.x",
        "? /data/y",
    } },
    { "everything can be given up", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply m cm:a 200",
        "=",
        "? /data",
    } },
    { "an apply that names nothing owns nothing", {
        "apply m cm:a 201",
        "=",
    } },
    { "an empty map is owned as such", {
        "apply m cm:a 201 'data':{}",
        "= m+ .data",
        "apply n cm:b 201 'data':{'x':'1'}",
        "apply m cm:b 200 'data':{}",
        "= m+ .data; n+ .data.x",
    } },
    { "other fields are left alone", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'y':'1'}",
        "= m+ .data.y; u .data .data.x",
        "? /data/x 1",
    } },
    { "to own the same value as others needs no force", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "new",
        "= n+ .data.x; m+ .data.x",
        "? /metadata/managedFields/0/time",
    } },
    { "who shares a field can give it up alone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "= n+ .data.x",
        "? /data/x 1",
        "apply n cm:a 200",
        "=",
        "? /data",
    } },
    { "who shares a field cannot change it alone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"n\": .data.x",
    } },
    { "what an update has set stays when an apply gives it up", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "= u .data .data.x",
        "? /data/x 1",
    } },
    { "what an update has changed stays when an apply gives it up", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "merge u cm:a 200 'data':{'x':'2'}",
        "= m+ .data.y; u .data.x",
        "apply m cm:a 200 'data':{'y':'1'}",
        "? /data/x 2",
        "= m+ .data.y; u .data.x",
    } },
    { "applied and updated by one manager are two entries", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'data':{'y':'1'}",
        "= m+ .data.x; m .data.y",
        "apply m cm:a 409 'data':{'y':'2'}",
        ("! Apply failed with 1 conflict: conflict with \"m\" using v1: "
         ".data.y"),
    } },
    { "a dry run owns nothing", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n&dryRun=All cm:a 200 'data':{'y':'1'}",
        "= m+ .data.x; n+ .data.y",
        "get - cm:a 200",
        "= m+ .data.x",
    } },
    { "an object that is being deleted can be applied to", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/f']}",
        "delete - cm:a 200",
        "apply m cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/f']},'data':{'x':'1'}",
        "= m+ .data.x .metadata.finalizers[=\"example.com/f\"]",
        "apply m cm:a 200",
        "get - cm:a 404",
    } },
    { "what is applied is defaulted, which nobody owns", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/0/protocol TCP",
    } },
};

static const struct test_case conflicts[] = {
    { "another value of another's field is a conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"m\": .data.x",
        "? /reason Conflict",
        "? /details/causes/0/reason FieldManagerConflict",
        "? /details/causes/0/message conflict with \"m\"",
        "? /details/causes/0/field .data.x",
        "get - cm:a 200",
        "= m+ .data.x",
    } },
    { "conflicts of several managers come in their order", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply l cm:a 200 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'z':'1'}",
        "apply n cm:a 409 'data':{'x':'2','y':'2','z':'2'}",
        ("! Apply failed with 4 conflicts: conflicts with \"l\":\n- .data.x\n"
         "conflicts with \"m\":\n- .data.x\n- .data.y\n"
         "conflicts with \"u\" using v1:\n- .data.z"),
    } },
    { "force takes the field", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "force n cm:a 200 'data':{'x':'2'}",
        "= m+ .data.y; n+ .data.x",
        "? /data/x 2",
    } },
    { "who lost all fields by force is gone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "force n cm:a 200 'data':{'x':'2'}",
        "= n+ .data.x",
    } },
    { "an update takes without force, and is in conflict then", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'x':'2'}",
        "= u .data.x",
        "apply m cm:a 409 'data':{'x':'1'}",
        ("! Apply failed with 1 conflict: conflict with \"u\" using v1: "
         ".data.x"),
        "force m cm:a 200 'data':{'x':'1'}",
        "= m+ .data.x",
    } },
    { "what a creation has set is in conflict", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"u\" using v1: "
        ".data.x",
    } },
    { "a field that nobody owns can be changed", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "apply n cm:a 200",
        "apply o cm:a 200 'data':{'x':'3'}",
        "= o+ .data.x",
    } },
    { "a removed field of another is no conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "json u cm:a 200 {'op':'remove','path':'/data/x'}",
        "=",
        "apply n cm:a 200 'data':{'x':'2'}",
        "= n+ .data.x",
    } },
    { "a revision that has passed is another conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 409 'metadata':{'name':'a','resourceVersion':'1'},"
        "'data':{'x':'2'}",
        "! Operation cannot be fulfilled on configmaps \"a\": the object has "
        "been modified; please apply your changes to the latest version and "
        "try again",
    } },
    { "a uid of an object that does not exist", {
        "apply m cm:a 409 'metadata':{'name':'a','uid':'u'}",
        "! Operation cannot be fulfilled on configmaps \"a\": uid mismatch: "
        "the provided object specified uid u, and no existing object was "
        "found",
    } },
};

static const struct test_case lists[] = {
    { "items of a list by keys", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ "
        ".spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "? /spec/ports/1/port 81",
        "apply m svc:s 200",
        "? /spec/ports/1",
    } },
    { "an item is removed with its last owner", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80},"
        "{'name':'b','port':81}]}",
        "apply m svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "? /spec/ports/0/port 81",
    } },
    { "an item stays while another owns it", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80},"
        "{'name':'b','port':81}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "apply m svc:s 200 'spec':{'ports':[{'name':'a','port':80}]}",
        "= n+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port; m+ "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/1/name b",
    } },
    { "the default of a key counts", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'port':80,'protocol':'TCP'}]}",
        "= n+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol; m+ "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/1",
    } },
    { "a field of an item is in conflict", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 409 'spec':{'template':{'spec':{'containers':"
        "[{'name':'c','image':'j'}]}}}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.template.spec.containers[name=\"c\"].image",
    } },
    { "a new item comes behind the others", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 200 'spec':{'template':{'spec':{'containers':"
        "[{'name':'b','image':'j'}]}}}",
        "? /spec/template/spec/containers/0/name c",
        "? /spec/template/spec/containers/1/name b",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+ "
        ".spec.template.spec.containers[name=\"b\"] "
        ".spec.template.spec.containers[name=\"b\"].image "
        ".spec.template.spec.containers[name=\"b\"].name",
    } },
    { "an item twice is refused", {
        "apply m svc:s 500 'spec':{'ports':[{'port':80},{'port':80}]}",
        "! failed to create typed patch object (/s; /v1, Kind=Service): "
        ".spec.ports: duplicate entries for key [port=80,protocol=\"TCP\"]",
    } },
    { "values of a set", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply n cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/b']}",
        "= m+ .metadata.finalizers[=\"example.com/a\"]; n+ "
        ".metadata.finalizers[=\"example.com/b\"]",
        "apply m cm:a 200",
        "= n+ .metadata.finalizers[=\"example.com/b\"]",
        "? /metadata/finalizers/0 example.com/b",
    } },
    { "a value of a set that two own", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply n cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply m cm:a 200",
        "= n+ .metadata.finalizers[=\"example.com/a\"]",
        "? /metadata/finalizers/0 example.com/a",
    } },
    { "an atomic map is owned as a whole", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}],'selector':"
        "{'a':'b'}}",
        "apply n svc:s 409 'spec':{'selector':{'a':'b','c':'d'}}",
        "! Apply failed with 1 conflict: conflict with \"m\": .spec.selector",
        "force n svc:s 200 'spec':{'selector':{'c':'d'}}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ .spec.selector",
        "? /spec/selector/a",
    } },
    { "an atomic map can be shared", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}],'selector':"
        "{'a':'b'}}",
        "apply n svc:s 200 'spec':{'selector':{'a':'b'}}",
        "= n+ .spec.selector; m+ .spec.selector "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
    } },
    { "an atomic list is replaced", {
        "apply m pod:p 201 'spec':{'containers':[{'name':'c','image':'i',"
        "'args':['a','b']}]}",
        "= m+ .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].args "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].name",
    } },
    { "a part of an atomic struct belongs to the whole", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 409 'spec':{'selector':{'matchLabels':"
        "{'a':'c'}}}",
        "! Apply failed with 1 conflict: conflict with \"m\": .spec.selector",
    } },
};

static const struct test_case parts[] = {
    { "the status has its own entry", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'status':{'replicas':1}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        ".spec.revisionHistoryLimit .spec.selector "
        ".spec.strategy.rollingUpdate .spec.strategy.type "
        ".spec.strategy.rollingUpdate.maxSurge "
        ".spec.strategy.rollingUpdate.maxUnavailable "
        ".spec.template.metadata.labels .spec.template.metadata.labels.a "
        ".spec.template.spec.dnsPolicy .spec.template.spec.restartPolicy "
        ".spec.template.spec.schedulerName "
        ".spec.template.spec.securityContext "
        ".spec.template.spec.terminationGracePeriodSeconds "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"c\"].name "
        ".spec.template.spec.containers[name=\"c\"].resources "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePolicy; "
        "u/status .status.replicas",
    } },
    { "a write of the object cannot own the status", {
        "apply m deploy:d 201 " SPEC("") ",'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /status/replicas",
    } },
    { "an apply of the status cannot own the spec", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d/status 200 'spec':{'replicas':5},'status':"
        "{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+/status "
        ".status.replicas",
        "? /spec/replicas 1",
    } },
    { "labels by the status of a Deployment have no owner", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d/status 200 'metadata':{'name':'d','labels':"
        "{'a':'b'}},'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+/status "
        ".status.replicas",
    } },
    { "one manager through two subresources", {
        "apply m deploy:d 201 " SPEC(""),
        "apply m deploy:d/status 200 'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; m+/status "
        ".status.replicas",
        "apply m deploy:d/status 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /status/replicas",
    } },
    { "conflicts name the subresource", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'status':{'replicas':1}",
        "apply n deploy:d/status 409 'status':{'replicas':2}",
        "! Apply failed with 1 conflict: conflict with \"u\" with "
        "subresource \"status\" using apps/v1: .status.replicas",
    } },
    { "the status of what does not exist", {
        "apply m deploy:d/status 404 'status':{'replicas':1}",
        "! deployments.apps \"d\" not found",
    } },
    { "conditions are a list by type", {
        "apply m pod:p 201 'spec':{'containers':[{'name':'c','image':'i'}]}",
        "apply n pod:p/status 200 'status':{'conditions':[{'type':'A',"
        "'status':'True'}]}",
        "apply o pod:p/status 200 'status':{'conditions':[{'type':'B',"
        "'status':'True'}]}",
        "= m+ .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].name; n+/status "
        ".status.conditions[type=\"A\"] "
        ".status.conditions[type=\"A\"].status "
        ".status.conditions[type=\"A\"].type; o+/status "
        ".status.conditions[type=\"B\"] "
        ".status.conditions[type=\"B\"].status "
        ".status.conditions[type=\"B\"].type",
    } },
    { "a Scale takes the replicas", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "merge h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; h/scale "
        ".spec.replicas",
        "apply m deploy:d 409 " SPEC(",'replicas':2"),
        "! Apply failed with 1 conflict: conflict with \"h\" with "
        "subresource \"scale\" using apps/v1: .spec.replicas",
    } },
    { "a Scale of replicas that nobody owns has no owner", {
        "apply m deploy:d 201 " SPEC(""),
        "merge h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /spec/replicas 3",
    } },
    { "an applied Scale", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "apply h deploy:d/scale 409 'spec':{'replicas':3}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.replicas",
        "force h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= h+/scale .spec.replicas; m+ .spec.selector "
        ".spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /spec/replicas 3",
        "apply h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "same",
    } },
    { "a Scale of the same replicas is shared", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "apply h deploy:d/scale 200 'spec':{'replicas':2}",
        "get - deploy:d 200",
        "= h+/scale .spec.replicas; m+ .spec.replicas .spec.selector "
        ".spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
    } },
    { "a Scale of an object that nobody has applied", {
        "post m deploy:d 201 " SPEC(",'replicas':2"),
        "put h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= h/scale .spec.replicas; m .spec.progressDeadlineSeconds "
        ".spec.revisionHistoryLimit .spec.selector "
        ".spec.strategy.rollingUpdate .spec.strategy.type "
        ".spec.strategy.rollingUpdate.maxSurge "
        ".spec.strategy.rollingUpdate.maxUnavailable "
        ".spec.template.metadata.labels .spec.template.metadata.labels.a "
        ".spec.template.spec.dnsPolicy .spec.template.spec.restartPolicy "
        ".spec.template.spec.schedulerName "
        ".spec.template.spec.securityContext "
        ".spec.template.spec.terminationGracePeriodSeconds "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"c\"].name "
        ".spec.template.spec.containers[name=\"c\"].resources "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePolicy",
    } },
    { "a Pod is bound by nobody", {
        "post m pod:p 201 'spec':{'containers':[{'name':'c','image':'i'}]}",
        "post s pod:p/binding 201 'kind':'Binding','metadata':{'name':'p'},"
        "'target':{'kind':'Node','name':'n'}",
        "get - pod:p 200",
        "? /spec/nodeName n",
        "= m .spec.dnsPolicy .spec.enableServiceLinks .spec.restartPolicy "
        ".spec.schedulerName .spec.securityContext "
        ".spec.terminationGracePeriodSeconds .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.containers[name=\"c\"].name "
        ".spec.containers[name=\"c\"].resources "
        ".spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.containers[name=\"c\"].terminationMessagePolicy",
    } },
};

static const struct test_case versions[] = {
    { "an entry names its version", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "= m+ .spec.maxReplicas .spec.scaleTargetRef",
        "get - hpa2:h 200",
        "= m+@autoscaling/v1 .spec.maxReplicas .spec.scaleTargetRef",
    } },
    { "fields are the same in both versions", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "apply n hpa2:h 409 'spec':{'maxReplicas':6}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.maxReplicas",
        "apply n hpa2:h 200 'spec':{'maxReplicas':5}",
        "= n+ .spec.maxReplicas; m+@autoscaling/v1 .spec.maxReplicas "
        ".spec.scaleTargetRef",
    } },
    { "a manager applies in another version", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'minReplicas':2,"
        "'scaleTargetRef':{'kind':'D','name':'d',"
        "'apiVersion':'apps/v1'}}",
        "apply m hpa2:h 200 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "= m+ .spec.maxReplicas .spec.scaleTargetRef.apiVersion "
        ".spec.scaleTargetRef.kind .spec.scaleTargetRef.name",
    } },
    { "an update in another version is another entry", {
        "post m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "merge m hpa2:h 200 'spec':{'maxReplicas':6}",
        "= m@autoscaling/v1 .spec.minReplicas .spec.scaleTargetRef "
        ".spec.targetCPUUtilizationPercentage; m .spec.maxReplicas",
    } },
    { "a version that is not served is forgotten", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{'manager':'old',"
        "'operation':'Update','apiVersion':'v0','fieldsType':'FieldsV1',"
        "'fieldsV1':{'f:data':{'f:x':{}}}}]}",
        "=",
    } },
    { "the version of what is applied must be the path's", {
        "apply m hpa2:h 400 'apiVersion':'autoscaling/v1',"
        "'kind':'HorizontalPodAutoscaler'",
        "! invalid object type: autoscaling/v1, Kind=HorizontalPodAutoscaler",
    } },
};

#define ENTRY(MANAGER, FIELDS)                                                \
    "{'manager':'" MANAGER "','operation':'Update','apiVersion':'v1',"        \
    "'fieldsType':'FieldsV1','fieldsV1':" FIELDS "}"

#define X(MANAGER) ENTRY(MANAGER, "{'f:data':{'f:x':{}}}")

static const struct test_case edited[] = {
    { "a client clears the owners", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{}]}",
        "=",
        "merge u cm:a 200 'data':{'y':'1'}",
        "=",
    } },
    { "an empty list clears them too", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'metadata':{'name':'a','managedFields':[]},'data':"
        "{'x':'1'}",
        "=",
    } },
    { "null, or none, leaves them as they are", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':null}",
        "= m .data .data.x",
        "put u cm:a 200 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "a client can edit them", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':["
        ENTRY("other", "{'f:data':{'f:x':{}}}") "]}",
        "= other .data.x",
    } },
    { "a new object can have owners", {
        "post m cm:a 201 'metadata':{'name':'a','managedFields':["
        ENTRY("other", "{'f:data':{'f:x':{}}}") "]},'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "what is not valid is ignored", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{'manager':'bad'}]}",
        "= m .data .data.x",
        "merge u cm:a 200 'metadata':{'managedFields':["
        ENTRY("other", "{'data':{}}") "]}",
        "= m .data .data.x",
    } },
    { "a subresource cannot edit them", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'metadata':{'managedFields':[{}]},"
        "'status':{'replicas':1}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        ".spec.revisionHistoryLimit .spec.selector "
        ".spec.strategy.rollingUpdate .spec.strategy.type "
        ".spec.strategy.rollingUpdate.maxSurge "
        ".spec.strategy.rollingUpdate.maxUnavailable "
        ".spec.template.metadata.labels .spec.template.metadata.labels.a "
        ".spec.template.spec.dnsPolicy .spec.template.spec.restartPolicy "
        ".spec.template.spec.schedulerName "
        ".spec.template.spec.securityContext "
        ".spec.template.spec.terminationGracePeriodSeconds "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"c\"].name "
        ".spec.template.spec.containers[name=\"c\"].resources "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"c\"].terminationMessagePolicy; "
        "u/status .status.replicas",
    } },
    { "an apply cannot have any", {
        "apply m cm:a 400 'metadata':{'name':'a','managedFields':[]}",
        "! metadata.managedFields must be nil",
        "apply m cm:a 201 'metadata':{'name':'a','managedFields':null}",
    } },
    { "the first apply finds owners for what is there", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'metadata':{'managedFields':[{}]}",
        "apply n cm:a 409 'data':{'x':'2'}",
        ("! Apply failed with 1 conflict: conflict with "
         "\"before-first-apply\" using v1: .data.x"),
        "apply n cm:a 200 'data':{'y':'1'}",
        "= n+ .data.y; before-first-apply .data .data.x",
    } },
    { "many entries that a client sends are joined", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':["
        X("a") "," X("b") "," X("c") "," X("d") ","
        X("e") "," X("f") "," X("g") "," X("h") ","
        X("i") "," X("j") "," X("k") "]}",
        "= ancient-changes .data.x; c .data.x; d .data.x; e .data.x; "
        "f .data.x; g .data.x; h .data.x; i .data.x; j .data.x; k .data.x",
    } },
    { "old updates are joined", {
        "post m0 cm:a 201 'data':{'k0':'1'}",
        "merge m1 cm:a 200 'data':{'k1':'1'}",
        "merge m2 cm:a 200 'data':{'k2':'1'}",
        "merge m3 cm:a 200 'data':{'k3':'1'}",
        "merge m4 cm:a 200 'data':{'k4':'1'}",
        "merge m5 cm:a 200 'data':{'k5':'1'}",
        "merge m6 cm:a 200 'data':{'k6':'1'}",
        "merge m7 cm:a 200 'data':{'k7':'1'}",
        "merge m8 cm:a 200 'data':{'k8':'1'}",
        "merge m9 cm:a 200 'data':{'k9':'1'}",
        "apply n cm:a 200 'data':{'n':'1'}",
        ("= n+ .data.n; m0 .data .data.k0; m1 .data.k1; m2 .data.k2; m3 "
         ".data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 .data.k7; m8 "
         ".data.k8; m9 .data.k9"),
        "merge m10 cm:a 200 'data':{'k10':'1'}",
        ("= n+ .data.n; ancient-changes .data .data.k0 .data.k1; m2 "
         ".data.k2; m3 .data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 "
         ".data.k7; m8 .data.k8; m9 .data.k9; m10 .data.k10"),
        "? /metadata/managedFields/1/time 2026-01-01T00:00:02Z",
        "merge m11 cm:a 200 'data':{'k11':'1'}",
        ("= n+ .data.n; ancient-changes .data .data.k0 .data.k1 .data.k2; "
         "m3 .data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 .data.k7; "
         "m8 .data.k8; m9 .data.k9; m10 .data.k10; m11 .data.k11"),
    } },
};

#define LAST_APPLIED(DATA)                                                    \
    "'metadata':{'name':'a','annotations':"                                   \
    "{'kubectl.kubernetes.io/last-applied-configuration':"                    \
    "'{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'ConfigMap\\',"                 \
    "\\'data\\':{" DATA "}}'}}"

static const struct test_case migrations[] = {
    { "kubectl takes over what it has applied on its own side", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'1'}",
        "apply kubectl cm:a 200 'data':{'x':'2'}",
        "= kubectl+ .data.x; k .data .metadata.annotations "
        ".metadata.annotations.kubectl.kubernetes.io/last-applied-"
        "configuration",
        "? /data/x 2",
        "? /metadata/annotations/kubectl.kubernetes.io~1last-applied-"
        "configuration {\"apiVersion\":\"v1\",\"data\":{\"x\":\"2\"},"
        "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}\n",
    } },
    { "another manager does not", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.x",
    } },
    { "what has changed since is not taken over", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'3'}",
        "apply kubectl cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.x",
    } },
    { "some conflicts are left", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'")
        ",'data':{'x':'1','y':'1'}",
        "apply kubectl cm:a 409 'data':{'x':'2','y':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.y",
    } },
};

static const struct test_case faults[] = {
    { "a manager is needed", {
        "apply - cm:a 422 'data':{'x':'1'}",
        "! PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required "
        "value: is required for apply patch",
    } },
    { "only an apply has force", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m&force=true cm:a 422 'data':{'x':'2'}",
        "! PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may "
        "not be specified for non-apply patch",
    } },
    { "the kind must be the path's", {
        "apply m cm:a 400 'kind':'Secret','apiVersion':'v1'",
        "! invalid object type: /v1, Kind=Secret",
        "apply m cm:a 400 'kind':'ConfigMap'",
        "! invalid object type: /, Kind=ConfigMap",
        "apply m cm:a 400 'kind':'ConfigMap','apiVersion':'a/b/c'",
        "! invalid object type: /, Kind=",
    } },
    { "so must the name be", {
        "apply m cm:a 400 'metadata':{'name':'b'}",
        "! the name of the object (b) does not match the name on the URL (a)",
        "apply m cm:a 400 'metadata':{}",
        "! the name of the object (a based on URL) was undeterminable: name "
        "must be provided",
    } },
    { "and the namespace", {
        "apply m cm:a 400 'metadata':{'name':'a','namespace':'other'}",
        "! the namespace of the provided object does not match the namespace "
        "sent on the request",
    } },
    { "unknown fields and wrong types are refused", {
        "apply m cm:a 500 'other':1",
        "! failed to create typed patch object (/a; /v1, Kind=ConfigMap): "
        ".other: field not declared in schema",
        "apply m cm:a 500 'data':{'x':1}",
        "! failed to create typed patch object (/a; /v1, Kind=ConfigMap): "
        ".data.x: expected string, got &value.valueUnstructured{Value:1}",
        "apply m deploy:d 500 " SPEC(",'replicas':2.5"),
        "! failed to convert new object (/d; apps/v1, Kind=Deployment) to "
        "proper version: unable to convert unstructured object to apps/v1, "
        "Kind=Deployment: cannot convert float64 to int32",
    } },
    { "what is applied is validated", {
        "apply m deploy:d 422 " SPEC(",'replicas':-1"),
        "! Deployment.apps \"d\" is invalid: spec.replicas: Invalid value: "
        "-1: must be greater than or equal to 0",
    } },
    { "null is no value", {
        "apply m cm:a 201 'data':{'x':null,'y':'1'}",
        "= m+ .data.x .data.y",
    } },
    { "an object with an item that has no key", {
        "post u sa:a 201 'secrets':[{}]",
        "= ",
        "apply m sa:a 500 'metadata':{'name':'a','labels':{'x':'1'}}",
        "! failed to create manager for existing fields: failed to convert "
        "new object (ns/a; /v1, Kind=ServiceAccount) to smd typed: .secrets: "
        "element 0: associative list with keys has an element that omits all "
        "key fields [\"name\"] (and doesn't have default values for any key "
        "fields)",
    } },
};

TEST(writes_that_are_no_applies)
{
    RUN(writes);
}

TEST(applies_of_one_and_of_several)
{
    RUN(applies);
}

TEST(conflicts_and_force)
{
    RUN(conflicts);
}

TEST(lists_sets_and_atomic_fields)
{
    RUN(lists);
}

TEST(status_and_scale)
{
    RUN(parts);
}

TEST(fields_in_several_versions)
{
    RUN(versions);
}

TEST(managed_fields_that_clients_send)
{
    RUN(edited);
}

TEST(from_apply_on_the_clients_side)
{
    RUN(migrations);
}

TEST(what_is_refused)
{
    RUN(faults);
}

TEST(fields_that_a_definition_preserves)
{
    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true,
                                               .own = keep });
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    ask(201, "POST",
        "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions",
        "{'metadata':{'name':'olds.example.com'},'spec':{'group':"
        "'example.com','scope':'Namespaced','version':'v1',"
        "'names':{'plural':'olds','kind':'Old'},'preserveUnknownFields':true,"
        "'validation':{'openAPIV3Schema':{'type':'object','properties':"
        "{'spec':{'type':'object','properties':{'a':{'type':'integer'}}}}}}}"
        "}");
    crd_wait("olds.example.com", "Established", "True");
    rig.content_type = "application/apply-patch+yaml";
    ask(201, "PATCH", CUSTOM "olds/x?fieldManager=m",
        "{'apiVersion':'example.com/v1','kind':'Old','metadata':{'name':'x'},"
        "'spec':{'a':1,'b':{'c':2}},'more':[3]}");
    assert_string_equal(owners_of("example.com/v1"),
                        "m+ .more .spec.a .spec.b .spec.b.c");
    rig_close();
}
