/* Facts.  See codegen/facts.h.
 *
 * One map, keyed by type and JSON name.  What a type embeds is a list of its
 * own under the name "(inline)", which is walked when a field is not found. */

#include "codegen/facts.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define N_COLUMNS 7
#define INLINE "(inline)"

/* Structs that embed structs, one in the other. */
#define MAX_EMBEDDED 8

struct row {
    struct yl_map_node by_name;
    const char *type;
    const char *json;
    struct yl_gen_fact fact;
};

struct yl_gen_facts {
    struct yl_map rows;
};

static void release_map(void *);
static int parse_line(struct yl_arena *, struct yl_gen_facts *,
                      struct yl_str line, unsigned number, struct yl_error *);
static int parse_row(struct yl_arena *, const struct yl_str *columns,
                     struct row *, struct yl_error *);
static bool parse_presence(struct yl_str empty, bool pointer,
                           enum yl_presence *);
static bool parse_patch(struct yl_str, unsigned *);
static size_t hash_of(const char *type, const char *json);
static const struct yl_gen_fact *find(const struct yl_gen_facts *,
                                      const char *type, const char *json,
                                      unsigned depth);

int
yl_gen_facts_parse(struct yl_arena *arena, struct yl_str table,
                   struct yl_gen_facts **ret_facts, struct yl_error *err)
{
    struct yl_gen_facts *facts = yl_arena_zalloc(arena, sizeof *facts);
    unsigned number = 0;

    yl_map_init(&facts->rows);
    yl_arena_attach(arena, release_map, &facts->rows);
    while (table.size) {
        struct yl_str line = table;

        if (!yl_str_cut(table, '\n', &line, &table)) {
            table = yl_str_null();
        }
        if (++number > 1 && line.size) {
            int r = parse_line(arena, facts, line, number, err);

            if (r < 0) {
                return r;
            }
        }
    }
    *ret_facts = facts;
    return 0;
}

const struct yl_gen_fact *
yl_gen_facts_find(const struct yl_gen_facts *facts, const char *type,
                  const char *json)
{
    return find(facts, type, json, 0);
}

const char *
yl_gen_facts_type(struct yl_arena *arena, struct yl_str name)
{
    size_t dots[3], n = 0, i;

    for (i = name.size; i-- && n < 3;) {
        if (name.data[i] == '.') {
            dots[n++] = i;
        }
    }
    if (n < 2) {
        return yl_arena_strdup(arena, name);
    }
    i = n == 3 ? dots[2] + 1 : 0;
    return yl_arena_printf(arena, "%.*s/%.*s", (int) (dots[1] - i),
                           name.data + i, (int) (name.size - dots[1] - 1),
                           name.data + dots[1] + 1);
}

static void
release_map(void *map)
{
    yl_map_release(map);
}

static int
parse_line(struct yl_arena *arena, struct yl_gen_facts *facts,
           struct yl_str line, unsigned number, struct yl_error *err)
{
    struct yl_str columns[N_COLUMNS];
    struct row *row;
    size_t n = 0;
    int r;

    while (n < N_COLUMNS && yl_str_cut(line, '\t', &columns[n], &line)) {
        n++;
    }
    if (n != N_COLUMNS - 1) {
        return yl_error_set(err, YL_ESYNTAX,
                            "line %u: a fact has %d columns, separated by "
                            "tabs", number, N_COLUMNS);
    }
    columns[n] = line;
    row = yl_arena_zalloc(arena, sizeof *row);
    r = parse_row(arena, columns, row, err);
    if (r < 0) {
        yl_error_prefix(err, "line %u", number);
        return r;
    }
    row->fact.line = number;
    yl_map_insert(&facts->rows, &row->by_name, hash_of(row->type, row->json));
    return 0;
}

static int
parse_row(struct yl_arena *arena, const struct yl_str *columns,
          struct row *row, struct yl_error *err)
{
    struct yl_gen_fact *fact = &row->fact;
    struct yl_str value = columns[2], number = columns[6], rest;
    unsigned long long n = 0;

