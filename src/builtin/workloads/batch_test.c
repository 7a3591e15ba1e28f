/* Tests of Job and CronJob. */

#include "builtin_case.h"

#define POD "'template':{'spec':{'restartPolicy':'Never','containers':"      \
            "[{'name':'c','image':'i'}]}}"
#define JOB(MORE) "{'spec':{" POD MORE "}}"
#define CRON(MORE) "{'spec':{'schedule':'* * * * *','jobTemplate':{'spec':{"  \
                   POD "}}" MORE "}}"

TEST(jobs_get_defaults)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "Job", JOB(""),
                     "{\"backoffLimit\":6,\"completionMode\":\"NonIndexed\","
                     "\"completions\":1,\"manualSelector\":false,"
                     "\"parallelism\":1,\"podReplacementPolicy\":"
                     "\"TerminatingOrFailed\",\"suspend\":false,");
    CASE_DEFAULT_HAS(arena, "Job",
                     JOB(",'backoffLimitPerIndex':1,'podFailurePolicy':"
                         "{'rules':[{'onPodConditions':[{}]}]}"),
                     "\"backoffLimit\":2147483647");
    CASE_DEFAULT_HAS(arena, "CronJob", CRON(""),
                     "\"successfulJobsHistoryLimit\":3,\"suspend\":false");
    yl_arena_free(arena);
}

TEST(jobs_are_checked)
{
    static const struct builtin_case cases[] = {
        { JOB(""), "" },
        { JOB(",'parallelism':-1"), "spec.parallelism: Invalid value: -1: "
                                    "must "
          "be greater than or equal to 0\n" },
        { JOB(",'maxFailedIndexes':1"), "spec.backoffLimitPerIndex: Required "
          "value: when maxFailedIndexes is specified\n" },
        { JOB(",'completionMode':'X'"), "Unsupported value: \"X\": supported "
          "values: \"NonIndexed\", \"Indexed\"\n" },
        { JOB(",'completionMode':'Indexed','parallelism':100001,"
              "'completions':200000,'backoffLimitPerIndex':1"),
          "spec.parallelism: Invalid value: 100001: must be less than or "
          "equal "
          "to 100000 when completion mode is Indexed\n"
          "spec.maxFailedIndexes: Required value: must be specified when "
          "completions is above 100000\n"
          "spec.parallelism: Invalid value: 100001: must be less than or "
          "equal "
          "to 10000 when completions are above 100000 and used with backoff "
          "limit per index\n" },
        { JOB(",'completionMode':'Indexed','parallelism':1,"
              "'backoffLimitPerIndex':1,'maxFailedIndexes':100001"),
          "spec.completions: Required value: when completion mode is "
          "Indexed\n" },
        { JOB(",'completionMode':'Indexed','completions':1,"
              "'backoffLimitPerIndex':1,'maxFailedIndexes':2"),
          "must be less than or equal to completions\n" },
        { JOB(",'managedBy':'a_/ '"), "spec.managedBy: Invalid value: "
                                      "\"a_\"" },
        { JOB(",'managedBy':'x'"), "must be a domain-prefixed path (such as "
          "\"acme.io/foo\")\n" },
        { JOB(",'managedBy':''"), "spec.managedBy: Required value\n" },
        { "{'spec':{'template':{'spec':{'containers':[{'name':'c',"
          "'image':'i'}]}}}}", "spec.template.spec.restartPolicy: Required "
          "value: valid values: \"OnFailure\", \"Never\"\n" },
        { "{'metadata':{'name':'a.b'},'spec':{'completionMode':'Indexed',"
          "'completions':11," POD "}}", "will not able to create pod with "
          "invalid DNS label: a.b-10\n" },
        { JOB(",'selector':{'matchLabels':{'x':'y'}}"),
          "spec.selector: Invalid value: {\"matchLabels\":{\"batch.kubernetes."
          "io/controller-uid\":\"u-1\",\"x\":\"y\"}}: `selector` not "
          "auto-generated\n" },
        { JOB(",'manualSelector':true"), "spec.selector: Required value\n" },
        { "{'spec':{'template':{'metadata':{'labels':{'job-name':'z'}},"
          "'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'i'}]}}}}",
          "spec.template.metadata.labels[job-name]: Invalid value: {" },
    };

    CASE_RUN("Job", cases);
}

