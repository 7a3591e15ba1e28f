/* kubeconfig.  See apiserver/auth/kubeconfig.h. */

#include "apiserver/auth/kubeconfig.h"

#include <openssl/crypto.h>

#include "apiserver/auth/pki.h"
#include "base/file.h"
#include "json/base64.h"
#include "json/text.h"
#include "yuloh/error.h"

#define CLUSTER "yuloh"
#define MAX_SIZE ((size_t) 1 << 20)

static void member(struct yl_buf *, const char *name, const char *text);
static void data(struct yl_buf *, const char *name, const char *pem);
static bool is_same(const char *path, struct yl_str text);
static void wipe(struct yl_buf *);

void
yl_kubeconfig_render(const struct yl_kubeconfig *config, struct yl_buf *buf)
{
    struct yl_buf context;

    yl_buf_init(&context, MAX_SIZE);
    yl_buf_printf(&context, "%s@" CLUSTER, config->user);
    yl_buf_append_c(buf, "apiVersion: v1\nkind: Config\n");
    yl_buf_append_c(buf, "clusters:\n- name: " CLUSTER "\n  cluster:\n");
    data(buf, "    certificate-authority-data", config->authority);
    member(buf, "    server", config->server);
    yl_buf_append_c(buf, "contexts:\n");
    member(buf, "- name", yl_buf_c_str(&context));
    yl_buf_append_c(buf, "  context:\n    cluster: " CLUSTER "\n");
    member(buf, "    user", config->user);
    member(buf, "current-context", yl_buf_c_str(&context));
    yl_buf_append_c(buf, "preferences: {}\nusers:\n");
    member(buf, "- name", config->user);
    yl_buf_append_c(buf, "  user:\n");
    if (config->certificate) {
        data(buf, "    client-certificate-data", config->certificate);
        data(buf, "    client-key-data", config->key);
    } else {
        member(buf, "    token", config->token);
    }
    yl_buf_release(&context);
}

int
yl_kubeconfig_write_admin(const char *pki_directory, const char *server,
                          const char *path, struct yl_error *err)
{
    struct yl_pki_pair ca = { NULL, NULL }, admin = { NULL, NULL };
    struct yl_buf text;
    int r;

    yl_buf_init(&text, MAX_SIZE);
    r = yl_pki_load(pki_directory, YL_PKI_CA, &ca, err);
    if (r == 0) {
        r = yl_pki_load(pki_directory, YL_PKI_ADMIN, &admin, err);
    }
    if (r == 0) {
        const struct yl_kubeconfig config = {
            .server = server,
            .user = "kubernetes-admin",
            .authority = ca.certificate,
            .certificate = admin.certificate,
            .key = admin.key,
        };

        yl_kubeconfig_render(&config, &text);
        r = is_same(path, yl_buf_str(&text))
            ? 0 : yl_file_replace(path, yl_buf_str(&text), 0600, err);
    }
    wipe(&text);
    yl_pki_pair_release(&ca);
    yl_pki_pair_release(&admin);
    return r;
}

/* Any JSON string is a YAML string too, so the text is written as JSON. */
static void
member(struct yl_buf *buf, const char *name, const char *text)
{
    yl_buf_printf(buf, "%s: ", name);
    yl_json_write_text(buf, yl_str_c(text));
    yl_buf_append_char(buf, '\n');
}

static void
data(struct yl_buf *buf, const char *name, const char *pem)
{
    yl_buf_printf(buf, "%s: ", name);
    yl_base64_write(buf, yl_str_c(pem));
    yl_buf_append_char(buf, '\n');
}

static bool
is_same(const char *path, struct yl_str text)
{
    struct yl_buf old;
    bool same;

    yl_buf_init(&old, MAX_SIZE);
    same = yl_file_read(path, &old, NULL) == 0
           && yl_str_equal(yl_buf_str(&old), text);
    wipe(&old);
    return same;
}

static void
wipe(struct yl_buf *buf)
{
    if (buf->data) {
        OPENSSL_cleanse(buf->data, buf->size);
    }
    yl_buf_release(buf);
}
