package main

// client-go against a server of our own: typed and dynamic clients, informers
// that list first or stream the list, discovery.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/features"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

const clientNamespace = "default"

// clients is what the cases share.
type clients struct {
	config         *rest.Config
	core           *coreclient.CoreV1Client
	apps           *appsclient.AppsV1Client
	dynamic        *dynamic.DynamicClient
	discovery      *discovery.DiscoveryClient
	streams, lists atomic.Int32 // Requests for ConfigMaps of each kind.
}

// gates lets an informer list although it would rather stream.
type gates struct {
	streams atomic.Bool
	others  func(features.Feature) bool
}

var streaming gates

func (g *gates) Enabled(f features.Feature) bool {
	if f == features.WatchListClient {
		return g.streams.Load()
	}
	return g.others(f)
}

// What the cases themselves list is not counted.
const uncounted = 9999

// compareClients is a list of cases; each fails with an error.
func compareClients(a *area, mine *server) error {
	c, err := newClients(mine)
	if err != nil {
		return err
	}
	for _, one := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"the typed client", c.typed},
		{"patches of three types", c.patches},
		{"subresources", c.subresources},
		{"errors are understood", c.refusals},
		{"conflicts are retried", c.conflicts},
		{"the dynamic client", c.dynamically},
		{"a watch", c.watches},
		{"discovery", c.discovers},
		{"an informer that streams", func(ctx context.Context) error {
			return c.informs(ctx, true)
		}},
		{"an informer that lists", func(ctx context.Context) error {
			return c.informs(ctx, false)
		}},
		{"a dynamic informer", c.informsDynamically},
		{"a client that speaks JSON", c.inJSON},
	} {
		ctx, cancel := context.WithTimeout(context.Background(),
			2*time.Minute)
		why := ""
		if err := one.run(ctx); err != nil {
			why = err.Error()
		}
		cancel()
		a.result(one.name, why)
	}
	return nil
}

func newClients(mine *server) (*clients, error) {
	c := &clients{}
	streaming.streams.Store(true)
	streaming.others = features.FeatureGates().Enabled
	features.ReplaceFeatureGates(&streaming)
	c.config = &rest.Config{
		Host:            mine.url,
		BearerToken:     mine.token,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		QPS:             -1,
		// Of old versions, in which the cases write on purpose.
		WarningHandler: rest.NoWarnings{},
		WrapTransport: func(next http.RoundTripper) http.RoundTripper {
			return counter{c, next}
		},
	}
	var errs [4]error
	c.core, errs[0] = coreclient.NewForConfig(c.config)
	c.apps, errs[1] = appsclient.NewForConfig(c.config)
	c.dynamic, errs[2] = dynamic.NewForConfig(c.config)
	c.discovery, errs[3] = discovery.NewDiscoveryClientForConfig(c.config)
	return c, errors.Join(errs[:]...)
}

type counter struct {
	c    *clients
	next http.RoundTripper
}

func (t counter) RoundTrip(r *http.Request) (*http.Response, error) {
	query := r.URL.Query()
	if r.Method == "GET" && strings.HasSuffix(r.URL.Path, "/configmaps") {
		if query.Get("sendInitialEvents") == "true" {
			t.c.streams.Add(1)
		} else if query.Get("watch") == "" &&
			query.Get("limit") != fmt.Sprint(uncounted) {
			t.c.lists.Add(1)
		}
	}
	return t.next.RoundTrip(r)
}

func expect(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, args...)
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{"set": "clients"}},
		Data: data,
	}
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{
					{Name: "c", Image: "nginx"}}},
			},
		},
	}
}

func (c *clients) typed(ctx context.Context) error {
	maps := c.core.ConfigMaps(clientNamespace)
	made, err := maps.Create(ctx, configMap("typed",
		map[string]string{"a": "1"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Data["b"] = "2"
	changed, err := maps.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	read, err := maps.Get(ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	list, err := maps.List(ctx, metav1.ListOptions{
		LabelSelector: "set=clients"})
	if err != nil {
		return err
	}
	uid := types.UID("00000000-0000-4000-8000-000000000000")
	refused := maps.Delete(ctx, "typed", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid}})
	err = maps.Delete(ctx, "typed", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &made.UID}})
	if err != nil {
		return err
	}
	_, gone := maps.Get(ctx, "typed", metav1.GetOptions{})
	_, generated := maps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "typed-"}},
		metav1.CreateOptions{})
	return errors.Join(generated,
		expect(made.UID != "" && !made.CreationTimestamp.IsZero(),
			"has no uid or no time"),
		expect(changed.ResourceVersion != made.ResourceVersion,
			"an update makes no version"),
		expect(read.Data["b"] == "2" && read.ResourceVersion ==
			changed.ResourceVersion, "read %v", read),
		expect(len(list.Items) == 1 && list.ResourceVersion != "",
			"listed %v", list),
		expect(apierrors.IsConflict(refused), "deleted another: %v",
			refused),
		expect(apierrors.IsNotFound(gone), "is still there: %v", gone))
}

