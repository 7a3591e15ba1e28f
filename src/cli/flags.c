/* Flags.  See cli/flags.h. */

#include "cli/flags.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cli/cli.h"
#include "yuloh/clock.h"
#include "yuloh/time.h"

static const struct yl_flag *find(const struct yl_flag *, size_t n,
                                  struct yl_str name);
static bool set(const struct yl_flag *, const char *text);
static int print_wrapped(FILE *, const char *text, int indent);

int
yl_flags_parse(const struct yl_command *command, const struct yl_flag *flags,
               size_t n_flags, int argc, char *argv[])
{
    int n_arguments = 0, i;

    for (i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '='), *text;
        const struct yl_flag *flag;
        struct yl_str name;

        if (strncmp(argv[i], "--", 2) || !argv[i][2]) {
            argv[1 + n_arguments++] = argv[i];
            continue;
        }
        name = equals ? yl_str_range(argv[i] + 2, equals)
                      : yl_str_c(argv[i] + 2);
        flag = find(flags, n_flags, name);
        if (!flag) {
            return -yl_cli_misused(command, "no flag --%.*s",
                                   YL_STR_ARG(name));
        }
        if (equals) {
            text = equals + 1;
        } else if (flag->type == YL_FLAG_BOOL) {
            text = "true";
        } else if (i + 1 < argc) {
            text = argv[++i];
        } else {
            return -yl_cli_misused(command, "--%s needs a value", flag->name);
        }
        if (!set(flag, text)) {
            return -yl_cli_misused(command, "--%s: '%s' is no %s", flag->name,
                                   text,
                                   flag->type == YL_FLAG_BOOL ? "true or false"
                                   : flag->type == YL_FLAG_DURATION
                                       ? "duration such as 30s or 1h"
                                       : "number");
        }
    }
    return n_arguments;
}

void
yl_flags_print(FILE *out, const struct yl_flag *flags, size_t n_flags)
{
    size_t i;

    for (i = 0; i < n_flags; i++) {
        const struct yl_flag *flag = &flags[i];

        if (flag->type == YL_FLAG_HEADING) {
            fprintf(out, "\n%s\n", flag->help);
            continue;
        }
        fprintf(out, "  --%s%s%s\n", flag->name, flag->argument ? "=" : "",
                flag->argument ? flag->argument : "");
        print_wrapped(out, flag->help, 8);
    }
}

static const struct yl_flag *
find(const struct yl_flag *flags, size_t n, struct yl_str name)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (flags[i].type != YL_FLAG_HEADING
            && yl_str_equal_c(name, flags[i].name)) {
            return &flags[i];
        }
    }
    return NULL;
}

static bool
read_size(struct yl_str text, size_t *ret_size)
{
    static const char units[] = "kMG";
    const char *unit = text.size ? strchr(units, text.data[text.size - 1])
                                 : NULL;
    int shift = unit ? 10 * (int) (unit - units + 1) : 0;
    unsigned long long value;

    if (unit) {
        text.size--;
    }
    if (yl_str_to_u64(text, &value) < 0 || value > SIZE_MAX >> shift) {
        return false;
    }
    *ret_size = (size_t) value << shift;
    return true;
}

static bool
set(const struct yl_flag *flag, const char *text)
{
    struct yl_str s = yl_str_c(text);
    long long number;
    int64_t nanos;

    switch (flag->type) {
    case YL_FLAG_STRING:
        *(const char **) flag->value = text;
        return true;
    case YL_FLAG_BOOL:
        *(bool *) flag->value = yl_str_equal(s, YL_STR("true"));
        return *(bool *) flag->value || yl_str_equal(s, YL_STR("false"));
    case YL_FLAG_SIZE:
        return read_size(s, flag->value);
    case YL_FLAG_INT:
        if (yl_str_to_i64(s, &number) < 0 || number < 0
            || number > INT32_MAX) {
            return false;
        }
        *(int *) flag->value = (int) number;
        return true;
    case YL_FLAG_DURATION:
        if (yl_duration_parse(s, &nanos, NULL) < 0 || nanos < 0) {
            return false;
        }
        *(yl_msec *) flag->value = nanos / 1000000;
        return true;
    case YL_FLAG_HEADING:
        break;
    }
    return false;
}

/* Prints words in lines of 79 columns. */
static int
print_wrapped(FILE *out, const char *text, int indent)
{
    struct yl_str rest = yl_str_c(text), word;
    int column = 0;

    while (rest.size) {
        if (!yl_str_cut(rest, ' ', &word, &rest)) {
            word = rest;
            rest = yl_str_null();
        }
        if (column && column + 1 + (int) word.size > 79) {
            fputc('\n', out);
            column = 0;
        }
        column += column ? fprintf(out, " %.*s", YL_STR_ARG(word))
                         : fprintf(out, "%*s%.*s", indent, "",
                                   YL_STR_ARG(word));
    }
    return fputc('\n', out);
}
