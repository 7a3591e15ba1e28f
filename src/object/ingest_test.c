/* From bytes to blocks: facts, order, white space, and bytes that are no
 * object. */

#include "object/object.h"

#include "base/arena.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static const char pod[] =
    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{"
    "\"name\":\"web-0\",\"generateName\":\"web-\",\"namespace\":\"default\","
    "\"uid\":\"7b-1\",\"resourceVersion\":\"4711\",\"generation\":3,"
    "\"creationTimestamp\":\"2026-01-31T12:00:00Z\","
    "\"labels\":{\"app\":\"web\",\"x\":\"}{\"},"
    "\"annotations\":{\"note\":\"a\\\"b\"},"
    "\"ownerReferences\":[{\"uid\":\"o1\",\"controller\":true}],"
    "\"finalizers\":[\"example.com/f\"],"
    "\"managedFields\":[{\"manager\":\"m\"}]},"
    "\"spec\":{\"nodeName\":\"n1\",\"list\":[1,2,{\"a\":[]}]},"
    "\"status\":{\"phase\":\"Running\"}}";

/* Ingests a copy that ends where its allocation ends, so that a read outside
 * is seen by a sanitizer. */
static int
ingest_n(const char *json, size_t size, const struct yl_object_opts *opts,
         struct yl_object **ret_object, struct yl_error *err)
{
    char *copy = malloc(size ? size : 1);
    int r;

    memcpy(copy, json, size);
    r = yl_object_ingest(yl_str_n(copy, size), opts, ret_object, err);
    free(copy);
    return r;
}

static struct yl_object *
ingest(const char *json)
{
    struct yl_object *object = NULL;
    struct yl_error err = YL_ERROR_INIT;

    if (ingest_n(json, strlen(json), NULL, &object, &err) < 0) {
        fail_msg("%s: %s", json, yl_error_message(&err));
    }
    return object;
}

static void
assert_text(const char *json, const char *text)
{
    struct yl_object *object = ingest(json);

    assert_str_equal(yl_str_n(object->text, object->size), text);
    yl_object_unref(object);
}

static void
assert_refused(const char *json, int code, const char *message)
{
    struct yl_object *object = (void *) 1;
    struct yl_error err = YL_ERROR_INIT;
    int r = ingest_n(json, strlen(json), NULL, &object, &err);

    if (r != code || err.code != code
        || !strstr(yl_error_message(&err), message)) {
        fail_msg("%s: %d %s", json, r, yl_error_message(&err));
    }
    assert_ptr_equal(object, (void *) 1);
    assert_int_equal(ingest_n(json, strlen(json), NULL, &object, NULL), code);
    yl_error_clear(&err);
}

static void
assert_facts_of_pod(const struct yl_object *o)
{
    struct yl_arena *arena = yl_arena_new();

    assert_str_equal(yl_object_name(o), "web-0");
    assert_str_equal(yl_object_namespace(o), "default");
    assert_str_equal(yl_object_uid(o), "7b-1");
    assert_str_equal(yl_object_created(o), "2026-01-31T12:00:00Z");
    assert_int_equal(yl_object_generation(o), 3);
    assert_int_equal(yl_object_revision(o), 4711);
    assert_false(yl_object_is_deleting(o));
    assert_true(yl_object_label_is(o, YL_STR("app"), YL_STR("web")));
    assert_true(yl_object_label_is(o, YL_STR("x"), YL_STR("}{")));
    assert_true(yl_json_string_is(yl_json_get(yl_object_annotations(o, arena),
                                              YL_STR("note")),
                                  YL_STR("a\"b")));
    yl_arena_free(arena);
    assert_int_equal(yl_json_count(yl_object_owners(o)), 1);
    assert_int_equal(yl_json_count(yl_object_finalizers(o)), 1);
    assert_true(o->managed_fields > 0);
}

TEST(facts_are_found)
{
    struct yl_object *o = ingest(pod);

    assert_facts_of_pod(o);
    assert_false(yl_object_is_canonical(o));
    assert_int_equal(yl_object_schema_generation(o), 0);
    yl_object_unref(o);
}

TEST(body_has_metadata_first_and_managed_fields_last)
{
    assert_text("{\"spec\":{\"a\":1},\"apiVersion\":\"v1\",\"metadata\":{"
                "\"managedFields\":[1],\"name\":\"n\",\"resourceVersion\":"
                "\"7\",\"uid\":\"u\"},\"kind\":\"K\",\"status\":{}}",
                "{\"name\":\"n\",\"uid\":\"u\",\"managedFields\":[1]},"
                "\"spec\":{\"a\":1},\"status\":{}}");
}

TEST(body_of_objects_with_little_in_them)
{
    assert_text("{}", "{}}");
    assert_text(" { } ", "{}}");
    assert_text("{\"a\":1}", "{},\"a\":1}");
    assert_text("{\"metadata\":{}}", "{}}");
    assert_text("{\"metadata\":null,\"a\":1}", "{},\"a\":1}");
    assert_text("{\"kind\":\"K\"}", "{}}");
    assert_text("{\"kind\":null,\"apiVersion\":null}", "{}}");
    assert_text("{\"metadata\":{\"resourceVersion\":\"1\"}}", "{}}");
    assert_text("{\"metadata\":{\"resourceVersion\":null},\"a\":1}",
                "{},\"a\":1}");
    assert_text("{\"metadata\":{\"managedFields\":[]}}",
                "{\"managedFields\":[]}}");
    assert_text("{\"metadata\":{\"name\":\"\"}}", "{\"name\":\"\"}}");
    assert_text("{\"a\":1,\"kind\":\"K\",\"b\":2,\"apiVersion\":\"v\",\"c\":3,"
                "\"metadata\":{\"a\":1,\"resourceVersion\":\"1\",\"b\":2,"
                "\"managedFields\":null,\"c\":3},\"d\":4}",
                "{\"a\":1,\"b\":2,\"c\":3,\"managedFields\":null},"
                "\"a\":1,\"b\":2,\"c\":3,\"d\":4}");
}

TEST(absent_facts_are_null)
{
    struct yl_object *o = ingest("{\"metadata\":{\"name\":null,\"labels\":"
                                 "null,\"generation\":null,"
                                 "\"deletionTimestamp\":null}}");

    assert_true(yl_str_is_null(yl_object_name(o)));
    assert_true(yl_str_is_null(yl_object_namespace(o)));
    assert_false(yl_json_exists(yl_object_labels(o)));
    assert_false(yl_json_exists(yl_object_owners(o)));
    assert_int_equal(yl_object_generation(o), 0);
    assert_int_equal(yl_object_revision(o), 0);
    assert_false(yl_object_is_deleting(o));
    yl_object_unref(o);

    o = ingest("{\"metadata\":{\"name\":\"\"}}");
    assert_false(yl_str_is_null(yl_object_name(o)));
    assert_str_equal(yl_object_name(o), "");
    yl_object_unref(o);

    o = ingest("{\"metadata\":{\"deletionTimestamp\":\"2026\"}}");
    assert_true(yl_object_is_deleting(o));
    yl_object_unref(o);
}

TEST(facts_are_plain_whatever_the_text_had)
{
    struct yl_object *o = ingest(
        "{\"m\\u0065tadata\":{\"n\\u0061me\":\"we\\u0062\\n\\\"\","
        "\"uid\":\"\\u0031\",\"namespace\":\"plain\",\"x\":1,"
        "\"resourceV\\u0065rsion\":\"5\"},\"k\\u0069nd\":\"K\"}");

    assert_str_equal(yl_object_name(o), "web\n\"");
    assert_str_equal(yl_object_uid(o), "1");
    assert_str_equal(yl_object_namespace(o), "plain");
    assert_int_equal(yl_object_revision(o), 5);
    assert_str_equal(yl_str_n(o->text, o->size),
                     "{\"n\\u0061me\":\"we\\u0062\\n\\\"\","
                     "\"uid\":\"\\u0031\",\"namespace\":\"plain\",\"x\":1}}");
    assert_int_equal(yl_object_footprint(o),
                     sizeof *o + o->size + 6 + 3 * 4 + 8);
    yl_object_unref(o);
    assert_refused("{\"metadata\":{\"name\":\"\\q\"}}", YL_ESYNTAX, "");
    assert_refused("{\"metadata\":{\"uid\":\"\\ud800\"}}", YL_ESYNTAX, "");
}

TEST(what_is_not_an_object_is_refused)
{
    assert_refused("", YL_ETRUNCATED, "");
    assert_refused("  ", YL_ETRUNCATED, "");
    assert_refused("[]", YL_ETYPE, "must be a JSON object");
    assert_refused("\"x\"", YL_ETYPE, "must be a JSON object");
    assert_refused("null", YL_ETYPE, "must be a JSON object");
    assert_refused("x", YL_ESYNTAX, "");
    assert_refused("{} x", YL_ESYNTAX, "");
    assert_refused("{}{}", YL_ESYNTAX, "");
    assert_refused("{,}", YL_ESYNTAX, "");
    assert_refused("{\"a\":1,}", YL_ESYNTAX, "");
    assert_refused("{\"a\" 1}", YL_ESYNTAX, "");
    assert_refused("{\"a\":}", YL_ESYNTAX, "");
    assert_refused("{\"a\":1 \"b\":2}", YL_ESYNTAX, "");
    assert_refused("{a:1}", YL_ESYNTAX, "");
    assert_refused("{\"metadata\":{,}}", YL_ESYNTAX, "");
    assert_refused("{\"metadata\":{\"a\":1]}", YL_ESYNTAX, "");
    assert_refused("{\"metadata\":{\"a\":\"}}", YL_ETRUNCATED, "");
    assert_int_equal(yl_object_ingest(yl_str_null(), NULL, NULL, NULL),
                     YL_ETRUNCATED);
}

TEST(facts_of_another_type_are_refused)
{
    assert_refused("{\"metadata\":[]}", YL_ETYPE, "metadata is not an object");
    assert_refused("{\"metadata\":\"x\"}", YL_ETYPE, "metadata is not");
    assert_refused("{\"kind\":1}", YL_ETYPE, "kind is not a string");
    assert_refused("{\"apiVersion\":{}}", YL_ETYPE, "apiVersion is not");
    assert_refused("{\"metadata\":{\"name\":1}}", YL_ETYPE,
                   "metadata.name is not a string");
    assert_refused("{\"metadata\":{\"labels\":[]}}", YL_ETYPE,
                   "metadata.labels is not an object");
    assert_refused("{\"metadata\":{\"finalizers\":{}}}", YL_ETYPE,
                   "metadata.finalizers is not an array");
    assert_refused("{\"metadata\":{\"generation\":\"1\"}}", YL_ETYPE,
                   "metadata.generation is not an integer");
    assert_refused("{\"metadata\":{\"generation\":1.5}}", YL_ETYPE,
                   "metadata.generation is not an integer");
    assert_refused("{\"metadata\":{\"managedFields\":1}}", YL_ETYPE,
                   "metadata.managedFields is not an array");
    assert_refused("{\"metadata\":{\"resourceVersion\":1}}", YL_ETYPE,
                   "metadata.resourceVersion is not a string");
}

TEST(resource_version_is_a_plain_decimal_number)
{
    struct yl_object *o;

    assert_refused("{\"metadata\":{\"resourceVersion\":\"x\\n\"}}",
                   YL_EINVALID, "leading zeros: \"x\\\\n\"");
    assert_refused("{\"metadata\":{\"resourceVersion\":\"01\"}}", YL_EINVALID,
                   "leading zeros");
    assert_refused("{\"metadata\":{\"resourceVersion\":\"00\"}}", YL_EINVALID,
                   "leading zeros");
    assert_refused("{\"metadata\":{\"resourceVersion\":\"-1\"}}", YL_EINVALID,
                   "leading zeros");
    assert_refused("{\"metadata\":{\"resourceVersion\":"
                   "\"18446744073709551616\"}}", YL_EINVALID, "");

    o = ingest("{\"metadata\":{\"resourceVersion\":"
               "\"18446744073709551615\"}}");
    assert_true(yl_object_revision(o) == UINT64_MAX);
    yl_object_unref(o);
    o = ingest("{\"metadata\":{\"resourceVersion\":\"\"}}");
    assert_true(yl_object_revision(o) == 0);
    yl_object_unref(o);
    o = ingest("{\"metadata\":{\"resourceVersion\":\"0\"}}");
    assert_true(yl_object_revision(o) == 0);
    yl_object_unref(o);
}

TEST(repeated_facts_are_refused)
{
    assert_refused("{\"kind\":\"A\",\"kind\":\"A\"}", YL_EDUPLICATE,
                   "kind is there twice");
    assert_refused("{\"apiVersion\":\"A\",\"apiVersion\":null}", YL_EDUPLICATE,
                   "apiVersion");
    assert_refused("{\"metadata\":{},\"metad\\u0061ta\":{}}", YL_EDUPLICATE,
                   "metadata");
    assert_refused("{\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}",
                   YL_EDUPLICATE, "name");
    assert_refused("{\"metadata\":{\"resourceVersion\":\"1\","
                   "\"resourceVersion\":\"1\"}}", YL_EDUPLICATE,
                   "resourceVersion");
    assert_refused("{\"metadata\":{\"managedFields\":[],"
                   "\"managedFields\":[]}}", YL_EDUPLICATE, "managedFields");
    assert_text("{\"spec\":1,\"spec\":2}", "{},\"spec\":1,\"spec\":2}");
}

TEST(type_is_reported_and_checked)
{
    struct yl_type_meta type;
    struct yl_object_opts opts = { .ret_type = &type };
    struct yl_object *o = NULL;
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_object_ingest(yl_str_c(pod), &opts, &o, NULL), 0);
    assert_str_equal(type.api_version, "v1");
    assert_str_equal(type.kind, "Pod");
    assert_ptr_equal(type.kind.data, strstr(pod, "Pod"));
    yl_object_unref(o);

    assert_int_equal(yl_object_ingest(YL_STR("{}"), &opts, &o, NULL), 0);
    assert_true(yl_str_is_null(type.kind));
    assert_true(yl_str_is_null(type.api_version));
    yl_object_unref(o);

    /* A slice of the text cannot be plain if the text has escapes. */
    assert_int_equal(yl_object_ingest(YL_STR("{\"kind\":\"P\\u006fd\"}"),
                                      &opts, &o, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "kind has escapes");

    opts.ret_type = NULL;
    opts.expect.kind = YL_STR("Pod");
    opts.expect.api_version = YL_STR("v1");
    opts.schema_generation = 9;
    assert_int_equal(yl_object_ingest(YL_STR("{\"kind\":\"P\\u006fd\"}"),
                                      &opts, &o, NULL), 0);
    assert_int_equal(yl_object_schema_generation(o), 9);
    yl_object_unref(o);
    assert_int_equal(yl_object_ingest(YL_STR("{\"kind\":\"Node\"}"), &opts,
                                      &o, &err), YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err),
                        "kind is \"Node\", expected \"Pod\"");
    assert_int_equal(yl_object_ingest(YL_STR("{\"apiVersion\":\"v2\"}"), &opts,
                                      &o, &err), YL_EBADREQUEST);
    yl_error_clear(&err);
}

