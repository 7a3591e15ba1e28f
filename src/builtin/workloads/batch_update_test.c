/* Tests of updates of Job and CronJob. */

#include "builtin_case.h"

#define SPEC(MORE)                                                            \
    "{'spec':{'template':{'spec':{'restartPolicy':'Never',"                   \
    "'containers':[{'name':'c','image':'i'}]}}" MORE "}}"

#define KEPT(MORE)                                                            \
    "{'spec':{'selector':{'matchLabels':"                                     \
    "{'batch.kubernetes.io/controller-uid':'u-1'}},"                          \
    "'template':{'metadata':{'labels':{'batch.kubernetes.io/controller-uid':" \
    "'u-1','batch.kubernetes.io/job-name':'a','controller-uid':'u-1',"        \
    "'job-name':'a'}},'spec':{'restartPolicy':'Never',"                       \
    "'containers':[{'name':'c','image':'i'}]}}" MORE "}}"

#define CONTAINER(MORE)                                                       \
    "{'spec':{'selector':{'matchLabels':"                                     \
    "{'batch.kubernetes.io/controller-uid':'u-1'}},"                          \
    "'template':{'metadata':{'labels':{'batch.kubernetes.io/controller-uid':" \
    "'u-1','batch.kubernetes.io/job-name':'a','controller-uid':'u-1',"        \
    "'job-name':'a'}},'spec':{'restartPolicy':'Never',"                       \
    "'containers':[{'name':'c','image':'i'" MORE "}]}},'suspend':true}}"

#define PLACED(MORE)                                                          \
    "{'spec':{'selector':{'matchLabels':"                                     \
    "{'batch.kubernetes.io/controller-uid':'u-1'}},"                          \
    "'template':{'metadata':{'labels':{'batch.kubernetes.io/controller-uid':" \
    "'u-1','batch.kubernetes.io/job-name':'a','controller-uid':'u-1',"        \
    "'job-name':'a'}},'spec':{'restartPolicy':'Never',"                       \
    "'containers':[{'name':'c','image':'i'}]" MORE "}},'suspend':true}}"

