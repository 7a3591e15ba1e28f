/* The comments of an annotated header.  See codegen/emit_markers.h.
 *
 * Strings are written as JSON writes them, which is one of the ways in which
 * markers can be read, and never ends a line too early. */

#include "codegen/emit_markers.h"

#include <string.h>

#include "codegen/markers.h"
#include "json/cursor.h"
#include "json/text.h"
#include "schema/keyword.h"
#include "yuloh/arena.h"

static void emit_doc(struct yl_buf *, const char *indent, const char *doc);
static void emit_kind(struct yl_buf *, const struct yl_gen_kind *);
static void emit_resource(struct yl_buf *, const struct yl_gen_kind *);
static void emit_columns(struct yl_buf *, const struct yl_gen_kind *);
static void emit_texts(struct yl_buf *, const struct yl_gen_text *);
static void emit_json(struct yl_buf *, const struct yl_gen_unit *,
                      const struct yl_gen_field *);
static const char *presence_words(const struct yl_gen_field *);
static void emit_patch(struct yl_buf *, const struct yl_gen_field *);
static void emit_value(struct yl_buf *, const char *indent, const char *path,
                       const struct yl_gen_unit *,
                       const struct yl_gen_value *);
static void emit_topology(struct yl_buf *, const char *indent,
                          const char *path, const struct yl_gen_value *);
static void emit_rules(struct yl_buf *, const char *indent, const char *path,
                       const struct yl_gen_rule *);
static void emit_rule(struct yl_buf *, const struct yl_marker *,
                      const struct yl_gen_rule *);
static void emit_cel(struct yl_buf *, const char *json);
static void emit_quoted(struct yl_buf *, const char *name, const char *text);

void
yl_gen_emit_file_markers(struct yl_buf *buf, const struct yl_gen_unit *unit)
{
    const struct yl_gen_unit *derived = yl_gen_unit_new(unit->arena,
                                                        unit->base,
                                                        unit->group,
                                                        unit->version);

    yl_buf_printf(buf, "// +groupName=%s\n// +version=%s\n", unit->group,
                  unit->version);
    if (strcmp(unit->prefix, derived->prefix)) {
        yl_buf_printf(buf, "// +prefix=%s\n", unit->prefix);
    }
    if (strcmp(unit->openapi_prefix, derived->openapi_prefix)) {
        yl_buf_printf(buf, "// +k8s:openapi-model-package=%s\n",
                      unit->openapi_prefix);
    }
    yl_buf_append_c(buf, "// +kubebuilder:validation:Optional\n");
}

void
yl_gen_emit_type_markers(struct yl_buf *buf, const struct yl_gen_type *type)
{
    struct yl_arena *arena = type->unit->arena;
    struct yl_str stem = yl_str_c(type->c_name);
    struct yl_str prefix = yl_str_c(type->unit->prefix);
    bool other_name;

    if (yl_str_starts_with(stem, prefix) && stem.size > prefix.size) {
        stem = yl_str_skip(stem, prefix.size);
    }
    other_name = strcmp(yl_gen_camel(arena, stem.data, true), type->name) != 0;
    emit_doc(buf, "", type->doc);
    if (type->kind) {
        if (other_name || !type->kind->client) {
            yl_buf_printf(buf, "// +kind=%s\n", type->name);
        }
        emit_kind(buf, type->kind);
    } else if (other_name) {
        yl_buf_printf(buf, "// +typeName=%s\n", type->name);
    }
    if (type->no_copy) {
        yl_buf_append_c(buf, "// +k8s:deepcopy-gen=false\n");
    }
    if (type->topology != YL_TOPOLOGY_NONE) {
        yl_buf_printf(buf, "// +structType=%s\n",
                      yl_topology_word(type->topology));
    }
    if (type->flags & YL_VALUE_PRESERVE) {
        yl_buf_append_c(buf,
                        "// +kubebuilder:pruning:PreserveUnknownFields\n");
    }
    emit_rules(buf, "", "", type->rules);
}

