/* The informer: deltas to the store and to inline handlers. */

#include "yuloh/informer.h"

#include "informer_unit.h"
#include "yuloh/log.h"
#include "yuloh/metrics.h"

static uint64_t
revision_of(struct rig *rig, const char *name)
{
    struct yl_key key = yl_key_make(YL_STR("d"), yl_str_c(name));
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned item = { NULL, 0 };

    yl_store_get(yl_informer_store(rig->informer), &key, arena, &item);
    yl_arena_free(arena);
    return item.revision;
}

/* Replaces each object by one that has nothing but its name. */
static struct yl_object *
count_transform(void *n, const struct yl_object *object)
{
    struct yl_object *bare = NULL;
    char json[128];

    ++*(int *) n;
    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%.*s\",\"namespace\":\"d\"}}",
             YL_STR_ARG(yl_object_name(object)));
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &bare, NULL), 0);
    return bare;
}

TEST(the_store_follows_the_source)
{
    struct rig rig;

    rig_init(&rig, NULL);
    rig_set(&rig, "a", "1", 1);
    rig_set(&rig, "b", "2", 1);
    assert_false(yl_informer_has_synced(rig.informer));
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_true(yl_informer_has_synced(rig.informer));
    assert_int_equal(revision_of(&rig, "a"), 1);
    assert_int_equal(revision_of(&rig, "b"), 2);
    rig_set(&rig, "a", "1", 2);
    rig_set(&rig, "c", "3", 1);
    rig_delete(&rig, "b");
    rig_run(&rig);
    assert_int_equal(revision_of(&rig, "a"), 3);
    assert_int_equal(revision_of(&rig, "b"), 0);
    assert_int_equal(revision_of(&rig, "c"), 4);
    assert_int_equal(yl_informer_revision(rig.informer), 5);
    rig_release(&rig);
}

TEST(an_empty_list_is_a_sync)
{
    struct rig rig;

    rig_init(&rig, NULL);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_true(yl_informer_has_synced(rig.informer));
    rig_release(&rig);
}

