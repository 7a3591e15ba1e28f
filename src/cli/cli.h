#ifndef CLI_CLI_H
#define CLI_CLI_H 1

/* The commands of the yuloh program, one file each.
 *
 * A command gets its own name in argv[0] and the arguments that follow it on
 * the command line.  It writes its output to standard output and errors to
 * standard error, and returns an exit status: 0, 1 when it failed, 2 when the
 * command line is wrong. */

#include <stddef.h>

#include "base/buf.h"
#include "controller/flags.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

struct yl_command {
    const char *name;
    const char *summary;        /* One line, for the list of commands. */
    const char *usage;          /* What "yuloh help NAME" prints, */
    void (*describe)(void);     /* and what prints the rest; or NULL. */
    int (*run)(int argc, char *argv[]);
};

extern const struct yl_command yl_command_backup;
extern const struct yl_command yl_command_convert;
extern const struct yl_command yl_command_gen;
extern const struct yl_command yl_command_kubeconfig;
extern const struct yl_command yl_command_patch;
extern const struct yl_command yl_command_restore;
extern const struct yl_command yl_command_serve;

/* What commands share
 * =================== */

enum yl_exit {
    YL_EXIT_OK,
    YL_EXIT_FAILED,
    YL_EXIT_USAGE,
};

/* How documents are printed. */
enum yl_output {
    YL_OUTPUT_YAML,             /* As kubectl does. */
    YL_OUTPUT_JSON,             /* As kubectl does. */
    YL_OUTPUT_CANONICAL,        /* As it is stored, on one line. */
};

/* The largest file that is read. */
#define YL_CLI_MAX_FILE ((size_t) 64 << 20)

/* Reads "yaml", "json" or "canonical".  False if it is neither. */
bool yl_output_parse(const char *name, enum yl_output *ret_output);

/* Prints one document of several; 'i' is its number, from 0.  0 or a negative
 * code with 'err'. */
int yl_output_print(enum yl_output, size_t i, const struct yl_node *,
                    struct yl_error *err);

/* Reads a whole file; "-" is standard input.  0, YL_EIO or YL_ETOOBIG. */
int yl_cli_read_file(const char *path, struct yl_buf *, struct yl_error *err);

/* Calls 'each' for every document of a file, YAML or JSON, until it returns a
 * negative code.  Returns that, or the error that stopped the reading, with
 * the file's name in 'err'. */
typedef int yl_document_fn(void *aux, struct yl_arena *, struct yl_node *,
                           struct yl_error *err);
int yl_cli_each_document(const char *path, yl_document_fn *each, void *aux,
                         struct yl_error *err);

/* Prints "yuloh NAME: MESSAGE" to standard error, clears 'err' and returns
 * YL_EXIT_FAILED. */
int yl_cli_failed(const struct yl_command *, struct yl_error *err);

/* Reads flags (controller/flags.h).  Returns the number of arguments, or
 * -YL_EXIT_USAGE after it has printed what is wrong. */
int yl_cli_parse(const struct yl_command *, const struct yl_flag *flags,
                 size_t n_flags, int argc, char *argv[]);

/* Complains about the command line and returns YL_EXIT_USAGE. */
int yl_cli_misused(const struct yl_command *, const char *format, ...)
    YL_PRINTF(2, 3);

#endif /* cli/cli.h */
