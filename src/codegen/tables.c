/* The rows of the tables.  See codegen/tables.h. */

#include "codegen/tables.h"

#include <string.h>

#include "base/hash.h"
#include "json/text.h"
#include "schema/record.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_TEXT ((size_t) 16 << 20)

/* The bytes of a record whose pairs in a map, which have a key before it, are
 * still numbered by 16 bits. */
#define MAX_RECORD (UINT16_MAX - sizeof(const char *))

struct pooled {
    struct yl_map_node node;
    const char *text;
    unsigned number;
};

static void check(struct yl_tables *, size_t n, size_t max,
                  const char *what);
static void check_counts(struct yl_tables *);
static size_t record_size(const struct yl_gen_type *);
static void pool_init(struct yl_pool *, unsigned first);
static void pool_release(struct yl_pool *);
static unsigned *pool_find(struct yl_tables *, struct yl_pool *,
                           const char *text, bool *ret_new);
static unsigned string(struct yl_tables *, const char *);
static unsigned value_row(struct yl_tables *, const struct yl_gen_value *,
                          const char *doc);
static enum yl_rule_op table_op(const struct yl_gen_rule *rules,
                                enum yl_rule_op);
static unsigned rule_rows(struct yl_tables *, const struct yl_gen_rule *,
                          const char *doc, unsigned *ret_n);
static void type_rows(struct yl_tables *, const struct yl_gen_type *);
static void field_row(struct yl_tables *, const struct yl_gen_type *,
                      const struct yl_gen_field *);
static void kind_rows(struct yl_tables *, const struct yl_gen_kind *);
static const char *joined(struct yl_tables *, const struct yl_gen_text *);
static const char *annotations_json(struct yl_tables *,
                                    const struct yl_gen_text *);

/* Names of the constants of yuloh/schema.h. */
static const char *const value_kinds[] = {
    "YL_VALUE_NONE", "YL_VALUE_BOOL", "YL_VALUE_INT32", "YL_VALUE_INT64",
    "YL_VALUE_DOUBLE", "YL_VALUE_STRING", "YL_VALUE_BYTES", "YL_VALUE_TIME",
    "YL_VALUE_MICRO_TIME", "YL_VALUE_DURATION", "YL_VALUE_QUANTITY",
    "YL_VALUE_INT_OR_STRING", "YL_VALUE_RAW", "YL_VALUE_EMBEDDED",
    "YL_VALUE_STRUCT", "YL_VALUE_LIST", "YL_VALUE_MAP",
};
static const char *const topologies[] = {
    "0", "YL_TOPOLOGY_ATOMIC", "YL_TOPOLOGY_SET", "YL_TOPOLOGY_MAP",
    "YL_TOPOLOGY_GRANULAR",
};
static const char *const presences[] = {
    "YL_PRESENCE_ALWAYS", "YL_PRESENCE_OMIT_EMPTY", "YL_PRESENCE_OMIT_ZERO",
    "YL_PRESENCE_POINTER", "YL_PRESENCE_POINTER_ALWAYS",
};
static const char *const rule_ops[] = {
    "YL_RULE_NONE", "YL_RULE_MINIMUM", "YL_RULE_MAXIMUM",
    "YL_RULE_EXCLUSIVE_MINIMUM", "YL_RULE_EXCLUSIVE_MAXIMUM",
    "YL_RULE_MULTIPLE_OF", "YL_RULE_MIN_LENGTH", "YL_RULE_MAX_LENGTH",
    "YL_RULE_MIN_ITEMS", "YL_RULE_MAX_ITEMS", "YL_RULE_MIN_PROPERTIES",
    "YL_RULE_MAX_PROPERTIES", "YL_RULE_UNIQUE_ITEMS", "YL_RULE_PATTERN",
    "YL_RULE_FORMAT", "YL_RULE_ENUM", "YL_RULE_TITLE", "YL_RULE_DESCRIPTION",
    "YL_RULE_EXAMPLE", "YL_RULE_CEL", "YL_RULE_SCHEMA",
};

