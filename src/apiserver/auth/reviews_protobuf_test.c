/* Tests of reviews in protobuf. */

#include "apiserver/auth/reviews_protobuf.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/api/authentication_v1.h"
#include "yuloh/api/authorization_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* A message of upstream's says what its JSON says. */
static void
is_same(const char *name, const struct yl_kind *kind)
{
    static const char *const parts[] = { "spec", "status" };
    struct yl_arena *arena = yl_arena_new();
    char *path = yl_arena_printf(arena, "wire/%s.v1.%s", kind->set->group,
                                 name);
    struct yl_node *want, *have;
    struct yl_error err = YL_ERROR_INIT;
    size_t n_pb, n_json, i;
    char *pb = read_file(truth_path(yl_arena_printf(arena, "%s.pb", path)),
                         &n_pb);
    char *json = read_file(truth_path(yl_arena_printf(arena, "%s.json",
                                                      path)), &n_json);

    if (yl_review_read_protobuf(arena, kind, yl_str_n(pb, n_pb), &have, &err)
        < 0) {
        fail_msg("%s: %s", name, yl_error_message(&err));
    }
    assert_int_equal(yl_tree_parse(arena, yl_str_n(json, n_json), NULL,
                                   &want, NULL), 0);
    for (i = 0; i < YL_ARRAY_SIZE(parts); i++) {
        struct yl_node *a = yl_node_get(have, yl_str_c(parts[i]));
        struct yl_node *b = yl_node_get(want, yl_str_c(parts[i]));

        if (!a != !b || (a && !yl_node_equal(a, b))) {
            fail_msg("%s: %s differs", name, parts[i]);
        }
    }
    free(pb);
    free(json);
    yl_arena_free(arena);
}

TEST(what_upstream_writes_is_read)
{
    is_same("SelfSubjectAccessReview",
            &authorization_v1_self_subject_access_review_kind);
    is_same("SubjectAccessReview",
            &authorization_v1_subject_access_review_kind);
    is_same("LocalSubjectAccessReview",
            &authorization_v1_local_subject_access_review_kind);
    is_same("SelfSubjectRulesReview",
            &authorization_v1_self_subject_rules_review_kind);
    is_same("SelfSubjectReview",
            &authentication_v1_self_subject_review_kind);
    is_same("TokenReview", &authentication_v1_token_review_kind);
}

TEST(no_bytes_do_harm)
{
    const struct yl_kind *kind = &authorization_v1_subject_access_review_kind;
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;
    size_t n, i, bit;
    char *pb = read_file(truth_path("wire/authorization.k8s.io.v1."
                                    "SubjectAccessReview.pb"), &n);

    for (i = 0; i < n; i++) {
        yl_review_read_protobuf(arena, kind, yl_str_n(pb, i), &root, NULL);
        for (bit = 0; bit < 8; bit++) {
            pb[i] ^= (char) (1 << bit);
            yl_review_read_protobuf(arena, kind, yl_str_n(pb, n), &root,
                                    NULL);
            pb[i] ^= (char) (1 << bit);
        }
        yl_arena_clear(arena);
    }
    free(pb);
    yl_arena_free(arena);
}

TEST(what_is_no_review_is_refused)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        { "{}", 2, "is not a protobuf message" },
        { "k8s\0\x0a", 5, "is not a protobuf message" },
        { "k8s\0\x0f", 5, "is not a protobuf message" },
        { "k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod", 15, "a Pod of v1, not a" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_node *root;

        assert_int_equal(yl_review_read_protobuf(
                             arena,
                             &authorization_v1_subject_access_review_kind,
                             yl_str_n(cases[i].bytes, cases[i].size), &root,
                             &err), YL_EBADREQUEST);
        assert_non_null(strstr(yl_error_message(&err), cases[i].message));
        yl_error_clear(&err);
    }
    assert_true(yl_review_is_protobuf(
        YL_STR("application/vnd.kubernetes.protobuf ; x=y")));
    assert_false(yl_review_is_protobuf(YL_STR("application/json")));
    yl_arena_free(arena);
}
