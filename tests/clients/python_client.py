"""python3-kubernetes: the life of objects, and watches.  Speaks TAP."""

import threading
import traceback

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException

CASES = []


def case(function):
    CASES.append(function)
    return function


def refused(status, call, *args, **kwargs):
    """The Status of an answer that must be 'status'."""
    try:
        call(*args, **kwargs)
    except ApiException as e:
        assert e.status == status, e
        return e.body
    raise AssertionError("was accepted")


def config_map(name, data=None, labels=None):
    return client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name=name, labels=labels), data=data)


def pod(name):
    return client.V1Pod(
        metadata=client.V1ObjectMeta(name=name),
        spec=client.V1PodSpec(containers=[
            client.V1Container(name="c", image="nginx")]))


@case
def version():
    assert client.VersionApi().get_code().major == "1"


@case
def namespaces_are_listed():
    names = [n.metadata.name for n in client.CoreV1Api().list_namespace().items]
    assert "default" in names and "kube-system" in names, names


@case
def a_config_map_lives():
    core = client.CoreV1Api()
    made = core.create_namespaced_config_map(
        "default", config_map("life", {"a": "1"}))
    assert made.metadata.uid and made.metadata.resource_version
    made.data["b"] = "2"
    changed = core.replace_namespaced_config_map("life", "default", made)
    assert changed.data == {"a": "1", "b": "2"}
    assert (int(changed.metadata.resource_version)
            > int(made.metadata.resource_version))
    refused(409, core.replace_namespaced_config_map, "life", "default", made)
    patched = core.patch_namespaced_config_map(
        "life", "default", {"data": {"a": None}})
    assert patched.data == {"b": "2"}
    read = core.read_namespaced_config_map("life", "default")
    assert read.metadata.uid == made.metadata.uid
    status = core.delete_namespaced_config_map("life", "default")
    assert status.status == "Success", status
    refused(404, core.read_namespaced_config_map, "life", "default")


@case
def patches_have_types():
    core = client.CoreV1Api()
    core.create_namespaced_pod("default", pod("patched"))
    container = {"name": "side", "image": "busybox"}
    made = core.patch_namespaced_pod(
        "patched", "default", {"metadata": {"labels": {"a": "b"}}})
    assert made.metadata.labels == {"a": "b"}
    made = core.patch_namespaced_pod(
        "patched", "default",
        [{"op": "add", "path": "/metadata/labels/c", "value": "d"}])
    assert made.metadata.labels == {"a": "b", "c": "d"}
    refused(422, core.patch_namespaced_pod, "patched", "default",
            {"spec": {"containers": [container]}})
    core.delete_namespaced_pod("patched", "default", grace_period_seconds=0)


@case
def errors_have_a_status():
    core = client.CoreV1Api()
    body = refused(422, core.create_namespaced_config_map, "default",
                   config_map("Not A Name"))
    assert "Invalid" in body and "metadata.name" in body, body


@case
def a_deployment_and_its_subresources():
    apps = client.AppsV1Api()
    labels = {"app": "web"}
    apps.create_namespaced_deployment("default", client.V1Deployment(
        metadata=client.V1ObjectMeta(name="web"),
        spec=client.V1DeploymentSpec(
            replicas=1,
            selector=client.V1LabelSelector(match_labels=labels),
            template=client.V1PodTemplateSpec(
                metadata=client.V1ObjectMeta(labels=labels),
                spec=client.V1PodSpec(containers=[
                    client.V1Container(name="c", image="nginx")])))))
    scale = apps.read_namespaced_deployment_scale("web", "default")
    assert scale.spec.replicas == 1
    scale.spec.replicas = 4
    apps.replace_namespaced_deployment_scale("web", "default", scale)
    made = apps.patch_namespaced_deployment_status(
        "web", "default", {"status": {"observedGeneration": 2}})
    assert made.spec.replicas == 4 and made.metadata.generation == 2
    assert made.status.observed_generation == 2
    apps.delete_namespaced_deployment("web", "default")


@case
def lists_come_in_pages():
    core = client.CoreV1Api()
    for i in range(7):
        core.create_namespaced_config_map(
            "default", config_map("page-%d" % i, labels={"set": "pages"}))
    seen, token = [], None
    while True:
        page = core.list_namespaced_config_map(
            "default", label_selector="set=pages", limit=3, _continue=token)
        seen += [i.metadata.name for i in page.items]
        token = page.metadata._continue
        if not token:
            break
    assert seen == ["page-%d" % i for i in range(7)], seen
    core.delete_collection_namespaced_config_map(
        "default", label_selector="set=pages")
    assert not core.list_namespaced_config_map(
        "default", label_selector="set=pages").items


@case
def a_watch_tells_everything_in_order():
    core = client.CoreV1Api()
    start = core.list_namespaced_config_map("default")

    def write():
        core.create_namespaced_config_map("default", config_map("seen"))
        core.patch_namespaced_config_map("seen", "default",
                                         {"data": {"a": "b"}})
        core.delete_namespaced_config_map("seen", "default")

    writer = threading.Thread(target=write)
    writer.start()
    events = []
    w = watch.Watch()
    for event in w.stream(core.list_namespaced_config_map, "default",
                          resource_version=start.metadata.resource_version,
                          timeout_seconds=120):
        if event["object"].metadata.name == "seen":
            events.append(event["type"])
        if event["type"] == "DELETED":
            w.stop()
    writer.join()
    assert events == ["ADDED", "MODIFIED", "DELETED"], events


@case
def a_watch_ends_in_time():
    core = client.CoreV1Api()
    w = watch.Watch()
    events = [e["type"] for e in w.stream(
        core.list_namespace, timeout_seconds=1)]
    assert len(events) >= 4 and set(events) == {"ADDED"}, events


@case
def the_dynamic_client_discovers():
    api = dynamic.DynamicClient(client.ApiClient())
    jobs = api.resources.get(api_version="batch/v1", kind="CronJob")
    made = jobs.create(namespace="default", body={
        "apiVersion": "batch/v1", "kind": "CronJob",
        "metadata": {"name": "tick"},
        "spec": {"schedule": "* * * * *", "jobTemplate": {"spec": {
            "template": {"spec": {
                "restartPolicy": "Never",
                "containers": [{"name": "c", "image": "busybox"}]}}}}}})
    assert made.spec.concurrencyPolicy == "Allow"
    assert [j.metadata.name for j in jobs.get(namespace="default").items] \
        == ["tick"]
    jobs.delete(name="tick", namespace="default")


@case
def roles_and_reviews():
    rbac = client.RbacAuthorizationV1Api()
    rbac.create_namespaced_role("default", client.V1Role(
        metadata=client.V1ObjectMeta(name="reader"),
        rules=[client.V1PolicyRule(api_groups=[""], resources=["pods"],
                                   verbs=["get"])]))
    assert rbac.read_namespaced_role("reader", "default").rules
    review = client.AuthorizationV1Api().create_self_subject_access_review(
        client.V1SelfSubjectAccessReview(
            spec=client.V1SelfSubjectAccessReviewSpec(
                resource_attributes=client.V1ResourceAttributes(
                    verb="create", resource="pods"))))
    assert review.status.allowed


def main():
    config.load_kube_config()
    bad = 0
    for i, function in enumerate(CASES, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
            print("ok %d - %s" % (i, name))
        except Exception:
            bad += 1
            print("not ok %d - %s" % (i, name))
            print("# " + traceback.format_exc().strip().replace("\n", "\n# "))
    print("1..%d" % len(CASES))
    raise SystemExit(bad != 0)


main()