TEST(jobs_keep_what_they_run)
{
    static const struct builtin_update cases[] = {
        { SPEC(""),
          KEPT(",'completions':1,'parallelism':2,'suspend':true,"
               "'ttlSecondsAfterFinished':1"),
          "" },
        { SPEC(""),
          KEPT(",'completions':2,'completionMode':'Indexed',"
               "'backoffLimitPerIndex':1,'managedBy':'a/b'"),
          "spec.completions: Invalid value: 2: can only be modified in "
          "tandem with spec.parallelism\n"
          "spec.completionMode: Invalid value: \"Indexed\": field is "
          "immutable\n"
          "spec.backoffLimitPerIndex: Invalid value: 1: field is immutable\n"
          "spec.managedBy: Invalid value: \"a/b\": field is immutable\n" },
        { "{'spec':{'manualSelector':true,'selector':{'matchLabels':{"
          "'x':'y'}},'template':{'metadata':{'labels':{'x':'y'}},'spec':{"
          "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}"
          "}}",
          "{'spec':{'selector':{'matchLabels':{'x':'y'}},"
          "'template':{'metadata':{'labels':{'x':'y'}},'spec':{"
          "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}"
          "}}",
          "spec.template.metadata.labels[controller-uid]: Required value: "
          "must be 'u-1'\n"
          "spec.template.metadata.labels[job-name]: Required value: must be "
          "'a'\n"
          "spec.selector: Invalid value: {\"matchLabels\":{\"x\":\"y\"}}: "
          "`selector` not auto-generated\n" },
        { SPEC(",'completionMode':'Indexed','completions':2,"
               "'parallelism':2,'podFailurePolicy':{'rules':[]}"),
          KEPT(",'completionMode':'Indexed','completions':2,"
               "'parallelism':2,'podFailurePolicy':{'rules':[{'action':"
               "'FailJob','onExitCodes':{'operator':'In','values':[]},"
               "'onPodConditions':[]}]}"),
          "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: "
          "[]: at least one value is required\n"
          "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: "
          "[]: at least one value is required\n"
          "spec.podFailurePolicy: Invalid value: {\"Rules\":[{"
          "\"Action\":\"FailJob\",\"OnExitCodes\":{\"ContainerName\":null,"
          "\"Operator\":\"In\",\"Values\":[]},\"OnPodConditions\":[]}]}: "
          "field is immutable\n" },
        { SPEC(",'completionMode':'Indexed','completions':2,"
               "'parallelism':2"),
          KEPT(",'completionMode':'Indexed','completions':3,"
               "'parallelism':3"),
          "" },
        { SPEC(",'completionMode':'Indexed','completions':2,"
               "'parallelism':2"),
          KEPT(",'completionMode':'Indexed','completions':3,"
               "'parallelism':2"),
          "spec.completions: Invalid value: 3: can only be modified in "
          "tandem with spec.parallelism\n" },
        { SPEC(",'suspend':true"),
          CONTAINER(",'resources':{'limits':{'cpu':'1'}}"),
          "" },
        { SPEC(",'suspend':true"),
          PLACED(",'nodeSelector':{'a':'b'},'tolerations':[{'key':'a'}],"
                 "'affinity':{'nodeAffinity':{}}"),
          "" },
        { SPEC(",'suspend':true},'status':{'active':1,"
               "'startTime':'2020-01-01T00:00:00Z'"),
          PLACED(",'nodeSelector':{'a':'b'}"),
          /* The template as upstream shows one, which is 1.8 KB. */
          "spec.template: Invalid value: {\"labels\":{" ANY_TEXT "}}: field "
          "is immutable\n" },
        { SPEC(",'suspend':true},'status':{'startTime':'2020-01-01T00:00:"
               "00Z','conditions':[{'type':'Suspended','status':'True'}]"),
          PLACED(",'nodeSelector':{'a':'b'}"),
          "" },
        { SPEC(""),
          SPEC(",'selector':{'matchLabels':{'x':'y'}}"),
          "spec.template.metadata.labels[controller-uid]: Required value: "
          "must be 'u-1'\n"
          "spec.template.metadata.labels[job-name]: Required value: must be "
          "'a'\n"
          "spec.template.metadata.labels["
          "batch.kubernetes.io/controller-uid]: Required value: must be "
          "'u-1'\n"
          "spec.template.metadata.labels[batch.kubernetes.io/job-name]: "
          "Required value: must be 'a'\n"
          "spec.selector: Invalid value: {\"matchLabels\":{\"x\":\"y\"}}: "
          "`selector` not auto-generated\n"
          "spec.template.metadata.labels: Invalid value: null: `selector` "
          "does not match template `labels`\n"
          "spec.template.metadata.labels: Invalid value: null: `selector` "
          "does not match template `labels`\n"
          "spec.selector: Invalid value: {\"matchLabels\":{\"x\":\"y\"}}: "
          "field is immutable\n"
          "spec.template: Invalid value: {\"Spec\":{" ANY_TEXT "}}: field is "
          "immutable\n" },
    };

    CASE_RUN_UPDATES("Job", cases);
}

TEST(counts_of_jobs_are_checked)
{
    static const struct builtin_update cases[] = {
        { SPEC(""), "{'status':{'active':1,'ready':1}}", "" },
        { SPEC(""),
          "{'status':{'active':-1,'succeeded':-1,'failed':-1,'ready':-1,"
          "'terminating':-1}}",
          "status.active: Invalid value: -1: must be greater than or equal "
          "to 0\n"
          "status.succeeded: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.failed: Invalid value: -1: must be greater than or equal "
          "to 0\n"
          "status.ready: Invalid value: -1: must be greater than or equal to "
          "0\n"
          "status.terminating: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.failed: Invalid value: -1: cannot decrease the failed "
          "counter\n"
          "status.succeeded: Invalid value: -1: cannot decrease the "
          "succeeded counter\n" },
    };

    CASE_RUN_STATUS("Job", cases);
}

#define JOB(SPEC_, STATUS)                                                    \
    SPEC(SPEC_ "},'status':{" STATUS)
