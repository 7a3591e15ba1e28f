package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// informer syncs one informer of client-go and prints what bench/informer_sync
// prints: URL, token, GROUP/VERSION/NAME, and "dynamic", "json" or "protobuf"
// for the last two of which there is only pods.  managedFields are dropped, as
// we drop them.
func informer(args []string) {
	if len(args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: peer informer URL TOKEN RESOURCE "+
			"dynamic|json|protobuf")
		os.Exit(2)
	}
	part := strings.SplitN(args[2], "/", 3)
	resource := schema.GroupVersionResource{Group: part[0], Version: part[1],
		Resource: part[2]}
	config := &rest.Config{Host: args[0], BearerToken: args[1], QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	began := time.Now()
	i := made(config, resource, args[3])
	must(i.SetTransform(drop))
	go i.Run(context.Background().Done())
	if !cache.WaitForCacheSync(make(chan struct{}), i.HasSynced) {
		os.Exit(1)
	}
	seconds := time.Since(began).Seconds()
	used := cpu()
	peak := status("VmHWM:")
	runtime.GC()
	debug.FreeOSMemory()
	time.Sleep(2 * time.Second)
	fmt.Printf("{\"seconds\":%.4f,\"cpu\":%.4f,\"peak\":%d,\"settled\":%d,"+
		"\"objects\":%d}\n", seconds, used, peak, status("VmRSS:"),
		len(i.GetStore().ListKeys()))
	runtime.KeepAlive(i)
}

func made(config *rest.Config, resource schema.GroupVersionResource,
	how string) cache.SharedIndexInformer {
	if how == "dynamic" {
		client, err := dynamic.NewForConfig(config)
		must(err)
		return dynamicinformer.NewDynamicSharedInformerFactory(client, 0).
			ForResource(resource).Informer()
	}
	config.ContentType = "application/json"
	if how == "protobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	}
	config.AcceptContentTypes = config.ContentType
	client, err := kubernetes.NewForConfig(config)
	must(err)
	return informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().
		Informer()
}

func drop(object any) (any, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		u.SetManagedFields(nil)
	} else if m, ok := object.(metav1.Object); ok {
		m.SetManagedFields(nil)
	}
	return object, nil
}

// cpu is user and system time of the process.
func cpu() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Sec+usage.Stime.Sec) +
		float64(usage.Utime.Usec+usage.Stime.Usec)*1e-6
}

// status is a line of /proc/self/status, in bytes.
func status(what string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	must(err)
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, what) {
			var kb int64
			fmt.Sscan(line[len(what):], &kb)
			return kb * 1024
		}
	}
	return 0
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
