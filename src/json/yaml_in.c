/* YAML text to a JSON tree.  See json/yaml_in.h.
 *
 * libyaml turns the text into events; we turn the events into nodes in one
 * pass, with a stack of the containers that are open:
 *
 *     start of a list or map   push a frame
 *     scalar, alias            a key, or a value of the top frame
 *     end                      pop; the container is a value of the one below
 *
 * An alias becomes a copy of the value that its anchor names, made when the
 * alias is read.  The copies are counted as they are made, in nodes (with the
 * same rule as in Go, see count_node()) and in bytes, so that the work stops
 * when a ceiling is reached.
 *
 * libyaml itself takes quadratic time in two places.  For each token it looks
 * at every flow container that is open (3 MB of text took 13 s), so we count
 * these looks and set a limit.  And it compares each %TAG directive with all
 * before it, so we count the directives before we start. */

#include "json/yaml_in.h"

#include <math.h>
#include <assert.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "json/text.h"
#include "json/tree.h"
#include "json/yaml_scalar.h"
#include "json/yaml_value.h"
#include "yuloh/error.h"

/* An anchor: a name, and the value that its aliases stand for. */
struct anchor {
    struct yl_map_node by_name; /* In reader's 'anchors'. */
    struct yl_str name;
    struct yl_yaml_scalar scalar;   /* If 'node' is NULL. */
    struct yl_node *node;       /* A list or map. */
    bool is_open;               /* Has the list or map not ended yet? */
};

/* A list or map that has not ended yet. */
struct frame {
    struct yl_node *node;
    struct anchor *anchor;      /* Its own; NULL if it has none. */
    struct yl_str key;          /* Of the member whose value comes next. */
    bool has_key;
    bool is_merge;              /* The key is "<<". */
    bool is_flow;               /* Is it written with brackets? */
};

struct reader {
    struct yl_arena *arena;
    struct yl_yaml_opts opts;   /* Defaults filled in. */
    struct yl_error *err;
    yaml_parser_t parser;
    yaml_event_t event;         /* The one being handled. */
    struct yl_node *root;       /* NULL until it is complete. */
    struct frame *frames;       /* The open containers, outermost first. */
    size_t n_frames;
    size_t n_allocated;         /* Frames that there is memory for. */
    struct yl_map anchors;      /* The newest of each name counts. */
    struct yl_buf duplicates;   /* One line for each repeated key. */
    size_t n_nodes;             /* Nodes and keys made so far. */
    size_t n_copied;            /* Those of them that aliases made. */
    size_t expansion;           /* Bytes that aliases added. */
    size_t flow_level;          /* Open containers in flow style. */
    size_t n_looks;             /* Sum of 'flow_level' over the events. */
    size_t max_looks;
};

/* How many looks each byte of the text allows.  This is enough for text in
 * which every second byte is a value 64 levels deep; for 3 MB these looks take
 * half a second. */
#define LOOKS_PER_BYTE 32

#define MAX_TAG_DIRECTIVES 1000

/* The error names this many repeated keys at most. */
#define MAX_DUPLICATES_SIZE 4096

static int read_document(struct reader *, struct yl_str yaml);
static size_t count_tag_directives(struct yl_str yaml);
static int handle_event(struct reader *);
static int handle_start(struct reader *, struct yl_node *,
                        const yaml_char_t *anchor, bool is_flow);
static int handle_end(struct reader *);
static int handle_scalar(struct reader *);
static int handle_alias(struct reader *);
static int add_scalar(struct reader *, const struct yl_yaml_scalar *);
static int add_value(struct reader *, struct yl_node *);
static int set_member(struct reader *, struct yl_node *object,
                      struct yl_str key, struct yl_node *value);
static int merge(struct reader *, struct yl_node *object,
                 const struct yl_node *from);
static int copy(struct reader *, const struct yl_node *, size_t depth,
                struct yl_node **ret_copy);
