/* Tests of impersonation: headers, rights, refusals. */

#include "apiserver/auth/impersonate.h"

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "net/http.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

/* Headers as "name: value" lines, in lower case. */
static int
parse(struct yl_arena *arena, const char *const *lines,
      const struct yl_user **ret_wanted, struct yl_status *status)
{
    struct yl_http_header *headers = yl_arena_array(arena, 64,
                                                    sizeof *headers);
    struct yl_http_request *http = yl_arena_zalloc(arena, sizeof *http);

    for (; *lines; lines++) {
        struct yl_http_header *header = &headers[http->n_headers++];

        assert_true(yl_str_cut(yl_str_c(*lines), ':', &header->name,
                               &header->value));
        header->value = yl_str_trim(header->value);
    }
    http->headers = headers;
    return yl_impersonate_parse(http, arena, ret_wanted, status);
}

TEST(headers_name_a_user)
{
    static const char *const lines[] = {
        "accept: x", "impersonate-user: alice", "impersonate-uid: u-1",
        "impersonate-group: b", "impersonate-extra-scopes: view",
        "impersonate-extra-acme.com%2fproject: p1", "impersonate-group: a",
        "impersonate-extra-scopes: edit", "impersonate-extra-odd%2: x",
        "impersonate-extra-bad%zz: x", NULL,
    };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_user *wanted;

    assert_int_equal(parse(arena, lines, &wanted, NULL), 0);
    assert_str_equal(wanted->name, "alice");
    assert_str_equal(wanted->uid, "u-1");
    assert_int_equal(wanted->n_groups, 2);
    assert_str_equal(wanted->groups[0], "b");
    assert_int_equal(wanted->n_extra, 4);
    assert_str_equal(wanted->extra[0].key, "acme.com/project");
    assert_str_equal(wanted->extra[1].key, "bad%zz");
    assert_str_equal(wanted->extra[2].key, "odd%2");
    assert_str_equal(wanted->extra[3].key, "scopes");
    assert_int_equal(wanted->extra[3].n_values, 2);
    assert_str_equal(wanted->extra[3].values[0], "view");
    assert_str_equal(wanted->extra[3].values[1], "edit");
    yl_arena_free(arena);
}

TEST(users_outlive_their_headers)
{
    char user[] = "alice", group[] = "dev", key[] = "impersonate-extra-k",
         value[] = "v";
    struct yl_http_header headers[] = {
        { YL_STR("impersonate-user"), yl_str_c(user) },
        { YL_STR("impersonate-group"), yl_str_c(group) },
        { yl_str_c(key), yl_str_c(value) },
    };
    struct yl_http_request http = { .headers = headers, .n_headers = 3 };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_user *wanted;

    assert_int_equal(yl_impersonate_parse(&http, arena, &wanted, NULL), 0);
    memset(user, 'x', sizeof user - 1);
    memset(group, 'x', sizeof group - 1);
    memset(key, 'x', sizeof key - 1);
    memset(value, 'x', sizeof value - 1);
    assert_str_equal(wanted->name, "alice");
    assert_str_equal(wanted->groups[0], "dev");
    assert_str_equal(wanted->extra[0].key, "k");
    assert_str_equal(wanted->extra[0].values[0], "v");
    yl_arena_free(arena);
}

TEST(no_headers_name_nobody)
{
    static const char *const none[] = { "accept: x", NULL };
    static const char *const empty[] = { "impersonate-user: ", NULL };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_user *wanted;

    assert_int_equal(parse(arena, none, &wanted, NULL), 0);
    assert_null(wanted);
    assert_int_equal(parse(arena, empty, &wanted, NULL), 0);
    assert_null(wanted);
    yl_arena_free(arena);
}

TEST(a_user_must_be_named)
{
    static const struct {
        const char *lines[3];
        const char *message;
    } cases[] = {
        { { "impersonate-user:", "impersonate-group: g1" },
          "requested &user.DefaultInfo{Name:\"\", UID:\"\", "
          "Groups:[]string{\"g1\"}, Extra:map[string][]string(nil)} without "
          "impersonating a user name" },
        { { "impersonate-uid: x" },
          "requested &user.DefaultInfo{Name:\"\", UID:\"x\", "
          "Groups:[]string(nil), Extra:map[string][]string(nil)} without "
          "impersonating a user name" },
        { { "impersonate-extra-scopes: x", "impersonate-extra-a: y" },
          "requested &user.DefaultInfo{Name:\"\", UID:\"\", "
          "Groups:[]string(nil), Extra:map[string][]string{"
          "\"a\":[]string{\"y\"}, \"scopes\":[]string{\"x\"}}} without "
          "impersonating a user name" },
    };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_user *wanted;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_status status = YL_STATUS_INIT;

        assert_int_equal(parse(arena, cases[i].lines, &wanted, &status),
                         YL_EBADREQUEST);
        assert_string_equal(yl_error_message(&status.error),
                            cases[i].message);
        yl_status_clear(&status);
    }
    yl_arena_free(arena);
}

