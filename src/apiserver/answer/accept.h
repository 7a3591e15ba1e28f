#ifndef APISERVER_ANSWER_ACCEPT_H
#define APISERVER_ANSWER_ACCEPT_H 1

/* Negotiation: which form of an answer a client accepts.
 *
 *     Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json
 *
 * Clauses are tried by their q, then in order, as upstream does.  A type is
 * either named in full or is a wildcard; parameters that ask for another form
 * must be known. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct yl_accept;

/* What a client can ask for. */
enum yl_accept_flags {
    YL_ACCEPT_FORMS = 1 << 0,   /* Metadata alone, */
    YL_ACCEPT_TABLE = 1 << 4,   /* and Tables. */
    YL_ACCEPT_AGGREGATED = 1 << 1,  /* Only aggregated discovery. */
    YL_ACCEPT_ANY_SUBTYPE = 1 << 2, /* Any one of "application" means JSON, as
                                     * it does where upstream's router has no
                                     * say. */
    YL_ACCEPT_PROTOBUF = 1 << 3,    /* Objects have a form in protobuf.
                                     * Metadata alone always have. */
};

/* 0, or YL_ENOTACCEPTABLE; then '*ret_type_known' says whether the media type
 * is supported and only the form is not.  A null or empty header means
 * JSON. */
int yl_accept_parse(struct yl_str header, unsigned flags,
                    struct yl_accept *ret_accept, bool *ret_type_known);

/* The first of 'n' media types that the client accepts, by its own order: its
 * index, or YL_ENOTACCEPTABLE.  A null or empty header accepts any.  For
 * answers that have one form only, in several encodings. */
int yl_accept_choose(struct yl_str header, const char *const *media_types,
                     size_t n);

/* Whether the client wants indented JSON: if "pretty" does not say, curl and
 * browsers get it, because people read their output. */
bool yl_accept_is_pretty(struct yl_str pretty, struct yl_str user_agent);

#endif /* apiserver/answer/accept.h */
