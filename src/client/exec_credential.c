/* ExecCredential.  See client/exec_credential.h. */

#include "client/exec_credential.h"

#include <string.h>

#include "base/buf.h"
#include "json/base64.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/yaml.h"

static void write_cluster(const struct yl_client_config *,
                          struct yl_str authorities, struct yl_buf *);
static void write_member(struct yl_buf *, const char *name, const char *text);
static int check_type(struct yl_arena *, struct yl_json,
                      const char *api_version, struct yl_error *);
static int read_text(struct yl_arena *, struct yl_json status,
                     const char *name, struct yl_str *ret, struct yl_error *);
static int read_expiry(struct yl_arena *, struct yl_json status,
                       struct yl_time *ret, struct yl_error *);

void
yl_exec_credential_write(const struct yl_client_config *config,
                         struct yl_str authorities, bool interactive,
                         struct yl_buf *out)
{
    yl_buf_append_c(out, "{\"kind\":\"ExecCredential\",\"apiVersion\":");
    yl_json_write_text(out, yl_str_c(config->exec->api_version));
    yl_buf_append_c(out, ",\"spec\":{");
    if (config->exec->provide_cluster_info) {
        write_cluster(config, authorities, out);
    }
    yl_buf_printf(out, "\"interactive\":%s}}", interactive ? "true" : "false");
}

int
yl_exec_credential_read(struct yl_arena *arena, struct yl_str output,
                        const char *api_version,
                        struct yl_exec_credential *ret, struct yl_error *err)
{
    struct yl_exec_credential credential = { .expires = yl_time_zero() };
    struct yl_error why = YL_ERROR_INIT;
    struct yl_json root, status;
    struct yl_str json;
    int r;

    if (yl_yaml_to_json(arena, output, NULL, &json, &why) < 0) {
        yl_error_set(err, YL_EUNAUTHORIZED, "decoding stdout: %s",
                     yl_error_message(&why));
        yl_error_clear(&why);
        return YL_EUNAUTHORIZED;
    }
    root = yl_json(json);
    r = check_type(arena, root, api_version, err);
    if (r < 0) {
        return r;
    }
    status = yl_json_get(root, YL_STR("status"));
    if (!yl_json_exists(status) || yl_json_type(status) == YL_JSON_NULL) {
        return yl_error_set(err, YL_EUNAUTHORIZED,
                            "exec plugin didn't return a status field");
    }
    r = read_text(arena, status, "token", &credential.token, err);
    if (r == 0) {
        r = read_text(arena, status, "clientCertificateData",
                      &credential.certificate, err);
    }
    if (r == 0) {
        r = read_text(arena, status, "clientKeyData", &credential.key, err);
    }
    if (r == 0) {
        r = read_expiry(arena, status, &credential.expires, err);
    }
    if (r < 0) {
        return r;
    }
    if (!credential.token.size && !credential.certificate.size
        && !credential.key.size) {
        return yl_error_set(err, YL_EUNAUTHORIZED, "exec plugin didn't return "
                            "a token or cert/key pair");
    }
    if (!credential.certificate.size != !credential.key.size) {
        return yl_error_set(err, YL_EUNAUTHORIZED, "exec plugin returned only "
                            "certificate or key, not both");
    }
    *ret = credential;
    return 0;
}

static void
write_cluster(const struct yl_client_config *config, struct yl_str authorities,
              struct yl_buf *out)
{
    yl_buf_append_c(out, "\"cluster\":{\"server\":");
    yl_json_write_text(out, yl_str_c(config->server));
    write_member(out, "tls-server-name", config->tls_server_name);
    if (config->insecure) {
        yl_buf_append_c(out, ",\"insecure-skip-tls-verify\":true");
    }
    if (authorities.size) {
        yl_buf_append_c(out, ",\"certificate-authority-data\":\"");
        yl_base64_write(out, authorities);
        yl_buf_append_char(out, '"');
    }
    write_member(out, "proxy-url", config->proxy_url);
    if (config->disable_compression) {
        yl_buf_append_c(out, ",\"disable-compression\":true");
    }
    yl_buf_append_c(out, ",\"config\":");
    if (config->exec->cluster_config.size) {
        yl_buf_append_str(out, config->exec->cluster_config);
    } else {
        yl_buf_append_c(out, "null");
    }
    yl_buf_append_c(out, "},");
}

static void
write_member(struct yl_buf *out, const char *name, const char *text)
{
    if (text && *text) {
        yl_buf_printf(out, ",\"%s\":", name);
        yl_json_write_text(out, yl_str_c(text));
    }
}

static int
check_type(struct yl_arena *arena, struct yl_json root,
           const char *api_version, struct yl_error *err)
{
    struct yl_json kind = yl_json_get(root, YL_STR("kind"));
    struct yl_str version;

    if (yl_json_type(root) != YL_JSON_OBJECT
        || !yl_json_string_is(kind, YL_STR("ExecCredential"))) {
        return yl_error_set(err, YL_EUNAUTHORIZED, "decoding stdout: it is "
                            "not an object of kind ExecCredential");
    }
    if (yl_json_string(yl_json_get(root, YL_STR("apiVersion")), arena,
                       &version) < 0) {
        version = YL_STR("");
    }
    if (!yl_str_equal_c(version, api_version)) {
        return yl_error_set(err, YL_EUNAUTHORIZED,
                            "exec plugin is configured to use API version %s, "
                            "plugin returned version %.*s", api_version,
                            YL_STR_ARG(version));
    }
    return 0;
}

static int
read_text(struct yl_arena *arena, struct yl_json status, const char *name,
          struct yl_str *ret, struct yl_error *err)
{
    struct yl_json value = yl_json_get(status, yl_str_c(name));

    if (!yl_json_exists(value) || yl_json_type(value) == YL_JSON_NULL) {
        return 0;
    }
    if (yl_json_string(value, arena, ret) < 0
        || yl_str_find_char(*ret, '\0')) {
        return yl_error_set(err, YL_EUNAUTHORIZED,
                            "decoding stdout: status.%s must be a string",
                            name);
    }
    return 0;
}

static int
read_expiry(struct yl_arena *arena, struct yl_json status, struct yl_time *ret,
            struct yl_error *err)
{
    struct yl_str text = YL_STR("");
    int r = read_text(arena, status, "expirationTimestamp", &text, err);

    if (r == 0 && text.size && yl_time_parse(text, ret, NULL) < 0) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "decoding stdout: "
                         "status.expirationTimestamp is not a time");
    }
    return r;
}