static int count_node(struct reader *);
static struct anchor *add_anchor(struct reader *, const yaml_char_t *name);
static struct anchor *find_anchor(struct reader *, const yaml_char_t *name);
static int at_event(struct reader *, int code);
static int fail(struct reader *, int code, const char *format, ...)
    YL_PRINTF(3, 4);
static int fail_merge(struct reader *);
static int fail_parse(struct reader *, struct yl_str yaml);
static int fail_go(struct reader *);

int
yl_yaml_parse(struct yl_arena *arena, struct yl_str yaml,
              const struct yl_yaml_opts *opts, struct yl_node **ret_root,
              struct yl_error *err)
{
    static const struct yl_yaml_opts defaults = {
        YL_YAML_MAX_SIZE, YL_YAML_MAX_DEPTH, YL_YAML_MAX_EXPANSION, false, 1,
        false,
    };
    struct reader reader = { .arena = arena, .opts = defaults, .err = err };
    int r;

    if (opts) {
        reader.opts.refuse_duplicates = opts->refuse_duplicates;
        reader.opts.go_messages = opts->go_messages;
        reader.opts.max_size = opts->max_size ? opts->max_size
                               : defaults.max_size;
        /* Trees are walked by recursion: the default is also the ceiling. */
        reader.opts.max_depth = opts->max_depth
                                        && opts->max_depth < defaults.max_depth
                                    ? opts->max_depth : defaults.max_depth;
        reader.opts.max_expansion = opts->max_expansion ? opts->max_expansion
                                    : defaults.max_expansion;
        reader.opts.first_line = opts->first_line ? opts->first_line
                                 : defaults.first_line;
    }
    if (yaml.size > reader.opts.max_size) {
        return yl_error_set(err, YL_ETOOBIG, "yaml: the document has %zu "
                            "bytes; the limit is %zu", yaml.size,
                            reader.opts.max_size);
    }
    if (!yaml_parser_initialize(&reader.parser)) {
        yl_out_of_memory(sizeof reader.parser);
    }
    yl_map_init(&reader.anchors);
    yl_buf_init(&reader.duplicates, MAX_DUPLICATES_SIZE);

    r = read_document(&reader, yaml);
    if (r == 0) {
        *ret_root = reader.root;
    }

    yl_buf_release(&reader.duplicates);
    yl_map_release(&reader.anchors);
    free(reader.frames);
    yaml_parser_delete(&reader.parser);
    return r;
}

/* Reads up to the end of the first document.  What follows it is not read, so
 * it need not be well-formed. */
static int
read_document(struct reader *reader, struct yl_str yaml)
{
    yaml_event_type_t type;
    int r;

    if (count_tag_directives(yaml) > MAX_TAG_DIRECTIVES) {
        return yl_error_set(reader->err, YL_ETOOBIG, "yaml: the document has "
                            "more than %d %%TAG directives",
                            MAX_TAG_DIRECTIVES);
    }
    reader->max_looks = LOOKS_PER_BYTE * yaml.size + 10000000;
    yaml_parser_set_input_string(&reader->parser,
                                 (const unsigned char *) yaml.data,
                                 yaml.size);
    do {
        if (!yaml_parser_parse(&reader->parser, &reader->event)) {
            return fail_parse(reader, yaml);
        }
        type = reader->event.type;
        reader->n_looks += reader->flow_level;
        r = reader->n_looks <= reader->max_looks ? handle_event(reader)
            : fail(reader, YL_ETOODEEP, "too much is nested too deeply");
        yaml_event_delete(&reader->event);
        if (r < 0) {
            return r;
        }
    } while (type != YAML_DOCUMENT_END_EVENT
             && type != YAML_STREAM_END_EVENT);

    if (reader->duplicates.size) {
        return yl_error_set(reader->err, YL_EDUPLICATE, "yaml: unmarshal "
                            "errors:%s", yl_buf_c_str(&reader->duplicates));
    }
    if (!reader->root) {
        reader->root = yl_node_new_null(reader->arena);
    }
    return 0;
}

