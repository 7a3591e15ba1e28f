/* Tests of watch classes. */

#include "apiserver/watch/class.h"

#include "api_rig.h"
#include "apiserver/watch/hub.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static struct yl_watch_classes *classes;

/* A member that looks at what 'target' asks for, from 'revision' on. */
static struct yl_watch_class *
join_as(const char *target, enum yl_output_form form, uint64_t revision)
{
    struct yl_watch_class *class = NULL;
    struct yl_selection selection;
    struct yl_api_request req;
    struct yl_view view;

    rig_request_init(&req, target);
    req.accept.form = form;
    assert_int_equal(yl_selection_init(&selection, &req, NULL), 0);
    assert_int_equal(yl_view_init(&view, &req, NULL), 0);
    yl_watch_class_join(classes, &req, &view, &selection, revision, &class,
                        NULL);
    rig_request_release(&req);
    return class;
}

#define join(TARGET, REVISION) join_as(TARGET, YL_FORM_OBJECT, REVISION)

static void
start(void)
{
    rig_open_fake();
    classes = yl_watch_hub_classes(rig.server->watches);
}

static uint64_t
make(const char *name, const char *labels)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}", name, labels);
    assert_int_equal(api("POST", MAPS, body), 201);
    return strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
}

/* The revision of the frame at a position, which must have come. */
static uint64_t
frame_at(struct yl_watch_class *class, uint64_t position)
{
    struct yl_watch_frame *frame;
    uint64_t revision;

    assert_int_equal(yl_watch_class_read(class, position, &frame, 1,
                                         &revision), 1);
    assert_int_equal(revision, frame->revision);
    assert_int_equal(frame->bytes[frame->size - 1], '\n');
    yl_watch_frame_unref(frame);
    return revision;
}

TEST(equal_watches_are_one_class)
{
    static const char *const others[] = {
        MAPS "?labelSelector=x%3D1", MAPS "?fieldSelector=metadata.name%3Da",
        "/api/v1/namespaces/other/configmaps", "/api/v1/configmaps",
        "/api/v1/namespaces/default/secrets",
    };
    struct yl_watch_class *one, *two, *table, *other;
    size_t i;

    start();
    one = join(MAPS, 2);
    two = join(MAPS "?labelSelector=", 1);
    assert_ptr_equal(one, two);
    table = join_as(MAPS, YL_FORM_TABLE, 2);
    assert_ptr_not_equal(one, table);
    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        other = join(others[i], 2);
        assert_ptr_not_equal(one, other);
        yl_watch_class_leave(classes, other);
    }
    yl_watch_class_leave(classes, table);
    yl_watch_class_leave(classes, one);
    yl_watch_class_leave(classes, two);
    rig_close();
}

