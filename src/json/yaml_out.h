#ifndef JSON_YAML_OUT_H
#define JSON_YAML_OUT_H 1

/* A JSON tree to YAML, byte for byte as kubectl prints it. */

struct yl_buf;
struct yl_node;

/* Appends 'root' as one document, without a "---", ending in a line end.  The
 * buffer's ceiling is the only limit: ask yl_buf_error() afterwards. */
void yl_yaml_write(struct yl_buf *, const struct yl_node *root);

#endif /* json/yaml_out.h */
