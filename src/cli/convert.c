/* yuloh convert: documents from one form into another. */

#include "cli/cli.h"

#include <getopt.h>

#include "yuloh/error.h"

struct convert {
    enum yl_output output;
    size_t n_documents;
};

static int convert_document(void *aux, struct yl_arena *, struct yl_node *,
                            struct yl_error *);

static int
run(int argc, char *argv[])
{
    struct convert convert = { YL_OUTPUT_YAML, 0 };
    struct yl_error err = YL_ERROR_INIT;
    int option;

    optind = 1;
    while ((option = getopt(argc, argv, ":o:")) != -1) {
        if (option == ':') {
            return yl_cli_misused(&yl_command_convert,
                                  "-%c needs an argument", optopt);
        } else if (option != 'o') {
            return yl_cli_misused(&yl_command_convert, "no option -%c",
                                  optopt);
        } else if (!yl_output_parse(optarg, &convert.output)) {
            return yl_cli_misused(&yl_command_convert,
                                  "no output form '%s': say yaml, json or "
                                  "canonical", optarg);
        }
    }
    do {
        const char *path = optind < argc ? argv[optind] : "-";

        if (yl_cli_each_document(path, convert_document, &convert, &err)
            < 0) {
            return yl_cli_failed(&yl_command_convert, &err);
        }
    } while (++optind < argc);
    return YL_EXIT_OK;
}

static int
convert_document(void *aux, struct yl_arena *arena YL_UNUSED,
                 struct yl_node *root, struct yl_error *err)
{
    struct convert *convert = aux;

    return yl_output_print(convert->output, convert->n_documents++, root,
                           err);
}

const struct yl_command yl_command_convert = {
    .name = "convert",
    .summary = "print YAML or JSON documents in another form",
    .usage =
        "usage: yuloh convert [-o FORM] [FILE...]\n"
        "\n"
        "Reads documents, YAML or JSON, from the files or from standard\n"
        "input (\"-\") and prints them.\n"
        "\n"
        "  -o yaml       as \"kubectl get -o yaml\" prints them (default)\n"
        "  -o json       as \"kubectl get -o json\" prints them\n"
        "  -o canonical  one line each, members sorted, no blanks: equal\n"
        "                documents are equal bytes\n",
    .run = run,
};