/* Allows what stands in a list of "VERB RESOURCE[/SUB] [NAME]"; '*' alone
 * allows everything. */
static bool
by_list(void *aux, const struct yl_attributes *a, struct yl_arena *arena,
        struct yl_str *ret_reason)
{
    const char *const *all = aux;
    char *text = yl_arena_printf(
        arena, "%.*s %.*s%s%.*s %.*s", YL_STR_ARG(a->verb),
        YL_STR_ARG(a->resource), a->subresource.size ? "/" : "",
        YL_STR_ARG(a->subresource), YL_STR_ARG(a->name));

    if (ret_reason) {
        *ret_reason = YL_STR("");
    }
    for (; *all; all++) {
        if (!strcmp(*all, "*") || !strcmp(*all, text)) {
            return true;
        }
    }
    return false;
}

struct attempt {
    const char *allowed[8];
    const char *lines[8];       /* Headers. */
    const char *groups;         /* Joined by commas; NULL: refused. */
    const char *rest;           /* The constraint, or the message. */
    const char *asker;          /* ["bob"] */
};

static void
try(const struct attempt *attempt)
{
    static const struct yl_str node = YL_STR_INIT("n1");
    static const struct yl_user_extra extra = {
        YL_STR_INIT("authentication.kubernetes.io/node-name"), &node, 1
    };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_user asker = {
        .name = yl_str_c(attempt->asker ? attempt->asker : "bob"),
        .extra = &extra, .n_extra = attempt->asker ? 1 : 0,
    };
    const struct yl_attributes attributes = {
        .user = &asker, .verb = YL_STR("list"), .is_resource = true,
        .resource = YL_STR("pods"), .namespace_ = YL_STR("d"),
    };
    struct yl_status status = YL_STATUS_INIT;
    const struct yl_user *wanted, *user;
    struct yl_str constraint;
    struct yl_buf groups;
    size_t i;
    int r;

    assert_int_equal(parse(arena, attempt->lines, &wanted, NULL), 0);
    r = yl_impersonate_check(by_list, (void *) attempt->allowed, &attributes,
                             wanted, arena, &user, &constraint, &status);
    if (!attempt->groups) {
        assert_int_equal(r, YL_EFORBIDDEN);
        assert_string_equal(yl_error_message(&status.error), attempt->rest);
        yl_status_clear(&status);
        yl_arena_free(arena);
        return;
    }
    assert_int_equal(r, 0);
    assert_int_equal(status.error.code, 0);
    yl_buf_init(&groups, 4096);
    for (i = 0; i < user->n_groups; i++) {
        yl_buf_append_c(&groups, i ? "," : "");
        yl_buf_append_str(&groups, user->groups[i]);
    }
    assert_string_equal(yl_buf_c_str(&groups), attempt->groups);
    assert_str_equal(constraint, attempt->rest);
    yl_buf_release(&groups);
    yl_arena_free(arena);
}

