/* Names in C and in JSON.  See codegen/model.h. */

#include "codegen/model.h"

#include <string.h>

#include "base/buf.h"
#include "schema/openapi.h"
#include "yuloh/arena.h"
#include "yuloh/compiler.h"

/* Names are short.  A longer one is cut, and the output will not compile. */
#define MAX_NAME 1024

static bool is_upper(char);
static bool is_lower(char);
static bool is_keyword(const char *);
static const char *take(struct yl_arena *, struct yl_buf *);

const char *
yl_gen_camel(struct yl_arena *arena, const char *snake, bool upper)
{
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_NAME);
    for (; *snake; snake++) {
        if (*snake == '_') {
            upper = true;
        } else if (upper && is_lower(*snake)) {
            yl_buf_append_char(&buf, (char) (*snake - 'a' + 'A'));
            upper = false;
        } else {
            yl_buf_append_char(&buf, *snake);
            upper = false;
        }
    }
    return take(arena, &buf);
}

const char *
yl_gen_snake(struct yl_arena *arena, const char *camel)
{
    const char *p, *result;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_NAME);
    for (p = camel; *p; p++) {
        bool word = false;

        if (is_upper(*p) && p > camel) {
            /* An upper-case letter starts a word if it follows a lower-case
             * letter or a digit, or if it is the last of several before a
             * lower-case letter.  But the 's' of "IPs" is a plural, not the
             * start of a word. */
            bool plural = p[1] == 's' && (!p[2] || is_upper(p[2]));

            word = !is_upper(p[-1]) || (is_lower(p[1]) && !plural);
        }
        if (word && buf.size && buf.data[buf.size - 1] != '_') {
            yl_buf_append_char(&buf, '_');
        }
        if (is_upper(*p)) {
            yl_buf_append_char(&buf, (char) (*p - 'A' + 'a'));
        } else if (is_lower(*p) || (*p >= '0' && *p <= '9' && p > camel)) {
            yl_buf_append_char(&buf, *p);
        } else {
            yl_buf_append_char(&buf, '_');
        }
    }
    result = take(arena, &buf);
    return is_keyword(result) ? yl_arena_printf(arena, "%s_", result)
                              : result;
}

const char *
yl_gen_plural(struct yl_arena *arena, const char *kind)
{
    struct yl_buf buf;
    struct yl_str s;

    yl_buf_init(&buf, MAX_NAME);
    for (; *kind; kind++) {
        yl_buf_append_char(&buf, is_upper(*kind) ? (char) (*kind - 'A' + 'a')
                                                 : *kind);
    }
    s = yl_buf_str(&buf);
    if (yl_str_equal_c(s, "endpoints")) {
        /* This is the only built-in kind whose name is a plural already. */
    } else if (yl_str_ends_with(s, YL_STR("s"))
               || yl_str_ends_with(s, YL_STR("x"))
               || yl_str_ends_with(s, YL_STR("ch"))
               || yl_str_ends_with(s, YL_STR("sh"))) {
        yl_buf_append_c(&buf, "es");
    } else if (s.size > 1 && yl_str_ends_with(s, YL_STR("y"))
               && !strchr("aeiou", s.data[s.size - 2])) {
        buf.size--;
        yl_buf_append_c(&buf, "ies");
    } else {
        yl_buf_append_char(&buf, 's');
    }
    return take(arena, &buf);
}

const char *
yl_gen_openapi_prefix(struct yl_arena *arena, const char *group,
                      const char *version)
{
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_NAME);
    yl_openapi_write_prefix(&buf, yl_str_c(group), yl_str_c(version));
    return take(arena, &buf);
}