int
yl_tables_build(struct yl_tables *tables, struct yl_gen_unit *unit,
                struct yl_error *err)
{
    const struct yl_gen_type *type;
    const struct yl_gen_kind *kind;

    memset(tables, 0, sizeof *tables);
    tables->unit = unit;
    tables->arena = unit->arena;
    pool_init(&tables->strings, 1);
    pool_init(&tables->values, 1);
    pool_init(&tables->rules, 1);
    yl_buf_init(&tables->types, MAX_TEXT);
    yl_buf_init(&tables->fields, MAX_TEXT);
    yl_buf_init(&tables->columns, MAX_TEXT);
    yl_buf_init(&tables->kinds, MAX_TEXT);
    tables->n_fields = tables->n_columns = 1;
    for (type = unit->types; type; type = type->next) {
        type_rows(tables, type);
    }
    for (kind = unit->kinds; kind; kind = kind->next) {
        kind_rows(tables, kind);
    }
    check_counts(tables);
    if (tables->too_big) {
        return yl_error_set(err, YL_ETOOBIG, "%s: %s", unit->file,
                            tables->too_big);
    }
    return 0;
}

void
yl_tables_release(struct yl_tables *tables)
{
    pool_release(&tables->strings);
    pool_release(&tables->values);
    pool_release(&tables->rules);
    yl_buf_release(&tables->types);
    yl_buf_release(&tables->fields);
    yl_buf_release(&tables->columns);
    yl_buf_release(&tables->kinds);
}

/* Remembers that 'n' of 'what' are too many, if they are. */
static void
check(struct yl_tables *tables, size_t n, size_t max, const char *what)
{
    if (n > max && !tables->too_big) {
        tables->too_big = yl_arena_printf(
            tables->arena, "%s%s has more than %zu %s",
            tables->type ? "struct " : "the group-version",
            tables->type ? tables->type->c_name : "", max, what);
    }
}

/* What is counted for the whole set. */
static void
check_counts(struct yl_tables *tables)
{
    const struct yl_buf *const texts[] = {
        &tables->strings.text, &tables->values.text, &tables->rules.text,
        &tables->types, &tables->fields, &tables->columns, &tables->kinds,
    };
    const struct yl_gen_import *import;
    size_t n_imports = 0, i;

    for (import = tables->unit->imports; import; import = import->next) {
        n_imports++;
    }
    tables->type = NULL;
    check(tables, tables->unit->n_types, UINT16_MAX - 1, "types");
    check(tables, tables->values.n, UINT16_MAX, "different values");
    check(tables, tables->n_columns, UINT16_MAX, "columns");
    check(tables, n_imports, UINT8_MAX, "imports");
    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        check(tables, yl_buf_error(texts[i]) ? SIZE_MAX : 0, MAX_TEXT,
              "bytes of tables");
    }
}

/* At most the bytes of a record, wherever it is compiled: every member is
 * aligned like the strictest one. */
static size_t
record_size(const struct yl_gen_type *type)
{
    const struct yl_gen_field *field;
    size_t size = 0;

    for (field = type->fields; field; field = field->next) {
        const struct yl_gen_value *value = field->value;
        struct yl_value like = { .kind = (uint8_t) value->kind };
        size_t align = sizeof(int64_t) - 1;

        if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP
            || field->presence == YL_PRESENCE_POINTER
            || field->presence == YL_PRESENCE_POINTER_ALWAYS) {
            size += sizeof(void *) + sizeof(size_t);
        } else if (value->kind == YL_VALUE_STRUCT) {
            size += record_size(value->type);
        } else {
            size += (yl_value_size(NULL, &like) + align) & ~align;
        }
        if (size > MAX_RECORD) {
            break;
        }
    }
    return size;
}