/* Counts whatever looks like a %TAG directive, in UTF-16 too.  The result may
 * be too large but not too small. */
static size_t
count_tag_directives(struct yl_str yaml)
{
    static const char directive[] = "%TAG";
    size_t n_matched = 0;
    size_t n = 0;
    size_t i;

    if (!yl_str_find_char(yaml, '%')) {
        return 0;
    }
    for (i = 0; i < yaml.size; i++) {
        char c = yaml.data[i];

        if (c == directive[n_matched]) {
            n_matched++;
        } else if (c) {
            n_matched = c == '%';
        }
        if (n_matched == sizeof directive - 1) {
            n++;
            n_matched = 0;
        }
    }
    return n;
}

static int
handle_event(struct reader *reader)
{
    const yaml_event_t *event = &reader->event;
    const yaml_version_directive_t *version;

    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        version = event->data.document_start.version_directive;
        if (version && (version->major != 1 || version->minor != 1)) {
            return fail(reader, YL_ESYNTAX,
                        "found incompatible YAML document");
        }
        return count_node(reader);

    case YAML_SCALAR_EVENT:
        return handle_scalar(reader);

    case YAML_ALIAS_EVENT:
        return handle_alias(reader);

    case YAML_SEQUENCE_START_EVENT:
        return handle_start(reader, yl_node_new_array(reader->arena),
                            event->data.sequence_start.anchor,
                            event->data.sequence_start.style
                            == YAML_FLOW_SEQUENCE_STYLE);

    case YAML_MAPPING_START_EVENT:
        return handle_start(reader, yl_node_new_object(reader->arena),
                            event->data.mapping_start.anchor,
                            event->data.mapping_start.style
                            == YAML_FLOW_MAPPING_STYLE);

    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return handle_end(reader);

    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    default:
        return 0;
    }
}

static struct frame *
top(struct reader *reader)
{
    return reader->n_frames ? &reader->frames[reader->n_frames - 1] : NULL;
}

/* Does the next node stand where a key belongs? */
static bool
wants_key(struct reader *reader)
{
    const struct frame *frame = top(reader);

    return frame && frame->node->type == YL_JSON_OBJECT && !frame->has_key;
}

static int
handle_start(struct reader *reader, struct yl_node *node,
             const yaml_char_t *anchor, bool is_flow)
{
    struct frame *frame;
    int r = count_node(reader);

    if (r < 0) {
        return r;
    }
    if (wants_key(reader)) {
        return fail(reader, YL_ESYNTAX, "invalid map key: a list or a map");
    }
    if (reader->n_frames >= reader->opts.max_depth) {
        return fail(reader, YL_ETOODEEP, "nested deeper than %u levels",
                    reader->opts.max_depth);
    }
    if (reader->n_frames == reader->n_allocated) {
        reader->n_allocated = reader->n_allocated ? reader->n_allocated * 2
                                                  : 16;
        reader->frames = yl_realloc_array(reader->frames, reader->n_allocated,
                                          sizeof *reader->frames);
    }
    frame = &reader->frames[reader->n_frames++];
    memset(frame, 0, sizeof *frame);
    frame->node = node;
    frame->is_flow = is_flow;
    reader->flow_level += is_flow;
    if (anchor) {
        frame->anchor = add_anchor(reader, anchor);
        frame->anchor->node = node;
        frame->anchor->is_open = true;
    }
    return 0;
}

static int
handle_end(struct reader *reader)
{
    struct frame *frame = &reader->frames[--reader->n_frames];

    reader->flow_level -= frame->is_flow;
    if (frame->anchor) {
        frame->anchor->is_open = false;
    }
    return add_value(reader, frame->node);
}

