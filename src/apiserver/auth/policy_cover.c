/* Comparing policies.  See apiserver/auth/policy_cover.h. */

#include "apiserver/auth/policy_cover.h"

#include <stdlib.h>

#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The longest message. */
#define MAX_TEXT ((size_t) 1 << 20)

struct cover {
    struct yl_arena *arena;
    struct yl_policy owned;
    size_t work;                /* Comparisons so far. */
    struct yl_policy_rule *missing;     /* Room for a power of 2. */
    size_t n_missing;
    size_t n_atoms;
};

static int check_resources(struct cover *, const struct yl_policy_rule *);
static int check_urls(struct cover *, const struct yl_policy_rule *);
static int check_atom(struct cover *, const struct yl_policy_rule *atom);
static bool covers(struct cover *, const struct yl_policy_rule *owned,
                   const struct yl_policy_rule *atom);
static bool has(struct cover *, struct yl_strs, struct yl_str);
static bool has_or_all(struct cover *, struct yl_strs, struct yl_str);
static bool has_resource(struct cover *, struct yl_strs, struct yl_str);
static bool is_simple(const struct yl_policy_rule *);
static bool differ_by_verb(const struct yl_policy_rule *,
                           const struct yl_policy_rule *);
static int compare_atoms(const void *, const void *);
static int compare_lines(const void *, const void *);
static void describe(const struct yl_policy_rule *const *, size_t n,
                     struct yl_buf *);

int
yl_policy_missing(struct yl_arena *arena, struct yl_policy owned,
                  struct yl_policy wanted, struct yl_policy *ret_missing)
{
    struct cover cover = { .arena = arena, .owned = owned };
    size_t i;
    int r = 0;

    for (i = 0; i < wanted.n && r == 0; i++) {
        r = check_resources(&cover, &wanted.all[i]);
        if (r == 0) {
            r = check_urls(&cover, &wanted.all[i]);
        }
    }
    if (r == 0) {
        ret_missing->all = cover.missing;
        ret_missing->n = cover.n_missing;
    }
    return r;
}

