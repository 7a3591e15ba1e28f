#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H 1

/* Facts that both sides of the JSON benchmarks must find, and the C++ side.
 *
 * "Facts" are what an object's block knows of it without reading its JSON
 * again: name, namespace, uid, resourceVersion and creationTimestamp as
 * strings, generation as a number, labels, annotations, ownerReferences,
 * finalizers and managedFields as spans of bytes, and whether there is a
 * deletionTimestamp.  They are summed up so that the two sides can be
 * compared. */

#include <stddef.h>
#include <string.h>

#include "yuloh/compiler.h"

YL_C_BEGIN

struct facts {
    unsigned long long n_items;
    unsigned long long strings; /* Sizes, first and last bytes of all. */
    unsigned long long numbers;
    unsigned long long spans;   /* Like 'strings'; a DOM has none. */
};

enum fact {
    FACT_NONE,
    FACT_STRING,
    FACT_NUMBER,
    FACT_SPAN,
    FACT_PRESENT,
};

/* The contribution of a string or a span to the sum. */
static inline unsigned long long
fact_sum(const char *data, size_t size)
{
    return size * 31
           + (size ? (unsigned char) data[0] * 7u
                         + (unsigned char) data[size - 1] : 0u);
}

/* Which fact a member of metadata is. */
static inline enum fact
fact_of(const char *key, size_t size)
{
#define IS(LITERAL) (!memcmp(key, LITERAL, sizeof LITERAL - 1))
    switch (size) {
    case 3:
        return IS("uid") ? FACT_STRING : FACT_NONE;
    case 4:
        return IS("name") ? FACT_STRING : FACT_NONE;
    case 6:
        return IS("labels") ? FACT_SPAN : FACT_NONE;
    case 9:
        return IS("namespace") ? FACT_STRING : FACT_NONE;
    case 10:
        return IS("generation") ? FACT_NUMBER
               : IS("finalizers") ? FACT_SPAN
               : FACT_NONE;
    case 11:
        return IS("annotations") ? FACT_SPAN : FACT_NONE;
    case 13:
        return IS("managedFields") ? FACT_SPAN : FACT_NONE;
    case 15:
        return IS("resourceVersion") ? FACT_STRING
               : IS("ownerReferences") ? FACT_SPAN
               : FACT_NONE;
    case 17:
        return IS("creationTimestamp") ? FACT_STRING
               : IS("deletionTimestamp") ? FACT_PRESENT
               : FACT_NONE;
    default:
        return FACT_NONE;
    }
#undef IS
}

struct simdjson_peer *simdjson_peer_new(void);
void simdjson_peer_free(struct simdjson_peer *);
const char *simdjson_peer_implementation(void);
size_t simdjson_peer_padding(void);
int simdjson_peer_validate(struct simdjson_peer *, const char *text,
                           size_t size);
int simdjson_peer_facts(struct simdjson_peer *, const char *text, size_t size,
                        size_t capacity, struct facts *);

YL_C_END

#endif /* bench/peers.h */
