/* Label selectors: matching and writing.  See yuloh/selector.h.
 *
 * Matching walks over the labels once and looks each key up among the
 * requirements, which are sorted, so the cost stays low whether the selector
 * or the object is large.  At the end every requirement must have been met by
 * some label, except those that ask for a label's absence. */

#include "yuloh/selector.h"

#include "base/buf.h"
#include "json/text.h"
#include "object/selector.h"
#include "yuloh/arena.h"
#include "yuloh/names.h"

/* No requirement holds a longer key or value than this.  So a longer one in an
 * object equals none of them, and its escapes need not be resolved. */
#define MAX_KEY (YL_NAME_SUBDOMAIN_MAX + 1 + YL_NAME_LABEL_MAX)

/* Six bytes at most stand for one byte, as in "\u0041". */
#define MAX_RAW (MAX_KEY * 6)

/* The requirements, and which of them have been met. */
struct match {
    const struct yl_selector *selector;
    uint64_t met[YL_SELECTOR_MAX_REQUIREMENTS / 64];
};

static void match_init(struct match *, const struct yl_selector *);
static bool match_label(struct match *, struct yl_str key,
                        struct yl_str value);
static bool match_end(const struct match *);
static size_t find_key(const struct yl_selector *, struct yl_str key);
static bool allows(const struct yl_requirement *, struct yl_str value);
static bool has_value(const struct yl_requirement *, struct yl_str value);
static bool is_about_absence(const struct yl_requirement *);
static struct yl_str plain(struct yl_str raw, char room[MAX_RAW]);
static void write_requirement(struct yl_buf *, const struct yl_requirement *);

const struct yl_selector *
yl_selector_everything(void)
{
    static const struct yl_selector everything = { false, NULL, 0 };

    return &everything;
}

const struct yl_selector *
yl_selector_nothing(void)
{
    static const struct yl_selector nothing = { true, NULL, 0 };

    return &nothing;
}

bool
yl_selector_is_everything(const struct yl_selector *selector)
{
    return !selector->nothing && !selector->n_requirements;
}

bool
yl_selector_is_nothing(const struct yl_selector *selector)
{
    return selector->nothing;
}

