package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	queues "k8s.io/client-go/util/workqueue"
)

// reconcile does what bench/reconcile_load does, with client-go's informer,
// work queue and typed client, in the way of its sample controller: URL, token,
// writers, count.
func reconcile(args []string) {
	if len(args) != 4 {
		fmt.Fprintln(os.Stderr,
			"usage: peer reconcile URL TOKEN WRITERS COUNT")
		os.Exit(2)
	}
	writers, _ := strconv.Atoi(args[2])
	count, _ := strconv.Atoi(args[3])
	const warmUp, workers = 20, 4
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: args[0], BearerToken: args[1], QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
	must(err)
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(client, 0)
	deployments := factory.Apps().V1().Deployments()
	queue := queues.NewTypedRateLimitingQueue(
		queues.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(obj interface{}) {
		if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
			queue.Add(key)
		}
	}
	_, err = deployments.Informer().AddEventHandler(
		cache.ResourceEventHandlerFuncs{
			AddFunc: enqueue,
			UpdateFunc: func(old, new interface{}) {
				if old.(*appsv1.Deployment).Generation !=
					new.(*appsv1.Deployment).Generation {
					enqueue(new)
				}
			}})
	must(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	ends := make([]chan time.Time, writers*(count+warmUp))
	for i := range ends {
		ends[i] = make(chan time.Time, 1)
	}
	for w := 0; w < workers; w++ {
		go func() {
			for {
				key, quit := queue.Get()
				if quit {
					return
				}
				namespace, name, _ := cache.SplitMetaNamespaceKey(key)
				d, err := deployments.Lister().Deployments(namespace).Get(name)
				if err == nil && d.Status.ObservedGeneration == 0 {
					d = d.DeepCopy()
					d.Status.ObservedGeneration = d.Generation
					d.Status.Replicas = 1
					_, err = client.AppsV1().Deployments(namespace).
						UpdateStatus(ctx, d, metav1.UpdateOptions{})
					must(err)
					i, _ := strconv.Atoi(name[1:])
					ends[i] <- time.Now()
				}
				queue.Forget(key)
				queue.Done(key)
			}
		}()
	}
	times := make([]float64, writers*count)
	labels := map[string]string{"a": "b"}
	began := cpu()
	var group sync.WaitGroup
	for w := 0; w < writers; w++ {
		group.Add(1)
		go func(w int) {
			defer group.Done()
			for i := 0; i < count+warmUp; i++ {
				at := w*(count+warmUp) + i
				d := &appsv1.Deployment{
					ObjectMeta: metav1.ObjectMeta{
						Name: fmt.Sprintf("d%d", at)},
					Spec: appsv1.DeploymentSpec{
						Selector: &metav1.LabelSelector{MatchLabels: labels},
						Template: corev1.PodTemplateSpec{
							ObjectMeta: metav1.ObjectMeta{Labels: labels},
							Spec: corev1.PodSpec{Containers: []corev1.Container{
								{Name: "c", Image: "i"}}}}}}
				start := time.Now()
				_, err := client.AppsV1().Deployments("default").
					Create(ctx, d, metav1.CreateOptions{})
				must(err)
				end := <-ends[at]
				if i >= warmUp {
					times[w*count+i-warmUp] =
						float64(end.Sub(start).Nanoseconds()) / 1e3
				}
			}
		}(w)
	}
	group.Wait()
	used := cpu() - began
	sum, n := 0.0, len(times)
	for _, t := range times {
		sum += t
	}
	sort.Float64s(times)
	fmt.Printf("{\"mean\":%.1f,\"p50\":%.1f,\"p99\":%.1f,\"cpu\":%.1f,"+
		"\"n\":%d}\n", sum/float64(n), times[n/2], times[n*99/100],
		used*1e6/float64(n+writers*warmUp), n)
}
