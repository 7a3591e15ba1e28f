/* Tests of the log. */

#include "yuloh/log.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"
#include "unit.h"
#include "yuloh/error.h"

/* Keeps what was written. */
struct memory {
    struct yl_log_sink sink;
    struct yl_mutex lock;
    char text[65536];
    size_t size;
    int n_writes;
};

static void
write_to_memory(const struct yl_log_sink *sink, const char *line, size_t size)
{
    struct memory *memory = YL_CONTAINER_OF(sink, struct memory, sink);

    yl_mutex_lock(&memory->lock);
    if (size < sizeof memory->text - memory->size) {
        memcpy(memory->text + memory->size, line, size);
        memory->size += size;
        memory->text[memory->size] = '\0';
    }
    memory->n_writes++;
    yl_mutex_unlock(&memory->lock);
    errno = ENOSPC;
}

static struct memory memory = { .sink = { write_to_memory },
                                .lock = YL_MUTEX_INIT };

static void
start(void)
{
    memory.size = 0;
    memory.text[0] = '\0';
    memory.n_writes = 0;
    yl_log_set_sink(&memory.sink);
    yl_log_set_verbosity(0);
    yl_log_set_format(YL_LOG_TEXT);
}

TEST(macros_write_one_line_each)
{
    start();
    yl_log_info("Alone");
    yl_log_info("Synced", YL_LOG_STR("key", YL_STR("a/b")),
                YL_LOG_INT("n", 3));
    yl_log_warning("Slow", YL_LOG_MSEC("took", 1500));
    yl_log_error(YL_ECONFLICT, "Failed");
    yl_log_error(0, "Odd", YL_LOG_BOOL("really", true));
    assert_int_equal(memory.n_writes, 5);
    assert_non_null(strstr(memory.text, "] \"Alone\"\n"));
    assert_non_null(strstr(memory.text, "] \"Synced\" key=\"a/b\" n=3\nW"));
    assert_non_null(strstr(memory.text, " log_test.c:"));
    assert_non_null(strstr(memory.text, "] \"Slow\" took=\"1.5s\"\nE"));
    assert_non_null(strstr(memory.text,
                           "] \"Failed\" err=\"object has changed\"\n"));
    assert_non_null(strstr(memory.text, "] \"Odd\" really=true\n"));
    yl_log_set_format(YL_LOG_JSON);
    yl_log_info("As JSON");
    assert_non_null(strstr(memory.text, "\"msg\":\"As JSON\",\"v\":0}\n"));
}

static int n_evaluated;

static int
evaluate(void)
{
    return ++n_evaluated;
}

TEST(verbosity_decides_and_fields_wait_for_it)
{
    start();
    yl_log_v(1, "Hidden", YL_LOG_INT("n", evaluate()));
    assert_int_equal(n_evaluated, 0);
    assert_int_equal(memory.n_writes, 0);
    assert_true(yl_log_is_on(0));
    assert_false(yl_log_is_on(1));
    yl_log_v(0, "Shown");
    yl_log_set_verbosity(4);
    /* One statement, so no dangling else.  NOLINTNEXTLINE */
    if (n_evaluated)
        yl_log_v(4, "Wrong");
    else                        /* NOLINT */
        yl_log_v(4, "Shown too", YL_LOG_INT("n", evaluate()));
    assert_int_equal(memory.n_writes, 2);
    assert_non_null(strstr(memory.text, "\"Shown too\" n=1\n"));
    yl_log_v(5, "Hidden");
    assert_int_equal(memory.n_writes, 2);
}

TEST(errno_survives)
{
    start();
    errno = EXDEV;
    yl_log_info("Line");
    assert_int_equal(errno, EXDEV);
    assert_int_equal(memory.n_writes, 1);
}

static void
log_much(void *unused YL_UNUSED)
{
    int i;

    for (i = 0; i < 200; i++) {
        yl_log_info("Line", YL_LOG_INT("i", i));
        yl_log_set_verbosity(i);
        yl_log_v(1, "Verbose");
    }
}

/* Takes what comes through a pipe to its end. */
struct drain {
    int fd;
    size_t size;
    char text[1 << 18];
};

static void
drain_pipe(void *drain_)
{
    struct drain *drain = drain_;
    ssize_t n;

    while (drain->size < sizeof drain->text - 1
           && (n = read(drain->fd, drain->text + drain->size,
                        sizeof drain->text - 1 - drain->size)) > 0) {
        drain->size += (size_t) n;
    }
    drain->text[drain->size] = '\0';
}

