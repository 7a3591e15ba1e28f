/* The calls about many objects, against the real server. */

#include "yuloh/client.h"

#include "env_rig.h"
#include "script_rig.h"
#include "yuloh/cancel.h"

static struct {
    struct yl_error err;
    struct yl_buf heard;
    int stop_after;             /* Items or events, if positive. */
    int stop_with;              /* What the callback returns then. */
    struct yl_cancel *cancel;   /* Set then. */
} t;

static void
open_env(void)
{
    memset(&t, 0, sizeof t);
    yl_buf_init(&t.heard, 1 << 20);
    env_open("many");
}

static void
close_env(void)
{
    yl_error_clear(&t.err);
    env_close();
    yl_buf_release(&t.heard);
}

static void
create(const char *name, const char *label)
{
    struct yl_arena *arena = yl_arena_new();
    char *json = yl_arena_printf(
        arena, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
        "\"name\":\"%s\",\"labels\":{\"l\":\"%s\"}}}", name, label);

    if (yl_client_create(env.client, &rig_config_maps, YL_STR("default"),
                         yl_str_c(json), NULL, NULL, &t.err) < 0) {
        fail_msg("%s", yl_error_message(&t.err));
    }
    yl_arena_free(arena);
}

static void
create_many(void)
{
    create("a", "1");
    create("b", "2");
    create("c", "1");
    create("d", "1");
    create("e", "1");
}

static int
hear_item(void *aux, const struct yl_versioned *item)
{
    assert_ptr_equal(aux, &t);
    assert_true(item->revision > 0);
    yl_buf_printf(&t.heard, "%.*s ", YL_STR_ARG(yl_object_name(item->object)));
    return t.stop_after > 0 && --t.stop_after == 0 ? t.stop_with : 0;
}

/* Lists and checks what came. */
static int
list(struct yl_list_options options, const char *want)
{
    struct yl_list_page page = { .revision = 0 };
    int r;

    yl_buf_clear(&t.heard);
    r = yl_client_list(env.client, &rig_config_maps, YL_STR("default"),
                       &options, hear_item, &t, NULL, &page, &t.err);
    assert_str_equal(yl_buf_str(&t.heard), want);
    assert_int_equal(page.continue_.size, 0);
    return r;
}

#define ALL ((struct yl_list_options) { .limit = 0 })

TEST(a_list_comes_in_pages)
{
    open_env();
    assert_int_equal(list(ALL, ""), 0);
    create_many();
    assert_int_equal(list(ALL, "a b c d e "), 0);
    assert_int_equal(list((struct yl_list_options) { .limit = 2 },
                          "a b c d e "), 0);
    assert_int_equal(list((struct yl_list_options) {
        .limit = 1, .resource_version = YL_STR("0"),
    }, "a b c d e "), 0);
    assert_int_equal(list((struct yl_list_options) {
        .label_selector = YL_STR("l=1"), .limit = 3,
    }, "a c d e "), 0);
    assert_int_equal(list((struct yl_list_options) {
        .field_selector = YL_STR("metadata.name=b"),
    }, "b "), 0);
    assert_int_equal(list((struct yl_list_options) { .limit = -1 }, ""),
                     YL_EINVALID);
    assert_int_equal(list((struct yl_list_options) {
        .label_selector = YL_STR("!!"),
    }, ""), YL_EBADREQUEST);
    close_env();
}

TEST(a_callback_can_end_a_list)
{
    open_env();
    create_many();
    t.stop_after = 2;
    t.stop_with = 1;
    assert_int_equal(list(ALL, "a b "), 0);
    assert_int_equal(t.err.code, 0);
    t.stop_after = 3;
    t.stop_with = YL_ECONFLICT;
    assert_int_equal(list((struct yl_list_options) { .limit = 2 }, "a b c "),
                     YL_ECONFLICT);
    close_env();
}

TEST(pages_that_expire_are_an_error)
{
    open_env();
    create_many();
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .verb = "list", .status = 410, .skip = 1,
    });
    assert_int_equal(list((struct yl_list_options) { .limit = 2 }, "a b "),
                     YL_EEXPIRED);
    close_env();
}

TEST(a_list_that_breaks_off_is_an_error)
{
    open_env();
    create_many();
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "list", .inside = true,
    });
    yl_buf_clear(&t.heard);
    assert_int_equal(yl_client_list(env.client, &rig_config_maps,
                                    YL_STR("default"), NULL, hear_item, &t,
                                    NULL, NULL, &t.err), YL_EUNAVAILABLE);

    /* Complete for HTTP, but not for JSON. */
    yl_testenv_remove_all(env.server);
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_END, .verb = "list", .inside = true,
    });
    assert_int_equal(yl_client_list(env.client, &rig_config_maps,
                                    YL_STR("default"), NULL, hear_item, &t,
                                    NULL, NULL, &t.err), YL_ETRUNCATED);
    close_env();
}

static int
hear_event(void *aux, struct yl_watch_event *event)
{
    assert_ptr_equal(aux, &t);
    yl_buf_printf(&t.heard, "%c", yl_watch_type_name(event->type)[0]);
    if (event->object) {
        yl_buf_printf(&t.heard, ":%.*s",
                      YL_STR_ARG(yl_object_name(event->object)));
    }
    yl_buf_append_c(&t.heard, event->initial_events_end ? "! " : " ");
    if (t.stop_after > 0 && --t.stop_after == 0) {
        if (t.cancel) {
            yl_cancel_now(t.cancel);
        }
        return t.stop_with;
    }
    return 0;
}

