#ifndef YL_NAMES_H
#define YL_NAMES_H 1

/* Names: the rules of Kubernetes for names, labels and ports.
 *
 * One function checks a text against one of the rules below and says, in
 * upstream's words, everything that is wrong with it; a server joins these
 * sentences into the message of a Status, so clients see them.
 *
 * Guarantees
 * ==========
 *
 *   - Complete.  Every fault of a value is reported, in upstream's order, not
 *     only the first one.
 *
 *   - Linear.  A check reads the value a constant number of times, however
 *     long it is.
 *
 * Ownership
 * =========
 *
 * The sentences are constants and must not be freed.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_name_faults faults;
 *     if (yl_name_check(YL_NAME_DNS1123_LABEL, name, &faults) < 0) {
 *         return yl_name_faults_error(&faults, err);
 *     } */

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

enum yl_name_rule {
    YL_NAME_DNS1123_LABEL,      /* "web-0": namespaces, containers. */
    YL_NAME_DNS1123_SUBDOMAIN,  /* "web.example.com": most objects. */
    YL_NAME_DNS1035_LABEL,      /* "web": a label that starts with a letter. */
    YL_NAME_QUALIFIED,          /* "example.com/Name": label keys. */
    YL_NAME_LABEL_VALUE,        /* "", "v1.2_x". */
    YL_NAME_PORT,               /* "https": IANA service names. */
    YL_NAME_PATH_SEGMENT,       /* Anything that fits between slashes. */
    YL_NAME_PATH_SEGMENT_PREFIX,    /* The same, with more to follow. */
};

/* Longest texts that the rules allow, in bytes. */
#define YL_NAME_LABEL_MAX 63
#define YL_NAME_SUBDOMAIN_MAX 253

/* What is wrong with a value: one sentence for each fault. */
#define YL_NAME_MAX_FAULTS 5
struct yl_name_faults {
    size_t n_faults;
    const char *faults[YL_NAME_MAX_FAULTS];
};

/* Returns 0 if 'value' keeps 'rule', else YL_EINVALID with the sentences in
 * '*ret_faults' (which may be NULL, and is written only then). */
int yl_name_check(enum yl_name_rule, struct yl_str value,
                  struct yl_name_faults *ret_faults);

/* The same for a generateName, to which random letters will be added: in the
 * three DNS rules a last '-' is fine (and, as upstream, the character before
 * it is not looked at). */
int yl_name_check_prefix(enum yl_name_rule, struct yl_str value,
                         struct yl_name_faults *ret_faults);

/* Sets 'err' to YL_EINVALID with all sentences, joined by "; ".  Returns
 * YL_EINVALID. */
int yl_name_faults_error(const struct yl_name_faults *, struct yl_error *err);

YL_C_END

#endif /* yuloh/names.h */
