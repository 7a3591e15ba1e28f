/* Tests of what yl_main() does without an API server; tests/e2e/network.sh has
 * one. */

#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/controller.h"

static int
nothing(struct yl_request *req YL_UNUSED)
{
    return 0;
}

static const struct yl_controller demo = {
    .name = "demo",
    .reconcile = nothing,
    .watches = YL_WATCHES({ .for_ = &core_v1_pod_kind }),
};

static const struct yl_controller bad = {
    .name = "bad",
    .watches = YL_WATCHES({ .for_ = &core_v1_pod_kind }),
};

/* Calls yl_main() with both outputs in a file, whose text is returned in a
 * buffer that the next call uses again. */
static const char *
call(const struct yl_controller *const *controllers, int *ret_status,
     const char *flag)
{
    static char text[16384];
    FILE *file = tmpfile();
    char name[] = "/usr/bin/demo-program";
    char argument[256];
    char *argv[] = { name, argument, NULL };
    int out = dup(1), errors = dup(2);
    size_t n;

    snprintf(argument, sizeof argument, "%s", flag);
    fflush(stdout);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    *ret_status = yl_main(2, argv, controllers);
    fflush(stdout);
    dup2(out, 1);
    dup2(errors, 2);
    close(out);
    close(errors);
    rewind(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

static void
assert_says(const struct yl_controller *const *controllers, const char *flag,
            int status, const char *words)
{
    int got;
    const char *text = call(controllers, &got, flag);

    if (!strstr(text, words)) {
        fail_msg("%s does not say \"%s\": %s", flag, words, text);
    }
    assert_int_equal(got, status);
}

TEST(the_help_lists_the_flags)
{
    assert_says(YL_CONTROLLERS(&demo), "--help", 0,
                "usage: demo-program [FLAG]...");
    assert_says(YL_CONTROLLERS(&demo), "-h", 0, "--leader-elect-retry-period");
}

TEST(flags_that_make_no_sense_are_a_misuse)
{
    assert_says(YL_CONTROLLERS(&demo), "--nothing", 2,
                "demo-program: no flag --nothing");
    assert_says(YL_CONTROLLERS(&demo), "word", 2, "one word too many");
    assert_says(YL_CONTROLLERS(&demo), "--logging-format=xml", 2,
                "neither text nor json");
}

TEST(tables_that_make_no_sense_are_refused_before_anything_connects)
{
    assert_says(YL_CONTROLLERS(&demo, &bad), "--master=http://127.0.0.1:1", 1,
                "controller bad needs a 'reconcile'");
    assert_says(YL_CONTROLLERS(NULL), "--v=0", 1, "there is no controller");
}

TEST(names_must_be_such_that_objects_may_have)
{
    assert_says(YL_CONTROLLERS(&demo), "--namespace=a/b", 1,
                "'a/b' is no name of a namespace");
    assert_says(YL_CONTROLLERS(&demo), "--leader-elect-resource-name=a_b", 1,
                "'a_b' is no name of a Lease");
}

TEST(dumps_need_no_server)
{
    assert_says(YL_CONTROLLERS(&demo), "--dump-graph", 0, "\"Pod\" -> ");
    assert_says(YL_CONTROLLERS(&demo), "--dump-rbac", 0,
                "name: demo-program\n");
}

TEST(a_missing_configuration_is_named)
{
    assert_says(YL_CONTROLLERS(&demo), "--kubeconfig=/nowhere/at-all", 1,
                "/nowhere/at-all");
}
