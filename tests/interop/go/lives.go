package main

// The life of an object of every kind, on a kube-apiserver and on a server of
// our own: the same requests to both, and the same answers from both.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// kind is where objects of a kind live.
type kind struct {
	path               string // Of the collection.
	status, namespaced bool
}

// life is one object on both servers, which take turns.
type life struct {
	area  *area
	m     manifest
	kind  kind
	sides [2]*side // A kube-apiserver, and ours.
}

type side struct {
	*server
	object  object // The last that was answered.
	version string // The resourceVersion of the last comparison.
}

// answered is what one server said.
type answered struct {
	code int
	body object
	rv   string // How the resourceVersion moved.
}

// Controllers inside a kube-apiserver write these whenever they want.
var restless = map[string]bool{"APIService": true, "ServiceCIDR": true,
	"CustomResourceDefinition": true, "FlowSchema": true,
	"PriorityLevelConfiguration": true}

// compareLives needs a kube-apiserver with the usual admission plugins.
func compareLives(a *area, theirs, mine *server, folder string) error {
	all, err := readManifests(filepath.Join(folder, "manifests",
		"lives.yaml"))
	if err != nil {
		return err
	}
	kinds, err := kindsOf(mine)
	if err != nil {
		return err
	}
	for _, s := range []*server{theirs, mine} {
		if err := s.create(object{"apiVersion": "v1", "kind": "Namespace",
			"metadata": object{"name": namespace}}, nil); err != nil {
			return err
		}
	}
	lived := map[string]bool{}
	for _, m := range all {
		name := fmt.Sprintf("%v %v", m.tree["apiVersion"], m.tree["kind"])
		k, ok := kinds[name]
		if !ok {
			a.result(name, "is not served")
			continue
		}
		lived[name] = true
		l := &life{a, m, k, [2]*side{{server: theirs}, {server: mine}}}
		if err := l.live(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range names(toAny(kinds)) {
		if !lived[name] && !strings.HasPrefix(name, "batch/v1beta1 ") &&
			!strings.HasPrefix(name, "batch/v2alpha1 ") &&
			!strings.HasPrefix(name, "apiextensions.k8s.io/v1beta1 ") {
			a.result(name, "has no manifest")
		}
	}
	return nil
}

func toAny(kinds map[string]kind) map[string]any {
	all := map[string]any{}
	for name := range kinds {
		all[name] = nil
	}
	return all
}

// kindsOf asks a server which kinds can be created, updated and deleted.
func kindsOf(s *server) (map[string]kind, error) {
	paths := []string{"/api/v1"}
	_, groups, err := s.do("GET", "/apis", "")
	if err != nil {
		return nil, err
	}
	for _, g := range list(groups["groups"]) {
		for _, v := range list(get(g, "versions")) {
			paths = append(paths, fmt.Sprintf("/apis/%v",
				get(v, "groupVersion")))
		}
	}
	kinds := map[string]kind{}
	for _, path := range paths {
		_, resources, err := s.do("GET", path, "")
		if err != nil {
			return nil, err
		}
		statuses := map[string]bool{}
		for _, r := range list(resources["resources"]) {
			plural, sub, _ := strings.Cut(fmt.Sprint(get(r, "name")), "/")
			if sub == "status" {
				statuses[plural] = true
			}
		}
		for _, r := range list(resources["resources"]) {
			plural := fmt.Sprint(get(r, "name"))
			if strings.Contains(plural, "/") ||
				!strings.Contains(fmt.Sprint(get(r, "verbs")), "update") {
				continue
			}
			k := kind{path + "/" + plural, statuses[plural],
				get(r, "namespaced") == true}
			if k.namespaced {
				k.path = path + "/namespaces/" + namespace + "/" + plural
			}
			kinds[fmt.Sprintf("%v %v", resources["groupVersion"],
				get(r, "kind"))] = k
		}
	}
	return kinds, nil
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// live takes an object from the cradle to the grave.
func (l *life) live() error {
	one := l.kind.path + "/" + get(l.m.tree, "metadata", "name").(string)
	dry := "?dryRun=All"
	send := func(what, method, path string,
		body func(*side) object) (bool, error) {
		return l.step(what, method, path, body)
	}
	same := func(change func(object)) func(*side) object {
		return func(s *side) object {
			o := clone(s.object)
			change(o)
			return o
		}
	}
	keep := func(object) {}
	manifest := func(*side) object { return clone(l.m.tree) }

	if _, err := send("update before there is one", "PUT", one+dry,
		manifest); err != nil {
		return err
	}
	if ok, err := send("create", "POST", l.kind.path, manifest); err != nil ||
		!ok {
		return err
	}
	steps := []struct {
		what, method, path string
		body               func(*side) object
	}{
		{"create again", "POST", l.kind.path, manifest},
		{"get", "GET", one, nil},
		{"update nothing", "PUT", one, same(keep)},
		{"update a label", "PUT", one, same(set("metadata", "labels",
			object{"some": "label"}))},
		{"update the same label", "PUT", one, same(keep)},
		{"update an annotation", "PUT", one, same(set("metadata",
			"annotations", object{"some": "note"}))},
		{"update with the status", "PUT", one, same(set("", "status",
			l.m.tree["status"]))},
		{"update without a version", "PUT", one, same(unset("metadata",
			"resourceVersion"))},
		{"update an old version", "PUT", one, same(set("metadata",
			"resourceVersion", "1"))},
		{"update no version", "PUT", one + dry, same(set("metadata",
			"resourceVersion", "x"))},
		{"update another uid", "PUT", one + dry, same(set("metadata", "uid",
			"00000000-0000-4000-8000-000000000000"))},
		{"update another name", "PUT", one + dry, same(set("metadata",
			"name", "other"))},
		{"update another namespace", "PUT", one + dry, same(set("metadata",
			"namespace", "other"))},
		{"update without a name", "PUT", one + dry, same(unset("metadata",
			"name"))},
		{"update the generation", "PUT", one + dry, same(set("metadata",
			"generation", 77.0))},
		{"update the time of creation", "PUT", one + dry, same(set(
			"metadata", "creationTimestamp", "2020-01-01T00:00:00Z"))},
		{"update the time of deletion", "PUT", one + dry, same(set(
			"metadata", "deletionTimestamp", "2020-01-01T00:00:00Z"))},
		{"update the finalizers", "PUT", one + dry, same(set("metadata",
			"finalizers", []any{"example.com/f"}))},
		{"update an owner", "PUT", one + dry, same(set("metadata",
			"ownerReferences", []any{object{"apiVersion": "v1",
				"kind": "Pod", "name": "p", "uid": "u"}}))},
		{"update bad labels", "PUT", one + dry, same(set("metadata",
			"labels", object{"a b": "c d"}))},
		{"patch", "PATCH", one, func(*side) object {
			return object{"metadata": object{"labels": object{"more": "m"}}}
		}},
	}
	for _, s := range steps {
		if _, err := send(s.what, s.method, s.path, s.body); err != nil {
			return err
		}
	}
	if err := l.mutate("update", one+dry, func(name string) bool {
		return name != "metadata" && name != "status" &&
			name != "apiVersion" && name != "kind"
	}); err != nil {
		return err
	}
	if err := l.liveStatus(one, dry, same); err != nil {
		return err
	}
	if err := l.table(one); err != nil {
		return err
	}
	steps = steps[:0]
	add := func(what, path string, body object) {
		steps = append(steps, struct {
			what, method, path string
			body               func(*side) object
		}{what, "DELETE", path, func(*side) object { return body }})
	}
	options := func(name string, value any) object {
		return object{"kind": "DeleteOptions", "apiVersion": "v1",
			name: value}
	}
	add("delete another", one, options("preconditions",
		object{"uid": "00000000-0000-4000-8000-000000000000"}))
	add("delete an old version", one, options("preconditions",
		object{"resourceVersion": "1"}))
	add("delete by no policy", one, options("propagationPolicy", "Maybe"))
	add("delete dry", one+dry, nil)
	add("delete in the foreground, dry", one+dry,
		options("propagationPolicy", "Foreground"))
	add("delete", one, nil)
	add("delete again", one, nil)
	for _, s := range steps {
		if _, err := send(s.what, s.method, s.path, s.body); err != nil {
			return err
		}
	}
	return nil
}

// liveStatus writes the status; the rest of the object must not change.
func (l *life) liveStatus(one, dry string,
	same func(func(object)) func(*side) object) error {
	status := func(o object) { o["status"] = clone(l.m.tree)["status"] }
	rest := func(o object) {
		status(o)
		o["metadata"].(object)["labels"] = object{"from": "status"}
		o["metadata"].(object)["annotations"] = object{"from": "status"}
		for _, name := range names(o) {
			if v, ok := o[name].(object); ok && name != "metadata" &&
				name != "status" {
				for _, member := range names(v) {
					if next, ok := changed(v[member]); ok {
						v[member] = next
					}
				}
			}
		}
	}
	if _, err := l.step("status", "PUT", one+"/status",
		same(status)); err != nil || !l.kind.status {
		return err
	}
	for _, s := range []struct {
		what, path string
		change     func(object)
	}{
		{"status again", one + "/status", status},
		{"status and the rest", one + "/status" + dry, rest},
		{"status and the rest for good", one + "/status", rest},
		{"no status", one + "/status" + dry, unset("", "status")},
		{"update drops the status", one + dry, unset("", "status")},
	} {
		if _, err := l.step(s.what, "PUT", s.path,
			same(s.change)); err != nil {
			return err
		}
	}
	return l.mutate("status", one+"/status"+dry, func(name string) bool {
		return name == "status"
	})
}

// mutate sends an object with one value changed or gone, for each value.
func (l *life) mutate(what, path string, wanted func(string) bool) error {
	top := object{}
	for name, v := range l.sides[0].object {
		if wanted(name) {
			top[name] = v
		}
	}
	var places [][]any
	leaves(top, nil, &places)
	for _, place := range places {
		for _, how := range []string{"changed", "gone"} {
			body := func(s *side) object {
				o := clone(s.object)
				alter(o, place, how == "gone")
				return o
			}
			if _, err := l.step(fmt.Sprintf("%s, %s %s", what,
				placeText(place), how), "PUT", path, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaves lists the places of all values, those of maps and lists included.
func leaves(v any, place []any, out *[][]any) {
	if len(place) > 0 {
		*out = append(*out, append([]any{}, place...))
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names(v) {
			leaves(v[name], append(place, name), out)
		}
	case []any:
		if len(v) > 0 {
			leaves(v[0], append(place, 0), out)
		}
	}
}

func placeText(place []any) string {
	text := ""
	for _, p := range place {
		text += fmt.Sprintf(".%v", p)
	}
	return text
}

// alter changes the value at a place, or takes it away.
func alter(o object, place []any, gone bool) {
	var v any = o
	for i, p := range place {
		last := i == len(place)-1
		switch at := v.(type) {
		case map[string]any:
			name, ok := p.(string)
			if !ok {
				return
			}
			if !last {
				v = at[name]
			} else if gone {
				delete(at, name)
			} else if next, ok := changed(at[name]); ok {
				at[name] = next
			}
		case []any:
			if len(at) == 0 {
				return
			}
			if !last {
				v = at[0]
			} else if next, ok := changed(at[0]); ok && !gone {
				at[0] = next
			} else {
				at[0] = nil
			}
		default:
			return
		}
	}
}

// changed is a value near another one; false for what has parts.
func changed(v any) (any, bool) {
	switch v := v.(type) {
	case float64:
		return v + 1, true
	case bool:
		return !v, true
	case string:
		return v + "x", true
	case []any:
		if len(v) > 0 {
			return append(append([]any{}, v...), v[0]), true
		}
	case map[string]any:
		return object{}, true
	}
	return v, false
}

func set(under, name string, value any) func(object) {
	return func(o object) {
		if under != "" {
			o, _ = o[under].(object)
		}
		o[name] = value
	}
}

func unset(under, name string) func(object) {
	return func(o object) {
		if under != "" {
			o, _ = o[under].(object)
		}
		delete(o, name)
	}
}

func clone(o object) object {
	b, _ := json.Marshal(o)
	var c object
	json.Unmarshal(b, &c)
	return c
}

// step sends one request to both and compares the answers.
func (l *life) step(what, method, path string,
	body func(*side) object) (bool, error) {
	var got [2]answered
	for i, s := range l.sides {
		for try := 0; try < 5; try++ {
			text := ""
			if body != nil && (method != "DELETE" || body(s) != nil) {
				b, _ := json.Marshal(body(s))
				text = string(b)
			}
			code, answer, err := s.send(method, path, text)
			if err != nil {
				return false, err
			}
			got[i] = answered{code: code, body: answer}
			// Somebody else may have written in between.
			if code != 409 || !restless[l.m.tree["kind"].(string)] ||
				!l.refresh(s) {
				break
			}
		}
		if o := got[i].body; got[i].code < 300 && o["kind"] ==
			l.m.tree["kind"] {
			version, _ := get(o, "metadata", "resourceVersion").(string)
			if s.version != "" && s.version == version {
				got[i].rv = "same"
			}
			if method != "DELETE" && !strings.Contains(path, "dryRun") {
				s.object, s.version = o, version
			}
		}
	}
	why := l.differ(got)
	l.area.result(fmt.Sprintf("%v/%v, %s", l.m.tree["apiVersion"],
		l.m.tree["kind"], what), why)
	return got[0].code < 300 && got[1].code < 300, nil
}

func (s *server) send(method, path, text string) (int, object, error) {
	if method == "PATCH" {
		return s.request(method, path, text,
			"application/merge-patch+json", "application/json")
	}
	return s.do(method, path, text)
}

// refresh reads an object again; false if it did not change.
func (l *life) refresh(s *side) bool {
	name, _ := get(l.m.tree, "metadata", "name").(string)
	code, o, err := s.do("GET", l.kind.path+"/"+name, "")
	if err != nil || code != 200 || get(o, "metadata", "resourceVersion") ==
		get(s.object, "metadata", "resourceVersion") {
		return false
	}
	s.object = o
	s.version, _ = get(o, "metadata", "resourceVersion").(string)
	return true
}

func (l *life) differ(got [2]answered) string {
	var texts []string
	if got[0].code != got[1].code {
		return fmt.Sprintf("%d %s\n    Yuloh: %d %s", got[0].code,
			verdict(got[0].body), got[1].code, verdict(got[1].body))
	}
	restless := restless[l.m.tree["kind"].(string)]
	if got[0].rv != got[1].rv && !restless {
		texts = append(texts, fmt.Sprintf("the resourceVersion is %q "+
			"instead of %q", got[1].rv, got[0].rv))
	}
	want, have := l.facts(got[0].body), l.facts(got[1].body)
	if restless {
		for _, o := range []object{want, have} {
			delete(o, "status")
			delete(o["metadata"].(object), "finalizers")
			delete(o["metadata"].(object), "generation")
		}
	}
	differences("", want, have, &texts)
	return strings.Join(texts, "; ")
}

func verdict(o object) string {
	if message, ok := o["message"].(string); ok {
		return message
	}
	return "is accepted"
}

var (
	times = regexp.MustCompile(`\b20[0-9][0-9]-[0-9-]*T[0-9:.]*Z`)
	ports = regexp.MustCompile(`\b3[0-2][0-9]{3}\b`)
	rvs   = regexp.MustCompile(
		`(in record|ResourceVersion in object meta:) \(?[0-9]+\)?|Key: [^,]*`)
	innards = regexp.MustCompile(
		`Invalid value: (\{.*\}|\[.*\]|null|""): `)
	ips = regexp.MustCompile(`\b10\.0\.[0-9]+\.[0-9]+`)
)

// facts is what must be the same on both servers.
func (l *life) facts(o object) object {
	b, _ := json.Marshal(o)
	text := rvs.ReplaceAllString(hideUIDs(string(b)), "<storage>")
	text = times.ReplaceAllStringFunc(text, func(t string) string {
		if sent := strings.HasPrefix(t, "2024-01-01") ||
			strings.HasPrefix(t, "2020-01-01"); sent &&
			!restless[l.m.tree["kind"].(string)] {
			return t
		}
		return "<time>"
	})
	if l.m.tree["kind"] == "Service" {
		text = ports.ReplaceAllString(text, "32000")
		text = ips.ReplaceAllString(text, "10.0.0.1")
	}
	var copy object
	json.Unmarshal([]byte(text), &copy)
	metadata, _ := copy["metadata"].(object)
	if metadata == nil {
		metadata = object{}
		copy["metadata"] = metadata
	}
	delete(metadata, "managedFields")
	delete(metadata, "resourceVersion")
	causes := list(get(copy, "details", "causes"))
	for _, c := range causes {
		// Values as Go prints them, and what a library for diffs makes of
		// such.
		c, _ := c.(object)
		text, _ := c["message"].(string)
		short, _, _ := strings.Cut(innards.ReplaceAllString(text,
			"Invalid value: <value>: "), "\n")
		if short != text {
			c["message"] = short
			delete(copy, "message")
		}
	}
	sort.SliceStable(causes, func(i, j int) bool {
		return brief(causes[i]) < brief(causes[j])
	})
	return copy
}

// table compares the Tables of the object and of the list it is in.
func (l *life) table(one string) error {
	name, _ := get(l.m.tree, "metadata", "name").(string)
	for what, path := range map[string]string{"table": one,
		"table of a list": l.kind.path + "?fieldSelector=metadata.name%3D" +
			name} {
		var got [2]answered
		for i, s := range l.sides {
			code, table, err := s.table(path)
			if err != nil {
				return err
			}
			for _, r := range list(table["rows"]) {
				r.(object)["object"] = nil
				hideAges(r.(object)["cells"])
			}
			for _, c := range list(table["columnDefinitions"]) {
				delete(c.(object), "description")
			}
			got[i] = answered{code: code, body: table}
		}
		l.area.result(fmt.Sprintf("%v/%v, %s", l.m.tree["apiVersion"],
			l.m.tree["kind"], what), l.differ(got))
	}
	return nil
}

var ages = regexp.MustCompile(`^[0-9]+s$`)

func hideAges(cells any) {
	for i, c := range list(cells) {
		if s, ok := c.(string); ok && ages.MatchString(s) {
			list(cells)[i] = "<age>"
		}
	}
}
