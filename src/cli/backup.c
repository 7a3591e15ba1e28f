/* yuloh backup, yuloh restore: the database of a data directory to a file and
 * back. */

#include "cli/cli.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/data_dir.h"
#include "storage/sqlite.h"
#include "yuloh/error.h"

/* Sizes below this are copied so fast that progress is not shown. */
#define SLOW ((uint64_t) 16 << 20)

/* Progress of a copy.  On a terminal it is shown in whole percents. */
struct progress {
    struct yl_sqlite_progress base;
    const char *name;           /* Of the command. */
    bool visible;
    int percent;                /* Shown last; -1: none. */
};

/* What the command line says. */
struct arguments {
    const char *data_dir;
    char *own_data_dir;
    const char *file;
};

static bool force;
static const char *data_dir;

static const struct yl_flag backup_flags[] = {
    { YL_FLAG_STRING, "data-dir", &data_dir, "DIRECTORY", "" },
};

static const struct yl_flag restore_flags[] = {
    { YL_FLAG_STRING, "data-dir", &data_dir, "DIRECTORY", "" },
    { YL_FLAG_BOOL, "force", &force, "", "" },
};

static int
read_arguments(const struct yl_command *command, const struct yl_flag *flags,
               size_t n_flags, int argc, char *argv[], struct arguments *ret)
{
    struct yl_error err = YL_ERROR_INIT;
    int n;

    data_dir = NULL;
    force = false;
    n = yl_cli_parse(command, flags, n_flags, argc, argv);
    if (n < 0) {
        return -n;
    } else if (n != 1) {
        return yl_cli_misused(command, n ? "one file is enough"
                                         : "a file must be named");
    }
    ret->file = argv[1];
    ret->data_dir = data_dir;
    ret->own_data_dir = NULL;
    if (!data_dir) {
        if (yl_data_dir_default(&ret->own_data_dir, &err) < 0) {
            return yl_cli_failed(command, &err);
        }
        ret->data_dir = ret->own_data_dir;
    }
    return YL_EXIT_OK;
}

/* Set by a signal: the command stops and removes what it has written so
 * far. */
static volatile sig_atomic_t interrupted;

static void
interrupt(int signal_ YL_UNUSED)
{
    interrupted = 1;
}

static bool
report(struct yl_sqlite_progress *base, uint64_t done_bytes,
       uint64_t all_bytes)
{
    struct progress *progress = (struct progress *) base;
    int percent = all_bytes ? (int) (done_bytes * 100 / all_bytes) : 100;

    if (percent != progress->percent && progress->visible
        && all_bytes >= SLOW) {
        progress->percent = percent;
        fprintf(stderr, "\ryuloh %s: %3d %% of %" PRIu64 " MB%s",
                progress->name, percent, all_bytes >> 20,
                percent == 100 ? "\n" : "");
    }
    return !interrupted;
}

/* The second signal ends the process at once.  A signal that was ignored when
 * the program started, as under nohup, stays ignored. */
static struct yl_sqlite_progress *
start_progress(struct progress *progress, const char *name)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sigaction action = {
        .sa_handler = interrupt, .sa_flags = SA_RESTART | (int) SA_RESETHAND,
    };
    struct sigaction old;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(signals); i++) {
        if (sigaction(signals[i], NULL, &old) == 0
            && old.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    *progress = (struct progress) {
        { report }, name, isatty(STDERR_FILENO), -1
    };
    return &progress->base;
}

static int
run_backup(int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    struct arguments args;
    struct progress progress;
    struct stat st;
    int status = read_arguments(&yl_command_backup, backup_flags,
                                YL_ARRAY_SIZE(backup_flags), argc, argv,
                                &args);

    if (status != YL_EXIT_OK) {
        return status;
    }
    if (yl_sqlite_backup(args.data_dir, args.file,
                         start_progress(&progress, "backup"), &err)
        < 0) {
        status = yl_cli_failed(&yl_command_backup, &err);
    } else if (stat(args.file, &st) == 0) {
        printf("%s: %jd bytes, complete and verified\n", args.file,
               (intmax_t) st.st_size);
    }
    free(args.own_data_dir);
    return status;
}

static int
run_restore(int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    struct arguments args;
    struct progress progress;
    int status = read_arguments(&yl_command_restore, restore_flags,
                                YL_ARRAY_SIZE(restore_flags), argc, argv,
                                &args);

    if (status != YL_EXIT_OK) {
        return status;
    }
    if (yl_sqlite_restore(args.data_dir, args.file, force,
                          start_progress(&progress, "restore"), &err)
        < 0) {
        status = yl_cli_failed(&yl_command_restore, &err);
    } else {
        printf("%s: restored from %s\n", args.data_dir, args.file);
    }
    free(args.own_data_dir);
    return status;
}

const struct yl_command yl_command_backup = {
    .name = "backup",
    .summary = "copy a server's database to a file",
    .usage =
        "usage: yuloh backup [--data-dir DIRECTORY] FILE\n"
        "\n"
        "Writes a consistent copy of the database to a new file, while the\n"
        "server runs or not.  The file appears when it is complete, verified\n"
        "and on the disk.  It is a SQLite database; only its owner may read\n"
        "it, for it holds Secrets.  Keys and certificates in the data\n"
        "directory are not part of it.\n"
        "\n"
        "  --data-dir DIRECTORY  as given to \"yuloh serve\"\n",
    .run = run_backup,
};

const struct yl_command yl_command_restore = {
    .name = "restore",
    .summary = "make a backup the database of a server",
    .usage =
        "usage: yuloh restore [--data-dir DIRECTORY] [--force] FILE\n"
        "\n"
        "Checks the backup and makes it the database of a data directory,\n"
        "which no server may be using.  resourceVersions continue far above\n"
        "those of the backup, so that clients which remember what came after\n"
        "it list everything again.\n"
        "\n"
        "  --data-dir DIRECTORY  as given to \"yuloh serve\"\n"
        "  --force               replace the database that is there\n",
    .run = run_restore,
};