/* Cuts a word off, which ends at a blank that is in no parentheses. */
static struct yl_str
next_word(struct yl_str *rest)
{
    struct yl_str word = *rest;
    unsigned depth = 0;
    size_t i;

    for (i = 0; i < word.size && (depth || word.data[i] != ' '); i++) {
        depth += word.data[i] == '(';
        depth -= word.data[i] == ')';
    }
    word.size = i;
    *rest = yl_str_skip(*rest, i < rest->size ? i + 1 : i);
    return word;
}

void
yl_write_wrapped(struct yl_buf *buf, unsigned indent, const char *items)
{
    struct yl_str rest = yl_str_c(items);
    bool continued = false;
    size_t column = 0;

    while (rest.size) {
        struct yl_str word = next_word(&rest);

        if (column && column + 1 + word.size > 79) {
            yl_buf_append_char(buf, '\n');
            column = 0;
        }
        if (!column) {
            yl_buf_printf(buf, "%*s", (int) indent, "");
            column = indent;
            if (!continued) {
                indent += 2;
                continued = true;
            }
        } else {
            yl_buf_append_char(buf, ' ');
            column++;
        }
        yl_buf_append_str(buf, word);
        column += word.size;
    }
    yl_buf_append_char(buf, '\n');
}

static void
pool_init(struct yl_pool *pool, unsigned first)
{
    yl_map_init(&pool->index);
    yl_buf_init(&pool->text, MAX_TEXT);
    pool->n = first;
}

static void
pool_release(struct yl_pool *pool)
{
    yl_map_release(&pool->index);
    yl_buf_release(&pool->text);
}

/* The number of 'text'.  If it is new, the caller must set the number. */
static unsigned *
pool_find(struct yl_tables *tables, struct yl_pool *pool, const char *text,
          bool *ret_new)
{
    size_t hash = yl_hash_str(yl_str_c(text));
    struct pooled *item;

    YL_MAP_FOR_EACH_WITH_HASH(item, node, hash, &pool->index) {
        if (!strcmp(item->text, text)) {
            *ret_new = false;
            return &item->number;
        }
    }
    item = yl_arena_zalloc(tables->arena, sizeof *item);
    item->text = text;
    yl_map_insert(&pool->index, &item->node, hash);
    *ret_new = true;
    return &item->number;
}

/* The offset of a text in 'strings'; "" is at 0. */
static unsigned
string(struct yl_tables *tables, const char *text)
{
    struct yl_pool *pool = &tables->strings;
    struct yl_str rest = yl_str_c(text);
    unsigned *number;
    bool new;

    if (!text[0]) {
        return 0;
    }
    number = pool_find(tables, pool, text, &new);
    if (!new) {
        return *number;
    }
    *number = pool->n;
    pool->n += (unsigned) rest.size + 1;
    while (rest.size) {
        size_t column = 5;

        yl_buf_append_c(&pool->text, "    \"");
        while (rest.size && column < 70) {
            unsigned char c = (unsigned char) rest.data[0];
            size_t before = pool->text.size;

            /* Octal escapes end after three digits; "\?" cannot become a
             * trigraph. */
            if (c == '"' || c == '\\' || c == '?') {
                yl_buf_printf(&pool->text, "\\%c", c);
            } else if (c >= ' ' && c < 0x7f) {
                yl_buf_append_char(&pool->text, (char) c);
            } else {
                yl_buf_printf(&pool->text, "\\%03o", c);
            }
            column += pool->text.size - before;
            rest = yl_str_skip(rest, 1);
        }
        yl_buf_append_c(&pool->text, rest.size ? "\"\n" : "\\0\"\n");
    }
    return *number;
}

