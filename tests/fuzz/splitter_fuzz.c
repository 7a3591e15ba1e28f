/* Fuzzes the splitter: whether a stream is fed in pieces of any size or lent
 * as a whole, it must be cut into the same values, in every variant of the
 * scanner.
 *
 * Input: a byte for the mode and the ceiling, a byte from which the sizes of
 * the pieces are made, and the stream. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/bits.h"
#include "json/split.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* All values, each after its size, and the result. */
struct outcome {
    struct yl_buf values;
    size_t n_values;
    int result;
};

static void split_whole(struct yl_str text, enum yl_split_mode,
                        size_t max_value, struct outcome *);
static void split_pieces(struct yl_str text, enum yl_split_mode,
                         size_t max_value, unsigned seed, struct outcome *);
static int take_values(struct yl_splitter *, struct outcome *);
static void check_outcome(const struct outcome *, const struct outcome *);
static void check_list(struct yl_str text, const struct outcome *);
static void check_frame(struct yl_str text);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t ceilings[] = { 0, 0, 5, 100 };
    struct fuzz_input in = fuzz_input(data, size);
    unsigned choice = fuzz_below(&in, 8);
    unsigned seed = fuzz_below(&in, 256);
    enum yl_split_mode mode = choice & 1 ? YL_SPLIT_LIST : YL_SPLIT_FRAMES;
    size_t max_value = ceilings[choice >> 1];
    const struct yl_bits *const *variant;
    struct outcome whole, pieces;

    split_whole(in.rest, mode, max_value, &whole);
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        split_pieces(in.rest, mode, max_value, seed, &pieces);
        check_outcome(&whole, &pieces);
        yl_buf_release(&pieces.values);
    }
    yl_bits_use(NULL);
    split_pieces(in.rest, mode, max_value, 0, &pieces);
    check_outcome(&whole, &pieces);
    yl_buf_release(&pieces.values);

    if (mode == YL_SPLIT_LIST && whole.result == YL_SPLIT_END) {
        check_list(in.rest, &whole);
    } else if (mode == YL_SPLIT_FRAMES && max_value == 0) {
        check_frame(in.rest);
    }
    yl_buf_release(&whole.values);
    return 0;
}

static void
split_whole(struct yl_str text, enum yl_split_mode mode, size_t max_value,
            struct outcome *outcome)
{
    struct yl_splitter s;

    memset(outcome, 0, sizeof *outcome);
    yl_buf_init(&outcome->values, SIZE_MAX / 2);
    yl_splitter_init_over(&s, mode, max_value, text);
    outcome->result = take_values(&s, outcome);
    yl_splitter_release(&s);
}

/* Single bytes if 'seed' is 0. */
static void
split_pieces(struct yl_str text, enum yl_split_mode mode, size_t max_value,
             unsigned seed, struct outcome *outcome)
{
    struct yl_splitter s;

    memset(outcome, 0, sizeof *outcome);
    yl_buf_init(&outcome->values, SIZE_MAX / 2);
    yl_splitter_init(&s, mode, max_value);
    while (text.size) {
        size_t n = 1;

        if (seed) {
            seed = seed * 1103515245 + 12345;
            n = (seed >> 16) % (seed >> 28 ? 12 : 300) + 1;
        }
        n = n < text.size ? n : text.size;
        yl_splitter_feed(&s, yl_str_n(text.data, n));
        text = yl_str_skip(text, n);
        outcome->result = take_values(&s, outcome);
        if (outcome->result != YL_SPLIT_MORE) {
            break;
        }
    }
    if (outcome->result == YL_SPLIT_MORE) {
        yl_splitter_finish(&s);
        outcome->result = take_values(&s, outcome);
        CHECK(outcome->result != YL_SPLIT_MORE);
    }
    if (outcome->result < 0) {
        struct yl_str value;

        CHECK(yl_splitter_next(&s, &value, NULL) == outcome->result);
    }
    yl_splitter_release(&s);
}

static int
take_values(struct yl_splitter *s, struct outcome *outcome)
{
    struct yl_str value;
    int r;

    while ((r = yl_splitter_next(s, &value, NULL)) == YL_SPLIT_VALUE) {
        CHECK(value.size);
        yl_buf_append(&outcome->values, &value.size, sizeof value.size);
        yl_buf_append_str(&outcome->values, value);
        outcome->n_values++;
    }
    if (r == YL_SPLIT_END) {
        CHECK(yl_splitter_pending(s) == 0);
        yl_buf_append_str(&outcome->values, yl_splitter_envelope(s));
    }
    return r;
}

static void
check_outcome(const struct outcome *a, const struct outcome *b)
{
    CHECK(a->n_values == b->n_values);
    CHECK(yl_str_equal(yl_buf_str(&a->values), yl_buf_str(&b->values)));
    CHECK(a->result == b->result);
}

/* If the text is JSON, its items must be those that were cut out, and the
 * envelope must have none. */
static void
check_list(struct yl_str text, const struct outcome *outcome)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json_limits strict = { .refuse_duplicates = true };
    struct yl_tree_opts opts = { .limits = strict };
    struct yl_str rest = yl_buf_str(&outcome->values);
    struct yl_node *list, *envelope, *items;
    size_t i;

    if (yl_tree_parse(arena, text, &opts, &list, NULL) < 0
        || strstr(yl_arena_strdup(arena, text), "\\u")) {
        goto out;
    }
    items = yl_node_get(list, YL_STR("items"));
    CHECK(outcome->n_values
          == (yl_node_type(items) == YL_JSON_ARRAY ? items->n : 0));
    for (i = 0; i < outcome->n_values; i++) {
        const struct yl_node *item = yl_node_at(items, i);
        size_t size;

        memcpy(&size, rest.data, sizeof size);
        rest = yl_str_skip(rest, sizeof size);
        CHECK(item->raw_size == size
              && !memcmp(item->raw_data, rest.data, size));
        rest = yl_str_skip(rest, size);
    }
    CHECK(yl_tree_parse(arena, rest, &opts, &envelope, NULL) == 0);
    if (yl_node_type(items) == YL_JSON_ARRAY) {
        struct yl_node *empty = yl_node_get(envelope, YL_STR("items"));

        CHECK(yl_node_type(empty) == YL_JSON_ARRAY && empty->n == 0);
        yl_node_set(arena, list, YL_STR("items"), yl_node_new_array(arena));
    }
    CHECK(yl_node_equal(list, envelope));
out:
    yl_arena_free(arena);
}

/* A text that is JSON must be exactly one frame. */
static void
check_frame(struct yl_str text)
{
    struct yl_splitter s;
    struct yl_str value;

    if (yl_json_validate(text, NULL, NULL) < 0) {
        return;
    }
    yl_splitter_init_over(&s, YL_SPLIT_FRAMES, 0, text);
    CHECK(yl_splitter_next(&s, &value, NULL) == YL_SPLIT_VALUE);
    CHECK(yl_str_equal(value, yl_json_raw(yl_json(text))));
    CHECK(yl_splitter_next(&s, &value, NULL) == YL_SPLIT_END);
    yl_splitter_release(&s);
}
