// @kubernetes/client-node: the life of objects, a watch, an informer.  TAP.

import assert from "node:assert";
import * as k8s from "@kubernetes/client-node";

const kc = new k8s.KubeConfig();
kc.loadFromDefault();
const core = kc.makeApiClient(k8s.CoreV1Api);
const apps = kc.makeApiClient(k8s.AppsV1Api);
const objects = k8s.KubernetesObjectApi.makeApiClient(kc);
const namespace = "default";
const maps = `/api/v1/namespaces/${namespace}/configmaps`;

function configMap(name, data) {
  return { metadata: { name }, data };
}

async function refused(code, promise) {
  await assert.rejects(promise, (e) => e.code === code);
}

// Waits for what a function says, for a minute at most.
async function until(what, holds) {
  for (let i = 0; i < 1200; i++) {
    if (holds()) {
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`never came: ${what}`);
}

const cases = {
  async "the version is told"() {
    const version = await kc.makeApiClient(k8s.VersionApi).getCode();
    assert.equal(version.major, "1");
  },

  async "a config map lives"() {
    const made = await core.createNamespacedConfigMap({
      namespace,
      body: configMap("life", { a: "1" }),
    });
    assert.ok(made.metadata.uid);
    assert.ok(made.metadata.creationTimestamp instanceof Date);
    const name = "life";
    const body = { ...made, data: { a: "2" } };
    const changed = await core.replaceNamespacedConfigMap({
      name,
      namespace,
      body,
    });
    assert.equal(changed.data.a, "2");
    await refused(409,
      core.replaceNamespacedConfigMap({ name, namespace, body }));
    const read = await core.readNamespacedConfigMap({ name, namespace });
    assert.deepEqual(read, changed);
    const listed = await core.listNamespacedConfigMap({ namespace });
    assert.ok(listed.items.some((i) => i.metadata.name === name));
    const gone = await core.deleteNamespacedConfigMap({ name, namespace });
    assert.equal(gone.status, "Success");
    await refused(404, core.readNamespacedConfigMap({ name, namespace }));
  },

  async "a patch of each type"() {
    const name = "patched";
    await core.createNamespacedConfigMap({
      namespace,
      body: configMap(name, { a: "1", b: "2" }),
    });
    const patch = (type, body) =>
      core.patchNamespacedConfigMap(
        { name, namespace, body },
        k8s.setHeaderOptions("Content-Type", type));
    const types = k8s.PatchStrategy;
    await patch(types.JsonPatch,
      [{ op: "replace", path: "/data/a", value: "3" }]);
    await patch(types.MergePatch, { data: { b: null } });
    const made = await patch(types.StrategicMergePatch, { data: { c: "4" } });
    assert.deepEqual(made.data, { a: "3", c: "4" });
  },

  async "a deployment scales"() {
    const labels = { app: "web" };
    const name = "web";
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "c", image: "nginx" }] },
          },
        },
      },
    });
    const scale = await apps.readNamespacedDeploymentScale({
      name,
      namespace,
    });
    scale.spec.replicas = 5;
    await apps.replaceNamespacedDeploymentScale({
      name,
      namespace,
      body: scale,
    });
    const read = await apps.readNamespacedDeployment({ name, namespace });
    assert.equal(read.spec.replicas, 5);
  },

  async "any kind goes through discovery"() {
    const made = await objects.create({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "tick", namespace },
      spec: {
        schedule: "* * * * *",
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: "Never",
                containers: [{ name: "c", image: "busybox" }],
              },
            },
          },
        },
      },
    });
    assert.equal(made.spec.concurrencyPolicy, "Allow");
    const read = await objects.read(made);
    assert.equal(read.metadata.uid, made.metadata.uid);
    await objects.delete(made);
  },

  async "a watch tells"() {
    const events = [];
    const list = await core.listNamespacedConfigMap({ namespace });
    const controller = await new k8s.Watch(kc).watch(
      maps,
      { resourceVersion: list.metadata.resourceVersion },
      (type, o) => {
        /* Controllers write others. */
        if (o.metadata.name === "seen") {
          events.push(`${type} seen`);
        }
      },
      () => {});
    await core.createNamespacedConfigMap({
      namespace,
      body: configMap("seen"),
    });
    await core.deleteNamespacedConfigMap({ name: "seen", namespace });
    await until("two events", () => events.length === 2);
    controller.abort();
    assert.deepEqual(events, ["ADDED seen", "DELETED seen"]);
  },

  async "an informer keeps up"() {
    const events = [];
    const informer = k8s.makeInformer(kc, maps,
      () => core.listNamespacedConfigMap({ namespace }));
    for (const verb of ["add", "update", "delete"]) {
      informer.on(verb, (o) => events.push(`${verb} ${o.metadata.name}`));
    }
    await informer.start();
    await until("the list", () => events.includes("add patched"));
    const made = await core.createNamespacedConfigMap({
      namespace,
      body: configMap("kept", { a: "1" }),
    });
    await until("the add", () => events.includes("add kept"));
    await core.replaceNamespacedConfigMap({
      name: "kept",
      namespace,
      body: { ...made, data: { a: "2" } },
    });
    await until("the update", () => events.includes("update kept"));
    assert.equal(informer.get("kept", namespace).data.a, "2");
    await core.deleteNamespacedConfigMap({ name: "kept", namespace });
    await until("the delete", () => events.includes("delete kept"));
    assert.equal(informer.get("kept", namespace), undefined);
    await informer.stop();
  },
};

let n = 0;
let bad = 0;
for (const [name, run] of Object.entries(cases)) {
  n++;
  try {
    await run();
    console.log(`ok ${n} - ${name}`);
  } catch (e) {
    bad++;
    console.log(`not ok ${n} - ${name}`);
    console.log(`# ${String(e.stack).replaceAll("\n", "\n# ")}`);
  }
}
console.log(`1..${n}`);
process.exit(bad ? 1 : 0);