static unsigned
value_row(struct yl_tables *tables, const struct yl_gen_value *value,
          const char *doc)
{
    unsigned rules, n_rules, import = 0, type = 0, element = 0, *number;
    const char *size = "0", *flags, *row;
    bool new;

    if (value->kind == YL_VALUE_STRUCT) {
        const struct yl_gen_unit *of = value->type->unit;
        const struct yl_gen_import *i;

        for (i = tables->unit->imports; i && of != tables->unit;
             i = i->next) {
            import++;
            if (i->unit == of) {
                break;
            }
        }
        type = value->type->index;
    } else if (value->element) {
        element = value_row(tables, value->element, "");
        size = yl_arena_printf(tables->arena, "sizeof(%s)",
                               yl_gen_c_element(tables->arena, value));
    }
    rules = rule_rows(tables, value->rules, doc, &n_rules);
    flags = value->flags == (YL_VALUE_NULLABLE | YL_VALUE_PRESERVE)
            ? "YL_VALUE_NULLABLE | YL_VALUE_PRESERVE"
            : value->flags & YL_VALUE_NULLABLE ? "YL_VALUE_NULLABLE"
            : value->flags & YL_VALUE_PRESERVE ? "YL_VALUE_PRESERVE" : "0";
    row = yl_arena_printf(tables->arena,
                          "{ %s, %s, %s, %u, %u, %u, %s, %u, %u, %u },",
                          value_kinds[value->kind], flags,
                          topologies[value->topology], import, type, element,
                          size, n_rules, rules,
                          string(tables, value->list_keys));
    number = pool_find(tables, &tables->values, row, &new);
    if (new) {
        *number = tables->values.n++;
        yl_write_wrapped(&tables->values.text, 4, row);
    }
    return *number;
}

/* A schema has a limit and a flag that makes it exclusive; the tables have one
 * rule for both together. */
static enum yl_rule_op
table_op(const struct yl_gen_rule *rules, enum yl_rule_op op)
{
    switch (op) {
    case YL_RULE_MINIMUM:
        return yl_gen_rule_find(rules, YL_RULE_EXCLUSIVE_MINIMUM)
                   ? YL_RULE_EXCLUSIVE_MINIMUM : op;
    case YL_RULE_MAXIMUM:
        return yl_gen_rule_find(rules, YL_RULE_EXCLUSIVE_MAXIMUM)
                   ? YL_RULE_EXCLUSIVE_MAXIMUM : op;
    case YL_RULE_EXCLUSIVE_MINIMUM:
    case YL_RULE_EXCLUSIVE_MAXIMUM:
        return YL_RULE_NONE;
    default:
        return op;
    }
}

/* The number of the first of some consecutive rules, and how many; 0 and 0 if
 * there are none. */
