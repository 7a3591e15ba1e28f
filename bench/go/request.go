package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"
)

// request does what bench/request_load does, with net/http, which sends the
// requests of all workers over one HTTP/2 connection: URL, token, workers,
// count.
func request(args []string) {
	if len(args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: peer request URL TOKEN WORKERS COUNT")
		os.Exit(2)
	}
	workers, _ := strconv.Atoi(args[2])
	count, _ := strconv.Atoi(args[3])
	const warmUp = 50
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: workers}}
	times := make([]float64, workers*count)
	good := make([]int, workers)
	began := cpu()
	var group sync.WaitGroup
	for w := 0; w < workers; w++ {
		group.Add(1)
		go func(w int) {
			defer group.Done()
			for i := 0; i < count+warmUp; i++ {
				start := time.Now()
				ok := get(client, args[0], args[1])
				if i >= warmUp {
					times[w*count+i-warmUp] =
						float64(time.Since(start).Nanoseconds()) / 1e3
					good[w] += ok
				}
			}
		}(w)
	}
	group.Wait()
	used := cpu() - began
	sum, n, right := 0.0, len(times), 0
	for _, t := range times {
		sum += t
	}
	for _, g := range good {
		right += g
	}
	sort.Float64s(times)
	fmt.Printf("{\"mean\":%.1f,\"p50\":%.1f,\"p99\":%.1f,\"cpu\":%.1f,"+
		"\"n\":%d,\"good\":%d}\n", sum/float64(n), times[n/2],
		times[n*99/100], used*1e6/float64(n+workers*warmUp), n, right)
}

// get returns 1 if the answer is right.
func get(client *http.Client, url, token string) int {
	r, err := http.NewRequest("GET", url, nil)
	must(err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept-Encoding", "identity")
	answer, err := client.Do(r)
	must(err)
	defer answer.Body.Close()
	bytes, err := io.ReadAll(answer.Body)
	must(err)
	if answer.StatusCode == 200 && len(bytes) > 0 && answer.ProtoMajor == 2 {
		return 1
	}
	return 0
}
