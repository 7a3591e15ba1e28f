/* Fuzzes YAML: any bytes are read or refused; what is read can be written and
 * read again, and is equal then; and a stream of them comes to its end. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "json/yaml_in.h"
#include "json/yaml_out.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

static bool has_merge_key(const struct yl_node *);
static void check_back(struct yl_arena *, const struct yl_node *);
static void check_stream(struct yl_arena *, struct yl_str text);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;

    if (yl_yaml_parse(arena, text, NULL, &root, NULL) == 0
        && !has_merge_key(root)) {
        check_back(arena, root);
    }
    check_stream(arena, text);
    yl_arena_free(arena);
    return 0;
}

/* Is there a member called "<<"?  Printed as kubectl does, it merges. */
static bool
has_merge_key(const struct yl_node *node)
{
    const struct yl_node *child;

    YL_NODE_FOR_EACH (child, node) {
        if (has_merge_key(child)) {
            return true;
        }
    }
    return yl_node_get(node, YL_STR("<<")) != NULL;
}

static void
check_back(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_yaml_opts opts = { .max_size = 64 << 20,
                                 .refuse_duplicates = true };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *back;
    struct yl_buf buf;

    yl_buf_init(&buf, opts.max_size);
    yl_yaml_write(&buf, root);
    if (yl_buf_error(&buf) == 0) {
        if (yl_yaml_parse(arena, yl_buf_str(&buf), &opts, &back, &err) < 0) {
            fprintf(stderr, "%s\n%s", yl_error_message(&err),
                    yl_buf_c_str(&buf));
            abort();
        }
        CHECK(yl_node_equal(root, back));
    }
    yl_buf_release(&buf);
}

static void
check_stream(struct yl_arena *arena, struct yl_str text)
{
    struct yl_yaml_stream stream = yl_yaml_stream(text);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str json;
    size_t n = 0;
    int r;

    while ((r = yl_yaml_next_json(&stream, arena, NULL, &json, &err)) != 0) {
        CHECK(n++ <= text.size);
        CHECK(r < 0 ? err.code == r : err.code == 0);
        yl_error_clear(&err);
    }
}