static unsigned
rule_rows(struct yl_tables *tables, const struct yl_gen_rule *rules,
          const char *doc, unsigned *ret_n)
{
    const struct yl_gen_rule *rule;
    unsigned n = 0, *number;
    struct yl_buf buf;
    const char *rows;
    bool new;

    yl_buf_init(&buf, MAX_TEXT);
    for (rule = rules; rule; rule = rule->next) {
        enum yl_rule_op op = table_op(rules, rule->op);

        if (op == YL_RULE_NONE) {
            continue;
        }
        yl_buf_printf(&buf, "    { %s, %u, ", rule_ops[op],
                      string(tables, rule->text));
        yl_json_write_double(&buf, rule->number);
        yl_buf_append_c(&buf, " },\n");
        n++;
    }
    if (doc[0]) {
        yl_buf_printf(&buf, "    { YL_RULE_DESCRIPTION, %u, 0 },\n",
                      string(tables, doc));
        n++;
    }
    rows = yl_arena_strdup(tables->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    *ret_n = n;
    check(tables, n, UINT16_MAX, "rules at one place");
    if (!n) {
        return 0;
    }
    number = pool_find(tables, &tables->rules, rows, &new);
    if (new) {
        *number = tables->rules.n;
        tables->rules.n += n;
        yl_buf_append_c(&tables->rules.text, rows);
    }
    return *number;
}

static void
type_rows(struct yl_tables *tables, const struct yl_gen_type *type)
{
    struct yl_gen_field **fields;
    unsigned first = tables->n_fields, rules, n_rules, name, openapi_name;
    size_t i, n;

    tables->type = type;
    fields = yl_gen_fields_sorted(type, &n);
    check(tables, n, UINT16_MAX, "fields");
    check(tables, record_size(type), MAX_RECORD, "bytes");
    yl_buf_printf(&tables->fields, "\n    /* %s */\n", type->name);
    for (i = 0; i < n; i++) {
        field_row(tables, type, fields[i]);
    }
    rules = rule_rows(tables, type->rules, type->doc, &n_rules);
    name = string(tables, type->name);
    openapi_name = string(tables, type->openapi_name);
    yl_write_wrapped(&tables->types, 4, yl_arena_printf(
        tables->arena, "{ %u, %u, %u, %zu, sizeof(struct %s), %u, %u, %s, "
        "%s },", name, openapi_name, first, n, type->c_name, rules, n_rules,
        topologies[type->topology],
        type->flags & YL_VALUE_PRESERVE ? "YL_VALUE_PRESERVE" : "0"));
}

static void
field_row(struct yl_tables *tables, const struct yl_gen_type *type,
          const struct yl_gen_field *field)
{
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {
        { YL_FIELD_REQUIRED, "YL_FIELD_REQUIRED" },
        { YL_FIELD_MERGE, "YL_FIELD_MERGE" },
        { YL_FIELD_REPLACE, "YL_FIELD_REPLACE" },
        { YL_FIELD_RETAIN_KEYS, "YL_FIELD_RETAIN_KEYS" },
    };
    unsigned bits = field->patch | (field->required ? YL_FIELD_REQUIRED : 0);
    const char *flags = "", *count = "0";
    unsigned name, value, merge_key, default_;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (bits & names[i].flag) {
            flags = yl_arena_printf(tables->arena, "%s%s%s", flags,
                                    flags[0] ? " | " : "", names[i].name);
        }
    }
    if (field->c_count[0]) {
        count = yl_arena_printf(tables->arena, "offsetof(struct %s, %s)",
                                type->c_name, field->c_count);
    }
    check(tables, strlen(field->json_name), UINT16_MAX,
          "bytes in the name of a field");
    name = string(tables, field->json_name);
    value = value_row(tables, field->value, field->doc);
    merge_key = string(tables, field->merge_key);
    default_ = string(tables, field->default_);
    yl_write_wrapped(&tables->fields, 4, yl_arena_printf(
        tables->arena, "{ %u, %zu, %u, offsetof(struct %s, %s), %s, %s, %s, "
        "%u, %u, %u },", name, strlen(field->json_name), value, type->c_name,
        field->c_name, count, presences[field->presence],
        flags[0] ? flags : "0", field->number, merge_key, default_));
    tables->n_fields++;
}