TEST(size_has_a_ceiling)
{
    struct yl_object_opts opts = { .max_size = 10 };
    struct yl_object *o;
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(ingest_n("{\"a\":12}  ", 10, &opts, &o, NULL), 0);
    yl_object_unref(o);
    assert_int_equal(ingest_n("{\"a\":12}   ", 11, &opts, &o, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "object of 11 bytes exceeds the limit of 10");

    opts.max_size = SIZE_MAX;
    assert_int_equal(yl_object_ingest(yl_str_n("", ((size_t) 1 << 30) + 1),
                                      &opts, &o, &err), YL_ETOOBIG);
    yl_error_clear(&err);
}

TEST(truncation_at_every_byte_is_an_error)
{
    size_t size = strlen(pod);
    struct yl_object *o = NULL;
    size_t i;

    for (i = 0; i < size; i++) {
        if (ingest_n(pod, i, NULL, &o, NULL) != YL_ETRUNCATED) {
            fail_msg("cut at %zu", i);
        }
    }
}

static unsigned
next_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16;
}

/* Writes 'node' with its members shuffled and white space everywhere. */
static void
write_shuffled(struct yl_buf *buf, const struct yl_node *node, unsigned *seed)
{
    static const char *const blanks[] = { "", "", " ", "\n", "\t\r ",
                                          "                    " };
    const struct yl_node *children[32], *child;
    bool object = node->type == YL_JSON_OBJECT;
    size_t n = 0, i;

    if (!object && node->type != YL_JSON_ARRAY) {
        yl_node_write(buf, node);
        return;
    }
    assert_true(node->n <= 32);
    YL_NODE_FOR_EACH (child, node) {
        children[n++] = child;
    }
    yl_buf_append_char(buf, object ? '{' : '[');
    for (i = 0; i < n; i++) {
        size_t j = object ? i + next_random(seed) % (n - i) : i;

        child = children[j];
        children[j] = children[i];
        yl_buf_append_c(buf, i ? "," : "");
        yl_buf_append_c(buf, blanks[next_random(seed) % 6]);
        if (object) {
            yl_buf_printf(buf, "\"%.*s\"", YL_STR_ARG(yl_node_key(child)));
            yl_buf_append_c(buf, blanks[next_random(seed) % 6]);
            yl_buf_append_char(buf, ':');
            yl_buf_append_c(buf, blanks[next_random(seed) % 6]);
        }
        write_shuffled(buf, child, seed);
        yl_buf_append_c(buf, blanks[next_random(seed) % 6]);
    }
    yl_buf_append_char(buf, object ? '}' : ']');
}