void
yl_gen_emit_field_markers(struct yl_buf *buf, const struct yl_gen_unit *unit,
                          const struct yl_gen_field *field)
{
    const char *indent = "    ";

    emit_doc(buf, indent, field->doc);
    if (field->required) {
        yl_buf_printf(buf, "%s// +required\n", indent);
    }
    emit_json(buf, unit, field);
    if (field->default_[0]) {
        yl_buf_printf(buf, "%s// +default=%s\n", indent, field->default_);
    }
    emit_patch(buf, field);
    emit_value(buf, indent, "", unit, field->value);
}

/* What the user said in words.  A line that looks like a marker is left out,
 * and so is a backslash at the end, which would swallow the next line. */
static void
emit_doc(struct yl_buf *buf, const char *indent, const char *doc)
{
    struct yl_str rest = yl_str_c(doc);

    while (rest.size) {
        struct yl_str line = rest;

        if (!yl_str_cut(rest, '\n', &line, &rest)) {
            rest = yl_str_null();
        }
        line = yl_str_trim(line);
        while (line.size && (line.data[line.size - 1] == '\\'
                             || line.data[line.size - 1] == ' ')) {
            line.size--;
        }
        if (!yl_marker_is(line)) {
            yl_buf_printf(buf, "%s//%s%.*s\n", indent, line.size ? " " : "",
                          YL_STR_ARG(line));
        }
    }
}

static void
emit_kind(struct yl_buf *buf, const struct yl_gen_kind *kind)
{
    const struct yl_gen_text *path;

    if (kind->client) {
        yl_buf_append_c(buf, "// +genclient\n");
    }
    if (kind->client_no_status) {
        yl_buf_append_c(buf, "// +genclient:noStatus\n");
    }
    if (kind->only_verbs[0]) {
        yl_buf_printf(buf, "// +genclient:onlyVerbs=%s\n", kind->only_verbs);
    }
    emit_resource(buf, kind);
    if (kind->status) {
        yl_buf_append_c(buf, "// +kubebuilder:subresource:status\n");
    }
    if (kind->scale) {
        yl_buf_printf(buf, "// +kubebuilder:subresource:scale:specpath=%s,"
                      "statuspath=%s", kind->scale_spec, kind->scale_status);
        if (kind->scale_selector[0]) {
            yl_buf_printf(buf, ",selectorpath=%s", kind->scale_selector);
        }
        yl_buf_append_char(buf, '\n');
    }
    emit_columns(buf, kind);
    if (kind->storage_said) {
        yl_buf_append_c(buf, "// +kubebuilder:storageversion\n");
    }
    if (kind->unserved) {
        yl_buf_append_c(buf, "// +kubebuilder:unservedversion\n");
    }
    if (kind->deprecated) {
        yl_buf_append_c(buf, "// +kubebuilder:deprecatedversion");
        if (kind->deprecation[0]) {
            emit_quoted(buf, ":warning", kind->deprecation);
        }
        yl_buf_append_char(buf, '\n');
    }
    for (path = kind->selectable; path; path = path->next) {
        yl_buf_append_c(buf, "// +kubebuilder:selectablefield");
        emit_quoted(buf, ":JSONPath", path->text);
        yl_buf_append_char(buf, '\n');
    }
    if (kind->annotations) {
        yl_buf_append_c(buf, "// +kubebuilder:metadata:annotations=");
        emit_texts(buf, kind->annotations);
        yl_buf_append_char(buf, '\n');
    }
    if (kind->labels) {
        yl_buf_append_c(buf, "// +kubebuilder:metadata:labels=");
        emit_texts(buf, kind->labels);
        yl_buf_append_char(buf, '\n');
    }
}

