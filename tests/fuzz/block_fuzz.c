/* Fuzzes blocks: whatever bytes are ingested, nothing outside of them is read;
 * of JSON, the facts are those that the tree has, and what is emitted is what
 * came in.  The same bytes are read as a list of objects and as a Status. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "object/object.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/object.h"
#include "yuloh/object_list.h"
#include "yuloh/status.h"

static void check_block(struct yl_arena *, const struct yl_object *);
static void check_parts(struct yl_arena *, const struct yl_object *,
                        const struct yl_object_head *);
static void check_against_tree(struct yl_arena *, struct yl_str text, int r,
                               const struct yl_object *);
static void check_facts(struct yl_arena *, const struct yl_object *,
                        const struct yl_node *metadata);
static void check_string(struct yl_arena *, const struct yl_node *metadata,
                         struct yl_str key, struct yl_str fact);
static void check_container(struct yl_arena *, const struct yl_node *metadata,
                            struct yl_str key, struct yl_json fact);
static void check_emitted(struct yl_arena *, const struct yl_object *,
                          const struct yl_node *root);
static void check_canonical(struct yl_arena *, const struct yl_node *root);
static void normalize(struct yl_arena *, struct yl_node *root);
static struct yl_node *parse(struct yl_arena *, struct yl_str text);
static void check_list(struct yl_arena *, struct yl_str text);
static int read_list(struct yl_str text, size_t piece, struct yl_buf *items);
static int take_item(void *aux, struct yl_object *item);
static void check_status(struct yl_arena *, struct yl_str text);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object = NULL;
    int r = yl_object_ingest(text, NULL, &object, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    CHECK((r == 0) == (object != NULL));
    yl_error_clear(&err);
    if (object) {
        check_block(arena, object);
    }
    if (yl_json_validate(text, NULL, NULL) == 0) {
        check_against_tree(arena, text, r, object);
    }
    yl_arena_clear(arena);
    yl_object_unref(object);
    check_list(arena, text);
    check_status(arena, text);
    yl_arena_free(arena);
    return 0;
}

/* What must hold for any bytes. */
static void
check_block(struct yl_arena *arena, const struct yl_object *object)
{
    struct yl_object_head heads[] = {
        { .revision = 0 },
        { .revision = 42, .without_managed_fields = true },
        { .type = { YL_STR_INIT("v1"), YL_STR_INIT("Pod") },
          .metadata_only = true },
    };
    struct yl_object *again;
    struct yl_str value;
    size_t i;
    int r;

    for (i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        check_parts(arena, object, &heads[i]);
    }
    yl_json_raw(yl_object_field(object, arena, "spec"));
    yl_json_count(yl_object_labels(object));
    value = yl_object_label(object, YL_STR("app"), arena);
    CHECK(!value.data || yl_object_label_is(object, YL_STR("app"), value));
    yl_object_annotation(object, YL_STR("app"), arena);
    CHECK(yl_object_footprint(object) > object->size);
    CHECK(yl_object_equal(object, object));

    r = yl_object_ingest(yl_object_json(object, arena, NULL), NULL, &again,
                         NULL);
    CHECK(r == 0);
    CHECK(yl_object_revision(again) == yl_object_revision(object));
    CHECK(yl_str_equal(yl_object_name(again), yl_object_name(object)));
    CHECK(again->size == object->size
          && memcmp(again->text, object->text, object->size) == 0);
    CHECK(yl_object_equal(object, again));
    yl_object_unref(again);
}

static void
check_parts(struct yl_arena *arena, const struct yl_object *object,
            const struct yl_object_head *head)
{
    char head_space[YL_OBJECT_HEAD_SIZE];
    struct yl_str parts[YL_OBJECT_MAX_PARTS];
    struct yl_buf buf;
    int n = yl_object_parts(object, head, head_space, sizeof head_space,
                            parts);
    int i;

    CHECK(n > 0 && n <= YL_OBJECT_MAX_PARTS);
    yl_buf_init(&buf, SIZE_MAX / 2);
    for (i = 0; i < n; i++) {
        yl_buf_append_str(&buf, parts[i]);
    }
    CHECK(yl_str_equal(yl_buf_str(&buf),
                       yl_object_json(object, arena, head)));
    yl_buf_release(&buf);
}

static void
check_against_tree(struct yl_arena *arena, struct yl_str text, int r,
                   const struct yl_object *object)
{
    struct yl_tree_opts strict = { .limits.refuse_duplicates = true };
    struct yl_node *root, *metadata;
    struct yl_object *made;
    bool unique = yl_tree_parse(arena, text, &strict, &root, NULL) == 0;

    root = parse(arena, text);
    CHECK(r == 0 || r == YL_ETYPE || r == YL_EINVALID
          || (r == YL_EDUPLICATE && !unique));
    if (root->type != YL_JSON_OBJECT) {
        CHECK(r == YL_ETYPE);
        return;
    }
    metadata = yl_node_get(root, YL_STR("metadata"));
    if (r < 0) {
        /* The tree keeps the last of repeated members; that may be good. */
        CHECK(!unique || yl_object_from_tree(root, NULL, &made, NULL) < 0);
        return;
    }
    CHECK(metadata == NULL || metadata->type == YL_JSON_OBJECT
          || metadata->type == YL_JSON_NULL);
    check_facts(arena, object, metadata);
    check_emitted(arena, object, root);
    check_canonical(arena, root);
}

