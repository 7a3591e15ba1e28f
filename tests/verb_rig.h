#ifndef TESTS_VERB_RIG_H
#define TESTS_VERB_RIG_H 1

/* Short forms for requests to a server inside of a test (tests/api_rig.h).
 *
 * In bodies ' stands for ", and every test has the namespace "ns". */

#include "api_rig.h"

static inline const char *
verb_json(const char *quoted)
{
    static char text[1 << 16];
    size_t i;

    if (!quoted) {
        return NULL;
    }
    for (i = 0; quoted[i]; i++) {
        assert_true(i + 1 < sizeof text);
        text[i] = quoted[i];
        if (text[i] == '\'') {
            text[i] = '"';
        }
    }
    text[i] = '\0';
    return text;
}

/* The request must end in 'status'. */
#define ask(STATUS, METHOD, PATH, BODY) \
    verb_ask(STATUS, METHOD, PATH, BODY, __FILE__, __LINE__)

static inline void
verb_ask(int status, const char *method, const char *path, const char *body,
         const char *file, int line)
{
    if (api(method, path, verb_json(body)) != status) {
        fail_msg("%s:%d: %s %s: %d, not %d: %.*s", file, line, method, path,
                 rig.status, status, YL_STR_ARG(rig.body));
    }
}

/* The same for a PATCH, of the type "json", "merge" or "strategic-merge". */
#define patch(STATUS, TYPE, PATH, BODY)                                       \
    do {                                                                      \
        rig.content_type = "application/" TYPE "-patch+json";                 \
        ask(STATUS, "PATCH", PATH, BODY);                                     \
    } while (0)

/* The answer must have this text at a JSON pointer; "" for nothing. */
#define says(POINTER, TEXT)                                                   \
    do {                                                                      \
        const char *have_ = text_at(POINTER);                                 \
        if (strcmp(have_, TEXT) != 0) {                                       \
            fail_msg("%s is %s\nand not %s\nin %.*s", POINTER, have_, TEXT,   \
                     YL_STR_ARG(rig.body));                                   \
        }                                                                     \
    } while (0)

/* Whether the head of the answer contains the text. */
static inline bool
warned(const char *text)
{
    return memmem(rig.head.data, rig.head.size, text, strlen(text)) != NULL;
}

static inline void
verb_open(void)
{
    rig_open();
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
}

#define CONFIG_MAPS "/api/v1/namespaces/ns/configmaps"
#define PODS "/api/v1/namespaces/ns/pods"
#define DEPLOYMENTS "/apis/apps/v1/namespaces/ns/deployments"
#define LEASES "/apis/coordination.k8s.io/v1/namespaces/ns/leases"

#define POD(NAME, SPEC)                                                       \
    "{'metadata':{'name':'" NAME "'},'spec':{'containers':[{'name':'c',"      \
    "'image':'i'}]" SPEC "}}"
#define DEPLOYMENT(NAME)                                                      \
    "{'metadata':{'name':'" NAME "'},'spec':{'replicas':2,'selector':"        \
    "{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"  \
    "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"

#endif /* tests/verb_rig.h */
