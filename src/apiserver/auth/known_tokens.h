#ifndef APISERVER_AUTH_KNOWN_TOKENS_H
#define APISERVER_AUTH_KNOWN_TOKENS_H 1

/* Known tokens: those whose signature was verified, with what they say.
 *
 * Checking a signature takes some 50 to 100 us, more than most requests take
 * in all, and a client sends the same token with each request.
 *
 * Guarantees
 * ==========
 *
 *   - At most as many tokens are kept as the limit says; the one that was not
 *     used for the longest time goes first.
 *
 *   - A token of more than YL_KNOWN_TOKEN_MAX bytes is not kept: whoever may
 *     ask for tokens chooses their audiences, and so their size.
 *
 *   - Nothing that was verified before yl_known_tokens_clear() is found after
 *     it.
 *
 *   - Tokens are compared in constant time and wiped from memory when freed.
 *
 * Threads
 * =======
 *
 * Any thread: there is one lock, held for a lookup. */

#include <stddef.h>
#include <stdint.h>

#include "apiserver/auth/token_claims.h"
#include "base/list.h"
#include "base/map.h"
#include "base/ref.h"
#include "yuloh/str.h"

struct yl_known_tokens;

/* A Pod's token has some 1,200 bytes. */
#define YL_KNOWN_TOKEN_MAX ((size_t) 4 << 10)

/* A token.  It is counted, and never changes once it was added. */
struct yl_known_token {
    struct yl_arena *arena;     /* Of the claims and the user. */
    struct yl_token_claims claims;
    const struct yl_user *user;

    /* Private. */
    struct yl_ref ref;
    struct yl_str text;
    struct yl_map_node by_text;
    struct yl_list by_use;
};

struct yl_known_tokens *yl_known_tokens_new(size_t limit);
void yl_known_tokens_free(struct yl_known_tokens *);

/* Rises with each yl_known_tokens_clear(). */
uint64_t yl_known_tokens_generation(struct yl_known_tokens *);
void yl_known_tokens_clear(struct yl_known_tokens *);

/* A reference to what is known of a token, or NULL. */
struct yl_known_token *yl_known_tokens_find(struct yl_known_tokens *,
                                            struct yl_str token);

/* A token to be filled in, with an arena.  Its text is copied. */
struct yl_known_token *yl_known_token_new(struct yl_str token);
struct yl_known_token *yl_known_token_unref(struct yl_known_token *);

/* Remembers a token that was verified with keys of 'generation', unless the
 * keys have changed since or it is too large. */
void yl_known_tokens_add(struct yl_known_tokens *, struct yl_known_token *,
                         uint64_t generation);

#endif /* apiserver/auth/known_tokens.h */
