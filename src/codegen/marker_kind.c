/* Markers about a kind: its names, columns, subresources.  See
 * codegen/marker_set.h. */

#include "codegen/marker_set.h"

#include <string.h>

#include "codegen/marker_text.h"
#include "yuloh/arena.h"
#include "yuloh/str.h"

typedef void named_fn(struct yl_marker_target *, const struct yl_marker *,
                      struct yl_gen_kind *, void *aux, struct yl_str name,
                      const char *text, struct yl_str raw);

static void rename_kind(struct yl_marker_target *, const struct yl_marker *,
                        const char *);
static void each_named(struct yl_marker_target *, const struct yl_marker *,
                       struct yl_gen_kind *, void *aux, struct yl_str named,
                       named_fn *);
static named_fn set_resource, set_scale, set_column, set_deprecated,
                set_selectable, set_metadata;
static void add_texts(struct yl_marker_target *, struct yl_gen_text **,
                      struct yl_str raw);

void
yl_marker_set_kind(struct yl_marker_target *target,
                   const struct yl_marker *marker,
                   const struct yl_marker_value *value)
{
    struct yl_gen_type *type = target->type;
    struct yl_gen_kind *kind;

    if (marker->sets == YL_SETS_KIND) {
        rename_kind(target, marker, value->text);
        return;
    } else if (marker->sets == YL_SETS_ROOT && !value->on) {
        return;
    }
    kind = type->kind ? type->kind : yl_gen_kind_add(type);
    switch (marker->sets) {
    case YL_SETS_CLIENT:
        kind->client = true;
        break;
    case YL_SETS_NO_STATUS:
        kind->client_no_status = true;
        break;
    case YL_SETS_ONLY_VERBS:
        kind->only_verbs = value->text;
        break;
    case YL_SETS_CLUSTER_SCOPED:
        kind->cluster_scoped = true;
        break;
    case YL_SETS_STATUS:
        kind->status = true;
        break;
    case YL_SETS_STORAGE:
        kind->storage = kind->storage_said = true;
        break;
    case YL_SETS_UNSERVED:
        kind->unserved = true;
        break;
    case YL_SETS_RESOURCE:
        each_named(target, marker, kind, NULL, value->named, set_resource);
        break;
    case YL_SETS_SCALE:
        kind->scale = true;
        each_named(target, marker, kind, NULL, value->named, set_scale);
        if (!kind->scale_spec[0] || !kind->scale_status[0]) {
            yl_marker_fault(target, marker, "needs specpath= and "
                            "statuspath=");
        }
        break;
    case YL_SETS_COLUMN: {
        struct yl_gen_column *column = yl_gen_column_add(target->unit, kind);

        each_named(target, marker, kind, column, value->named, set_column);
        if (!column->name[0] || !column->type[0] || !column->json_path[0]) {
            yl_marker_fault(target, marker,
                            "needs name=, type= and JSONPath=");
        }
        break;
    }
    case YL_SETS_DEPRECATED:
        kind->deprecated = true;
        each_named(target, marker, kind, NULL, value->named, set_deprecated);
        break;
    case YL_SETS_SELECTABLE:
        each_named(target, marker, kind, NULL, value->named, set_selectable);
        break;
    case YL_SETS_METADATA:
        each_named(target, marker, kind, NULL, value->named, set_metadata);
        break;
    default:
        break;
    }
}

static void
rename_kind(struct yl_marker_target *target, const struct yl_marker *marker,
            const char *name)
{
    if (target->type->kind) {
        yl_marker_fault(target, marker, "stands twice");
        return;
    }
    if (name[0]) {
        yl_gen_type_rename(target->type, name);
    }
    yl_gen_kind_add(target->type);
}

/* Calls 'each' for every "name=value" of a marker. */
static void
each_named(struct yl_marker_target *target, const struct yl_marker *marker,
           struct yl_gen_kind *kind, void *aux, struct yl_str named,
           named_fn *each)
{
    struct yl_str item, name, raw;
    const char *text;

    while (named.size && yl_marker_next(&named, ',', &item)) {
        if (!yl_str_cut(item, '=', &name, &raw)) {
            name = item;
            raw = YL_STR("");
        }
        if (!yl_marker_string(target->unit->arena, raw, &text)) {
            /* A list of quoted texts; a function that expects one reads
             * 'raw'. */
            text = "";
        }
        each(target, marker, kind, aux, name, text, raw);
    }
}

