/* The source of objects that other tests list and watch; and with it the
 * guarantees of the lister-watcher interface. */

#include "object/fake_source.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

/* Everything that the sinks heard, as text. */
struct heard {
    struct yl_buf text;
    char continue_[64];
    struct yl_lister_watcher *lw;
    struct yl_lister_watcher_call *stop;    /* Stop it at the next event. */
};

static void
hear_item(void *heard_, struct yl_object *item)
{
    struct heard *heard = heard_;

    yl_buf_printf(&heard->text, "%.*s@%d ", YL_STR_ARG(yl_object_name(item)),
                  (int) yl_object_revision(item));
    yl_object_unref(item);
}

static void
hear_list_done(void *heard_, const struct yl_list_page *meta,
               const struct yl_error *err)
{
    struct heard *heard = heard_;

    assert_true(!meta != !err);
    if (err) {
        yl_buf_printf(&heard->text, "%s", yl_error_name(err->code));
        return;
    }
    yl_buf_printf(&heard->text, "=%d+%d", (int) meta->revision,
                  (int) meta->remaining);
    snprintf(heard->continue_, sizeof heard->continue_, "%.*s",
             YL_STR_ARG(meta->continue_));
}

static void
hear_event(void *heard_, struct yl_watch_event *event)
{
    struct heard *heard = heard_;

    yl_buf_printf(&heard->text, "%c", yl_watch_type_name(event->type)[0]);
    if (event->object) {
        yl_buf_printf(&heard->text, ":%.*s",
                      YL_STR_ARG(yl_object_name(event->object)));
    }
    if (event->type == YL_WATCH_ERROR) {
        yl_buf_printf(&heard->text, ":%s", yl_error_name(event->error.code));
    }
    yl_buf_printf(&heard->text, "@%d%s ", (int) event->revision,
                  event->initial_events_end ? "!" : "");
    if (heard->stop) {
        yl_lister_watcher_stop(heard->lw, heard->stop);
    }
}

static void
hear_watch_done(void *heard_, const struct yl_error *err)
{
    struct heard *heard = heard_;

    yl_buf_printf(&heard->text, "%s",
                  err ? yl_error_name(err->code) : "end");
}

static const struct yl_list_sink list_sink = { hear_item, hear_list_done };
static const struct yl_watch_sink watch_sink = { hear_event,
                                                 hear_watch_done };

static struct yl_fake_source *
source_new(struct heard *heard)
{
    struct yl_fake_source *source = yl_fake_source_new();

    memset(heard, 0, sizeof *heard);
    yl_buf_init(&heard->text, 1 << 16);
    heard->lw = yl_fake_source_lister_watcher(source);
    return source;
}

static void
release(struct yl_fake_source *source, struct heard *heard)
{
    yl_fake_source_free(source);
    yl_buf_release(&heard->text);
}

static void
set(struct yl_fake_source *source, const char *name)
{
    char json[128];
    int64_t revision;

    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"d\",\"resourceVersion\":\"99\"}}", name);
    revision = yl_fake_source_set(source, yl_str_c(json), NULL);
    assert_int_equal(revision, yl_fake_source_revision(source));
}

static struct yl_key
key_of(const char *name)
{
    return yl_key_make(YL_STR("d"), yl_str_c(name));
}

static void
assert_heard(struct heard *heard, const char *text)
{
    assert_str_equal(yl_buf_str(&heard->text), text);
    yl_buf_clear(&heard->text);
}

static void
list(struct yl_fake_source *source, struct heard *heard,
     struct yl_list_options options, const char *text)
{
    struct yl_lister_watcher_call *call;

    assert_int_equal(yl_lister_watcher_list(heard->lw, &options, &list_sink,
                                            heard, &call, NULL), 0);
    assert_heard(heard, "");
    yl_fake_source_run(source);
    assert_heard(heard, text);
}

static struct yl_lister_watcher_call *
watch(struct heard *heard, struct yl_list_options options)
{
    struct yl_lister_watcher_call *call = NULL;

    assert_int_equal(yl_lister_watcher_watch(heard->lw, &options, &watch_sink,
                                             heard, &call, NULL), 0);
    assert_heard(heard, "");
    return call;
}

TEST(lists_and_pages)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .limit = 0 };
    struct yl_lister_watcher_call *call;

    list(source, &heard, options, "=0+0");
    set(source, "b");
    set(source, "a");
    set(source, "c");
    set(source, "b");
    assert_int_equal(yl_fake_source_delete(source, key_of("c"), NULL), 5);
    assert_int_equal(yl_fake_source_delete(source, key_of("c"), NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_fake_source_delete(source, key_of("x"), NULL),
                     YL_ENOTFOUND);
    list(source, &heard, options, "a@2 b@4 =5+0");

    options.limit = 1;
    list(source, &heard, options, "a@2 =5+1");
    assert_string_equal(heard.continue_, "5/d/a");

    /* The next page does not see what came after the first. */
    set(source, "b");
    set(source, "z");
    options.continue_ = yl_str_c(heard.continue_);
    list(source, &heard, options, "b@4 =5+0");
    assert_string_equal(heard.continue_, "");
    yl_fake_source_compact(source, 6);
    options.continue_ = YL_STR("5/d/a");
    assert_int_equal(yl_lister_watcher_list(heard.lw, &options, &list_sink,
                                            &heard, &call, NULL), YL_EEXPIRED);
    options.continue_ = YL_STR("x");
    assert_int_equal(yl_lister_watcher_list(heard.lw, &options, &list_sink,
                                            &heard, &call, NULL),
                     YL_EBADREQUEST);
    options.continue_ = YL_STR("5/a/b/c");
    assert_int_equal(yl_lister_watcher_list(heard.lw, &options, &list_sink,
                                            &heard, &call, NULL), YL_EINVALID);
    options = (struct yl_list_options) { .resource_version = YL_STR("6"),
        .resource_version_match = YL_MATCH_EXACT };
    list(source, &heard, options, "a@2 b@6 =6+0");
    options.resource_version_match = YL_MATCH_NOT_OLDER_THAN;
    list(source, &heard, options, "a@2 b@6 z@7 =7+0");
    options.resource_version = YL_STR("8");
    assert_int_equal(yl_lister_watcher_list(heard.lw, &options, &list_sink,
                                            &heard, &call, NULL), YL_ETIMEOUT);
    options.resource_version = YL_STR("x");
    assert_int_equal(yl_lister_watcher_list(heard.lw, &options, &list_sink,
                                            &heard, &call, NULL), YL_EINVALID);
    release(source, &heard);
    yl_fake_source_free(NULL);
}

