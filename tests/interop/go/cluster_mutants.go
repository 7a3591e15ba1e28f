package main

// Manifests with one value changed, removed or added: the same objects, or the
// same faults, on both sides.  They are sent as dry runs.

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Values that somewhere are just outside of what is allowed.
var oddValues = []any{nil, "", "a", "A_B", "a b", "x.y/z", "-1", "1.5", "50%",
	0.0, 1.0, -1.0, 65536.0, 2147483648.0, 1.5, true, false, []any{},
	[]any{""}, []any{nil}, []any{object{}}, object{}, object{"a": "b"},
	object{"": nil}}

// Paths that lead out of the request rather than into the object.
var fixedPaths = map[string]bool{".apiVersion": true, ".kind": true,
	".metadata.namespace": true, ".metadata": true}

// mutantRules are the differences that are wanted.
var mutantRules = []struct {
	reason string
	holds  func(m manifest, body object, got answer, why string) bool
}{
	{"Go has names for types that are strings",
		func(m manifest, body object, got answer, why string) bool {
			message, _ := body["message"].(string)
			return got.Error != "" && strings.HasSuffix(message,
				namedStrings.ReplaceAllString(got.Message, "")+
					namedStrings.FindString(message)) &&
				strings.Contains(got.Message, "string")
		}},
	{"Go takes a list of numbers for bytes",
		func(m manifest, body object, got answer, why string) bool {
			return strings.Contains(got.Message,
				"cannot unmarshal array") &&
				strings.HasSuffix(got.Message, "of type []uint8")
		}},
	{"Go keeps what is empty apart from what is absent in messages",
		func(m manifest, body object, got answer, why string) bool {
			return sameLines(empties.ReplaceAllString(why, "null")) ||
				m.tree["kind"] == "Job" && !strings.Contains(why, "extra:") &&
					strings.Contains(m.json, `"labels":{}`) &&
					strings.Contains(why, "metadata.labels: ")
		}},
	{"the schemas of a CRD are not shown as Go's structs",
		func(m manifest, body object, got answer, why string) bool {
			return sameLines(versions.ReplaceAllString(why, "..."))
		}},
	{"addresses are allocated before a Service is validated",
		func(m manifest, body object, got answer, why string) bool {
			return m.tree["kind"] == "Service" &&
				strings.Contains(why, "extra:") &&
				!strings.Contains(why, "missing:") && onlyAddresses(body)
		}},
}

var namedStrings = regexp.MustCompile(
	` of type (\[\]|map\[string\])*([a-z0-9]+\.)?[A-Za-z]+$`)

var (
	empties  = regexp.MustCompile(`\[\]|\{\}`)
	versions = regexp.MustCompile(`\[\{"Name":.*\](: must)`)
)

// sameLines says whether what is missing is also what is extra.
func sameLines(why string) bool {
	n := map[string]int{}
	for _, line := range strings.Split(why, "\n") {
		if text, ok := strings.CutPrefix(line, "    missing: "); ok {
			n[text]++
		} else if text, ok := strings.CutPrefix(line, "    extra:   "); ok {
			n[text]--
		} else if line != "" {
			return false
		}
	}
	for _, count := range n {
		if count != 0 {
			return false
		}
	}
	return true
}

func onlyAddresses(body object) bool {
	causes, _ := get(body, "details", "causes").([]any)
	for _, c := range causes {
		field, _ := get(c, "field").(string)
		if !strings.HasPrefix(field, "spec.ipFamil") &&
			!strings.HasPrefix(field, "spec.clusterIP") {
			return false
		}
	}
	return true
}