    row->type = yl_arena_strdup(arena, columns[0]);
    row->json = yl_arena_strdup(arena, columns[1]);
    fact->pointer = yl_str_starts_with(value, YL_STR("*"));
    fact->value = yl_arena_strdup(arena, yl_str_skip(value, fact->pointer));
    if (!parse_presence(columns[3], fact->pointer, &fact->presence)) {
        return yl_error_set(err, YL_ESYNTAX, "cannot tell when an empty value "
                            "is written from '%.*s'", YL_STR_ARG(columns[3]));
    }
    if (!parse_patch(columns[4], &fact->patch)) {
        return yl_error_set(err, YL_ESYNTAX, "'%.*s' is no patch strategy",
                            YL_STR_ARG(columns[4]));
    }
    fact->merge_key = yl_str_equal_c(columns[5], "-")
                          ? "" : yl_arena_strdup(arena, columns[5]);
    if (!yl_str_equal_c(number, "-")) {
        yl_str_cut(number, ' ', &number, &rest);
        if (yl_str_to_u64(number, &n) < 0 || n > UINT16_MAX) {
            return yl_error_set(err, YL_ESYNTAX,
                                "'%.*s' is no protobuf number",
                                YL_STR_ARG(columns[6]));
        }
        fact->number = (unsigned) n;
    }
    return 0;
}

static bool
parse_presence(struct yl_str empty, bool pointer, enum yl_presence *presence)
{
    if (yl_str_equal_c(empty, "always") || yl_str_equal_c(empty, "-")) {
        *presence = pointer ? YL_PRESENCE_POINTER_ALWAYS : YL_PRESENCE_ALWAYS;
    } else if (yl_str_equal_c(empty, "omitempty")) {
        *presence = pointer ? YL_PRESENCE_POINTER : YL_PRESENCE_OMIT_EMPTY;
    } else if (yl_str_equal_c(empty, "omitempty+omitzero")) {
        *presence = pointer ? YL_PRESENCE_POINTER : YL_PRESENCE_OMIT_ZERO;
    } else {
        return false;
    }
    return true;
}

static bool
parse_patch(struct yl_str text, unsigned *patch)
{
    struct yl_str rest = text;

    *patch = 0;
    if (yl_str_equal_c(text, "-")) {
        return true;
    }
    while (rest.size) {
        struct yl_str word = rest;

        if (!yl_str_cut(rest, ',', &word, &rest)) {
            rest = yl_str_null();
        }
        if (yl_str_equal_c(word, "merge")) {
            *patch |= YL_FIELD_MERGE;
        } else if (yl_str_equal_c(word, "replace")) {
            *patch |= YL_FIELD_REPLACE;
        } else if (yl_str_equal_c(word, "retainKeys")) {
            *patch |= YL_FIELD_RETAIN_KEYS;
        } else {
            return false;
        }
    }
    return true;
}

static size_t
hash_of(const char *type, const char *json)
{
    return yl_hash_u64(yl_hash_str(yl_str_c(type))
                       + 31 * yl_hash_str(yl_str_c(json)));
}

static const struct yl_gen_fact *
find(const struct yl_gen_facts *facts, const char *type, const char *json,
     unsigned depth)
{
    struct row *row;

    YL_MAP_FOR_EACH_WITH_HASH (row, by_name, hash_of(type, json),
                               &facts->rows) {
        if (!strcmp(row->type, type) && !strcmp(row->json, json)) {
            return &row->fact;
        }
    }
    if (depth == MAX_EMBEDDED) {
        return NULL;
    }
    YL_MAP_FOR_EACH_WITH_HASH (row, by_name, hash_of(type, INLINE),
                               &facts->rows) {
        if (!strcmp(row->type, type) && !strcmp(row->json, INLINE)) {
            const struct yl_gen_fact *fact = find(facts, row->fact.value,
                                                  json, depth + 1);

            if (fact) {
                return fact;
            }
        }
    }
    return NULL;
}
