/* Static tokens.  See apiserver/auth/token_file.h.
 *
 * Everything lives in one arena.  Tokens are found by a keyed hash and
 * compared in constant time, so that a guess which is nearly right takes as
 * long as any other. */

#include "apiserver/auth/token_file.h"

#include <stdbool.h>
#include <stdlib.h>

#include <openssl/crypto.h>

#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct token {
    struct yl_map_node node;    /* In yl_token_file's 'tokens'. */
    struct yl_str text;
    struct yl_user user;
};

struct yl_token_file {
    struct yl_arena *arena;     /* Tokens and their texts. */
    struct yl_map tokens;
};

enum { TOKEN, USER, UID, GROUPS, N_COLUMNS };

struct reader {
    const char *p, *end;
    size_t line;                /* Of 'p', from 1. */
    const char *path;
    struct yl_arena *arena;
};

struct record {
    struct yl_str fields[N_COLUMNS];
    size_t n;                   /* All of them, kept or not. */
    size_t line;                /* Where it starts. */
};

static bool read_record(struct reader *, struct record *, int *ret_result,
                        struct yl_error *);
static int read_quoted(struct reader *, struct yl_str *ret_field,
                       struct yl_error *);
static const char *closing_quote(const struct reader *);
static int read_plain(struct reader *, struct yl_str *ret_field,
                      struct yl_error *);
static struct token *find(const struct yl_token_file *, struct yl_str text);
static void add(struct yl_token_file *, const struct record *);
static void split_groups(struct yl_arena *, struct yl_str, struct yl_user *);

int
yl_token_file_read(const char *path, struct yl_token_file **ret_tokens,
                   struct yl_error *err)
{
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, YL_TOKEN_FILE_MAX);
    r = yl_file_read(path, &buf, err);
    if (r == 0) {
        r = yl_token_file_parse(yl_buf_str(&buf), path, ret_tokens, err);
    }
    if (buf.data) {
        OPENSSL_cleanse(buf.data, buf.size);
    }
    yl_buf_release(&buf);
    return r;
}

int
yl_token_file_parse(struct yl_str text, const char *path,
                    struct yl_token_file **ret_tokens, struct yl_error *err)
{
    struct yl_token_file *tokens = yl_zalloc(sizeof *tokens);
    struct reader reader = {
        .p = text.data, .end = text.data + text.size, .line = 1, .path = path,
    };
    struct record record;
    int r = 0;

    tokens->arena = reader.arena = yl_arena_new();
    yl_map_init(&tokens->tokens);
    while (r == 0 && read_record(&reader, &record, &r, err)) {
        if (record.n < GROUPS) {
            r = yl_error_set(err, YL_EINVALID, "%s:%zu: a line must have at "
                             "least 3 columns (token, user name, user uid), "
                             "this one has %zu", path, record.line, record.n);
        } else if (!yl_str_is_empty(record.fields[TOKEN])) {
            add(tokens, &record);
        }
    }
    if (r < 0) {
        yl_token_file_free(tokens);
        return r;
    }
    *ret_tokens = tokens;
    return 0;
}

void
yl_token_file_free(struct yl_token_file *tokens)
{
    struct token *token;

    if (tokens) {
        YL_MAP_FOR_EACH (token, node, &tokens->tokens) {
            OPENSSL_cleanse((void *) token->text.data, token->text.size);
        }
        yl_map_release(&tokens->tokens);
        yl_arena_free(tokens->arena);
        free(tokens);
    }
}

const struct yl_user *
yl_token_file_find(const struct yl_token_file *tokens, struct yl_str text)
{
    struct token *token = find(tokens, text);

    return token ? &token->user : NULL;
}

/* Returns false at the end of the text, or after an error, which is stored in
 * '*ret_result'. */
static bool
read_record(struct reader *reader, struct record *record, int *ret_result,
            struct yl_error *err)
{
    while (reader->p < reader->end
           && (*reader->p == '\n'
               || (*reader->p == '\r' && reader->p + 1 < reader->end
                   && reader->p[1] == '\n'))) {
        reader->p += *reader->p == '\r' ? 2 : 1;
        reader->line++;
    }
    if (reader->p == reader->end) {
        return false;
    }
    record->n = 0;
    record->line = reader->line;
    for (;;) {
        struct yl_str field;
        int r = reader->p < reader->end && *reader->p == '"'
                ? read_quoted(reader, &field, err)
                : read_plain(reader, &field, err);

        if (r < 0) {
            *ret_result = r;
            return false;
        }
        if (record->n < N_COLUMNS) {
            record->fields[record->n] = field;
        }
        record->n++;
        if (reader->p == reader->end) {
            return true;
        }
        if (*reader->p++ == '\n') {
            reader->line++;
            return true;
        }
    }
}

