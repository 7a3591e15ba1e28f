#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_TABLE_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_TABLE_H 1

/* The objects that every new server has, as tables.  Lists are texts separated
 * by commas; "" is a list of one empty text, which means the core group. */

#include <stddef.h>

/* Roles, each followed by its rules, and bindings. */
enum yl_bootstrap_what {
    YL_BOOTSTRAP_CLUSTER_ROLE,
    YL_BOOTSTRAP_ROLE,
    YL_BOOTSTRAP_RULE,          /* Of the role above. */
    YL_BOOTSTRAP_CLUSTER_ROLE_BINDING,
    YL_BOOTSTRAP_ROLE_BINDING,
};

struct yl_bootstrap_row {
    enum yl_bootstrap_what what;

    /* Of roles and bindings. */
    const char *namespace_;
    const char *name;
    const char *aggregates;     /* "view": roles with the label
                                 * aggregate-to-view. */
    const char *aggregate_to;   /* "view": the role has that label. */
    const char *role;           /* The bound role; of the binding's scope. */
    const char *subjects;       /* "Group g", "User u", "ServiceAccount s" (of
                                 * kube-system). */

    /* Of rules. */
    const char *verbs;
    const char *groups;
    const char *resources;
    const char *names;
    const char *urls;
};

const struct yl_bootstrap_row *yl_bootstrap_roles(size_t *ret_n);

/* Flow control: the spec in YAML. */
struct yl_bootstrap_flow {
    const char *plural;
    const char *name;
    const char *spec;
};

const struct yl_bootstrap_flow *yl_bootstrap_flows(size_t *ret_n);

#endif /* apiserver/bootstrap/bootstrap_table.h */
