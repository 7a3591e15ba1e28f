/* Policies.  See apiserver/auth/policy.h. */

#include "apiserver/auth/policy.h"

#include "apiserver/auth/authorize.h"
#include "base/alloc.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/arena.h"

/* The five lists of a rule by number, for code that treats them alike. */
#define N_PARTS 5

static const struct {
    struct yl_str name;
    size_t offset;
} parts[N_PARTS] = {
    { YL_STR_INIT("verbs"), offsetof(struct yl_policy_rule, verbs) },
    { YL_STR_INIT("apiGroups"), offsetof(struct yl_policy_rule, groups) },
    { YL_STR_INIT("resources"), offsetof(struct yl_policy_rule, resources) },
    { YL_STR_INIT("resourceNames"), offsetof(struct yl_policy_rule, names) },
    { YL_STR_INIT("nonResourceURLs"), offsetof(struct yl_policy_rule, urls) },
};

static struct yl_strs *part_of(struct yl_policy_rule *, size_t i);
static const struct yl_strs *const_part_of(const struct yl_policy_rule *,
                                           size_t i);
static struct yl_strs read_strings(struct yl_arena *, struct yl_json array);
static struct yl_strs strings_from_tree(struct yl_arena *,
                                        const struct yl_node *array);
static bool matches_resource(struct yl_strs, const struct yl_attributes *);
static bool has_or_all(struct yl_strs, struct yl_str);
static void write_strs(struct yl_strs, struct yl_buf *);

struct yl_policy
yl_policy_read(struct yl_arena *arena, struct yl_json array)
{
    size_t n = yl_json_type(array) == YL_JSON_ARRAY ? yl_json_count(array) : 0;
    struct yl_policy_rule *all = yl_arena_array(arena, n, sizeof *all);
    struct yl_policy rules = { all, n };
    struct yl_json_iter i = yl_json_iter(array);
    size_t k, part;

    for (k = 0; k < n && yl_json_next(&i); k++) {
        for (part = 0; part < N_PARTS; part++) {
            *part_of(&all[k], part)
                = read_strings(arena, yl_json_get(i.value, parts[part].name));
        }
    }
    return rules;
}

struct yl_policy
yl_policy_from_tree(struct yl_arena *arena, const struct yl_node *array)
{
    size_t n = yl_node_type(array) == YL_JSON_ARRAY ? array->n : 0;
    struct yl_policy_rule *all = yl_arena_array(arena, n, sizeof *all), *rule;
    const struct yl_node *child;
    size_t part;

    if (n > 0) {
        rule = all;
        YL_NODE_FOR_EACH (child, array) {
            for (part = 0; part < N_PARTS; part++) {
                *part_of(rule, part)
                    = strings_from_tree(arena, yl_node_get(child,
                                                           parts[part].name));
            }
            rule++;
        }
    }
    return (struct yl_policy) { all, n };
}

struct yl_policy
yl_policy_everything(void)
{
    static const struct yl_str star = YL_STR_INIT("*");
    static const struct yl_policy_rule all[] = {
        { .verbs = { &star, 1 }, .groups = { &star, 1 },
          .resources = { &star, 1 } },
        { .verbs = { &star, 1 }, .urls = { &star, 1 } },
    };
    struct yl_policy policy = { all, YL_ARRAY_SIZE(all) };

    return policy;
}

struct yl_policy *
yl_policy_copy(struct yl_policy rules)
{
    size_t n_strings = 0, n_bytes = 0, i, part, k;
    struct yl_policy *copy;
    struct yl_policy_rule *all;
    struct yl_str *strings;
    char *bytes;

    for (i = 0; i < rules.n; i++) {
        for (part = 0; part < N_PARTS; part++) {
            const struct yl_strs *strs = const_part_of(&rules.all[i], part);

            n_strings += strs->n;
            for (k = 0; k < strs->n; k++) {
                n_bytes += strs->all[k].size;
            }
        }
    }
    copy = yl_malloc(sizeof *copy + rules.n * sizeof *all
                     + n_strings * sizeof *strings + n_bytes);
    all = (struct yl_policy_rule *) (copy + 1);
    strings = (struct yl_str *) (all + rules.n);
    bytes = (char *) (strings + n_strings);
    copy->all = all;
    copy->n = rules.n;
    for (i = 0; i < rules.n; i++) {
        for (part = 0; part < N_PARTS; part++) {
            const struct yl_strs *strs = const_part_of(&rules.all[i], part);

            part_of(&all[i], part)->all = strings;
            part_of(&all[i], part)->n = strs->n;
            for (k = 0; k < strs->n; k++) {
                size_t size = strs->all[k].size;

                if (size) {
                    memcpy(bytes, strs->all[k].data, size);
                }
                *strings++ = yl_str_n(bytes, size);
                bytes += size;
            }
        }
    }
    return copy;
}

bool
yl_strs_has(struct yl_strs strs, struct yl_str s)
{
    size_t i;

    for (i = 0; i < strs.n; i++) {
        if (yl_str_equal(strs.all[i], s)) {
            return true;
        }
    }
    return false;
}

