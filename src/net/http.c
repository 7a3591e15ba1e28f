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

    x->source = source;
    x->source_aux = aux;
    respond(request, status, headers, n_headers, yl_str_null(), true);
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
    return yl_exchange_charge(exchange_of(request), n) ? 0 : YL_ETHROTTLED;
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

    assert(x->conn && x->answer == YL_ANSWER_NONE);
    x->conn->protocol->respond(x, status, headers, n_headers, body, lent);
}