/* To a pipe through standard error, as in a container. */
TEST(lines_of_threads_do_not_mix)
{
    static struct drain drain;
    struct yl_thread threads[3], drainer;
    int pipe_fds[2], saved = dup(STDERR_FILENO), status;
    char *line;
    size_t n_lines = 0;
    int i;

    start();
    yl_log_set_sink(NULL);
    assert_int_equal(pipe(pipe_fds), 0);
    drain.fd = pipe_fds[0];
    assert_int_equal(yl_thread_start(&drainer, "drain", drain_pipe, &drain),
                     0);
    dup2(pipe_fds[1], STDERR_FILENO);
    close(pipe_fds[1]);
    for (i = 0; i < 3; i++) {
        status = yl_thread_start(&threads[i], "logger", log_much, NULL);
        assert_int_equal(status, 0);
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    dup2(saved, STDERR_FILENO);
    close(saved);
    yl_log_set_sink(&memory.sink);
    yl_thread_join(&drainer);
    close(pipe_fds[0]);
    for (line = drain.text; strchr(line, '\n');
         line = strchr(line, '\n') + 1) {
        assert_int_equal(line[0], 'I');
        assert_true(strncmp(strchr(line, ']'), "] \"Line\" i=", 11) == 0
                    || strncmp(strchr(line, ']'), "] \"Verbose\"\n", 12) == 0);
        n_lines++;
    }
    assert_int_equal(*line, '\0');
    assert_true(n_lines >= 600);
}

TEST(fatal_ends_the_process_with_status_1)
{
    int status;
    pid_t pid;

    start();
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        close(STDOUT_FILENO);
        yl_log_set_sink(NULL);
        close(STDERR_FILENO);   /* A line that cannot be written is lost. */
        yl_log_fatal(YL_EINTERNAL, "The end");
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

TEST(flags_set_verbosity_in_every_spelling)
{
    static const struct {
        const char *arg, *next;
        int taken, verbosity;
    } cases[] = {
        { "-v", "1", 2, 1 }, { "-v=2", NULL, 1, 2 }, { "-v3", "9", 1, 3 },
        { "--v=4", "9", 1, 4 }, { "--v", "5", 2, 5 },
        { "-v10", NULL, 1, 10 },
        { "--version", "9", 0, 10 }, { "-version", NULL, 0, 10 },
        { "-x", "9", 0, 10 }, { "", NULL, 0, 10 }, { "-", NULL, 0, 10 },
    };
    size_t i;

    start();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_log_parse_flag(cases[i].arg, cases[i].next, NULL),
                         cases[i].taken);
        assert_true(yl_log_is_on(cases[i].verbosity));
        assert_false(yl_log_is_on(cases[i].verbosity + 1));
    }
}

TEST(flags_set_the_format)
{
    start();
    assert_int_equal(yl_log_parse_flag("--logging-format=json", NULL, NULL),
                     1);
    yl_log_info("One");
    assert_int_equal(memory.text[0], '{');
    start();
    assert_int_equal(yl_log_parse_flag("--logging-format", "json", NULL), 2);
    assert_int_equal(yl_log_parse_flag("--logging-format", "text", NULL), 2);
    yl_log_info("Two");
    assert_int_equal(memory.text[0], 'I');
}

TEST(bad_flags_are_errors_with_a_sentence)
{
    static const struct {
        const char *arg, *next, *message;
    } cases[] = {
        { "-v", NULL, "flag needs an argument: -v" },
        { "-v=x", NULL,
          "invalid log level \"x\": not a number from 0 to 2147483647" },
        { "--v", "-1",
          "invalid log level \"-1\": not a number from 0 to 2147483647" },
        { "-v99999999999", NULL, "invalid log level \"99999999999\": not a "
                                 "number from 0 to 2147483647" },
        { "--logging-format=xml", NULL,
          "invalid log format \"xml\": use text or json" },
        { "--logging-format", NULL,
          "flag needs an argument: --logging-format" },
    };
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    start();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_log_parse_flag(cases[i].arg, cases[i].next, &err),
                         YL_EINVALID);
        assert_string_equal(yl_error_message(&err), cases[i].message);
    }
    yl_error_clear(&err);
    assert_false(yl_log_is_on(1));
}