// compareMutants changes the manifests of the other files, -n times.
func compareMutants(a *area, s *server, path string) error {
	var all []manifest
	for _, name := range []string{"minimal.yaml", "empties.yaml",
		"invalid.yaml", "statuses.yaml"} {
		some, err := readManifests(filepath.Join(filepath.Dir(path), name))
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	h := fnv.New64a()
	h.Write([]byte(a.name))
	r := rand.New(rand.NewPCG(*seed, h.Sum64()))
	types, err := readSchemas(s)
	if err != nil {
		return err
	}
	var mutants []manifest
	var cases [][]string
	for i := range *n {
		m := mutate(r, types, all[r.IntN(len(all))], i)
		if m.tree["kind"] == "CustomResourceDefinition" && hasSchema(m) {
			continue
		}
		mutants = append(mutants, m)
		cases = append(cases, []string{m.json, namespace})
	}
	got, err := ask(*driver, "builtin_create", cases)
	if err != nil {
		return err
	}
	byRule := map[string]int{}
	defer func() { a.wanted = rulesText(byRule) }()
	return eachMutant(s, mutants, func(i, code int, body object) {
		switch code {
		case 201, 400, 422:
			m := mutants[i]
			why := compareAnswers(m, code, body, got[i])
			for _, rule := range mutantRules {
				if why != "" && rule.holds(m, body, got[i], why) {
					byRule[rule.reason]++
					why = ""
				}
			}
			if why != "" {
				why += "\n    of " + m.json
			}
			a.result(m.name, why)
		}
	})
}

// hasSchema says whether the change is in a schema, or in a definition whose
// schema has faults: schemas are checked where they are compiled.
func hasSchema(m manifest) bool {
	return strings.Contains(m.name, ".schema") ||
		strings.Contains(m.name, "subresources.status") ||
		strings.HasPrefix(m.name, "bads.") ||
		strings.HasPrefix(m.name, "things.")
}

// eachMutant asks the server, eight at a time, and tells in order.
func eachMutant(s *server, mutants []manifest,
	tell func(i, code int, body object)) error {
	codes := make([]int, len(mutants))
	bodies := make([]object, len(mutants))
	errs := make([]error, len(mutants))
	var group sync.WaitGroup
	for first := range 8 {
		group.Go(func() {
			for i := first; i < len(mutants); i += 8 {
				codes[i], bodies[i], errs[i] = s.do("POST",
					s.path(mutants[i].tree)+"?dryRun=All",
					mutants[i].json)
			}
		})
	}
	group.Wait()
	for i := range mutants {
		if errs[i] != nil {
			return errs[i]
		}
		tell(i, codes[i], bodies[i])
	}
	return nil
}

// mutate makes one change to a copy of a manifest.
func mutate(r *rand.Rand, types *schemas, m manifest, i int) manifest {
	var tree object
	json.Unmarshal([]byte(m.json), &tree)
	if metadata, ok := tree["metadata"].(map[string]any); ok {
		if _, ok := metadata["name"]; ok && !strings.HasPrefix(m.name, "x-") {
			metadata["name"] = fmt.Sprintf("m-%d", i)
		}
	}
	var changes []func()
	var paths []string
	add := func(path string, change func()) {
		if !fixedPaths[path] {
			changes = append(changes, change)
			paths = append(paths, path)
		}
	}
	root, ok := types.roots[fmt.Sprint(tree["apiVersion"], " ", tree["kind"])]
	if ok && *grow && i%2 == 0 {
		types.additions(r, "", tree, types.types[root], add)
	} else {
		collect(r, "", tree, add)
	}
	k := r.IntN(len(changes))
	changes[k]()
	b, _ := json.Marshal(tree)
	return manifest{fmt.Sprintf("%s%s#%d", m.name, paths[k], i), string(b),
		tree}
}

// collect lists what could be changed below a value.
func collect(r *rand.Rand, path string, v any,
	add func(path string, change func())) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names(v) {
			at := path + "." + name
			odd := oddValues[r.IntN(len(oddValues))]
			add(at, func() { v[name] = odd })
			add(at, func() { delete(v, name) })
			collect(r, at, v[name], add)
		}
	case []any:
		for i := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			odd := oddValues[r.IntN(len(oddValues))]
			add(at, func() { v[i] = odd })
			add(at, func() { v[i] = v[r.IntN(len(v))] })
			collect(r, at, v[i], add)
		}
	}
}