bool
yl_strs_equal(struct yl_strs a, struct yl_strs b)
{
    size_t i;

    if (a.n != b.n) {
        return false;
    }
    for (i = 0; i < a.n; i++) {
        if (!yl_str_equal(a.all[i], b.all[i])) {
            return false;
        }
    }
    return true;
}

bool
yl_policy_rule_allows(const struct yl_policy_rule *rule,
                      const struct yl_attributes *attributes)
{
    size_t i;

    if (!has_or_all(rule->verbs, attributes->verb)) {
        return false;
    }
    if (attributes->is_resource) {
        return has_or_all(rule->groups, attributes->group)
               && matches_resource(rule->resources, attributes)
               && (rule->names.n == 0
                   || yl_strs_has(rule->names, attributes->name));
    }
    for (i = 0; i < rule->urls.n; i++) {
        if (yl_url_covers(rule->urls.all[i], attributes->path)) {
            return true;
        }
    }
    return false;
}

bool
yl_url_covers(struct yl_str pattern, struct yl_str url)
{
    if (yl_str_equal(pattern, url)) {
        return true;
    }
    if (!yl_str_ends_with(pattern, YL_STR("*"))) {
        return false;
    }
    while (pattern.size > 0 && pattern.data[pattern.size - 1] == '*') {
        pattern.size--;
    }
    return yl_str_starts_with(url, pattern);
}

void
yl_policy_rule_write(const struct yl_policy_rule *rule, struct yl_buf *out)
{
    size_t part;

    yl_buf_append_char(out, '{');
    for (part = 0; part < N_PARTS; part++) {
        const struct yl_strs *strs = const_part_of(rule, part);

        /* Verbs are written even if there are none. */
        if (part == 0 || strs->n > 0) {
            if (part > 0) {
                yl_buf_append_char(out, ',');
            }
            yl_json_write_string(out, parts[part].name);
            yl_buf_append_char(out, ':');
            write_strs(*strs, out);
        }
    }
    yl_buf_append_char(out, '}');
}

static void
write_strs(struct yl_strs strs, struct yl_buf *out)
{
    size_t i;

    yl_buf_append_char(out, '[');
    for (i = 0; i < strs.n; i++) {
        if (i > 0) {
            yl_buf_append_char(out, ',');
        }
        yl_json_write_text(out, strs.all[i]);
    }
    yl_buf_append_char(out, ']');
}

static struct yl_strs *
part_of(struct yl_policy_rule *rule, size_t i)
{
    return (struct yl_strs *) (void *) ((char *) rule + parts[i].offset);
}

static const struct yl_strs *
const_part_of(const struct yl_policy_rule *rule, size_t i)
{
    return (const struct yl_strs *) (const void *) ((const char *) rule
                                                    + parts[i].offset);
}

static struct yl_strs
read_strings(struct yl_arena *arena, struct yl_json array)
{
    size_t n = yl_json_type(array) == YL_JSON_ARRAY ? yl_json_count(array) : 0;
    struct yl_str *all = yl_arena_array(arena, n, sizeof *all);
    struct yl_json_iter i = yl_json_iter(array);
    struct yl_strs strs = { all, 0 };

    /* An element that is not a string counts as an empty one.  It is not
     * skipped, because an empty list of names would mean any name. */
    while (strs.n < n && yl_json_next(&i)) {
        yl_json_string(i.value, arena, &all[strs.n++]);
    }
    return strs;
}

static struct yl_strs
strings_from_tree(struct yl_arena *arena, const struct yl_node *array)
{
    size_t n = yl_node_type(array) == YL_JSON_ARRAY ? array->n : 0;
    struct yl_str *all = yl_arena_array(arena, n, sizeof *all);
    struct yl_strs strs = { all, 0 };
    const struct yl_node *child;

    if (n > 0) {
        YL_NODE_FOR_EACH (child, array) {
            yl_node_string(child, arena, &all[strs.n++]);
        }
    }
    return strs;
}

/* "pods", "pods/log", "*", or of any resource's subresource, "*" "/log". */
static bool
matches_resource(struct yl_strs resources,
                 const struct yl_attributes *attributes)
{
    struct yl_str resource = attributes->resource;
    struct yl_str sub = attributes->subresource;
    size_t i;

    for (i = 0; i < resources.n; i++) {
        struct yl_str pattern = resources.all[i];

        if (yl_str_equal(pattern, YL_STR("*"))) {
            return true;
        }
        if (sub.size == 0) {
            if (yl_str_equal(pattern, resource)) {
                return true;
            }
        } else if (pattern.size > sub.size && yl_str_ends_with(pattern, sub)
                   && pattern.data[pattern.size - sub.size - 1] == '/') {
            pattern.size -= sub.size + 1;
            if (yl_str_equal(pattern, resource)
                || yl_str_equal(pattern, YL_STR("*"))) {
                return true;
            }
        }
    }
    return false;
}

static bool
has_or_all(struct yl_strs strs, struct yl_str s)
{
    return yl_strs_has(strs, s) || yl_strs_has(strs, YL_STR("*"));
}
