/* Fuzzes blocks: whatever bytes are ingested, nothing outside of them may be
 * read; if they are JSON, the block must have the same facts as the tree, and
 * emit what was ingested.  Owners and conditions are read, and conditions
 * changed, on any bytes too. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "object/object.h"
#include "object/pack.h"
#include "yuloh/arena.h"
#include "yuloh/condition.h"
#include "yuloh/error.h"
#include "yuloh/object.h"
#include "yuloh/owner.h"

static void check_block(struct yl_arena *, const struct yl_object *);
static void check_packed(struct yl_arena *, const struct yl_object *);
static void check_kept(struct yl_arena *, const struct yl_object *);
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
static void check_owners(struct yl_arena *, struct yl_json owners);
static void check_conditions(struct yl_arena *, struct yl_json conditions,
                             bool valid);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object = NULL;
    int r = yl_object_ingest(text, NULL, &object, &err);
    bool valid = yl_json_validate(text, NULL, NULL) == 0;

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    CHECK((r == 0) == (object != NULL));
    yl_error_clear(&err);
    if (object) {
        check_block(arena, object);
        check_owners(arena, yl_object_owners(object));
        check_conditions(arena,
                         yl_json_get(yl_object_field(object, arena, "status"),
                                     YL_STR("conditions")), valid);
    }
    if (valid) {
        check_against_tree(arena, text, r, object);
    }
    yl_object_unref(object);
    yl_arena_free(arena);
    return 0;
}

/* What must hold for any bytes. */
static void
check_block(struct yl_arena *arena, const struct yl_object *object)
{
    struct yl_object *again;
    struct yl_str value;
    int r;

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
    check_kept(arena, object);
    check_packed(arena, object);
}

/* A packed block: nobody can tell. */
static void
check_packed(struct yl_arena *arena, const struct yl_object *object)
{
    static struct yl_dictionary *dictionary;
    struct yl_object *packed;

    if (!dictionary) {
        struct yl_str sample = YL_STR("{\"name\":\"web\",\"namespace\":"
            "\"default\",\"labels\":{\"app\":\"web\"},\"annotations\":{},"
            "\"ownerReferences\":[{\"uid\":\"\"}]},\"spec\":{\"containers\":"
            "[{\"image\":\"i\"}]},\"status\":{\"phase\":\"Running\"}}");

        dictionary = yl_dictionary_train(sample, &sample.size, 1);
    }
    packed = yl_object_pack(object, dictionary);
    if (packed) {
        struct yl_key a = yl_object_key(object), b = yl_object_key(packed);

        CHECK(yl_object_footprint(packed) < yl_object_footprint(object) + 16);
        CHECK(yl_object_plain_footprint(packed)
              == yl_object_footprint(object));
        CHECK(yl_key_equal(&a, &b));
        CHECK(yl_str_equal(yl_object_uid(object), yl_object_uid(packed)));
        CHECK(yl_str_equal(yl_json_raw(yl_object_labels(object)),
                           yl_json_raw(yl_object_labels(packed))));
        CHECK(yl_str_equal(yl_json_raw(yl_object_owners(object)),
                           yl_json_raw(yl_object_owners(packed))));
        CHECK(yl_str_equal(yl_object_json(object, arena, NULL),
                           yl_object_json(packed, arena, NULL)));
        CHECK(yl_object_equal(object, packed));
        yl_object_unref(packed);
    }
}

/* Copies for a store: the second one shares managedFields, if there are any,
 * and nobody can tell. */
static void
check_kept(struct yl_arena *arena, const struct yl_object *object)
{
    struct yl_object_head heads[] = {
        { .revision = 0 },
        { .revision = 42, .without_managed_fields = true },
        { .type = { YL_STR_INIT("v1"), YL_STR_INIT("Pod") },
          .metadata_only = true },
    };
    struct yl_object *first = yl_object_keep(object);
    struct yl_object *kept = yl_object_keep(object);
    size_t i;

    CHECK(yl_object_footprint(kept) <= yl_object_footprint(object));
    CHECK(yl_object_generation(kept) == yl_object_generation(object));
    CHECK(yl_str_equal(yl_object_uid(kept), yl_object_uid(object)));
    CHECK(yl_object_equal(object, kept) && yl_object_equal(kept, first));
    for (i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        CHECK(yl_str_equal(yl_object_json(object, arena, &heads[i]),
                           yl_object_json(kept, arena, &heads[i])));
    }
    CHECK(yl_str_equal(
        yl_json_raw(yl_object_field(object, arena, "metadata")),
        yl_json_raw(yl_object_field(kept, arena, "metadata"))));
    yl_object_unref(first);
    yl_object_unref(kept);
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
        /* The tree keeps the last of repeated members, which may be valid. */
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
                    yl_object_annotations(object, arena));
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

/* What is emitted must be what was ingested, except for the members of the
 * head. */
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

    /* Moves the last member to the front. */
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

/* Removes the members that the head is made of, and adds metadata if it is
 * missing. */
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

static void
check_owners(struct yl_arena *arena, struct yl_json owners)
{
    struct yl_owner_iter it = yl_owner_iter(owners, arena);
    struct yl_owner owner, controller;
    bool managed = yl_owner_controller(owners, arena, &controller);
    bool found = false;

    while (yl_owner_next(&it, &owner)) {
        CHECK(!owner.uid.size || yl_owner_has_uid(owners, owner.uid));
        if (!found && owner.controller && *owner.controller) {
            found = true;
            CHECK(managed && yl_str_equal(controller.uid, owner.uid));
        }
        CHECK(yl_json_validate(yl_owner_json(&owner, arena), NULL, NULL) == 0
              || yl_json_validate(yl_json_raw(owners), NULL, NULL) < 0);
    }
    CHECK(found == managed);
}

/* Setting a condition that is there must change nothing, and one that was
 * removed must be gone. */
static void
check_conditions(struct yl_arena *arena, struct yl_json conditions,
                 bool valid)
{
    struct yl_condition ready = {
        .type = YL_STR_INIT("Ready"), .status = YL_STR_INIT("True"),
        .reason = YL_STR_INIT("Up"), .last_transition_time = { 1, 0 },
    };
    struct yl_condition_iter it = yl_condition_iter(conditions, arena);
    struct yl_time now = { 2, 0 };
    struct yl_condition condition;
    struct yl_str text, same;
    int r;

    while (yl_condition_next(&it, &condition)) {
        CHECK(!condition.type.size
              || yl_condition_find(conditions, condition.type, arena,
                                   &condition));
    }
    r = yl_condition_set(conditions, &ready, now, arena, &text, NULL);
    if (!valid || r < 0) {
        return;
    }
    parse(arena, text);
    conditions = yl_json(text);
    CHECK(yl_condition_is_true(conditions, ready.type));
    CHECK(yl_condition_set(conditions, &ready, now, arena, &same, NULL) == 0);
    CHECK(yl_str_equal(text, same));
    CHECK(yl_condition_remove(conditions, ready.type, arena, &same, NULL)
          == 1);
    parse(arena, same);
    CHECK(!yl_condition_find(yl_json(same), ready.type, arena, &condition));
}