TEST(inline_handlers_hear_everything_in_order)
{
    struct ear ear;
    struct rig rig;
    struct yl_handler_registration *h;

    rig_init(&rig, NULL);
    ear_init(&ear);
    h = ear_add(&ear, &rig, true, 0);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    assert_false(yl_handler_has_synced(h));
    rig_run(&rig);
    assert_true(yl_handler_has_synced(h));
    ear_assert(&ear, "*a");
    rig_set(&rig, "a", "1", 2);
    rig_set(&rig, "b", "2", 1);
    rig_delete(&rig, "a");
    rig_run(&rig);
    ear_assert(&ear, "~a +b -a");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_relist_is_quiet_and_finds_what_was_missed)
{
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, true, 0);
    rig_set(&rig, "a", "1", 1);
    rig_set(&rig, "b", "2", 1);
    rig_set(&rig, "c", "3", 1);
    rig_set(&rig, "e", "4", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    ear_assert(&ear, "*a *b *c *e");

    /* The watch breaks; what happens meanwhile is compacted. */
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    rig_set(&rig, "b", "2", 2);
    rig_delete(&rig, "c");
    rig_delete(&rig, "e");
    rig_set(&rig, "e", "5", 1);
    yl_fake_source_compact(rig.source,
                           yl_fake_source_revision(rig.source));
    rig_run(&rig);
    rig_pass(&rig, 60 * 1000);
    yl_mutex_lock(&ear.lock);
    assert_non_null(memmem(ear.heard.data, ear.heard.size, "?c", 2));
    assert_non_null(memmem(ear.heard.data, ear.heard.size, "?e", 2));
    assert_non_null(memmem(ear.heard.data, ear.heard.size, "~b", 2));
    assert_non_null(memmem(ear.heard.data, ear.heard.size, "+e", 2));
    assert_null(memchr(ear.heard.data, 'a', ear.heard.size));
    assert_int_equal(ear.n, 4 + 4);
    yl_mutex_unlock(&ear.lock);
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_relist_keeps_the_blocks_of_what_has_not_changed)
{
    struct yl_key key = yl_key_make(YL_STR("d"), YL_STR("a"));
    struct yl_informer_opts opts = { 0 };
    struct yl_versioned before, after;
    struct rig rig;
    int n = 0;

    opts.store.transform = count_transform;
    opts.store.transform_aux = &n;
    rig_init(&rig, &opts);
    rig_set(&rig, "a", "", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_true(yl_store_lend(yl_informer_store(rig.informer), &key, &before));
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    rig_set(&rig, "b", "", 1);
    yl_fake_source_compact(rig.source, yl_fake_source_revision(rig.source));
    rig_run(&rig);
    rig_pass(&rig, 60 * 1000);
    assert_true(revision_of(&rig, "b") > 0);
    assert_true(yl_store_lend(yl_informer_store(rig.informer), &key, &after));
    assert_ptr_equal(before.object, after.object);
    assert_int_equal(n, 2);     /* "a" came again, but was known. */
    rig_release(&rig);
}

TEST(a_warm_start_reports_what_is_gone)
{
    struct yl_object *warm = NULL;
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, true, 0);
    assert_int_equal(yl_object_ingest(
        YL_STR("{\"metadata\":{\"name\":\"w\",\"namespace\":\"d\"}}"), NULL,
        &warm, NULL), 0);
    assert_int_equal(yl_store_add(yl_informer_store(rig.informer),
                                  (struct yl_versioned) { warm, 1 }, NULL), 0);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    ear_assert(&ear, "?w *a");
    yl_object_unref(warm);
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_late_inline_handler_hears_what_is_there)
{
    struct ear ear;
    struct rig rig;
    struct yl_handler_registration *h;

    rig_init(&rig, NULL);
    ear_init(&ear);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    h = ear_add(&ear, &rig, true, 0);
    rig_run(&rig);
    ear_assert(&ear, "*a");
    assert_true(yl_handler_has_synced(h));
    rig_set(&rig, "a", "1", 2);
    rig_run(&rig);
    ear_assert(&ear, "~a");
    yl_informer_remove_handler(rig.informer, h);
    rig_set(&rig, "a", "1", 3);
    rig_run(&rig);
    ear_assert(&ear, "");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_handler_removed_before_it_joined_hears_nothing)
{
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    yl_informer_remove_handler(rig.informer, ear_add(&ear, &rig, true, 0));
    rig_run(&rig);
    ear_assert(&ear, "");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(an_informer_can_be_freed_before_a_handler_joined)
{
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    ear_add(&ear, &rig, true, 0);
    yl_informer_free(rig.informer);
    rig.informer = NULL;
    yl_loop_turn(rig.loop, false);
    ear_assert(&ear, "");
    rig_release(&rig);
    ear_release(&ear);
}

struct advance {
    struct rig *rig;
    uint64_t revision;
};

static void
on_advanced(void *advance_, uint64_t revision)
{
    struct advance *advance = advance_;

    assert_true(revision >= advance->revision);
    assert_int_equal(yl_informer_revision(advance->rig->informer), revision);
    advance->revision = revision;
}

TEST(inline_handlers_hear_how_far_the_store_has_come)
{
    static const struct yl_handler handler = { .advanced = on_advanced };
    struct yl_handler_opts opts = { .inline_ = true };
    struct advance advance = { 0 };
    struct rig rig;

    rig_init(&rig, NULL);
    advance.rig = &rig;
    assert_int_equal(yl_informer_add_handler(rig.informer, &handler, &advance,
                                             &opts, NULL, NULL), 0);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_int_equal(advance.revision, 1);
    rig_set(&rig, "a", "1", 2);
    rig_run(&rig);
    assert_int_equal(advance.revision, 2);
    rig_release(&rig);
}

TEST(a_resync_shows_every_object_again)
{
    struct ear often, seldom, never;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&often);
    ear_init(&seldom);
    ear_init(&never);
    ear_add(&often, &rig, true, 2000);
    ear_add(&seldom, &rig, true, 3000);
    ear_add(&never, &rig, true, -1);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    rig_pass(&rig, 1999);
    ear_assert(&often, "*a");
    rig_pass(&rig, 1);
    ear_assert(&often, "=a");
    ear_assert(&seldom, "*a");
    rig_pass(&rig, 1000);
    ear_assert(&often, "");
    ear_assert(&seldom, "=a");
    rig_pass(&rig, 1000);
    ear_assert(&often, "=a");
    ear_assert(&never, "*a");
    rig_release(&rig);
    ear_release(&often);
    ear_release(&seldom);
    ear_release(&never);
}

static void
assert_bare(void *n, const struct yl_versioned *object, bool initial YL_UNUSED)
{
    struct yl_arena *arena = yl_arena_new();

    assert_false(yl_json_exists(yl_object_field(object->object, arena,
                                                "spec")));
    yl_arena_free(arena);
    ++*(int *) n;
}

