/* Tests of authentication: certificates, tokens, nobody. */

#include "apiserver/auth/authenticate.h"

#include <unistd.h>

#include "apiserver/auth/user.h"
#include "net/http.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct fixture {
    struct yl_arena *arena;
    struct yl_authenticator *authenticator;
};

static void
fixture_init(struct fixture *f)
{
    static const char text[] = "secret,admin,uid,\"system:masters\"\n"
                               "anon,system:anonymous,,\n"
                               "done,x,,\"system:authenticated\"\n";
    char path[] = "/tmp/yuloh-tokens-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    f->arena = yl_arena_new();
    assert_int_equal(yl_authenticator_new(&(struct yl_authenticator_opts) {
                         .token_file = path }, &f->authenticator, NULL), 0);
    unlink(path);
}

static void
fixture_release(struct fixture *f)
{
    yl_authenticator_free(f->authenticator);
    yl_arena_free(f->arena);
}

/* Who sends this header; NULL for nobody who is let in. */
static const struct yl_user *
who(struct fixture *f, const char *header, const struct yl_http_peer *peer,
    const char **ret_warning)
{
    const struct yl_http_header headers[] = {
        { YL_STR("authorization"), yl_str_c(header) },
    };
    const struct yl_http_request request = {
        .headers = headers, .n_headers = header ? 1 : 0, .peer = peer,
    };
    const struct yl_user *user = NULL;
    const char *warning;
    int r = yl_authenticate(f->authenticator, f->arena, &request, &user,
                            &warning);

    if (ret_warning) {
        *ret_warning = warning;
    } else {
        assert_null(warning);
    }
    assert_true(r == 0 || r == YL_EUNAUTHORIZED);
    return r == 0 ? user : NULL;
}

TEST(a_token_is_its_user)
{
    struct fixture f;
    const struct yl_user *user;

    fixture_init(&f);
    user = who(&f, "Bearer secret", NULL, NULL);
    assert_str_equal(user->name, "admin");
    assert_str_equal(user->uid, "uid");
    assert_int_equal(user->n_groups, 2);
    assert_str_equal(user->groups[0], "system:masters");
    assert_str_equal(user->groups[1], "system:authenticated");
    assert_str_equal(who(&f, "bEARER secret x y", NULL, NULL)->name, "admin");
    assert_int_equal(who(&f, "Bearer anon", NULL, NULL)->n_groups, 1);
    assert_int_equal(who(&f, "Bearer done", NULL, NULL)->n_groups, 1);
    fixture_release(&f);
}

TEST(an_unknown_token_is_refused)
{
    struct fixture f;

    fixture_init(&f);
    assert_null(who(&f, "Bearer wrong", NULL, NULL));
    assert_null(who(&f, "Bearer a.b.c", NULL, NULL));
    fixture_release(&f);
}

TEST(no_token_is_anonymous)
{
    static const char *const headers[] = {
        NULL, "", "Bearer", "Bearer ", "Basic YTpi", "Token x", "secret",
    };
    struct fixture f;
    const char *warning;
    size_t i;

    fixture_init(&f);
    for (i = 0; i < YL_ARRAY_SIZE(headers); i++) {
        const struct yl_user *user = who(&f, headers[i], NULL, NULL);

        assert_str_equal(user->name, "system:anonymous");
        assert_int_equal(user->n_groups, 1);
        assert_str_equal(user->groups[0], "system:unauthenticated");
    }
    assert_str_equal(who(&f, "Bearer  two-spaces", NULL, &warning)->name,
                     "system:anonymous");
    assert_string_equal(warning, "the provided Authorization header contains "
                        "extra space before the bearer token, and is "
                        "ignored");
    fixture_release(&f);
}

TEST(a_certificate_that_does_not_count_is_refused)
{
    const struct yl_http_peer peer = { .tls = true, .refused = "expired" };
    const struct yl_http_peer nameless = { .tls = true };
    struct fixture f;

    fixture_init(&f);
    assert_null(who(&f, NULL, &peer, NULL));
    assert_null(who(&f, "Basic YTpi", &peer, NULL));
    assert_null(who(&f, "Bearer wrong", &peer, NULL));
    assert_str_equal(who(&f, "Bearer secret", &peer, NULL)->name, "admin");
    assert_str_equal(who(&f, NULL, &nameless, NULL)->name,
                     "system:anonymous");
    fixture_release(&f);
}

TEST(a_certificate_comes_first)
{
    static const struct yl_str groups[] = { YL_STR_INIT("ops"),
                                            YL_STR_INIT("dev") };
    const struct yl_http_peer peer = {
        .tls = true, .common_name = YL_STR("bob"), .organizations = groups,
        .n_organizations = 2, .fingerprint = YL_STR("ab12"),
    };
    const struct yl_http_peer nameless = { .tls = true };
    struct fixture f;
    const struct yl_user *user;

    fixture_init(&f);
    user = who(&f, "Bearer wrong", &peer, NULL);
    assert_str_equal(user->name, "bob");
    assert_int_equal(user->n_groups, 3);
    assert_str_equal(user->groups[1], "dev");
    assert_str_equal(user->groups[2], "system:authenticated");
    assert_int_equal(user->n_extra, 1);
    assert_str_equal(user->extra[0].key,
                     "authentication.kubernetes.io/credential-id");
    assert_str_equal(user->extra[0].values[0], "X509SHA256=ab12");
    assert_str_equal(who(&f, "Bearer secret", &nameless, NULL)->name,
                     "admin");
    fixture_release(&f);
}

TEST(without_a_file_no_token_is_known)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_authenticator *authenticator;
    struct yl_token_answer answer;

    assert_int_equal(yl_authenticator_new(&(struct yl_authenticator_opts) {
                         .token_file = NULL }, &authenticator, NULL), 0);
    assert_int_equal(yl_authenticate_token(authenticator, arena, YL_STR("x"),
                                           NULL, 0, &answer, NULL),
                     YL_EUNAUTHORIZED);
    yl_authenticator_free(authenticator);
    yl_authenticator_free(NULL);
    yl_arena_free(arena);
    assert_int_equal(yl_authenticator_new(&(struct yl_authenticator_opts) {
                         .token_file = "/none" }, &authenticator, NULL),
                     YL_ENOTFOUND);
}

TEST(users_outlive_their_connection)
{
    char name[] = "alice", group[] = "dev";
    const struct yl_str groups[] = { YL_STR_INIT(""), yl_str_c(group) };
    struct yl_http_peer peer = {
        .common_name = yl_str_c(name), .organizations = groups,
        .n_organizations = 2, .fingerprint = YL_STR("ab"),
    };
    const struct yl_user *user;
    struct fixture f;

    fixture_init(&f);
    user = who(&f, NULL, &peer, NULL);
    memset(name, 'x', sizeof name - 1);
    memset(group, 'x', sizeof group - 1);
    assert_str_equal(user->name, "alice");
    assert_true(yl_user_in_group(user, YL_STR("dev")));
    fixture_release(&f);
}
