/* Runs a plug-in.  See client/exec_run.h. */

#include "client/exec_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

#define PIECE 4096

static int start(const struct yl_client_exec *, const char *info,
                 bool interactive, int out_fd, pid_t *ret_pid,
                 struct yl_error *);
static int find_program(struct yl_arena *, const char *command,
                        const char **ret_path);
static int is_program(const char *path);
static char **make_environment(struct yl_arena *,
                               const struct yl_client_exec *,
                               const char *info);
static bool has_name_of(char *const *variables, size_t n,
                        const char *variable);
static int collect(const struct yl_client_exec *, int fd, yl_msec deadline,
                   struct yl_cancel *, struct yl_buf *out, struct yl_error *);
static int await(const struct yl_client_exec *, pid_t, yl_msec deadline,
                 struct yl_cancel *, struct yl_error *);
static int wait_for(int fd, yl_msec deadline, struct yl_cancel *);
static int ended_early(const struct yl_client_exec *, int code,
                       struct yl_error *);
static int not_there(const struct yl_client_exec *, int error,
                     struct yl_error *);

int
yl_exec_run(const struct yl_client_exec *exec, const char *info,
            bool interactive, yl_msec timeout, struct yl_cancel *cancel,
            struct yl_buf *out, struct yl_error *err)
{
    yl_msec deadline = timeout ? yl_now(NULL) + timeout : YL_NEVER;
    int fds[2], status = 0, r;
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE, "exec: %s: %s",
                            exec->command, strerror(errno));
    }
    r = start(exec, info, interactive, fds[1], &pid, err);
    close(fds[1]);
    if (r < 0) {
        close(fds[0]);
        return r;
    }
    r = collect(exec, fds[0], deadline, cancel, out, err);
    close(fds[0]);
    if (r == 0) {
        r = await(exec, pid, deadline, cancel, err);
    }
    if (r < 0) {
        kill(interactive ? pid : -pid, SIGKILL);
    }

    /* If the program ignores SIGCHLD, or waits for every child itself, nobody
     * can say how it has ended.  Then what it has printed must do. */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        continue;
    }
    if (r < 0) {
        return r;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return yl_error_set(err, YL_EUNAUTHORIZED,
                            "exec: executable %s failed with %s %d",
                            exec->command,
                            WIFEXITED(status) ? "exit code" : "signal",
                            WIFEXITED(status) ? WEXITSTATUS(status)
                                              : WTERMSIG(status));
    }
    return 0;
}

static int
start(const struct yl_client_exec *exec, const char *info, bool interactive,
      int out_fd, pid_t *ret_pid, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    char **argv = yl_arena_array(arena, exec->n_args + 2, sizeof *argv);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const char *path = NULL;
    sigset_t none, all;
    int error = find_program(arena, exec->command, &path);
    size_t i;

    if (error) {
        yl_arena_free(arena);
        return not_there(exec, error, err);
    }
    argv[0] = yl_arena_strdup(arena, yl_str_c(exec->command));
    for (i = 0; i < exec->n_args; i++) {
        argv[i + 1] = yl_arena_strdup(arena, yl_str_c(exec->args[i]));
    }
    posix_spawn_file_actions_init(&actions);
    if (!interactive) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                         O_RDONLY, 0);
    }
    posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);

    /* A program may have made descriptors that are not closed on exec. */
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             (short) (POSIX_SPAWN_SETSIGMASK
                                      | POSIX_SPAWN_SETSIGDEF
                                      | (interactive
                                         ? 0 : POSIX_SPAWN_SETPGROUP)));
    error = posix_spawn(ret_pid, path, &actions, &attributes, argv,
                        make_environment(arena, exec, info));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    yl_arena_free(arena);
    return error ? not_there(exec, error, err) : 0;
}

/* The path of 'command', which is looked for in PATH if it has no slash: 0, or
 * an errno.  As in Go, parts of PATH that are relative are passed over:
 * whoever owns the current directory must not choose the program. */
static int
find_program(struct yl_arena *arena, const char *command,
             const char **ret_path)
{
    const char *variable = getenv("PATH");
    struct yl_str rest = yl_str_c(variable ? variable : ""), part;
    bool more;

    if (strchr(command, '/')) {
        *ret_path = command;
        return is_program(command);
    }
    do {
        more = yl_str_cut(rest, ':', &part, &rest);
        part = more ? part : rest;
        if (yl_str_starts_with(part, YL_STR("/"))) {
            *ret_path = yl_arena_printf(arena, "%.*s/%s", YL_STR_ARG(part),
                                        command);
            if (is_program(*ret_path) == 0) {
                return 0;
            }
        }
    } while (more);
    return ENOENT;
}

