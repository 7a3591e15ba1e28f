/* Unified differences.  See builtin/go/diff.h. */

#include "builtin/go/diff.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "yuloh/arena.h"

#define CONTEXT 3
#define POPULAR_FROM 200        /* Lines. */
#define MAX_LINES (1 << 18)
#define MAX_WORK (20 * 1000 * 1000)
#define NONE SIZE_MAX

/* A text that occurs as one or more lines in either text. */
struct word {
    struct yl_map_node node;
    struct yl_str text;
    size_t first, last;         /* Line in 'now', or NONE. */
    size_t n;                   /* How often it occurs. */
};

struct line {
    struct word *word;
    size_t next;                /* The next one like it, or NONE. */
};

struct text {
    struct line *lines;
    size_t n;
};

/* Lines [a, a_end) of the one text and [b, b_end) of the other. */
struct range {
    size_t a, a_end, b, b_end;
};

struct block {
    size_t a, b, n;
};

struct diff {
    struct yl_arena *arena;
    struct yl_map words;
    struct text old, now;
    size_t *run, *run_before;   /* By line of 'now': the length of the run that
                                 * ends there. */
    size_t popular;             /* A line that occurs more often starts no
                                 * run. */
    struct block *blocks;
    size_t n_blocks;
    size_t work;
};

static void indent(struct yl_buf *, struct yl_str json);
static void split(struct diff *, struct yl_str, struct text *, bool is_now);
static struct word *find_word(struct diff *, struct yl_str text);
static bool find_blocks(struct diff *);
static bool find_longest(struct diff *, const struct range *, struct block *);
static void clear_row(const struct diff *, size_t *row, size_t old_line);
static int compare_blocks(const void *, const void *);
static void write_hunks(struct yl_buf *, const struct diff *);
static void write_hunk(struct yl_buf *, const struct diff *, size_t first,
                       size_t last);
static void write_lines(struct yl_buf *, const struct text *, char sign,
                        size_t from, size_t to);

void
yl_diff_json(struct yl_buf *buf, struct yl_str old, struct yl_str now)
{
    struct diff d = { yl_arena_new(), YL_MAP_INIT, { NULL, 0 }, { NULL, 0 },
                      NULL, NULL, NONE, NULL, 0, 0 };
    struct yl_buf a, b;

    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    indent(&a, old);
    indent(&b, now);
    split(&d, yl_buf_str(&a), &d.old, false);
    split(&d, yl_buf_str(&b), &d.now, true);
    if (d.old.n <= MAX_LINES && d.now.n <= MAX_LINES && find_blocks(&d)) {
        write_hunks(buf, &d);
    }
    yl_buf_release(&a);
    yl_buf_release(&b);
    yl_map_release(&d.words);
    yl_arena_free(d.arena);
}

/* One line for each member and element.  Each ends with a newline. */
static void
indent(struct yl_buf *buf, struct yl_str json)
{
    bool in_string = false;
    size_t depth = 0, i, j;

    for (i = 0; i < json.size; i++) {
        char c = json.data[i];
        char next = i + 1 < json.size ? json.data[i + 1] : '\0';
        bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';

        if (in_string) {
            yl_buf_append_char(buf, c);
            if (c == '\\') {
                yl_buf_append_char(buf, next);
                i++;
            } else if (c == '"') {
                in_string = false;
            }
            continue;
        }
        in_string = c == '"';
        if (opens && (next == '}' || next == ']')) {
            yl_buf_append(buf, json.data + i, 2);
            i++;
            continue;
        }
        depth += opens;
        depth -= closes;
        if (closes) {
            yl_buf_append_char(buf, '\n');
            for (j = 0; j < depth; j++) {
                yl_buf_append_char(buf, ' ');
            }
        }
        yl_buf_append_char(buf, c);
        if (c == ':') {
            yl_buf_append_char(buf, ' ');
        } else if (c == ',' || opens) {
            yl_buf_append_char(buf, '\n');
            for (j = 0; j < depth; j++) {
                yl_buf_append_char(buf, ' ');
            }
        }
    }
    yl_buf_append_char(buf, '\n');
}

