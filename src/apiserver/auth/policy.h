#ifndef APISERVER_AUTH_POLICY_H
#define APISERVER_AUTH_POLICY_H 1

/* Policies: the rules of roles, and what they allow.
 *
 *     {"verbs":["get"],"apiGroups":[""],"resources":["pods","pods/log"],
 *      "resourceNames":["web"]}
 *     {"verbs":["get"],"nonResourceURLs":["/metrics","/logs*"]}
 *
 * A rule allows what all of its parts match; "*" matches everything, a "*"
 * with "/scale" behind it every resource's scale, and a URL's last "*" any
 * rest.
 *
 * Ownership
 * =========
 *
 * Rules that were read live in the arena that was passed, and point into the
 * text.  A copy is one block of its own. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_attributes;
struct yl_node;

struct yl_strs {
    const struct yl_str *all;
    size_t n;
};

struct yl_policy_rule {
    struct yl_strs verbs;
    struct yl_strs groups;
    struct yl_strs resources;
    struct yl_strs names;       /* None: any. */
    struct yl_strs urls;
};

struct yl_policy {
    const struct yl_policy_rule *all;
    size_t n;
};

/* Reads an array of rules.  An element that is not a rule counts as an empty
 * rule, which allows nothing. */
struct yl_policy yl_policy_read(struct yl_arena *, struct yl_json array);

/* The same of a tree; NULL has no rules. */
struct yl_policy yl_policy_from_tree(struct yl_arena *,
                                     const struct yl_node *array);

/* The policy that allows everything. */
struct yl_policy yl_policy_everything(void);

/* A copy in one block that holds everything; to be freed. */
struct yl_policy *yl_policy_copy(struct yl_policy);

bool yl_strs_has(struct yl_strs, struct yl_str);
bool yl_strs_equal(struct yl_strs, struct yl_strs);

/* Does the rule allow this? */
bool yl_policy_rule_allows(const struct yl_policy_rule *,
                           const struct yl_attributes *);

/* Does the pattern, which may end in "*", cover the URL? */
bool yl_url_covers(struct yl_str pattern, struct yl_str url);

/* Appends a rule as JSON: verbs first, then what there is of the others. */
void yl_policy_rule_write(const struct yl_policy_rule *, struct yl_buf *);

#endif /* apiserver/auth/policy.h */