/* 0 if it may be run, else an errno. */
static int
is_program(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0) {
        return errno;
    }
    return S_ISREG(st.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

/* What the plug-in is told, its own variables, and our environment.  Of a name
 * that is there several times only the last one counts. */
static char **
make_environment(struct yl_arena *arena, const struct yl_client_exec *exec,
                 const char *info)
{
    size_t n_inherited = 0, n_own, n = 0, i;
    char **all;

    while (environ && environ[n_inherited]) {
        n_inherited++;
    }
    all = yl_arena_array(arena, exec->n_env + n_inherited + 2, sizeof *all);
    all[n++] = yl_arena_printf(arena, "KUBERNETES_EXEC_INFO=%s", info);
    for (i = exec->n_env; i-- > 0;) {
        char *variable = yl_arena_printf(arena, "%s=%s", exec->env[i].name,
                                         exec->env[i].value);

        if (!has_name_of(all, n, variable)) {
            all[n++] = variable;
        }
    }
    n_own = n;
    for (i = 0; i < n_inherited; i++) {
        if (!has_name_of(all, n_own, environ[i])) {
            all[n++] = environ[i];
        }
    }
    return all;
}

/* Is one of 'n' variables called like 'variable'? */
static bool
has_name_of(char *const *variables, size_t n, const char *variable)
{
    size_t size = strcspn(variable, "=") + 1, i;

    for (i = 0; i < n; i++) {
        if (strncmp(variables[i], variable, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads until the plug-in closes its output. */
static int
collect(const struct yl_client_exec *exec, int fd, yl_msec deadline,
        struct yl_cancel *cancel, struct yl_buf *out, struct yl_error *err)
{
    for (;;) {
        char piece[PIECE];
        ssize_t n;
        int r = wait_for(fd, deadline, cancel);

        if (r < 0) {
            return ended_early(exec, r, err);
        }
        n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return 0;
        }
        if ((size_t) n > out->ceiling - out->size) {
            return yl_error_set(err, YL_EUNAUTHORIZED,
                                "exec: executable %s printed more than %zu "
                                "bytes", exec->command, out->ceiling);
        }
        yl_buf_append(out, piece, (size_t) n);
        explicit_bzero(piece, sizeof piece);
    }
}

/* Waits for the end of the plug-in, which has closed its output.  It ends with
 * that nearly always, so looking from time to time is enough. */
static int
await(const struct yl_client_exec *exec, pid_t pid, yl_msec deadline,
      struct yl_cancel *cancel, struct yl_error *err)
{
    yl_msec nap = 1;

    for (;;) {
        siginfo_t info = { .si_pid = 0 };
        yl_msec until = yl_now(NULL) + nap;
        int r;

        if (waitid(P_PID, (id_t) pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0
            || info.si_pid == pid) {
            return 0;
        }
        r = wait_for(-1, until < deadline ? until : deadline, cancel);
        if (r == YL_ECANCELED || yl_now(NULL) >= deadline) {
            return ended_early(exec, r, err);
        }
        nap = nap < 20 ? nap * 2 : nap;
    }
}

/* Waits until 'fd' is readable (-1: for nothing): 0, YL_ETIMEOUT or
 * YL_ECANCELED. */
static int
wait_for(int fd, yl_msec deadline, struct yl_cancel *cancel)
{
    for (;;) {
        struct pollfd fds[2] = {
            { .fd = fd, .events = POLLIN },
            { .fd = yl_cancel_fd(cancel), .events = POLLIN },
        };
        yl_msec left = deadline == YL_NEVER ? -1 : deadline - yl_now(NULL);
        int n;

        if (deadline != YL_NEVER && left <= 0) {
            return YL_ETIMEOUT;
        }
        n = poll(fds, 2, left > 60000 ? 60000 : (int) left);
        if (n > 0 && fds[1].revents) {
            return YL_ECANCELED;
        }
        if (n > 0 && fds[0].revents) {
            return 0;
        }
    }
}

static int
ended_early(const struct yl_client_exec *exec, int code, struct yl_error *err)
{
    return yl_error_set(err, code, "exec: executable %s %s", exec->command,
                        code == YL_ETIMEOUT ? "took too long and was killed"
                                            : "was canceled");
}

/* client-go's words, which people find when they look for help. */
static int
not_there(const struct yl_client_exec *exec, int error, struct yl_error *err)
{
    if (error != ENOENT) {
        return yl_error_set(err, YL_EUNAUTHORIZED, "exec: executable %s: %s",
                            exec->command, strerror(error));
    }
    return yl_error_set(
        err, YL_EUNAUTHORIZED,
        "exec: executable %s not found\n\nIt looks like you are trying to use "
        "a client-go credential plugin that is not installed.\n\nTo learn "
        "more about this feature, consult the documentation available at:\n"
        "      https://kubernetes.io/docs/reference/access-authn-authz/"
        "authentication/#client-go-credential-plugins%s%s", exec->command,
        exec->install_hint ? "\n\n" : "",
        exec->install_hint ? exec->install_hint : "");
}
