/* Fuzzes proxies.  Input: a proxy's URL up to the first NUL, and then the
 * bytes that the proxy sends.
 *
 * A URL must be read or refused; what was read must fit into what SOCKS can
 * send.  However the bytes of the proxy are cut, the result, its words and
 * what is sent must be the same. */

#include "fuzz.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "net/proxy.h"
#include "yuloh/error.h"

/* A buffer's ceiling: more than any input. */
#define PLENTY ((size_t) 64 << 20)

static int talk_to(const struct yl_proxy *, struct yl_str bytes, size_t cut,
                   struct yl_buf *out, struct yl_error *err);
static void check_talk(const struct yl_proxy *, struct yl_str bytes);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const urls[] = {
        "http://p", "https://u:p@p", "socks5://p", "socks5h://u:p@p"
    };
    struct yl_str input = yl_str_n((const char *) data, size);
    const char *end = yl_str_find_char(input, '\0');
    size_t length = end ? (size_t) (end - input.data) : size;
    struct yl_str bytes = yl_str_skip(input, end ? length + 1 : size);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_proxy proxy;
    char *url = yl_strdup(yl_str_n(input.data, length));
    int r;

    r = yl_proxy_parse(url, &proxy, &err);
    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    free(url);
    if (r == 0) {
        CHECK(*proxy.host && strlen(proxy.host) <= 255 && proxy.port);
        CHECK(!proxy.user == !proxy.password);
        CHECK(!proxy.user || (strlen(proxy.user) <= 255
                              && strlen(proxy.password) <= 255));
        check_talk(&proxy, bytes);
        yl_proxy_release(&proxy);
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(urls); i++) {
        CHECK(yl_proxy_parse(urls[i], &proxy, NULL) == 0);
        check_talk(&proxy, bytes);
        yl_proxy_release(&proxy);
    }
    return 0;
}

static void
check_talk(const struct yl_proxy *proxy, struct yl_str bytes)
{
    static const size_t cuts[] = { 1, 3, 7 };
    struct yl_error whole_err = YL_ERROR_INIT;
    struct yl_buf whole_out;
    int whole;

    yl_buf_init(&whole_out, PLENTY);
    whole = talk_to(proxy, bytes, SIZE_MAX, &whole_out, &whole_err);
    CHECK(whole <= 1 && (whole >= 0 || whole == whole_err.code));
    for (size_t i = 0; i < YL_ARRAY_SIZE(cuts); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_buf out;
        int r;

        yl_buf_init(&out, PLENTY);
        r = talk_to(proxy, bytes, cuts[i], &out, &err);

        /* Bytes after the answer are found only if they come with it. */
        if (whole >= 0
            || !strstr(yl_error_message(&whole_err), "more than its answer")) {
            CHECK(r == whole);
            CHECK(yl_str_equal(yl_buf_str(&out), yl_buf_str(&whole_out)));
            CHECK(strcmp(yl_error_message(&err), yl_error_message(&whole_err))
                  == 0);
        }
        yl_error_clear(&err);
        yl_buf_release(&out);
    }
    yl_error_clear(&whole_err);
    yl_buf_release(&whole_out);
}

static int
talk_to(const struct yl_proxy *proxy, struct yl_str bytes, size_t cut,
        struct yl_buf *out, struct yl_error *err)
{
    struct yl_proxy_talk talk;
    int r;

    yl_proxy_talk_init(&talk, proxy, "example.com", 443);
    r = yl_proxy_begin(&talk, out, err);
    while (r == 0 && bytes.size) {
        size_t n = bytes.size < cut ? bytes.size : cut;

        r = yl_proxy_receive(&talk, yl_str_n(bytes.data, n), out, err);
        bytes = yl_str_skip(bytes, n);
    }
    yl_proxy_talk_release(&talk);
    return r;
}
