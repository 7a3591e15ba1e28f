/* yuloh patch: a patch applied to documents in files. */

#include "cli/cli.h"

#include <getopt.h>

#include "base/arena.h"
#include "json/merge.h"
#include "json/patch.h"
#include "json/tree.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

enum patch_type {
    PATCH_MERGE,
    PATCH_JSON,
};

struct patch {
    enum yl_output output;
    enum patch_type type;
    struct yl_str text;         /* The patch. */
    size_t n_documents;
};

static int parse_options(struct patch *, int argc, char *argv[],
                         struct yl_buf *file, struct yl_error *);
static int patch_document(void *aux, struct yl_arena *, struct yl_node *,
                          struct yl_error *);

static int
run(int argc, char *argv[])
{
    struct patch patch = { YL_OUTPUT_YAML, PATCH_MERGE, { NULL, 0 }, 0 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf file;
    int status;

    yl_buf_init(&file, YL_CLI_MAX_FILE);
    status = parse_options(&patch, argc, argv, &file, &err);
    while (status == YL_EXIT_OK) {
        const char *path = optind < argc ? argv[optind] : "-";

        if (yl_cli_each_document(path, patch_document, &patch, &err) < 0) {
            status = yl_cli_failed(&yl_command_patch, &err);
        }
        if (++optind >= argc) {
            break;
        }
    }
    yl_buf_release(&file);
    return status;
}

/* Fills in 'patch' or prints what is wrong.  The names of the files are left
 * in argv from 'optind' on. */
static int
parse_options(struct patch *patch, int argc, char *argv[],
              struct yl_buf *file, struct yl_error *err)
{
    static const struct option options[] = {
        { "type", required_argument, NULL, 't' },
        { "patch", required_argument, NULL, 'p' },
        { "patch-file", required_argument, NULL, 'f' },
        { NULL, 0, NULL, 0 },
    };
    int option;

    optind = 1;
    while ((option = getopt_long(argc, argv, ":o:p:", options, NULL)) != -1) {
        switch (option) {
        case 'o':
            if (!yl_output_parse(optarg, &patch->output)) {
                return yl_cli_misused(&yl_command_patch,
                                      "no output form '%s': say yaml, json "
                                      "or canonical", optarg);
            }
            break;

        case 't':
            if (strcmp(optarg, "merge") && strcmp(optarg, "json")) {
                return yl_cli_misused(&yl_command_patch,
                                      "no patch type '%s': say merge or json",
                                      optarg);
            }
            patch->type = optarg[0] == 'm' ? PATCH_MERGE : PATCH_JSON;
            break;

        case 'p':
            patch->text = yl_str_c(optarg);
            break;

        case 'f':
            yl_buf_clear(file);
            if (yl_cli_read_file(optarg, file, err) < 0) {
                return yl_cli_failed(&yl_command_patch, err);
            }
            patch->text = yl_buf_str(file);
            break;

        case ':':
            return yl_cli_misused(&yl_command_patch, "%s needs an argument",
                                  argv[optind - 1]);

        default:
            return yl_cli_misused(&yl_command_patch, "no option %s",
                                  argv[optind - 1]);
        }
    }
    if (!patch->text.data) {
        return yl_cli_misused(&yl_command_patch,
                              "a patch is needed: -p PATCH or --patch-file "
                              "FILE");
    }
    return YL_EXIT_OK;
}

static int
patch_document(void *aux, struct yl_arena *arena, struct yl_node *root,
               struct yl_error *err)
{
    const struct yl_patch_opts json = { .kubernetes = true };
    const struct yl_merge_opts merge = { .kubernetes = true };
    struct patch *patch = aux;
    struct yl_node *change;
    struct yl_str text;
    int r;

    r = yl_yaml_to_json(arena, patch->text, NULL, &text, err);
    if (r == 0) {
        r = yl_tree_parse(arena, text, NULL, &change, err);
    }
    if (r == 0) {
        r = patch->type == PATCH_JSON
                ? yl_patch_apply(arena, &root, change, &json, err)
                : yl_merge_apply(arena, &root, change, &merge, err);
    }
    if (r < 0) {
        yl_error_prefix(err, "patch");
        return r;
    }
    return yl_output_print(patch->output, patch->n_documents++, root, err);
}

const struct yl_command yl_command_patch = {
    .name = "patch",
    .summary = "apply a patch to documents in files",
    .usage =
        "usage: yuloh patch [--type TYPE] -p PATCH [-o FORM] [FILE...]\n"
        "\n"
        "Reads documents, YAML or JSON, from the files or from standard\n"
        "input (\"-\"), applies the patch to each and prints the results.\n"
        "The files stay as they are.\n"
        "\n"
        "  -p, --patch PATCH  the patch, YAML or JSON\n"
        "  --patch-file FILE  the same from a file\n"
        "  --type merge       RFC 7386: members replace members, null\n"
        "                     removes them (default)\n"
        "  --type json        RFC 6902: a list of operations\n"
        "  -o FORM            yaml (default), json or canonical; see \"yuloh\n"
        "                     help convert\"\n",
    .run = run,
};