TEST(objects_are_transformed_once_as_they_come)
{
    static const struct yl_handler handler = { .added = assert_bare };
    struct yl_handler_opts inline_ = { .inline_ = true };
    struct yl_informer_opts opts = { 0 };
    struct rig rig;
    int n = 0, n_heard = 0;

    opts.store.transform = count_transform;
    opts.store.transform_aux = &n;
    rig_init(&rig, &opts);
    assert_int_equal(yl_informer_add_handler(rig.informer, &handler, &n_heard,
                                             &inline_, NULL, NULL), 0);
    rig_set(&rig, "a", "", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_int_equal(n, 1);
    assert_int_equal(n_heard, 1);
    rig_set(&rig, "a", "", 2);
    rig_run(&rig);
    assert_int_equal(n, 2);

    /* Revisions do not depend on what is left of the objects. */
    assert_int_equal(yl_informer_revision(rig.informer), 2);
    assert_int_equal(revision_of(&rig, "a"), 2);
    rig_release(&rig);
}

static void
on_trace(void *buf, const struct yl_informer_trace *event)
{
    yl_buf_append_c(buf, event->told ? " told:" : " has:");
    yl_buf_append_c(buf, yl_delta_type_name(event->type));
    yl_buf_append_c(buf, ":");
    yl_buf_append_str(buf, yl_object_name(event->object->object));
    yl_buf_append_c(buf, ":");
    yl_buf_append_c(buf, event->thread);
}

TEST(the_trace_shows_the_store_before_the_handlers)
{
    struct yl_informer_opts opts = { .trace = on_trace };
    struct yl_buf buf;
    struct ear ear;
    struct rig rig;

    yl_buf_init(&buf, SIZE_MAX);
    opts.trace_aux = &buf;
    rig_init(&rig, &opts);
    ear_init(&ear);
    ear_add(&ear, &rig, true, 0);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_str_equal(yl_buf_str(&buf),
                     " has:REPLACED:a:loop told:ADDED:a:loop");
    yl_buf_release(&buf);
    rig_release(&rig);
    ear_release(&ear);
}

static void
on_error(void *n, const struct yl_error *err)
{
    assert_int_equal(err->code, YL_EFORBIDDEN);
    ++*(int *) n;
}

TEST(errors_of_the_reflector_reach_the_hook)
{
    struct yl_informer_opts opts = { .error = on_error };
    struct rig rig;
    int n = 0;

    opts.error_aux = &n;
    rig_init(&rig, &opts);
    yl_fake_source_fail(rig.source, 100, YL_EFORBIDDEN, true);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_true(n > 0);
    rig_release(&rig);
}

static int n_warnings;

static void
count_warnings(const struct yl_log_sink *sink YL_UNUSED, const char *line,
               size_t size YL_UNUSED)
{
    n_warnings += line[0] == 'W' && strstr(line, "cache=\"pods\"");
}

TEST(errors_of_the_reflector_are_logged_if_there_is_no_hook)
{
    static const struct yl_log_sink sink = { count_warnings };
    struct rig rig;

    yl_log_set_sink(&sink);
    rig_init(&rig, &(struct yl_informer_opts) { .name = "pods" });
    yl_fake_source_fail(rig.source, 100, YL_EFORBIDDEN, true);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_true(n_warnings > 0);
    rig_release(&rig);
    yl_log_set_sink(NULL);
}

TEST(a_bookmark_moves_the_revision)
{
    struct rig rig;

    rig_init(&rig, NULL);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_int_equal(yl_informer_revision(rig.informer), 1);
    yl_fake_source_bookmark(rig.source);
    rig_run(&rig);
    assert_int_equal(yl_informer_revision(rig.informer),
                     yl_fake_source_revision(rig.source));
    rig_release(&rig);
}

/* What a handler hears must already be in the store. */
static void
assert_stored(void *rig_, const struct yl_versioned *object,
              bool flag YL_UNUSED)
{
    struct rig *rig = rig_;
    struct yl_str name = yl_object_name(object->object);
    char text[16];

    snprintf(text, sizeof text, "%.*s", YL_STR_ARG(name));
    assert_true(revision_of(rig, text) >= object->revision);
}

static void
assert_update_stored(void *rig, const struct yl_versioned *old YL_UNUSED,
                     const struct yl_versioned *object)
{
    assert_stored(rig, object, false);
}

static void
assert_gone(void *rig, const struct yl_versioned *object,
            bool tombstone YL_UNUSED)
{
    char text[16];

    snprintf(text, sizeof text, "%.*s",
             YL_STR_ARG(yl_object_name(object->object)));
    assert_int_equal(revision_of(rig, text), 0);
}

TEST(the_store_has_a_change_before_handlers_hear_of_it)
{
    static const struct yl_handler handler = {
        .added = assert_stored, .updated = assert_update_stored,
        .deleted = assert_gone,
    };
    struct yl_handler_opts inline_ = { .inline_ = true };
    struct rig rig;

    rig_init(&rig, NULL);
    assert_int_equal(yl_informer_add_handler(rig.informer, &handler, &rig,
                                             &inline_, NULL, NULL), 0);
    rig_set(&rig, "a", "1", 1);
    rig_set(&rig, "b", "2", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    rig_set(&rig, "a", "1", 2);
    rig_delete(&rig, "b");
    rig_run(&rig);
    assert_int_equal(yl_store_stats(yl_informer_store(rig.informer))
                     .n_objects, 1);
    rig_release(&rig);
}

TEST(a_short_resync_period_is_a_second)
{
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, true, 1);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    rig_pass(&rig, 999);
    ear_assert(&ear, "*a");
    rig_pass(&rig, 1);
    ear_assert(&ear, "=a");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(the_status_shows_start_and_stop)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_informer_status status;
    struct rig rig;

    rig_init(&rig, NULL);
    yl_informer_status(rig.informer, arena, &status);
    assert_false(status.started);
    assert_false(status.stopped);
    yl_informer_start(rig.informer);
    yl_informer_status(rig.informer, arena, &status);
    assert_true(status.started);
    assert_false(status.stopped);
    yl_informer_stop(rig.informer);
    yl_informer_status(rig.informer, arena, &status);
    assert_true(status.stopped);
    yl_arena_free(arena);
    rig_release(&rig);
}

TEST(the_status_shows_errors_until_all_is_well)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_informer_status status;
    struct rig rig;

    rig_init(&rig, NULL);
    rig_set(&rig, "a", "1", 1);
    yl_fake_source_fail(rig.source, 100, YL_EFORBIDDEN, true);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    yl_informer_status(rig.informer, arena, &status);
    assert_false(status.synced);
    assert_true(status.n_errors > 0);
    assert_string_not_equal(status.last_error, "");
    yl_fake_source_fail(rig.source, 0, 0, true);
    rig_pass(&rig, 60 * 1000);
    yl_informer_status(rig.informer, arena, &status);
    assert_true(status.synced);
    assert_string_equal(status.last_error, "");
    assert_int_equal(status.store.n_objects, 1);
    assert_int_equal(status.revision, 1);
    assert_string_equal(status.name, "informer");
    yl_arena_free(arena);
    rig_release(&rig);
}

