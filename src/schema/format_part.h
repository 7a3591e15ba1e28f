#ifndef SCHEMA_FORMAT_PART_H
#define SCHEMA_FORMAT_PART_H 1

/* Formats that have a grammar of their own; a part of schema/format.h. */

#include <stdbool.h>

#include "yuloh/str.h"

/* One address as Go's net/mail reads it (RFC 5322), with a name, comments or
 * a group of one around it: "a@b", "Ann <a@b> (home)". */
bool yl_format_is_mail(struct yl_str);

/* A URI as Go's url.ParseRequestURI() reads it: absolute, or a path that
 * starts with a slash. */
bool yl_format_is_uri(struct yl_str);

/* Addresses without a zone and without leading zeros. */
bool yl_format_is_ipv4(struct yl_str);
bool yl_format_is_ipv6(struct yl_str);

#endif /* schema/format_part.h */
