#ifndef TESTS_CRD_RIG_H
#define TESTS_CRD_RIG_H 1

/* CustomResourceDefinitions on a server inside of a test (tests/verb_rig.h).
 *
 *     verb_open();
 *     crd_create("widgets.example.com", CRD_WIDGETS);
 *     ask(201, "POST", CUSTOM "widgets", "{...}"); */

#include "verb_rig.h"

#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define CUSTOM "/apis/example.com/v1/namespaces/ns/"

/* A version: its name, the other members, and the schema's properties. */
#define CRD_VERSION(NAME, MORE, PROPERTIES)                                   \
    "{'name':'" NAME "','served':true," MORE ",'schema':{'openAPIV3Schema':"  \
    "{'type':'object','properties':{" PROPERTIES "}}}}"

#define CRD(PLURAL, KIND, VERSIONS)                                           \
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':"                         \
    "'CustomResourceDefinition','metadata':{'name':'" PLURAL                  \
    ".example.com'},'spec':{'group':'example.com','scope':'Namespaced',"      \
    "'names':{'plural':'" PLURAL "','kind':'" KIND "'},'versions':["          \
    VERSIONS "]}}"

/* One version, v1, with the status subresource. */
#define CRD_SPEC                                                              \
    "'spec':{'type':'object','properties':{'size':{'type':'integer',"         \
    "'minimum':1,'default':3},'color':{'type':'string'}}},"                   \
    "'status':{'type':'object','properties':{'phase':{'type':'string'}}}"
#define CRD_WIDGETS                                                           \
    CRD("widgets", "Widget",                                                  \
        CRD_VERSION("v1", "'storage':true,'subresources':{'status':{}}",      \
                    CRD_SPEC))

/* The status of a condition in the answer, below 'base'; "" if it is not
 * there. */
static inline const char *
crd_condition(const char *base, const char *type)
{
    char pointer[128];
    int i;

    for (i = 0; i < 16; i++) {
        snprintf(pointer, sizeof pointer, "%s/status/conditions/%d/type",
                 base, i);
        if (strcmp(text_at(pointer), type) == 0) {
            snprintf(pointer, sizeof pointer,
                     "%s/status/conditions/%d/status", base, i);
            return text_at(pointer);
        }
    }
    return "";
}

/* Waits until a condition of the CRD has this status; the last event is the
 * answer then. */
static inline void
crd_wait(const char *name, const char *type, const char *status)
{
    struct rig_watch watch;
    char path[256];

    snprintf(path, sizeof path,
             CRDS "?watch=true&fieldSelector=metadata.name%%3D%s", name);
    assert_int_equal(rig_watch_open(&watch, path), 200);
    do {
        rig_watch_next(&watch);
    } while (strcmp(crd_condition("/object", type), status) != 0);
    rig_watch_close(&watch);
}

/* Waits until the CRD is gone. */
static inline void
crd_wait_gone(const char *name)
{
    struct rig_watch watch;
    char path[256];

    snprintf(path, sizeof path,
             CRDS "?watch=true&fieldSelector=metadata.name%%3D%s", name);
    assert_int_equal(rig_watch_open(&watch, path), 200);
    snprintf(path, sizeof path, CRDS "/%s", name);
    if (api("GET", path, NULL) == 200) {
        while (strcmp(rig_watch_next(&watch), "DELETED") != 0) {
            continue;
        }
    }
    rig_watch_close(&watch);
}

/* Creates a CRD and waits until it is established. */
static inline void
crd_create(const char *name, const char *crd)
{
    ask(201, "POST", CRDS, crd);
    crd_wait(name, "Established", "True");
}

#endif /* tests/crd_rig.h */
