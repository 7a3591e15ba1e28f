/* Tests of ownership: what was applied on the client's side before.  See
 * tests/own_unit.h for how the tables read. */

#include "own_unit.h"

#define LAST_APPLIED(DATA)                                                    \
    "'metadata':{'name':'a','annotations':"                                   \
    "{'kubectl.kubernetes.io/last-applied-configuration':"                    \
    "'{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'ConfigMap\\',"                 \
    "\\'data\\':{" DATA "}}'}}"

static const struct test_case migrations[] = {
    { "kubectl takes over what it has applied on its own side", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'1'}",
        "apply kubectl cm:a 200 'data':{'x':'2'}",
        "= kubectl+ .data.x; k .data .metadata.annotations "
        ".metadata.annotations.kubectl.kubernetes.io/last-applied-"
        "configuration",
        "? /data/x 2",
        "? /metadata/annotations/kubectl.kubernetes.io~1last-applied-"
        "configuration {\"apiVersion\":\"v1\",\"data\":{\"x\":\"2\"},"
        "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}\n",
    } },
    { "another manager does not", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.x",
    } },
    { "what has changed since is not taken over", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'") ",'data':{'x':'3'}",
        "apply kubectl cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.x",
    } },
    { "some conflicts are left", {
        "post k cm:a 201 " LAST_APPLIED("\\'x\\':\\'1\\'")
        ",'data':{'x':'1','y':'1'}",
        "apply kubectl cm:a 409 'data':{'x':'2','y':'2'}",
        "! Apply failed with 1 conflict: conflict with \"k\" using v1: "
        ".data.y",
    } },
};

TEST(from_apply_on_the_clients_side)
{
    RUN(migrations);
}