static void
split(struct diff *d, struct yl_str text, struct text *t, bool is_now)
{
    size_t i, start = 0;

    for (i = 0; i < text.size; i++) {
        t->n += text.data[i] == '\n';
    }
    t->lines = yl_arena_alloc(d->arena, (t->n + 1) * sizeof *t->lines);
    t->n = 0;
    for (i = 0; i < text.size; i++) {
        struct line *line = &t->lines[t->n];

        if (text.data[i] != '\n') {
            continue;
        }
        line->word = find_word(d, yl_str_n(text.data + start, i - start));
        line->next = NONE;
        if (is_now) {
            if (line->word->n++) {
                t->lines[line->word->last].next = t->n;
            } else {
                line->word->first = t->n;
            }
            line->word->last = t->n;
        }
        t->n++;
        start = i + 1;
    }
}

static struct word *
find_word(struct diff *d, struct yl_str text)
{
    size_t hash = yl_hash_str(text);
    struct word *word;

    YL_MAP_FOR_EACH_WITH_HASH (word, node, hash, &d->words) {
        if (yl_str_equal(word->text, text)) {
            return word;
        }
    }
    word = yl_arena_zalloc(d->arena, sizeof *word);
    word->text = text;
    word->first = word->last = NONE;
    yl_map_insert(&d->words, &word->node, hash);
    return word;
}

/* Fills in 'blocks', in order, and an empty one at the end.  False if that is
 * too much work. */
static bool
find_blocks(struct diff *d)
{
    size_t max = (d->old.n < d->now.n ? d->old.n : d->now.n) + 1;
    size_t row = (d->now.n + 1) * sizeof *d->run;
    struct range *stack = yl_arena_alloc(d->arena,
                                         (max + 1) * sizeof *stack);
    size_t n_stack = 0, i, n = 0;

    if (d->now.n >= POPULAR_FROM) {
        d->popular = d->now.n / 100 + 1;
    }
    d->blocks = yl_arena_alloc(d->arena, (max + 1) * sizeof *d->blocks);
    d->run = yl_arena_zalloc(d->arena, row);
    d->run_before = yl_arena_zalloc(d->arena, row);
    stack[n_stack++] = (struct range) { 0, d->old.n, 0, d->now.n };
    while (n_stack) {
        struct range r = stack[--n_stack];
        struct block block;

        if (!find_longest(d, &r, &block)) {
            return false;
        }
        if (!block.n) {
            continue;
        }
        d->blocks[d->n_blocks++] = block;
        if (r.a < block.a && r.b < block.b) {
            stack[n_stack++] = (struct range) { r.a, block.a, r.b, block.b };
        }
        if (block.a + block.n < r.a_end && block.b + block.n < r.b_end) {
            stack[n_stack++] = (struct range) {
                block.a + block.n, r.a_end, block.b + block.n, r.b_end
            };
        }
    }
    qsort(d->blocks, d->n_blocks, sizeof *d->blocks, compare_blocks);
    for (i = 0; i < d->n_blocks; i++) {
        struct block *last = n ? &d->blocks[n - 1] : NULL;

        if (last && last->a + last->n == d->blocks[i].a
            && last->b + last->n == d->blocks[i].b) {
            last->n += d->blocks[i].n;
        } else {
            d->blocks[n++] = d->blocks[i];
        }
    }
    d->blocks[n++] = (struct block) { d->old.n, d->now.n, 0 };
    d->n_blocks = n;
    return true;
}

/* The longest run of lines in 'r' that both texts have; of several the first
 * in the old text, then in the new one.  False if that is too much work. */
static bool
find_longest(struct diff *d, const struct range *r, struct block *ret_block)
{
    struct block best = { r->a, r->b, 0 };
    size_t i, j;

    for (i = r->a; i < r->a_end; i++) {
        const struct word *word = d->old.lines[i].word;
        size_t *before = d->run_before;

        if (word->n <= d->popular) {
            for (j = word->first; j < r->b_end; j = d->now.lines[j].next) {
                size_t n = 1 + (j > r->b ? d->run[j - 1] : 0);

                d->work++;
                if (j < r->b) {
                    continue;
                }
                before[j] = n;
                if (n > best.n) {
                    best = (struct block) { i - n + 1, j - n + 1, n };
                }
            }
        }
        if (i > r->a) {
            clear_row(d, d->run, i - 1);
        }
        d->run_before = d->run;
        d->run = before;
        d->work++;
    }
    if (r->a_end > r->a) {
        clear_row(d, d->run, r->a_end - 1);
    }
    while (best.a > r->a && best.b > r->b
           && d->old.lines[best.a - 1].word == d->now.lines[best.b - 1].word) {
        best.a--;
        best.b--;
        best.n++;
    }
    while (best.a + best.n < r->a_end && best.b + best.n < r->b_end
           && d->old.lines[best.a + best.n].word
              == d->now.lines[best.b + best.n].word) {
        best.n++;
    }
    *ret_block = best;
    return d->work < MAX_WORK;
}

