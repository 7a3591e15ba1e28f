/* Tests of the strategy of built-in kinds: writes of a part of an object.
 * (/finalize: verbs/delete_test.c; /status: verbs/update_test.c.) */

#include "verb_rig.h"

#define EPHEMERAL PODS "/p/ephemeralcontainers"
#define REQUESTS "/apis/certificates.k8s.io/v1/certificatesigningrequests"

TEST(ephemeral_containers_only_come)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ""));
    patch(200, "strategic-merge", EPHEMERAL,
          "{'metadata':{'labels':{'x':'y'}},'spec':{'nodeName':'n',"
          "'ephemeralContainers':[{'name':'e','image':'i'}]}}");
    says("/spec/ephemeralContainers/0/name", "e");
    says("/spec/nodeName", "");
    says("/metadata/labels", "");
    says("/metadata/generation", "2");
    patch(422, "merge", EPHEMERAL, "{'spec':{'ephemeralContainers':[]}}");
    tells("Pod \"p\" is invalid: spec.ephemeralContainers: Forbidden: "
          "existing ephemeral containers \"e\" may not be removed\n");
    patch(422, "strategic-merge", EPHEMERAL,
          "{'spec':{'ephemeralContainers':[{'name':'e','image':'j'}]}}");
    tells("Pod \"p\" is invalid: spec.ephemeralContainers: Forbidden: "
          "existing ephemeral containers \"e\" may not be changed\n"
          "@@ -1,6 +1,6 @@\n"
          " {\n"
          "  \"Name\": \"e\",\n"
          "- \"Image\": \"i\",\n"
          "+ \"Image\": \"j\",\n"
          "  \"Command\": null,\n"
          "  \"Args\": null,\n"
          "  \"WorkingDir\": \"\",\n");
    patch(422, "strategic-merge", EPHEMERAL,
          "{'spec':{'ephemeralContainers':[{'name':'c','image':'j'}]}}");
    tells("Pod \"p\" is invalid: spec.ephemeralContainers[0].name: Duplicate "
          "value: \"c\"");
    patch(200, "merge", EPHEMERAL, "{'spec':{'nodeName':'n'}}");
    says("/metadata/generation", "2");
    ask(200, "GET", EPHEMERAL, NULL);
    rig_close();
}

TEST(a_resize_changes_resources_alone)
{
    verb_open();
    ask(201, "POST", PODS,
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c',"
        "'image':'i','resources':{'requests':{'cpu':'2'}}}]}}");
    patch(200, "strategic-merge", PODS "/p/resize",
          "{'spec':{'nodeName':'n','containers':[{'name':'c','image':'other',"
          "'resources':{'requests':{'cpu':'1'}}}]}}");
    says("/spec/containers/0/resources/requests/cpu", "1");
    says("/spec/containers/0/image", "i");
    says("/spec/nodeName", "");
    says("/metadata/generation", "2");
    patch(200, "strategic-merge", PODS "/p/resize", "{}");
    says("/metadata/generation", "2");
    patch(422, "strategic-merge", PODS "/p/resize",
          "{'spec':{'containers':[{'name':'c','resources':{'requests':"
          "{'cpu':'-1'}}}]}}");
    rig_close();
}

/* A request for a certificate needs the base64 of a real PEM; its rules are
 * tested where the kind is.  Here an approval only has to find its way. */
TEST(subresources_that_are_not_there)
{
    verb_open();
    patch(404, "merge", REQUESTS "/none/approval", "{}");
    ask(404, "GET", PODS "/p/nothing", NULL);
    ask(405, "POST", PODS "/p/resize", "{}");
    ask(405, "DELETE", PODS "/p/status", NULL);
    rig_close();
}