#define IS(TYPE) "{'type':'" TYPE "','status':'True'}"
#define T0 "'2020-01-01T00:00:00Z'"
#define T1 "'2020-01-02T00:00:00Z'"
#define DONE                                                                  \
    "'startTime':" T0 ",'completionTime':" T1 ",'conditions':["               \
    IS("SuccessCriteriaMet") "," IS("Complete") "]"

TEST(jobs_end_in_order)
{
    static const struct builtin_update cases[] = {
        { SPEC(""), "{'status':{" DONE "}}", "" },
        { SPEC(""),
          "{'status':{'conditions':[" IS("Complete") "," IS("Failed") ","
          IS("FailureTarget") "],'active':1,'ready':2,'terminating':3}}",
          "status.conditions: Invalid value: cannot set Complete=True and "
          "Failed=true conditions\n"
          "status.conditions: Invalid value: cannot set Complete=True and "
          "FailureTarget=true conditions\n"
          "status.completionTime: Required value: completionTime is required "
          "for Complete jobs\n"
          "status.conditions: Invalid value: cannot set Complete=True "
          "condition without the SuccessCriteriaMet=true condition\n"
          "status.active: Invalid value: 1: active>0 is invalid for finished "
          "job\n"
          "status.startTime: Required value: startTime is required for "
          "finished job\n"
          "status.terminating: Invalid value: 3: terminating>0 is invalid "
          "for finished job\n"
          "status.ready: Invalid value: 2: cannot set more ready pods than "
          "active\n" },
        { SPEC(""),
          "{'status':{'startTime':" T1 ",'completionTime':" T0 "}}",
          "status.completionTime: Invalid value: \"2020-01-01T00:00:00Z\": "
          "cannot set completionTime when there is no Complete=True "
          "condition\n"
          "status.completionTime: Invalid value: \"2020-01-01T00:00:00Z\": "
          "must be equal to or after `startTime`\n" },
        { SPEC(""),
          "{'status':{'conditions':[" IS("Failed") "," IS("SuccessCriteriaMet")
          "],'startTime':" T0 ",'uncountedTerminatedPods':{'succeeded':"
          "['a',''],'failed':['a']}}}",
          "status.uncountedTerminatedPods.succeeded[1]: Invalid value: \"\": "
          "must not be empty\n"
          "status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\"\n"
          "status.conditions: Invalid value: cannot set Failed=True condition "
          "without the FailureTarget=true condition\n"
          "status.uncountedTerminatedPods: Invalid value: {\"Succeeded\":"
          "[\"a\",\"\"],\"Failed\":[\"a\"]}: must be empty for finished "
          "job\n"
          "status.conditions: Invalid value: cannot set "
          "SuccessCriteriaMet=True and Failed=true conditions\n" },
        { SPEC(""),
          "{'status':{'conditions':[" IS("FailureTarget") ","
          IS("SuccessCriteriaMet") "]}}",
          "status.conditions: Invalid value: cannot set "
          "SuccessCriteriaMet=True and FailureTarget=true conditions\n" },
    };

    CASE_RUN_STATUS("Job", cases);
}

TEST(what_a_job_was_it_stays)
{
    static const struct builtin_update cases[] = {
        { JOB("", DONE), "{'status':{" DONE "}}", "" },
        { JOB("", DONE), "{'status':{'startTime':" T0 "}}",
          "status.conditions: Invalid value: cannot disable the terminal "
          "Complete=True condition\n"
          "status.conditions: Invalid value: cannot disable the "
          "SuccessCriteriaMet=True condition\n" },
        { JOB("", "'failed':2,'succeeded':2,'startTime':" T0
                  ",'conditions':[" IS("Failed") "," IS("FailureTarget")
                  "]"),
          "{'status':{'failed':1,'succeeded':1,'startTime':" T1 "}}",
          "status.conditions: Invalid value: cannot disable the terminal "
          "Failed=True condition\n"
          "status.conditions: Invalid value: cannot disable the terminal "
          "FailureTarget=True condition\n"
          "status.failed: Invalid value: 1: cannot decrease the failed "
          "counter\n"
          "status.succeeded: Invalid value: 1: cannot decrease the succeeded "
          "counter\n"
          "status.startTime: Invalid value: \"2020-01-02T00:00:00Z\": field "
          "is immutable for unsuspended job once set\n" },
        { JOB("", "'startTime':" T0 ",'conditions':[" IS("Suspended") "]"),
          "{'status':{'startTime':" T1 ",'conditions':[{'type':'Suspended',"
          "'status':'False'}]}}",
          "" },
        { JOB("", "'startTime':" T0 ",'completionTime':" T0
                  ",'conditions':[" IS("Complete") "]"),
          "{'status':{" DONE "}}",
          "status.completionTime: Invalid value: \"2020-01-02T00:00:00Z\": "
          "field is immutable\n"
          "status.conditions: Invalid value: cannot set "
          "SuccessCriteriaMet=True for Job already has Complete=true "
          "conditions\n" },
    };

    CASE_RUN_STATUS("Job", cases);
}

