package main

// Yuloh beside a real kube-apiserver: the same manifests to both.  What may
// differ is what only a server can know; see facts.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

const namespace = "interop"

// area is one line of the report.
type area struct {
	name                  string
	passed, failed, known int
	reasons               map[string]string // By the names of known cases.
	wanted                string            // Differences by rule.
}

// manifest is one document of a file.
type manifest struct {
	name string // Of the object, or "kind-N" where it has none.
	json string
	tree map[string]any
}

// runCluster compares everything that needs a server, if there is one.
func runCluster(s *server, folder string) (passed, failed int) {
	areas := []struct {
		name string
		run  func(*area, *server, string) error
	}{
		{"cluster_crds", compareDefinitions},
		{"cluster_mutants", compareMutants}, // While nothing is allocated.
		{"cluster_minimal", compareCreated},
		{"cluster_empties", compareCreated},
		{"cluster_invalid", compareCreated},
		{"cluster_statuses", compareTables},
	}
	if err := s.create(object{"apiVersion": "v1", "kind": "Namespace",
		"metadata": object{"name": namespace}}, nil); err != nil {
		fmt.Printf("interop: cluster: %v\n", err)
		return 0, 1
	}
	known, err := readKnown(filepath.Join(folder, "known"))
	if err != nil {
		fmt.Printf("interop: cluster: %v\n", err)
		return 0, 1
	}
	for _, some := range areas {
		if !strings.Contains(some.name, *only) {
			continue
		}
		a := &area{name: some.name, reasons: known[some.name]}
		file := strings.TrimPrefix(some.name, "cluster_") + ".yaml"
		if err := some.run(a, s, filepath.Join(folder, "manifests",
			file)); err != nil {
			a.failed++
			fmt.Printf("interop: %s: %v\n", a.name, err)
		}
		a.report()
		passed += a.passed
		failed += a.failed
	}
	return passed, failed
}

// runServers compares a server of our own with a kube-apiserver, 'theirs',
// and lets clients talk to it.
func runServers(theirs *server, folder string) (passed, failed int) {
	mine, err := startOurs()
	if err != nil {
		fmt.Printf("interop: servers: %v\n", err)
		return 0, 1
	}
	known, err := readKnown(filepath.Join(folder, "known"))
	areas := []struct {
		name string
		run  func(*area) error
	}{
		{"servers_discovery", func(a *area) error {
			return compareDiscovery(a, theirs, mine.server)
		}},
		{"servers_custom", func(a *area) error {
			return compareCustom(a, theirs, mine.server, folder)
		}},
		{"servers_lives", func(a *area) error {
			return compareLives(a, theirs, mine.server, folder)
		}},
		{"servers_clients", func(a *area) error {
			return compareClients(a, mine.server)
		}},
	}
	for _, some := range areas {
		if err != nil || !strings.Contains(some.name, *only) {
			continue
		}
		a := &area{name: some.name, reasons: known[some.name]}
		if err := some.run(a); err != nil {
			a.failed++
			fmt.Printf("interop: %s: %v\n", a.name, err)
		}
		a.report()
		passed += a.passed
		failed += a.failed
	}
	if err := errors.Join(err, mine.stop()); err != nil {
		fmt.Printf("interop: servers: %v\n", err)
		failed++
	}
	return passed, failed
}

// result counts a case; 'why' is empty if both sides agree.
func (a *area) result(name string, why string) {
	_, known := a.reasons[name]
	for pattern := range a.reasons {
		prefix, ok := strings.CutSuffix(pattern, "*")
		if ok && why != "" && strings.HasPrefix(name, prefix) {
			known = true
		}
	}
	switch {
	case why == "" && known:
		fmt.Printf("interop: %s: %s agrees; it can leave the list of known "+
			"differences\n", a.name, name)
		a.passed++
		return
	case why == "":
		a.passed++
		return
	case known:
		a.known++
		return
	}
	a.failed++
	if a.failed <= *maxShown {
		fmt.Printf("interop: %s: %s: %s\n", a.name, name, why)
	}
}

func (a *area) report() {
	text := a.wanted
	if a.known > 0 {
		text += fmt.Sprintf(" (known: %d)", a.known)
	}
	if a.failed > 0 {
		fmt.Printf("interop: %s: %d of %d cases differ%s\n", a.name, a.failed,
			a.passed+a.failed+a.known, text)
	} else {
		fmt.Printf("interop: %s: %d cases agree%s\n", a.name, a.passed, text)
	}
}

