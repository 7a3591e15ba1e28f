/* Tests of the bitmaps: every variant against a scanner that takes one byte
 * at a time. */

#include "json/bits.h"

#include "unit.h"
#include "yuloh/compiler.h"

/* What the machines remember, one byte at a time. */
struct naive {
    bool in_string;             /* Is the next byte inside a string? */
    bool escaped;               /* Is it escaped? */
    bool plain;                 /* Was the last one part of a word? */
    bool high, control, bad_escape;
};

/* Takes a byte.  True if something starts there; '*change' is what it does to
 * the depth. */
static bool
take(struct naive *s, char c, int *change)
{
    bool escaped = s->escaped;
    bool quote = c == '"' && !escaped;
    bool op = c && strchr("{}[]:,", c);
    bool blank = c && strchr(" \t\n\r", c);
    bool was_plain = s->plain;

    s->escaped = c == '\\' && !escaped;
    s->plain = !op && !blank && !quote;
    s->high |= (unsigned char) c > 0x7f;
    *change = 0;
    if (s->in_string) {
        s->in_string = !quote;
        s->control |= (unsigned char) c < 0x20;
        return false;
    }
    s->in_string = quote;
    if (op) {
        *change = c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    return op || (!blank && !was_plain);
}

static uint64_t seed = 88172645463325252u;

static unsigned
next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned) (seed >> 32);
}

/* Fills 'p' with bytes that make trouble.  'mood' chooses which are common. */
static void
fill(char *p, size_t n, unsigned mood)
{
    static const char *const alphabets[] = {
        "\"\\", "\\\\\\\\\"n", "\\\\un\"x", "{}[]\"\\,: \n", "[]{}",
        "[[[[]", "[]]]]\"\\a",
        "abc123 ,:\"", "\"aaaaaaaaaaaaaaaaaaaaa\\",
    };
    const char *alphabet = alphabets[mood % YL_ARRAY_SIZE(alphabets)];
    size_t i;

    for (i = 0; i < n; i++) {
        p[i] = mood % 10 == 9 ? (char) next_random()
                             : alphabet[next_random() % strlen(alphabet)];
        if (p[i] == 0x0c || p[i] == 0x1a) {
            p[i] = '"';         /* See json/bits.h. */
        }
    }
}

/* The offsets that the naive scanner finds. */
static size_t
index_naively(struct naive *s, const char *p, size_t n, uint32_t *offsets)
{
    size_t n_offsets = 0;
    size_t i;
    int change;

    for (i = 0; i < n; i++) {
        if (take(s, p[i], &change)) {
            offsets[n_offsets++] = (uint32_t) i;
        }
    }
    return n_offsets;
}

/* The blocks with a backslash or what one escapes, and those with \u. */
static void
find_blocks(struct naive *s, const char *p, size_t n, uint64_t *backslashes,
            uint64_t *unicodes)
{
    bool escaped = s->escaped;
    size_t i;

    *backslashes = *unicodes = 0;
    for (i = 0; i < n; i++) {
        *backslashes |= (uint64_t) (p[i] == '\\' || escaped) << (i / 64);
        *unicodes |= (uint64_t) (p[i] == 'u' && escaped) << (i / 64);
        s->bad_escape |= escaped
                         && (!p[i] || !strchr("\"\\/bfnrtu", p[i]));
        escaped = p[i] == '\\' && !escaped;
    }

    /* What stands in for the missing rest of the last block. */
    s->bad_escape |= escaped && n % 64;
}

/* Indexes the 'n' bytes at 'p' in chunks of 'chunk' bytes. */
static void
check_index(const struct yl_bits *bits, const char *p, size_t n, size_t chunk)
{
    uint32_t expected[YL_BITS_CHUNK], got[YL_BITS_CHUNK + 64];
    struct yl_bits_state state = { 0 };
    struct naive naive = { 0 };
    size_t i, n_expected, n_got, size;
    uint64_t backslashes, unicodes;

    for (i = 0; i < n; i += size) {
        /* A copy of its own, so that reading too far is found. */
        char *copy;

        size = n - i < chunk ? n - i : chunk;
        copy = malloc(size);
        memcpy(copy, p + i, size);
        find_blocks(&naive, copy, size, &backslashes, &unicodes);
        n_expected = index_naively(&naive, copy, size, expected);
        n_got = bits->index(&state, copy, size, got);
        assert_int_equal(n_got, n_expected);
        assert_memory_equal(got, expected, n_got * sizeof got[0]);
        assert_true(state.in_string == (naive.in_string ? UINT64_MAX : 0));
        assert_int_equal(state.high != 0, naive.high);
        assert_int_equal(state.control != 0, naive.control);
        assert_int_equal(state.bad_escape != 0, naive.bad_escape);
        assert_true(state.backslashes == backslashes);
        assert_true(state.unicodes == unicodes);
        free(copy);
    }
}

