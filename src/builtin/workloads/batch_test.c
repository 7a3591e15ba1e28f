/* Tests of Job and CronJob. */

#include "builtin_case.h"

#define POD "'template':{'spec':{'restartPolicy':'Never','containers':"      \
            "[{'name':'c','image':'i'}]}}"
#define JOB(MORE) "{'spec':{" POD MORE "}}"
#define CRON(MORE) "{'spec':{'schedule':'* * * * *','jobTemplate':{'spec':{"  \
                   POD "}}" MORE "}}"

TEST(jobs_get_defaults)
{
    CASE_DEFAULT("Job", JOB(""),
                 "{'spec':{'backoffLimit':6,'completionMode':'NonIndexed',"
                 "'completions':1,'manualSelector':false,'parallelism':1,"
                 "'podReplacementPolicy':'TerminatingOrFailed',"
                 "'suspend':false,'template':{'spec':{'containers':[{"
                 "'image':'i','imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Never',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}}");
    CASE_DEFAULT("Job",
                 JOB(",'backoffLimitPerIndex':1,'podFailurePolicy':"
                     "{'rules':[{'onPodConditions':[{}]}]}"),
                 "{'spec':{'backoffLimit':2147483647,"
                 "'backoffLimitPerIndex':1,'completionMode':'NonIndexed',"
                 "'completions':1,'manualSelector':false,'parallelism':1,"
                 "'podFailurePolicy':{'rules':[{'onPodConditions':[{"
                 "'status':'True'}]}]},'podReplacementPolicy':'Failed',"
                 "'suspend':false,'template':{'spec':{'containers':[{"
                 "'image':'i','imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Never',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}}");
    CASE_DEFAULT("CronJob", CRON(""),
                 "{'spec':{'concurrencyPolicy':'Allow',"
                 "'failedJobsHistoryLimit':1,'jobTemplate':{'spec':{"
                 "'template':{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Never',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}},'schedule':'* * * * "
                 "*','successfulJobsHistoryLimit':3,'suspend':false}}");
}

TEST(jobs_are_checked)
{
    static const struct builtin_case cases[] = {
        { JOB(""), "" },
        { JOB(",'parallelism':-1"), "spec.parallelism: Invalid value: -1: "
                                    "must "
          "be greater than or equal to 0\n" },
        { JOB(",'maxFailedIndexes':1"),
          "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes "
          "is specified\n"
          "spec.maxFailedIndexes: Invalid value: 1: requires indexed "
          "completion mode\n" },
        { JOB(",'completionMode':'X'"),
          "spec.completionMode: Unsupported value: \"X\": supported values: "
          "\"NonIndexed\", \"Indexed\"\n" },
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
          "Indexed\n"
          "spec.maxFailedIndexes: Invalid value: 100001: must be less than "
          "or equal to 100000\n" },
        { JOB(",'completionMode':'Indexed','completions':1,"
              "'backoffLimitPerIndex':1,'maxFailedIndexes':2"),
          "spec.maxFailedIndexes: Invalid value: 2: must be less than or "
          "equal to completions\n" },
        { JOB(",'managedBy':'a_/ '"),
          "spec.managedBy: Invalid value: \"a_\": " CASE_SUBDOMAIN "\n"
          "spec.managedBy: Invalid value: \" \": Invalid path (regex used "
          "for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')\n" },
        { JOB(",'managedBy':'x'"),
          "spec.managedBy: Invalid value: \"x\": must be a domain-prefixed "
          "path (such as \"acme.io/foo\")\n" },
        { JOB(",'managedBy':''"), "spec.managedBy: Required value\n" },
        { "{'spec':{'template':{'spec':{'containers':[{'name':'c',"
          "'image':'i'}]}}}}", "spec.template.spec.restartPolicy: Required "
          "value: valid values: \"OnFailure\", \"Never\"\n" },
        { "{'metadata':{'name':'a.b'},'spec':{'completionMode':'Indexed',"
          "'completions':11," POD "}}",
          "metadata.name: Invalid value: \"a.b\": will not able to create "
          "pod with invalid DNS label: a.b-10\n" },
        { JOB(",'selector':{'matchLabels':{'x':'y'}}"),
          "spec.selector: Invalid value: {\"matchLabels\":{"
          "\"batch.kubernetes.io/controller-uid\":\"u-1\",\"x\":\"y\"}}: "
          "`selector` not auto-generated\n"
          "spec.template.metadata.labels: Invalid value: {"
          "\"batch.kubernetes.io/controller-uid\":\"u-1\","
          "\"batch.kubernetes.io/job-name\":\"a\",\"controller-uid\":\"u-1\","
          "\"job-name\":\"a\"}: `selector` does not match template "
          "`labels`\n" },
        { JOB(",'manualSelector':true"),
          "spec.selector: Required value\n"
          "spec.template.metadata.labels: Invalid value: null: `selector` "
          "does not match template `labels`\n" },
        { "{'spec':{'template':{'metadata':{'labels':{'job-name':'z'}},"
          "'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'i'}]}}}}",
          "spec.template.metadata.labels[job-name]: Invalid value: {"
          "\"batch.kubernetes.io/controller-uid\":\"u-1\","
          "\"batch.kubernetes.io/job-name\":\"a\",\"controller-uid\":\"u-1\","
          "\"job-name\":\"z\"}: must be 'a'\n" },
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
          "[2,0,2]: must be ordered\n"
          "spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid "
          "value: \"a b\": " CASE_NAME_PART "\n"
          "spec.podFailurePolicy.rules[1]: Invalid value: specifying both "
          "OnExitCodes and OnPodConditions is not supported\n"
          "spec.podFailurePolicy.rules[2].action: Unsupported value: \"X\": "
          "supported values: \"Count\", \"FailIndex\", \"FailJob\", "
          "\"Ignore\"\n"
          "spec.podFailurePolicy.rules[2]: Invalid value: specifying one of "
          "OnExitCodes and OnPodConditions is required\n" },
        { JOB(",'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':"
              "{'operator':'In','values':[0]}}]}"),
          "spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid "
          "value: 0: must not be 0 for the In operator\n" },
        { JOB(",'podReplacementPolicy':'X'"),
          "spec.podReplacementPolicy: Unsupported value: \"X\": supported "
          "values: \"Failed\", \"TerminatingOrFailed\"\n" },
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
          "spec.successPolicy.rules[0]: Required value: at least one of "
          "succeededCount or succeededIndexes must be specified\n"
          "spec.successPolicy.rules[1].succeededIndexes: Invalid value: "
          "\"0-2,1\": error parsing succeededIndexes: non-increasing order, "
          "previous: 2, current: 1\n"
          "spec.successPolicy.rules[2].succeededIndexes: Invalid value: "
          "\"1-2-3\": error parsing succeededIndexes: the fragment \"1-2-3\" "
          "violates the requirement that an index interval can have at most "
          "two parts separated by '-'\n"
          "spec.successPolicy.rules[3].succeededIndexes: Invalid value: "
          "\"x\\n\": error parsing succeededIndexes: cannot convert string "
          "to integer for index: \"x\\n\"\n"
          "spec.successPolicy.rules[4].succeededIndexes: Invalid value: "
          "\"5\": error parsing succeededIndexes: too large index: \"5\"\n"
          "spec.successPolicy.rules[5].succeededIndexes: Invalid value: "
          "\"3-1\": error parsing succeededIndexes: non-increasing order, "
          "previous: 3, current: 1\n"
          "spec.successPolicy.rules[6].succeededCount: Invalid value: 4: "
          "must be less than or equal to 3 (the number of indexes in the "
          "specified succeededIndexes field)\n"
          "spec.successPolicy.rules[7].succeededCount: Invalid value: 6: "
          "must be less than or equal to 5 (the number of specified "
          "completions)\n" },
        { JOB(",'completionMode':'Indexed','completions':5,"
              "'successPolicy':{}"),
              "spec.successPolicy.rules: Required value: at least one rules "
              "must be specified when the successPolicy is specified\n" },
    };

    CASE_RUN("Job", cases);
}

