/* Flags.  See controller/flags.h. */

#include "controller/flags.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"
#include "yuloh/time.h"

/* The longest help of a flag. */
#define MAX_TEXT 4096

struct unit {
    const char *name;
    unsigned size;
};

static const struct yl_flag *find(const struct yl_flag *, size_t n,
                                  struct yl_str dashed);
static bool set(const struct yl_flag *, char *text);
static bool add_words(struct yl_flag_list *, char *text);
static const char *wanted(const struct yl_flag *);
static void describe(const struct yl_flag *, struct yl_buf *);
static int print_wrapped(FILE *, struct yl_str text, int indent);

int
yl_flags_parse(const struct yl_flag *flags, size_t n_flags, int argc,
               char *argv[], struct yl_error *err)
{
    bool only_arguments = false;
    int n_arguments = 0, i;

    for (i = 1; i < argc; i++) {
        char yes[] = "true", *equals = strchr(argv[i], '='), *text;
        const struct yl_flag *flag;
        struct yl_str name;

        if (only_arguments || argv[i][0] != '-' || !argv[i][1]) {
            argv[1 + n_arguments++] = argv[i];
            continue;
        }
        if (!strcmp(argv[i], "--")) {
            only_arguments = true;
            continue;
        }
        name = equals ? yl_str_range(argv[i], equals) : yl_str_c(argv[i]);
        flag = find(flags, n_flags, name);
        if (!flag) {
            return yl_error_set(err, YL_EINVALID, "no flag %.*s",
                                YL_STR_ARG(name));
        }
        if (equals) {
            text = equals + 1;
        } else if (flag->type == YL_FLAG_BOOL) {
            text = yes;
        } else if (i + 1 < argc) {
            text = argv[++i];
        } else {
            return yl_error_set(err, YL_EINVALID, "--%s needs a value",
                                flag->name);
        }
        if (!set(flag, text)) {
            return yl_error_set(err, YL_EINVALID, "--%s: '%s' is no %s",
                                flag->name, text, wanted(flag));
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
        struct yl_buf text;

        if (flag->type == YL_FLAG_HEADING) {
            fprintf(out, "\n%s\n", flag->help);
            continue;
        }
        fprintf(out, "  --%s%s%s\n", flag->name,
                flag->argument && flag->argument[0] ? "=" : "",
                flag->argument ? flag->argument : "");
        yl_buf_init(&text, MAX_TEXT);
        describe(flag, &text);
        print_wrapped(out, yl_buf_str(&text), 8);
        yl_buf_release(&text);
    }
}

/* Finds "--listen", "--v" or "-v". */
static const struct yl_flag *
find(const struct yl_flag *flags, size_t n, struct yl_str dashed)
{
    bool two = yl_str_starts_with(dashed, YL_STR("--"));
    struct yl_str name = yl_str_skip(dashed, two ? 2 : 1);
    size_t i;

    if (!two && name.size != 1) {
        return NULL;
    }
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
    if (yl_str_to_u64(text, &value) < 0 || value == 0
        || value > SIZE_MAX >> shift) {
        return false;
    }
    *ret_size = (size_t) value << shift;
    return true;
}

static bool
set(const struct yl_flag *flag, char *text)
{
    struct yl_flag_list *list = flag->value;
    struct yl_str s = yl_str_c(text);
    long long number;
    int64_t nanos;

    switch (flag->type) {
    case YL_FLAG_STRING:
        *(const char **) flag->value = text;
        return true;
    case YL_FLAG_LIST:
        if (list->n == YL_FLAG_MAX_VALUES) {
            return false;
        }
        list->values[list->n++] = text;
        return true;
    case YL_FLAG_WORDS:
        return add_words(list, text);
    case YL_FLAG_BOOL:
        *(bool *) flag->value = yl_str_equal(s, YL_STR("true"));
        return *(bool *) flag->value || yl_str_equal(s, YL_STR("false"));
    case YL_FLAG_SIZE:
        return read_size(s, flag->value);
    case YL_FLAG_COUNT:
        if (yl_str_to_i64(s, &number) < 0 || number < 1
            || number > INT32_MAX) {
            return false;
        }
        *(size_t *) flag->value = (size_t) number;
        return true;
    case YL_FLAG_INT:
    case YL_FLAG_PORT:
        if (yl_str_to_i64(s, &number) < 0 || number < 0
            || number > (flag->type == YL_FLAG_PORT ? UINT16_MAX
                                                    : INT32_MAX)) {
            return false;
        }
        *(int *) flag->value = (int) number;
        return true;
    case YL_FLAG_DURATION:
        if (yl_duration_parse(s, &nanos, NULL) < 0 || nanos < 1000000) {
            return false;
        }
        *(yl_msec *) flag->value = nanos / 1000000;
        return true;
    case YL_FLAG_HEADING:
        break;
    }
    return false;
}

/* Adds what stands between the commas of 'text'; an empty text adds
 * nothing. */
static bool
add_words(struct yl_flag_list *list, char *text)
{
    while (text && *text) {
        char *comma = strchr(text, ',');

        if (list->n == YL_FLAG_MAX_VALUES) {
            return false;
        }
        list->values[list->n++] = text;
        if (comma) {
            *comma++ = '\0';
        }
        text = comma;
    }
    return true;
}

/* Describes the value that the flag expects, for an error message. */
static const char *
wanted(const struct yl_flag *flag)
{
    switch (flag->type) {
    case YL_FLAG_BOOL:
        return "true or false";
    case YL_FLAG_SIZE:
        return "size above 0 such as 512k or 3M";
    case YL_FLAG_COUNT:
        return "number above 0";
    case YL_FLAG_PORT:
        return "port";
    case YL_FLAG_DURATION:
        return "duration above 0 such as 30s or 1h";
    case YL_FLAG_LIST:
    case YL_FLAG_WORDS:
        return "list of up to 64";
    case YL_FLAG_STRING:
    case YL_FLAG_INT:
    case YL_FLAG_HEADING:
        break;
    }
    return "number";
}

/* Appends 'value' in the largest unit that divides it; 'units' starts with the
 * unit that is 1. */
static void
print_in_units(struct yl_buf *buf, unsigned long long value,
               const struct unit *units, size_t n)
{
    size_t i = 0;

    while (i + 1 < n && value % units[i + 1].size == 0) {
        i++;
    }
    yl_buf_printf(buf, " [%llu%s].", value / units[i].size, units[i].name);
}

/* Appends the help text.  If the default is known it is put before the final
 * full stop. */
static void
describe(const struct yl_flag *flag, struct yl_buf *buf)
{
    static const struct unit sizes[] = {
        { "", 1 }, { "k", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
    };
    static const struct unit times[] = {
        { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 },
    };
    struct yl_str help = yl_str_c(flag->help);
    bool known = flag->type != YL_FLAG_STRING && flag->type != YL_FLAG_PORT
                 && flag->type != YL_FLAG_LIST && flag->type != YL_FLAG_WORDS
                 && !(flag->type == YL_FLAG_DURATION
                      && *(yl_msec *) flag->value == 0);

    yl_buf_append_str(buf, known ? yl_str_n(help.data, help.size - 1) : help);
    switch (flag->type) {
    case YL_FLAG_BOOL:
        yl_buf_append_c(buf, *(bool *) flag->value ? " [true]." : " [false].");
        break;
    case YL_FLAG_SIZE:
        print_in_units(buf, *(size_t *) flag->value, sizes,
                       YL_ARRAY_SIZE(sizes));
        break;
    case YL_FLAG_COUNT:
        print_in_units(buf, *(size_t *) flag->value, sizes, 1);
        break;
    case YL_FLAG_INT:
        print_in_units(buf, (unsigned) *(int *) flag->value, sizes, 1);
        break;
    case YL_FLAG_DURATION:
        if (!known) {
            break;
        }
        print_in_units(buf, (unsigned long long) *(yl_msec *) flag->value,
                       times, YL_ARRAY_SIZE(times));
        break;
    case YL_FLAG_STRING:
    case YL_FLAG_LIST:
    case YL_FLAG_WORDS:
    case YL_FLAG_PORT:
    case YL_FLAG_HEADING:
        break;
    }
}

/* Prints words in lines of 79 columns. */
static int
print_wrapped(FILE *out, struct yl_str rest, int indent)
{
    struct yl_str word;
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
