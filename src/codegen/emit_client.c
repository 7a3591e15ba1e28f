/* Typed wrappers.  See codegen/emit_client.h.
 *
 * Each function is a row of a table: the verb that it needs, its result, its
 * arguments and what it calls.  In these texts '@' stands for the struct's
 * name, '#' for the type of its status. */

#include "codegen/emit_client.h"

#include <string.h>

#include "codegen/emit_c.h"
#include "codegen/model.h"
#include "yuloh/arena.h"

#define MAX_ARGS 10

enum {
    /* Left out without a status, without the scale subresource, if the kind
     * has no namespace, or if it has one. */
    NEEDS_STATUS = 1 << 0,
    NEEDS_SCALE = 1 << 1,
    NEEDS_NAMESPACE = 1 << 2,
    NEEDS_CLUSTER = 1 << 3,

    RETURNS_RECORD = 1 << 4,    /* Through its last argument, "ret_have". */
};

struct function {
    const char *verb;           /* Of onlyVerbs. */
    unsigned flags;
    const char *result;
    const char *name;
    const char *args[MAX_ARGS];
    const char *callee;
    const char *params[MAX_ARGS];
};

#define CLIENT "struct yl_client *client"
#define KEY "const struct yl_key *key"
#define OPTS "const struct yl_call_opts *opts"
#define ARENA "struct yl_arena *arena"
#define RECORD "const struct @ *record"
#define RET "struct @ *ret_record"
#define ERR "struct yl_error *err"
#define REQUEST "struct yl_request *request"
#define KIND "&@_kind"
#define NAMESPACE "struct yl_str namespace_"
#define LIST_OPTIONS "const struct yl_list_options *options"
#define EACH "yl_typed_each_fn *each"

static const struct function client_functions[] = {
    { "get", 0, "int", "@_client_get",
      { CLIENT, KEY, OPTS, ARENA, RET, ERR },
      "yl_typed_get",
      { "client", KIND, "key", "opts", "arena", "ret_record", "err" } },
    { "list", NEEDS_NAMESPACE, "int", "@_client_list",
      { CLIENT, NAMESPACE, LIST_OPTIONS, OPTS, EACH, "void *aux", ERR },
      "yl_typed_list",
      { "client", KIND, "namespace_", "options", "opts", "each", "aux",
        "err" } },
    { "list", NEEDS_CLUSTER, "int", "@_client_list",
      { CLIENT, LIST_OPTIONS, OPTS, EACH, "void *aux", ERR },
      "yl_typed_list",
      { "client", KIND, "yl_str_null()", "options", "opts", "each", "aux",
        "err" } },
    { "create", 0, "int", "@_client_create",
      { CLIENT, RECORD, OPTS, ARENA, RET, ERR },
      "yl_typed_create",
      { "client", KIND, "record", "opts", "arena", "ret_record", "err" } },
    { "update", 0, "int", "@_client_update",
      { CLIENT, RECORD, OPTS, ARENA, RET, ERR },
      "yl_typed_update",
      { "client", KIND, "record", "opts", "arena", "ret_record", "err" } },
    { "updateStatus", NEEDS_STATUS, "int", "@_client_update_status",
      { CLIENT, RECORD, OPTS, ARENA, RET, ERR },
      "yl_typed_update_status",
      { "client", KIND, "record", "opts", "arena", "ret_record", "err" } },
    { "apply", 0, "int", "@_client_apply",
      { CLIENT, RECORD, OPTS, ARENA, RET, ERR },
      "yl_typed_apply",
      { "client", KIND, "record", "opts", "arena", "ret_record", "err" } },
    { "patch", 0, "int", "@_client_patch",
      { CLIENT, KEY, "enum yl_patch_type type", "struct yl_str patch", OPTS,
        ARENA, RET, ERR },
      "yl_typed_patch",
      { "client", KIND, "key", "type", "patch", "opts", "arena",
        "ret_record", "err" } },
    { "delete", 0, "int", "@_client_delete",
      { CLIENT, KEY, "const struct yl_delete_opts *options", OPTS, ERR },
      "yl_typed_delete",
      { "client", KIND, "key", "options", "opts", "err" } },
    { "deleteCollection", NEEDS_NAMESPACE, "int",
      "@_client_delete_collection",
      { CLIENT, NAMESPACE, "const struct yl_delete_opts *options",
        "const struct yl_list_options *which", OPTS, ERR },
      "yl_typed_delete_collection",
      { "client", KIND, "namespace_", "options", "which", "opts", "err" } },
    { "deleteCollection", NEEDS_CLUSTER, "int",
      "@_client_delete_collection",
      { CLIENT, "const struct yl_delete_opts *options",
        "const struct yl_list_options *which", OPTS, ERR },
      "yl_typed_delete_collection",
      { "client", KIND, "yl_str_null()", "options", "which", "opts",
        "err" } },
    { "watch", NEEDS_NAMESPACE, "int", "@_client_watch",
      { CLIENT, NAMESPACE, LIST_OPTIONS, OPTS, "yl_client_event_fn *event",
        "void *aux", ERR },
      "yl_typed_watch",
      { "client", KIND, "namespace_", "options", "opts", "event", "aux",
        "err" } },
    { "watch", NEEDS_CLUSTER, "int", "@_client_watch",
      { CLIENT, LIST_OPTIONS, OPTS, "yl_client_event_fn *event",
        "void *aux", ERR },
      "yl_typed_watch",
      { "client", KIND, "yl_str_null()", "options", "opts", "event", "aux",
        "err" } },
    { "get", NEEDS_SCALE, "int", "@_client_get_scale",
      { CLIENT, KEY, OPTS, "struct yl_scale *ret_scale", ERR },
      "yl_typed_get_scale",
      { "client", KIND, "key", "opts", "ret_scale", "err" } },
    { "update", NEEDS_SCALE, "int", "@_client_update_scale",
      { CLIENT, KEY, "int64_t replicas", "uint64_t revision", OPTS,
        "struct yl_scale *ret_scale", ERR },
      "yl_typed_update_scale",
      { "client", KIND, "key", "replicas", "revision", "opts", "ret_scale",
        "err" } },
};

