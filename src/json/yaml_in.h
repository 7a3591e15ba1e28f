#ifndef JSON_YAML_IN_H
#define JSON_YAML_IN_H 1

/* YAML text to a JSON tree.  See yuloh/yaml.h for the rules and the errors. */

#include "yuloh/str.h"
#include "yuloh/yaml.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Builds the tree of the first document of 'yaml' in 'arena'; it does not
 * point into 'yaml'.  An empty document is a null node.  'opts' and 'err' may
 * be NULL. */
int yl_yaml_parse(struct yl_arena *, struct yl_str yaml,
                  const struct yl_yaml_opts *, struct yl_node **ret_root,
                  struct yl_error *err);

#endif /* json/yaml_in.h */
