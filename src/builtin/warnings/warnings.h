#ifndef BUILTIN_WARNINGS_WARNINGS_H
#define BUILTIN_WARNINGS_WARNINGS_H 1

/* What warnings of several kinds share. */

#include "builtin/builtin.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/compiler.h"

/* "PATH: TEXT" */
void yl_warn_at(struct yl_warnings *, const struct yl_at *, const char *format,
                ...) YL_PRINTF(3, 4);

/* Just the text. */
void yl_warn(struct yl_warnings *, const char *format, ...) YL_PRINTF(2, 3);

/* Parts of a PodSpec: the ports of all containers, and the volumes. */
void yl_warn_ports(struct yl_warnings *, const struct yl_at *spec);
void yl_warn_volumes(struct yl_warnings *, const struct yl_at *volumes);

/* Warns if an amount of bytes is not a whole number. */
void yl_warn_fraction(struct yl_warnings *, const struct yl_at *amount);

/* The spec of a claim. */
void yl_warn_claim_spec(struct yl_warnings *, const struct yl_at *spec);

/* The warning for a deprecated label of Nodes, or NULL. */
const char *yl_deprecated_node_label(struct yl_str key);

/* The label keys in a list of node selector terms. */
void yl_warn_node_terms(struct yl_warnings *, const struct yl_at *list);

/* Warns of addresses that are not in the usual form. */
void yl_warn_ip(struct yl_warnings *, const struct yl_at *);
void yl_warn_cidr(struct yl_warnings *, const struct yl_at *);

#endif /* builtin/warnings/warnings.h */