static int
handle_scalar(struct reader *reader)
{
    const yaml_event_t *event = &reader->event;
    struct yl_str text = yl_str_n((const char *) event->data.scalar.value,
                                  event->data.scalar.length);
    const char *tag = (const char *) event->data.scalar.tag;
    bool is_plain = event->data.scalar.plain_implicit;
    struct yl_yaml_scalar scalar = { YL_YAML_STRING, text, { false } };
    int r = count_node(reader);

    if (event->data.scalar.anchor || wants_key(reader)) {
        /* It must outlive the event; a node makes its own copy. */
        scalar.text = text = yl_arena_copy(reader->arena, text);
    }
    if (r < 0) {
        return r;
    }
    if (tag) {
        r = yl_yaml_resolve_tagged(reader->arena, tag, text, &scalar,
                                   reader->err);
        if (r < 0) {
            return at_event(reader, r);
        }
    } else if (is_plain) {
        scalar = yl_yaml_resolve(text);
    }
    if (event->data.scalar.anchor) {
        add_anchor(reader, event->data.scalar.anchor)->scalar = scalar;
    }
    if (wants_key(reader) && yl_str_equal(text, YL_STR("<<"))
        && (is_plain || (tag && !strcmp(tag, "tag:yaml.org,2002:merge")))) {
        top(reader)->has_key = top(reader)->is_merge = true;
        return 0;
    }
    return add_scalar(reader, &scalar);
}

static int
handle_alias(struct reader *reader)
{
    const yaml_char_t *name = reader->event.data.alias.anchor;
    struct anchor *anchor = find_anchor(reader, name);
    struct frame *frame = top(reader);
    struct yl_node *node;
    int r = count_node(reader);

    if (r < 0) {
        return r;
    }
    if (!anchor) {
        return fail(reader, YL_ESYNTAX, "unknown anchor '%.64s' referenced",
                    (const char *) name);
    }
    if (anchor->is_open) {
        return fail(reader, YL_ESYNTAX, "anchor '%.64s' value contains itself",
                    (const char *) name);
    }
    if (!anchor->node) {
        reader->n_copied++;
        reader->expansion += anchor->scalar.text.size;
        r = count_node(reader);
        return r < 0 ? r : add_scalar(reader, &anchor->scalar);
    }
    if (wants_key(reader)) {
        return fail(reader, YL_ESYNTAX, "invalid map key: a list or a map");
    }
    if (frame && frame->is_merge) {
        /* No copy is made here, because merging makes one. */
        return anchor->node->type == YL_JSON_OBJECT
               ? add_value(reader, anchor->node) : fail_merge(reader);
    }
    r = copy(reader, anchor->node, reader->n_frames, &node);
    return r < 0 ? r : add_value(reader, node);
}

/* Adds a scalar to the top frame, as a key or as a value, whichever comes next
 * there. */
static int
add_scalar(struct reader *reader, const struct yl_yaml_scalar *scalar)
{
    struct yl_node *node;
    int r;

    if (wants_key(reader)) {
        struct frame *frame = top(reader);

        frame->has_key = true;
        r = yl_yaml_to_key(reader->arena, scalar, &frame->key, reader->err);
        return r < 0 ? at_event(reader, r) : 0;
    }
    r = yl_yaml_to_node(reader->arena, scalar, &node, reader->err);
    if (r == YL_ERANGE && reader->opts.go_messages) {
        return yl_error_set(reader->err, r, "json: unsupported value: %s",
                            isnan(scalar->as.real) ? "NaN"
                            : scalar->as.real < 0 ? "-Inf" : "+Inf");
    }
    return r < 0 ? at_event(reader, r) : add_value(reader, node);
}

