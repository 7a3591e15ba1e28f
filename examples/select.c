/* Which objects in these files does a label selector match?
 *
 *     select SELECTOR FILE...
 *     select 'app=web,tier in (front,back)' pods.yaml
 *
 * The shortest way through the object layer: YAML is read, each document
 * becomes a block, the selector is matched against the bytes of its labels,
 * and the key is printed.  Everything that is made for a document lives in one
 * arena and is freed with it. */

#include <stdio.h>
#include <stdlib.h>

#include <yuloh/arena.h>
#include <yuloh/error.h>
#include <yuloh/object.h>
#include <yuloh/selector.h>
#include <yuloh/yaml.h>

/* Prints "KIND NAMESPACE/NAME" if 'selector' matches the object. */
static int
select_object(const struct yl_selector *selector, struct yl_str json,
              struct yl_error *err)
{
    struct yl_type_meta type;
    const struct yl_object_opts opts = { .ret_type = &type };
    struct yl_object *object;
    int r = yl_object_ingest(json, &opts, &object, err);

    if (r < 0) {
        return r;
    }
    if (yl_selector_matches(selector, yl_object_labels(object))) {
        struct yl_key key = yl_object_key(object);

        printf("%.*s %.*s%s%.*s\n", YL_STR_ARG(type.kind),
               YL_STR_ARG(key.namespace_), key.namespace_.size ? "/" : "",
               YL_STR_ARG(key.name));
    }
    yl_object_unref(object);
    return 0;
}

static int
select_file(const struct yl_selector *selector, const char *path,
            struct yl_error *err)
{
    static char text[1 << 20];
    struct yl_arena *arena = yl_arena_new();
    struct yl_yaml_stream stream;
    FILE *file = fopen(path, "rb");
    struct yl_str json;
    int r;

    if (!file) {
        yl_arena_free(arena);
        return yl_error_set(err, YL_EIO, "cannot open it");
    }
    stream = yl_yaml_stream(yl_str_n(text, fread(text, 1, sizeof text, file)));
    fclose(file);
    while ((r = yl_yaml_next_json(&stream, arena, NULL, &json, err)) > 0) {
        r = select_object(selector, json, err);
        if (r < 0) {
            break;
        }
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return r;
}

int
main(int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena;
    const struct yl_selector *selector;
    int i, r;

    if (argc < 3) {
        fprintf(stderr, "usage: select SELECTOR FILE...\n");
        return 2;
    }
    arena = yl_arena_new();
    r = yl_selector_parse(yl_str_c(argv[1]), arena, &selector, &err);
    if (r < 0) {
        yl_error_prefix(&err, "%s", argv[1]);
    }
    for (i = 2; r == 0 && i < argc; i++) {
        r = select_file(selector, argv[i], &err);
        if (r < 0) {
            yl_error_prefix(&err, "%s", argv[i]);
        }
    }
    if (r < 0) {
        fprintf(stderr, "select: %s\n", yl_error_message(&err));
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return r < 0;
}
