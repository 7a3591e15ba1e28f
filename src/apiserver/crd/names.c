/* Names of CRDs.  See apiserver/crd/names.h for the contract. */

#include "apiserver/crd/names.h"

#include <stdlib.h>
#include <string.h>

#include "apiserver/crd/conditions.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"

/* The two spaces of a group's names. */
enum space {
    RESOURCES,
    KINDS,
};

/* A name that is taken; the bytes of group and name follow it. */
struct name {
    struct yl_map_node node;    /* In yl_names' 'taken'. */
    size_t n;                   /* How often it is taken. */
    enum space space;
    struct yl_str group, name;
    char text[];
};

struct yl_names {
    struct yl_map taken;
};

/* A member of names, and what it is called if it is not free. */
static const struct {
    const char *member;
    enum space space;
    const char *conflict;
} single[] = {
    { "plural", RESOURCES, "PluralConflict" },
    { "singular", RESOURCES, "SingularConflict" },
    { "kind", KINDS, "KindConflict" },
    { "listKind", KINDS, "ListKindConflict" },
};

/* Names of a CRD that are being settled. */
struct settling {
    struct yl_names *names;
    struct yl_check c;          /* Copies texts. */
    struct yl_str group;
    struct yl_at wanted;        /* spec.names */
    struct yl_at had;           /* status.acceptedNames */
    struct yl_node *accepted;   /* The new ones. */
    struct yl_definition_condition condition;
};

static void change_all(struct yl_names *, const struct yl_node *crd,
                       int change);
static void change(struct yl_names *, struct yl_str group, enum space,
                   struct yl_str name, int change);
static struct name *find(const struct yl_names *, struct yl_str group,
                         enum space, struct yl_str name);
static void settle_single(struct settling *, size_t i);
static void settle_short(struct settling *);
static bool is_free(const struct settling *, enum space,
                    struct yl_str wanted, struct yl_str had);
static bool has_text(const struct yl_node *list, struct yl_str text);
static void keep(struct settling *, const struct yl_at *from,
                 const char *member);
static bool set_established(struct yl_arena *, struct yl_node *crd);

struct yl_names *
yl_names_new(void)
{
    return yl_zalloc(sizeof(struct yl_names));
}

void
yl_names_free(struct yl_names *names)
{
    struct name *name;

    if (names) {
        YL_MAP_FOR_EACH_SAFE (name, node, &names->taken) {
            yl_map_remove(&names->taken, &name->node);
            free(name);
        }
        yl_map_release(&names->taken);
        free(names);
    }
}

void
yl_names_take(struct yl_names *names, const struct yl_node *crd)
{
    change_all(names, crd, 1);
}

void
yl_names_give(struct yl_names *names, const struct yl_node *crd)
{
    change_all(names, crd, -1);
}

bool
yl_names_settle(struct yl_names *names, struct yl_arena *arena,
                struct yl_node *crd)
{
    struct yl_at root = yl_at_root(crd), spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct settling s = {
        .names = names,
        .c = { arena, NULL },
        .wanted = yl_at(&spec, "names"),
        .had = yl_at(&status, "acceptedNames"),
        .accepted = yl_node_new_object(arena),
        .condition = { "NamesAccepted", "True", "NoConflicts",
                       "no conflicts found" },
    };
    bool changed = false;

    s.group = yl_at_get_str(&s.c, &spec, "group");
    if (!yl_node_same(s.wanted.node, s.had.node)) {
        settle_single(&s, 0);
        settle_single(&s, 1);
        settle_short(&s);
        settle_single(&s, 2);
        settle_single(&s, 3);
        keep(&s, &s.wanted, "categories");
        changed = !yl_node_same(s.accepted, s.had.node);
        yl_member_set(arena, yl_member_make(arena, crd, "status"),
                      "acceptedNames", s.accepted);
        changed |= yl_conditions_set(arena, crd, &s.condition);
    }
    return set_established(arena, crd) || changed;
}

static void
change_all(struct yl_names *names, const struct yl_node *crd, int by)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(crd), spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at accepted = yl_at(&status, "acceptedNames");
    struct yl_at list = yl_at(&accepted, "shortNames");
    struct yl_str group = yl_at_get_str(&c, &spec, "group");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(single); i++) {
        change(names, group, single[i].space,
               yl_at_get_str(&c, &accepted, single[i].member), by);
    }
    YL_AT_FOR_EACH (name, &list) {
        change(names, group, RESOURCES, yl_at_str(&c, &name), by);
    }
    yl_arena_free(arena);
}

