/* What the commands of the yuloh program share.  See cli/cli.h. */

#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "json/pretty.h"
#include "json/tree.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

/* Pretty forms may be much larger than their text. */
#define MAX_OUTPUT ((size_t) 1 << 30)

static int print_yaml(struct yl_buf *, const struct yl_node *,
                      struct yl_error *);

bool
yl_output_parse(const char *name, enum yl_output *ret_output)
{
    static const char *const names[] = {
        [YL_OUTPUT_YAML] = "yaml",
        [YL_OUTPUT_JSON] = "json",
        [YL_OUTPUT_CANONICAL] = "canonical",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (!strcmp(name, names[i])) {
            *ret_output = (enum yl_output) i;
            return true;
        }
    }
    return false;
}

int
yl_output_print(enum yl_output output, size_t i, const struct yl_node *node,
                struct yl_error *err)
{
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, MAX_OUTPUT);
    switch (output) {
    case YL_OUTPUT_JSON:
        r = yl_node_write_pretty(&buf, node);
        break;

    case YL_OUTPUT_CANONICAL:
        r = yl_node_write_canonical(&buf, node);
        yl_buf_append_char(&buf, '\n');
        break;

    case YL_OUTPUT_YAML:
    default:
        if (i > 0) {
            yl_buf_append_c(&buf, "---\n");
        }
        r = print_yaml(&buf, node, err);
        break;
    }
    if (r == 0) {
        r = yl_buf_error(&buf);
    }
    if (r < 0 && !(err && err->code)) {
        yl_error_set(err, r, "%s",
                     r == YL_ERANGE ? "a number does not fit into a double"
                     : r == YL_ETOOBIG ? "the output would be too large"
                     : yl_error_text(r));
    }
    if (r == 0 && (fwrite(buf.data, 1, buf.size, stdout) != buf.size
                   || fflush(stdout) != 0)) {
        r = yl_error_set(err, YL_EIO, "cannot write: %s", strerror(errno));
    }
    yl_buf_release(&buf);
    return r;
}

int
yl_cli_read_file(const char *path, struct yl_buf *buf, struct yl_error *err)
{
    bool standard = !strcmp(path, "-");
    FILE *f = standard ? stdin : fopen(path, "rb");
    size_t n;
    int r = 0;

    if (!f) {
        return yl_error_set(err, YL_EIO, "cannot open %s: %s", path,
                            strerror(errno));
    }
    do {
        char *room = yl_buf_reserve(buf, 65536);

        if (!room) {
            r = yl_error_set(err, YL_ETOOBIG, "%s is larger than %zu bytes",
                             path, buf->ceiling);
            break;
        }
        n = fread(room, 1, 65536, f);
        yl_buf_commit(buf, n);
    } while (n > 0);
    if (r == 0 && ferror(f)) {
        r = yl_error_set(err, YL_EIO, "cannot read %s: %s", path,
                         strerror(errno));
    }
    if (!standard) {
        fclose(f);
    }
    return r;
}

int
yl_cli_each_document(const char *path, yl_document_fn *each, void *aux,
                     struct yl_error *err)
{
    const struct yl_yaml_opts opts = { .max_size = YL_CLI_MAX_FILE };
    struct yl_yaml_stream stream;
    struct yl_arena *arena;
    struct yl_buf file;
    struct yl_str json;
    int r;

    yl_buf_init(&file, YL_CLI_MAX_FILE + 65536);
    r = yl_cli_read_file(path, &file, err);
    if (r < 0) {
        yl_buf_release(&file);
        return r;
    }
    arena = yl_arena_new();
    stream = yl_yaml_stream(yl_buf_str(&file));
    while ((r = yl_yaml_next_json(&stream, arena, &opts, &json, err)) > 0) {
        struct yl_node *root;

        r = yl_tree_parse(arena, json, NULL, &root, err);
        if (r == 0) {
            r = each(aux, arena, root, err);
        }
        if (r < 0) {
            yl_error_prefix(err, "document %zu", stream.number);
            break;
        }
        yl_arena_clear(arena);
    }
    if (r < 0) {
        yl_error_prefix(err, "%s", !strcmp(path, "-") ? "standard input"
                                                      : path);
    }
    yl_arena_free(arena);
    yl_buf_release(&file);
    return r;
}

int
yl_cli_failed(const struct yl_command *command, struct yl_error *err)
{
    fprintf(stderr, "yuloh %s: %s\n", command->name, yl_error_message(err));
    yl_error_clear(err);
    return YL_EXIT_FAILED;
}

int
yl_cli_misused(const struct yl_command *command, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "yuloh %s: ", command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry \"yuloh help %s\".\n", command->name);
    return YL_EXIT_USAGE;
}

int
yl_cli_parse(const struct yl_command *command, const struct yl_flag *flags,
             size_t n_flags, int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_flags_parse(flags, n_flags, argc, argv, &err);

    if (r < 0) {
        r = -yl_cli_misused(command, "%s", yl_error_message(&err));
        yl_error_clear(&err);
    }
    return r;
}

static int
print_yaml(struct yl_buf *buf, const struct yl_node *node,
           struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str yaml;
    struct yl_buf json;
    int r;

    yl_buf_init(&json, MAX_OUTPUT);
    yl_node_write(&json, node);
    r = yl_yaml_from_json(arena, yl_buf_str(&json), &yaml, err);
    if (r == 0) {
        yl_buf_append_str(buf, yaml);
    }
    yl_buf_release(&json);
    yl_arena_free(arena);
    return r;
}
