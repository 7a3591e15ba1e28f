#ifndef APISERVER_AUTH_TOKEN_FILE_H
#define APISERVER_AUTH_TOKEN_FILE_H 1

/* Static tokens: a CSV file that assigns bearer tokens to users.
 *
 *     token,user,uid,"group1,group2"
 *
 * as kube-apiserver's --token-auth-file.  The last column may be left out;
 * columns behind it are ignored.  Lines are read as Go's encoding/csv does:
 * quotes around a field, doubled inside of it, blank lines skipped.
 *
 * Guarantees
 * ==========
 *
 *   - The time that a lookup takes says nothing about the tokens in the file.
 *
 *   - If a token occurs twice, the last line counts.  An empty token belongs
 *     to no user.
 *
 * Threads
 * =======
 *
 * A table never changes, so any thread may use it. */

#include "yuloh/str.h"

struct yl_error;
struct yl_token_file;
struct yl_user;

#define YL_TOKEN_FILE_MAX ((size_t) 16 << 20)

/* Reads a file.  YL_EIO, YL_ENOTFOUND, YL_ETOOBIG, or YL_EINVALID with the
 * number of the line at fault. */
int yl_token_file_read(const char *path, struct yl_token_file **ret_tokens,
                       struct yl_error *err);

/* The same for a text; 'path' is for messages. */
int yl_token_file_parse(struct yl_str text, const char *path,
                        struct yl_token_file **ret_tokens,
                        struct yl_error *err);
void yl_token_file_free(struct yl_token_file *);

/* The user of a token, lent by the table; NULL if the token is unknown.  The
 * groups do not contain system:authenticated yet. */
const struct yl_user *yl_token_file_find(const struct yl_token_file *,
                                         struct yl_str token);

#endif /* apiserver/auth/token_file.h */