const char *
yl_gen_c_type(struct yl_arena *arena, const struct yl_gen_value *value)
{
    static const char *const names[] = {
        [YL_VALUE_BOOL] = "bool",
        [YL_VALUE_INT32] = "int32_t",
        [YL_VALUE_INT64] = "int64_t",
        [YL_VALUE_DOUBLE] = "double",
        [YL_VALUE_STRING] = "const char *",
        [YL_VALUE_BYTES] = "struct yl_bytes",
        [YL_VALUE_TIME] = "struct yl_time",
        [YL_VALUE_MICRO_TIME] = "struct yl_micro_time",
        [YL_VALUE_DURATION] = "struct yl_duration",
        [YL_VALUE_QUANTITY] = "struct yl_quantity",
        [YL_VALUE_INT_OR_STRING] = "struct yl_int_or_string",
        [YL_VALUE_RAW] = "struct yl_raw",
        [YL_VALUE_EMBEDDED] = "struct yl_embedded",
    };

    if (value->kind == YL_VALUE_STRUCT) {
        return yl_arena_printf(arena, "struct %s", value->type->c_name);
    } else if (value->kind < YL_ARRAY_SIZE(names) && names[value->kind]) {
        return names[value->kind];
    }
    return "";
}

const char *
yl_gen_c_element(struct yl_arena *arena, const struct yl_gen_value *value)
{
    const struct yl_gen_value *element = value->element;
    static const char *const pairs[] = {
        [YL_VALUE_BOOL] = "struct yl_bool_pair",
        [YL_VALUE_INT32] = "struct yl_int32_pair",
        [YL_VALUE_INT64] = "struct yl_int64_pair",
        [YL_VALUE_DOUBLE] = "struct yl_double_pair",
        [YL_VALUE_STRING] = "struct yl_string_pair",
        [YL_VALUE_BYTES] = "struct yl_bytes_pair",
        [YL_VALUE_TIME] = "struct yl_time_pair",
        [YL_VALUE_QUANTITY] = "struct yl_quantity_pair",
        [YL_VALUE_INT_OR_STRING] = "struct yl_int_or_string_pair",
        [YL_VALUE_RAW] = "struct yl_raw_pair",
    };

    if (value->c_element[0]) {
        return value->c_element;
    } else if (value->kind == YL_VALUE_LIST) {
        if (element->kind == YL_VALUE_LIST
            && element->element->kind == YL_VALUE_STRING) {
            return "struct yl_strings";
        } else if (element->kind == YL_VALUE_MAP
                   && element->element->kind == YL_VALUE_STRING) {
            return "struct yl_string_map";
        }
        return yl_gen_c_type(arena, element);
    } else if (element->kind == YL_VALUE_STRUCT) {
        return yl_arena_printf(arena, "struct yl_pair_of_%s",
                               element->type->c_name);
    } else if (element->kind == YL_VALUE_LIST
               && element->element->kind == YL_VALUE_STRING) {
        return "struct yl_strings_pair";
    } else if (element->kind < YL_ARRAY_SIZE(pairs) && pairs[element->kind]) {
        return pairs[element->kind];
    }
    return "";
}

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool
is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Whether the name is a keyword of C or C++.  A member cannot have such a name
 * in a header that C++ must be able to read. */
static bool
is_keyword(const char *name)
{
    static const char *const words[] = {
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand",
        "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
        "concept", "const", "constexpr", "const_cast", "continue", "decltype",
        "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
        "explicit", "export", "extern", "false", "float", "for", "friend",
        "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
        "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
        "private", "protected", "public", "register", "reinterpret_cast",
        "requires", "restrict", "return", "short", "signed", "sizeof",
        "static", "static_assert", "static_cast", "struct", "switch",
        "template", "this", "thread_local", "throw", "true", "try", "typedef",
        "typeid", "typename", "typeof", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        "linux", "unix",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (!strcmp(name, words[i])) {
            return true;
        }
    }
    return false;
}

static const char *
take(struct yl_arena *arena, struct yl_buf *buf)
{
    const char *s = yl_arena_strdup(arena, yl_buf_str(buf));

    yl_buf_release(buf);
    return s;
}
