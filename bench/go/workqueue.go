package main

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	wq "k8s.io/client-go/util/workqueue"
)

// As many as in bench/workqueue_bench.c.
const (
	cycles  = 1000000
	backlog = 100000
	rounds  = 5
)

func keys(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("namespace-%d/object-%06d", i%10, i)
	}
	return all
}

func wallNanos() int64 {
	return time.Now().UnixNano()
}

// cpuNanos is for what one goroutine does: other programs do not count.
func cpuNanos() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// best runs f in rounds and returns the fewest nanoseconds for each of n.
func best(n int, clock func() int64, f func()) float64 {
	least := 0.0
	for i := 0; i < rounds; i++ {
		start := clock()
		f()
		each := float64(clock()-start) / float64(n)
		if i == 0 || each < least {
			least = each
		}
	}
	return least
}

func contended(all []string, producers, workers int) {
	q := wq.NewTyped[string]()
	var made, worked sync.WaitGroup
	for p := 0; p < producers; p++ {
		made.Add(1)
		go func() {
			defer made.Done()
			for i := p; i < len(all); i += producers {
				q.Add(all[i])
			}
		}()
	}
	for w := 0; w < workers; w++ {
		worked.Add(1)
		go func() {
			defer worked.Done()
			for {
				key, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(key)
			}
		}()
	}
	made.Wait()
	q.ShutDown()
	worked.Wait()
}

func workqueue([]string) {
	few, many := keys(1000), keys(backlog)

	q := wq.NewTyped[string]()
	fmt.Printf("alone %.1f\n", best(cycles, cpuNanos, func() {
		for i := 0; i < cycles; i++ {
			q.Add(few[i%len(few)])
			key, _ := q.Get()
			q.Done(key)
		}
	}))
	fmt.Printf("backlog %.1f\n", best(backlog, cpuNanos, func() {
		for _, key := range many {
			q.Add(key)
		}
		for range many {
			key, _ := q.Get()
			q.Done(key)
		}
	}))
	for _, n := range []int{1, 2, 4} {
		fmt.Printf("contended-%d %.1f\n", n, best(backlog, wallNanos, func() {
			contended(many, n, n)
		}))
	}
	d := wq.NewTypedDelayingQueue[string]()
	d.AddAfter("namespace/later", time.Hour)
	fmt.Printf("delayed %.1f\n", best(cycles, cpuNanos, func() {
		for i := 0; i < cycles; i++ {
			d.Add(few[i%len(few)])
			key, _ := d.Get()
			d.Done(key)
		}
	}))
}
