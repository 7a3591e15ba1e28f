/* Health checks.  See health.h. */

#include "apiserver/discovery/health.h"

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "base/quote.h"

#define TEXT "text/plain; charset=utf-8"

#define HEALTHZ 1u
#define LIVEZ 2u
#define READYZ 4u

/* The checks, in the order in which they are listed. */
static const struct check {
    const char *name;
    unsigned places;            /* Where it is listed. */
    unsigned unwell;            /* What makes it fail. */
} checks[] = {
    { "ping", HEALTHZ | LIVEZ | READYZ, 0 },
    { "log", HEALTHZ | LIVEZ | READYZ, 0 },
    { "etcd", HEALTHZ | LIVEZ | READYZ, YL_UNWELL_STORAGE },
    { "shutdown", READYZ, YL_UNWELL_DRAINING },
};

static const struct {
    const char *name;
    unsigned place;
} places[] = {
    { "healthz", HEALTHZ },
    { "livez", LIVEZ },
    { "readyz", READYZ },
};

static bool find_place(struct yl_str path, size_t *ret_place,
                       struct yl_str *ret_check);
static enum yl_step serve_all(struct yl_api_request *, size_t place);
static enum yl_step serve_one(struct yl_api_request *, const struct check *);
static bool is_excluded(const struct yl_api_request *, struct yl_str name);
static void warn_of_unknown(const struct yl_api_request *, unsigned place,
                            struct yl_buf *);
static enum yl_step respond_text(struct yl_api_request *, int http_status,
                                 struct yl_str text);

bool
yl_health_has(struct yl_str path)
{
    struct yl_str check;
    size_t place;

    return find_place(path, &place, &check);
}

enum yl_step
yl_serve_health(struct yl_api_request *req)
{
    struct yl_str name;
    size_t place;

    if (!find_place(req->info.path, &place, &name)) {
        return yl_api_respond_no_page(req);
    }
    if (yl_str_is_null(name)) {
        return serve_all(req, place);
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(checks); i++) {
        if ((checks[i].places & places[place].place)
            && yl_str_equal_c(name, checks[i].name)) {
            return serve_one(req, &checks[i]);
        }
    }
    return yl_api_respond_no_page(req);
}

unsigned
yl_unwell_now(const struct yl_apiserver *server)
{
    unsigned unwell = server->unwell;
    yl_msec failed = server->keyspace ? yl_keyspace_failed(server->keyspace)
                                      : YL_NEVER;

    if (failed != YL_NEVER
        && yl_now(server->clock) - failed < YL_UNWELL_TIME) {
        unwell |= YL_UNWELL_STORAGE;
    }
    return unwell;
}

void
yl_health_write_metrics(struct yl_buf *buf,
                        const struct yl_apiserver *server)
{
    unsigned unwell = yl_unwell_now(server);

    yl_buf_append_c(buf, "# HELP kubernetes_healthcheck Whether each health "
                         "check passes.\n"
                         "# TYPE kubernetes_healthcheck gauge\n");
    for (size_t i = 0; i < YL_ARRAY_SIZE(checks); i++) {
        for (size_t j = 0; j < YL_ARRAY_SIZE(places); j++) {
            if (checks[i].places & places[j].place) {
                yl_buf_printf(buf, "kubernetes_healthcheck{name=\"%s\","
                                   "type=\"%s\"} %d\n",
                              checks[i].name, places[j].name,
                              !(checks[i].unwell & unwell));
            }
        }
    }
}

/* Splits "/readyz/etcd"; the check is null if none is named. */
static bool
find_place(struct yl_str path, size_t *ret_place, struct yl_str *ret_check)
{
    struct yl_str name, check = yl_str_null();

    if (!yl_str_starts_with(path, YL_STR("/"))) {
        return false;
    }
    name = yl_str_skip(path, 1);
    yl_str_cut(name, '/', &name, &check);
    for (size_t i = 0; i < YL_ARRAY_SIZE(places); i++) {
        if (yl_str_equal_c(name, places[i].name)) {
            *ret_place = i;
            *ret_check = check;
            return true;
        }
    }
    return false;
}

static enum yl_step
serve_all(struct yl_api_request *req, size_t place)
{
    const char *name = places[place].name;
    unsigned unwell = yl_unwell_now(req->server);
    bool failed = false;
    struct yl_buf text;
    enum yl_step step;

    yl_buf_init(&text, 1 << 20);
    for (size_t i = 0; i < YL_ARRAY_SIZE(checks); i++) {
        const struct check *check = &checks[i];

        if (!(check->places & places[place].place)) {
            continue;
        }
        if (is_excluded(req, yl_str_c(check->name))) {
            yl_buf_printf(&text, "[+]%s excluded: ok\n", check->name);
        } else if (check->unwell & unwell) {
            yl_buf_printf(&text, "[-]%s failed: reason withheld\n",
                          check->name);
            failed = true;
        } else {
            yl_buf_printf(&text, "[+]%s ok\n", check->name);
        }
    }
    warn_of_unknown(req, places[place].place, &text);
    yl_buf_printf(&text, "%s check %s\n", name, failed ? "failed" : "passed");
    if (failed) {
        step = respond_text(req, 500, yl_buf_str(&text));
    } else if (yl_params_has(&req->params, YL_STR("verbose"))) {
        step = respond_text(req, 200, yl_buf_str(&text));
    } else {
        step = respond_text(req, 200, YL_STR("ok"));
    }
    yl_buf_release(&text);
    return step;
}

static enum yl_step
serve_one(struct yl_api_request *req, const struct check *check)
{
    if (check->unwell & yl_unwell_now(req->server)) {
        return respond_text(req, 500,
                            yl_str_c(check->unwell == YL_UNWELL_DRAINING
                                     ? "internal server error: process is "
                                       "shutting down\n"
                                     : "internal server error: storage does "
                                       "not take writes\n"));
    }
    return yl_api_respond(req, 200, TEXT, YL_STR("ok"));
}

static bool
is_excluded(const struct yl_api_request *req, struct yl_str name)
{
    for (size_t i = 0; i < req->params.n; i++) {
        if (yl_str_equal(req->params.all[i].name, YL_STR("exclude"))
            && yl_str_equal(req->params.all[i].value, name)) {
            return true;
        }
    }
    return false;
}

static void
warn_of_unknown(const struct yl_api_request *req, unsigned place,
                struct yl_buf *text)
{
    bool any = false;

    for (size_t i = 0; i < req->params.n; i++) {
        const struct yl_param *param = &req->params.all[i];
        bool known = false;

        if (!yl_str_equal(param->name, YL_STR("exclude"))) {
            continue;
        }
        for (size_t j = 0; j < YL_ARRAY_SIZE(checks); j++) {
            known |= (checks[j].places & place)
                     && yl_str_equal_c(param->value, checks[j].name);
        }
        if (!known) {
            yl_buf_append_c(text, any ? ","
                                      : "warn: some health checks cannot be "
                                        "excluded: no matches for ");
            yl_quote(text, param->value);
            any = true;
        }
    }
    yl_buf_append_c(text, any ? "\n" : "");
}

static enum yl_step
respond_text(struct yl_api_request *req, int http_status, struct yl_str text)
{
    yl_api_add_header(req, YL_STR("x-content-type-options"),
                      YL_STR("nosniff"));
    return yl_api_respond(req, http_status, TEXT, text);
}
