// The side of `make interop` that is Go: the same inputs to Yuloh and to the
// libraries that Kubernetes is made of.
//
// Each op has inputs, written by hand and generated from a fixed seed, and a
// function that asks the Go library.  The driver, a child process, answers the
// same inputs with Yuloh.  Answers must be equal, errors by their text, except
// where a rule of the op says which difference is wanted, and why.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"sort"
	"strings"
)

// answer is what one side says to one input: an error, or values.
type answer struct {
	Out     []string
	Error   string // Yuloh's code; of Go only whether it is empty counts.
	Message string
}

// rule is a difference that is wanted.
type rule struct {
	reason string
	holds  func(args []string, want, got answer) bool
}

type op struct {
	name  string // As the driver knows it.
	cases func(g *gen) [][]string
	want  func(args []string) answer
	rules []rule
}

// Messages are C strings.  What repeats a NUL that somebody sent ends there.
var messagesEnd = rule{"messages end at a NUL",
	func(args []string, want, got answer) bool {
		return want.Error != "" && got.Error != "" &&
			strings.Contains(want.Message, "\x00")
	}}

var (
	driver = flag.String("driver", "build/tests/interop-driver",
		"the program that answers for Yuloh")
	generator = flag.String("generator", "build/yuloh-gen",
		"the program that makes CRDs")
	cluster = flag.String("cluster", "tests/interop/cluster",
		"the folder with manifests for a real server")
	only     = flag.String("op", "", "only ops with this in their name")
	maxShown = flag.Int("show", 20, "differences for each op")
	grow     = flag.Bool("grow", false,
		"let cluster_mutants add fields from the server's schemas")
	n    = flag.Int("n", 4000, "generated cases for each op")
	seed = flag.Uint64("seed", 1, "of the generated cases")
)

func main() {
	flag.Parse()
	passed, failed := 0, 0
	for _, o := range allOps() {
		if !strings.Contains(o.name, *only) {
			continue
		}
		p, f := run(o)
		passed += p
		failed += f
	}
	skipped := ""
	if url := os.Getenv("YULOH_SERVER"); url != "" {
		p, f := runCluster(newServer(url, os.Getenv("YULOH_TOKEN")), *cluster)
		passed += p
		failed += f
		p, f = runServers(newServer(os.Getenv("YULOH_WHOLE_SERVER"),
			os.Getenv("YULOH_TOKEN")), *cluster)
		passed += p
		failed += f
	} else {
		fmt.Println("interop: cluster: there is no kube-apiserver")
		skipped = ", 1 skipped"
	}
	fmt.Printf("%d passed, %d failed%s\n", passed, failed, skipped)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

func allOps() []op {
	var ops []op
	for _, some := range [][]op{wordOps, amountOps, textOps, patchOps,
		selectorOps, statusOps, yamlOps, protobufOps, applyOps} {
		ops = append(ops, some...)
	}
	return ops
}

// run compares one op and tells how many cases agree and how many do not.
func run(o op) (passed, failed int) {
	h := fnv.New64a()
	h.Write([]byte(o.name))
	cases := o.cases(&gen{rand.New(rand.NewPCG(*seed, h.Sum64())), *n})
	got, err := ask(*driver, o.name, cases)
	if err != nil {
		fmt.Printf("interop: %s: %v\n", o.name, err)
		return len(got), len(cases) - len(got)
	}
	byRule := map[string]int{}
	for i, args := range cases {
		want := careful(o.want, args)
		reason, same := compare(o, args, want, got[i])
		if same {
			passed++
			if reason != "" {
				byRule[reason]++
			}
			continue
		}
		failed++
		if failed <= *maxShown {
			fmt.Printf("interop: %s: %s\n    Go:    %s\n    Yuloh: %s\n",
				o.name, show(args), showAnswer(want), showAnswer(got[i]))
		}
	}
	if failed > 0 {
		fmt.Printf("interop: %s: %d of %d cases differ\n", o.name, failed,
			len(cases))
	} else {
		fmt.Printf("interop: %s: %d cases agree%s\n", o.name, passed,
			rulesText(byRule))
	}
	return passed, failed
}

func compare(o op, args []string, want, got answer) (reason string, same bool) {
	if equal(want, got) {
		return "", true
	}
	for _, r := range append(o.rules, messagesEnd) {
		if r.holds(args, want, got) {
			return r.reason, true
		}
	}
	return "", false
}

func equal(want, got answer) bool {
	if (want.Error == "") != (got.Error == "") {
		return false
	}
	if want.Error != "" {
		return want.Message == got.Message
	}
	if len(want.Out) != len(got.Out) {
		return false
	}
	for i := range want.Out {
		if want.Out[i] != got.Out[i] {
			return false
		}
	}
	return true
}

// careful asks the library, some of which panic on some inputs.
func careful(want func([]string) answer, args []string) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Error: "panic", Message: fmt.Sprint(p)}
		}
	}()
	return want(args)
}

// values makes an answer of what a Go function returned.
func values(err error, out ...any) answer {
	if err != nil {
		return answer{Error: "error", Message: err.Error()}
	}
	a := answer{}
	for _, v := range out {
		a.Out = append(a.Out, fmt.Sprint(v))
	}
	return a
}

func show(args []string) string {
	var texts []string
	for _, s := range args {
		texts = append(texts, cut(fmt.Sprintf("%q", s)))
	}
	return strings.Join(texts, " ")
}

func showAnswer(a answer) string {
	if a.Error != "" {
		return cut(a.Error + ": " + fmt.Sprintf("%q", a.Message))
	}
	return show(a.Out)
}

func cut(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

func rulesText(byRule map[string]int) string {
	var texts []string
	for reason, n := range byRule {
		texts = append(texts, fmt.Sprintf("%d: %s", n, reason))
	}
	if texts == nil {
		return ""
	}
	sort.Strings(texts)
	return " (wanted differences: " + strings.Join(texts, "; ") + ")"
}
