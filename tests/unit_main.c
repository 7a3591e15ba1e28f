/* The main program of every unit test.  See tests/unit.h.
 *
 *     X_test            runs all cases
 *     X_test --list     prints their names */

#include "unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_TESTS 1024

/* Sanitizers ask these, if they are there.  Tests of out-of-memory need a
 * malloc that returns NULL, and undefined behaviour must fail a test. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__ubsan_default_options(void);

const char *
__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *
__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *
__ubsan_default_options(void)
{
    return "halt_on_error=1:print_stacktrace=1";
}

static struct CMUnitTest tests[MAX_TESTS];
static size_t n_tests;

void
unit_register(const char *name, unit_test_fn *function)
{
    if (n_tests == MAX_TESTS) {
        fprintf(stderr, "more than %d tests in one file\n", MAX_TESTS);
        abort();
    }
    tests[n_tests].name = name;
    tests[n_tests++].test_func = function;
}

void
unit_assert_str_equal(struct yl_str s, const char *c, const char *file,
                      int line)
{
    if (!yl_str_equal_c(s, c)) {
        print_error("\"%.*s\" != \"%s\"\n", YL_STR_ARG(s), c);
        _fail(file, line);
    }
}

const char *
truth_path(const char *name)
{
    static char path[4096];
    const char *root = getenv("YULOH_TRUTH");

    if (!root) {
        root = YULOH_SOURCE_ROOT "/../shared/truth";
    }
    if (access(root, R_OK) != 0) {
        print_message("skipped: ../shared/truth is not here\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

const char *
source_path(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", YULOH_SOURCE_ROOT, name);
    return path;
}

char *
read_file(const char *path, size_t *ret_size)
{
    FILE *f = fopen(path, "rb");
    char *data;
    long size;

    if (!f) {
        print_error("cannot open %s\n", path);
        fail();
    }
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    data = malloc((size_t) size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t) size, f), size);
    data[size] = '\0';
    fclose(f);
    if (ret_size) {
        *ret_size = (size_t) size;
    }
    return data;
}

#ifdef UNIT_COVERAGE
extern void __gcov_dump(void);
#endif

/* A process that aborts does not save what it counted, so do it before. */
static void
save_coverage(int signal_number)
{
#ifdef UNIT_COVERAGE
    __gcov_dump();
#endif
    signal(signal_number, SIG_DFL);
}

void
unit_assert_aborts(void (*function)(void *), void *arg, const char *text,
                   const char *file, int line)
{
    char output[4096];
    size_t size = 0;
    ssize_t n;
    int pipe_fds[2], status;
    pid_t pid;

    assert_int_equal(pipe(pipe_fds), 0);
    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct rlimit no_core = { 0, 0 };

        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, save_coverage);
        dup2(pipe_fds[1], STDERR_FILENO);
        function(arg);
        _exit(0);
    }
    close(pipe_fds[1]);
    while (size < sizeof output - 1
           && (n = read(pipe_fds[0], output + size,
                        sizeof output - 1 - size)) > 0) {
        size += (size_t) n;
    }
    output[size] = '\0';
    close(pipe_fds[0]);
    waitpid(pid, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT
        || !strstr(output, text)) {
        print_error("no abort with \"%s\": status %d, \"%s\"\n", text, status,
                    output);
        _fail(file, line);
    }
}

int
main(int argc, char *argv[])
{
    size_t i;

    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (i = 0; i < n_tests; i++) {
            puts(tests[i].name);
        }
        return 0;
    }
    return _cmocka_run_group_tests("unit", tests, n_tests, NULL, NULL);
}
