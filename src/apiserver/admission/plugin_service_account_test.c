/* Tests of plugin_service_account.c and plugin_secrets.c, in a whole
 * server. */

#include "api_rig.h"
#include "apiserver/admission/plugin.h"

#define ACCOUNTS "/api/v1/namespaces/default/serviceaccounts"
#define PODS "/api/v1/namespaces/default/pods"
#define MIRROR "{'kubernetes.io/config.mirror':'x'}"

static int n_pods;

/* A server with this plugin. */
static void
open_rig(void)
{
    rig_open_with((struct yl_apiserver_opts) {
        .authorize_always = true,
        .plugins_off = yl_admission_mask("DefaultTolerationSeconds"),
    });
}

static int
post(const char *path, const char *json)
{
    char *text = strdup(json), *p;
    int status;

    for (p = text; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    status = api("POST", path, text);
    free(text);
    return status;
}

/* Creates a Pod with a container "c"; members of its spec and of the
 * container. */
static int
pod(const char *annotations, const char *spec, const char *container)
{
    char text[2048];

    snprintf(text, sizeof text, "{'metadata':{'name':'p%d','annotations':%s},"
             "'spec':{%s'containers':[{'name':'c','image':'i'%s}]}}",
             ++n_pods, annotations, spec, container);
    return post(PODS, text);
}

/* The message of the last answer, behind "forbidden: ". */
static const char *
why(void)
{
    const char *at = strstr(text_at("/message"), " is forbidden: ");

    return at ? at + strlen(" is forbidden: ") : text_at("/message");
}

TEST(a_pod_gets_the_default_account_and_its_token)
{
    open_rig();
    assert_int_equal(post(ACCOUNTS, "{'metadata':{'name':'default'},"
                          "'imagePullSecrets':[{'name':'x'}]}"), 201);
    assert_int_equal(pod("{}", "'initContainers':[{'name':'i','image':'i'}],",
                         ""), 201);
    assert_string_equal(text_at("/spec/serviceAccountName"), "default");
    assert_string_equal(text_at("/spec/serviceAccount"), "default");
    assert_string_equal(text_at("/spec/imagePullSecrets"),
                        "[{\"name\":\"x\"}]");
    assert_int_equal(strncmp(text_at("/spec/volumes/0/name"),
                             "kube-api-access-", 16), 0);
    assert_int_equal(strlen(text_at("/spec/volumes/0/name")), 21);
    assert_string_equal(text_at("/spec/volumes/0/projected/defaultMode"),
                        "420");
    assert_string_equal(text_at("/spec/containers/0/volumeMounts/0/mountPath"),
                        "/var/run/secrets/kubernetes.io/serviceaccount");
    assert_string_equal(text_at("/spec/containers/0/volumeMounts/0/name"),
                        text_at("/spec/volumes/0/name"));
    assert_string_equal(text_at("/spec/initContainers/0/volumeMounts/0/name"),
                        text_at("/spec/volumes/0/name"));
    assert_string_equal(text_at("/spec/volumes/1"), "");
    rig_close();
}

TEST(a_token_is_mounted_only_where_it_is_wanted)
{
    open_rig();
    post(ACCOUNTS, "{'metadata':{'name':'default'}}");
    post(ACCOUNTS, "{'metadata':{'name':'off'},"
         "'automountServiceAccountToken':false}");
    assert_int_equal(pod("{}", "'automountServiceAccountToken':false,", ""),
                     201);
    assert_string_equal(text_at("/spec/volumes"), "");
    assert_int_equal(pod("{}", "'serviceAccountName':'off',", ""), 201);
    assert_string_equal(text_at("/spec/volumes"), "");
    assert_int_equal(pod("{}", "'serviceAccountName':'off',"
                         "'automountServiceAccountToken':true,", ""), 201);
    assert_string_equal(text_at("/spec/volumes/0/projected/defaultMode"),
                        "420");

    /* Something else is mounted there already, or the volume is there. */
    assert_int_equal(pod("{}", "'volumes':[{'name':'v','emptyDir':{}}],",
                         ",'volumeMounts':[{'name':'v','mountPath':"
                         "'/var/run/secrets/kubernetes.io/serviceaccount'}]"),
                     201);
    assert_string_equal(text_at("/spec/volumes/1"), "");
    assert_int_equal(pod("{}", "'volumes':[{'name':'kube-api-access-a',"
                         "'emptyDir':{}}],", ""), 201);
    assert_string_equal(text_at("/spec/volumes/1"), "");
    assert_string_equal(text_at("/spec/containers/0/volumeMounts/0/name"),
                        "kube-api-access-a");
    rig_close();
}

TEST(a_pod_is_refused_if_its_account_is_not_there)
{
    open_rig();
    assert_int_equal(pod("{}", "'serviceAccountName':'x',", ""), 403);
    assert_string_equal(why(), "error looking up service account default/x: "
                        "serviceaccount \"x\" not found");
    rig_close();
}

TEST(a_pod_waits_for_the_default_account)
{
    struct yl_clock *clock = yl_clock_fake_new(1000000);
    struct yl_apiserver_opts opts = {
        .authorize_always = true, .clock = clock,
        .plugins_off = yl_admission_mask("DefaultTolerationSeconds"),
    };
    const char *body = "{\"metadata\":{\"name\":\"p\"},\"spec\":{"
        "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    int fd;

    rig_start(opts, clock);
    fd = rig_send("POST", PODS, body);
    rig_advance(100);
    yl_buf_clear(&rig.answer);
    assert_true(rig_receive(fd));
    assert_int_equal(rig.answer.size, 0);
    assert_int_equal(post(ACCOUNTS, "{'metadata':{'name':'default'}}"), 201);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        rig_advance(10);
    }
    assert_int_equal(rig.status, 201);
    assert_string_equal(text_at("/spec/serviceAccountName"), "default");
    close(fd);
    rig_close();
}

