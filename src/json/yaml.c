/* YAML to JSON and back.  See yuloh/yaml.h for the contract. */

#include "yuloh/yaml.h"

#include "base/buf.h"
#include "json/tree.h"
#include "json/yaml_in.h"
#include "json/yaml_out.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

static struct yl_str cut_line(struct yl_yaml_stream *);
static struct yl_str inside(struct yl_str document);
static int is_json_object(struct yl_str, const struct yl_yaml_opts *,
                          struct yl_error *);
static int take_text(struct yl_arena *, struct yl_buf *, const char *what,
                     struct yl_str *ret_text, struct yl_error *);

int
yl_yaml_to_json(struct yl_arena *arena, struct yl_str yaml,
                const struct yl_yaml_opts *opts, struct yl_str *ret_json,
                struct yl_error *err)
{
    struct yl_node *root;
    struct yl_buf buf;
    int r = yl_yaml_parse(arena, yaml, opts, &root, err);

    if (r < 0) {
        return r;
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write(&buf, root);
    return take_text(arena, &buf, "JSON", ret_json, err);
}

int
yl_yaml_from_json(struct yl_arena *arena, struct yl_str json,
                  struct yl_str *ret_yaml, struct yl_error *err)
{
    struct yl_node *root;
    struct yl_buf buf;
    int r = yl_tree_parse(arena, json, NULL, &root, err);

    if (r < 0) {
        return r;
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_yaml_write(&buf, root);
    return take_text(arena, &buf, "YAML", ret_yaml, err);
}

struct yl_yaml_stream
yl_yaml_stream(struct yl_str text)
{
    struct yl_yaml_stream stream = { 0, 0, text, 1 };

    return stream;
}

int
yl_yaml_next(struct yl_yaml_stream *stream, struct yl_str *ret_document,
             struct yl_error *err)
{
    const char *start = stream->rest.data;
    size_t line = stream->next_line;

    if (stream->rest.size == 0) {
        return 0;
    }
    while (stream->rest.size) {
        struct yl_str before = stream->rest;
        struct yl_str text = cut_line(stream);

        if (yl_str_starts_with(text, YL_STR("---"))) {
            struct yl_str behind = yl_str_trim(yl_str_skip(text, 3));

            if (behind.size && behind.data[0] != '#') {
                stream->rest = yl_str_null();
                return yl_error_set(err, YL_ESYNTAX, "line %zu: invalid Yaml "
                                    "document separator: %.*s",
                                    stream->next_line - 1,
                                    YL_STR_ARG(yl_str_n(
                                        behind.data,
                                        behind.size < 64 ? behind.size
                                                         : 64)));
            }
            if (before.data != start) {
                /* The separator opens the next document. */
                stream->rest = before;
                stream->next_line--;
                break;
            }
        }
    }
    stream->number++;
    stream->line = line;
    *ret_document = yl_str_range(start, stream->rest.data);
    return 1;
}

int
yl_yaml_next_json(struct yl_yaml_stream *stream, struct yl_arena *arena,
                  const struct yl_yaml_opts *opts, struct yl_str *ret_json,
                  struct yl_error *err)
{
    struct yl_yaml_opts own = { 0 };
    struct yl_str document;
    int r;

    if (opts) {
        own = *opts;
    }
    while ((r = yl_yaml_next(stream, &document, err)) > 0) {
        struct yl_str json;

        r = is_json_object(inside(document), &own, err);
        if (r > 0) {
            *ret_json = inside(document);
            return 1;
        }
        if (r == 0) {
            own.first_line = stream->line;
            r = yl_yaml_to_json(arena, document, &own, &json, err);
        }
        if (r < 0) {
            yl_error_prefix(err, "document %zu", stream->number);
            return r;
        }
        if (!yl_str_equal(json, YL_STR("null"))) {
            *ret_json = json;
            return 1;
        }
    }
    return r;
}

/* Takes the first line, with its end, off 'stream'. */
static struct yl_str
cut_line(struct yl_yaml_stream *stream)
{
    const char *start = stream->rest.data;
    const char *end = yl_str_find_char(stream->rest, '\n');
    size_t size = end ? (size_t) (end + 1 - start) : stream->rest.size;

    stream->rest = yl_str_skip(stream->rest, size);
    stream->next_line++;
    return yl_str_n(start, size);
}

/* What there is of 'document' without the separator that may open it and the
 * blanks around. */
static struct yl_str
inside(struct yl_str document)
{
    if (yl_str_starts_with(document, YL_STR("---"))) {
        const char *end = yl_str_find_char(document, '\n');

        document = yl_str_skip(document, end ? (size_t) (end - document.data)
                                             : document.size);
    }
    return yl_str_trim(document);
}

/* Whether 'document' is a JSON object.  If so it is not read as YAML, because
 * JSON can express what YAML cannot, such as a pair of escaped surrogates.
 * Returns 1; or 0 if it has to be read as YAML; or an error if it passes a
 * ceiling: read as YAML, a number that is too long would become a string. */
static int
is_json_object(struct yl_str document, const struct yl_yaml_opts *opts,
               struct yl_error *err)
{
    struct yl_json_limits limits = { 0, 0, false };
    struct yl_error own = YL_ERROR_INIT;
    int r;

    limits.max_size = opts->max_size ? opts->max_size : YL_YAML_MAX_SIZE;
    limits.max_depth = opts->max_depth;
    limits.refuse_duplicates = opts->refuse_duplicates;
    if (!document.size || document.data[0] != '{') {
        return 0;
    }
    r = yl_json_validate(document, &limits, &own);
    if (r == YL_ETOOBIG || r == YL_ETOODEEP) {
        yl_error_set(err, r, "%s", yl_error_message(&own));
    } else {
        r = r == 0;
    }
    yl_error_clear(&own);
    return r;
}

/* Moves the text in 'buf' to 'arena' and releases 'buf'. */
static int
take_text(struct yl_arena *arena, struct yl_buf *buf, const char *what,
          struct yl_str *ret_text, struct yl_error *err)
{
    int r = yl_buf_error(buf);

    if (r < 0) {
        yl_error_set(err, r, "yaml: the %s would be larger than %zu bytes",
                     what, buf->ceiling);
    } else {
        *ret_text = yl_arena_copy(arena, yl_buf_str(buf));
    }
    yl_buf_release(buf);
    return r;
}
