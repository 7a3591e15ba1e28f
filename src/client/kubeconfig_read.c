/* Members of a kubeconfig's objects.  See client/kubeconfig_read.h. */

#include "client/kubeconfig_read.h"

#include <string.h>

#include "client/kubeconfig.h"
#include "json/base64.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The reserved name of a cluster's extension for plug-ins. */
#define EXEC_EXTENSION "client.authentication.k8s.io/exec"

/* Most variables of a plug-in's environment. */
#define MAX_ENV 1000

/* How to read one member into a struct. */
enum member_type {
    TEXT,                       /* const char * */
    PATH,                       /* const char *, made absolute */
    BYTES,                      /* struct yl_str, from base64 */
    FLAG,                       /* bool */
};

struct member {
    const char *name;
    enum member_type type;
    size_t offset;
};

static int read_members(const struct yl_config_reader *, struct yl_json object,
                        const struct member *, size_t n, void *record);
static int read_flag(const struct yl_config_reader *, struct yl_json object,
                     const char *name, bool *ret);
static int read_bytes(const struct yl_config_reader *, struct yl_json object,
                      const char *name, struct yl_str *ret);
static int read_path(const struct yl_config_reader *, struct yl_json object,
                     const char *name, const char **ret);
static int read_texts(const struct yl_config_reader *, struct yl_json list,
                      const char *name, const char *const **ret,
                      size_t *ret_n);
static int read_exec_extension(const struct yl_config_reader *,
                               struct yl_json cluster, struct yl_str *ret);
static int read_extras(const struct yl_config_reader *, struct yl_json user,
                       struct yl_client_impersonation *);
static int read_exec(const struct yl_config_reader *, struct yl_json exec,
                     struct yl_kubeconfig_user *);

int
yl_config_check_object(const struct yl_config_reader *reader,
                       struct yl_json value, const char *name)
{
    return yl_json_type(value) == YL_JSON_OBJECT
           ? 0 : yl_error_set(reader->err, YL_ETYPE, "%s: not an object",
                              name);
}

int
yl_config_read_text(const struct yl_config_reader *reader,
                    struct yl_json object, const char *name, const char **ret)
{
    struct yl_json value = yl_json_get(object, yl_str_c(name));
    struct yl_str text;

    if (!yl_json_exists(value) || yl_json_type(value) == YL_JSON_NULL) {
        return 0;
    }
    if (yl_json_string(value, reader->arena, &text) < 0) {
        return yl_error_set(reader->err, YL_ETYPE, "%s must be a string",
                            name);
    }
    if (yl_str_find_char(text, '\0')) {
        return yl_error_set(reader->err, YL_EINVALID,
                            "%s must not contain the character 0", name);
    }
    if (text.size) {
        *ret = yl_arena_strdup(reader->arena, text);
    }
    return 0;
}

int
yl_config_read_cluster(const struct yl_config_reader *reader,
                       struct yl_json value, struct yl_kubeconfig_entry *entry)
{
    static const struct member members[] = {
#define MEMBER(NAME, TYPE, FIELD) \
    { NAME, TYPE, offsetof(struct yl_kubeconfig_cluster, FIELD) }
        MEMBER("server", TEXT, server),
        MEMBER("tls-server-name", TEXT, tls_server_name),
        MEMBER("insecure-skip-tls-verify", FLAG, insecure),
        MEMBER("certificate-authority", PATH, ca_file),
        MEMBER("certificate-authority-data", BYTES, ca),
        MEMBER("proxy-url", TEXT, proxy_url),
        MEMBER("disable-compression", FLAG, disable_compression),
#undef MEMBER
    };
    struct yl_kubeconfig_cluster *cluster = (void *) entry;
    int r = read_members(reader, value, members, YL_ARRAY_SIZE(members),
                         cluster);

    return r < 0 ? r : read_exec_extension(reader, value,
                                           &cluster->exec_config);
}

int
yl_config_read_user(const struct yl_config_reader *reader,
                    struct yl_json value, struct yl_kubeconfig_entry *entry)
{
    static const struct member members[] = {
#define MEMBER(NAME, TYPE, FIELD) \
    { NAME, TYPE, offsetof(struct yl_kubeconfig_user, FIELD) }
        MEMBER("client-certificate", PATH, certificate_file),
        MEMBER("client-certificate-data", BYTES, certificate),
        MEMBER("client-key", PATH, key_file),
        MEMBER("client-key-data", BYTES, key),
        MEMBER("token", TEXT, token),
        MEMBER("tokenFile", PATH, token_file),
        MEMBER("username", TEXT, username),
        MEMBER("password", TEXT, password),
        MEMBER("as", TEXT, impersonate.user),
        MEMBER("as-uid", TEXT, impersonate.uid),
#undef MEMBER
    };
    struct yl_kubeconfig_user *user = (void *) entry;
    struct yl_json provider;
    int r = read_members(reader, value, members, YL_ARRAY_SIZE(members), user);