// readKnown reads lines of "area case: reason"; # begins a comment, and a case
// that ends in * stands for all that begin so.
func readKnown(path string) (map[string]map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := map[string]map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		where, reason, ok := strings.Cut(line, ": ")
		name, kase, ok2 := strings.Cut(where, " ")
		if !ok || !ok2 {
			return nil, fmt.Errorf("%s: what does %q mean?", path, line)
		}
		if known[name] == nil {
			known[name] = map[string]string{}
		}
		known[name][kase] = reason
	}
	return known, nil
}

func readManifests(path string) ([]manifest, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []manifest
	for i, document := range strings.Split(string(text), "\n---\n") {
		b, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", path, i+1, err)
		}
		m := manifest{json: string(b)}
		if err := json.Unmarshal(b, &m.tree); err != nil {
			return nil, err
		}
		m.name, _ = get(m.tree, "metadata", "name").(string)
		if m.name == "" {
			m.name = fmt.Sprintf("%v-%d", m.tree["kind"], i+1)
		}
		all = append(all, m)
	}
	return all, nil
}

// compareCreated creates each object on both sides.
func compareCreated(a *area, s *server, path string) error {
	all, err := readManifests(path)
	if err != nil {
		return err
	}
	var cases [][]string
	for _, m := range all {
		cases = append(cases, []string{m.json, namespace})
	}
	got, err := ask(*driver, "builtin_create", cases)
	if err != nil {
		return err
	}
	for i, m := range all {
		code, body, err := s.do("POST", s.path(m.tree), m.json)
		if err != nil {
			return err
		}
		a.result(m.name, compareAnswers(m, code, body, got[i]))
		if code != 201 || m.tree["kind"] == "CustomResourceDefinition" {
			continue
		}
		why, err := compareTable(s, body)
		if err != nil {
			return err
		}
		a.result(m.name+"/table", why)
	}
	return nil
}

// compareAnswers says how Yuloh's answer differs from the server's.
func compareAnswers(m manifest, code int, body object, got answer) string {
	ours := fmt.Sprintf("%s: %s", got.Error, got.Message)
	if got.Error == "" && got.Out[0] == "invalid" {
		ours = strings.Join(causesOf(got), "\n      ")
	} else if got.Error == "" {
		ours = "is accepted"
	}
	switch code {
	case 201:
		if got.Error != "" || got.Out[0] != "object" {
			return "the server accepts it, but here\n      " + ours
		}
		var mine object
		if err := json.Unmarshal([]byte(got.Out[1]), &mine); err != nil {
			return err.Error()
		}
		var diffs []string
		differences("", facts(m, body), facts(m, mine), &diffs)
		return strings.Join(diffs, "; ")
	case 422:
		return compareCauses(m, body, got, ours)
	default:
		message, _ := body["message"].(string)
		if _, rest, ok := strings.Cut(message, " cannot be handled as a "); ok {
			_, message, _ = strings.Cut(rest, ": ")
		}
		if got.Error == "" || got.Message != message {
			return fmt.Sprintf("%d %s\n    Yuloh: %s", code, message, ours)
		}
	}
	return ""
}

func compareCauses(m manifest, body object, got answer, ours string) string {
	list, _ := get(body, "details", "causes").([]any)
	var want []string
	// Yuloh's driver ends generated names in "xxxxx".
	prefix, _ := get(m.tree, "metadata", "generateName").(string)
	generated := regexp.MustCompile(regexp.QuoteMeta(prefix) +
		"[a-z0-9]{5}\"")
	for _, c := range list {
		text := fmt.Sprintf("%v %v: %v", get(c, "reason"), get(c, "field"),
			get(c, "message"))
		if prefix != "" && empty(get(m.tree, "metadata", "name")) {
			text = generated.ReplaceAllLiteralString(text, prefix+"xxxxx\"")
		}
		want = append(want, text)
	}
	if got.Error != "" || got.Out[0] != "invalid" {
		return fmt.Sprintf("the server says\n      %s\n    Yuloh: %s",
			strings.Join(want, "\n      "), ours)
	}
	have := causesOf(got)
	missing, extra := without(want, have), without(have, want)
	if len(missing)+len(extra) == 0 {
		return ""
	}
	text := ""
	for _, c := range missing {
		text += "\n    missing: " + c
	}
	for _, c := range extra {
		text += "\n    extra:   " + c
	}
	return text
}