TEST(legacy_rights_are_for_each_part)
{
    static const struct attempt attempts[] = {
        { { "*" }, { "impersonate-user: alice" }, "system:authenticated", "",
          NULL },
        { { "*" }, { "impersonate-user: alice", "impersonate-group: g" },
          "g,system:authenticated", "", NULL },
        { { "*" }, { "impersonate-user: alice",
                     "impersonate-group: system:unauthenticated" },
          "system:unauthenticated", "", NULL },
        { { "*" }, { "impersonate-user: system:anonymous" },
          "system:unauthenticated", "", NULL },
        { { "*" }, { "impersonate-user: system:serviceaccount:ns1:sa1" },
          "system:serviceaccounts,system:serviceaccounts:ns1,"
          "system:authenticated", "", NULL },
        { { "*" }, { "impersonate-user: system:serviceaccount:ns1:sa1",
                     "impersonate-group: g" },
          "g,system:authenticated", "", NULL },
        { { "*" }, { "impersonate-user: system:serviceaccount:NS_1:sa" },
          "system:authenticated", "", NULL },
        { { "*" }, { "impersonate-user: system:node:n1" },
          "system:authenticated", "", NULL },
        { { "*" }, { "impersonate-user: a",
                     "impersonate-group: system:masters" },
          "system:masters,system:authenticated", "", NULL },
        { { "impersonate users a", "impersonate groups g",
            "impersonate uids 1", "impersonate userextras/scopes v" },
          { "impersonate-user: a", "impersonate-group: g",
            "impersonate-uid: 1", "impersonate-extra-scopes: v" },
          "g,system:authenticated", "", NULL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(attempts); i++) {
        try(&attempts[i]);
    }
}

TEST(modes_are_narrower)
{
    static const struct attempt attempts[] = {
        { { "impersonate-on:user-info:list pods ",
            "impersonate:user-info users a", "impersonate:user-info groups g",
            "impersonate:user-info userextras/a.b/c v" },
          { "impersonate-user: a", "impersonate-group: g",
            "impersonate-extra-a.b%2fc: v" },
          "g,system:authenticated", "impersonate:user-info", NULL },
        { { "impersonate-on:user-info:list pods ",
            "impersonate:user-info users a", "impersonate:user-info groups *",
            "impersonate:user-info userextras/* *" },
          { "impersonate-user: a", "impersonate-group: g",
            "impersonate-group: h", "impersonate-group: i",
            "impersonate-group: j" },
          "g,h,i,j,system:authenticated", "impersonate:user-info", NULL },
        { { "impersonate-on:arbitrary-node:list pods ",
            "impersonate:arbitrary-node nodes n1" },
          { "impersonate-user: system:node:n1" },
          "system:nodes,system:authenticated", "impersonate:arbitrary-node",
          NULL },
        { { "impersonate-on:associated-node:list pods ",
            "impersonate:associated-node nodes *" },
          { "impersonate-user: system:node:n1" },
          "system:nodes,system:authenticated", "impersonate:associated-node",
          "system:serviceaccount:a:b" },
        { { "impersonate-on:serviceaccount:list pods ",
            "impersonate:serviceaccount serviceaccounts sa1" },
          { "impersonate-user: system:serviceaccount:ns1:sa1" },
          "system:serviceaccounts,system:serviceaccounts:ns1,"
          "system:authenticated", "impersonate:serviceaccount", NULL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(attempts); i++) {
        try(&attempts[i]);
    }
}

TEST(refusals_say_what_is_missing)
{
#define MAY "impersonate-on:user-info:list pods ", \
            "impersonate:user-info users a"
    static const struct attempt attempts[] = {
        { { NULL }, { "impersonate-user: a" }, NULL,
          "pods is forbidden: User \"bob\" cannot "
          "impersonate-on:user-info:list resource \"pods\" in API group "
          "\"\" in the namespace \"d\"", NULL },
        { { "impersonate-on:user-info:list pods " },
          { "impersonate-user: a" }, NULL,
          "users.authentication.k8s.io \"a\" is forbidden: User \"bob\" "
          "cannot impersonate:user-info resource \"users\" in API group "
          "\"authentication.k8s.io\" at the cluster scope", NULL },
        { { MAY }, { "impersonate-user: a", "impersonate-group:" }, NULL,
          "groups.authentication.k8s.io is forbidden: User \"bob\" cannot "
          "impersonate:user-info resource \"groups\" in API group "
          "\"authentication.k8s.io\" at the cluster scope: impersonating "
          "the empty string group is not allowed", NULL },
        { { MAY },
          { "impersonate-user: a", "impersonate-group: system:masters" },
          NULL,
          "groups.authentication.k8s.io \"system:masters\" is forbidden: "
          "User \"bob\" cannot impersonate:user-info resource \"groups\" in "
          "API group \"authentication.k8s.io\" at the cluster scope: "
          "impersonating the system:masters group is not allowed", NULL },
        { { MAY }, { "impersonate-user: a", "impersonate-extra-scopes: v" },
          NULL,
          "userextras.authentication.k8s.io is forbidden: User \"bob\" "
          "cannot impersonate:user-info resource \"userextras\" in API "
          "group \"authentication.k8s.io\" at the cluster scope: "
          "impersonating an invalid key in extra is not allowed: extra.key: "
          "Invalid value: \"scopes\": must be a domain-prefixed path (such "
          "as \"acme.io/foo\")", NULL },
        { { MAY }, { "impersonate-user: a", "impersonate-extra-a%2fb:" },
          NULL,
          "userextras.authentication.k8s.io is forbidden: User \"bob\" "
          "cannot impersonate:user-info resource \"userextras\" in API "
          "group \"authentication.k8s.io\" at the cluster scope: "
          "impersonating the empty string value in extra is not allowed",
          NULL },
        { { MAY }, { "impersonate-user: a", "impersonate-uid: 1" }, NULL,
          "uids.authentication.k8s.io \"1\" is forbidden: User \"bob\" "
          "cannot impersonate:user-info resource \"uids\" in API group "
          "\"authentication.k8s.io\" at the cluster scope", NULL },
        { { NULL }, { "impersonate-user: system:node:n1",
                      "impersonate-group: g" }, NULL,
          "users \"system:node:n1\" is forbidden: User \"bob\" cannot "
          "impersonate resource \"users\" in API group \"\" at the cluster "
          "scope", NULL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(attempts); i++) {
        try(&attempts[i]);
    }
}