TEST(any_order_and_white_space_give_the_same_facts)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *plain = ingest(pod);
    struct yl_node *root;
    struct yl_buf buf;
    unsigned seed = 1;
    int i;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(pod), NULL, &root, NULL),
                     0);
    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < 2000; i++) {
        struct yl_object *o;

        yl_buf_clear(&buf);
        write_shuffled(&buf, root, &seed);
        assert_int_equal(ingest_n(buf.data, buf.size, NULL, &o, NULL), 0);
        assert_facts_of_pod(o);
        assert_true(o->text[o->metadata_end] == '}');
        assert_true(yl_object_equal(plain, o));
        yl_object_unref(o);
    }
    yl_buf_release(&buf);
    yl_object_unref(plain);
    yl_arena_free(arena);
}

TEST(any_bytes_are_safe)
{
    static const char alphabet[] = "{}[]\",:\\ x1n\0\x80";
    size_t size = strlen(pod);
    char *copy = malloc(size);
    unsigned seed = 7;
    int i, j;

    for (i = 0; i < 20000; i++) {
        struct yl_arena *arena;
        struct yl_object *o;

        memcpy(copy, pod, size);
        for (j = 0; j < 1 + i % 4; j++) {
            copy[next_random(&seed) % size] =
                alphabet[next_random(&seed) % (sizeof alphabet - 1)];
        }
        if (ingest_n(copy, size, NULL, &o, NULL) < 0) {
            continue;
        }
        arena = yl_arena_new();
        yl_object_label(o, YL_STR("x"), arena);
        yl_json_count(yl_object_owners(o));
        yl_json_raw(yl_object_field(o, arena, "status"));
        assert_true(yl_object_name(o).size < size);
        assert_true(yl_object_json(o, arena, NULL).size <= size + 2);
        yl_object_unref(o);
        yl_arena_free(arena);
    }
    free(copy);
}