func causesOf(got answer) []string {
	var have []string
	for i := 1; i+2 < len(got.Out); i += 3 {
		have = append(have, fmt.Sprintf("%s %s: %s", got.Out[i],
			got.Out[i+1], hideUIDs(got.Out[i+2])))
	}
	return have
}

// without is what is in 'a' more often than in 'b'.
func without(a, b []string) []string {
	n := map[string]int{}
	for _, s := range b {
		n[hideUIDs(s)]++
	}
	var rest []string
	for _, s := range a {
		s = hideUIDs(s)
		if n[s]--; n[s] < 0 {
			rest = append(rest, s)
		}
	}
	return rest
}

// differences lists where two JSON values are not the same.
func differences(path string, want, have any, out *[]string) {
	w, ok1 := want.(map[string]any)
	h, ok2 := have.(map[string]any)
	if ok1 && ok2 {
		for _, name := range names(w, h) {
			_, ok1 := w[name]
			_, ok2 := h[name]
			switch at := path + "." + name; {
			case !ok1:
				*out = append(*out, at+" is extra: "+brief(h[name]))
			case !ok2:
				*out = append(*out, at+" is missing: "+brief(w[name]))
			default:
				differences(at, w[name], h[name], out)
			}
		}
		return
	}
	wl, ok1 := want.([]any)
	hl, ok2 := have.([]any)
	if ok1 && ok2 && len(wl) == len(hl) {
		for i := range wl {
			differences(fmt.Sprintf("%s[%d]", path, i), wl[i], hl[i], out)
		}
		return
	}
	if !reflect.DeepEqual(want, have) {
		*out = append(*out, fmt.Sprintf("%s: %s instead of %s", path,
			brief(have), brief(want)))
	}
}

func names(maps ...map[string]any) []string {
	seen := map[string]bool{}
	var all []string
	for _, m := range maps {
		for name := range m {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	sort.Strings(all)
	return all
}

func brief(v any) string {
	b, _ := json.Marshal(v)
	return cut(string(b))
}

// compareTables creates objects, writes their status and compares the rows
// that both sides make of the result.
func compareTables(a *area, s *server, path string) error {
	all, err := readManifests(path)
	if err != nil {
		return err
	}
	for _, m := range all {
		var made object
		if err := s.create(m.tree, &made); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if status, ok := m.tree["status"]; ok {
			made["status"] = status
			b, _ := json.Marshal(made)
			code, body, err := s.do("PUT", s.objectPath(made)+"/status",
				string(b))
			if err != nil || code != 200 {
				return fmt.Errorf("%s: status: %d %v %w", m.name, code,
					body["message"], err)
			}
			made = body
		}
		why, err := compareTable(s, made)
		if err != nil {
			return err
		}
		a.result(m.name, why)
	}
	return nil
}

// compareTable asks for the Table of an object that the server has.  Ages are
// those before or after the question.
func compareTable(s *server, o object) (string, error) {
	before := time.Now().Unix()
	code, table, err := s.table(s.objectPath(o))
	if err != nil || code != 200 {
		return "", fmt.Errorf("no table: %d %v %w", code, table["message"],
			err)
	}
	b, _ := json.Marshal(o)
	got, err := ask(*driver, "builtin_table", [][]string{
		{string(b), fmt.Sprint(before)},
		{string(b), fmt.Sprint(time.Now().Unix())}})
	if err != nil {
		return "", err
	}
	var columns, want, have []any
	for _, c := range table["columnDefinitions"].([]any) {
		delete(c.(map[string]any), "description")
		columns = append(columns, c)
	}
	row, _ := get(table["rows"].([]any)[0]).(map[string]any)
	want = append(want, columns, row["cells"], row["conditions"])
	var diffs []string
	for i := range got {
		have = nil
		for _, text := range got[i].Out {
			var v any
			if text != "" {
				d := json.NewDecoder(bytes.NewReader([]byte(text)))
				if err := d.Decode(&v); err != nil {
					return err.Error(), nil
				}
			}
			have = append(have, v)
		}
		for _, c := range have[0].([]any) {
			delete(c.(map[string]any), "description")
		}
		diffs = nil
		differences("", any(want), any(have), &diffs)
		if diffs == nil {
			break
		}
	}
	return strings.Join(diffs, "; "), nil
}