TEST(a_pod_does_not_wait_for_ever)
{
    struct yl_clock *clock = yl_clock_fake_new(1000000);
    struct yl_apiserver_opts opts = {
        .authorize_always = true, .clock = clock,
        .plugins_off = yl_admission_mask("DefaultTolerationSeconds"),
    };
    const char *body = "{\"metadata\":{\"name\":\"p\"},\"spec\":{"
        "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    int fd, left;

    rig_start(opts, clock);
    fd = rig_send("POST", PODS, body);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        rig_advance(10);
    }
    assert_int_equal(rig.status, 403);
    assert_string_equal(why(), "error looking up service account "
                        "default/default: serviceaccount \"default\" not "
                        "found");
    close(fd);

    /* The client leaves while it waits. */
    left = rig_send("POST", PODS, body);
    rig_advance(100);
    close(left);
    rig_advance(100);
    rig_close();
}

TEST(mirror_pods_are_left_alone_and_name_no_secrets)
{
    open_rig();
    post(ACCOUNTS, "{'metadata':{'name':'default'}}");
    assert_int_equal(pod(MIRROR, "'nodeName':'n',", ""), 201);
    assert_string_equal(text_at("/spec/serviceAccountName"), "");
    assert_string_equal(text_at("/spec/volumes"), "");
    assert_int_equal(pod(MIRROR, "'serviceAccountName':'default',", ""), 403);
    assert_string_equal(why(), "a mirror pod may not reference service "
                        "accounts");
    assert_int_equal(pod(MIRROR, "'imagePullSecrets':[{'name':'x'}],", ""),
                     403);
    assert_string_equal(why(), "a mirror pod may not reference secrets");
    assert_int_equal(pod(MIRROR, "'volumes':[{'name':'v','secret':"
                         "{'secretName':'s'}}],", ""), 403);
    assert_int_equal(pod(MIRROR, "'volumes':[{'name':'v','projected':"
                         "{'sources':[{'secret':{'name':'s'}}]}}],", ""),
                     403);
    assert_int_equal(pod(MIRROR, "'volumes':[{'name':'v','csi':{'driver':'d',"
                         "'nodePublishSecretRef':{'name':'s'}}}],", ""), 403);
    assert_int_equal(pod(MIRROR, "'volumes':[{'name':'v','iscsi':{"
                         "'targetPortal':'1.2.3.4','iqn':'iqn.2001-04.a.b:c',"
                         "'lun':0,'secretRef':{'name':'s'}}}],", ""), 403);
    assert_int_equal(pod(MIRROR, "", ",'env':[{'name':'E','valueFrom':"
                         "{'secretKeyRef':{'name':'a','key':'k'}}}]"), 403);
    assert_int_equal(pod(MIRROR, "", ",'envFrom':[{'secretRef':{'name':'a'}}]"
                         ), 403);
    assert_int_equal(pod(MIRROR, "'volumes':[{'name':'v','projected':"
                         "{'sources':[{'serviceAccountToken':{'path':'t'}}]}"
                         "}],", ""), 403);
    assert_string_equal(why(), "a mirror pod may not use "
                        "ServiceAccountToken volume projections");
    rig_close();
}