func (c *clients) patches(ctx context.Context) error {
	apps := c.apps.Deployments(clientNamespace)
	_, err := apps.Create(ctx, deployment("patched"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	var made *appsv1.Deployment
	for _, p := range []struct {
		kind types.PatchType
		body string
	}{
		{types.StrategicMergePatchType, `{"spec":{"template":{"spec":{
			"containers":[{"name":"side","image":"busybox"}]}}}}`},
		{types.MergePatchType, `{"metadata":{"labels":{"a":"b"}}}`},
		{types.JSONPatchType,
			`[{"op":"add","path":"/metadata/labels/c","value":"d"}]`},
	} {
		made, err = apps.Patch(ctx, "patched", p.kind, []byte(p.body),
			metav1.PatchOptions{})
		if err != nil {
			return fmt.Errorf("%s: %w", p.kind, err)
		}
	}
	policy := metav1.DeletePropagationBackground
	return errors.Join(
		expect(len(made.Spec.Template.Spec.Containers) == 2,
			"containers are not merged"),
		expect(len(made.Labels) == 2, "has labels %v", made.Labels),
		expect(made.Generation == 2, "has generation %d", made.Generation),
		apps.Delete(ctx, "patched", metav1.DeleteOptions{
			PropagationPolicy: &policy}))
}

func (c *clients) subresources(ctx context.Context) error {
	apps := c.apps.Deployments(clientNamespace)
	made, err := apps.Create(ctx, deployment("parts"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	scale, err := apps.GetScale(ctx, "parts", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 5
	if _, err = apps.UpdateScale(ctx, "parts", scale,
		metav1.UpdateOptions{}); err != nil {
		return err
	}
	made, err = apps.Get(ctx, "parts", metav1.GetOptions{})
	if err != nil {
		return err
	}
	replicas := *made.Spec.Replicas
	*made.Spec.Replicas = 9
	made.Status.Replicas = 5
	made.Status.ObservedGeneration = made.Generation
	made, err = apps.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	return errors.Join(
		expect(replicas == 5, "scaled to %d", replicas),
		expect(*made.Spec.Replicas == 5, "the status changes the spec"),
		expect(made.Status.Replicas == 5, "the status is not kept"),
		apps.Delete(ctx, "parts", metav1.DeleteOptions{}))
}

func (c *clients) refusals(ctx context.Context) error {
	maps := c.core.ConfigMaps(clientNamespace)
	_, err := maps.Create(ctx, configMap("twice", nil),
		metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, exists := maps.Create(ctx, configMap("twice", nil),
		metav1.CreateOptions{})
	_, invalid := maps.Create(ctx, configMap("Not A Name", nil),
		metav1.CreateOptions{})
	_, nowhere := c.core.ConfigMaps("nowhere").Create(ctx,
		configMap("a", nil), metav1.CreateOptions{})
	_, expired := maps.List(ctx, metav1.ListOptions{ResourceVersion: "1",
		ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	status, _ := invalid.(apierrors.APIStatus)
	return errors.Join(
		expect(apierrors.IsAlreadyExists(exists), "twice: %v", exists),
		expect(apierrors.IsInvalid(invalid), "a bad name: %v", invalid),
		expect(status != nil && status.Status().Details != nil &&
			len(status.Status().Details.Causes) > 0 &&
			status.Status().Details.Causes[0].Field == "metadata.name",
			"the causes are missing: %v", status),
		expect(apierrors.IsNotFound(nowhere), "no namespace: %v", nowhere),
		expect(expired == nil || apierrors.IsResourceExpired(expired),
			"an old version: %v", expired))
}

func (c *clients) conflicts(ctx context.Context) error {
	maps := c.core.ConfigMaps(clientNamespace)
	old, err := maps.Create(ctx, configMap("fought", map[string]string{}),
		metav1.CreateOptions{})
	if err != nil {
		return err
	}
	const writers = 8
	results := make(chan error, writers)
	backoff := retry.DefaultBackoff
	backoff.Steps = 50
	for i := range writers {
		go func() {
			results <- retry.RetryOnConflict(backoff, func() error {
				m, err := maps.Get(ctx, "fought", metav1.GetOptions{})
				if err != nil {
					return err
				}
				if m.Data == nil {
					m.Data = map[string]string{}
				}
				m.Data[fmt.Sprint("writer-", i)] = "was here"
				_, err = maps.Update(ctx, m, metav1.UpdateOptions{})
				return err
			})
		}()
	}
	for range writers {
		err = errors.Join(err, <-results)
	}
	_, stale := maps.Update(ctx, old, metav1.UpdateOptions{})
	last, err2 := maps.Get(ctx, "fought", metav1.GetOptions{})
	return errors.Join(err, err2,
		expect(apierrors.IsConflict(stale), "stale: %v", stale),
		expect(err2 != nil || len(last.Data) == writers,
			"writes were lost: %v", last))
}

func (c *clients) dynamically(ctx context.Context) error {
	jobs := c.dynamic.Resource(schema.GroupVersionResource{Group: "batch",
		Version: "v1", Resource: "cronjobs"}).Namespace(clientNamespace)
	var job unstructured.Unstructured
	err := json.Unmarshal([]byte(`{"apiVersion":"batch/v1","kind":"CronJob",
		"metadata":{"name":"tick"},"spec":{"schedule":"* * * * *",
		"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
		"containers":[{"name":"c","image":"busybox"}]}}}}}}`), &job)
	if err != nil {
		return err
	}
	made, err := jobs.Create(ctx, &job, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	policy, _, _ := unstructured.NestedString(made.Object, "spec",
		"concurrencyPolicy")
	err = unstructured.SetNestedField(made.Object, true, "spec", "suspend")
	if err != nil {
		return err
	}
	made, err = jobs.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	list, err := jobs.List(ctx, metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("metadata.name",
			"tick").String()})
	if err != nil {
		return err
	}
	old, err := c.dynamic.Resource(schema.GroupVersionResource{
		Group: "batch", Version: "v2alpha1", Resource: "cronjobs"}).
		Namespace(clientNamespace).Get(ctx, "tick", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return errors.Join(
		expect(policy == "Allow", "the policy is %q", policy),
		expect(made.GetGeneration() == 2, "generation %d",
			made.GetGeneration()),
		expect(len(list.Items) == 1 && list.Items[0].GetKind() == "CronJob",
			"listed %v", list),
		expect(old.GetAPIVersion() == "batch/v2alpha1", "is %s",
			old.GetAPIVersion()),
		jobs.DeleteCollection(ctx, metav1.DeleteOptions{},
			metav1.ListOptions{}))
}

func (c *clients) watches(ctx context.Context) error {
	maps := c.core.ConfigMaps(clientNamespace)
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	w, err := maps.Watch(ctx, metav1.ListOptions{
		ResourceVersion: list.ResourceVersion, AllowWatchBookmarks: true})
	if err != nil {
		return err
	}
	defer w.Stop()
	made, err := maps.Create(ctx, configMap("seen", nil),
		metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Data = map[string]string{"a": "b"}
	if _, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err = maps.Delete(ctx, "seen", metav1.DeleteOptions{}); err != nil {
		return err
	}
	var seen []string
	for e := range w.ResultChan() {
		if m, ok := e.Object.(*corev1.ConfigMap); ok && m.Name == "seen" {
			seen = append(seen, string(e.Type))
		}
		if len(seen) == 3 {
			break
		}
	}
	text := strings.Join(seen, " ")
	return expect(text == "ADDED MODIFIED DELETED", "saw %q", text)
}

func (c *clients) discovers(ctx context.Context) error {
	groups, resources, err := c.discovery.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	all, err := restmapper.GetAPIGroupResources(c.discovery)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDiscoveryRESTMapper(all)
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "batch",
		Kind: "CronJob"})
	if err != nil {
		return err
	}
	version, err := c.discovery.ServerVersion()
	if err != nil {
		return err
	}
	paths, err := c.discovery.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	document, err := paths["apis/apps/v1"].Schema("application/json")
	return errors.Join(err,
		expect(len(groups) > 15 && len(resources) > 20, "%d groups, %d lists",
			len(groups), len(resources)),
		expect(mapping.Resource.Version == "v1" &&
			mapping.Scope.Name() == meta.RESTScopeNameNamespace,
			"cron jobs are at %v", mapping.Resource),
		expect(version.Major == "1", "version %v", version),
		expect(json.Valid(document), "the schema is no JSON"))
}

// inJSON keeps client-go from protobuf, which it likes better.
func (c *clients) inJSON(ctx context.Context) error {
	config := rest.CopyConfig(c.config)
	config.ContentType = "application/json"
	core, err := coreclient.NewForConfig(config)
	if err != nil {
		return err
	}
	maps := core.ConfigMaps(clientNamespace)
	made, err := maps.Create(ctx, configMap("plain",
		map[string]string{"a": "b"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	read, err := maps.Get(ctx, "plain", metav1.GetOptions{})
	if err != nil {
		return err
	}
	list, err := maps.List(ctx, metav1.ListOptions{})
	return errors.Join(err,
		expect(read.UID == made.UID && read.Data["a"] == "b", "read %v",
			read),
		expect(list != nil && len(list.Items) > 0, "listed nothing"),
		maps.Delete(ctx, "plain", metav1.DeleteOptions{}))
}

// informs runs a shared informer: its list, and what happens later.
func (c *clients) informs(ctx context.Context, streams bool) error {
	name := fmt.Sprint("informer-", streams)
	maps := c.core.ConfigMaps(clientNamespace)
	for i := range 50 {
		if _, err := maps.Create(ctx, configMap(fmt.Sprint(name, "-", i),
			nil), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	streaming.streams.Store(streams)
	c.streams.Store(0)
	c.lists.Store(0)
	informer := cache.NewSharedIndexInformer(cache.NewListWatchFromClient(
		c.core.RESTClient(), "configmaps", clientNamespace,
		fields.Everything()), &corev1.ConfigMap{}, 0, cache.Indexers{})
	return errors.Join(c.follow(ctx, name, informer),
		expect(!streams || c.streams.Load() > 0 && c.lists.Load() == 0,
			"%d streams, %d lists", c.streams.Load(), c.lists.Load()),
		expect(streams || c.lists.Load() > 0 && c.streams.Load() == 0,
			"%d streams, %d lists", c.streams.Load(), c.lists.Load()))
}

func (c *clients) informsDynamically(ctx context.Context) error {
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(
		c.dynamic, 0, clientNamespace, nil)
	return c.follow(ctx, "dynamic", factory.ForResource(
		corev1.SchemeGroupVersion.WithResource("configmaps")).Informer())
}

// follow compares what an informer has with what the server lists, at first
// and after changes.
func (c *clients) follow(ctx context.Context, name string,
	informer cache.SharedIndexInformer) error {
	maps := c.core.ConfigMaps(clientNamespace)
	var adds, updates, deletes atomic.Int32
	mine := func(o any) bool {
		m, err := meta.Accessor(o)
		return err == nil && m.GetName() == name+"-later"
	}
	informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: mine,
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { adds.Add(1) },
			UpdateFunc: func(any, any) { updates.Add(1) },
			DeleteFunc: func(any) { deletes.Add(1) },
		}})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return errors.New("does not sync")
	}
	list, err := maps.List(ctx, metav1.ListOptions{Limit: uncounted})
	if err != nil {
		return err
	}
	if n := len(informer.GetStore().List()); n != len(list.Items) {
		return fmt.Errorf("has %d objects of %d", n, len(list.Items))
	}
	made, err := maps.Create(ctx, configMap(name+"-later", nil),
		metav1.CreateOptions{})
	if err != nil {
		return err
	}
	until(ctx, func() bool { return adds.Load() == 1 })
	made.Data = map[string]string{"a": "b"}
	if _, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	until(ctx, func() bool { return updates.Load() == 1 })
	if err = maps.Delete(ctx, made.Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	until(ctx, func() bool { return deletes.Load() == 1 })
	return expect(adds.Load() == 1 && updates.Load() == 1 &&
		deletes.Load() == 1, "saw %d, %d, %d", adds.Load(), updates.Load(),
		deletes.Load())
}

// until waits, a minute at most.
func until(ctx context.Context, holds func() bool) {
	for i := 0; i < 6000 && !holds() && ctx.Err() == nil; i++ {
		time.Sleep(10 * time.Millisecond)
	}
}
