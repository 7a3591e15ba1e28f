/* Tests of names that the resolver takes its time for. */

#include "net/resolve.h"

#include <dlfcn.h>
#include <netdb.h>
#include <sched.h>
#include <unistd.h>

#include "base/thread.h"
#include "unit.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"

static struct yl_mutex slow = YL_MUTEX_INIT;    /* Held: no answer. */

/* "slow.test" is answered when 'slow' is free; all others are as they are. */
int
getaddrinfo(const char *name, const char *service,
            const struct addrinfo *hints, struct addrinfo **ret)
{
    int (*real)(const char *, const char *, const struct addrinfo *,
                struct addrinfo **);

    *(void **) &real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (name && strcmp(name, "slow.test") == 0) {
        yl_mutex_lock(&slow);
        yl_mutex_unlock(&slow);
        name = "127.0.0.1";
    }
    return real(name, service, hints, ret);
}

static void
await_end(void)
{
    while (yl_resolve_n_running()) {
        sched_yield();
    }
}

TEST(a_slow_resolver_is_not_waited_for_longer_than_asked)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_address found[YL_DIAL_MAX];
    struct yl_error err = YL_ERROR_INIT;
    size_t n = 0;
    int fd = -1;

    yl_mutex_lock(&slow);
    assert_int_equal(yl_dial("slow.test", 80, yl_now(NULL) + 2, NULL, &fd,
                             &err), YL_ETIMEOUT);
    assert_string_equal(yl_error_message(&err),
                        "cannot resolve \"slow.test\": timed out");
    yl_cancel_now(cancel);
    assert_int_equal(yl_dial("slow.test", 80, YL_NEVER, cancel, &fd, NULL),
                     YL_ECANCELED);
    assert_int_equal(fd, -1);
    assert_int_equal(yl_resolve_n_running(), 2);
    yl_mutex_unlock(&slow);
    await_end();

    assert_int_equal(yl_resolve("slow.test", 80, YL_NEVER, cancel, found, &n,
                                NULL), YL_ECANCELED);
    assert_int_equal(yl_resolve("slow.test", 80, YL_NEVER, NULL, found, &n,
                                NULL), 0);
    assert_int_equal(n, 1);
    await_end();
    yl_error_clear(&err);
    yl_cancel_unref(cancel);
}

TEST(there_is_a_limit_to_what_is_left_behind)
{
    struct yl_address found[YL_DIAL_MAX];
    struct yl_error err = YL_ERROR_INIT;
    size_t n;

    yl_mutex_lock(&slow);
    for (int i = 0; i < YL_RESOLVE_MAX; i++) {
        assert_int_equal(yl_resolve("slow.test", 80, 0, NULL, found, &n,
                                    NULL), YL_ETIMEOUT);
    }
    assert_int_equal(yl_resolve("slow.test", 80, YL_NEVER, NULL, found, &n,
                                &err), YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "64 other questions"));
    yl_mutex_unlock(&slow);
    await_end();
    yl_error_clear(&err);
}

TEST(a_name_that_does_not_exist_is_the_same_error)
{
    struct yl_address found[YL_DIAL_MAX];
    struct yl_error err = YL_ERROR_INIT;
    size_t n;

    /* A label of 64 characters cannot exist, so that no server is asked. */
    assert_int_equal(yl_resolve(
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.x",
        80, YL_NEVER, NULL, found, &n, &err), YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "cannot resolve \"aaa"));
    await_end();
    yl_error_clear(&err);
}