    if (r == 0) {
        r = read_texts(reader, yl_json_get(value, YL_STR("as-groups")),
                       "as-groups", &user->impersonate.groups,
                       &user->impersonate.n_groups);
    }
    if (r == 0) {
        r = read_extras(reader, value, &user->impersonate);
    }
    if (r == 0) {
        r = read_exec(reader, yl_json_get(value, YL_STR("exec")), user);
    }
    provider = yl_json_get(value, YL_STR("auth-provider"));
    if (r == 0 && yl_json_type(provider) == YL_JSON_OBJECT) {
        user->auth_provider = "";
        r = yl_config_read_text(reader, provider, "name",
                                &user->auth_provider);
    }
    return r;
}

int
yl_config_read_context(const struct yl_config_reader *reader,
                       struct yl_json value, struct yl_kubeconfig_entry *entry)
{
    static const struct member members[] = {
#define MEMBER(NAME, TYPE, FIELD) \
    { NAME, TYPE, offsetof(struct yl_kubeconfig_context, FIELD) }
        MEMBER("cluster", TEXT, cluster),
        MEMBER("user", TEXT, user),
        MEMBER("namespace", TEXT, namespace_),
#undef MEMBER
    };

    return read_members(reader, value, members, YL_ARRAY_SIZE(members),
                        entry);
}

/* Reads the members of 'object', which may be absent or null, to their offsets
 * in 'record'. */
static int
read_members(const struct yl_config_reader *reader, struct yl_json object,
             const struct member *members, size_t n, void *record)
{
    size_t i;

    if (!yl_json_exists(object) || yl_json_type(object) == YL_JSON_NULL) {
        return 0;
    }
    if (yl_json_type(object) != YL_JSON_OBJECT) {
        return yl_error_set(reader->err, YL_ETYPE, "not an object");
    }
    for (i = 0; i < n; i++) {
        const struct member *member = &members[i];
        void *field = (char *) record + member->offset;
        int r = 0;

        switch (member->type) {
        case TEXT:
            r = yl_config_read_text(reader, object, member->name, field);
            break;
        case PATH:
            r = read_path(reader, object, member->name, field);
            break;
        case BYTES:
            r = read_bytes(reader, object, member->name, field);
            break;
        case FLAG:
            r = read_flag(reader, object, member->name, field);
            break;
        }
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static int
read_flag(const struct yl_config_reader *reader, struct yl_json object,
          const char *name, bool *ret)
{
    struct yl_json value = yl_json_get(object, yl_str_c(name));

    if (yl_json_exists(value) && yl_json_type(value) != YL_JSON_NULL
        && yl_json_bool(value, ret) < 0) {
        return yl_error_set(reader->err, YL_ETYPE, "%s must be true or false",
                            name);
    }
    return 0;
}

static int
read_bytes(const struct yl_config_reader *reader, struct yl_json object,
           const char *name, struct yl_str *ret)
{
    const char *text = NULL;
    struct yl_str bytes;
    int r = yl_config_read_text(reader, object, name, &text);

    if (r < 0 || !text) {
        return r;
    }
    if (!yl_base64_decode(reader->arena, yl_str_c(text), &bytes)) {
        return yl_error_set(reader->err, YL_EINVALID, "%s is not base64",
                            name);
    }
    if (bytes.size) {
        *ret = bytes;
    }
    return 0;
}

static int
read_path(const struct yl_config_reader *reader, struct yl_json object,
          const char *name, const char **ret)
{
    const char *path = NULL;
    int r = yl_config_read_text(reader, object, name, &path);

    if (r == 0 && path) {
        *ret = *path == '/' || !reader->directory
               ? path : yl_arena_printf(reader->arena, "%s/%s",
                                        reader->directory, path);
    }
    return r;
}

static int
read_texts(const struct yl_config_reader *reader, struct yl_json list,
           const char *name, const char *const **ret, size_t *ret_n)
{
    struct yl_json_iter it = yl_json_iter(list);
    enum yl_json_type type = yl_json_type(list);
    const char **texts;
    size_t n = 0;

    if (type == YL_JSON_NONE || type == YL_JSON_NULL) {
        return 0;
    }
    if (type != YL_JSON_ARRAY) {
        return yl_error_set(reader->err, YL_ETYPE, "%s must be a list", name);
    }
    texts = yl_arena_array(reader->arena, yl_json_count(list), sizeof *texts);
    while (yl_json_next(&it)) {
        struct yl_str text;

        if (yl_json_string(it.value, reader->arena, &text) < 0
            || yl_str_find_char(text, '\0')) {
            return yl_error_set(reader->err, YL_ETYPE,
                                "%s must be a list of strings", name);
        }
        texts[n++] = yl_arena_strdup(reader->arena, text);
    }
    *ret = texts;
    *ret_n = n;
    return 0;
}

static int
read_exec_extension(const struct yl_config_reader *reader,
                    struct yl_json cluster, struct yl_str *ret)
{
    struct yl_json_iter it
        = yl_json_iter(yl_json_get(cluster, YL_STR("extensions")));

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("name")),
                              YL_STR(EXEC_EXTENSION))) {
            struct yl_str raw = yl_json_raw(
                yl_json_get(it.value, YL_STR("extension")));

            if (raw.size) {
                *ret = yl_arena_copy(reader->arena, raw);
            }
        }
    }
    return 0;
}