TEST(watches_see_events_in_order)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .resource_version = YL_STR("1") };

    set(source, "a");
    watch(&heard, options);
    assert_false(yl_fake_source_step(source));
    set(source, "b");
    set(source, "a");
    yl_fake_source_delete(source, key_of("a"), NULL);
    set(source, "a");
    assert_true(yl_fake_source_step(source));
    assert_heard(&heard, "A:b@2 ");
    assert_int_equal(yl_fake_source_run(source), 3);
    assert_heard(&heard, "M:a@3 D:a@4 A:a@5 ");

    /* No bookmark for those who do not allow it. */
    yl_fake_source_bookmark(source);
    assert_int_equal(yl_fake_source_run(source), 0);
    yl_fake_source_end_calls(source, 0);
    assert_int_equal(yl_fake_source_run(source), 1);
    assert_heard(&heard, "end");
    assert_int_equal(yl_fake_source_n_calls(source), 0);
    release(source, &heard);
}

TEST(initial_events_and_bookmarks)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .send_initial_events = true,
                                       .allow_watch_bookmarks = true };

    set(source, "a");
    set(source, "b");
    watch(&heard, options);
    set(source, "c");
    yl_fake_source_run(source);
    assert_heard(&heard, "A:a@1 A:b@2 B@2! A:c@3 ");
    yl_fake_source_bookmark(source);
    yl_fake_source_run(source);
    assert_heard(&heard, "B@3 ");
    yl_fake_source_end_calls(source, YL_EIO);
    yl_fake_source_run(source);
    assert_heard(&heard, "EIO");

    options = (struct yl_list_options) { .resource_version = YL_STR("0") };
    watch(&heard, options);
    yl_fake_source_run(source);
    assert_heard(&heard, "A:a@1 A:b@2 A:c@3 ");
    release(source, &heard);
}

TEST(old_watches_expire)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .resource_version = YL_STR("1") };

    set(source, "a");
    set(source, "b");
    set(source, "c");
    yl_fake_source_compact(source, 2);
    watch(&heard, options);
    yl_fake_source_run(source);
    assert_heard(&heard, "E:EEXPIRED@0 end");
    release(source, &heard);
}

TEST(failures_on_order)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .limit = 0 };
    struct yl_lister_watcher_call *call = NULL;
    struct yl_error err = YL_ERROR_INIT;

    yl_fake_source_fail(source, 2, YL_EUNAVAILABLE, false);
    assert_int_equal(yl_lister_watcher_list(heard.lw, NULL, &list_sink, &heard,
                                            &call, &err), YL_EUNAVAILABLE);
    assert_int_equal(yl_lister_watcher_watch(heard.lw, NULL, &watch_sink,
                                             &heard, &call, &err),
                     YL_EUNAVAILABLE);
    assert_null(call);
    list(source, &heard, options, "=0+0");
    yl_fake_source_fail(source, 1, YL_EIO, true);
    list(source, &heard, options, "EIO");
    options.resource_version = YL_STR("x");
    assert_int_equal(yl_lister_watcher_watch(heard.lw, &options, &watch_sink,
                                             &heard, &call, &err),
                     YL_EINVALID);
    assert_int_equal(yl_fake_source_set(source, YL_STR("[]"), &err), YL_ETYPE);
    yl_error_clear(&err);
    release(source, &heard);
}

TEST(stopped_calls_are_silent)
{
    struct heard heard;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .limit = 0 };
    struct yl_lister_watcher_call *call;

    set(source, "a");
    set(source, "b");
    call = watch(&heard, options);
    yl_lister_watcher_stop(heard.lw, call);
    assert_int_equal(yl_fake_source_run(source), 0);
    assert_heard(&heard, "");

    /* Also from inside a sink. */
    heard.stop = watch(&heard, options);
    assert_int_equal(yl_fake_source_run(source), 1);
    assert_heard(&heard, "A:a@1 ");
    assert_int_equal(yl_fake_source_n_calls(source), 0);

    /* A source that goes away takes its calls with it. */
    heard.stop = NULL;
    watch(&heard, options);
    release(source, &heard);
}

TEST(calls_take_turns)
{
    struct heard heard, other;
    struct yl_fake_source *source = source_new(&heard);
    struct yl_list_options options = { .limit = 0 };

    other = heard;
    yl_buf_init(&other.text, 1000);
    set(source, "a");
    set(source, "b");
    watch(&heard, options);
    watch(&other, options);
    yl_fake_source_step(source);
    yl_fake_source_step(source);
    assert_heard(&heard, "A:a@1 ");
    assert_heard(&other, "A:a@1 ");
    yl_buf_release(&other.text);
    release(source, &heard);
}
