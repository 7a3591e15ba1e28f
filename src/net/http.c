/* Requests as a handler sees them.  See net/http.h for the contract. */

#include "net/http.h"

#include <assert.h>

#include "net/conn.h"
#include "net/exchange.h"
#include "yuloh/error.h"

static struct yl_exchange *exchange_of(const struct yl_http_request *);
static void respond(struct yl_http_request *, int status,
                    const struct yl_http_header *, size_t n_headers,
                    struct yl_str body, bool lent);
static enum yl_http_pull pull_rest(void *exchange, struct yl_buf *out);
static bool is_answered_here(struct yl_exchange *);

static const struct yl_http_source rest_source = { pull_rest };

struct yl_str
yl_http_header(const struct yl_http_request *request, struct yl_str name)
{
    for (size_t i = 0; i < request->n_headers; i++) {
        if (yl_str_equal(request->headers[i].name, name)) {
            return request->headers[i].value;
        }
    }
    return yl_str_null();
}

void
yl_http_read_body(struct yl_http_request *request)
{
    struct yl_exchange *x = exchange_of(request);

    assert(x->conn);
    if (x->wants_body || x->answer != YL_ANSWER_NONE) {
        return;
    }
    if (!yl_exchange_admit(x)) {
        yl_exchange_refuse(x);
        return;
    }
    x->wants_body = true;
    if (!x->in_request) {
        yl_list_push_back(&x->home->bodies, &x->due);
    }
}

int
yl_http_set_user(struct yl_http_request *request, struct yl_str user)
{
    struct yl_exchange *x = exchange_of(request);
    struct yl_conn *conn = x->conn;
    struct yl_share *share;
    const char *why;

    assert(conn && user.size);

    /* Most connections have one user, whose share is known. */
    if (yl_share_is_of(conn->charge.owner, user)) {
        share = yl_share_ref(conn->charge.owner);
    } else {
        share = yl_budget_user(conn->home->shared->budget, user);
        yl_charge_move(&conn->charge, yl_share_ref(share));
    }
    why = yl_charge_move(&x->charge, share);
    if (why && x->answer == YL_ANSWER_NONE) {
        yl_exchange_set_refusal(x, 429, why);
        return YL_ETHROTTLED;
    }
    return 0;
}

void
yl_http_respond(struct yl_http_request *request, int status,
                const struct yl_http_header *headers, size_t n_headers,
                struct yl_str body)
{
    respond(request, status, headers, n_headers, body, false);
}

void
yl_http_respond_lent(struct yl_http_request *request, int status,
                     const struct yl_http_header *headers, size_t n_headers,
                     struct yl_str body)
{
    respond(request, status, headers, n_headers, body, true);
}

void
yl_http_respond_source(struct yl_http_request *request, int status,
                       const struct yl_http_header *headers, size_t n_headers,
                       const struct yl_http_source *source, void *aux)
{
    struct yl_exchange *x = exchange_of(request);

    if (is_answered_here(x)) {
        return;
    }
    x->source = source;
    x->source_aux = aux;
    x->conn->protocol->respond(x, status, headers, n_headers, yl_str_null(),
                               true);
}

void
yl_http_set_tap(struct yl_http_request *request,
                const struct yl_http_tap *tap, void *aux)
{
    struct yl_exchange *x = exchange_of(request);

    assert(x->answer == YL_ANSWER_NONE);
    x->tap = tap;
    x->tap_aux = aux;
}

void
yl_http_resume(struct yl_http_request *request)
{
    struct yl_exchange *x = exchange_of(request);

    assert(x->conn);
    if (x->waiting) {
        x->waiting = false;
        x->conn->protocol->resume(x);
    }
}

int
yl_http_charge(struct yl_http_request *request, size_t n)
{
    struct yl_exchange *x = exchange_of(request);

    return yl_charge_add(&x->charge, n) ? YL_ETHROTTLED : 0;
}

void
yl_http_uncharge(struct yl_http_request *request, size_t n)
{
    yl_charge_drop(&exchange_of(request)->charge, n);
}

bool
yl_http_is_draining(const struct yl_http_request *request)
{
    return atomic_load(&exchange_of(request)->home->shared->draining);
}

static struct yl_exchange *
exchange_of(const struct yl_http_request *request)
{
    return YL_CONTAINER_OF(request, struct yl_exchange, request);
}

static void
respond(struct yl_http_request *request, int status,
        const struct yl_http_header *headers, size_t n_headers,
        struct yl_str body, bool lent)
{
    struct yl_exchange *x = exchange_of(request);

    if (is_answered_here(x)) {
        return;
    }
    if (x->tap) {
        x->rest = yl_exchange_keep(x, body, lent);
        x->source = &rest_source;
        x->source_aux = x;
        body = yl_str_null();
        lent = true;
    }
    x->conn->protocol->respond(x, status, headers, n_headers, body, lent);
}

/* The source of a whole answer that goes through a tap. */
static enum yl_http_pull
pull_rest(void *aux, struct yl_buf *out)
{
    struct yl_exchange *x = aux;

    yl_buf_append_str(out, x->rest);
    x->rest = yl_str_null();
    return YL_HTTP_END;
}

/* Whether the request is refused, so that no other answer is needed. */
static bool
is_answered_here(struct yl_exchange *x)
{
    if (x->refused) {
        return true;
    }
    assert(x->conn && x->answer == YL_ANSWER_NONE);
    if (!yl_exchange_admit(x)) {
        yl_exchange_refuse(x);
        return true;
    }
    return false;
}
