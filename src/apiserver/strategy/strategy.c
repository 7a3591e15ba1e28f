/* Strategy: the behaviour where a function is left out.  See
 * apiserver/strategy/strategy.h for the contract. */

#include "apiserver/strategy/strategy.h"

#include "base/arena.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"

static struct yl_builtin common_rules(const struct yl_change *);
static int rename_version(const struct yl_conversion *);

const struct yl_strategy yl_strategy_plain = { .flags = 0 };

int
yl_strategy_decode(const struct yl_api_resource *resource,
                   const struct yl_api_version *version,
                   struct yl_arena *arena, struct yl_node *object,
                   struct yl_strict *strict, struct yl_error *err)
{
    return resource->strategy->decode
           ? resource->strategy->decode(version, arena, object, strict, err)
           : yl_normalize_decoded(arena, yl_kind_type(version->kind), object,
                                  strict, err);
}

int
yl_strategy_normalize(const struct yl_api_resource *resource,
                      struct yl_arena *arena, struct yl_node *object,
                      enum yl_normal_form form, struct yl_error *err)
{
    const struct yl_api_version *hub = yl_api_resource_hub(resource);
    struct yl_type_ref type = yl_kind_type(hub->kind);

    if (resource->strategy->normalize) {
        return resource->strategy->normalize(hub, arena, object, form, err);
    }
    return form == YL_NORMAL_COMPARED
           ? yl_normalize_update(arena, type, object, err)
           : yl_normalize_stored(arena, type, object, err);
}

void
yl_strategy_default(const struct yl_api_resource *resource,
                    const struct yl_api_version *version,
                    struct yl_arena *arena, struct yl_node *object)
{
    if (resource->strategy->default_) {
        resource->strategy->default_(resource, version, arena, object);
    }
}

int
yl_strategy_convert(struct yl_conversion *conversion)
{
    const struct yl_strategy *strategy = conversion->resource->strategy;

    if (conversion->from == conversion->to) {
        return 0;
    }
    return strategy->convert ? strategy->convert(conversion)
                             : rename_version(conversion);
}

int
yl_strategy_read(const struct yl_api_resource *resource,
                 struct yl_arena *arena, const struct yl_object *object,
                 uint64_t revision, const struct yl_api_version **ret_version,
                 struct yl_node **ret_tree, struct yl_error *err)
{
    const struct yl_strategy *strategy = resource->strategy;
    bool stale = yl_strategy_is_stale(resource, object);
    const struct yl_api_version *version =
        stale && strategy->stored ? strategy->stored(resource, object)
                                  : yl_api_resource_hub(resource);
    struct yl_gv gv = { version->group, version->version };
    struct yl_object_head head = {
        .type = { yl_gv_api_version(gv, arena), resource->kind },
        .revision = revision,
    };
    struct yl_tree_opts opts = {
        .canonical = yl_object_is_canonical(object),
    };
    int r = yl_tree_parse(arena, yl_object_json(object, arena, &head), &opts,
                          ret_tree, err);

    if (r == 0 && stale && strategy->refresh) {
        strategy->refresh(version, arena, *ret_tree);
        r = yl_arena_check(arena, err);     /* Else defaults are missing. */
    }
    *ret_version = version;
    return r;
}

int
yl_strategy_read_as(const struct yl_api_resource *resource,
                    struct yl_arena *arena, const struct yl_object *object,
                    uint64_t revision, const struct yl_api_version *to,
                    struct yl_node **ret_tree, struct yl_error *err)
{
    struct yl_conversion conversion = {
        .resource = resource, .to = to, .arena = arena, .objects = ret_tree,
        .n_objects = 1, .err = err,
    };
    int r = yl_strategy_read(resource, arena, object, revision,
                             &conversion.from, ret_tree, err);

    return r == 0 ? yl_strategy_convert(&conversion) : r;
}

void
yl_strategy_prepare(const struct yl_change *change)
{
    if (change->resource->strategy->prepare) {
        change->resource->strategy->prepare(change);
    } else {
        yl_strategy_prepare_common(change);
    }
}

const char *
yl_strategy_reset_fields(const struct yl_api_resource *resource,
                         const struct yl_api_version *written,
                         const struct yl_api_version *of,
                         enum yl_subresource part)
{
    if (resource->strategy->reset_fields) {
        return resource->strategy->reset_fields(resource, written, of, part);
    }
    if (part == YL_SUB_STATUS) {
        return "metadata spec";
    }
    return part == YL_SUB_NONE && written == of
           && yl_api_version_subresource(written, YL_STR("status"))
           ? "status" : NULL;
}

int
yl_strategy_validate(const struct yl_change *change, struct yl_error *err)
{
    size_t n = err->n_causes;

    if (change->resource->strategy->validate) {
        change->resource->strategy->validate(change, err);
    } else {
        yl_strategy_validate_common(change, err);
    }
    return err->n_causes > n ? YL_EINVALID : 0;
}

void
yl_strategy_prepare_common(const struct yl_change *change)
{
    struct yl_builtin common = common_rules(change);

    if (!change->old) {
        yl_builtin_prepare(&common, change->arena, change->object);
    } else if (change->subresource == YL_SUB_STATUS) {
        yl_builtin_prepare_status(&common, change->arena, change->object,
                                  change->old);
    } else {
        yl_builtin_prepare_update(&common, change->arena, change->object,
                                  change->old);
    }
}

void
yl_strategy_validate_common(const struct yl_change *change,
                            struct yl_error *err)
{
    struct yl_builtin common = common_rules(change);

    if (!change->old) {
        yl_builtin_validate(&common, change->arena, change->object, err);
    } else {
        yl_builtin_validate_update(&common, change->arena, change->object,
                                   change->old, err);
    }
}

/* The rules for a kind without rules of its own. */
static struct yl_builtin
common_rules(const struct yl_change *change)
{
    struct yl_builtin rules = {
        .namespaced = change->resource->namespaced,
        .flags = change->resource->strategy->flags,
    };

    return rules;
}

static int
rename_version(const struct yl_conversion *conversion)
{
    struct yl_gv gv = { conversion->to->group, conversion->to->version };
    size_t i;

    for (i = 0; i < conversion->n_objects; i++) {
        yl_node_set(conversion->arena, conversion->objects[i],
                    YL_STR("apiVersion"),
                    yl_node_new_string(conversion->arena,
                                       yl_gv_api_version(
                                           gv, conversion->arena)));
    }
    return 0;
}
