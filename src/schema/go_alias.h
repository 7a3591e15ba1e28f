#ifndef SCHEMA_GO_ALIAS_H
#define SCHEMA_GO_ALIAS_H 1

/* Strings that Go has types of their own for: a Container's 'imagePullPolicy'
 * is a v1.PullPolicy.  Descriptors know them as strings; Go's decoder names
 * the type when it refuses a value. */

#include "yuloh/str.h"

/* The type of a field, or of the elements of a field that is a list, in a
 * struct of a built-in kind; NULL if it is a string. */
const char *yl_go_alias(const char *type, struct yl_str field);

#endif /* schema/go_alias.h */