/* Reads a quoted field and stops at the comma, the line end or the end of the
 * text that follows it. */
static int
read_quoted(struct reader *reader, struct yl_str *ret_field,
            struct yl_error *err)
{
    const char *start = reader->p + 1, *close = closing_quote(reader), *p;
    char *out;
    size_t n = 0;

    if (!close) {
        return yl_error_set(err, YL_EINVALID, "%s:%zu: a quoted field does "
                            "not end", reader->path, reader->line);
    }
    out = yl_arena_alloc(reader->arena, (size_t) (close - start));
    for (p = start; p < close; p++) {
        if (*p == '"' || (*p == '\r' && p + 1 < close && p[1] == '\n')) {
            p++;
        }
        reader->line += *p == '\n';
        out[n++] = *p;
    }
    reader->p = close + 1;
    if (reader->p < reader->end && *reader->p == '\r'
        && (reader->p + 1 == reader->end || reader->p[1] == '\n')) {
        reader->p++;
    }
    if (reader->p < reader->end && *reader->p != ',' && *reader->p != '\n') {
        return yl_error_set(err, YL_EINVALID, "%s:%zu: a comma or the end of "
                            "the line must follow a closing quote",
                            reader->path, reader->line);
    }
    *ret_field = yl_str_n(out, n);
    return 0;
}

/* The quote that ends the field whose opening quote is at 'reader->p'; NULL if
 * there is none.  Doubled quotes are part of the field. */
static const char *
closing_quote(const struct reader *reader)
{
    const char *p;

    for (p = reader->p + 1; p < reader->end; p++) {
        if (*p == '"') {
            if (p + 1 == reader->end || p[1] != '"') {
                return p;
            }
            p++;
        }
    }
    return NULL;
}

static int
read_plain(struct reader *reader, struct yl_str *ret_field,
           struct yl_error *err)
{
    const char *start = reader->p;
    struct yl_str field;

    while (reader->p < reader->end && *reader->p != ','
           && *reader->p != '\n') {
        if (*reader->p == '"') {
            return yl_error_set(err, YL_EINVALID, "%s:%zu: a quote inside of "
                                "a field without quotes", reader->path,
                                reader->line);
        }
        reader->p++;
    }
    field = yl_str_range(start, reader->p);
    if ((reader->p == reader->end || *reader->p == '\n') && field.size > 0
        && field.data[field.size - 1] == '\r') {
        field.size--;
    }
    *ret_field = yl_arena_copy(reader->arena, field);
    return 0;
}

static struct token *
find(const struct yl_token_file *tokens, struct yl_str text)
{
    struct token *token;

    YL_MAP_FOR_EACH_WITH_HASH (token, node, yl_hash_str(text),
                               &tokens->tokens) {
        if (token->text.size == text.size
            && CRYPTO_memcmp(token->text.data, text.data, text.size) == 0) {
            return token;
        }
    }
    return NULL;
}

static void
add(struct yl_token_file *tokens, const struct record *record)
{
    struct token *token = find(tokens, record->fields[TOKEN]);

    if (!token) {
        token = yl_arena_zalloc(tokens->arena, sizeof *token);
        token->text = record->fields[TOKEN];
        yl_map_insert(&tokens->tokens, &token->node,
                      yl_hash_str(token->text));
    }
    token->user = (struct yl_user) {
        .name = record->fields[USER],
        .uid = record->fields[UID],
    };
    if (record->n > GROUPS) {
        split_groups(tokens->arena, record->fields[GROUPS], &token->user);
    }
}

/* As Go's strings.Split: an empty text is one empty group. */
static void
split_groups(struct yl_arena *arena, struct yl_str text, struct yl_user *user)
{
    struct yl_str before, rest = text;
    struct yl_str *groups;
    size_t n = 1, i;

    while (yl_str_cut(rest, ',', &before, &rest)) {
        n++;
    }
    groups = yl_arena_array(arena, n, sizeof *groups);
    rest = text;
    for (i = 0; i + 1 < n; i++) {
        yl_str_cut(rest, ',', &groups[i], &rest);
    }
    groups[i] = rest;
    user->groups = groups;
    user->n_groups = n;
}