TEST(members_share_frames_of_what_they_selected)
{
    struct yl_watch_frame *frames[8], *again;
    struct yl_watch_class *class;
    uint64_t a, c, position, revision;

    start();
    a = make("a", "\"x\":\"1\"");
    class = join(MAPS "?labelSelector=x%3D1", a - 1);
    make("b", "");
    c = make("c", "\"x\":\"1\"");
    make("d", "");
    assert_true(yl_watch_class_find(class, a - 1, &position));
    assert_int_equal(yl_watch_class_read(class, position, frames, 8,
                                         &revision), 2);
    assert_int_equal(revision, c);
    assert_int_equal(frames[0]->revision, a);
    assert_int_equal(frames[1]->revision, c);
    assert_int_equal(yl_watch_class_read(class, position + 1, &again, 1,
                                         &revision), 1);
    assert_ptr_equal(again, frames[1]);
    yl_watch_frame_unref(again);
    yl_watch_frame_unref(frames[0]);
    yl_watch_frame_unref(frames[1]);
    yl_watch_frame_unref(NULL);

    assert_true(yl_watch_class_find(class, a, &position));
    assert_int_equal(frame_at(class, position), c);
    assert_true(yl_watch_class_find(class, c, &position));
    assert_int_equal(yl_watch_class_read(class, position, frames, 8,
                                         &revision), 0);
    assert_int_equal(revision, yl_keyspace_revision(rig.server->keyspace));
    assert_false(yl_watch_class_find(class, a - 2, &position));
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(news_are_what_is_selected)
{
    struct yl_watch_class *class;
    uint64_t position, now;
    char name[16];
    int i;

    start();
    now = make("a", "");
    class = join(MAPS "?labelSelector=x", now);
    assert_true(yl_watch_class_find(class, now, &position));
    assert_false(yl_watch_class_has_news(class, position));
    for (i = 0; i < 150; i++) {
        snprintf(name, sizeof name, "n%d", i);
        make(name, "");
    }
    assert_false(yl_watch_class_has_news(class, position));
    for (i = 0; i < 150; i++) {
        snprintf(name, sizeof name, "m%d", i);
        make(name, "");
    }
    now = make("b", "\"x\":\"\"");
    assert_true(yl_watch_class_has_news(class, position));
    assert_int_equal(frame_at(class, position), now);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(only_the_newest_frames_are_kept)
{
    struct yl_watch_class *class;
    struct yl_watch_frame *frame;
    uint64_t first, last = 0, position, revision;
    char name[16];
    int i;

    start();
    first = make("a", "");
    class = join(MAPS, first);
    for (i = 0; i < YL_WATCH_FRAMES + 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        last = make(name, "");
        assert_int_equal(frame_at(class, (uint64_t) i), last);
    }
    assert_int_equal(yl_watch_class_read(class, 0, &frame, 1, &revision),
                     YL_EEXPIRED);
    assert_int_equal(yl_watch_class_read(class, 9, &frame, 1, &revision),
                     YL_EEXPIRED);
    assert_int_equal(frame_at(class, 10), first + 11);
    assert_false(yl_watch_class_find(class, first + 9, &position));
    assert_true(yl_watch_class_find(class, first + 10, &position));
    assert_int_equal(position, 10);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(frames_have_a_ceiling_but_the_newest_is_there)
{
    size_t size = YL_WATCH_BYTES * 7 / 10;
    struct yl_watch_class *class;
    struct yl_watch_frame *frame;
    struct yl_buf body;
    uint64_t revision, now;

    start();
    now = make("a", "");
    class = join(MAPS, now);
    yl_buf_init(&body, 4 << 20);
    yl_buf_printf(&body, "{\"metadata\":{\"name\":\"b\"},\"data\":{\"x\":\"");
    memset(yl_buf_reserve(&body, size), 'x', size);
    yl_buf_commit(&body, size);
    yl_buf_append_c(&body, "\"}}");
    assert_int_equal(api("POST", MAPS, yl_buf_c_str(&body)), 201);
    yl_buf_release(&body);
    frame_at(class, 0);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(api("PATCH", MAPS "/b", "{\"data\":{\"y\":\"\"}}"), 200);
    frame_at(class, 1);
    assert_int_equal(yl_watch_class_read(class, 0, &frame, 1, &revision),
                     YL_EEXPIRED);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(a_class_that_lost_the_log_says_so)
{
    const struct yl_api_resource *maps;
    struct yl_watch_class *class;
    struct yl_watch_frame *frame;
    uint64_t now, position, revision;

    start();
    maps = yl_registry_builtin(rig.server->registry, "", "configmaps");
    now = make("a", "");
    class = join(MAPS, now);
    assert_true(yl_watch_class_find(class, now, &position));
    make("b", "");
    make("c", "");
    yl_clock_fake_advance(rig.clock, 10 * 60 * 1000);
    make("d", "");
    while (yl_ks_oldest(maps->objects) <= now + 1) {
        usleep(50);
    }
    assert_true(yl_watch_class_has_news(class, position));
    assert_int_equal(yl_watch_class_read(class, position, &frame, 1,
                                         &revision), YL_EEXPIRED);
    assert_false(yl_watch_class_find(class, now, &position));
    assert_null(join(MAPS "?labelSelector=x", now));
    yl_watch_class_leave(classes, class);
    rig_close();
}