TEST(policies_are_checked)
{
    static const struct builtin_case cases[] = {
        { JOB(",'podFailurePolicy':{'rules':[{},{'action':'FailIndex',"
              "'onExitCodes':{'containerName':'z','values':[2,0,2]},"
              "'onPodConditions':[{'type':'a b'}]},{'action':'X'}]}"),
          "spec.podFailurePolicy.rules[0].action: Required value: valid "
          "values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]\n"
          "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of "
          "OnExitCodes and OnPodConditions is required\n"
          "spec.podFailurePolicy.rules[1].action: Invalid value: "
          "\"FailIndex\": requires the backoffLimitPerIndex to be set\n"
          "spec.podFailurePolicy.rules[1].onExitCodes.operator: Required "
          "value: valid values: [\"In\" \"NotIn\"]\n"
          "spec.podFailurePolicy.rules[1].onExitCodes.containerName: Invalid "
          "value: \"z\": must be one of the container or initContainer names "
          "in the pod template\n"
          "spec.podFailurePolicy.rules[1].onExitCodes.values[2]: Duplicate "
          "value: 2\n"
          "spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: "
          "[2,0,2]: must be ordered\n" },
        { JOB(",'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':"
              "{'operator':'In','values':[0]}}]}"),
          "must not be 0 for the In operator\n" },
        { JOB(",'podReplacementPolicy':'X'"), "supported values: \"Failed\", "
          "\"TerminatingOrFailed\"\n" },
        { JOB(",'successPolicy':{'rules':[{'succeededCount':1}]}"),
          "spec.successPolicy: Invalid value: {\"Rules\":["
          "{\"SucceededIndexes\":null,\"SucceededCount\":1}]}: requires "
          "indexed completion mode\n" },
        { JOB(",'completionMode':'Indexed','completions':5,'successPolicy':"
              "{'rules':[{},{'succeededIndexes':'0-2,1'},"
              "{'succeededIndexes':'1-2-3'},{'succeededIndexes':'x\\n'},"
              "{'succeededIndexes':'5'},{'succeededIndexes':'3-1'},"
              "{'succeededIndexes':'1,3-4','succeededCount':4},"
              "{'succeededCount':6}]}"),
          "at least one of succeededCount or succeededIndexes must be "
          "specified\n"
          "spec.successPolicy.rules[1].succeededIndexes: Invalid value: "
          "\"0-2,1\": error parsing succeededIndexes: non-increasing order, "
          "previous: 2, current: 1\n"
          "spec.successPolicy.rules[2].succeededIndexes: Invalid value: "
          "\"1-2-3\": error parsing succeededIndexes: the fragment \"1-2-3\" "
          "violates the requirement that an index interval can have at most "
          "two parts separated by '-'\n"
          "spec.successPolicy.rules[3].succeededIndexes: Invalid value: "
          "\"x\\n\": "
          "error parsing succeededIndexes: cannot convert string to integer "
          "for index: \"x\\n\"\n"
          "spec.successPolicy.rules[4].succeededIndexes: Invalid value: "
          "\"5\": "
          "error parsing succeededIndexes: too large index: \"5\"\n"
          "spec.successPolicy.rules[5].succeededIndexes: Invalid value: "
          "\"3-1\": error parsing succeededIndexes: non-increasing order, "
          "previous: 3, current: 1\n"
          "spec.successPolicy.rules[6].succeededCount: Invalid value: 4: must "
          "be less than or equal to 3 (the number of indexes in the specified "
          "succeededIndexes field)\n"
          "spec.successPolicy.rules[7].succeededCount: Invalid value: 6: must "
          "be less than or equal to 5 (the number of specified "
          "completions)\n" },
        { JOB(",'completionMode':'Indexed','completions':5,"
              "'successPolicy':{}"), "at least one rules must be specified" },
    };

    CASE_RUN("Job", cases);
}

TEST(cron_jobs_are_checked)
{
    static const struct builtin_case cases[] = {
        { CRON(",'timeZone':'UTC'"), "" },
        { "{'spec':{'jobTemplate':{'spec':{" POD "}}}}",
          "spec.schedule: Required value\n" },
        { CRON(",'schedule':'TZ=UTC * * * *'"), "cannot use TZ or CRON_TZ in "
          "schedule, use timeZone field instead\n" },
        { CRON(",'timeZone':''"), "timeZone must be nil or non-empty "
          "string\n" },
        { CRON(",'timeZone':'local'"), "timeZone must be an explicit time "
                                       "zone "
          "as defined in https://www.iana.org/time-zones\n" },
        { CRON(",'timeZone':'../etc'"), "spec.timeZone: Invalid value: "
          "\"../etc\": unknown time zone ../etc\n" },
        { CRON(",'timeZone':'a b'"), "unknown time zone a b\n" },
        { CRON(",'concurrencyPolicy':'X','startingDeadlineSeconds':-1"),
          "spec.concurrencyPolicy: Unsupported value: \"X\": supported "
          "values: "
          "\"Allow\", \"Forbid\", \"Replace\"\n" },
        { "{'metadata':{'name':'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxx'},'spec':{'schedule':'@daily','jobTemplate':{'spec':{"
          "'selector':{},'manualSelector':true," POD "}}}}",
          "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will "
          "be auto-generated\n"
          "spec.jobTemplate.spec.manualSelector: Unsupported value: true: "
          "supported values: \"nil\", \"false\"\n"
          "metadata.name: Invalid value: "
          "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxx\": must be no more than 52 characters\n" },
    };

    CASE_RUN("CronJob", cases);
}
