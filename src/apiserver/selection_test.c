/* Tests of selections. */

#include "apiserver/selection.h"

#include "api_rig.h"

static struct yl_api_request req;
static struct yl_selection selection;

static int
select_by(const char *target)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    rig_request_init(&req, target);
    r = yl_selection_init(&selection, &req, &err);
    assert_int_equal(r, err.code);
    yl_error_clear(&err);
    return r;
}

/* Whether it selects an object of this name and label "x". */
static bool
selects(const char *name, const char *label)
{
    struct yl_object *object;
    char json[256];
    bool is;

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"n\",\"labels\":"
             "{\"x\":\"%s\"}},\"status\":{\"phase\":\"Running\"}}", name,
             label);
    object = rig_object(json);
    is = yl_selection_matches(&selection, object, req.arena);
    yl_object_unref(object);
    return is;
}

TEST(nothing_asked_selects_all)
{
    rig_open();
    assert_int_equal(select_by("/api/v1/namespaces/n/pods"), 0);
    assert_str_equal(selection.namespace_, "n");
    assert_false(yl_selection_chooses(&selection));
    assert_true(selects("a", "1"));
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?labelSelector=&fieldSelector="),
                     0);
    assert_str_equal(selection.namespace_, "");
    assert_false(yl_selection_chooses(&selection));
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?fieldSelector=,"), 0);
    assert_false(yl_selection_chooses(&selection));
    rig_request_release(&req);
    rig_close();
}

TEST(labels_fields_and_names_all_count)
{
    rig_open();
    assert_int_equal(select_by("/api/v1/pods?labelSelector=x%3D1"
                               "&fieldSelector=status.phase%3DRunning"), 0);
    assert_true(yl_selection_chooses(&selection));
    assert_true(selects("a", "1"));
    assert_false(selects("a", "2"));
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?fieldSelector="
                               "status.phase%3DFailed"), 0);
    assert_false(selects("a", "1"));
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?fieldSelector="
                               "metadata.name%3Da"), 0);
    assert_str_equal(selection.name, "a");
    assert_true(selects("a", "1"));
    assert_false(selects("b", "1"));
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/watch/namespaces/n/pods/b"), 0);
    assert_str_equal(selection.name, "b");
    assert_false(selects("a", "1"));
    assert_true(selects("b", "1"));
    rig_request_release(&req);
    rig_close();
}

TEST(what_cannot_be_read_is_a_bad_request)
{
    rig_open();
    assert_int_equal(select_by("/api/v1/pods?labelSelector=%3D"),
                     YL_EBADREQUEST);
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?fieldSelector=x"),
                     YL_EBADREQUEST);
    rig_request_release(&req);
    assert_int_equal(select_by("/api/v1/pods?fieldSelector=x%3D1"),
                     YL_EBADREQUEST);
    rig_request_release(&req);
    rig_close();
}

TEST(what_is_too_long_is_too_big)
{
    char *target = malloc(YL_SELECTOR_MAX_TEXT + 1024);
    int n = snprintf(target, 1024, "/api/v1/pods?labelSelector=");

    rig_open();
    memset(target + n, 'a', YL_SELECTOR_MAX_TEXT + 1);
    target[(size_t) n + YL_SELECTOR_MAX_TEXT + 1] = '\0';
    assert_int_equal(select_by(target), YL_ETOOBIG);
    rig_request_release(&req);
    memcpy(target + n - 14, "fieldSelector=", 14);
    assert_int_equal(select_by(target), YL_ETOOBIG);
    rig_request_release(&req);
    free(target);
    rig_close();
}
