/* yuloh kubeconfig: makes a client certificate, and a kubeconfig file with
 * which kubectl uses it. */

#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apiserver/auth/kubeconfig.h"
#include "apiserver/auth/pki.h"
#include "base/alloc.h"
#include "cli/data_dir.h"
#include "client/config_choose.h"
#include "client/kubeconfig.h"
#include "storage/dir.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/time.h"

#define MAX_GROUPS 32
#define MAX_FILE ((size_t) 1 << 20)
#define DEFAULT_SERVER "https://127.0.0.1:6443"
#define DEFAULT_EXPIRES "24h"

struct arguments {
    const char *user;
    const char *groups[MAX_GROUPS];
    size_t n_groups;
    const char *data_dir;
    char *own_data_dir;
    const char *server;         /* NULL: the one in the administrator's
                                 * kubeconfig. */
    int64_t seconds;
};

static int parse(struct arguments *, int argc, char *argv[]);
static int issue(const struct arguments *, struct yl_error *);
static char *find_server(const char *data_dir);

static int
run(int argc, char *argv[])
{
    struct arguments arguments = { .user = NULL };
    struct yl_error err = YL_ERROR_INIT;
    int r = parse(&arguments, argc, argv);

    if (r != YL_EXIT_OK) {
        return r;
    }
    if (!arguments.data_dir) {
        if (yl_data_dir_default(&arguments.own_data_dir, &err) < 0) {
            return yl_cli_failed(&yl_command_kubeconfig, &err);
        }
        arguments.data_dir = arguments.own_data_dir;
    }
    r = issue(&arguments, &err);
    free(arguments.own_data_dir);
    return r < 0 ? yl_cli_failed(&yl_command_kubeconfig, &err) : YL_EXIT_OK;
}

static int
parse(struct arguments *a, int argc, char *argv[])
{
    static const struct option options[] = {
        { "user", required_argument, NULL, 'u' },
        { "group", required_argument, NULL, 'g' },
        { "data-dir", required_argument, NULL, 'd' },
        { "server", required_argument, NULL, 's' },
        { "expires", required_argument, NULL, 'e' },
        { NULL, 0, NULL, 0 },
    };
    const char *expires = DEFAULT_EXPIRES;
    int option;
    int64_t nanos;

    optind = 1;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case 'u':
            a->user = optarg;
            break;
        case 'g':
            if (a->n_groups == MAX_GROUPS) {
                return yl_cli_misused(&yl_command_kubeconfig,
                                      "at most %d groups", MAX_GROUPS);
            }
            a->groups[a->n_groups++] = optarg;
            break;
        case 'd':
            a->data_dir = optarg;
            break;
        case 's':
            a->server = optarg;
            break;
        case 'e':
            expires = optarg;
            break;
        case ':':
            return yl_cli_misused(&yl_command_kubeconfig,
                                  "%s needs an argument", argv[optind - 1]);
        default:
            return yl_cli_misused(&yl_command_kubeconfig, "no option %s",
                                  argv[optind - 1]);
        }
    }
    if (optind < argc) {
        return yl_cli_misused(&yl_command_kubeconfig,
                              "'%s' is one word too many", argv[optind]);
    }
    if (!a->user) {
        return yl_cli_misused(&yl_command_kubeconfig,
                              "a user must be named with --user");
    }
    if (yl_duration_parse(yl_str_c(expires), &nanos, NULL) < 0
        || nanos < INT64_C(1000000000)) {
        return yl_cli_misused(&yl_command_kubeconfig,
                              "--expires: '%s' is not a time such as 24h",
                              expires);
    }
    a->seconds = nanos / INT64_C(1000000000);
    return YL_EXIT_OK;
}

static int
issue(const struct arguments *a, struct yl_error *err)
{
    char *pki = yl_dir_file(a->data_dir, "pki");
    char *server = a->server ? yl_strdup(yl_str_c(a->server))
                             : find_server(a->data_dir);
    struct yl_pki_pair ca = { NULL, NULL }, pair = { NULL, NULL };
    int r = yl_pki_issue(pki, a->user, a->groups, a->n_groups, a->seconds, 0,
                         &pair, err);

    if (r == 0) {
        r = yl_pki_load(pki, YL_PKI_CA, &ca, err);
    }
    if (r == 0) {
        const struct yl_kubeconfig config = {
            .server = server,
            .user = a->user,
            .authority = ca.certificate,
            .certificate = pair.certificate,
            .key = pair.key,
        };
        struct yl_buf text;

        yl_buf_init(&text, MAX_FILE);
        yl_kubeconfig_render(&config, &text);
        if (fwrite(text.data, 1, text.size, stdout) != text.size
            || fflush(stdout) != 0) {
            r = yl_error_set(err, YL_EIO, "cannot write: %s",
                             strerror(errno));
        }
        yl_buf_release(&text);
    }
    yl_pki_pair_release(&pair);
    yl_pki_pair_release(&ca);
    free(server);
    free(pki);
    return r;
}

/* The server's address according to the administrator's kubeconfig. */
static char *
find_server(const char *data_dir)
{
    char *path = yl_dir_file(data_dir, "admin.kubeconfig");
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_config_opts no_opts = { .kubeconfig = NULL };
    struct yl_client_config config = { .server = NULL };
    struct yl_kubeconfig_set set;
    char *copy;

    yl_kubeconfig_set_init(&set, arena);
    if (yl_kubeconfig_add_file(&set, path, NULL) < 0
        || yl_config_choose(&set, &no_opts, &config, NULL) < 0) {
        config.server = DEFAULT_SERVER;
    }
    copy = yl_strdup(yl_str_c(config.server));
    yl_kubeconfig_set_release(&set);
    yl_arena_free(arena);
    free(path);
    return copy;
}

const struct yl_command yl_command_kubeconfig = {
    .name = "kubeconfig",
    .summary = "give a user access to the server",
    .usage =
        "usage: yuloh kubeconfig --user NAME [--group GROUP]... [--expires "
        "TIME]\n"
        "                        [--server URL] [--data-dir DIRECTORY]\n"
        "\n"
        "Signs a client certificate with the authority of the data directory\n"
        "and prints a kubeconfig that holds it.  What the user may do is up\n"
        "to RBAC; members of the group system:masters may do everything.\n"
        "\n"
        "  --user NAME           who it is\n"
        "  --group GROUP         in which groups; may be repeated\n"
        "  --expires TIME        how long it is good, such as 8h or 720h\n"
        "                        (24h); it cannot be revoked before\n"
        "  --server URL          where the server is (as admin.kubeconfig\n"
        "                        has it)\n"
        "  --data-dir DIRECTORY  the server's (/var/lib/yuloh as root, else\n"
        "                        ~/.local/share/yuloh)\n",
    .run = run,
};
