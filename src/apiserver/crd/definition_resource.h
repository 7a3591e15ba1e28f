#ifndef APISERVER_CRD_DEFINITION_RESOURCE_H
#define APISERVER_CRD_DEFINITION_RESOURCE_H 1

/* From a definition to a row of the registry: a custom kind is served.
 *
 *     definition --> [resource] --> registry: versions, subresources, columns
 *                        '--------> keyspace: /registry/GROUP/PLURAL/
 *
 * The row and everything below it live in the definition's memory and end with
 * the last reference to the row: requests and watches that found it go on with
 * it.  The objects stay in the keyspace, whatever becomes of the row. */

#include <stdint.h>

struct yl_definition;
struct yl_error;
struct yl_keyspace;
struct yl_ks_resource;
struct yl_registry;

/* Serves the definition, which is taken, also if this fails; replaces the row
 * that there is.  Returns where its objects are, which stays valid as long as
 * the keyspace.  Objects whose form is that of the schema with the number
 * 'schema' (24 bits) are not refreshed when they are read.  0; YL_EEXISTS if a
 * built-in resource has its place; YL_EINVALID if there are objects of another
 * scope in the place of its own. */
int yl_definition_serve_take(struct yl_definition *, uint32_t schema,
                             struct yl_registry *, struct yl_keyspace *,
                             struct yl_ks_resource **ret_objects,
                             struct yl_error *err);

#endif /* apiserver/crd/definition_resource.h */