static int
read_extras(const struct yl_config_reader *reader, struct yl_json user,
            struct yl_client_impersonation *impersonate)
{
    struct yl_json map = yl_json_get(user, YL_STR("as-user-extra"));
    struct yl_json_iter it = yl_json_iter(map);
    enum yl_json_type type = yl_json_type(map);
    struct yl_client_extra *extras;
    size_t n = 0;

    if (type == YL_JSON_NONE || type == YL_JSON_NULL) {
        return 0;
    }
    if (type != YL_JSON_OBJECT) {
        return yl_error_set(reader->err, YL_ETYPE,
                            "as-user-extra must be an object");
    }
    extras = yl_arena_array(reader->arena, yl_json_count(map), sizeof *extras);
    while (yl_json_next(&it)) {
        /* The key with its quotes is a JSON string. */
        const struct yl_json quoted = { it.key.data - 1,
                                        it.key.data + it.key.size + 1 };
        struct yl_client_extra *extra = &extras[n++];
        struct yl_str key = it.key;
        int r = read_texts(reader, it.value, "as-user-extra", &extra->values,
                           &extra->n_values);

        if (r < 0) {
            return r;
        }
        if (yl_json_string(quoted, reader->arena, &key) < 0
            || yl_str_find_char(key, '\0')) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "as-user-extra has a key that is no text");
        }
        extra->key = yl_arena_strdup(reader->arena, key);
    }
    impersonate->extras = extras;
    impersonate->n_extras = n;
    return 0;
}

static int
read_env(const struct yl_config_reader *reader, struct yl_json list,
         struct yl_client_exec *exec)
{
    struct yl_json_iter it = yl_json_iter(list);
    enum yl_json_type type = yl_json_type(list);
    struct yl_client_exec_env *env;
    size_t n = 0;

    if (type == YL_JSON_NONE || type == YL_JSON_NULL) {
        return 0;
    }
    if (type != YL_JSON_ARRAY) {
        return yl_error_set(reader->err, YL_ETYPE, "exec.env must be a list");
    }
    if (yl_json_count(list) > MAX_ENV) {
        return yl_error_set(reader->err, YL_EINVALID,
                            "exec.env must not have more than %d elements",
                            MAX_ENV);
    }
    env = yl_arena_array(reader->arena, yl_json_count(list), sizeof *env);
    while (yl_json_next(&it)) {
        int r = yl_config_check_object(reader, it.value, "exec.env");

        env[n] = (struct yl_client_exec_env) { "", "" };
        if (r == 0) {
            r = yl_config_read_text(reader, it.value, "name", &env[n].name);
        }
        if (r == 0) {
            r = yl_config_read_text(reader, it.value, "value", &env[n].value);
        }
        if (r < 0) {
            return r;
        }
        n++;
    }
    exec->env = env;
    exec->n_env = n;
    return 0;
}

static int
read_exec(const struct yl_config_reader *reader, struct yl_json value,
          struct yl_kubeconfig_user *user)
{
    static const struct member members[] = {
#define MEMBER(NAME, TYPE, FIELD) \
    { NAME, TYPE, offsetof(struct yl_client_exec, FIELD) }
        MEMBER("apiVersion", TEXT, api_version),
        MEMBER("command", TEXT, command),
        MEMBER("installHint", TEXT, install_hint),
        MEMBER("provideClusterInfo", FLAG, provide_cluster_info),
#undef MEMBER
    };
    struct yl_client_exec *exec;
    int r;

    if (!yl_json_exists(value) || yl_json_type(value) == YL_JSON_NULL) {
        return 0;
    }
    exec = yl_arena_zalloc(reader->arena, sizeof *exec);
    r = read_members(reader, value, members, YL_ARRAY_SIZE(members), exec);

    /* A command without a slash is looked for in PATH. */
    if (r == 0 && exec->command && strchr(exec->command, '/')) {
        r = read_path(reader, value, "command", &exec->command);
    }
    if (r == 0) {
        r = read_texts(reader, yl_json_get(value, YL_STR("args")),
                       "exec.args", &exec->args, &exec->n_args);
    }
    if (r == 0) {
        r = read_env(reader, yl_json_get(value, YL_STR("env")), exec);
    }
    if (r == 0) {
        r = yl_config_read_text(reader, value, "interactiveMode",
                                &user->interactive_mode);
    }
    user->exec = exec;
    return r;
}
