/* yuloh gen: runs yuloh-gen, which is a program of its own because it needs
 * libclang. */

#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static int
run(int argc YL_UNUSED, char *argv[])
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    /* Look in the folder of this program first, so that a build folder uses
     * its own yuloh-gen. */
    if (size > 0) {
        path[size] = '\0';
        slash = strrchr(path, '/');
        if (slash
            && (size_t) (slash + 1 - path) + sizeof "yuloh-gen"
               <= sizeof path) {
            memcpy(slash + 1, "yuloh-gen", sizeof "yuloh-gen");
            execv(path, argv);
        }
    }
    execvp("yuloh-gen", argv);
    fprintf(stderr, "yuloh gen: cannot run yuloh-gen (%s); install it beside "
            "yuloh or in PATH\n", strerror(errno));
    return YL_EXIT_FAILED;
}

const struct yl_command yl_command_gen = {
    .name = "gen",
    .summary = "generate code and CRDs from annotated headers",
    .usage =
        "usage: yuloh gen types [--check] [-o FOLDER] HEADER...\n"
        "       yuloh gen crd HEADER...\n"
        "\n"
        "Runs yuloh-gen with these arguments: \"types\" writes X.h and X.c\n"
        "for each X_types.h, \"crd\" prints CustomResourceDefinitions.  See\n"
        "yuloh-gen(1) and, for the markers in headers, docs/markers.md.\n",
    .run = run,
};