#define INDEXED                                                               \
    SPEC(",'completionMode':'Indexed','completions':10,'parallelism':2,"      \
         "'backoffLimitPerIndex':1")

TEST(indexes_of_jobs_are_checked)
{
    static const struct builtin_update cases[] = {
        { INDEXED,
          "{'status':{'completedIndexes':'0,2-4','failedIndexes':'1,5'}}",
          "" },
        { INDEXED,
          "{'status':{'completedIndexes':'3,x','failedIndexes':'12'}}",
          "status.completedIndexes: Invalid value: \"3,x\": error parsing "
          "completedIndexes: cannot convert string to integer for index: "
          "\"x\"\n"
          "status.failedIndexes: Invalid value: \"12\": error parsing "
          "failedIndexes: too large index: \"12\"\n" },
        { INDEXED,
          "{'status':{'completedIndexes':'0,x,3-6','failedIndexes':"
          "'1,5-7'}}",
          "status.completedIndexes: Invalid value: \"0,x,3-6\": error "
          "parsing completedIndexes: cannot convert string to integer for "
          "index: \"x\"\n"
          "status.failedIndexes: Invalid value: \"1,5-7\": failedIndexes and "
          "completedIndexes overlap at index: 5\n" },
        { SPEC(""),
          "{'status':{'completedIndexes':'0','failedIndexes':''}}",
          "status.completedIndexes: Invalid value: \"0\": cannot set "
          "non-empty completedIndexes when non-indexed completion mode\n"
          "status.failedIndexes: Invalid value: \"\": cannot set non-null "
          "failedIndexes when backoffLimitPerIndex is null\n" },
    };

    CASE_RUN_STATUS("Job", cases);
}

TEST(schedules_change)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'schedule':'* * * * *',"
          "'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':"
          "'Never','containers':[{'name':'c','image':'i'}]}}}}}}",
          "{'spec':{'schedule':'1 * * * *','suspend':true,"
          "'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':"
          "'Never','containers':[{'name':'c','image':'j'}]}}}}}}",
          "" },
        { "{'spec':{'schedule':'* * * * *',"
          "'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':"
          "'Never','containers':[{'name':'c','image':'i'}]}}}}}}",
          "{'spec':{'schedule':'x','jobTemplate':{'spec':{'template':"
          "{'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'j'}]}}}}}}",
          "spec.schedule: Invalid value: \"x\": expected exactly 5 fields, "
          "found 1: [x]\n" },
    };

    CASE_RUN_UPDATES("CronJob", cases);
}

TEST(a_policy_of_success_comes_first)
{
    static const struct builtin_update cases[] = {
        { SPEC(",'completionMode':'Indexed','completions':2,'parallelism':2,"
               "'successPolicy':{'rules':[{'succeededCount':1}]}"),
          "{'status':{'startTime':" T0 ",'completionTime':" T1 ","
          "'conditions':[" IS("Complete") "]}}",
          "status.conditions: Invalid value: cannot set Complete=True "
          "condition without the SuccessCriteriaMet=true condition\n"
          "status.conditions: Invalid value: cannot set Complete=True for "
          "Job with SuccessPolicy unless SuccessCriteriaMet=True\n" },
    };

    CASE_RUN_STATUS("Job", cases);
}
