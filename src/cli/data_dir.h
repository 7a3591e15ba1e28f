#ifndef CLI_DATA_DIR_H
#define CLI_DATA_DIR_H 1

/* The data directory that a server uses by default: /var/lib/yuloh as root,
 * else "yuloh" in the user's data home ($XDG_DATA_HOME, ~/.local/share). */

struct yl_error;

/* 0 and a path to be freed, or YL_EINVALID if the user has no home. */
int yl_data_dir_default(char **ret_path, struct yl_error *err);

#endif /* cli/data_dir.h */