static void
collect(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}

TEST(metrics_have_the_names_of_client_go)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_informer_opts opts = {
        .name = "pods", .metrics = metrics,
        .resource = { YL_STR(""), YL_STR("v1"), YL_STR("pods") },
    };
    struct yl_buf buf;
    struct rig rig;

    rig_init(&rig, &opts);
    rig_set(&rig, "a", "1", 1);
    rig_set(&rig, "a", "1", 2);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    yl_buf_init(&buf, SIZE_MAX);
    yl_metrics_render(metrics, collect, &buf);
    assert_non_null(strstr(yl_buf_c_str(&buf),
        "informer_store_resource_version{name=\"pods\",group=\"\","
        "version=\"v1\",resource=\"pods\"} 2\n"));
    assert_non_null(strstr(yl_buf_c_str(&buf),
        "informer_queued_items{name=\"pods\",group=\"\",version=\"v1\","
        "resource=\"pods\"} 0\n"));
    assert_non_null(strstr(yl_buf_c_str(&buf),
        "informer_processing_latency_seconds_count{name=\"pods\","));
    yl_buf_release(&buf);
    rig_release(&rig);
    yl_metrics_free(metrics);
}

TEST(nothing_happens_after_a_stop)
{
    struct yl_error err = YL_ERROR_INIT;
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, true, 2000);
    rig_set(&rig, "a", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    ear_assert(&ear, "*a");
    yl_informer_stop(rig.informer);
    rig_set(&rig, "a", "1", 2);
    rig_pass(&rig, 5000);
    ear_assert(&ear, "");
    assert_int_equal(revision_of(&rig, "a"), 1);
    yl_informer_start(rig.informer);
    rig_pass(&rig, 5000);
    assert_int_equal(revision_of(&rig, "a"), 1);
    assert_int_equal(yl_informer_add_handler(rig.informer, &ear_handler, &ear,
                                             NULL, NULL, &err),
                     YL_EUNAVAILABLE);
    yl_error_clear(&err);
    rig_release(&rig);
    ear_release(&ear);
}