static size_t
hash_of(struct yl_str group, struct yl_str name)
{
    return yl_hash_u64(yl_hash_str(group) + 31 * yl_hash_str(name));
}

static void
change(struct yl_names *names, struct yl_str group, enum space space,
       struct yl_str text, int by)
{
    struct name *name = find(names, group, space, text);

    if (!text.size) {
        return;
    }
    if (!name) {
        name = yl_zalloc(sizeof *name + group.size + text.size + 1);
        name->space = space;
        memcpy(name->text, group.data, group.size);
        memcpy(name->text + group.size, text.data, text.size);
        name->group = yl_str_n(name->text, group.size);
        name->name = yl_str_n(name->text + group.size, text.size);
        yl_map_insert(&names->taken, &name->node, hash_of(group, text));
    }
    name->n += (size_t) by;
    if (!name->n) {
        yl_map_remove(&names->taken, &name->node);
        free(name);
    }
}

static struct name *
find(const struct yl_names *names, struct yl_str group, enum space space,
     struct yl_str text)
{
    struct name *name;

    YL_MAP_FOR_EACH_WITH_HASH (name, node, hash_of(group, text),
                               &names->taken) {
        if (name->space == space && yl_str_equal(name->name, text)
            && yl_str_equal(name->group, group)) {
            break;
        }
    }
    return name;
}

/* Settles a member that is one name.  A later conflict replaces the one that
 * the condition names, as upstream's does. */
static void
settle_single(struct settling *s, size_t i)
{
    const char *member = single[i].member;
    struct yl_str wanted = yl_at_get_str(&s->c, &s->wanted, member);

    if (is_free(s, single[i].space, wanted,
                yl_at_get_str(&s->c, &s->had, member))) {
        keep(s, &s->wanted, member);
        return;
    }
    keep(s, &s->had, member);
    s->condition.status = "False";
    s->condition.reason = single[i].conflict;
    s->condition.message = yl_arena_printf(
        s->c.arena, "\"%.*s\" is already in use", YL_STR_ARG(wanted));
}

/* Settles the short names, of which all are accepted or none. */
static void
settle_short(struct settling *s)
{
    struct yl_at wanted = yl_at(&s->wanted, "shortNames");
    struct yl_at had = yl_at(&s->had, "shortNames");
    struct yl_buf all;
    size_t n = 0;

    yl_buf_init(&all, SIZE_MAX);
    YL_AT_FOR_EACH (one, &wanted) {
        struct yl_str text = yl_at_str(&s->c, &one);

        if (!has_text(had.node, text)
            && !is_free(s, RESOURCES, text, yl_str_null())) {
            yl_buf_printf(&all, "%s\"%.*s\" is already in use",
                          n++ ? ", " : "", YL_STR_ARG(text));
        }
    }
    keep(s, n ? &s->had : &s->wanted, "shortNames");
    if (n) {
        s->condition.status = "False";
        s->condition.reason = "ShortNamesConflict";
        s->condition.message = yl_arena_printf(
            s->c.arena, n > 1 ? "[%.*s]" : "%.*s",
            YL_STR_ARG(yl_buf_str(&all)));
    }
    yl_buf_release(&all);
}

static bool
is_free(const struct settling *s, enum space space, struct yl_str wanted,
        struct yl_str had)
{
    return yl_str_equal(wanted, had)
           || !find(s->names, s->group, space, wanted);
}

static bool
has_text(const struct yl_node *list, struct yl_str text)
{
    const struct yl_node *one;

    if (yl_node_type(list) == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (one, list) {
            if (yl_node_string_is(one, text)) {
                return true;
            }
        }
    }
    return false;
}

static void
keep(struct settling *s, const struct yl_at *from, const char *member)
{
    yl_member_keep(s->c.arena, s->accepted, from->node, member);
}

/* A CRD is established once its names are accepted, and stays so.  Upstream
 * says "Installing" first, and waits where there is more than one server. */
static bool
set_established(struct yl_arena *arena, struct yl_node *crd)
{
    static const struct yl_definition_condition established = {
        "Established", "True", "InitialNamesAccepted",
        "the initial names have been accepted",
    };
    static const struct yl_definition_condition not_accepted = {
        "Established", "False", "NotAccepted", "not all names are accepted",
    };

    if (yl_conditions_is_true(crd, "Established")) {
        return false;
    }
    return yl_conditions_set(
        arena, crd, yl_conditions_is_true(crd, "NamesAccepted")
                    ? &established : &not_accepted);
}
