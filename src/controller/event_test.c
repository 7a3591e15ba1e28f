/* Tests of controller/event.h. */

#include "controller/event.h"

#include "base/arena.h"
#include "unit.h"

static const struct yl_event_subject subject = {
    .api_version = YL_STR_INIT("v1"), .kind = YL_STR_INIT("Pod"),
    .key = { YL_STR_INIT("d"), YL_STR_INIT("web") },
    .uid = YL_STR_INIT("u"), .revision = 5,
    .field_path = YL_STR_INIT("spec.containers[2]"),
};

static const struct yl_event_source source = {
    YL_STR_INIT("test"), YL_STR_INIT("host"),
};

static struct yl_event *
event_of(const struct yl_event_subject *s, const char *message)
{
    return yl_event_new(s, YL_STR("Normal"), YL_STR("Started"),
                        yl_str_c(message),
                        (struct yl_time) { 1000, 500 });
}

TEST(the_json_of_an_event)
{
    struct yl_event *event = event_of(&subject, "some \"words\"\n\xff");
    struct yl_event_series series = {
        "web.1", 1, { 1000, 500 }, event->message,
    };
    struct yl_arena arena;

    yl_arena_init(&arena);
    assert_str_equal(
        yl_event_json(event, &source, &series, &arena),
        "{\"apiVersion\":\"v1\",\"kind\":\"Event\","
        "\"metadata\":{\"name\":\"web.1\",\"namespace\":\"d\"},"
        "\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"d\","
        "\"name\":\"web\",\"uid\":\"u\",\"apiVersion\":\"v1\","
        "\"resourceVersion\":\"5\",\"fieldPath\":\"spec.containers[2]\"},"
        "\"reason\":\"Started\","
        "\"message\":\"some \\\"words\\\"\\n\xef\xbf\xbd\","
        "\"source\":{\"component\":\"test\",\"host\":\"host\"},"
        "\"firstTimestamp\":\"1970-01-01T00:16:40Z\","
        "\"lastTimestamp\":\"1970-01-01T00:16:40Z\","
        "\"count\":1,\"type\":\"Normal\","
        "\"reportingComponent\":\"test\",\"reportingInstance\":\"host\"}");
    series.count = 7;
    assert_str_equal(
        yl_event_patch(event, &series, &arena),
        "{\"count\":7,\"lastTimestamp\":\"1970-01-01T00:16:40Z\","
        "\"message\":\"some \\\"words\\\"\\n\xef\xbf\xbd\"}");
    yl_arena_release(&arena);
    free(event);
}

TEST(an_event_about_no_namespace_is_in_default)
{
    struct yl_event_subject node = {
        .kind = YL_STR("Node"), .key = { YL_STR(""), YL_STR("n") },
    };
    struct yl_event *event = event_of(&node, "m");
    struct yl_event_series series = { "n.1", 1, { 1, 0 }, event->message };
    struct yl_event_source nobody = { YL_STR("c"), YL_STR("") };
    struct yl_arena arena;

    yl_arena_init(&arena);
    assert_str_equal(yl_event_namespace(event), "default");
    assert_non_null(strstr(
        yl_event_json(event, &nobody, &series, &arena).data,
        "\"involvedObject\":{\"kind\":\"Node\",\"name\":\"n\"}"));
    yl_arena_release(&arena);
    free(event);
}

TEST(the_name_is_the_subjects_and_the_time)
{
    struct yl_event *event = event_of(&subject, "m");
    char name[YL_EVENT_NAME_SIZE];

    yl_event_name(event, name);
    assert_string_equal(name, "web.e8d4a511f4");
    free(event);
}

TEST(a_name_that_would_be_none_is_a_uuid)
{
    static const char *const names[] = { "system:masters", "A", "a/b", "" };
    char long_name[300], name[YL_EVENT_NAME_SIZE];
    struct yl_event_subject s = subject;
    struct yl_event *event;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        s.key.name = yl_str_c(names[i]);
        event = event_of(&s, "m");
        yl_event_name(event, name);
        assert_int_equal(strlen(name), 36);
        free(event);
    }
    memset(long_name, 'a', sizeof long_name);
    s.key.name = yl_str_n(long_name, sizeof long_name);
    event = event_of(&s, "m");
    yl_event_name(event, name);
    assert_int_equal(strlen(name), 36);
    free(event);
}

TEST(a_long_message_is_cut_between_characters)
{
    char message[YL_EVENT_MAX_MESSAGE + 100];
    struct yl_event *event;

    memset(message, 'a', sizeof message);
    memcpy(message + YL_EVENT_MAX_MESSAGE - 1, "\xc3\xa4", 2);
    message[sizeof message - 1] = '\0';
    event = event_of(&subject, message);
    assert_int_equal(event->message.size, YL_EVENT_MAX_MESSAGE - 1);
    free(event);
}

TEST(the_subject_of_an_object)
{
    struct yl_versioned object = { NULL, 9 };
    struct yl_type_meta type = { YL_STR("v1"), YL_STR("Pod") };
    struct yl_event_subject s;

    assert_int_equal(yl_object_ingest(
        YL_STR("{\"metadata\":{\"name\":\"a\",\"namespace\":\"b\","
               "\"uid\":\"c\"}}"), NULL, &object.object, NULL), 0);
    s = yl_event_subject_of(type, object);
    assert_str_equal(s.kind, "Pod");
    assert_str_equal(s.api_version, "v1");
    assert_str_equal(s.key.name, "a");
    assert_str_equal(s.key.namespace_, "b");
    assert_str_equal(s.uid, "c");
    assert_int_equal(s.revision, 9);
    yl_object_unref(object.object);
}