TEST(index_of_every_length)
{
    const struct yl_bits *const *variant;
    char text[300];
    unsigned mood;
    size_t n;

    for (variant = yl_bits_variants(); *variant; variant++) {
        for (n = 0; n <= sizeof text; n++) {
            for (mood = 0; mood < 10; mood++) {
                fill(text, n, mood);
                check_index(*variant, text, n, YL_BITS_CHUNK);
                check_index(*variant, text, n, 64);
                check_index(*variant, text, n, 128);
            }
        }
    }
}

TEST(index_of_whole_chunks)
{
    static char text[3 * YL_BITS_CHUNK + 77];
    const struct yl_bits *const *variant;
    unsigned mood;

    for (variant = yl_bits_variants(); *variant; variant++) {
        for (mood = 0; mood < 20; mood++) {
            fill(text, sizeof text, mood);
            check_index(*variant, text, sizeof text, YL_BITS_CHUNK);
        }
        memset(text, ',', sizeof text);     /* All of them start something. */
        check_index(*variant, text, sizeof text, YL_BITS_CHUNK);
    }
}

TEST(index_with_backslashes_across_every_border)
{
    const struct yl_bits *const *variant;
    char text[200];
    size_t at, run;

    for (variant = yl_bits_variants(); *variant; variant++) {
        for (at = 0; at < 70; at++) {
            for (run = 0; run < 130; run++) {
                memset(text, 'a', sizeof text);
                memset(text + at, '\\', run);
                text[at + run] = '"';
                check_index(*variant, text, sizeof text, YL_BITS_CHUNK);
                if (at > 0) {
                    text[at - 1] = '"';
                    check_index(*variant, text, sizeof text, 64);
                }
            }
        }
    }
}

/* Scans the 'n' bytes at 'p' from 'depth', in pieces of at most 'piece'
 * bytes, over and over until they end. */
static void
check_depth(const struct yl_bits *bits, const char *p, size_t n, size_t depth,
            size_t piece)
{
    struct yl_bits_state state = { 0 };
    struct naive naive = { 0 };
    size_t naive_depth = depth;
    size_t i = 0;

    while (i < n) {
        size_t size = 1 + next_random() % piece;
        size_t expected;
        const char *end;
        char *copy;
        int change;

        size = size < n - i ? size : n - i;
        copy = malloc(size);
        memcpy(copy, p + i, size);
        for (expected = 0; expected < size && naive_depth; expected++) {
            take(&naive, copy[expected], &change);
            naive_depth += (size_t) change;
        }
        end = bits->to_depth_zero(&state, copy, size, &depth);
        assert_int_equal(depth, naive_depth);
        if (naive_depth) {
            assert_null(end);
        } else {
            assert_ptr_equal(end, copy + expected);
            depth = naive_depth = 1 + next_random() % 3;
        }
        assert_true(state.in_string == (naive.in_string ? UINT64_MAX : 0));
        assert_int_equal(state.escaped, naive.escaped);
        i += expected;
        free(copy);
    }
}

TEST(depth_of_every_length_in_pieces_of_any_size)
{
    const struct yl_bits *const *variant;
    char text[300];
    unsigned mood;
    size_t n;

    for (variant = yl_bits_variants(); *variant; variant++) {
        for (n = 0; n <= sizeof text; n++) {
            for (mood = 0; mood < 10; mood++) {
                fill(text, n, mood);
                check_depth(*variant, text, n, 1, sizeof text);
                check_depth(*variant, text, n, 1 + n / 3, 100);
                check_depth(*variant, text, n, 2, 1);
            }
        }
    }
}

TEST(depth_with_backslashes_across_every_border)
{
    const struct yl_bits *const *variant;
    char text[200];
    size_t at, run;

    for (variant = yl_bits_variants(); *variant; variant++) {
        for (at = 1; at < 70; at += 3) {
            for (run = 0; run < 130; run++) {
                memset(text, ']', sizeof text);
                text[at - 1] = '"';
                memset(text + at, '\\', run);
                text[at + run] = '"';
                check_depth(*variant, text, sizeof text, 300, sizeof text);
                check_depth(*variant, text, sizeof text, 100, 7);
            }
        }
    }
}

TEST(all_closing_brackets_of_a_block_are_seen)
{
    const struct yl_bits *const *variant;
    char text[128];
    size_t depth;

    memset(text, '}', sizeof text);
    for (variant = yl_bits_variants(); *variant; variant++) {
        for (depth = 1; depth <= sizeof text; depth++) {
            struct yl_bits_state memory = { 0 };
            size_t left = depth;

            assert_ptr_equal((*variant)->to_depth_zero(&memory, text,
                                                       sizeof text, &left),
                             text + depth);
            assert_int_equal(left, 0);
        }
    }
}

TEST(the_best_variant_is_used_unless_told_otherwise)
{
    const struct yl_bits *const *variants = yl_bits_variants();
    size_t n;

    for (n = 0; variants[n]; n++) {
        yl_bits_use(variants[n]);
        assert_ptr_equal(yl_bits(), variants[n]);
    }
    assert_true(n >= 1);
    assert_ptr_equal(variants[n - 1], &yl_bits_c);
    yl_bits_use(NULL);
    assert_ptr_equal(yl_bits(), variants[0]);
}
