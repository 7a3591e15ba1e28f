/* Fuzzes objects by field, and managers that write one object in turn.  Input:
 * a byte that selects a schema, then steps: a byte that says who does what,
 * and an object up to the next zero byte. */

#include "fuzz.h"

#include "apply/updater.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_STEPS 8

struct story {
    struct yl_arena *arena;
    struct yl_typed_object live;
    struct yl_managers managers;
};

static struct yl_typed_as select_type(unsigned which);
static void step(struct story *, unsigned what, const struct yl_node *);
static void check_object(struct yl_arena *, struct yl_typed_as,
                         const struct yl_node *);
static void check_pair(struct yl_arena *, struct yl_typed_as,
                       const struct yl_node *live,
                       const struct yl_node *config);
static void check_again(struct story *, const struct yl_typed_object *config,
                        struct yl_str manager);
static void check_managers(const struct yl_managers *);
static const struct yl_field_set *owned_by(const struct yl_managers *,
                                           struct yl_str manager);

/* One of everything, for custom resources. */
static const char everything[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"n\":{\"type\":\"integer\"},\"s\":{\"type\":\"string\"},"
    "\"st\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
    "\"b\":{\"type\":\"string\"}}},"
    "\"at\":{\"type\":\"object\",\"x-kubernetes-map-type\":\"atomic\","
    "\"additionalProperties\":{\"type\":\"string\"}},"
    "\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\","
    "\"items\":{\"type\":\"integer\"},\"x-kubernetes-list-type\":\"set\"}},"
    "\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"i\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
    "\"x-kubernetes-list-map-keys\":[\"k\",\"p\"],\"items\":{"
    "\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true,"
    "\"properties\":{\"k\":{\"type\":\"string\"},\"p\":{\"type\":\"string\","
    "\"default\":\"T\"},\"v\":{\"type\":\"integer\"}}}},"
    "\"x\":{\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"z\":{\"x-kubernetes-int-or-string\":true}}}";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct story story = { .arena = yl_arena_new() };
    size_t i;

    story.live.as = select_type(fuzz_below(&in, 5));
    story.live.version = YL_STR("v1");
    for (i = 0; i < MAX_STEPS && in.rest.size; i++) {
        unsigned what = fuzz_below(&in, 256);
        struct yl_node *node;

        if (yl_tree_parse(story.arena, fuzz_text(&in), NULL, &node, NULL) == 0
            && node->type == YL_JSON_OBJECT) {
            check_object(story.arena, story.live.as, node);
            step(&story, what, node);
        }
    }
    yl_arena_free(story.arena);
    return 0;
}

static struct yl_typed_as
select_type(unsigned which)
{
    static struct yl_schema *schema;
    struct yl_typed_as as = { .custom = false };

    if (!schema) {
        struct yl_arena *arena = yl_arena_new();
        const struct yl_schema_props *props;
        struct yl_node *node;

        CHECK(yl_tree_parse(arena, yl_str_c(everything), NULL, &node, NULL)
              == 0);
        CHECK(yl_schema_props_read(arena, node, NULL, &props, NULL) == 0);
        CHECK(yl_schema_compile(props, NULL, &schema, NULL) == 0);
        yl_arena_free(arena);
    }
    switch (which) {
    case 0:
    case 1:
        as.type = yl_schema_type(schema);
        as.custom = true;
        as.preserve = which == 1;
        break;

    case 2:
        as.type = yl_kind_type(&core_v1_pod_kind);
        break;

    case 3:
        as.type = yl_kind_type(&apps_v1_deployment_kind);
        break;

    default:
        as.custom = true;
        break;
    }
    return as;
}

static void
step(struct story *story, unsigned what, const struct yl_node *node)
{
    static const char *const names[] = { "a", "b", "c", "d" };
    struct yl_updater updater = { NULL, NULL, NULL };
    struct yl_str manager = yl_str_c(names[what & 3]);
    struct yl_typed_object now = story->live;
    struct yl_conflicts conflicts = { NULL, 0 };
    bool force = what & 4, apply = what & 8;
    const struct yl_node *object;
    int r;

    now.object = node;
    if (yl_typed_validate(story->arena, now.as, node, !apply, NULL) < 0) {
        return;
    }
    if (!apply) {
        CHECK(yl_updater_update(&updater, story->arena, &story->live, &now,
                                &story->managers, manager, NULL) == 0);
        story->live = now;
        check_managers(&story->managers);
        return;
    }
    check_pair(story->arena, now.as, story->live.object, node);
    r = yl_updater_apply(&updater, story->arena, &story->live, &now,
                         &story->managers, manager, force, &object,
                         &conflicts, NULL);
    CHECK(r == 0 || (r == YL_ECONFLICT && !force && conflicts.n > 0));
    if (r == 0) {
        story->live.object = object;
        check_managers(&story->managers);
        check_again(story, &now, manager);
    }
}