/* Names and scope, where they are not the usual ones. */
static void
emit_resource(struct yl_buf *buf, const struct yl_gen_kind *kind)
{
    struct yl_arena *arena = kind->type->unit->arena;
    size_t start = buf->size, size;
    const char *p = kind->singular;
    struct yl_str name = yl_str_c(kind->name);
    bool usual = strlen(p) == name.size;
    size_t i;

    for (i = 0; usual && i < name.size; i++) {
        char c = name.data[i];

        usual = p[i] == (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    yl_buf_append_c(buf, "// +kubebuilder:resource:");
    size = buf->size;
    if (!kind->plural[0]) {
        yl_buf_append_c(buf, "path=\"\",");
    } else if (strcmp(kind->plural, yl_gen_plural(arena, kind->name))) {
        yl_buf_printf(buf, "path=%s,", kind->plural);
    }
    if (kind->plural[0] && !usual) {
        yl_buf_printf(buf, "singular=%s,", p);
    }
    if (kind->short_names) {
        yl_buf_append_c(buf, "shortName=");
        emit_texts(buf, kind->short_names);
        yl_buf_append_char(buf, ',');
    }
    if (kind->categories) {
        yl_buf_append_c(buf, "categories=");
        emit_texts(buf, kind->categories);
        yl_buf_append_char(buf, ',');
    }
    if (kind->cluster_scoped) {
        yl_buf_append_c(buf, "scope=Cluster,");
    }
    if (buf->size == size) {
        buf->size = start;
    } else {
        buf->size--;
        yl_buf_append_char(buf, '\n');
    }
}

static void
emit_columns(struct yl_buf *buf, const struct yl_gen_kind *kind)
{
    const struct yl_gen_column *column;

    for (column = kind->columns; column; column = column->next) {
        yl_buf_append_c(buf, "// +kubebuilder:printcolumn");
        emit_quoted(buf, ":name", column->name);
        emit_quoted(buf, ",type", column->type);
        emit_quoted(buf, ",JSONPath", column->json_path);
        if (column->format[0]) {
            emit_quoted(buf, ",format", column->format);
        }
        if (column->description[0]) {
            emit_quoted(buf, ",description", column->description);
        }
        if (column->priority) {
            yl_buf_printf(buf, ",priority=%d", column->priority);
        }
        yl_buf_append_char(buf, '\n');
    }
}

/* Texts joined by semicolons, in quotes unless they are plain words. */
static void
emit_texts(struct yl_buf *buf, const struct yl_gen_text *text)
{
    for (; text; text = text->next) {
        const char *p = text->text;

        while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')
               || (*p >= '0' && *p <= '9') || *p == '-') {
            p++;
        }
        if (*p || p == text->text) {
            yl_json_write_string(buf, yl_str_c(text->text));
        } else {
            yl_buf_append_c(buf, text->text);
        }
        if (text->next) {
            yl_buf_append_char(buf, ';');
        }
    }
}

static void
emit_json(struct yl_buf *buf, const struct yl_gen_unit *unit,
          const struct yl_gen_field *field)
{
    const char *words = presence_words(field);
    bool same = !strcmp(yl_gen_camel(unit->arena, field->c_name, false),
                        field->json_name);

    if (!same || words[0]) {
        yl_buf_printf(buf, "    // +json=%s%s\n", same ? "" : field->json_name,
                      words);
    }
}

/* What must be said about presence, beside "+required" and the C type. */
static const char *
presence_words(const struct yl_gen_field *field)
{
    bool string = field->value->kind == YL_VALUE_STRING;
    bool time = field->value->kind == YL_VALUE_TIME
                || field->value->kind == YL_VALUE_MICRO_TIME;

    switch (field->presence) {
    case YL_PRESENCE_ALWAYS:
        return field->required ? "" : ",always";
    case YL_PRESENCE_OMIT_EMPTY:
        return field->required || time ? ",omitempty" : "";
    case YL_PRESENCE_OMIT_ZERO:
        return field->required || !time ? ",omitzero" : "";
    case YL_PRESENCE_POINTER:
        return string ? ",pointer" : "";
    case YL_PRESENCE_POINTER_ALWAYS:
        return string ? ",pointer,always" : ",always";
    default:
        return "";
    }
}

static void
emit_patch(struct yl_buf *buf, const struct yl_gen_field *field)
{
    static const struct {
        unsigned flag;
        const char *word;
    } words[] = {
        { YL_FIELD_MERGE, "merge" },
        { YL_FIELD_REPLACE, "replace" },
        { YL_FIELD_RETAIN_KEYS, "retainKeys" },
    };
    const char *separator = "=";
    size_t i;

    if (field->patch) {
        yl_buf_append_c(buf, "    // +patchStrategy");
        for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
            if (field->patch & words[i].flag) {
                yl_buf_printf(buf, "%s%s", separator, words[i].word);
                separator = ",";
            }
        }
        yl_buf_append_char(buf, '\n');
    }
    if (field->merge_key[0]) {
        yl_buf_printf(buf, "    // +patchMergeKey=%s\n", field->merge_key);
    }
}