static void
set_resource(struct yl_marker_target *target, const struct yl_marker *marker,
             struct yl_gen_kind *kind, void *aux YL_UNUSED,
             struct yl_str name, const char *text, struct yl_str raw)
{
    if (yl_str_equal_c(name, "path")) {
        kind->plural = text;
    } else if (yl_str_equal_c(name, "singular")) {
        kind->singular = text;
    } else if (yl_str_equal_c(name, "shortName")) {
        add_texts(target, &kind->short_names, raw);
    } else if (yl_str_equal_c(name, "categories")) {
        add_texts(target, &kind->categories, raw);
    } else if (yl_str_equal_c(name, "scope") && !strcmp(text, "Cluster")) {
        kind->cluster_scoped = true;
    } else if (yl_str_equal_c(name, "scope")) {
        if (strcmp(text, "Namespaced")) {
            yl_marker_fault(target, marker,
                            "has no scope '%s'; write Cluster or Namespaced",
                            text);
        }
    } else {
        yl_marker_fault(target, marker, "has no '%.*s'; it has path, "
                        "singular, shortName, categories and scope",
                        YL_STR_ARG(name));
    }
}

static void
set_scale(struct yl_marker_target *target, const struct yl_marker *marker,
          struct yl_gen_kind *kind, void *aux YL_UNUSED, struct yl_str name,
          const char *text, struct yl_str raw YL_UNUSED)
{
    if (yl_str_equal_c(name, "specpath")) {
        kind->scale_spec = text;
    } else if (yl_str_equal_c(name, "statuspath")) {
        kind->scale_status = text;
    } else if (yl_str_equal_c(name, "selectorpath")) {
        kind->scale_selector = text;
    } else {
        yl_marker_fault(target, marker, "has no '%.*s'; it has specpath, "
                        "statuspath and selectorpath", YL_STR_ARG(name));
    }
}

static void
set_column(struct yl_marker_target *target, const struct yl_marker *marker,
           struct yl_gen_kind *kind YL_UNUSED, void *aux, struct yl_str name,
           const char *text, struct yl_str raw)
{
    struct yl_gen_column *column = aux;
    long long priority;

    if (yl_str_equal_c(name, "name")) {
        column->name = text;
    } else if (yl_str_equal_c(name, "type")) {
        column->type = text;
    } else if (yl_str_equal_c(name, "JSONPath")) {
        column->json_path = text;
    } else if (yl_str_equal_c(name, "description")) {
        column->description = text;
    } else if (yl_str_equal_c(name, "format")) {
        column->format = text;
    } else if (yl_str_equal_c(name, "priority")) {
        if (yl_str_to_i64(raw, &priority) < 0 || priority < 0
            || priority > 1000) {
            yl_marker_fault(target, marker, "has a priority of '%s'; write a "
                            "small number", text);
        } else {
            column->priority = (int) priority;
        }
    } else {
        yl_marker_fault(target, marker, "has no '%.*s'; it has name, type, "
                        "JSONPath, description, format and priority",
                        YL_STR_ARG(name));
    }
}

static void
set_deprecated(struct yl_marker_target *target,
               const struct yl_marker *marker, struct yl_gen_kind *kind,
               void *aux YL_UNUSED, struct yl_str name, const char *text,
               struct yl_str raw YL_UNUSED)
{
    if (yl_str_equal_c(name, "warning")) {
        kind->deprecation = text;
    } else {
        yl_marker_fault(target, marker, "has no '%.*s'; it has warning",
                        YL_STR_ARG(name));
    }
}

static void
set_selectable(struct yl_marker_target *target,
               const struct yl_marker *marker, struct yl_gen_kind *kind,
               void *aux YL_UNUSED, struct yl_str name, const char *text,
               struct yl_str raw YL_UNUSED)
{
    if (yl_str_equal_c(name, "JSONPath")) {
        yl_gen_text_add(target->unit, &kind->selectable, text);
    } else {
        yl_marker_fault(target, marker, "has no '%.*s'; it has JSONPath",
                        YL_STR_ARG(name));
    }
}

static void
set_metadata(struct yl_marker_target *target, const struct yl_marker *marker,
             struct yl_gen_kind *kind, void *aux YL_UNUSED,
             struct yl_str name, const char *text YL_UNUSED,
             struct yl_str raw)
{
    if (yl_str_equal_c(name, "annotations")) {
        add_texts(target, &kind->annotations, raw);
    } else if (yl_str_equal_c(name, "labels")) {
        add_texts(target, &kind->labels, raw);
    } else {
        yl_marker_fault(target, marker,
                        "has no '%.*s'; it has annotations and labels",
                        YL_STR_ARG(name));
    }
}

/* Adds the items of "a;b" or {a,b}, each perhaps in quotes. */
static void
add_texts(struct yl_marker_target *target, struct yl_gen_text **texts,
          struct yl_str raw)
{
    struct yl_str item;
    char separator = ';';
    const char *text;

    if (raw.size > 1 && raw.data[0] == '{'
        && raw.data[raw.size - 1] == '}') {
        raw = yl_str_n(raw.data + 1, raw.size - 2);
        separator = ',';
    }
    while (yl_marker_next(&raw, separator, &item)) {
        if (yl_marker_string(target->unit->arena, item, &text)) {
            yl_gen_text_add(target->unit, texts, text);
        } else {
            yl_diag_add(target->diag, target->file, target->line,
                        "a quote is not closed in '%.*s'", YL_STR_ARG(item));
        }
    }
}
