/* The marker language.  See codegen/markers.h and docs/markers.md.
 *
 * A marker is found by the longest name in the table that it starts with.
 * "items:" and "values:", at the start or behind "kubebuilder:validation:",
 * move its target from a field to the elements of the field's list or map. */

#include "codegen/markers.h"

#include <string.h>

#include "codegen/marker_set.h"
#include "codegen/marker_text.h"
#include "yuloh/arena.h"
#include "yuloh/compiler.h"
#include "yuloh/json.h"

#define F YL_MARKER_FILE
#define T YL_MARKER_TYPE
#define K YL_MARKER_KIND
#define M YL_MARKER_FIELD
#define ARG(NAME) YL_MARKER_ARG_##NAME

/* controller-gen's names of validations start with this. */
#define VALIDATION "kubebuilder:validation:"
#define RULE(NAME, WHERE, ARGUMENT, OP) \
    { VALIDATION NAME, WHERE, ARG(ARGUMENT), YL_SETS_RULE, YL_RULE_##OP }

const struct yl_marker yl_markers[] = {
    { "groupName", F, ARG(TEXT), YL_SETS_GROUP, 0 },
    { "version", F, ARG(TEXT), YL_SETS_VERSION, 0 },
    { "output", F, ARG(TEXT), YL_SETS_OUTPUT, 0 },
    { "include", F, ARG(TEXT), YL_SETS_INCLUDE, 0 },
    { "prefix", F, ARG(TEXT), YL_SETS_PREFIX, 0 },
    { "k8s:openapi-model-package", F, ARG(TEXT), YL_SETS_OPENAPI, 0 },
    { "internal:none", F, ARG(NONE), YL_SETS_NO_INTERNAL, 0 },
    { "k8s:deepcopy-gen", F | T, ARG(TEXT), YL_SETS_DEEPCOPY, 0 },
    { "k8s:deepcopy-gen:interfaces", T, ARG(TEXT), YL_SETS_NOTHING, 0 },
    { "k8s:openapi-gen", F | T, ARG(TEXT), YL_SETS_NOTHING, 0 },
    { "kubebuilder:object:generate", F | T, ARG(BOOL), YL_SETS_NOTHING, 0 },

    { "kind", K, ARG(TEXT), YL_SETS_KIND, 0 },
    { "typeName", T, ARG(TEXT), YL_SETS_TYPE_NAME, 0 },
    { "transparent", T, ARG(NONE), YL_SETS_NOTHING, 0 },
    { "structType", T, ARG(TEXT), YL_SETS_STRUCT_TYPE, 0 },
    { "embeds", T, ARG(NAMED), YL_SETS_EMBEDS, 0 },
    { "genclient", K, ARG(NONE), YL_SETS_CLIENT, 0 },
    { "genclient:noStatus", K, ARG(NONE), YL_SETS_NO_STATUS, 0 },
    { "genclient:onlyVerbs", K, ARG(TEXT), YL_SETS_ONLY_VERBS, 0 },
    { "genclient:nonNamespaced", K, ARG(NONE), YL_SETS_CLUSTER_SCOPED, 0 },
    { "kubebuilder:object:root", K, ARG(BOOL), YL_SETS_ROOT, 0 },
    { "kubebuilder:resource", K, ARG(NAMED), YL_SETS_RESOURCE, 0 },
    { "kubebuilder:subresource:status", K, ARG(NONE), YL_SETS_STATUS, 0 },
    { "kubebuilder:subresource:scale", K, ARG(NAMED), YL_SETS_SCALE, 0 },
    { "kubebuilder:printcolumn", K, ARG(NAMED), YL_SETS_COLUMN, 0 },
    { "kubebuilder:storageversion", K, ARG(NONE), YL_SETS_STORAGE, 0 },
    { "kubebuilder:unservedversion", K, ARG(NONE), YL_SETS_UNSERVED, 0 },
    { "kubebuilder:deprecatedversion", K, ARG(NAMED), YL_SETS_DEPRECATED, 0 },
    { "kubebuilder:selectablefield", K, ARG(NAMED), YL_SETS_SELECTABLE, 0 },
    { "kubebuilder:metadata", K, ARG(NAMED), YL_SETS_METADATA, 0 },

    { "json", M, ARG(TEXT), YL_SETS_JSON, 0 },
    { "optional", M, ARG(NONE), YL_SETS_OPTIONAL, 0 },
    { "required", M, ARG(NONE), YL_SETS_REQUIRED, 0 },
    { "nullable", M, ARG(BOOL), YL_SETS_NULLABLE, 0 },
    { "default", M, ARG(JSON), YL_SETS_DEFAULT, 0 },
    { "listType", M, ARG(TEXT), YL_SETS_LIST_TYPE, 0 },
    { "listMapKey", M, ARG(TEXT), YL_SETS_LIST_KEY, 0 },
    { "mapType", M, ARG(TEXT), YL_SETS_MAP_TYPE, 0 },
    { "patchStrategy", M, ARG(TEXT), YL_SETS_PATCH, 0 },
    { "patchMergeKey", M, ARG(TEXT), YL_SETS_MERGE_KEY, 0 },
    { "protobuf", M, ARG(INTEGER), YL_SETS_NUMBER, 0 },
    { "goType", M, ARG(TEXT), YL_SETS_GO_TYPE, 0 },
    { "internal:name", M, ARG(TEXT), YL_SETS_INTERNAL_NAME, 0 },
    { "internal:after", M, ARG(TEXT), YL_SETS_INTERNAL_AFTER, 0 },
    { "internal:in", M, ARG(TEXT), YL_SETS_INTERNAL_IN, 0 },
    { "internal:absent", M, ARG(NONE), YL_SETS_INTERNAL_ABSENT, 0 },
    { "internal:value", M, ARG(NONE), YL_SETS_INTERNAL_VALUE, 0 },
    { "kubebuilder:default", M, ARG(JSON), YL_SETS_DEFAULT, 0 },
    { "kubebuilder:example", M, ARG(JSON), YL_SETS_RULE, YL_RULE_EXAMPLE },
    { "kubebuilder:title", T | M, ARG(TEXT), YL_SETS_RULE, YL_RULE_TITLE },
    { "kubebuilder:pruning:PreserveUnknownFields", T | M, ARG(NONE),
      YL_SETS_PRESERVE, 0 },
    { "schema", T | M, ARG(JSON), YL_SETS_RULE, YL_RULE_SCHEMA },

    { VALIDATION "Optional", F | M, ARG(NONE), YL_SETS_OPTIONAL, 0 },
    { VALIDATION "Required", F | M, ARG(NONE), YL_SETS_REQUIRED, 0 },
    RULE("Minimum", M, NUMBER, MINIMUM),
    RULE("Maximum", M, NUMBER, MAXIMUM),
    RULE("ExclusiveMinimum", M, BOOL, EXCLUSIVE_MINIMUM),
    RULE("ExclusiveMaximum", M, BOOL, EXCLUSIVE_MAXIMUM),
    RULE("MultipleOf", M, NUMBER, MULTIPLE_OF),
    RULE("MinLength", M, INTEGER, MIN_LENGTH),
    RULE("MaxLength", M, INTEGER, MAX_LENGTH),
    RULE("Pattern", M, TEXT, PATTERN),
    RULE("Format", M, TEXT, FORMAT),
    RULE("Enum", M, LIST, ENUM),
    RULE("MinItems", M, INTEGER, MIN_ITEMS),
    RULE("MaxItems", M, INTEGER, MAX_ITEMS),
    RULE("UniqueItems", M, BOOL, UNIQUE_ITEMS),
    RULE("MinProperties", T | M, INTEGER, MIN_PROPERTIES),
    RULE("MaxProperties", T | M, INTEGER, MAX_PROPERTIES),
    RULE("XValidation", T | M, NAMED, CEL),
};
const size_t yl_n_markers = YL_ARRAY_SIZE(yl_markers);

static void apply_one(struct yl_marker_target *, struct yl_str line);
static bool next_marker(struct yl_str *line, struct yl_str *ret_one);
static const struct yl_marker *find(struct yl_str name,
                                    struct yl_str *ret_rest);
static struct yl_str without_elements(struct yl_marker_target *,
                                      struct yl_gen_value **,
                                      struct yl_str name);
static void unknown(struct yl_marker_target *, struct yl_str name);
static const char *places(struct yl_arena *, unsigned where);
static size_t distance(struct yl_str, const char *);

bool
yl_marker_is(struct yl_str line)
{
    return line.size > 1 && line.data[0] == '+'
           && ((line.data[1] >= 'a' && line.data[1] <= 'z')
               || (line.data[1] >= 'A' && line.data[1] <= 'Z'));
}

void
yl_marker_apply(struct yl_marker_target *target, struct yl_str line)
{
    struct yl_str one;

    line = yl_str_trim(line);
    while (next_marker(&line, &one)) {
        apply_one(target, one);
    }
}

/* Cuts the first marker off 'line': up to a blank, outside of quotes and
 * brackets, behind which another one starts. */
static bool
next_marker(struct yl_str *line, struct yl_str *ret_one)
{
    struct yl_str rest = *line, item, behind;

    if (!line->size) {
        return false;
    }
    while (yl_marker_next(&rest, ' ', &item)) {
        if (yl_marker_is(rest) && find(yl_str_skip(rest, 1), &behind)) {
            *ret_one = yl_str_trim(yl_str_range(line->data, rest.data));
            *line = rest;
            return true;
        }
    }
    *ret_one = *line;
    *line = YL_STR("");
    return true;
}

static void
apply_one(struct yl_marker_target *target, struct yl_str line)
{
    struct yl_str name = yl_str_skip(line, 1), rest;
    unsigned here = target->where == YL_MARKER_TYPE
                    ? YL_MARKER_TYPE | YL_MARKER_KIND : target->where;
    struct yl_gen_value *value = target->field ? target->field->value : NULL;
    const struct yl_marker *marker;

    name = without_elements(target, &value, name);
    if (yl_str_is_null(name)) {
        return;
    }
    marker = find(name, &rest);
    if (!marker) {
        unknown(target, name);
    } else if (!(marker->where & here)) {
        yl_diag_add(target->diag, target->file, target->line,
                    "'+%s' belongs %s", marker->name,
                    places(target->unit->arena, marker->where));
    } else if (target->type || target->where == YL_MARKER_FILE) {
        yl_marker_set(target, marker, value, rest);
    }
}

const struct yl_marker *
yl_marker_of_file(struct yl_str line)
{
    struct yl_str rest;
    const struct yl_marker *marker = find(yl_str_skip(line, 1), &rest);

    if (!marker) {
        return NULL;
    } else if (marker->sets == YL_SETS_DEEPCOPY) {
        return yl_str_equal_c(rest, "=package") ? marker : NULL;
    } else if (marker->where & (T | K)) {
        return NULL;
    }
    return marker->where & F ? marker : NULL;
}

const struct yl_marker *
yl_marker_of_rule(enum yl_rule_op op)
{
    size_t i;

    for (i = 0; i < yl_n_markers; i++) {
        if (yl_markers[i].op == (int) op) {
            return &yl_markers[i];
        }
    }
    return NULL;
}

bool
yl_marker_is_name(struct yl_str line)
{
    struct yl_str rest;
    const struct yl_marker *marker = find(yl_str_skip(line, 1), &rest);

    return marker && (marker->sets == YL_SETS_KIND
                      || marker->sets == YL_SETS_TYPE_NAME);
}

bool
yl_marker_is_transparent(struct yl_str line)
{
    return yl_str_equal_c(line, "+transparent");
}

/* The row with the longest name that 'name' starts with, and what follows the
 * name: "", "=..."  or, if arguments have names, ":...". */
static const struct yl_marker *
find(struct yl_str name, struct yl_str *ret_rest)
{
    const struct yl_marker *best = NULL;
    size_t i, best_size = 0;

    for (i = 0; i < yl_n_markers; i++) {
        const struct yl_marker *m = &yl_markers[i];
        struct yl_str own = yl_str_c(m->name), rest;

        if (own.size <= best_size || !yl_str_starts_with(name, own)) {
            continue;
        }
        rest = yl_str_skip(name, own.size);
        if (rest.size == 0 || rest.data[0] == '='
            || yl_str_starts_with(rest, YL_STR(":="))
            || (rest.data[0] == ':' && m->arg == YL_MARKER_ARG_NAMED)) {
            best = m;
            best_size = own.size;
            *ret_rest = rest;
        }
    }
    if (best && yl_str_starts_with(*ret_rest, YL_STR(":="))) {
        *ret_rest = yl_str_skip(*ret_rest, 1);
    }
    return best;
}

/* Removes "items:" and "values:" from 'name' and moves '*valuep' to the
 * elements that they mean.  Returns the null slice if there are no such
 * elements. */
static struct yl_str
without_elements(struct yl_marker_target *target,
                 struct yl_gen_value **valuep, struct yl_str name)
{
    struct yl_str start = YL_STR(VALIDATION), rest = name;
    bool validation = yl_str_starts_with(name, start);

    if (validation) {
        rest = yl_str_skip(name, start.size);
    }
    for (;;) {
        bool items = yl_str_starts_with(rest, YL_STR("items:"));
        enum yl_value_kind kind = items ? YL_VALUE_LIST : YL_VALUE_MAP;
        const char *word = items ? "items:" : "values:";

        if (!items && !yl_str_starts_with(rest, YL_STR("values:"))) {
            break;
        } else if (!*valuep || (*valuep)->kind != kind) {
            yl_diag_add(target->diag, target->file, target->line,
                        "'%s' in '+%.*s' needs a %s", word, YL_STR_ARG(name),
                        items ? "list" : "map");
            return yl_str_null();
        }
        *valuep = (*valuep)->element;
        rest = yl_str_skip(rest, strlen(word));
    }
    return validation
           ? yl_str_c(yl_arena_printf(target->unit->arena, VALIDATION "%.*s",
                                      YL_STR_ARG(rest)))
           : rest;
}

static void
unknown(struct yl_marker_target *target, struct yl_str name)
{
    size_t i, nearest = 0, best = (size_t) -1;
    struct yl_str key = name, rest;

    yl_str_cut(key, '=', &key, &rest);
    for (i = 0; i < yl_n_markers; i++) {
        size_t d = distance(key, yl_markers[i].name);

        if (d < best) {
            best = d;
            nearest = i;
        }
    }
    if (best <= 2 + key.size / 4) {
        yl_diag_add(target->diag, target->file, target->line,
                    "unknown marker '+%.*s'; write '+%s'?", YL_STR_ARG(key),
                    yl_markers[nearest].name);
    } else {
        yl_diag_add(target->diag, target->file, target->line,
                    "unknown marker '+%.*s'; \"yuloh help gen\" says where "
                    "they are listed", YL_STR_ARG(key));
    }
}

static const char *
places(struct yl_arena *arena, unsigned where)
{
    const char *a = where & F ? "at the top of the file" : "";
    const char *b = where & T ? "above a struct"
                    : where & K ? "above a struct that is a kind" : "";
    const char *c = where & M ? "above a member" : "";

    return yl_arena_printf(arena, "%s%s%s%s%s", a, *a && (*b || *c)
                           ? " or " : "", b, *b && *c ? " or " : "", c);
}

/* The edit distance: how many characters must be inserted, removed or
 * replaced. */
static size_t
distance(struct yl_str a, const char *b)
{
    size_t row[128], n = strlen(b), i, j;

    if (n >= YL_ARRAY_SIZE(row) || a.size >= YL_ARRAY_SIZE(row)) {
        return YL_ARRAY_SIZE(row);
    }
    for (j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (i = 0; i < a.size; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (j = 0; j < n; j++) {
            size_t best = diagonal + (a.data[i] != b[j]);

            diagonal = row[j + 1];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
        }
    }
    return row[n];
}
