/* Tests of batches: what is stored for an object. */

#include "apiserver/keyspace/writer_batch.h"

#include "keyspace_unit.h"

static int
keep_value(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) err;
    snprintf(aux, 256, "%.*s", YL_STR_ARG(row->value));
    return 0;
}

KS_TEST(values_are_documents_without_a_revision)
{
    struct fixture f;
    struct yl_object *object;
    uint64_t revision, compacted;
    char value[256];

    fixture_init(&f, NULL);
    assert_int_equal(yl_object_ingest(YL_STR("{\"metadata\":{\"name\":\"n\","
                                             "\"resourceVersion\":\"77\"},"
                                             "\"spec\":{\"a\":1}}"),
                                      NULL, &object, NULL), 0);
    assert_int_equal(write_object(&f, key_of(NULL, "n"), object, 0, NULL), 0);
    yl_keyspace_stop(f.ks);
    yl_storage_load(f.storage, keep_value, value, &revision, &compacted,
                    NULL);
    assert_string_equal(value, "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                        "\"metadata\":{\"name\":\"n\"},\"spec\":{\"a\":1}}");

    /* A resource may be stored as another version later. */
    fixture_reopen(&f);
    assert_ptr_equal(fixture_add(&f, NODES, false, (struct yl_type_meta) {
        YL_STR("v2"), YL_STR("Node"),
    }), f.nodes);
    put(&f, NULL, "m", "1", 0, NULL);
    yl_keyspace_stop(f.ks);
    yl_storage_load(f.storage, keep_value, value, &revision, &compacted,
                    NULL);
    assert_true(yl_str_starts_with(yl_str_c(value),
                                   YL_STR("{\"apiVersion\":\"v2\",")));
    fixture_release(&f);
}

/* Blocks that the keyspace keeps share their managedFields.  Values do not. */
KS_TEST(shared_managed_fields_are_stored_with_each_object)
{
    static const char *const names[] = { "m", "n", "o" };
    struct yl_object *object = NULL;
    struct fixture f;
    uint64_t revision = 0, compacted;
    char text[256], value[512];
    size_t i;

    fixture_init(&f, NULL);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        snprintf(text, sizeof text,
                 "{\"metadata\":{\"name\":\"%s\",\"managedFields\":[{"
                 "\"manager\":\"me\",\"time\":\"2026-01-02T03:04:05Z\"}]},"
                 "\"spec\":{}}", names[i]);
        assert_int_equal(yl_object_ingest(yl_str_c(text), NULL, &object,
                                          NULL), 0);
        assert_int_equal(write_object(&f, key_of(NULL, names[i]), object, 0,
                                      &revision), 0);
    }

    /* Store one again that was read. */
    assert_int_equal(yl_ks_get(f.nodes, key_of(NULL, "o"), &object, NULL), 0);
    assert_true(object->flags & YL_OBJECT_SHARED);
    assert_int_equal(write_object(&f, key_of(NULL, "o"), object, revision,
                                  NULL), 0);
    yl_keyspace_stop(f.ks);
    yl_storage_load(f.storage, keep_value, value, &revision, &compacted,
                    NULL);
    assert_string_equal(value, "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                        "\"metadata\":{\"name\":\"o\",\"managedFields\":["
                        "{\"manager\":\"me\",\"time\":"
                        "\"2026-01-02T03:04:05Z\"}]},\"spec\":{}}");
    fixture_reopen(&f);
    assert_int_equal(yl_ks_get(f.nodes, key_of(NULL, "o"), &object, NULL), 0);
    assert_true(object->flags & YL_OBJECT_SHARED);
    yl_object_unref(object);
    fixture_release(&f);
}
