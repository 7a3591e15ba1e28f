/* Fuzzes the readers of an API server's answers: a list of objects, the frame
 * of a watch, a Status. */

#include "fuzz.h"

#include "base/buf.h"
#include "object/object.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/listwatch.h"
#include "yuloh/object.h"
#include "yuloh/object_list.h"
#include "yuloh/status.h"

static void check_list(struct yl_str text);
static int read_list(struct yl_str text, size_t piece, struct yl_buf *items);
static int take_item(void *aux, struct yl_object *item);
static void check_frame(struct yl_str text);
static void check_status(struct yl_arena *, struct yl_str text);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();

    check_list(text);
    check_frame(text);
    check_status(arena, text);
    yl_arena_free(arena);
    return 0;
}

/* The items must not depend on how the text is cut into pieces. */
static void
check_list(struct yl_str text)
{
    struct yl_buf whole, pieces;
    int r;

    yl_buf_init(&whole, SIZE_MAX / 2);
    yl_buf_init(&pieces, SIZE_MAX / 2);
    r = read_list(text, SIZE_MAX, &whole);
    CHECK(read_list(text, 1 + text.size % 17, &pieces) == r);
    CHECK(yl_str_equal(yl_buf_str(&whole), yl_buf_str(&pieces)));
    yl_buf_release(&whole);
    yl_buf_release(&pieces);
}

static int
read_list(struct yl_str text, size_t piece, struct yl_buf *items)
{
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(NULL, take_item, items);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_list_page meta;
    int r = 0;

    while (text.size && r == 0) {
        size_t n = piece < text.size ? piece : text.size;

        r = yl_object_list_reader_feed(reader, yl_str_n(text.data, n), &err);
        text = yl_str_skip(text, n);
    }
    if (r == 0) {
        r = yl_object_list_reader_finish(reader, &meta, &err);
    }
    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    yl_object_list_reader_free(reader);
    return r;
}

static int
take_item(void *aux, struct yl_object *item)
{
    struct yl_buf *items = aux;

    yl_object_write(item, NULL, items);
    yl_buf_append_char(items, '\n');
    yl_object_unref(item);
    return 0;
}

/* An event must have an object exactly if its type says so, and that object
 * must be the frame's. */
static void
check_frame(struct yl_str text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_watch_event event;
    struct yl_object *object;
    struct yl_json value;
    int r = yl_watch_event_parse(text, NULL, &event, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    if (r < 0) {
        return;
    }
    CHECK((event.object != NULL) == (event.type <= YL_WATCH_DELETED));
    CHECK((event.error.code != 0) == (event.type == YL_WATCH_ERROR));
    value = yl_json_get(yl_json(text), YL_STR("type"));
    if (yl_json_validate(text, NULL, NULL) == 0) {
        CHECK(yl_json_string_is(value,
                                yl_str_c(yl_watch_type_name(event.type))));
    }
    if (event.object) {
        value = yl_json_get(yl_json(text), YL_STR("object"));
        CHECK(yl_object_ingest(yl_json_raw(value), NULL, &object, NULL) == 0);
        CHECK(yl_object_equal(object, event.object));
        CHECK(yl_object_revision(object) == event.revision);
        yl_object_unref(object);
    }
    yl_watch_event_clear(&event);
}

/* A Status that was read and written must be JSON, and read the same again. */
static void
check_status(struct yl_arena *arena, struct yl_str text)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_status again = YL_STATUS_INIT;
    struct yl_str json;

    if (yl_status_parse(text, &status, NULL) == 0) {
        json = yl_status_json(&status, arena);
        CHECK(yl_status_parse(json, &again, NULL) == 0);
        CHECK(again.error.code == status.error.code);
        CHECK(yl_status_http(&again) == yl_status_http(&status));
        CHECK(yl_str_equal(yl_status_json(&again, arena), json));
    }
    yl_status_clear(&status);
    yl_status_clear(&again);
}