/* What a value says, and its elements: 'path' leads there ("items:"). */
static void
emit_value(struct yl_buf *buf, const char *indent, const char *path,
           const struct yl_gen_unit *unit, const struct yl_gen_value *value)
{
    emit_topology(buf, indent, path, value);
    if (value->flags & YL_VALUE_NULLABLE) {
        yl_buf_printf(buf, "%s// +%snullable\n", indent, path);
    }
    if (value->flags & YL_VALUE_PRESERVE) {
        yl_buf_printf(buf, "%s// +%skubebuilder:pruning:"
                      "PreserveUnknownFields\n", indent, path);
    }
    emit_rules(buf, indent, path, value->rules);
    if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        emit_value(buf, indent,
                   yl_arena_printf(unit->arena, "%s%s", path,
                                   value->kind == YL_VALUE_LIST
                                       ? "items:" : "values:"),
                   unit, value->element);
    }
}

static void
emit_topology(struct yl_buf *buf, const char *indent, const char *path,
              const struct yl_gen_value *value)
{
    struct yl_str rest = yl_str_c(value->list_keys);

    if (value->topology != YL_TOPOLOGY_NONE) {
        yl_buf_printf(buf, "%s// +%s%s=%s\n", indent, path,
                      value->kind == YL_VALUE_LIST ? "listType" : "mapType",
                      yl_topology_word(value->topology));
    }
    while (rest.size) {
        struct yl_str key = rest;

        if (!yl_str_cut(rest, ',', &key, &rest)) {
            rest = yl_str_null();
        }
        yl_buf_printf(buf, "%s// +%slistMapKey=%.*s\n", indent, path,
                      YL_STR_ARG(key));
    }
}

static void
emit_rules(struct yl_buf *buf, const char *indent, const char *path,
           const struct yl_gen_rule *rule)
{
    for (; rule; rule = rule->next) {
        const struct yl_marker *marker = yl_marker_of_rule(rule->op);

        yl_buf_printf(buf, "%s// +%s%s", indent, path, marker->name);
        emit_rule(buf, marker, rule);
        yl_buf_append_char(buf, '\n');
    }
}

/* A rule's argument, as the marker's row has it. */
static void
emit_rule(struct yl_buf *buf, const struct yl_marker *marker,
          const struct yl_gen_rule *rule)
{
    switch (marker->arg) {
    case YL_MARKER_ARG_INTEGER:
    case YL_MARKER_ARG_NUMBER:
        yl_buf_append_char(buf, '=');
        yl_json_write_double(buf, rule->number);
        break;
    case YL_MARKER_ARG_TEXT:
        emit_quoted(buf, "", rule->text);
        break;
    case YL_MARKER_ARG_JSON:
    case YL_MARKER_ARG_LIST:
        yl_buf_printf(buf, "=%s", rule->text);
        break;
    case YL_MARKER_ARG_NAMED:
        emit_cel(buf, rule->text);
        break;
    case YL_MARKER_ARG_NONE:
    case YL_MARKER_ARG_BOOL:
    default:
        break;
    }
}

/* An entry of x-kubernetes-validations: ":rule=...,message=...". */
static void
emit_cel(struct yl_buf *buf, const char *json)
{
    struct yl_json_iter it = yl_json_iter(yl_json(yl_str_c(json)));
    char separator = ':';

    while (yl_json_next(&it)) {
        struct yl_str raw = yl_json_raw(it.value);

        yl_buf_printf(buf, "%c%.*s=%.*s", separator, YL_STR_ARG(it.key),
                      YL_STR_ARG(raw));
        separator = ',';
    }
}

static void
emit_quoted(struct yl_buf *buf, const char *name, const char *text)
{
    yl_buf_printf(buf, "%s=", name);
    yl_json_write_string(buf, yl_str_c(text));
}