struct yl_str
yl_policy_describe(struct yl_arena *arena, struct yl_policy atoms)
{
    const struct yl_policy_rule **sorted
        = yl_arena_array(arena, atoms.n, sizeof *sorted);
    struct yl_str *lines = yl_arena_array(arena, atoms.n, sizeof *lines);
    size_t i, k, n = 0;
    struct yl_buf out;
    struct yl_str text;

    for (i = 0; i < atoms.n; i++) {
        sorted[i] = &atoms.all[i];
    }
    qsort(sorted, atoms.n, sizeof *sorted, compare_atoms);
    for (i = 0; i < atoms.n; i = k) {
        for (k = i + 1; k < atoms.n && differ_by_verb(sorted[i], sorted[k]);
             k++) {
            continue;
        }
        yl_buf_init(&out, MAX_TEXT);
        describe(&sorted[i], k - i, &out);
        lines[n++] = yl_arena_copy(arena, yl_buf_str(&out));
        yl_buf_release(&out);
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    yl_buf_init(&out, MAX_TEXT);
    for (i = 0; i < n; i++) {
        if (i == 0 || !yl_str_equal(lines[i], lines[i - 1])) {
            yl_buf_append_c(&out, i ? "\n" : "");
            yl_buf_append_str(&out, lines[i]);
        }
    }
    text = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return text;
}

static int
check_resources(struct cover *cover, const struct yl_policy_rule *rule)
{
    size_t n_names = rule->names.n ? rule->names.n : 1;
    size_t g, r, v, n;

    for (g = 0; g < rule->groups.n; g++) {
        for (r = 0; r < rule->resources.n; r++) {
            for (v = 0; v < rule->verbs.n; v++) {
                for (n = 0; n < n_names; n++) {
                    struct yl_policy_rule atom = {
                        .groups = { &rule->groups.all[g], 1 },
                        .resources = { &rule->resources.all[r], 1 },
                        .verbs = { &rule->verbs.all[v], 1 },
                    };

                    if (rule->names.n) {
                        atom.names = (struct yl_strs) { &rule->names.all[n],
                                                        1 };
                    }
                    if (check_atom(cover, &atom) < 0) {
                        return YL_ETOOBIG;
                    }
                }
            }
        }
    }
    return 0;
}

static int
check_urls(struct cover *cover, const struct yl_policy_rule *rule)
{
    size_t u, v;

    for (u = 0; u < rule->urls.n; u++) {
        for (v = 0; v < rule->verbs.n; v++) {
            const struct yl_policy_rule atom = {
                .urls = { &rule->urls.all[u], 1 },
                .verbs = { &rule->verbs.all[v], 1 },
            };

            if (check_atom(cover, &atom) < 0) {
                return YL_ETOOBIG;
            }
        }
    }
    return 0;
}

static int
check_atom(struct cover *cover, const struct yl_policy_rule *atom)
{
    size_t i;

    if (++cover->n_atoms > YL_POLICY_MAX_ATOMS) {
        return YL_ETOOBIG;
    }
    for (i = 0; i < cover->owned.n; i++) {
        if (covers(cover, &cover->owned.all[i], atom)) {
            return 0;
        }
        if (cover->work > YL_POLICY_MAX_WORK) {
            return YL_ETOOBIG;
        }
    }

    /* The array is doubled when it is full.  It is not allocated at once,
     * because most of the time nothing is missing. */
    if ((cover->n_missing & (cover->n_missing - 1)) == 0) {
        size_t n = cover->n_missing ? 2 * cover->n_missing : 1;
        struct yl_policy_rule *room = yl_arena_array(cover->arena, n,
                                                     sizeof *room);

        if (cover->n_missing) {
            memcpy(room, cover->missing, cover->n_missing * sizeof *room);
        }
        cover->missing = room;
    }
    cover->missing[cover->n_missing++] = *atom;
    return 0;
}

static bool
covers(struct cover *cover, const struct yl_policy_rule *owned,
       const struct yl_policy_rule *atom)
{
    size_t i;

    if (!has_or_all(cover, owned->verbs, atom->verbs.all[0])
        || (owned->names.n
            && (atom->names.n == 0
                || !has(cover, owned->names, atom->names.all[0])))) {
        return false;
    }
    if (atom->urls.n == 0) {
        return has_or_all(cover, owned->groups, atom->groups.all[0])
               && has_resource(cover, owned->resources,
                               atom->resources.all[0]);
    }
    for (i = 0; i < owned->urls.n; i++) {
        cover->work++;
        if (yl_url_covers(owned->urls.all[i], atom->urls.all[0])) {
            return true;
        }
    }
    return false;
}

static bool
has(struct cover *cover, struct yl_strs strs, struct yl_str s)
{
    cover->work += strs.n;
    return yl_strs_has(strs, s);
}

static bool
has_or_all(struct cover *cover, struct yl_strs strs, struct yl_str s)
{
    return has(cover, strs, s) || has(cover, strs, YL_STR("*"));
}

/* A subresource such as "pods/log" is also covered by a rule for that
 * subresource of any resource. */
static bool
has_resource(struct cover *cover, struct yl_strs strs, struct yl_str s)
{
    struct yl_str resource, sub;
    size_t i;

    if (has_or_all(cover, strs, s)) {
        return true;
    }
    if (yl_str_cut(s, '/', &resource, &sub)) {
        for (i = 0; i < strs.n; i++) {
            struct yl_str all = strs.all[i];

            if (all.size == sub.size + 2 && all.data[0] == '*'
                && all.data[1] == '/' && yl_str_ends_with(all, sub)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the atom is about a resource, and not about a URL. */
static bool
is_simple(const struct yl_policy_rule *atom)
{
    return atom->urls.n == 0;
}

static bool
differ_by_verb(const struct yl_policy_rule *a, const struct yl_policy_rule *b)
{
    return is_simple(a) && is_simple(b) && yl_strs_equal(a->groups, b->groups)
           && yl_strs_equal(a->resources, b->resources)
           && yl_strs_equal(a->names, b->names);
}

static int
compare_strs(struct yl_strs a, struct yl_strs b)
{
    return a.n && b.n ? yl_str_compare(a.all[0], b.all[0])
                      : (a.n > b.n) - (a.n < b.n);
}

/* Atoms that differ only by verb come next to each other, in their original
 * order. */
static int
compare_atoms(const void *a_, const void *b_)
{
    const struct yl_policy_rule *a = *(const struct yl_policy_rule *const *)
                                     a_;
    const struct yl_policy_rule *b = *(const struct yl_policy_rule *const *)
                                     b_;
    int c = compare_strs(a->urls, b->urls);

    if (c == 0) {
        c = compare_strs(a->groups, b->groups);
    }
    if (c == 0) {
        c = compare_strs(a->resources, b->resources);
    }
    if (c == 0) {
        c = compare_strs(a->names, b->names);
    }
    return c ? c : (a > b) - (a < b);
}

static int
compare_lines(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}

static void
describe_part(const char *name, struct yl_strs strs, struct yl_buf *out)
{
    if (strs.n) {
        yl_buf_printf(out, "%s:[", name);
        yl_quote(out, strs.all[0]);
        yl_buf_append_c(out, "], ");
    }
}

/* {APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]} */
static void
describe(const struct yl_policy_rule *const *atoms, size_t n,
         struct yl_buf *out)
{
    size_t i;

    yl_buf_append_char(out, '{');
    describe_part("APIGroups", atoms[0]->groups, out);
    describe_part("Resources", atoms[0]->resources, out);
    describe_part("NonResourceURLs", atoms[0]->urls, out);
    describe_part("ResourceNames", atoms[0]->names, out);
    yl_buf_append_c(out, "Verbs:[");
    for (i = 0; i < n; i++) {
        yl_buf_append_c(out, i ? " " : "");
        yl_quote(out, atoms[i]->verbs.all[0]);
    }
    yl_buf_append_c(out, "]}");
}