/* Adds 'node', which is complete, to the top frame, or makes it the root. */
static int
add_value(struct reader *reader, struct yl_node *node)
{
    struct frame *frame = top(reader);
    struct yl_node *child;
    int r = 0;

    if (!frame) {
        reader->root = node;
        return 0;
    }
    if (frame->node->type == YL_JSON_ARRAY) {
        yl_node_append(frame->node, node);
        return 0;
    }
    frame->has_key = false;
    if (!frame->is_merge) {
        return set_member(reader, frame->node, frame->key, node);
    }
    frame->is_merge = false;
    if (node->type != YL_JSON_ARRAY || !node->first) {
        return node->type == YL_JSON_ARRAY ? 0
               : merge(reader, frame->node, node);
    }
    /* If several maps are merged, the first has precedence.  Later merges
     * overwrite earlier ones, so the first is merged last. */
    child = node->first;
    do {
        child = child->prev;
        r = merge(reader, frame->node, child);
    } while (r == 0 && child != node->first);
    return r;
}

static int
set_member(struct reader *reader, struct yl_node *object, struct yl_str key,
           struct yl_node *value)
{
    struct yl_buf *lines = &reader->duplicates;

    if (reader->opts.refuse_duplicates && yl_node_get(object, key)) {
        if (lines->size + 6 * key.size + 64 < MAX_DUPLICATES_SIZE) {
            yl_buf_printf(lines, "\n  line %zu: key ",
                          reader->opts.first_line
                          + reader->event.start_mark.line);
            yl_json_write_string(lines, key);
            yl_buf_append_c(lines, " already set in map");
        } else if (lines->size == 0) {
            yl_buf_append_c(lines, " a long key is already set in its map");
        }
        return 0;
    }
    yl_node_set(reader->arena, object, key, value);
    return 0;
}

