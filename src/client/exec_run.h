#ifndef CLIENT_EXEC_RUN_H
#define CLIENT_EXEC_RUN_H 1

/* Runs a plug-in for credentials and collects what it prints.
 *
 * Guarantees
 * ==========
 *
 *   - The process and those it has started are dead when the function returns
 *     for a timeout or a cancel, unless the plug-in is interactive: then it is
 *     in our own process group, so that it can read from the terminal, and
 *     only it itself is killed.
 *
 *   - Signals are neither blocked nor ignored in it, whatever thread runs it,
 *     and it gets no descriptor of ours but standard input (or /dev/null),
 *     output and error.
 *
 *   - It works in a program that ignores SIGCHLD or waits for all children
 *     itself; the exit code cannot be known then, and counts as 0.
 *
 * Threads
 * =======
 *
 * Any. */

#include <stdbool.h>

#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_buf;
struct yl_cancel;
struct yl_client_exec;
struct yl_error;

/* Runs it with our environment, its own, and KUBERNETES_EXEC_INFO='info', and
 * appends its standard output to 'out'.  'timeout' of 0 is none.  0, or
 * YL_EUNAUTHORIZED and a sentence (it is not there, has failed, has printed
 * too much), YL_ETIMEOUT or YL_ECANCELED. */
int yl_exec_run(const struct yl_client_exec *, const char *info,
                bool interactive, yl_msec timeout, struct yl_cancel *cancel,
                struct yl_buf *out, struct yl_error *err);

#endif /* client/exec_run.h */
