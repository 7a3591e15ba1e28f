/* Markers that say how Go's own types differ from JSON.  See
 * codegen/marker_set.h. */

#include "codegen/marker_set.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/marker_text.h"
#include "yuloh/arena.h"

static void add_embedding(struct yl_marker_target *, const struct yl_marker *,
                          struct yl_str named);

void
yl_marker_set_go(struct yl_marker_target *target,
                 const struct yl_marker *marker,
                 const struct yl_marker_value *arg)
{
    struct yl_gen_go *go = target->field ? &target->field->go : NULL;

    if (marker->sets == YL_SETS_EMBEDS) {
        add_embedding(target, marker, arg->named);
        return;
    }
    if (marker->arg == YL_MARKER_ARG_TEXT && !arg->text[0]) {
        yl_marker_fault(target, marker, "needs a name");
        return;
    }
    switch (marker->sets) {
    case YL_SETS_GO_TYPE:
        go->type = arg->text;
        break;
    case YL_SETS_INTERNAL_NAME:
        go->name = arg->text;
        break;
    case YL_SETS_INTERNAL_AFTER:
        go->after = arg->text;
        break;
    case YL_SETS_INTERNAL_IN:
        go->in = arg->text;
        break;
    case YL_SETS_INTERNAL_ABSENT:
        go->absent = true;
        break;
    case YL_SETS_INTERNAL_VALUE:
        go->value = true;
        break;
    default:
        break;
    }
}

static void
add_embedding(struct yl_marker_target *target, const struct yl_marker *marker,
              struct yl_str named)
{
    struct yl_arena *arena = target->unit->arena;
    struct yl_gen_embedding *e = yl_arena_zalloc(arena, sizeof *e), **end;
    struct yl_str item, name, raw;

    e->name = e->first = e->last = "";
    e->line = target->line;
    while (named.size && yl_marker_next(&named, ',', &item)) {
        const char *text;

        if (!yl_str_cut(item, '=', &name, &raw)) {
            name = item;
            raw = YL_STR("");
        }
        text = yl_arena_strdup(arena, raw);
        if (yl_str_equal_c(name, "name")) {
            e->name = text;
        } else if (yl_str_equal_c(name, "first")) {
            e->first = text;
        } else if (yl_str_equal_c(name, "last")) {
            e->last = text;
        } else if (yl_str_equal_c(name, "protobuf")) {
            e->number = (unsigned) strtoul(text, NULL, 10) & 0xffff;
        } else {
            yl_marker_fault(target, marker, "has no '%.*s'; it has name, "
                            "protobuf, first and last", YL_STR_ARG(name));
        }
    }
    if (!e->name[0] || !e->first[0] || !e->last[0]) {
        yl_marker_fault(target, marker, "needs name=, first= and last=");
        return;
    }
    for (end = &target->type->embeddings; *end; end = &(*end)->next) {
        continue;
    }
    *end = e;
}