static int
watch(struct yl_list_options options, const char *want)
{
    struct yl_call_opts opts = { .cancel = t.cancel };
    int r;

    yl_buf_clear(&t.heard);
    r = yl_client_watch(env.client, &rig_config_maps, YL_STR("default"),
                        &options, hear_event, &t, &opts, &t.err);
    assert_str_equal(yl_buf_str(&t.heard), want);
    return r;
}

TEST(a_watch_tells_events_until_it_is_ended)
{
    open_env();
    create_many();
    t.stop_after = 5;
    t.stop_with = 1;
    assert_int_equal(watch(ALL, "A:a A:b A:c A:d A:e "), 0);
    t.stop_after = 5;
    assert_int_equal(watch((struct yl_list_options) {
        .label_selector = YL_STR("l=1"), .send_initial_events = true,
        .allow_watch_bookmarks = true,
    }, "A:a A:c A:d A:e B! "), 0);
    t.stop_after = 1;
    t.stop_with = YL_ECONFLICT;
    assert_int_equal(watch(ALL, "A:a "), YL_ECONFLICT);

    /* The callback has the call canceled by another means. */
    t.cancel = yl_cancel_new();
    t.stop_after = 5;
    t.stop_with = 0;
    assert_int_equal(watch(ALL, "A:a A:b A:c A:d A:e "), YL_ECANCELED);
    t.cancel = yl_cancel_unref(t.cancel);
    close_env();
}

TEST(a_watch_that_the_server_ends_is_no_error)
{
    open_env();
    create_many();
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_END, .verb = "watch", .after_events = 2,
    });
    assert_int_equal(watch(ALL, "A:a A:b "), 0);
    close_env();
}

TEST(a_watch_that_breaks_off_is_unavailable)
{
    open_env();
    create_many();
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "watch", .after_events = 2,
        .inside = true, .times = 1,
    });
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_END, .verb = "watch", .after_events = 1,
        .inside = true,
    });
    assert_int_equal(watch(ALL, "A:a A:b "), YL_EUNAVAILABLE);
    assert_int_equal(watch(ALL, "A:a "), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&t.err),
                        "the watch ended in the middle of an event");
    close_env();
}

TEST(an_error_event_is_the_error_of_the_call)
{
    open_env();
    create_many();
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ERROR, .verb = "watch", .after_events = 1,
        .status = 410, .times = 1,
    });
    assert_int_equal(watch(ALL, "A:a "), YL_EEXPIRED);
    assert_int_equal(t.err.code, YL_EEXPIRED);
    assert_non_null(t.err.message);
    yl_testenv_inject(env.server, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .verb = "watch", .status = 500,
    });
    assert_int_equal(watch(ALL, ""), YL_EINTERNAL);
    assert_int_equal(watch((struct yl_list_options) {
        .resource_version = YL_STR("x"),
    }, ""), YL_EINVALID);
    close_env();
}

TEST(a_collection_is_deleted_by_selector)
{
    open_env();
    create_many();
    assert_int_equal(yl_client_delete_collection(
                         env.client, &rig_config_maps, YL_STR("default"), NULL,
                         &(struct yl_list_options) {
        .label_selector = YL_STR("l=1"),
    }, NULL, &t.err), 0);
    assert_int_equal(list(ALL, "b "), 0);
    assert_int_equal(yl_client_delete_collection(
                         env.client, &rig_config_maps, YL_STR("default"), NULL,
                         NULL, NULL, &t.err), 0);
    assert_int_equal(list(ALL, ""), 0);
    close_env();
}

/* A list without an end
 * ===================== */

static enum yl_http_pull
pull_items(void *aux, struct yl_buf *out)
{
    size_t *n = aux;
    int i;

    if (*n == 0) {
        yl_buf_append_c(out, "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\","
                             "\"metadata\":{},\"items\":[");
    }
    for (i = 0; i < 100; i++) {
        yl_buf_printf(out, "%s{\"metadata\":{\"name\":\"n%zu\","
                      "\"resourceVersion\":\"1\"}}", *n ? "," : "", *n);
        ++*n;
    }
    return YL_HTTP_MORE;
}

static void
answer_without_end(void *aux, struct yl_http_request *request)
{
    static const struct yl_http_source source = { pull_items };

    yl_http_respond_source(request, 200, NULL, 0, &source, aux);
}

static int
connect_endless(void *server, struct yl_cancel *cancel, int *ret_fd,
                struct yl_error *err)
{
    (void) cancel;
    return yl_http_server_connect(server, false, NULL, ret_fd, err);
}

static int
count_item(void *n_, const struct yl_versioned *item)
{
    int *n = n_;
    char name[16];

    snprintf(name, sizeof name, "n%d", *n);
    assert_str_equal(yl_object_name(item->object), name);
    return ++*n == 100000;
}

/* If a list were ever in memory as a whole, this would not end. */
TEST(a_list_is_given_away_while_it_comes)
{
    static const struct yl_http_handler handler = {
        answer_without_end, NULL, script_end, NULL,
    };
    struct yl_http_server *server;
    struct yl_client *client;
    size_t n_sent = 0;
    int n = 0;

    assert_int_equal(yl_http_server_new(&(struct yl_http_server_opts) {
        .handler = &handler, .aux = &n_sent, .n_loops = 1,
    }, &server, NULL), 0);
    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = "http://endless", .connect = connect_endless,
        .connect_aux = server,
    }, NULL, &client, NULL), 0);
    assert_int_equal(yl_client_list(client, &rig_nodes, yl_str_null(), NULL,
                                    count_item, &n, NULL, NULL, NULL), 0);
    assert_int_equal(n, 100000);
    yl_client_unref(client);
    yl_http_server_free(server);
}
