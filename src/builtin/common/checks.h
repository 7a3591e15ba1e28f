#ifndef BUILTIN_COMMON_CHECKS_H
#define BUILTIN_COMMON_CHECKS_H 1

/* Checks that many kinds share.  Each adds causes to the check's error, in
 * upstream's words; those that return a bool return true if there was no
 * fault. */

#include <stdbool.h>
#include <stdint.h>

#include "json/member.h"
#include "schema/at.h"
#include "yuloh/names.h"

#define YL_NOT_NEGATIVE "must be greater than or equal to 0"
#define YL_POSITIVE "must be greater than 0"

/* Text
 * ==== */

/* The faulty value, for an error. */
struct yl_bad_value yl_bad_str(const struct yl_check *, const struct yl_at *);

/* Whether there is a value; adds "Required value" if not. */
bool yl_check_required(struct yl_check *, const struct yl_at *);

/* Checks the text by a rule; adds one cause for each fault. */
bool yl_check_name(struct yl_check *, const struct yl_at *,
                   enum yl_name_rule);
bool yl_check_name_of(struct yl_check *, const struct yl_field_path *,
                      enum yl_name_rule, struct yl_str value);

/* A label's value, with all faults in one cause. */
bool yl_check_label_value_joined(struct yl_check *,
                                 const struct yl_field_path *,
                                 struct yl_str value);

/* Rules that yuloh/names.h does not have. */
bool yl_check_subdomain_underscore(struct yl_check *, const struct yl_at *);
bool yl_check_env_name(struct yl_check *, const struct yl_at *);
bool yl_check_config_key(struct yl_check *, const struct yl_at *key_path,
                         struct yl_str key);
bool yl_check_ip(struct yl_check *, const struct yl_at *);
bool yl_check_cidr(struct yl_check *, const struct yl_at *);

/* The same, and in canonical form. */
bool yl_check_ip_strict(struct yl_check *, const struct yl_at *);
bool yl_check_cidr_strict(struct yl_check *, const struct yl_at *);

/* "*.example.com" */
bool yl_check_wildcard_domain(struct yl_check *, const struct yl_at *);

/* The name of a CSI driver: a subdomain in any case, of 63 bytes. */
bool yl_check_csi_driver_name(struct yl_check *, const struct yl_at *);

/* 's' in lower case. */
struct yl_str yl_lower_case(struct yl_arena *, struct yl_str s);

/* One of the texts in 'supported', which ends with NULL. */
bool yl_check_one_of(struct yl_check *, const struct yl_at *,
                     const char *const *supported);

/* Paths inside of a volume: relative, and without '..'. */
bool yl_check_local_path(struct yl_check *, const struct yl_at *);
bool yl_check_local_path_not_reserved(struct yl_check *,
                                      const struct yl_at *);
bool yl_check_no_backsteps(struct yl_check *, const struct yl_at *);

/* Numbers
 * ======= */

/* Zero if absent. */
bool yl_check_not_negative(struct yl_check *, const struct yl_at *);
bool yl_check_positive(struct yl_check *, const struct yl_at *);
bool yl_check_range(struct yl_check *, const struct yl_at *, int64_t low,
                    int64_t high);

/* A quantity that is not negative, if there is one. */
bool yl_check_quantity_not_negative(struct yl_check *, const struct yl_at *);

/* A file mode, if there is one. */
bool yl_check_mode(struct yl_check *, const struct yl_at *);

/* A number that is not negative, or a percentage. */
bool yl_check_int_or_percent(struct yl_check *, const struct yl_at *);
bool yl_check_percent_at_most_100(struct yl_check *, const struct yl_at *);

/* The value of a number or a percentage, and whether it is a percentage. */
int64_t yl_at_int_or_percent(const struct yl_check *, const struct yl_at *,
                             bool *ret_percent);

/* The port that a probe or a handler names. */
bool yl_check_port(struct yl_check *, const struct yl_at *);

/* Maps and selectors
 * ================== */

bool yl_check_labels(struct yl_check *, const struct yl_at *labels);
bool yl_check_label_selector(struct yl_check *, const struct yl_at *);

/* Whether the LabelSelector matches the map.  An invalid one does not. */
bool yl_selector_node_matches(struct yl_check *,
                              const struct yl_node *selector,
                              const struct yl_node *labels);

/* A LabelSelector, as Go writes it. */
struct yl_bad_value yl_bad_selector(struct yl_check *, const struct yl_at *);

/* Adds a text to a set, and returns whether it was new. */
bool yl_set_add(struct yl_arena *, struct yl_node *set, struct yl_str);

/* How many causes there are so far. */
static inline size_t
yl_check_faults(const struct yl_check *c)
{
    return c->err->n_causes;
}

#endif /* builtin/common/checks.h */