/* What holds of any object, valid or not. */
static void
check_object(struct yl_arena *arena, struct yl_typed_as as,
             const struct yl_node *object)
{
    const struct yl_field_set *fields = yl_typed_fields(arena, as, object);
    const struct yl_field_set *set;
    struct yl_comparison c;
    struct yl_buf created, same;
    int r;

    CHECK(yl_typed_compare(arena, as, object, object, &c) == 0);
    CHECK(yl_typed_validate(arena, as, object, false, NULL) < 0
          || yl_typed_merge(arena, as, object, object) == object);
    CHECK(yl_field_set_contains(yl_typed_with_structs(arena, as, fields),
                                fields));
    (void) yl_typed_reconcile(arena, as, fields);
    (void) yl_typed_remove(arena, as, object, fields);
    (void) yl_typed_extract(arena, as, object, fields, true);

    /* The fields of a creation, said in two ways. */
    yl_buf_init(&created, 64 << 20);
    yl_buf_init(&same, 64 << 20);
    r = yl_typed_write_created(arena, as, object, NULL, NULL, &created);
    CHECK(yl_typed_compare(arena, as, yl_typed_zero(arena, as), object, &c)
              < 0 || r >= 0);
    if (r >= 0) {
        set = yl_field_set_union(arena, c.added, c.modified);
        CHECK(r == !yl_field_set_is_empty(set));
        yl_field_set_write(&same, set);
        CHECK(yl_str_equal(yl_buf_str(&created), yl_buf_str(&same)));
    }
    yl_buf_release(&created);
    yl_buf_release(&same);
}

/* Merging the same again changes nothing; what a merge adds is applied. */
static void
check_pair(struct yl_arena *arena, struct yl_typed_as as,
           const struct yl_node *live, const struct yl_node *config)
{
    const struct yl_node *merged = yl_typed_merge(arena, as, live, config);
    struct yl_comparison c;

    CHECK(merged);
    CHECK(yl_typed_merge(arena, as, merged, config) == merged);
    CHECK(yl_typed_compare(arena, as, live, merged, &c) >= 0);
}

/* Applying the same again changes nothing.  What a pruning has emptied is
 * null, as upstream leaves it, and may be {} or [] in the configuration: that
 * is one more change. */
static void
check_again(struct story *story, const struct yl_typed_object *config,
            struct yl_str manager)
{
    const struct yl_field_set *before = owned_by(&story->managers, manager);
    struct yl_updater updater = { NULL, NULL, NULL };
    struct yl_managers managers = story->managers;
    struct yl_typed_object live = story->live;
    struct yl_conflicts conflicts;
    bool changed = true;
    unsigned i;

    for (i = 0; i < 2 && changed; i++) {
        const struct yl_node *object;

        CHECK(yl_updater_apply(&updater, story->arena, &live, config,
                               &managers, manager, true, &object, &conflicts,
                               NULL) == 0);
        CHECK(yl_field_set_equal(before, owned_by(&managers, manager)));
        changed = object != live.object;
        live.object = object;
    }
    CHECK(!changed);
}

static void
check_managers(const struct yl_managers *managers)
{
    size_t i, j;

    for (i = 0; i < managers->n; i++) {
        CHECK(!yl_field_set_is_empty(managers->items[i].set));
        for (j = 0; j < i; j++) {
            CHECK(!yl_str_equal(managers->items[i].key,
                                managers->items[j].key));
        }
    }
}

static const struct yl_field_set *
owned_by(const struct yl_managers *managers, struct yl_str manager)
{
    size_t i;

    for (i = 0; i < managers->n; i++) {
        if (yl_str_equal(managers->items[i].key, manager)) {
            return managers->items[i].set;
        }
    }
    return NULL;
}
