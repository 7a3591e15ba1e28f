#ifndef JSON_YAML_SORT_H
#define JSON_YAML_SORT_H 1

/* The order in which kubectl prints members: letters after everything else,
 * and numbers inside of names by their value, so that a2 comes before a10. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_node;

/* Does key 'a' come before key 'b'? */
bool yl_yaml_key_less(struct yl_str a, struct yl_str b);

/* The members of 'object' in that order, 'object->n' of them, in 'arena'. */
const struct yl_node **yl_yaml_sort(struct yl_arena *,
                                    const struct yl_node *object);

#endif /* json/yaml_sort.h */
