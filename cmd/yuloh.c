/* yuloh: finds the command and runs it. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static int run_help(int argc, char *argv[]);
static int run_version(int argc, char *argv[]);

static const struct yl_command help = {
    .name = "help",
    .summary = "describe a command",
    .usage = "usage: yuloh help [COMMAND]\n",
    .run = run_help,
};

static const struct yl_command version = {
    .name = "version",
    .summary = "print the version",
    .usage = "usage: yuloh version\n",
    .run = run_version,
};

static const struct yl_command *const commands[] = {
    &yl_command_backup,
    &yl_command_convert,
    &yl_command_gen,
    &yl_command_kubeconfig,
    &yl_command_patch,
    &yl_command_restore,
    &yl_command_serve,
    &help,
    &version,
};

static const struct yl_command *
find_command(const char *name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(commands); i++) {
        if (!strcmp(commands[i]->name, name)) {
            return commands[i];
        }
    }
    return NULL;
}

static void
print_overview(FILE *out)
{
    size_t i;

    fprintf(out, "usage: yuloh COMMAND [ARGUMENT...]\n\n");
    for (i = 0; i < YL_ARRAY_SIZE(commands); i++) {
        fprintf(out, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(out, "\n\"yuloh help COMMAND\" describes one.\n");
}

static int
refuse(const char *name)
{
    fprintf(stderr, "yuloh: no command '%s'\n\n", name);
    print_overview(stderr);
    return YL_EXIT_USAGE;
}

static bool
asks_for_help(int n, char *arguments[])
{
    int i;

    for (i = 0; i < n; i++) {
        if (!strcmp(arguments[i], "--help") || !strcmp(arguments[i], "-h")) {
            return true;
        }
    }
    return false;
}

/* The exit status of a command that has only printed something. */
static int
printed(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("yuloh: cannot write");
        return YL_EXIT_FAILED;
    }
    return YL_EXIT_OK;
}

static int
run_help(int argc, char *argv[])
{
    const struct yl_command *command;

    if (argc < 2) {
        print_overview(stdout);
        return printed();
    }
    command = find_command(argv[1]);
    if (!command) {
        return refuse(argv[1]);
    }
    printf("yuloh %s: %s\n\n%s", command->name, command->summary,
           command->usage);
    if (command->describe) {
        command->describe();
    }
    return printed();
}

static int
run_version(int argc, char *argv[])
{
    if (argc > 1) {
        return yl_cli_misused(&version, "'%s' is one word too many", argv[1]);
    }
    printf("yuloh %s\n", YULOH_VERSION);
    return printed();
}

int
main(int argc, char *argv[])
{
    const struct yl_command *command;

    if (argc < 2) {
        print_overview(stderr);
        return YL_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_overview(stdout);
        return printed();
    }
    command = find_command(!strcmp(argv[1], "--version") ? "version"
                                                         : argv[1]);
    if (!command) {
        return refuse(argv[1]);
    }
    if (asks_for_help(argc - 2, argv + 2)) {
        return run_help(2, argv);
    }
    return command->run(argc - 1, argv + 1);
}
