/* Tests of running plug-ins. */

#include "client/exec_run.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/thread.h"
#include "unit.h"
#include "yuloh/cancel.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

struct fixture {
    const char *args[2];
    struct yl_client_exec exec;
    struct yl_buf out;
    struct yl_error err;
};

/* A plug-in that is a script of the shell. */
static void
set_up(struct fixture *f, const char *script)
{
    memset(f, 0, sizeof *f);
    f->args[0] = "-c";
    f->args[1] = script;
    f->exec.command = "sh";
    f->exec.args = f->args;
    f->exec.n_args = 2;
    yl_buf_init(&f->out, 1 << 16);
}

static int
run(struct fixture *f, yl_msec timeout, struct yl_cancel *cancel)
{
    return yl_exec_run(&f->exec, "the info", false, timeout, cancel, &f->out,
                       &f->err);
}

static void
tear_down(struct fixture *f)
{
    yl_buf_release(&f->out);
    yl_error_clear(&f->err);
}

TEST(it_gets_its_environment_and_nothing_on_standard_input)
{
    static const struct yl_client_exec_env env[] = {
        { "A", "first" }, { "A", "last" }, { "HOME", "/plug-in" },
        { "KUBERNETES_EXEC_INFO", "not this" },
    };
    struct fixture f;

    assert_int_equal(setenv("YULOH_INHERITED", "yes", 1), 0);
    set_up(&f, "cat; echo \"$KUBERNETES_EXEC_INFO $A $HOME "
               "$YULOH_INHERITED\"; env | grep -c ^A=");
    f.exec.env = env;
    f.exec.n_env = YL_ARRAY_SIZE(env);
    assert_int_equal(run(&f, 0, NULL), 0);
    assert_string_equal(yl_buf_c_str(&f.out),
                        "the info last /plug-in yes\n1\n");
    tear_down(&f);
}

TEST(a_program_may_ignore_the_end_of_its_children)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
    struct fixture f;

    sigaction(SIGCHLD, &ignore, &old);
    set_up(&f, "echo hello; exit 3");
    assert_int_equal(run(&f, 0, NULL), 0);
    assert_string_equal(yl_buf_c_str(&f.out), "hello\n");
    sigaction(SIGCHLD, &old, NULL);
    tear_down(&f);
}

TEST(a_failure_is_named)
{
    struct fixture f;

    set_up(&f, "exit 3");
    assert_int_equal(run(&f, 0, NULL), YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&f.err),
                        "exec: executable sh failed with exit code 3");
    tear_down(&f);
    set_up(&f, "kill -9 $$");
    assert_int_equal(run(&f, 0, NULL), YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&f.err),
                        "exec: executable sh failed with signal 9");
    tear_down(&f);
}

TEST(a_plug_in_that_is_not_installed_comes_with_its_hint)
{
    struct fixture f;

    set_up(&f, "");
    f.exec.command = "yuloh-no-such-plug-in";
    f.exec.install_hint = "apt install it";
    assert_int_equal(run(&f, 0, NULL), YL_EUNAUTHORIZED);
    assert_non_null(strstr(yl_error_message(&f.err),
                           "exec: executable yuloh-no-such-plug-in not "
                           "found\n\nIt looks like"));
    assert_non_null(strstr(yl_error_message(&f.err), "\n\napt install it"));
    f.exec.command = "/dev/null";
    assert_int_equal(run(&f, 0, NULL), YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&f.err),
                        "exec: executable /dev/null: Permission denied");
    tear_down(&f);
}

TEST(too_much_output_is_refused)
{
    struct fixture f;

    set_up(&f, "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
    assert_int_equal(run(&f, 0, NULL), YL_EUNAUTHORIZED);
    assert_non_null(strstr(yl_error_message(&f.err), "printed more than"));
    tear_down(&f);
}

/* The plug-in prints the id of a process that it has started, and both must be
 * gone afterwards. */
static void
expect_killed(struct fixture *f)
{
    pid_t pid = (pid_t) strtol(yl_buf_c_str(&f->out), NULL, 10);

    assert_true(pid > 1);

    /* Nobody may have collected it yet, but it runs no more: a zombie has no
     * command line. */
    for (;;) {
        char path[64], line[8];
        FILE *file;
        size_t n = 0;

        if (kill(pid, 0) < 0 && errno == ESRCH) {
            return;
        }
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int) pid);
        file = fopen(path, "r");
        if (file) {
            n = fread(line, 1, sizeof line, file);
            fclose(file);
        }
        if (!n) {
            return;
        }
    }
}

TEST(one_that_takes_too_long_is_killed_with_its_children)
{
    struct fixture f;

    set_up(&f, "sleep 1000 & echo $!; wait");
    assert_int_equal(run(&f, 300, NULL), YL_ETIMEOUT);
    if (f.out.size) {
        expect_killed(&f);
    }
    tear_down(&f);

    /* Also if it has closed its output. */
    set_up(&f, "exec >&-; exec sleep 1000");
    assert_int_equal(run(&f, 300, NULL), YL_ETIMEOUT);
    tear_down(&f);
}

static void
cancel_it(void *cancel)
{
    yl_cancel_now(cancel);
}

TEST(a_cancel_ends_it)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_thread thread;
    struct fixture f;

    set_up(&f, "sleep 1000");
    assert_int_equal(yl_thread_start(&thread, "cancel", cancel_it, cancel), 0);
    assert_int_equal(run(&f, 0, cancel), YL_ECANCELED);
    yl_thread_join(&thread);
    yl_cancel_unref(cancel);
    tear_down(&f);
}

/* Threads of the library block all signals; a plug-in must not inherit
 * that. */
static void
run_in_thread(void *f)
{
    assert_int_equal(run(f, 0, NULL), 0);
}

TEST(signals_are_not_blocked_in_it)
{
    struct yl_thread thread;
    struct fixture f;

    set_up(&f, "grep SigBlk /proc/self/status");
    assert_int_equal(yl_thread_start(&thread, "run", run_in_thread, &f), 0);
    yl_thread_join(&thread);
    assert_string_equal(yl_buf_c_str(&f.out), "SigBlk:\t0000000000000000\n");
    tear_down(&f);
}