TEST(an_account_can_limit_the_secrets_of_its_pods)
{
    static const char lim[] = "'serviceAccountName':'lim',";
    static const struct {
        const char *spec, *container, *why;
    } cases[] = {
        { "'volumes':[{'name':'v','secret':{'secretName':'b'}}],", "",
          "volume with secret.secretName=\"b\" is" },
        { "", ",'env':[{'name':'E','valueFrom':{'secretKeyRef':{'name':'b',"
          "'key':'k'}}}]",
          "container c with envVar E referencing secret.secretName=\"b\" is" },
        { "", ",'envFrom':[{'secretRef':{'name':'b'}}]",
          "container c with envFrom referencing secret.secretName=\"b\" is" },
        { "'initContainers':[{'name':'d','image':'i','envFrom':[{'secretRef':"
          "{'name':'b'}}]}],", "",
          "init container d with envFrom referencing "
          "secret.secretName=\"b\" is" },
        { "'imagePullSecrets':[{'name':'p'},{'name':'q'}],", "",
          "imagePullSecrets[1].name=\"q\" is" },
        { "'volumes':[{'name':'v','secret':{'secretName':'a'}}],",
          ",'envFrom':[{'secretRef':{'name':'a'}}]", NULL },
    };
    char spec[512], want[512];
    size_t i;

    open_rig();
    post(ACCOUNTS, "{'metadata':{'name':'lim','annotations':"
         "{'kubernetes.io/enforce-mountable-secrets':'true'}},"
         "'secrets':[{'name':'a'}],'imagePullSecrets':[{'name':'p'}]}");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        snprintf(spec, sizeof spec, "%s%s", lim, cases[i].spec);
        assert_int_equal(pod("{}", spec, cases[i].container),
                         cases[i].why ? 403 : 201);
        if (cases[i].why) {
            snprintf(want, sizeof want, "%s not allowed because service "
                     "account lim does not reference that %s", cases[i].why,
                     strstr(cases[i].why, "image") ? "imagePullSecret"
                                                   : "secret");
            assert_string_equal(why(), want);
        }
    }
    snprintf(spec, sizeof spec, PODS "/p%d/ephemeralcontainers", n_pods);
    rig.content_type = "application/strategic-merge-patch+json";
    assert_int_equal(api("PATCH", spec, "{\"spec\":{\"ephemeralContainers\":"
                         "[{\"name\":\"e\",\"image\":\"i\",\"envFrom\":"
                         "[{\"secretRef\":{\"name\":\"b\"}}]}]}}"), 403);
    assert_int_equal(strncmp(why(), "ephemeral container e with envFrom ", 35),
                     0);
    rig_close();
}
