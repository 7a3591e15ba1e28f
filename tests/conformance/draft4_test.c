/* The cases of the JSON Schema test suite, draft 4, on the schemas of CRDs.
 *
 * CRDs allow a part of draft 4, and kube-apiserver judges a few values in
 * another way.  Such cases are left out, each for a reason that is printed
 * with the number of values. */

#include <glob.h>

#include "base/buf.h"
#include "compiled_schema.h"
#include "schema/go_value.h"
#include "schema/pattern.h"
#include "schema/validate.h"

/* Why cases are left out. */
enum reason {
    TAKEN,                      /* They are not. */
    KEYWORD,
    TYPE,
    ITEMS,
    ADDITIONAL,
    NULLS,
    FORMAT,
    NUMBERS,
    N_REASONS,
};

static const char *const reasons[] = {
    [KEYWORD] = "CRDs do not allow $ref, definitions, dependencies, "
                "patternProperties, additionalItems and id",
    [TYPE] = "CRDs allow one type, and null is none",
    [ITEMS] = "CRDs allow one schema as items",
    [ADDITIONAL] = "CRDs do not allow additionalProperties to be false, or "
                   "beside properties",
    [NULLS] = "of null kube-apiserver checks only type and enum, and no enum "
              "has it",
    [FORMAT] = "kube-apiserver takes a format without a type for a string's",
    [NUMBERS] = "kube-apiserver has integers and floats: they differ inside "
                "of arrays, and an integer is compared with an integer limit",
};

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return yl_node_get(node, yl_str_c(name));
}

/* The text of a node. */
static const char *
text_of(struct yl_arena *arena, const struct yl_node *node)
{
    const char *text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, node);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Why CRDs do not allow a schema. */
static enum reason
why_not_schema(const struct yl_node *schema)
{
    static const char *const keywords[] = {
        "$ref", "definitions", "dependencies", "patternProperties",
        "additionalItems", "id",
    };
    const struct yl_node *additional = get(schema, "additionalProperties");
    enum reason reason = TAKEN;
    const struct yl_node *child;
    size_t i;

    for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (get(schema, keywords[i])) {
            return KEYWORD;
        }
    }
    if (yl_node_string_is(get(schema, "type"), YL_STR("null"))
        || yl_node_type(get(schema, "type")) == YL_JSON_ARRAY) {
        return TYPE;
    } else if (yl_node_type(get(schema, "items")) == YL_JSON_ARRAY) {
        return ITEMS;
    } else if (yl_node_type(additional) == YL_JSON_BOOL
               || (additional && get(schema, "properties"))) {
        return ADDITIONAL;
    }
    YL_NODE_FOR_EACH (child, schema) {
        if (child->first && reason == TAKEN) {
            reason = why_not_schema(child);
        }
    }
    return reason;
}

/* Why kube-apiserver judges a value in another way. */
static enum reason
why_not_value(const struct yl_node *schema, const struct yl_node *value)
{
    const struct yl_node *factor = get(schema, "multipleOf");
    double number = 1;

    if (value->type == YL_JSON_NULL
        && (get(schema, "not") || get(schema, "enum"))) {
        return NULLS;
    } else if (value->type != YL_JSON_STRING && get(schema, "format")
               && !get(schema, "type")) {
        return FORMAT;
    }
    yl_node_double(factor, &number);
    if ((value->type == YL_JSON_NUMBER && yl_go_number(value).is_int
         && number != (double) (int64_t) number)
        || (value->type == YL_JSON_ARRAY && get(schema, "enum")
            && yl_node_type(value->first) == YL_JSON_NUMBER)) {
        return NUMBERS;
    }
    return TAKEN;
}

/* Compares whether values are valid; each stands in a member "a".  Counts the
 * values by reason; returns how many are judged wrongly. */
static unsigned
check_file(const char *path, struct yl_patterns *patterns,
           unsigned counts[N_REASONS])
{
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *groups, *group, *test;
    unsigned n_wrong = 0;
    size_t size;
    char *text = read_file(path, &size);

    assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL, &groups,
                                   NULL), 0);
    YL_NODE_FOR_EACH (group, groups) {
        enum reason left_out = why_not_schema(get(group, "schema"));
        struct yl_schema *schema = NULL;

        if (left_out == TAKEN) {
            schema = schema_of_json(arena, yl_arena_printf(
                arena, "{\"properties\":{\"a\":%s}}",
                text_of(arena, get(group, "schema"))));
        }
        YL_NODE_FOR_EACH (test, get(group, "tests")) {
            struct yl_node *root = yl_node_new_object(arena);
            enum reason reason = left_out;
            bool valid = false;

            if (reason == TAKEN) {
                reason = why_not_value(get(group, "schema"),
                                       get(test, "data"));
            }
            counts[reason]++;
            if (reason != TAKEN) {
                continue;
            }
            yl_node_set(arena, root, YL_STR("a"),
                        yl_node_copy(arena, get(test, "data")));
            yl_node_bool(get(test, "valid"), &valid);
            if ((yl_validate(yl_schema_type(schema), root, &opts, NULL) == 0)
                != valid) {
                print_message("%s: %s: %s\n", path,
                              text_of(arena, get(group, "description")),
                              text_of(arena, get(test, "description")));
                n_wrong++;
            }
        }
        yl_schema_unref(schema);
    }
    yl_arena_free(arena);
    free(text);
    return n_wrong;
}

TEST(values_are_valid_as_in_draft_4)
{
    struct yl_patterns *patterns = yl_patterns_new();
    unsigned counts[N_REASONS] = { 0 }, n_wrong = 0;
    glob_t files;
    size_t i;

    assert_int_equal(glob(truth_path("json-schema/draft4/*.json"), 0, NULL,
                          &files), 0);
    for (i = 0; i < files.gl_pathc; i++) {
        n_wrong += check_file(files.gl_pathv[i], patterns, counts);
    }
    globfree(&files);
    yl_patterns_free(patterns);
    print_message("%u values\n", counts[TAKEN]);
    for (i = TAKEN + 1; i < N_REASONS; i++) {
        print_message("%u left out: %s\n", counts[i], reasons[i]);
    }
    assert_int_equal(n_wrong, 0);
    assert_true(counts[TAKEN] >= 300);
}
