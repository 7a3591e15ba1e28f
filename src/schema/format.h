#ifndef SCHEMA_FORMAT_H
#define SCHEMA_FORMAT_H 1

/* The formats of strings that schemas may name.
 *
 * They are those of Kubernetes' structural schemas, and a string has one if
 * Kubernetes says so, which is not always what the standard of that name says:
 * "01.2.3.4" is an ipv4, "a-b" is no hostname.  Hyphens in names of formats
 * are ignored, so "date-time" is "datetime".
 *
 * Characters beyond ASCII in a hostname all count as letters. */

#include <stdbool.h>

#include "yuloh/str.h"

enum yl_format_result {
    YL_FORMAT_UNKNOWN,          /* No such format; it allows every string. */
    YL_FORMAT_OK,
    YL_FORMAT_BAD,
};

enum yl_format_result yl_format_check(struct yl_str format, struct yl_str s);

/* Is it a format that values of 'type' ("string", "integer", ...; NULL or
 * several: not said) can have?  Others are ignored, and kube-apiserver warns
 * of them when a CRD is written. */
bool yl_format_is_known(const char *type, struct yl_str format);

#endif /* schema/format.h */
