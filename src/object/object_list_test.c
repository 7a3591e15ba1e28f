/* Lists: what is written is read again, in pieces of any size. */

#include "yuloh/object_list.h"

#include "object/object.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_ITEMS 8

struct items {
    struct yl_object *items[MAX_ITEMS];
    size_t n;
    size_t at;                  /* For next_item(). */
    int fail;                   /* What take_item() returns. */
};

static int
take_item(void *items_, struct yl_object *object)
{
    struct items *items = items_;

    assert_true(items->n < MAX_ITEMS);
    items->items[items->n++] = object;
    return items->fail;
}

static const struct yl_object *
next_item(void *items_, uint64_t *revision)
{
    struct items *items = items_;

    assert_int_equal(*revision, 0);
    if (items->at == items->n) {
        return NULL;
    }
    if (items->at == 1) {
        *revision = 77;
    }
    return items->items[items->at++];
}

static void
release(struct items *items)
{
    while (items->n) {
        yl_object_unref(items->items[--items->n]);
    }
}

static void
add(struct items *items, const char *json)
{
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL,
                                      &items->items[items->n++], NULL), 0);
}

/* Reads 'json' in pieces of 'step' bytes. */
static int
read_list(struct yl_str json, size_t step, struct items *items,
          struct yl_list_page *meta, struct yl_error *err)
{
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(NULL, take_item, items);
    int r = 0;

    while (r == 0 && json.size) {
        size_t n = step < json.size ? step : json.size;

        r = yl_object_list_reader_feed(reader, yl_str_n(json.data, n), err);
        json = yl_str_skip(json, n);
    }
    if (r == 0) {
        struct yl_list_page found;

        r = yl_object_list_reader_finish(reader, &found, err);
        if (r == 0 && meta) {
            assert_true(found.continue_.size < 16);
            *meta = found;
            meta->continue_ = yl_str_null();
            if (found.continue_.size) {
                assert_str_equal(found.continue_, "to\"ken");
                meta->continue_ = YL_STR("to\"ken");
            }
        }
    }
    yl_object_list_reader_free(reader);
    return r;
}

static void
write_list(const struct yl_object_list_opts *opts, struct items *items,
           size_t step, struct yl_buf *buf)
{
    struct yl_object_list_writer *writer
        = yl_object_list_writer_new(opts, next_item, items);
    size_t n;

    items->at = 0;
    yl_buf_clear(buf);
    do {
        n = yl_object_list_writer_read(writer, yl_buf_reserve(buf, step),
                                       step);
        yl_buf_commit(buf, n);
    } while (n == step);
    assert_int_equal(yl_object_list_writer_read(writer, NULL, 0), 0);
    assert_int_equal(yl_object_list_writer_read(writer,
                                                yl_buf_reserve(buf, 1), 1), 0);
    yl_object_list_writer_free(writer);
}

TEST(lists_are_written_in_pieces_of_any_size)
{
    struct yl_object_list_opts opts = {
        .type = { YL_STR("v1"), YL_STR("PodList") },
        .meta = { 9, YL_STR("to\"ken"), 2 },
        .item.without_managed_fields = true,
    };
    struct items items = { .n = 0 };
    struct yl_buf buf;
    size_t step;

    add(&items, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\","
                "\"managedFields\":[],\"resourceVersion\":\"5\"},\"spec\":1}");
    add(&items, "{\"metadata\":{\"name\":\"b\"},\"spec\":\"]}\"}");
    yl_buf_init(&buf, 1 << 20);
    for (step = 1; step < 300; step++) {
        write_list(&opts, &items, step, &buf);
        assert_str_equal(
            yl_buf_str(&buf),
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{"
            "\"resourceVersion\":\"9\",\"continue\":\"to\\\"ken\","
            "\"remainingItemCount\":2},\"items\":[{\"metadata\":{"
            "\"resourceVersion\":\"5\",\"name\":\"a\"},\"spec\":1},"
            "{\"metadata\":{\"resourceVersion\":\"77\",\"name\":\"b\"},"
            "\"spec\":\"]}\"}]}");
    }
    opts.item.type.api_version = YL_STR("v1");
    opts.item.type.kind = YL_STR("Pod");
    opts.meta = (struct yl_list_page) { .revision = 0 };
    items.n--;
    yl_object_unref(items.items[1]);
    write_list(&opts, &items, 1000, &buf);
    assert_str_equal(
        yl_buf_str(&buf),
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},"
        "\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
        "\"resourceVersion\":\"5\",\"name\":\"a\"},\"spec\":1}]}");
    release(&items);
    write_list(&opts, &items, 1000, &buf);
    assert_str_equal(
        yl_buf_str(&buf),
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},"
        "\"items\":[]}");
    yl_buf_release(&buf);
    yl_object_list_writer_free(NULL);
}

TEST(items_do_not_depend_on_the_pieces)
{
    static const char json[] =
        " {\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\","
        "\"resourceVersion\":\"3\"},\"x\":\"]}\"} , {\"metadata\":{\"name\":"
        "\"b\"}}],\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":"
        "\"12\",\"remainingItemCount\":4,\"continue\":\"to\\u0022ken\"}}\n";
    size_t step;

    for (step = 1; step <= sizeof json; step++) {
        struct items items = { .n = 0 };
        struct yl_list_page meta;

        assert_int_equal(read_list(yl_str_c(json), step, &items, &meta, NULL),
                         0);
        assert_int_equal(items.n, 2);
        assert_str_equal(yl_object_name(items.items[0]), "a");
        assert_int_equal(yl_object_revision(items.items[0]), 3);
        assert_str_equal(yl_object_name(items.items[1]), "b");
        assert_int_equal(meta.revision, 12);
        assert_int_equal(meta.remaining, 4);
        assert_str_equal(meta.continue_, "to\"ken");
        release(&items);
    }
}