/* Clears the runs that were found for a line of the old text. */
static void
clear_row(const struct diff *d, size_t *row, size_t old_line)
{
    const struct word *word = d->old.lines[old_line].word;
    size_t j;

    if (word->n <= d->popular) {
        for (j = word->first; j != NONE; j = d->now.lines[j].next) {
            row[j] = 0;
        }
    }
}

static int
compare_blocks(const void *a_, const void *b_)
{
    const struct block *a = a_, *b = b_;

    return a->a < b->a ? -1 : a->a > b->a;
}

/* Writes hunks.  A hunk has the changes before a block and those before the
 * following blocks, up to a block that is longer than two contexts. */
static void
write_hunks(struct yl_buf *buf, const struct diff *d)
{
    const struct block *blocks = d->blocks;
    size_t i, first = NONE;

    for (i = 0; i < d->n_blocks; i++) {
        size_t a = i ? blocks[i - 1].a + blocks[i - 1].n : 0;
        size_t b = i ? blocks[i - 1].b + blocks[i - 1].n : 0;

        if (a == blocks[i].a && b == blocks[i].b) {
            continue;           /* Nothing changed before the first one. */
        }
        if (first == NONE) {
            first = i;
        }
        if (blocks[i].n > 2 * CONTEXT || i + 1 == d->n_blocks
            || (i + 2 == d->n_blocks
                && blocks[i].a + blocks[i].n == blocks[i + 1].a
                && blocks[i].b + blocks[i].n == blocks[i + 1].b)) {
            write_hunk(buf, d, first, i);
            first = NONE;
        }
    }
}

/* Writes the changes before the blocks 'first' to 'last', with the blocks
 * between them. */
static void
write_hunk(struct yl_buf *buf, const struct diff *d, size_t first, size_t last)
{
    const struct block *blocks = d->blocks, *end = &blocks[last];
    size_t lead = first ? blocks[first - 1].n : 0;
    size_t tail = end->n < CONTEXT ? end->n : CONTEXT;
    size_t a = first ? blocks[first - 1].a + lead : 0;
    size_t b = first ? blocks[first - 1].b + lead : 0;
    size_t n_a, n_b, i;

    lead = lead < CONTEXT ? lead : CONTEXT;
    a -= lead;
    b -= lead;
    n_a = end->a + tail - a;
    n_b = end->b + tail - b;
    yl_buf_printf(buf, "@@ -%zu", n_a ? a + 1 : a);
    if (n_a != 1) {
        yl_buf_printf(buf, ",%zu", n_a);
    }
    yl_buf_printf(buf, " +%zu", n_b ? b + 1 : b);
    if (n_b != 1) {
        yl_buf_printf(buf, ",%zu", n_b);
    }
    yl_buf_append_c(buf, " @@\n");
    write_lines(buf, &d->old, ' ', a, a + lead);
    a += lead;
    b += lead;
    for (i = first; i <= last; i++) {
        size_t n = i < last ? blocks[i].n : tail;

        write_lines(buf, &d->old, '-', a, blocks[i].a);
        write_lines(buf, &d->now, '+', b, blocks[i].b);
        write_lines(buf, &d->old, ' ', blocks[i].a, blocks[i].a + n);
        a = blocks[i].a + n;
        b = blocks[i].b + n;
    }
}

static void
write_lines(struct yl_buf *buf, const struct text *t, char sign, size_t from,
            size_t to)
{
    for (; from < to; from++) {
        yl_buf_append_char(buf, sign);
        yl_buf_append_str(buf, t->lines[from].word->text);
        yl_buf_append_char(buf, '\n');
    }
}
