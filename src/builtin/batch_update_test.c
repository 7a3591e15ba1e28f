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
          "spec.template: Invalid value: " },
        { SPEC(",'suspend':true},'status':{'startTime':'2020-01-01T00:00:"
               "00Z','conditions':[{'type':'Suspended','status':'True'}]"),
          PLACED(",'nodeSelector':{'a':'b'}"),
          "" },
        { SPEC(""),
          SPEC(",'selector':{'matchLabels':{'x':'y'}}"),
          "spec.selector: Invalid value: {\"matchLabels\":{\"x\":\"y\"}}: "
          "field is immutable\n" },
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
          "status.ready: Invalid value: -1: must be greater than or equal "
          "to 0\n"
          "status.terminating: Invalid value: -1: must be greater than or "
          "equal to 0\n" },
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
          "spec.schedule: Invalid value: \"x\"" },
    };

    CASE_RUN_UPDATES("CronJob", cases);
}