TEST(bytes_are_read_in_place)
{
    static const char json[] = "{\"kind\":\"List\",\"items\":[{},{}]}";
    struct items items = { .n = 0 };
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(NULL, take_item, &items);
    struct yl_list_page meta;

    memcpy(yl_object_list_reader_reserve(reader, 100), json,
           sizeof json - 1);
    assert_int_equal(yl_object_list_reader_commit(reader, sizeof json - 1,
                                                  NULL), 0);
    assert_int_equal(items.n, 2);
    assert_int_equal(yl_object_list_reader_finish(reader, &meta, NULL), 0);
    assert_int_equal(meta.revision, 0);
    yl_object_list_reader_free(reader);
    yl_object_list_reader_free(NULL);
    release(&items);
}

static void
assert_not_read(const char *json, int code, const char *message)
{
    size_t step;

    for (step = 1; step < 40; step += 13) {
        struct items items = { .n = 0 };
        struct yl_error err = YL_ERROR_INIT;
        int r = read_list(yl_str_c(json), step, &items, NULL, &err);

        if (r != code || !strstr(yl_error_message(&err), message)) {
            fail_msg("%s: %d %s", json, r, yl_error_message(&err));
        }
        assert_int_equal(err.code, code);
        release(&items);
        assert_int_equal(read_list(yl_str_c(json), step, &items, NULL, NULL),
                         code);
        release(&items);
        yl_error_clear(&err);
    }
}

TEST(status_in_place_of_a_list_is_its_error)
{
    assert_not_read("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                    "\"Failure\",\"reason\":\"Expired\",\"message\":\"old\"}",
                    YL_EEXPIRED, "old");
    assert_not_read("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                    "\"Success\"}", YL_ETYPE, "not a list");
    assert_not_read("{\"kind\":\"Status\",\"apiVersion\":\"v9\"}", YL_ETYPE,
                    "not a Status");
}

TEST(what_is_no_list_is_refused)
{
    struct items items = { .n = 0 };

    assert_not_read("{\"kind\":\"Pod\"}", YL_ETYPE, "not a list");
    assert_not_read("{\"kind\":\"PodList\",\"items\":[{}", YL_ETRUNCATED, "");
    assert_not_read("{\"kind\":\"PodList\",\"items\":[{]", YL_ESYNTAX, "");
    assert_not_read("{\"items\":[{\"metadata\":{\"name\":1}}]}", YL_ETYPE,
                    "item of a list: metadata.name is not a string");
    assert_not_read("{\"items\":[],\"metadata\":{\"resourceVersion\":\"x\"}}",
                    YL_EINVALID, "decimal");
    assert_not_read("", YL_ETRUNCATED, "");
    assert_int_equal(read_list(YL_STR("{\"kind\":\"PodList\"}"), 9, &items,
                               NULL, NULL), 0);
    assert_int_equal(read_list(YL_STR("{\"kind\":\"L\",\"items\":null}"), 9,
                               &items, NULL, NULL), 0);
}

TEST(errors_of_the_callee_end_the_reading)
{
    struct items items = { .fail = YL_ECANCELED };
    struct yl_object_opts opts = { .schema_generation = 3 };
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(&opts, take_item, &items);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_list_page meta;

    assert_int_equal(
        yl_object_list_reader_feed(reader, YL_STR("{\"items\":[{},{}]}"),
                                   &err), YL_ECANCELED);
    assert_int_equal(err.code, YL_ECANCELED);
    assert_int_equal(items.n, 1);
    assert_int_equal(yl_object_schema_generation(items.items[0]), 3);
    assert_int_equal(yl_object_list_reader_feed(reader, YL_STR(" "), &err),
                     YL_ECANCELED);
    assert_int_equal(yl_object_list_reader_finish(reader, &meta, &err),
                     YL_ECANCELED);
    yl_object_list_reader_free(reader);
    release(&items);
    yl_error_clear(&err);
}

TEST(after_an_error_the_reader_only_repeats_it)
{
    static const struct yl_object_opts opts = { .max_size = 1000 };
    const size_t piece = (size_t) 1 << 20;
    struct items items = { .n = 0 };
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(&opts, take_item, &items);
    struct yl_list_page meta;
    int i;

    assert_int_equal(yl_object_list_reader_feed(reader, YL_STR("x"), NULL),
                     YL_ESYNTAX);

    /* However much still comes, and however it comes. */
    for (i = 0; i < 10; i++) {
        memset(yl_object_list_reader_reserve(reader, piece), '{', piece);
        assert_int_equal(yl_object_list_reader_commit(reader, piece, NULL),
                         YL_ESYNTAX);
        assert_int_equal(yl_object_list_reader_feed(reader, YL_STR("{}"),
                                                    NULL), YL_ESYNTAX);
    }
    assert_int_equal(yl_object_list_reader_finish(reader, &meta, NULL),
                     YL_ESYNTAX);
    assert_int_equal(items.n, 0);
    yl_object_list_reader_free(reader);
}

TEST(any_limit_is_a_limit)
{
    static const struct yl_object_opts opts = { .max_size = SIZE_MAX };
    struct items items = { .n = 0 };
    struct yl_object_list_reader *reader
        = yl_object_list_reader_new(&opts, take_item, &items);

    assert_int_equal(yl_object_list_reader_feed(
                         reader, YL_STR("{\"items\":[{}]}"), NULL), 0);
    assert_int_equal(items.n, 1);
    yl_object_list_reader_free(reader);
    release(&items);
}
