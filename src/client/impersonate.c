/* Headers for impersonation.  See client/impersonate.h. */

#include "client/impersonate.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "net/http.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

static bool is_value(const char *);
static struct yl_str extra_name(struct yl_arena *, const char *key);

int
yl_impersonate_headers(struct yl_arena *arena,
                       const struct yl_client_impersonation *impersonate,
                       struct yl_http_header **ret_headers, size_t *ret_n,
                       struct yl_error *err)
{
    struct yl_http_header *headers;
    size_t n = 2 + impersonate->n_groups, i, j;

    if (!impersonate->user || !*impersonate->user) {
        *ret_headers = NULL;
        *ret_n = 0;
        return 0;
    }
    for (i = 0; i < impersonate->n_extras; i++) {
        n += impersonate->extras[i].n_values;
    }
    headers = yl_arena_array(arena, n, sizeof *headers);
    n = 0;
    headers[n++] = (struct yl_http_header) {
        YL_STR("impersonate-user"), yl_str_c(impersonate->user) };
    if (impersonate->uid && *impersonate->uid) {
        headers[n++] = (struct yl_http_header) {
            YL_STR("impersonate-uid"), yl_str_c(impersonate->uid) };
    }
    for (i = 0; i < impersonate->n_groups; i++) {
        headers[n++] = (struct yl_http_header) {
            YL_STR("impersonate-group"), yl_str_c(impersonate->groups[i]) };
    }
    for (i = 0; i < impersonate->n_extras; i++) {
        const struct yl_client_extra *extra = &impersonate->extras[i];

        for (j = 0; j < extra->n_values; j++) {
            headers[n++] = (struct yl_http_header) {
                extra_name(arena, extra->key), yl_str_c(extra->values[j]) };
        }
    }
    for (i = 0; i < n; i++) {
        if (!is_value(headers[i].value.data)) {
            return yl_error_set(err, YL_EINVALID,
                                "%.*s has characters that an HTTP header "
                                "cannot have", YL_STR_ARG(headers[i].name));
        }
        headers[i].value = yl_arena_copy(arena, headers[i].value);
    }
    *ret_headers = headers;
    *ret_n = n;
    return 0;
}

static bool
is_value(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char) *text < ' ' || *text == 0x7f) {
            return false;
        }
    }
    return true;
}

/* Names of headers are in lower case here, and servers read them so. */
static struct yl_str
extra_name(struct yl_arena *arena, const char *key)
{
    struct yl_buf name;
    struct yl_str copy;

    yl_buf_init(&name, SIZE_MAX);
    yl_buf_append_c(&name, "impersonate-extra-");
    for (; *key; key++) {
        unsigned char byte = (unsigned char) *key;

        if (byte < 0x80 && (isalnum(byte) || strchr("!#$&'*+-.^_`|~", byte))) {
            yl_buf_append_char(&name, (char) tolower(byte));
        } else {
            yl_buf_printf(&name, "%%%02X", byte);
        }
    }
    copy = yl_arena_copy(arena, yl_buf_str(&name));
    yl_buf_release(&name);
    return copy;
}
