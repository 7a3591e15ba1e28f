/* Keys.  See yuloh/key.h for the contract. */

#include "yuloh/key.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/quote.h"
#include "yuloh/arena.h"

/* How much of a malformed key a message repeats. */
#define QUOTE_CEILING 4096

static size_t text_size(const struct yl_key *);
static void write_text(const struct yl_key *, char *);
static size_t block_size(const struct yl_key *);
static struct yl_key *write_block(const struct yl_key *, struct yl_key *);

int
yl_key_parse(struct yl_str text, struct yl_key *ret_key, struct yl_error *err)
{
    struct yl_key key = { YL_STR(""), text };

    if (yl_str_cut(text, '/', &key.namespace_, &key.name)
        && yl_str_find_char(key.name, '/')) {
        struct yl_buf quoted;

        yl_buf_init(&quoted, QUOTE_CEILING);
        yl_quote(&quoted, text);
        yl_error_set(err, YL_EINVALID, "unexpected key format: %s",
                     yl_buf_c_str(&quoted));
        yl_buf_release(&quoted);
        return YL_EINVALID;
    }
    *ret_key = key;
    return 0;
}

struct yl_str
yl_key_text(const struct yl_key *key, struct yl_arena *arena)
{
    size_t size = text_size(key);
    char *text = yl_arena_alloc(arena, size + 1);

    write_text(key, text);
    return yl_str_n(text, size);
}

struct yl_key *
yl_key_copy(const struct yl_key *key, struct yl_arena *arena)
{
    return write_block(key, yl_arena_alloc(arena, block_size(key)));
}

struct yl_key *
yl_key_new(const struct yl_key *key)
{
    return write_block(key, yl_malloc(block_size(key)));
}

int
yl_key_compare(const struct yl_key *a, const struct yl_key *b)
{
    int c = yl_str_compare(a->namespace_, b->namespace_);

    return c ? c : yl_str_compare(a->name, b->name);
}

size_t
yl_key_hash(const struct yl_key *key)
{
    return yl_hash_pair(key->namespace_, key->name);
}

static size_t
text_size(const struct yl_key *key)
{
    return key->namespace_.size + (key->namespace_.size > 0) + key->name.size;
}

/* Writes the text and a NUL. */
static void
write_text(const struct yl_key *key, char *p)
{
    if (key->namespace_.size) {
        memcpy(p, key->namespace_.data, key->namespace_.size);
        p += key->namespace_.size;
        *p++ = '/';
    }
    if (key->name.size) {
        memcpy(p, key->name.data, key->name.size);
        p += key->name.size;
    }
    *p = '\0';
}

/* The key, its text, and a NUL. */
static size_t
block_size(const struct yl_key *key)
{
    return sizeof *key + text_size(key) + 1;
}

static struct yl_key *
write_block(const struct yl_key *key, struct yl_key *copy)
{
    char *text = (char *) (copy + 1);

    write_text(key, text);
    copy->namespace_ = yl_str_n(text, key->namespace_.size);
    copy->name = yl_str_n(text + text_size(key) - key->name.size,
                          key->name.size);
    return copy;
}
