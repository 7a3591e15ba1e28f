/* Tests of PodTemplate and ControllerRevision. */

#include "builtin_case.h"

#define TPL(MORE)                                                             \
    "{'template':{'spec':{'containers':[{'name':'c','image':'i'}]" MORE       \
    "}}}"

TEST(templates_get_a_pod_s_defaults)
{
    CASE_DEFAULT("PodTemplate", TPL(""),
                 "{'template':{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}");
    CASE_DEFAULT("PodTemplate", TPL(""),
                 "{'template':{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}");
}

TEST(templates_are_checked)
{
    static const struct builtin_case cases[] = {
        { TPL(""), "" },
        { TPL(",'restartPolicy':'X'"),
          "template.spec.restartPolicy: Unsupported value: \"X\": supported "
          "values: \"Always\", \"OnFailure\", \"Never\"\n" },
        { "{'template':{'metadata':{'labels':{'a "
          "b':'c'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}",
          "template.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n" },
    };

    CASE_RUN("PodTemplate", cases);
}

TEST(templates_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { TPL(""), TPL(",'hostNetwork':true"), "" },
        { TPL(""),
          TPL(",'dnsPolicy':'X'"),
          "template.spec.dnsPolicy: Unsupported value: \"X\": supported "
          "values: \"ClusterFirstWithHostNet\", \"ClusterFirst\", "
          "\"Default\", \"None\"\n" },
    };

    CASE_RUN_UPDATES("PodTemplate", cases);
}

TEST(revisions_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'data':{'a':1},'revision':1}", "" },
        { "{'revision':1}", "data: Required value: data is mandatory\n" },
        { "{'data':[1],'revision':-1}",
          "revision: Invalid value: -1: must be greater than or equal to 0\n"
          "data: Required value: data must be a valid JSON object\n" },
    };

    CASE_RUN("ControllerRevision", cases);
}

TEST(revisions_keep_their_data)
{
    static const struct builtin_update cases[] = {
        { "{'data':{'a':1},'revision':1}",
          "{'data':{'a':1},'revision':2}",
          "" },
        { "{'data':{'a':1},'revision':1}",
          "{'data':{'a':2},'revision':-1}",
          "revision: Invalid value: -1: must be greater than or equal to 0\n"
          "data: Invalid value: {\"a\":2}: field is immutable\n" },
    };

    CASE_RUN_UPDATES("ControllerRevision", cases);
}

TEST(templates_have_no_ephemeral_containers)
{
    static const struct builtin_case cases[] = {
        { "{'template':{'spec':{'containers':[{'name':'c','image':'i'}],"
          "'ephemeralContainers':[{'name':'e','image':'i'}]}}}",
          "template.spec.ephemeralContainers: Forbidden: ephemeral "
          "containers not allowed in pod template\n" },
    };

    CASE_RUN("PodTemplate", cases);
}
