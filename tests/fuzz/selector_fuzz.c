/* Fuzzes selectors.  Input: a selector, a zero byte, and labels.
 *
 * The text of a selector must be read as the same selector, and matching must
 * give the same as checking one requirement after the other. */

#include "fuzz.h"

#include "json/tree.h"
#include "object/selector.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/selector.h"

#define MAX_LABELS 64

static void check_text(struct yl_arena *, const struct yl_selector *);
static void check_matches(struct yl_arena *, const struct yl_selector *,
                          struct yl_str labels);
static size_t read_labels(struct yl_arena *, struct yl_str text,
                          struct yl_label labels[MAX_LABELS]);
static bool matches_one(const struct yl_requirement *,
                        const struct yl_label *labels, size_t n);
static void check_fields(struct yl_arena *, struct yl_str text);
static struct yl_str echo(void *aux, struct yl_str field);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_str text = fuzz_text(&in);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    struct yl_error err = YL_ERROR_INIT;
    int r;

    check_fields(arena, text);
    r = yl_selector_parse(text, arena, &selector, &err);
    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    if (r == 0) {
        check_text(arena, selector);
        check_matches(arena, selector, in.rest);
    }

    /* The same bytes as the object forms. */
    if (yl_selector_from_json(yl_json(text), arena, &selector, &err) == 0) {
        if (!yl_selector_is_nothing(selector)) {
            check_text(arena, selector);
        }
        check_matches(arena, selector, in.rest);
    }
    yl_error_clear(&err);
    if (yl_selector_from_labels(yl_json(text), arena, &selector, &err) == 0) {
        check_matches(arena, selector, in.rest);
        if (yl_json_validate(text, NULL, NULL) == 0) {
            check_matches(arena, selector, text);
        }
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return 0;
}

static void
check_text(struct yl_arena *arena, const struct yl_selector *selector)
{
    struct yl_str text = yl_selector_text(selector, arena);
    const struct yl_requirement *a, *b;
    const struct yl_selector *again;
    size_t n_a, n_b, i, j;

    CHECK(yl_selector_parse(text, arena, &again, NULL) == 0);
    CHECK(yl_str_equal(yl_selector_text(again, arena), text));
    a = yl_selector_requirements(selector, &n_a);
    b = yl_selector_requirements(again, &n_b);
    CHECK(n_a == n_b);
    CHECK(yl_selector_is_everything(selector) == (n_a == 0));
    for (i = 0; i < n_a; i++) {
        CHECK(yl_str_equal(a[i].key, b[i].key) && a[i].op == b[i].op);
        CHECK(a[i].n_values == b[i].n_values && a[i].number == b[i].number);
        CHECK(i == 0 || yl_str_compare(a[i - 1].key, a[i].key) <= 0);
        for (j = 0; j < a[i].n_values; j++) {
            CHECK(yl_str_equal(a[i].values[j], b[i].values[j]));
        }
    }
}

static void
check_matches(struct yl_arena *arena, const struct yl_selector *selector,
              struct yl_str text)
{
    struct yl_label labels[MAX_LABELS];
    bool matches = yl_selector_matches(selector, yl_json(text));
    const struct yl_requirement *r;
    bool expected = !yl_selector_is_nothing(selector);
    struct yl_str value;
    size_t n, n_labels, i;

    CHECK(!matches || expected);
    if (yl_json_validate(text, NULL, NULL) < 0) {
        return;
    }
    n_labels = read_labels(arena, text, labels);
    if (n_labels == SIZE_MAX) {
        return;
    }
    r = yl_selector_requirements(selector, &n);
    for (i = 0; i < n; i++) {
        expected = expected && matches_one(&r[i], labels, n_labels);
    }
    CHECK(matches == expected);
    CHECK(yl_selector_matches_labels(selector, labels, n_labels) == expected);
    for (i = 0; i < n_labels; i++) {
        if (matches
            && yl_selector_exact_value(selector, labels[i].key, &value)) {
            CHECK(yl_str_equal(value, labels[i].value));
        }
    }
}

/* SIZE_MAX if the text is no list of labels. */
static size_t
read_labels(struct yl_arena *arena, struct yl_str text,
            struct yl_label labels[MAX_LABELS])
{
    struct yl_tree_opts opts = { .limits.refuse_duplicates = true };
    struct yl_node *root, *child;
    size_t n = 0;

    if (yl_tree_parse(arena, text, &opts, &root, NULL) < 0
        || root->type != YL_JSON_OBJECT || root->n > MAX_LABELS) {
        return SIZE_MAX;
    }
    YL_NODE_FOR_EACH (child, root) {
        labels[n].key = yl_node_key(child);
        if (yl_node_string(child, arena, &labels[n++].value) < 0) {
            return SIZE_MAX;
        }
    }
    return n;
}

static bool
matches_one(const struct yl_requirement *r, const struct yl_label *labels,
            size_t n)
{
    const struct yl_label *label = NULL;
    bool has_value = false;
    int64_t number = 0;
    size_t i;

    for (i = 0; i < n; i++) {
        if (yl_str_equal(labels[i].key, r->key)) {
            label = &labels[i];
        }
    }
    for (i = 0; label && i < r->n_values; i++) {
        has_value = has_value || yl_str_equal(label->value, r->values[i]);
    }
    switch (r->op) {
    case YL_SELECTOR_EQUALS:
    case YL_SELECTOR_DOUBLE_EQUALS:
    case YL_SELECTOR_IN:
        return has_value;
    case YL_SELECTOR_NOT_EQUALS:
    case YL_SELECTOR_NOT_IN:
        return !has_value;
    case YL_SELECTOR_EXISTS:
        return label;
    case YL_SELECTOR_DOES_NOT_EXIST:
        return !label;
    case YL_SELECTOR_GREATER_THAN:
    case YL_SELECTOR_LESS_THAN:
    default:
        if (!label || yl_selector_number(label->value, &number) < 0) {
            return false;
        }
        return r->op == YL_SELECTOR_GREATER_THAN ? number > r->number
                                                 : number < r->number;
    }
}

static void
check_fields(struct yl_arena *arena, struct yl_str text)
{
    const struct yl_field_selector *selector, *again;
    const struct yl_field_requirement *a, *b;
    struct yl_error err = YL_ERROR_INIT;
    size_t n_a, n_b, i;
    struct yl_str s;
    int r = yl_field_selector_parse(text, arena, &selector, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    if (r < 0) {
        return;
    }
    s = yl_field_selector_text(selector, arena);
    CHECK(yl_field_selector_parse(s, arena, &again, NULL) == 0);
    a = yl_field_selector_requirements(selector, &n_a);
    b = yl_field_selector_requirements(again, &n_b);
    CHECK(n_a == n_b);
    for (i = 0; i < n_a; i++) {
        size_t j;
        bool found = false;

        for (j = 0; j < n_b; j++) {
            found = found || (yl_str_equal(a[i].field, b[j].field)
                              && yl_str_equal(a[i].value, b[j].value)
                              && a[i].negated == b[j].negated);
        }
        CHECK(found);
    }
    CHECK(yl_field_selector_matches(selector, echo, NULL)
          == yl_field_selector_matches(again, echo, NULL));
}

/* A field whose value is its name. */
static struct yl_str
echo(void *aux, struct yl_str field)
{
    (void) aux;
    return field;
}
