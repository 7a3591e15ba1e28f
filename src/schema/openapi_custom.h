#ifndef SCHEMA_OPENAPI_CUSTOM_H
#define SCHEMA_OPENAPI_CUSTOM_H 1

/* OpenAPI of custom kinds, as an API server publishes it.
 *
 *     compiled schema --> [custom] --> "com.example.v1.Foo": {...},
 *                                      "com.example.v1.FooList": {...}
 *
 * What is published is the schema of the definition, with the members that
 * every object has (apiVersion, kind, metadata), and with words that readers
 * of OpenAPI know in the place of those that only CRDs have: "anyOf" for
 * integers or strings, properties for objects inside others.
 *
 * Version 2 cannot say everything, and kubectl refuses fields of which it
 * knows only a part.  So there, as in upstream, alternatives and defaults are
 * left out, a value that may be null has no type, and an object that keeps
 * unknown fields has no properties. */

#include "base/buf.h"
#include "schema/openapi.h"
#include "yuloh/schema.h"

/* Appends the name of the schema of a custom kind, or of its list. */
void yl_openapi_write_custom_name(struct yl_buf *, const struct yl_kind *,
                                  bool list);

/* Appends the schemas of a custom kind and of its list, as two members of an
 * object.  They refer to meta/v1's ObjectMeta and ListMeta.  'selectable' has
 * the fields that selectors can name, joined by commas; or is NULL. */
void yl_openapi_write_custom(struct yl_buf *, enum yl_openapi_version,
                             const struct yl_kind *, const char *selectable);

#endif /* schema/openapi_custom.h */