static void
kind_rows(struct yl_tables *tables, const struct yl_gen_kind *kind)
{
    const struct yl_gen_column *column;
    unsigned first = tables->n_columns;
    const char *flags = "0", *scale = "";
    unsigned texts[6];
    size_t i;
    const struct {
        bool on;
        const char *name;
    } names[] = {
        { !kind->cluster_scoped, "YL_KIND_NAMESPACED" },
        { kind->status, "YL_KIND_STATUS" },
        { kind->scale, "YL_KIND_SCALE" },
        { kind->storage, "YL_KIND_STORAGE" },
        { kind->unserved, "YL_KIND_UNSERVED" },
        { kind->deprecated, "YL_KIND_DEPRECATED" },
        { kind->client, "YL_KIND_CLIENT" },
    };

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (names[i].on) {
            flags = yl_arena_printf(tables->arena, "%s%s%s",
                                    flags[0] == '0' ? "" : flags,
                                    flags[0] == '0' ? "" : " | ",
                                    names[i].name);
        }
    }
    for (column = kind->columns; column; column = column->next) {
        unsigned name = string(tables, column->name);
        unsigned type = string(tables, column->type);
        unsigned format = string(tables, column->format);
        unsigned description = string(tables, column->description);
        unsigned json_path = string(tables, column->json_path);

        yl_buf_printf(&tables->columns, "    { %u, %u, %u, %u, %u, %d },\n",
                      name, type, format, description, json_path,
                      column->priority);
        tables->n_columns++;
    }
    if (kind->scale) {
        scale = yl_arena_printf(tables->arena, "%s,%s,%s", kind->scale_spec,
                                kind->scale_status, kind->scale_selector);
    }
    /* These are separate statements, because C does not define the order in
     * which arguments are evaluated. */
    texts[0] = string(tables, joined(tables, kind->short_names));
    texts[1] = string(tables, joined(tables, kind->categories));
    texts[2] = string(tables, kind->deprecation);
    texts[3] = string(tables, scale);
    texts[4] = string(tables, joined(tables, kind->selectable));
    texts[5] = string(tables, annotations_json(tables, kind->annotations));
    yl_buf_printf(&tables->kinds,
                  "\nconst struct yl_kind %s_kind = {\n"
                  "    .set = &%s_types,\n"
                  "    .name = \"%s\",\n"
                  "    .list_name = \"%s\",\n"
                  "    .plural = \"%s\",\n"
                  "    .singular = \"%s\",\n"
                  "    .type = %u,\n"
                  "    .list_type = %u,\n",
                  kind->type->c_name, tables->unit->base, kind->name,
                  kind->list_name, kind->plural, kind->singular,
                  kind->type->index, kind->list ? kind->list->index : 0);
    yl_write_wrapped(&tables->kinds, 4, yl_arena_printf(
        tables->arena, ".flags = %s,", flags));
    yl_buf_printf(&tables->kinds,
                  "    .columns = %u,\n"
                  "    .n_columns = %u,\n"
                  "    .short_names = %u,\n"
                  "    .categories = %u,\n"
                  "    .deprecation = %u,\n"
                  "    .scale = %u,\n"
                  "    .selectable = %u,\n"
                  "    .annotations = %u,\n"
                  "};\n",
                  first, tables->n_columns - first, texts[0], texts[1],
                  texts[2], texts[3], texts[4], texts[5]);
    if (kind->list) {
        yl_buf_printf(&tables->kinds,
                      "\nconst struct yl_kind %s_kind = {\n"
                      "    .set = &%s_types,\n"
                      "    .name = \"%s\",\n"
                      "    .list_name = \"\",\n"
                      "    .plural = \"\",\n"
                      "    .singular = \"\",\n"
                      "    .type = %u,\n"
                      "};\n", kind->list->c_name, tables->unit->base,
                      kind->list_name, kind->list->index);
    }
    tables->n_kinds++;
}

/* Texts joined by commas. */
static const char *
joined(struct yl_tables *tables, const struct yl_gen_text *texts)
{
    const char *all = "";

    for (; texts; texts = texts->next) {
        all = yl_arena_printf(tables->arena, "%s%s%s", all,
                              all[0] ? "," : "", texts->text);
    }
    return all;
}

/* "key=value" texts as a JSON object; "" if there are none. */
static const char *
annotations_json(struct yl_tables *tables, const struct yl_gen_text *texts)
{
    struct yl_buf buf;
    const char *json;

    if (!texts) {
        return "";
    }
    yl_buf_init(&buf, MAX_TEXT);
    for (; texts; texts = texts->next) {
        struct yl_str key = yl_str_c(texts->text), value = YL_STR("");

        yl_str_cut(key, '=', &key, &value);
        yl_buf_append_char(&buf, buf.size ? ',' : '{');
        yl_json_write_string(&buf, key);
        yl_buf_append_char(&buf, ':');
        yl_json_write_string(&buf, value);
    }
    yl_buf_append_char(&buf, '}');
    json = yl_arena_strdup(tables->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return json;
}
