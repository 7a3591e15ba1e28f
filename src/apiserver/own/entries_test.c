/* Tests of the entries of managedFields. */

#include "apiserver/own/entries.h"

#include "base/buf.h"
#include "json/member.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define ENTRY(REST)                                                           \
    "{\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"        \
    "{\"f:a\":{}}," REST "}"
#define UPDATE "\"operation\":\"Update\""
#define APPLY "\"operation\":\"Apply\""
#define TIME(S) ",\"time\":\"2026-01-01T00:00:" S "Z\""

static int
read(struct yl_arena *arena, const char *text, struct yl_managers *managers,
     struct yl_error *err)
{
    struct yl_node *list;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &list, NULL),
                     0);
    return yl_entries_read(arena, list, managers, err);
}

/* What is read from 'text' is written as 'written'. */
static void
check(const char *text, const char *written)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_managers managers;
    struct yl_node *object = yl_node_new_object(arena);
    struct yl_buf buf;

    assert_int_equal(read(arena, text, &managers, NULL), 0);
    yl_member_make(arena, object, "metadata");
    yl_entries_set(arena, object, &managers);
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, yl_node_get(yl_member_object(object, "metadata"),
                                    YL_STR("managedFields")));
    assert_string_equal(yl_buf_c_str(&buf), written);
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

static void
check_refused(const char *text, const char *message)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_managers managers;

    assert_true(read(arena, text, &managers, &err) < 0);
    assert_string_equal(yl_error_message(&err), message);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(entries_are_written_in_upstreams_order)
{
    check("[" ENTRY("\"manager\":\"z\"," UPDATE TIME("01")) ","
          ENTRY("\"manager\":\"y\"," UPDATE TIME("00")) ","
          ENTRY("\"manager\":\"x\"," UPDATE TIME("00")) ","
          ENTRY("\"manager\":\"w\"," APPLY TIME("02")) ","
          ENTRY("\"manager\":\"v\"," UPDATE
                ",\"subresource\":\"status\"") "]",
          "[" ENTRY("\"manager\":\"w\"," APPLY TIME("02")) ","
          ENTRY("\"manager\":\"v\"," UPDATE
                ",\"subresource\":\"status\"") ","
          ENTRY("\"manager\":\"x\"," UPDATE TIME("00")) ","
          ENTRY("\"manager\":\"y\"," UPDATE TIME("00")) ","
          ENTRY("\"manager\":\"z\"," UPDATE TIME("01")) "]");
}

TEST(times_are_cut_to_seconds_in_utc)
{
    check("[" ENTRY("\"manager\":\"m\"," UPDATE
                    ",\"time\":\"2026-01-01T02:00:00.5+02:00\"") "]",
          "[" ENTRY("\"manager\":\"m\"," UPDATE TIME("00")) "]");
    check("[" ENTRY("\"manager\":\"m\"," UPDATE ",\"time\":null") "]",
          "[" ENTRY("\"manager\":\"m\"," UPDATE) "]");
}

TEST(the_last_entry_of_a_manager_counts)
{
    struct yl_buf many;
    int i;

    check("[" ENTRY("\"manager\":\"m\"," UPDATE TIME("01")) ","
          ENTRY("\"manager\":\"m\"," UPDATE TIME("00")) "]",
          "[" ENTRY("\"manager\":\"m\"," UPDATE TIME("00")) "]");
    yl_buf_init(&many, SIZE_MAX);
    for (i = 0; i < 60; i++) {
        yl_buf_append_char(&many, i ? ',' : '[');
        yl_buf_append_c(&many,
                        ENTRY("\"manager\":\"m\"," UPDATE TIME("01")));
    }
    yl_buf_append_c(&many, "," ENTRY("\"manager\":\"m\"," UPDATE TIME("00"))
                    "]");
    check(yl_buf_c_str(&many),
          "[" ENTRY("\"manager\":\"m\"," UPDATE TIME("00")) "]");
    yl_buf_release(&many);
}

TEST(what_tells_managers_apart)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_managers m;

    /* Not the version, if something was applied. */
    assert_int_equal(read(arena, "["
        "{\"manager\":\"m\"," APPLY ",\"apiVersion\":\"v1\","
        "\"fieldsType\":\"FieldsV1\"},"
        "{\"manager\":\"m\"," APPLY ",\"apiVersion\":\"v2\","
        "\"fieldsType\":\"FieldsV1\"},"
        "{\"manager\":\"m\"," UPDATE ",\"apiVersion\":\"v1\","
        "\"fieldsType\":\"FieldsV1\"},"
        "{\"manager\":\"m\"," UPDATE ",\"apiVersion\":\"v2\","
        "\"fieldsType\":\"FieldsV1\"},"
        "{\"manager\":\"m\"," UPDATE ",\"apiVersion\":\"v2\","
        "\"fieldsType\":\"FieldsV1\",\"subresource\":\"status\"}]", &m,
        NULL), 0);
    assert_int_equal(m.n, 4);
    assert_str_equal(m.items[0].key,
                     "{\"manager\":\"m\",\"operation\":\"Apply\"}");
    assert_str_equal(m.items[0].version, "v2");
    assert_str_equal(m.items[3].key,
                     "{\"manager\":\"m\",\"operation\":\"Update\","
                     "\"apiVersion\":\"v2\",\"subresource\":\"status\"}");
    yl_arena_free(arena);
}

TEST(entries_that_are_not_valid)
{
    check_refused("[{}]", "operation must be `Apply` or `Update`");
    check_refused("[{\"operation\":\"Other\"}]",
                  "operation must be `Apply` or `Update`");
    check_refused("[{" UPDATE "}]", "apiVersion must not be empty");
    check_refused("[{" UPDATE ",\"apiVersion\":\"v1\"}]",
                  "missing fieldsType in managed fields entry 0");
    check_refused("[" ENTRY(UPDATE) ",{" UPDATE ",\"apiVersion\":\"v1\","
                  "\"fieldsType\":\"FieldsV2\"}]",
                  "invalid fieldsType \"FieldsV2\" in managed fields entry "
                  "1");
}

TEST(no_entries_are_no_member)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_managers managers;
    struct yl_node *object;

    assert_int_equal(yl_tree_parse(arena, YL_STR(
        "{\"metadata\":{\"managedFields\":[1]}}"), NULL, &object, NULL), 0);
    assert_int_equal(yl_entries_read(arena, NULL, &managers, NULL), 0);
    assert_int_equal(managers.n, 0);
    yl_entries_set(arena, object, &managers);
    assert_int_equal(yl_member_object(object, "metadata")->n, 0);
    yl_arena_free(arena);
}

TEST(what_was_written_can_be_read_before_it_is_stored)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = yl_node_new_object(arena);
    struct yl_managers managers;

    assert_int_equal(read(arena, "[" ENTRY("\"manager\":\"m\"," UPDATE) "]",
                          &managers, NULL), 0);
    yl_entries_set(arena, object, &managers);
    assert_int_equal(yl_entries_read(arena, yl_member_array(
        yl_member_object(object, "metadata"), "managedFields"), &managers,
        NULL), 0);
    assert_int_equal(managers.n, 1);
    assert_int_equal(yl_field_set_count(managers.items[0].set), 1);
    yl_arena_free(arena);
}