struct yl_str
yl_selector_text(const struct yl_selector *selector, struct yl_arena *arena)
{
    struct yl_str text;
    struct yl_buf buf;
    size_t i;

    /* The size of a selector that was read is bounded, and its text is hardly
     * longer. */
    yl_buf_init(&buf, SIZE_MAX / 2);
    for (i = 0; i < selector->n_requirements; i++) {
        yl_buf_append_c(&buf, i ? "," : "");
        write_requirement(&buf, &selector->requirements[i]);
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

const struct yl_requirement *
yl_selector_requirements(const struct yl_selector *selector, size_t *ret_n)
{
    *ret_n = selector->n_requirements;
    return selector->requirements;
}

bool
yl_selector_exact_value(const struct yl_selector *selector, struct yl_str key,
                        struct yl_str *ret_value)
{
    size_t i = find_key(selector, key);
    const struct yl_requirement *r;

    if (i == selector->n_requirements) {
        return false;
    }
    r = &selector->requirements[i];
    if (!yl_str_equal(r->key, key) || r->n_values != 1
        || r->op > YL_SELECTOR_IN) {
        return false;
    }
    *ret_value = r->values[0];
    return true;
}

bool
yl_selector_matches(const struct yl_selector *selector, struct yl_json labels)
{
    struct yl_json_iter it = yl_json_iter(labels);
    struct match match;

    if (selector->nothing || !selector->n_requirements) {
        return !selector->nothing;
    }
    match_init(&match, selector);
    while (yl_json_type(labels) == YL_JSON_OBJECT && yl_json_next(&it)) {
        char key_room[MAX_RAW], value_room[MAX_RAW];
        struct yl_str key = it.key, value = yl_json_raw(it.value);

        if (yl_json_type(it.value) != YL_JSON_STRING || value.size < 2) {
            continue;           /* Not a label. */
        }
        value = yl_str_n(value.data + 1, value.size - 2);
        if (it.escaped) {
            key = plain(key, key_room);
        }
        if (yl_str_find_char(value, '\\')) {
            value = plain(value, value_room);
        }
        if (!match_label(&match, key, value)) {
            return false;
        }
    }
    return match_end(&match);
}

bool
yl_selector_matches_labels(const struct yl_selector *selector,
                           const struct yl_label *labels, size_t n)
{
    struct match match;
    size_t i;

    if (selector->nothing || !selector->n_requirements) {
        return !selector->nothing;
    }
    match_init(&match, selector);
    for (i = 0; i < n; i++) {
        if (!match_label(&match, labels[i].key, labels[i].value)) {
            return false;
        }
    }
    return match_end(&match);
}

static void
match_init(struct match *match, const struct yl_selector *selector)
{
    size_t n_words = (selector->n_requirements + 63) / 64;

    match->selector = selector;
    memset(match->met, 0, n_words * sizeof match->met[0]);
}

/* Checks one label against every requirement on its key. */
static bool
match_label(struct match *match, struct yl_str key, struct yl_str value)
{
    const struct yl_selector *selector = match->selector;
    size_t i;

    for (i = find_key(selector, key);
         i < selector->n_requirements
         && yl_str_equal(selector->requirements[i].key, key); i++) {
        if (!allows(&selector->requirements[i], value)) {
            return false;
        }
        match->met[i / 64] |= UINT64_C(1) << (i % 64);
    }
    return true;
}

static bool
match_end(const struct match *match)
{
    const struct yl_selector *selector = match->selector;
    size_t i;

    for (i = 0; i < selector->n_requirements; i++) {
        if (!(match->met[i / 64] >> (i % 64) & 1)
            && !is_about_absence(&selector->requirements[i])) {
            return false;
        }
    }
    return true;
}

/* The first requirement whose key is not before 'key'. */
static size_t
find_key(const struct yl_selector *selector, struct yl_str key)
{
    size_t low = 0, high = selector->n_requirements;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (yl_str_compare(selector->requirements[middle].key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Is the requirement met by an object whose label has 'value'? */
static bool
allows(const struct yl_requirement *r, struct yl_str value)
{
    int64_t number;

    switch (r->op) {
    case YL_SELECTOR_EQUALS:
    case YL_SELECTOR_DOUBLE_EQUALS:
    case YL_SELECTOR_IN:
        return has_value(r, value);

    case YL_SELECTOR_NOT_EQUALS:
    case YL_SELECTOR_NOT_IN:
        return !has_value(r, value);

    case YL_SELECTOR_EXISTS:
        return true;

    case YL_SELECTOR_DOES_NOT_EXIST:
        return false;

    case YL_SELECTOR_GREATER_THAN:
    case YL_SELECTOR_LESS_THAN:
        if (yl_selector_number(value, &number) < 0) {
            return false;
        }
        return r->op == YL_SELECTOR_GREATER_THAN ? number > r->number
                                                 : number < r->number;
    }
    return false;
}

static bool
has_value(const struct yl_requirement *r, struct yl_str value)
{
    size_t low = 0, high = r->n_values;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int c = yl_str_compare(r->values[middle], value);

        if (c == 0) {
            return true;
        } else if (c < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

/* Whether an object without the label meets the requirement. */
static bool
is_about_absence(const struct yl_requirement *r)
{
    return r->op == YL_SELECTOR_NOT_EQUALS || r->op == YL_SELECTOR_NOT_IN
           || r->op == YL_SELECTOR_DOES_NOT_EXIST;
}

/* 'raw' without its escapes.  If it is too long to equal any requirement, or
 * if an escape is broken, 'raw' itself: requirements contain no backslash, so
 * it cannot match by mistake. */
static struct yl_str
plain(struct yl_str raw, char room[MAX_RAW])
{
    size_t size;

    if (raw.size > MAX_RAW || yl_json_unescape(raw, room, &size) < 0) {
        return raw;
    }
    return yl_str_n(room, size);
}

static void
write_requirement(struct yl_buf *buf, const struct yl_requirement *r)
{
    static const char *const operators[] = {
        [YL_SELECTOR_EQUALS] = "=",
        [YL_SELECTOR_DOUBLE_EQUALS] = "==",
        [YL_SELECTOR_IN] = " in (",
        [YL_SELECTOR_NOT_EQUALS] = "!=",
        [YL_SELECTOR_NOT_IN] = " notin (",
        [YL_SELECTOR_EXISTS] = "",
        [YL_SELECTOR_DOES_NOT_EXIST] = "",
        [YL_SELECTOR_GREATER_THAN] = ">",
        [YL_SELECTOR_LESS_THAN] = "<",
    };
    size_t i;

    yl_buf_append_c(buf, r->op == YL_SELECTOR_DOES_NOT_EXIST ? "!" : "");
    yl_buf_append_str(buf, r->key);
    yl_buf_append_c(buf, operators[r->op]);
    for (i = 0; i < r->n_values; i++) {
        yl_buf_append_c(buf, i ? "," : "");
        yl_buf_append_str(buf, r->values[i]);
    }
    if (r->op == YL_SELECTOR_IN || r->op == YL_SELECTOR_NOT_IN) {
        yl_buf_append_char(buf, ')');
    }
}
