#ifndef CONTROLLER_FLAGS_H
#define CONTROLLER_FLAGS_H 1

/* Flags of a program, as a table: parsing and help come from the same rows.
 * Programs of controllers (yl_main()) and the commands of yuloh use them.
 *
 * Flags are written "--name=value" or "--name value"; those that are on or off
 * may stand alone, and those of one letter may have one dash.  Everything else
 * is an argument, and so is everything after a "--".
 *
 * The help shows as the default the value that a flag has before the command
 * line is read, so that no default is written twice. */

#include <stddef.h>
#include <stdio.h>

struct yl_error;

enum yl_flag_type {
    YL_FLAG_STRING,             /* const char * */
    YL_FLAG_LIST,               /* struct yl_flag_list: may be repeated */
    YL_FLAG_WORDS,              /* The same, and a value is a list with
                                 * commas. */
    YL_FLAG_BOOL,               /* bool */
    YL_FLAG_SIZE,               /* size_t above 0, with k, M or G behind it */
    YL_FLAG_COUNT,              /* size_t above 0 */
    YL_FLAG_INT,                /* int, not negative */
    YL_FLAG_PORT,               /* int up to 65,535; its default is 0: none */
    YL_FLAG_DURATION,           /* yl_msec above 0: "30s", "1h" */
    YL_FLAG_HEADING,            /* No flag: a line in the help. */
};

#define YL_FLAG_MAX_VALUES 64

/* The values of a flag that may be repeated; they point into argv, in which
 * commas were replaced. */
struct yl_flag_list {
    const char *values[YL_FLAG_MAX_VALUES];
    size_t n;
};

struct yl_flag {
    enum yl_flag_type type;
    const char *name;
    void *value;
    const char *argument;       /* What it is called in the help. */
    const char *help;
};

/* Sets values from the command line.  Returns the number of arguments, which
 * are moved to the front of argv + 1, or YL_EINVALID and what is wrong. */
int yl_flags_parse(const struct yl_flag *flags, size_t n_flags, int argc,
                   char *argv[], struct yl_error *err);

/* Prints a line or two for each flag, with its default: call it before
 * parsing. */
void yl_flags_print(FILE *, const struct yl_flag *flags, size_t n_flags);

#endif /* controller/flags.h */