static void
check_facts(struct yl_arena *arena, const struct yl_object *object,
            const struct yl_node *metadata)
{
    struct yl_key key = yl_object_key(object);
    int64_t generation = 0;

    check_string(arena, metadata, YL_STR("name"), yl_object_name(object));
    check_string(arena, metadata, YL_STR("name"), key.name);
    check_string(arena, metadata, YL_STR("namespace"),
                 yl_object_namespace(object));
    check_string(arena, metadata, YL_STR("uid"), yl_object_uid(object));
    check_string(arena, metadata, YL_STR("creationTimestamp"),
                 yl_object_created(object));
    check_container(arena, metadata, YL_STR("labels"),
                    yl_object_labels(object));
    check_container(arena, metadata, YL_STR("annotations"),
                    yl_object_annotations(object));
    check_container(arena, metadata, YL_STR("ownerReferences"),
                    yl_object_owners(object));
    check_container(arena, metadata, YL_STR("finalizers"),
                    yl_object_finalizers(object));
    CHECK(yl_object_is_deleting(object)
          == (yl_node_type(yl_node_get(metadata, YL_STR("deletionTimestamp")))
              == YL_JSON_STRING));
    yl_node_int64(yl_node_get(metadata, YL_STR("generation")), &generation);
    CHECK(yl_object_generation(object) == generation);
}

static void
check_string(struct yl_arena *arena, const struct yl_node *metadata,
             struct yl_str key, struct yl_str fact)
{
    const struct yl_node *node = yl_node_get(metadata, key);
    struct yl_str expected;

    if (yl_node_string(node, arena, &expected) == 0) {
        CHECK(fact.data && yl_str_equal(fact, expected));
    } else {
        CHECK(!fact.data);
        CHECK(!node || node->type == YL_JSON_NULL);
    }
}

static void
check_container(struct yl_arena *arena, const struct yl_node *metadata,
                struct yl_str key, struct yl_json fact)
{
    const struct yl_node *node = yl_node_get(metadata, key);

    if (!node || node->type == YL_JSON_NULL) {
        CHECK(!yl_json_exists(fact));
    } else {
        CHECK(yl_json_exists(fact));
        CHECK(yl_node_equal(node, parse(arena, yl_json_raw(fact))));
    }
}

/* What comes out is what came in, but for the members of the head. */
static void
check_emitted(struct yl_arena *arena, const struct yl_object *object,
              const struct yl_node *root)
{
    struct yl_object_head lean = { .without_managed_fields = true };
    struct yl_object_head bare = { .metadata_only = true };
    struct yl_node *expected = yl_node_copy(arena, root);
    struct yl_node *metadata, *only;

    normalize(arena, expected);
    root = parse(arena, yl_object_json(object, arena, NULL));
    normalize(arena, (struct yl_node *) root);
    CHECK(yl_node_equal(root, expected));

    metadata = yl_node_get(expected, YL_STR("metadata"));
    only = parse(arena, yl_object_json(object, arena, &bare));
    normalize(arena, only);
    CHECK(only->n == 1 && yl_node_equal(only->first, metadata));

    yl_node_remove(metadata, YL_STR("managedFields"));
    root = parse(arena, yl_object_json(object, arena, &lean));
    normalize(arena, (struct yl_node *) root);
    CHECK(yl_node_equal(root, expected));
}

/* A block made from the tree is canonical, and the same whichever order its
 * members came in. */
static void
check_canonical(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_object_opts known = { .canonical = true };
    struct yl_node *turned = yl_node_copy(arena, root);
    struct yl_node *expected = yl_node_copy(arena, root);
    struct yl_object *object, *second;
    struct yl_node *child;
    int r = yl_object_from_tree(root, NULL, &object, NULL);

    CHECK(r == 0 || r == YL_ERANGE);
    if (r < 0) {
        return;
    }
    CHECK(yl_object_is_canonical(object));
    check_block(arena, object);
    normalize(arena, expected);
    child = parse(arena, yl_object_json(object, arena, NULL));
    normalize(arena, child);
    CHECK(yl_node_equal(child, expected));

    /* The last member first. */
    if (turned->n > 1) {
        struct yl_node **order = yl_arena_array(arena, turned->n,
                                                sizeof *order);
        size_t i = turned->n;

        YL_NODE_FOR_EACH (child, turned) {
            order[--i] = child;
        }
        yl_node_reorder(turned, order, turned->n);
    }
    CHECK(yl_object_from_tree(turned, NULL, &second, NULL) == 0);
    CHECK(object->size == second->size
          && memcmp(object->text, second->text, object->size) == 0);
    yl_object_unref(second);

    CHECK(yl_object_ingest(yl_object_json(object, arena, NULL), &known,
                           &second, NULL) == 0);
    CHECK(object->size == second->size
          && memcmp(object->text, second->text, object->size) == 0);
    yl_object_unref(second);
    yl_object_unref(object);
}

/* Removes what the head is made of and adds a metadata that is missing. */
static void
normalize(struct yl_arena *arena, struct yl_node *root)
{
    struct yl_node *metadata = yl_node_get(root, YL_STR("metadata"));

    yl_node_remove(root, YL_STR("apiVersion"));
    yl_node_remove(root, YL_STR("kind"));
    if (yl_node_type(metadata) != YL_JSON_OBJECT) {
        metadata = yl_node_new_object(arena);
        yl_node_set(arena, root, YL_STR("metadata"), metadata);
    }
    yl_node_remove(metadata, YL_STR("resourceVersion"));
}

static struct yl_node *
parse(struct yl_arena *arena, struct yl_str text)
{
    struct yl_node *root;

    CHECK(yl_tree_parse(arena, text, NULL, &root, NULL) == 0);
    return root;
}

/* Items do not depend on the pieces. */
static void
check_list(struct yl_arena *arena, struct yl_str text)
{
    struct yl_buf whole, pieces;
    int r;

    (void) arena;
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
    struct yl_list_meta meta;
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

/* A Status that was read and written is JSON, and reads the same. */
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
