/* Validation of Namespace, ConfigMap, Secret, ServiceAccount. */

#include "builtin/common/meta.h"
#include "builtin/rows.h"
#include "json/base64.h"

#define MAX_DATA (1024 * 1024)  /* Bytes of all values. */

static const struct yl_meta_rule subdomain =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_secret_type(struct yl_check *, const struct yl_at *secret);
static void check_keys(struct yl_check *, const struct yl_at *data,
                       const char *const *keys);
static void check_docker_config(struct yl_check *, const struct yl_at *data,
                                const char *key);
static size_t base64_size(struct yl_str);

void
yl_namespace_validate(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_LABEL, false, false };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at finalizers = yl_at(&spec, "finalizers");

    yl_check_meta(c, &metadata, &rule);
    YL_CHECK_FOR_EACH (c, finalizer, &finalizers) {
        struct yl_str s = yl_at_str(c, &finalizer);

        yl_check_name_of(c, yl_at_path(&finalizers), YL_NAME_QUALIFIED, s);
        yl_check_finalizer(c, &finalizers, s);
    }
}

void
yl_service_account_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");

    yl_check_meta(c, &metadata, &subdomain);
}

void
yl_config_map_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at data = yl_at(&root, "data");
    struct yl_at binary = yl_at(&root, "binaryData");
    struct yl_field_path all = yl_field_key(NULL, YL_STR(""));
    size_t size = 0;

    yl_check_meta(c, &metadata, &subdomain);
    YL_CHECK_FOR_EACH (c, value, &data) {
        struct yl_str key = yl_at_key(&value);

        yl_check_config_key(c, &value, key);
        if (yl_at_has(&binary) && yl_node_get(binary.node, key)) {
            yl_field_invalid(c->err, yl_at_path(&value), yl_bad_string(key),
                             "duplicate of key present in binaryData");
        }
        size += yl_at_str(c, &value).size;
    }
    YL_CHECK_FOR_EACH (c, value, &binary) {
        yl_check_config_key(c, &value, yl_at_key(&value));
        size += base64_size(yl_at_str(c, &value));
    }
    if (size > MAX_DATA) {
        yl_field_too_long(c->err, &all, MAX_DATA);
    }
}

void
yl_secret_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at data = yl_at(&root, "data");
    size_t size = 0;

    yl_check_meta(c, &metadata, &subdomain);
    YL_CHECK_FOR_EACH (c, value, &data) {
        yl_check_config_key(c, &value, yl_at_key(&value));
        size += base64_size(yl_at_str(c, &value));
    }
    if (size > MAX_DATA) {
        yl_field_too_long(c->err, yl_at_path(&data), MAX_DATA);
    }
    check_secret_type(c, &root);
}

/* Secrets of some types must have certain keys. */
static void
check_secret_type(struct yl_check *c, const struct yl_at *secret)
{
    static const char *const basic[] = { "username", "password", NULL };
    static const char *const tls[] = { "tls.crt", "tls.key", NULL };
    static const char *const account[] =
        { "kubernetes.io/service-account.name", NULL };
    struct yl_at type = yl_at(secret, "type");
    struct yl_at data = yl_at(secret, "data");
    struct yl_at metadata = yl_at(secret, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");

    if (yl_at_is(&type, "kubernetes.io/service-account-token")) {
        if (!yl_at_get_str(c, &annotations, account[0]).size) {
            struct yl_at none = yl_at_node(&metadata, "annotations", NULL);

            check_keys(c, &none, account);
        }
    } else if (yl_at_is(&type, "kubernetes.io/dockercfg")) {
        check_docker_config(c, &data, ".dockercfg");
    } else if (yl_at_is(&type, "kubernetes.io/dockerconfigjson")) {
        check_docker_config(c, &data, ".dockerconfigjson");
    } else if (yl_at_is(&type, "kubernetes.io/basic-auth")) {
        if (!yl_at_get_has(&data, "username")
            && !yl_at_get_has(&data, "password")) {
            check_keys(c, &data, basic);
        }
    } else if (yl_at_is(&type, "kubernetes.io/ssh-auth")) {
        static const char *const key[] = { "ssh-privatekey", NULL };

        if (!yl_at_get_str(c, &data, key[0]).size) {
            struct yl_at none = yl_at_node(secret, "data", NULL);

            check_keys(c, &none, key);
        }
    } else if (yl_at_is(&type, "kubernetes.io/tls")) {
        check_keys(c, &data, tls);
    }
}

/* Every key must be there. */
static void
check_keys(struct yl_check *c, const struct yl_at *data,
           const char *const *keys)
{
    for (; *keys; keys++) {
        struct yl_field_path path =
            yl_field_key(yl_at_path(data), yl_str_c(*keys));

        if (!yl_at_has(data) || !yl_node_get(data->node, yl_str_c(*keys))) {
            yl_field_required(c->err, &path, NULL);
        }
    }
}

static void
check_docker_config(struct yl_check *c, const struct yl_at *data,
                    const char *key)
{
    const char *const keys[] = { key, NULL };
    struct yl_field_path path =
        yl_field_key(yl_at_path(data), yl_str_c(key));
    struct yl_bad_value redacted =
        yl_bad_string(YL_STR("<secret contents redacted>"));
    struct yl_error err = YL_ERROR_INIT;
    struct yl_at at = yl_at(data, key);
    enum yl_json_type type;
    struct yl_str text;

    if (!yl_at_has(&at)) {
        check_keys(c, data, keys);
        return;
    }
    if (!yl_base64_decode(c->arena, yl_at_str(c, &at), &text)) {
        text = YL_STR("");
    }
    type = yl_json_type(yl_json(text));
    if (yl_json_validate(text, NULL, &err) < 0) {
        yl_field_invalid(c->err, &path, redacted, "%s",
                         yl_error_message(&err));
    } else if (type != YL_JSON_OBJECT && type != YL_JSON_NULL) {
        yl_field_invalid(c->err, &path, redacted,
                         "json: cannot unmarshal %s into Go value of type "
                         "map[string]interface {}",
                         type == YL_JSON_ARRAY ? "array"
                         : type == YL_JSON_STRING ? "string"
                         : type == YL_JSON_BOOL ? "bool" : "number");
    }
    yl_error_clear(&err);
}

/* The number of bytes that the base64 text 's' encodes. */
static size_t
base64_size(struct yl_str s)
{
    size_t size = s.size / 4 * 3;

    while (s.size && s.data[s.size - 1] == '=' && size) {
        s.size--;
        size--;
    }
    return size;
}