static const struct function cache_functions[] = {
    { "get", 0, "int", "@_lister_get",
      { "struct yl_store *store", KEY, ARENA, RET, ERR },
      "yl_typed_lister_get",
      { "store", KIND, "key", "arena", "ret_record", "err" } },
    { "list", NEEDS_NAMESPACE, "int", "@_lister_list",
      { "struct yl_store *store", NAMESPACE,
        "const struct yl_selector *selector", EACH, "void *aux", ERR },
      "yl_typed_lister_list",
      { "store", KIND, "namespace_", "selector", "each", "aux", "err" } },
    { "list", NEEDS_CLUSTER, "int", "@_lister_list",
      { "struct yl_store *store", "const struct yl_selector *selector", EACH,
        "void *aux", ERR },
      "yl_typed_lister_list",
      { "store", KIND, "yl_str_null()", "selector", "each", "aux", "err" } },
    { "watch", 0, "struct yl_informer *", "@_informer",
      { "struct yl_informer_factory *factory",
        "const struct yl_informer_scope *scope" },
      "yl_typed_informer",
      { "factory", KIND, "scope" } },
};

static const struct function request_functions[] = {
    { "get", 0, "const struct @ *", "@_of",
      { "const struct yl_request *request" },
      "(const struct @ *) yl_request_record",
      { "request", KIND } },
    { "updateStatus", NEEDS_STATUS, "int", "@_update_status",
      { REQUEST, "const # *status" },
      "yl_request_update_status",
      { "request", KIND, "status" } },
    { "apply", RETURNS_RECORD, "int", "@_apply_owned",
      { REQUEST, "const struct @ *want", "const struct @ **ret_have" },
      "yl_request_apply_owned",
      { "request", KIND, "want", "&have" } },
    { "update", RETURNS_RECORD, "int", "@_create_or_update",
      { REQUEST, KEY, "yl_mutate_fn *mutate", "void *aux",
        "const struct @ **ret_have" },
      "yl_request_create_or_update",
      { "request", KIND, "key", "mutate", "aux", "&have" } },
};

static void emit_top(const struct yl_gen_unit *, struct yl_buf *);
static void emit_kind(const struct yl_gen_kind *, struct yl_buf *);
static void emit_functions(const struct yl_gen_kind *,
                           const struct function *, size_t n,
                           const char *title, struct yl_buf *);
static void emit_body(const struct yl_gen_kind *, const struct function *,
                      const char *const *params, struct yl_buf *);
static bool has_verb(const struct yl_gen_kind *, const char *verb);
static const char *status_type(const struct yl_gen_kind *);
static const char *fill(const struct yl_gen_kind *, const char *text);

bool
yl_gen_has_client(const struct yl_gen_unit *unit)
{
    const struct yl_gen_kind *kind;

    for (kind = unit->kinds; kind; kind = kind->next) {
        if (kind->client) {
            return true;
        }
    }
    return false;
}

void
yl_gen_emit_client(const struct yl_gen_unit *unit, struct yl_buf *buf)
{
    const struct yl_gen_kind *kind;

    emit_top(unit, buf);
    for (kind = unit->kinds; kind; kind = kind->next) {
        if (kind->client) {
            emit_kind(kind, buf);
        }
    }
    yl_buf_printf(buf, "\nYL_C_END\n\n#endif /* %s_client.h */\n",
                  unit->base);
}

