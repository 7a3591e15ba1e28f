/* Known tokens.  See apiserver/auth/known_tokens.h for the contract. */

#include "apiserver/auth/known_tokens.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/thread.h"
#include "yuloh/arena.h"

struct yl_known_tokens {
    struct yl_mutex lock;
    struct yl_map by_text YL_GUARDED;
    struct yl_list by_use YL_GUARDED;   /* The one used last is the first. */
    uint64_t generation YL_GUARDED;
    size_t limit;
};

static struct yl_known_token *find(struct yl_known_tokens *tokens,
                                   struct yl_str)
    YL_REQUIRES(tokens->lock);
static void forget(struct yl_known_tokens *tokens, struct yl_known_token *)
    YL_REQUIRES(tokens->lock);

struct yl_known_tokens *
yl_known_tokens_new(size_t limit)
{
    struct yl_known_tokens *tokens = yl_zalloc(sizeof *tokens);

    yl_mutex_init(&tokens->lock);
    yl_list_init(&tokens->by_use);
    tokens->limit = limit;
    return tokens;
}

void
yl_known_tokens_free(struct yl_known_tokens *tokens)
{
    if (tokens) {
        yl_known_tokens_clear(tokens);
        yl_map_release(&tokens->by_text);
        yl_mutex_destroy(&tokens->lock);
        free(tokens);
    }
}

uint64_t
yl_known_tokens_generation(struct yl_known_tokens *tokens)
{
    uint64_t generation;

    yl_mutex_lock(&tokens->lock);
    generation = tokens->generation;
    yl_mutex_unlock(&tokens->lock);
    return generation;
}

void
yl_known_tokens_clear(struct yl_known_tokens *tokens)
{
    yl_mutex_lock(&tokens->lock);
    while (!yl_list_is_empty(&tokens->by_use)) {
        forget(tokens, YL_CONTAINER_OF(yl_list_back(&tokens->by_use),
                                       struct yl_known_token, by_use));
    }
    tokens->generation++;
    yl_mutex_unlock(&tokens->lock);
}

struct yl_known_token *
yl_known_tokens_find(struct yl_known_tokens *tokens, struct yl_str text)
{
    struct yl_known_token *token;

    yl_mutex_lock(&tokens->lock);
    token = find(tokens, text);
    if (token) {
        yl_ref_get(&token->ref);
        yl_list_remove(&token->by_use);
        yl_list_push_front(&tokens->by_use, &token->by_use);
    }
    yl_mutex_unlock(&tokens->lock);
    return token;
}

struct yl_known_token *
yl_known_token_new(struct yl_str text)
{
    struct yl_known_token *token = yl_zalloc(sizeof *token);

    yl_ref_init(&token->ref);
    yl_list_init(&token->by_use);
    token->arena = yl_arena_new();
    token->text = yl_str_n(yl_strdup(text), text.size);
    return token;
}

struct yl_known_token *
yl_known_token_unref(struct yl_known_token *token)
{
    if (token && yl_ref_put(&token->ref)) {
        char *text = (char *) (uintptr_t) token->text.data;

        OPENSSL_cleanse(text, token->text.size);
        free(text);
        yl_arena_free(token->arena);
        free(token);
    }
    return NULL;
}

void
yl_known_tokens_add(struct yl_known_tokens *tokens,
                    struct yl_known_token *token, uint64_t generation)
{
    if (token->text.size > YL_KNOWN_TOKEN_MAX) {
        return;
    }
    yl_mutex_lock(&tokens->lock);
    if (generation == tokens->generation && !find(tokens, token->text)) {
        if (yl_map_count(&tokens->by_text) >= tokens->limit) {
            forget(tokens, YL_CONTAINER_OF(yl_list_back(&tokens->by_use),
                                           struct yl_known_token, by_use));
        }
        yl_ref_get(&token->ref);
        yl_map_insert(&tokens->by_text, &token->by_text,
                      yl_hash_str(token->text));
        yl_list_push_front(&tokens->by_use, &token->by_use);
    }
    yl_mutex_unlock(&tokens->lock);
}

static struct yl_known_token *
find(struct yl_known_tokens *tokens, struct yl_str text)
{
    struct yl_known_token *token;

    YL_MAP_FOR_EACH_WITH_HASH (token, by_text, yl_hash_str(text),
                               &tokens->by_text) {
        if (token->text.size == text.size
            && CRYPTO_memcmp(token->text.data, text.data, text.size) == 0) {
            return token;
        }
    }
    return NULL;
}

static void
forget(struct yl_known_tokens *tokens, struct yl_known_token *token)
{
    yl_map_remove(&tokens->by_text, &token->by_text);
    yl_list_remove(&token->by_use);
    yl_known_token_unref(token);
}
