/* Tests of the error table. */

#include "yuloh/error.h"

#include "unit.h"

TEST(codes_are_negative_and_far_from_errno)
{
    assert_int_equal(YL_ENOTFOUND, -10001);
    assert_true(YL_ENOSYS < -10001);
    assert_int_equal(YL_ENOSYS, -10000 - YL_N_ERRORS);
}

TEST(table_answers_for_each_code)
{
    assert_string_equal(yl_error_name(YL_ECONFLICT), "ECONFLICT");
    assert_string_equal(yl_error_text(YL_ECONFLICT), "object has changed");
    assert_string_equal(yl_error_reason(YL_ECONFLICT), "Conflict");
    assert_int_equal(yl_error_http_status(YL_ECONFLICT), 409);
    assert_int_equal(yl_error_retry(YL_ECONFLICT), YL_RETRY_NOW);
    assert_int_equal(yl_error_retry(YL_EINVALID), YL_RETRY_NEVER);
    assert_int_equal(yl_error_retry(YL_ETHROTTLED), YL_RETRY_AS_TOLD);
    assert_int_equal(yl_error_retry(YL_EEXPIRED), YL_RETRY_RELIST);
    assert_int_equal(yl_error_retry(YL_EUNAVAILABLE), YL_RETRY_BACKOFF);
}

TEST(unknown_codes_read_as_internal)
{
    static const int codes[] = { 0, 1, -1, -10000, YL_ENOSYS - 1, INT32_MAX,
                                 INT32_MIN };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(codes); i++) {
        assert_string_equal(yl_error_name(codes[i]), "EINTERNAL");
        assert_int_equal(yl_error_http_status(codes[i]), 500);
    }
}

TEST(rows_that_can_be_on_the_wire_survive_it)
{
    int code;

    for (code = YL_ENOTFOUND; code >= YL_ESTOREREAD; code--) {
        assert_int_equal(
            yl_error_from_wire(yl_error_http_status(code),
                               yl_str_c(yl_error_reason(code))), code);
    }
}

TEST(status_decides_when_the_reason_is_unknown)
{
    static const struct {
        int status;
        int code;
    } cases[] = {
        { 400, YL_EBADREQUEST }, { 401, YL_EUNAUTHORIZED },
        { 403, YL_EFORBIDDEN }, { 404, YL_ENOTFOUND }, { 405, YL_EMETHOD },
        { 409, YL_ECONFLICT }, { 410, YL_EGONE }, { 413, YL_ETOOBIG },
        { 418, YL_EBADREQUEST }, { 422, YL_EINVALID }, { 429, YL_ETHROTTLED },
        { 500, YL_EINTERNAL }, { 502, YL_EINTERNAL },
        { 503, YL_EUNAVAILABLE }, { 504, YL_ETIMEOUT }, { 0, YL_EINTERNAL },
        { 302, YL_EINTERNAL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_error_from_wire(cases[i].status, yl_str_null()),
                         cases[i].code);
        assert_int_equal(yl_error_from_wire(cases[i].status, YL_STR("Odd")),
                         cases[i].code);
    }
    assert_int_equal(yl_error_from_wire(409, YL_STR("AlreadyExists")),
                     YL_EEXISTS);
    assert_int_equal(yl_error_from_wire(500, YL_STR("Timeout")), YL_ETIMEOUT);
}

TEST(set_returns_the_code_and_replaces_what_was_there)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_error_set(NULL, YL_EINVALID, "%d", 1), YL_EINVALID);
    assert_int_equal(yl_error_set(&err, YL_EINVALID, "bad %d", 1),
                     YL_EINVALID);
    yl_error_add_cause(&err, YL_STR("r"), YL_STR("m"), YL_STR("f"));
    err.retry_after = 5;
    assert_int_equal(yl_error_set(&err, YL_ETOOBIG, "now: %s",
                                  yl_error_message(&err)), YL_ETOOBIG);
    assert_int_equal(err.code, YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err), "now: bad 1");
    assert_int_equal(err.n_causes, 0);
    assert_int_equal(err.retry_after, 0);
    yl_error_clear(&err);
    assert_int_equal(err.code, 0);
    assert_null(err.message);
    yl_error_clear(&err);
    yl_error_clear(NULL);
}

TEST(message_is_the_text_of_the_table_when_there_is_none)
{
    struct yl_error err = YL_ERROR_INIT;

    err.code = YL_ENOTFOUND;
    assert_string_equal(yl_error_message(&err), "object not found");
    yl_error_prefix(&err, "pod %s", "a");
    assert_string_equal(yl_error_message(&err), "pod a: object not found");
    yl_error_clear(&err);
}

TEST(prefix_goes_before_an_error_that_is_set)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_error_prefix(NULL, "x");
    yl_error_prefix(&err, "x");
    assert_null(err.message);
    yl_error_set(&err, YL_ESYNTAX, "unexpected ]");
    yl_error_prefix(&err, "line %d", 3);
    assert_string_equal(yl_error_message(&err), "line 3: unexpected ]");
    assert_int_equal(err.code, YL_ESYNTAX);
    yl_error_clear(&err);
}

TEST(causes_are_copied_and_bounded)
{
    struct yl_error err = YL_ERROR_INIT;
    int i;

    yl_error_add_cause(NULL, YL_STR("r"), YL_STR("m"), YL_STR("f"));
    for (i = 0; i < YL_MAX_CAUSES + 5; i++) {
        yl_error_add_cause(&err, YL_STR("FieldValueInvalid"),
                           YL_STR("must be positive"), yl_str_null());
    }
    assert_int_equal(err.n_causes, YL_MAX_CAUSES);
    assert_string_equal(err.causes[1023].reason, "FieldValueInvalid");
    assert_string_equal(err.causes[1023].message, "must be positive");
    assert_string_equal(err.causes[1023].field, "");
    yl_error_clear(&err);
}