TEST(cron_jobs_are_checked)
{
    static const struct builtin_case cases[] = {
        { CRON(",'timeZone':'UTC'"), "" },
        { "{'spec':{'jobTemplate':{'spec':{" POD "}}}}",
          "spec.schedule: Required value\n" },
        { CRON(",'schedule':'TZ=UTC * * * *'"),
          "spec.schedule: Invalid value: \"TZ=UTC * * * *\": expected "
          "exactly 5 fields, found 4: [* * * *]\n"
          "spec.schedule: Invalid value: \"TZ=UTC * * * *\": cannot use TZ "
          "or CRON_TZ in schedule, use timeZone field instead\n" },
        { CRON(",'timeZone':''"),
          "spec.timeZone: Invalid value: \"\": timeZone must be nil or "
          "non-empty string\n" },
        { CRON(",'timeZone':'local'"),
          "spec.timeZone: Invalid value: \"local\": timeZone must be an "
          "explicit time zone as defined in https://www.iana.org/time-zones\n"
          "spec.timeZone: Invalid value: \"local\": unknown time zone "
          "local\n" },
        { CRON(",'timeZone':'../etc'"), "spec.timeZone: Invalid value: "
          "\"../etc\": unknown time zone ../etc\n" },
        { CRON(",'timeZone':'a b'"),
          "spec.timeZone: Invalid value: \"a b\": unknown time zone a b\n" },
        { CRON(",'concurrencyPolicy':'X','startingDeadlineSeconds':-1"),
          "spec.startingDeadlineSeconds: Invalid value: -1: must be greater "
          "than or equal to 0\n"
          "spec.concurrencyPolicy: Unsupported value: \"X\": supported "
          "values: \"Allow\", \"Forbid\", \"Replace\"\n" },
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

TEST(failed_pods_are_not_restarted_by_policy)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'podFailurePolicy':{'rules':[{'action':'Ignore',"
          "'onPodConditions':[{'type':'a','status':''},"
          "{'type':'a','status':'X'}]}]},'template':{'spec':{"
          "'restartPolicy':'OnFailure','containers':[{'name':'c',"
          "'image':'i'}]}}}}",
          "spec.podFailurePolicy.rules[0].onPodConditions[1].status: "
          "Unsupported value: \"X\": supported values: \"False\", \"True\", "
          "\"Unknown\"\n"
          "spec.template.spec.restartPolicy: Invalid value: \"OnFailure\": "
          "only \"Never\" is supported when podFailurePolicy is specified\n" },
    };

    CASE_RUN("Job", cases);
}
