/* The order of Go's types.  See codegen/go_order.h for the contract. */

#include "codegen/go_order.h"

#include <string.h>

#include "codegen/diag.h"
#include "codegen/model.h"
#include "yuloh/arena.h"

static void settle_embeddings(struct yl_gen_type *, struct yl_diag *);
static void settle_fields(const struct yl_gen_type *, struct yl_diag *);
static bool is_initialism(struct yl_str word);
static size_t place_of(struct yl_gen_field *const *, size_t n,
                       const char *json_name);

void
yl_gen_go_settle(struct yl_gen_unit *unit, struct yl_diag *diag)
{
    struct yl_gen_type *type;

    for (type = unit->types; type; type = type->next) {
        settle_embeddings(type, diag);
        settle_fields(type, diag);
    }
}

struct yl_gen_field **
yl_gen_go_order(const struct yl_gen_type *type, size_t *ret_n)
{
    const struct yl_gen_type *outer;
    struct yl_gen_field **order, *field;
    size_t n = 0, n_outer, max = 0;

    for (outer = type->unit->types; outer; outer = outer->next) {
        for (field = outer->fields; field; field = field->next) {
            max += outer == type || field->go.in[0];
        }
    }
    order = yl_arena_array(type->unit->arena, max, sizeof *order);
    for (outer = type->unit->types; outer; outer = outer->next) {
        for (field = outer->fields; field; field = field->next) {
            if (field->go.in[0]
                && yl_gen_field_find(outer, field->go.in)->value->type
                   == type) {
                order[n++] = field;
            }
        }
    }
    n_outer = n;
    for (field = type->fields; field; field = field->next) {
        if (!field->go.absent && !field->go.in[0]) {
            order[n++] = field;
        }
    }
    for (field = type->fields; field; field = field->next) {
        if (field->go.after[0] && !field->go.absent && !field->go.in[0]) {
            size_t from = place_of(order, n, field->json_name), to;

            memmove(&order[from], &order[from + 1],
                    (n - from - 1) * sizeof *order);
            to = n_outer + place_of(order + n_outer, n - 1 - n_outer,
                                    field->go.after) + 1;
            memmove(&order[to + 1], &order[to], (n - 1 - to) * sizeof *order);
            order[to] = field;
        }
    }
    *ret_n = n;
    return order;
}

const char *
yl_gen_go_name(struct yl_arena *arena, const struct yl_gen_field *field)
{
    struct yl_str json = yl_str_c(field->json_name), word;
    char *name = yl_arena_strdup(arena, json);
    size_t i, n = 0;

    if (field->go.name[0]) {
        return field->go.name;
    }
    while (n < json.size && json.data[n] >= 'a' && json.data[n] <= 'z') {
        n++;
    }
    word = yl_str_n(json.data, n);
    if (!is_initialism(word)) {
        bool plural = n == json.size && n && name[n - 1] == 's'
                      && is_initialism(yl_str_n(json.data, n - 1));

        n = plural ? n - 1 : n ? 1 : 0;
    }
    for (i = 0; i < n; i++) {
        name[i] += 'A' - 'a';
    }
    return name;
}

/* An embedded struct is a run of members; the next one lies inside of it. */
static void
settle_embeddings(struct yl_gen_type *type, struct yl_diag *diag)
{
    const struct yl_gen_embedding *e;
    unsigned depth = 0;

    for (e = type->embeddings; e; e = e->next) {
        bool inside = false, ended = false;
        struct yl_gen_field *field;

        for (field = type->fields; field && !ended; field = field->next) {
            inside |= !strcmp(field->json_name, e->first);
            if (inside && field->go.depth != depth) {
                break;          /* It is not in the struct around it. */
            }
            field->go.depth += inside;
            ended = inside && !strcmp(field->json_name, e->last);
        }
        if (!ended) {
            yl_diag_add(diag, type->unit->file, e->line,
                        "'+embeds' has no members from \"%s\" to \"%s\" in "
                        "struct %s%s", e->first, e->last, type->c_name,
                        depth ? ", inside of what it embeds" : "");
        }
        depth++;
    }
}

static void
settle_fields(const struct yl_gen_type *type, struct yl_diag *diag)
{
    struct yl_gen_field *field, *other;

    for (field = type->fields; field; field = field->next) {
        struct yl_gen_go *go = &field->go;

        other = yl_gen_field_find(type, go->after);
        if (go->after[0]
            && (!other || other == field || other->go.absent
                || other->go.in[0])) {
            yl_diag_add(diag, type->unit->file, field->line,
                        "'+internal:after' names no other member: \"%s\"",
                        go->after);
            go->after = "";
        }
        other = yl_gen_field_find(type, go->in);
        if (go->in[0]
            && (!other || other->value->kind != YL_VALUE_STRUCT)) {
            yl_diag_add(diag, type->unit->file, field->line,
                        "'+internal:in' names no struct: \"%s\"", go->in);
            go->in = "";
        }
    }
}

/* Where the field stands, which is there. */
static size_t
place_of(struct yl_gen_field *const *order, size_t n, const char *json_name)
{
    size_t i;

    for (i = 0; i + 1 < n && strcmp(order[i]->json_name, json_name); i++) {
        continue;
    }
    return i;
}

/* Words that Go writes in capitals. */
static bool
is_initialism(struct yl_str word)
{
    static const char *const words[] = {
        "api", "aws", "ca", "cel", "cidr", "csi", "dns", "fc", "fs", "gce",
        "gmsa", "grpc", "http", "id", "ip", "iqn", "iscsi", "json", "nfs",
        "os", "qos", "rbd", "se", "ssl", "tcp", "tls", "ttl", "tty", "uid",
        "url",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (yl_str_equal_c(word, words[i])) {
            return true;
        }
    }
    return false;
}