/* Copies every member of 'from' into 'object'. */
static int
merge(struct reader *reader, struct yl_node *object,
      const struct yl_node *from)
{
    const struct yl_node *member;

    if (from->type != YL_JSON_OBJECT) {
        return fail_merge(reader);
    }
    YL_NODE_FOR_EACH (member, from) {
        struct yl_node *value;
        int r = copy(reader, member, reader->n_frames, &value);

        if (r == 0) {
            r = set_member(reader, object, yl_node_key(member), value);
        }
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

/* Copies what an alias stands for, to stand inside of 'depth' containers.
 * Scalars share their bytes. */
static int
copy(struct reader *reader, const struct yl_node *node, size_t depth,
     struct yl_node **ret_copy)
{
    struct yl_node *twin
        = !node->first ? yl_node_copy(reader->arena, node)
          : node->type == YL_JSON_ARRAY ? yl_node_new_array(reader->arena)
          : yl_node_new_object(reader->arena);
    const struct yl_node *child;
    int r;

    reader->n_copied++;
    reader->expansion += node->raw_size + 2;
    r = count_node(reader);
    if (r == 0 && depth >= reader->opts.max_depth
        && (node->type == YL_JSON_ARRAY || node->type == YL_JSON_OBJECT)) {
        r = fail(reader, YL_ETOODEEP, "nested deeper than %u levels",
                 reader->opts.max_depth);
    }
    YL_NODE_FOR_EACH (child, node) {
        struct yl_node *value;

        if (r == 0) {
            r = copy(reader, child, depth + 1, &value);
        }
        if (r < 0) {
            return r;
        }
        if (node->type == YL_JSON_ARRAY) {
            yl_node_append(twin, value);
        } else {
            reader->n_copied++;
            reader->expansion += child->key_size + 4;
            r = count_node(reader);
            yl_node_set(reader->arena, twin, yl_node_key(child), value);
        }
    }
    if (r == 0) {
        *ret_copy = twin;
    }
    return r;
}

/* Counts one more node.  Fails if too large a part of the document comes from
 * aliases, or if it takes more memory than it may.  The rule for aliases is
 * Go's: of up to 400,000 nodes they may make 99 %, of 4,000,000 and more 10 %,
 * and in between a share in between. */
static int
count_node(struct reader *reader)
{
    const double low = 400000, high = 4000000;
    double n = (double) ++reader->n_nodes;
    double share = n <= low ? 0.99 : n >= high ? 0.10
                   : 0.99 - 0.89 * (n - low) / (high - low);

    if (reader->n_copied > 100 && n > 1000
        && (double) reader->n_copied / n > share) {
        return fail(reader, YL_ETOOBIG, "document contains excessive "
                    "aliasing");
    }
    if (reader->expansion > reader->opts.max_expansion) {
        return fail(reader, YL_ETOOBIG, "aliases expand to more than %zu "
                    "bytes", reader->opts.max_expansion);
    }
    return yl_arena_is_over(reader->arena)
           ? yl_arena_check(reader->arena, reader->err) : 0;
}

/* A new anchor called 'name', which replaces the earlier ones of this name. */
static struct anchor *
add_anchor(struct reader *reader, const yaml_char_t *name)
{
    struct anchor *anchor = find_anchor(reader, name);
    struct yl_str text = yl_str_c((const char *) name);

    if (anchor) {
        yl_map_remove(&reader->anchors, &anchor->by_name);
        text = anchor->name;
    } else {
        text = yl_arena_copy(reader->arena, text);
    }
    anchor = yl_arena_zalloc(reader->arena, sizeof *anchor);
    anchor->name = text;
    yl_map_insert(&reader->anchors, &anchor->by_name, yl_hash_str(text));
    return anchor;
}

static struct anchor *
find_anchor(struct reader *reader, const yaml_char_t *name)
{
    struct yl_str text = yl_str_c((const char *) name);
    struct anchor *anchor;

    YL_MAP_FOR_EACH_WITH_HASH (anchor, by_name, yl_hash_str(text),
                               &reader->anchors) {
        if (yl_str_equal(anchor->name, text)) {
            return anchor;
        }
    }
    return NULL;
}

/* Adds the line of the current event to an error that is set. */
static int
at_event(struct reader *reader, int code)
{
    if (reader->opts.go_messages) {
        yl_error_prefix(reader->err, "yaml");
    } else {
        yl_error_prefix(reader->err, "yaml: line %zu", reader->opts.first_line
                        + reader->event.start_mark.line);
    }
    return code;
}

/* Sets an error with the line of the current event. */
static int
fail(struct reader *reader, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    yl_error_vset(reader->err, code, format, args);
    va_end(args);
    return at_event(reader, code);
}

static int
fail_merge(struct reader *reader)
{
    return fail(reader, YL_ESYNTAX, "map merge requires map or sequence of "
                "maps as the value");
}

/* Sets an error for text that libyaml refuses. */
static int
fail_parse(struct reader *reader, struct yl_str yaml)
{
    const yaml_parser_t *parser = &reader->parser;
    size_t line = parser->problem_mark.line;

    if (parser->error == YAML_MEMORY_ERROR) {
        yl_out_of_memory(0);
    }
    if (parser->error == YAML_READER_ERROR) {
        /* For errors of its reader libyaml gives the byte but not the line. */
        size_t i;

        for (line = i = 0; i < yaml.size && i < parser->problem_offset; i++) {
            line += yaml.data[i] == '\n';
        }
    }
    if (reader->opts.go_messages) {
        return fail_go(reader);
    }
    return yl_error_set(reader->err, YL_ESYNTAX, "yaml: line %zu: %s",
                        reader->opts.first_line + line,
                        parser->problem ? parser->problem
                        : "unknown problem parsing YAML content");
}

/* Words the error as Go does.  Go counts lines from 0 and then takes 0 to mean
 * "unknown"; only for errors of its scanner does it correct the number. */
static int
fail_go(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem
                          ? parser->problem
                          : "unknown problem parsing YAML content";
    size_t line = parser->problem_mark.line;

    if (parser->error == YAML_READER_ERROR) {
        line = 0;
    } else if (!line) {
        line = parser->context_mark.line;
    } else if (parser->error == YAML_SCANNER_ERROR) {
        line++;
    }
    return line ? yl_error_set(reader->err, YL_ESYNTAX, "yaml: line %zu: %s",
                               line, problem)
                : yl_error_set(reader->err, YL_ESYNTAX, "yaml: %s", problem);
}
