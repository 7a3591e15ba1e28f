/* Tests of restoring, with upstream's results and words. */

#include "schema/restore.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_arena *arena;

/* What becomes of a Pod, or the sentence. */
static const char *
restore(const struct yl_kind *kind, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    struct yl_buf buf;
    const char *result;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    if (yl_restore(arena, yl_kind_type(kind), root, &err) < 0) {
        assert_int_equal(err.code, YL_EBADREQUEST);
        result = yl_arena_strdup(arena, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return result;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, root);
    result = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return result;
}

static const char *
pod(const char *text)
{
    return restore(&core_v1_pod_kind, text);
}

TEST(what_is_right_stays)
{
    static const char text[] =
        "{\"kind\":\"Pod\",\"metadata\":{\"labels\":{\"a\":\"b\"},\"uid\":null"
        "},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\""
        ":{\"cpu\":\"1\"}},\"livenessProbe\":{\"httpGet\":{\"port\":80}}},"
        "null],\"priority\":5},\"other\":[1.5]}";

    arena = yl_arena_new();
    assert_string_equal(pod(text), text);
    yl_arena_free(arena);
}

TEST(numbers_are_converted)
{
    arena = yl_arena_new();
    assert_string_equal(pod("{\"spec\":{\"priority\":1e3}}"),
                        "{\"spec\":{\"priority\":1000}}");
    assert_string_equal(pod("{\"spec\":{\"priority\":99999999999}}"),
                        "{\"spec\":{\"priority\":1215752191}}");
    assert_string_equal(pod("{\"spec\":{\"priority\":9223372036854775808}}"),
                        "{\"spec\":{\"priority\":0}}");
    assert_string_equal(
        pod("{\"spec\":{\"activeDeadlineSeconds\":9223372036854775808}}"),
        "{\"spec\":{\"activeDeadlineSeconds\":-9223372036854775808}}");
    assert_string_equal(pod("{\"spec\":{\"priority\":1.5}}"),
                        "cannot convert float64 to int32");
    assert_string_equal(pod("{\"spec\":{\"activeDeadlineSeconds\":1.5}}"),
                        "cannot convert float64 to int64");
    yl_arena_free(arena);
}

TEST(wrong_types_are_told)
{
    static const char *const cases[][2] = {
        { "[]", "cannot restore struct from: slice" },
        { "{\"kind\":1}", "cannot convert int64 to string" },
        { "{\"apiVersion\":true}", "unrecognized type: string" },
        { "{\"spec\":true}", "cannot restore struct from: bool" },
        { "{\"spec\":{\"containers\":1.5}}",
          "cannot restore slice from float64" },
        { "{\"spec\":{\"containers\":[2]}}",
          "cannot restore struct from: int64" },
        { "{\"spec\":{\"nodeSelector\":\"x\"}}",
          "cannot restore map from string" },
        { "{\"spec\":{\"nodeName\":1}}", "cannot convert int64 to string" },
        { "{\"spec\":{\"restartPolicy\":1}}",
          "cannot convert int64 to v1.RestartPolicy" },
        { "{\"spec\":{\"restartPolicy\":1.5}}", "unrecognized type: string" },
        { "{\"spec\":{\"hostNetwork\":1}}", "unrecognized type: bool" },
        { "{\"spec\":{\"priority\":\"1\"}}", "unrecognized type: int32" },
        { "{\"metadata\":{\"creationTimestamp\":1}}",
          "json: cannot unmarshal number into Go value of type string" },
        { "{\"spec\":{\"containers\":[{\"livenessProbe\":{\"httpGet\":{"
          "\"port\":1.5}}}]}}",
          "json: cannot unmarshal number 1.5 into Go value of type int32" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_string_equal(pod(cases[i][0]), cases[i][1]);
    }
    yl_arena_free(arena);
}

TEST(bytes_may_be_a_list)
{
    const struct yl_kind *kind = &core_v1_secret_kind;

    arena = yl_arena_new();
    assert_string_equal(restore(kind, "{\"data\":{\"a\":[1,null,258,3e0]}}"),
                        "{\"data\":{\"a\":\"AQACAw==\"}}");
    assert_string_equal(restore(kind, "{\"data\":{\"a\":\"%\"}}"),
                        "{\"data\":{\"a\":\"%\"}}");
    assert_string_equal(restore(kind, "{\"data\":{\"a\":[\"x\"]}}"),
                        "unrecognized type: uint8");
    assert_string_equal(restore(kind, "{\"data\":{\"a\":[1.5]}}"),
                        "cannot convert float64 to uint8");
    assert_string_equal(restore(kind, "{\"data\":{\"a\":true}}"),
                        "cannot restore slice from bool");
    yl_arena_free(arena);
}
