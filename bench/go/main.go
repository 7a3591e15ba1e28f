// The Go side of benchmarks: `peer NAME [ARGUMENT...]` measures what the
// program bench/NAME_bench.c measures, with client-go.  It prints one line for
// each figure: its name, a space, the figure.
package main

import (
	"fmt"
	"os"
)

var benches = map[string]func(args []string){
	"informer":  informer,
	"reconcile": reconcile,
	"request":   request,
	"workqueue": workqueue,
}

func main() {
	if len(os.Args) < 2 || benches[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: peer NAME [ARGUMENT...]")
		os.Exit(2)
	}
	benches[os.Args[1]](os.Args[2:])
}