static void
emit_top(const struct yl_gen_unit *unit, struct yl_buf *buf)
{
    const char *guard = yl_gen_macro_name(unit->arena, unit->base);

    yl_buf_printf(buf,
                  "#ifndef %s_CLIENT_H\n"
                  "#define %s_CLIENT_H 1\n"
                  "\n"
                  "/* %s%s%s: client, lister, informer.\n"
                  " *\n"
                  " * Generated by yuloh-gen; do not edit.  yuloh/typed.h "
                  "and yuloh/controller.h\n"
                  " * describe what these functions do. */\n"
                  "\n"
                  "#include \"yuloh/typed.h\"\n"
                  "\n"
                  "#include \"%s.h\"\n"
                  "\n"
                  "YL_C_BEGIN\n",
                  guard, guard, unit->group, unit->group[0] ? "/" : "",
                  unit->version, unit->base);
}

static void
emit_kind(const struct yl_gen_kind *kind, struct yl_buf *buf)
{
    yl_buf_printf(buf, "\n/* %s */\n", kind->name);
    emit_functions(kind, client_functions, YL_ARRAY_SIZE(client_functions),
                   "Client.", buf);
    emit_functions(kind, cache_functions, YL_ARRAY_SIZE(cache_functions),
                   "Cache.", buf);
    emit_functions(kind, request_functions,
                   YL_ARRAY_SIZE(request_functions),
                   "Inside of a reconcile.", buf);
}

static void
emit_functions(const struct yl_gen_kind *kind,
               const struct function *functions, size_t n, const char *title,
               struct yl_buf *buf)
{
    bool first = true;
    size_t i, j;

    for (i = 0; i < n; i++) {
        const struct function *f = &functions[i];
        const char *args[MAX_ARGS + 1] = { NULL };
        const char *params[MAX_ARGS + 1] = { NULL };

        if (!has_verb(kind, f->verb)
            || ((f->flags & NEEDS_STATUS) && !status_type(kind))
            || ((f->flags & NEEDS_SCALE) && !kind->scale)
            || ((f->flags & NEEDS_NAMESPACE) && kind->cluster_scoped)
            || ((f->flags & NEEDS_CLUSTER) && !kind->cluster_scoped)) {
            continue;
        }
        for (j = 0; j < MAX_ARGS; j++) {
            args[j] = f->args[j] ? fill(kind, f->args[j]) : NULL;
            params[j] = f->params[j] ? fill(kind, f->params[j]) : NULL;
        }
        if (first) {
            yl_buf_printf(buf, "\n/* %s */\n", title);
            first = false;
        }
        yl_buf_printf(buf, "\nstatic inline %s\n", fill(kind, f->result));
        yl_gen_emit_call(buf, "", fill(kind, f->name), args, "");
        yl_buf_append_c(buf, "{\n");
        emit_body(kind, f, params, buf);
        yl_buf_append_c(buf, "}\n");
    }
}

/* "have" is a variable of its own, because C converts no pointer to a pointer
 * to a record to one to void. */
static void
emit_body(const struct yl_gen_kind *kind, const struct function *f,
          const char *const *params, struct yl_buf *buf)
{
    const char *callee = fill(kind, f->callee);

    if (!(f->flags & RETURNS_RECORD)) {
        yl_gen_emit_call(buf, "    return ", callee, params, ";");
        return;
    }
    yl_buf_append_c(buf, "    const void *have;\n    int r;\n\n");
    yl_gen_emit_call(buf, "    r = ", callee, params, ";");
    yl_buf_printf(buf,
                  "    if (r >= 0 && ret_have) {\n"
                  "        *ret_have = (const struct %s *) have;\n"
                  "    }\n"
                  "    return r;\n", kind->type->c_name);
}

/* Is the verb one of the client's? */
static bool
has_verb(const struct yl_gen_kind *kind, const char *verb)
{
    struct yl_str rest = yl_str_c(kind->only_verbs);

    if (!kind->only_verbs[0]) {
        return true;
    }
    while (rest.size) {
        size_t n = 0;

        while (n < rest.size && rest.data[n] != ',') {
            n++;
        }
        if (yl_str_equal_c(yl_str_n(rest.data, n), verb)) {
            return true;
        }
        n += n < rest.size;
        rest = yl_str_n(rest.data + n, rest.size - n);
    }
    return false;
}

/* The C type of the status; NULL if there is none, or none to update. */
static const char *
status_type(const struct yl_gen_kind *kind)
{
    const struct yl_gen_field *field = yl_gen_field_find(kind->type,
                                                         "status");

    if (!field || field->value->kind != YL_VALUE_STRUCT
        || kind->client_no_status) {
        return NULL;
    }
    return yl_gen_c_type(kind->type->unit->arena, field->value);
}

static const char *
fill(const struct yl_gen_kind *kind, const char *text)
{
    struct yl_arena *arena = kind->type->unit->arena;
    const char *mark = strpbrk(text, "@#");

    if (!mark) {
        return text;
    }
    return yl_arena_printf(arena, "%.*s%s%s", (int) (mark - text), text,
                           *mark == '@' ? kind->type->c_name
                                        : status_type(kind),
                           fill(kind, mark + 1));
}
