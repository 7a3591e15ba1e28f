package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

var applyOps = []op{
	{name: "field_sets", cases: fieldSetCases, want: wantFieldSets,
		rules: []rule{setMessages}},
	{name: "typed_objects", cases: typedCases, want: wantTyped,
		rules: []rule{anyOrder}},
	{name: "typed_kinds", cases: typedKindCases, want: wantTypedKinds,
		rules: []rule{setMessages, nullBytes}},
	{name: "apply_stories", cases: storyCases, want: wantStory,
		rules: []rule{cannotConvert}},
}

// Pruning in another version can leave a null among the items of a list, and
// the library does not take that back.
var cannotConvert = rule{"what the library cannot convert is written",
	func(args []string, want, got answer) bool {
		return slices.Contains(want.Out, "failed") &&
			!slices.Contains(got.Out, "failed")
	}}

// No stored object has a null in a map of bytes.
var nullBytes = rule{"null among bytes is an empty string",
	func(args []string, want, got answer) bool {
		return strings.Contains(args[0]+args[1], ":null") &&
			(strings.Contains(args[0], `"kind":"ConfigMap"`) ||
				strings.Contains(args[0], `"kind":"Secret"`))
	}}

// The library adds where in the text it was.
var setMessages = rule{"FieldsV1 is refused in other words",
	func(args []string, want, got answer) bool {
		return want.Error != "" && got.Error != ""
	}}

// The library reports several faults in the order of a Go map, and stops at
// an unknown field.
var anyOrder = rule{"several faults come in the order of the text",
	func(args []string, want, got answer) bool {
		return want.Error != "" && got.Error != "" &&
			(strings.HasPrefix(want.Message, "errors:") ||
				strings.Contains(want.Message, "not declared"))
	}}

// Sets of fields.

func fieldSetCases(g *gen) [][]string {
	return g.random(cross("{}", "null", `{"f:a":{}}`, `{"f:a":{"f:b":{}}}`,
		`{"f:a":{".":{},"f:b":{}}}`, `{"v:1":{},"v:1.0":{}}`,
		`{"k:{\"b\":1,\"a\":2}":{}}`, `{"x:y":{}}`, `{"i:1":{}}`, `{"f:a":1}`,
		`{"a":{}}`, `{"v:\"<\u00e9>&\"":{}}`, `{"v:1000000":{}}`, `[]`,
		`{"k:{\"a\":\"\\u003c\"}":{"f:x":{}}}`, `{"k:{\"a\":9}":{},"k:{\"a\":80}":{}}`),
		func() []string { return []string{g.fieldSet(3), g.fieldSet(3)} })
}

// fieldSet is FieldsV1 of few names.
func (g *gen) fieldSet(depth int) string {
	var members []string
	if depth < 3 && g.chance(2) {
		members = append(members, `".":{}`)
	}
	if depth > 0 {
		seen := map[string]bool{}
		for range g.IntN(4) {
			e := g.pathElement()
			one, err := fieldpath.DeserializePathElement(e)
			if err != nil {
				panic(err)
			}
			if !seen[one.String()] {
				seen[one.String()] = true
				name, _ := json.Marshal(e)
				members = append(members, string(name)+":"+g.fieldSet(depth-1))
			}
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (g *gen) pathElement() string {
	switch g.IntN(6) {
	case 0:
		return "k:" + g.pick(`{"name":"a"}`, `{"name":"b"}`, `{"port":80,"protocol":"TCP"}`,
			`{"protocol":"TCP","port":80.0}`, `{"port":9,"protocol":"TCP"}`,
			`{"name":"<&>"}`, `{"name":"\u003c\u0026\u003e"}`, `{"a":true}`, `{"a":null}`,
			`{"a":1000000}`, `{"a":1.5}`, `{"name":"a\"b"}`, `{"name":"\n\b"}`)
	case 1:
		return "v:" + g.pick(`1`, `1.0`, `10`, `9`, `"a"`, `"b"`, `"\""`, `"A"`, `true`,
			`false`, `null`, `1e3`, `-1`, `0.5`)
	case 2:
		return "i:" + g.pick("0", "1", "10", "9")
	default:
		return "f:" + g.pick("a", "b", "c", "p", "q", "map", "items", "set", "a.b", "<", "\"")
	}
}

func parseSet(text string) (*fieldpath.Set, error) {
	set := &fieldpath.Set{}
	if err := set.FromJSON(strings.NewReader(text)); err != nil {
		return nil, err
	}
	return set, nil
}

// setText is a set in canonical JSON.
func setText(set *fieldpath.Set) string {
	text, err := set.ToJSON()
	if err != nil {
		panic(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		panic(err)
	}
	return plain(tree)
}

// plain is JSON without the escapes for HTML.
func plain(tree any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(tree); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func wantFieldSets(args []string) answer {
	a, err := parseSet(args[0])
	if err != nil {
		return values(err)
	}
	b, err := parseSet(args[1])
	if err != nil {
		return values(err)
	}
	paths := ""
	a.Iterate(func(p fieldpath.Path) { paths += p.String() + "\n" })
	leaves, _ := parseSet("{}")
	a.Leaves().Iterate(func(p fieldpath.Path) { leaves.Insert(p.Copy()) })
	return values(nil, setText(a), setText(b), setText(a.Union(b)),
		setText(a.Intersection(b)), setText(a.Difference(b)),
		setText(a.RecursiveDifference(b)), setText(leaves), a.Equals(b), a.Size(), paths)
}

// Schemas and objects.

type schemaNode = map[string]any

// schemaOf makes a structural schema of an object.
func (g *gen) schemaOf(depth int) schemaNode {
	properties := schemaNode{}
	for range 1 + g.IntN(5) {
		properties[g.pick("a", "b", "c", "d", "e")] = g.valueSchema(depth - 1)
	}
	s := schemaNode{"type": "object", "properties": properties}
	if g.chance(6) {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	if g.chance(6) {
		s["x-kubernetes-map-type"] = g.pick("atomic", "granular")
	}
	return s
}

func (g *gen) valueSchema(depth int) schemaNode {
	if depth <= 0 {
		return g.scalarSchema()
	}
	switch g.IntN(10) {
	case 0, 1:
		return g.schemaOf(depth)
	case 2:
		s := schemaNode{"type": "object", "additionalProperties": g.valueSchema(depth - 1)}
		if g.chance(4) {
			s["x-kubernetes-map-type"] = g.pick("atomic", "granular")
		}
		return s
	case 3:
		return schemaNode{"type": "array", "items": g.valueSchema(depth - 1)}
	case 4:
		return schemaNode{"type": "array", "items": schemaNode{
			"type": g.pick("string", "integer")}, "x-kubernetes-list-type": "set"}
	case 5, 6:
		item := g.schemaOf(depth)
		delete(item, "x-kubernetes-map-type")
		if g.chance(4) {
			item["x-kubernetes-map-type"] = "atomic"
		}
		properties := item["properties"].(schemaNode)
		keys := []any{"name"}
		properties["name"] = schemaNode{"type": "string"}
		if g.chance(2) {
			keys = append(keys, "port")
			properties["port"] = schemaNode{"type": "integer"}
			if g.chance(2) {
				properties["port"].(schemaNode)["default"] = 80
			}
		}
		return schemaNode{"type": "array", "items": item, "x-kubernetes-list-type": "map",
			"x-kubernetes-list-map-keys": keys}
	case 7:
		return schemaNode{"x-kubernetes-preserve-unknown-fields": true}
	case 8:
		return schemaNode{"type": "object"}
	default:
		return g.scalarSchema()
	}
}

func (g *gen) scalarSchema() schemaNode {
	switch g.IntN(5) {
	case 0:
		return schemaNode{"type": "integer"}
	case 1:
		return schemaNode{"type": "boolean"}
	case 2:
		return schemaNode{"x-kubernetes-int-or-string": true}
	case 3:
		return schemaNode{"type": "string", "format": "date-time"}
	default:
		return schemaNode{"type": "string"}
	}
}

// rootSchema has two fields, p and q, that are alike: versions swap them.
func (g *gen) rootSchema() schemaNode {
	s := g.schemaOf(3)
	delete(s, "x-kubernetes-map-type")
	same := g.valueSchema(2)
	s["properties"].(schemaNode)["p"] = same
	s["properties"].(schemaNode)["q"] = same
	return s
}

// anything is a value without a schema.
func (g *gen) anything(depth int) any {
	switch n := g.IntN(8); {
	case n < 2 && depth > 0:
		m := schemaNode{}
		for range g.IntN(3) {
			m[g.pick("a", "b", "c")] = g.anything(depth - 1)
		}
		return m
	case n == 2 && depth > 0:
		l := []any{}
		for range g.IntN(3) {
			l = append(l, g.anything(depth-1))
		}
		return l
	case n == 3:
		return nil
	case n == 4:
		return g.IntN(3)
	default:
		return g.pick("x", "y")
	}
}

// valueOf makes a value of a schema, wrong ones now and then.
func (g *gen) valueOf(s schemaNode, wrong int) any {
	if g.chance(12) {
		return nil
	}
	if wrong > 0 && g.chance(wrong) {
		return g.anything(1)
	}
	if s["x-kubernetes-int-or-string"] == true {
		if g.chance(2) {
			return g.IntN(3)
		}
		return g.pick("1", "2")
	}
	switch s["type"] {
	case "integer":
		return g.IntN(3)
	case "boolean":
		return g.chance(2)
	case "string":
		return g.pick("x", "y")
	case "array":
		l := []any{}
		item := s["items"].(schemaNode)
		for range g.IntN(4) {
			v := g.valueOf(item, wrong)
			if s["x-kubernetes-list-type"] != nil && wrong == 0 {
				for v == nil {
					v = g.valueOf(item, wrong)
				}
			}
			if m, ok := v.(schemaNode); ok && s["x-kubernetes-list-type"] == "map" {
				if wrong == 0 || !g.chance(wrong) {
					m["name"] = g.pick("x", "y", "z")
					if m["port"] == nil {
						delete(m, "port")
					}
				}
			}
			l = append(l, v)
		}
		return l
	case "object":
		m := schemaNode{}
		if properties, ok := s["properties"].(schemaNode); ok {
			for _, name := range sortedKeys(properties) {
				if g.chance(2) {
					m[name] = g.valueOf(properties[name].(schemaNode), wrong)
				}
			}
			if s["x-kubernetes-preserve-unknown-fields"] == true && g.chance(2) {
				m[g.pick("u", "v")] = g.anything(2)
			}
			if wrong > 0 && g.chance(wrong) {
				m["unknown"] = 1
			}
			return m
		}
		for range g.IntN(3) {
			name := g.pick("k", "l", "m")
			if other, ok := s["additionalProperties"].(schemaNode); ok {
				m[name] = g.valueOf(other, wrong)
			} else {
				m[name] = g.anything(2)
			}
		}
		return m
	}
	return g.anything(2)
}

func sortedKeys(m schemaNode) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// objectOf is an object of a root schema, without a null at the root and with
// some metadata.
func (g *gen) objectOf(s schemaNode, wrong int) schemaNode {
	m, ok := g.valueOf(s, 0).(schemaNode)
	for !ok {
		m, ok = g.valueOf(s, 0).(schemaNode)
	}
	if wrong > 0 {
		if bad, ok := g.valueOf(s, wrong).(schemaNode); ok {
			m = bad
		}
	}
	if g.chance(3) {
		m["metadata"] = g.valueOf(metaSchema, 0)
	}
	return m
}

// withoutDuplicates drops repeated items, as an applied configuration needs.
func withoutDuplicates(s schemaNode, v any) any {
	switch t := v.(type) {
	case []any:
		item, _ := s["items"].(schemaNode)
		seen := map[string]bool{}
		out := []any{}
		for _, e := range t {
			key := fmt.Sprint(len(out))
			if s["x-kubernetes-list-type"] == "set" {
				key = fmt.Sprint(e)
			} else if m, ok := e.(schemaNode); ok && s["x-kubernetes-list-type"] == "map" {
				key = ""
				for _, k := range s["x-kubernetes-list-map-keys"].([]any) {
					part, found := m[k.(string)]
					if !found {
						if properties, ok := item["properties"].(schemaNode); ok {
							p, _ := properties[k.(string)].(schemaNode)
							part = p["default"]
						}
					}
					key += fmt.Sprint(part, "|")
				}
			}
			if !seen[key] {
				seen[key] = true
				out = append(out, withoutDuplicates(item, e))
			}
		}
		return out
	case schemaNode:
		out := schemaNode{}
		properties, _ := s["properties"].(schemaNode)
		for k, e := range t {
			sub, ok := properties[k].(schemaNode)
			if !ok {
				sub, _ = s["additionalProperties"].(schemaNode)
			}
			if k == "metadata" && sub == nil {
				sub = metaSchema
			}
			out[k] = withoutDuplicates(sub, e)
		}
		return out
	}
	return v
}

// metaSchema is the part of ObjectMeta that is interesting.
var metaSchema = schemaNode{"type": "object", "properties": schemaNode{
	"name":   schemaNode{"type": "string", "default": ""},
	"labels": schemaNode{"type": "object", "additionalProperties": schemaNode{"type": "string"}},
	"finalizers": schemaNode{"type": "array", "items": schemaNode{"type": "string"},
		"x-kubernetes-list-type": "set"},
	"ownerReferences": schemaNode{"type": "array", "x-kubernetes-list-type": "map",
		"x-kubernetes-list-map-keys": []any{"uid"},
		"items": schemaNode{"type": "object", "x-kubernetes-map-type": "atomic",
			"properties": schemaNode{
				"uid":  schemaNode{"type": "string", "default": ""},
				"name": schemaNode{"type": "string", "default": ""}}}},
}}

// parseType makes the library's schema of a custom resource's.
func parseType(text string) typed.ParseableType {
	if text == "" {
		return typed.DeducedParseableType
	}
	root := &spec.Schema{}
	if err := json.Unmarshal([]byte(text), root); err != nil {
		panic(err)
	}
	meta := &spec.Schema{}
	if err := json.Unmarshal([]byte(plain(metaSchema)), meta); err != nil {
		panic(err)
	}
	root.SetProperty("metadata", *spec.RefSchema("#/components/schemas/ObjectMeta"))
	root.SetProperty("apiVersion", *spec.StringProperty())
	root.SetProperty("kind", *spec.StringProperty())
	schema, err := schemaconv.ToSchemaFromOpenAPI(map[string]*spec.Schema{
		"Root": root, "ObjectMeta": meta}, false)
	if err != nil {
		panic(err)
	}
	parser := typed.Parser{}
	parser.Schema.Types = schema.Types
	return parser.Type("Root")
}

func parseTyped(t typed.ParseableType, text string,
	options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	var tree any
	if err := kubejson.Unmarshal([]byte(text), &tree); err != nil {
		panic(err)
	}
	return t.FromUnstructured(tree, options...)
}

func typedCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		s := g.rootSchema()
		wrong := 0
		if g.chance(4) {
			wrong = 20
		}
		old := g.objectOf(s, 0)
		now := g.objectOf(s, wrong)
		if wrong == 0 {
			now = withoutDuplicates(s, now).(schemaNode)
		}
		set := g.fieldSet(3)
		if g.chance(2) {
			set = g.subset(s, old)
		}
		text := plain(s)
		if g.chance(10) {
			text = ""
		}
		return []string{text, plain(old), plain(now), set}
	})
}

// subset is FieldsV1 of some fields of an object.
func (g *gen) subset(s schemaNode, object schemaNode) string {
	tv, err := parseTyped(parseType(plain(s)), plain(object), typed.AllowDuplicates)
	if err != nil {
		return "{}"
	}
	set, err := tv.ToFieldSet()
	if err != nil {
		return "{}"
	}
	some := fieldpath.NewSet()
	set.Iterate(func(p fieldpath.Path) {
		if g.chance(2) {
			some.Insert(p.Copy())
		}
	})
	return setText(some)
}

func valueText(tv *typed.TypedValue) string {
	if tv == nil || tv.AsValue() == nil || tv.AsValue().IsNull() {
		return "null"
	}
	return plain(tv.AsValue().Unstructured())
}

func wantTyped(args []string) answer {
	t := parseType(args[0])
	set, err := parseSet(args[3])
	if err != nil {
		return values(err)
	}
	old, err := parseTyped(t, args[1], typed.AllowDuplicates)
	if err != nil {
		return values(err)
	}
	now, err := parseTyped(t, args[2])
	if err != nil {
		return values(err)
	}
	oldSet, err := old.ToFieldSet()
	if err != nil {
		return values(err)
	}
	nowSet, err := now.ToFieldSet()
	if err != nil {
		return values(err)
	}
	c, err := old.Compare(now)
	if err != nil {
		return values(err)
	}
	named := set.EnsureNamedFieldsAreMembers(t.Schema, t.TypeRef)
	reconciled, err := typed.ReconcileFieldSetWithSchema(set, old)
	if err != nil {
		return values(err)
	}
	if reconciled == nil {
		reconciled = set
	}
	merged, err := old.Merge(now)
	if err != nil {
		return values(err)
	}
	nothing, err := parseTyped(t, "{}")
	if err != nil {
		return values(err)
	}
	created, err := nothing.Compare(now)
	if err != nil {
		return values(err)
	}
	all := setText(created.Added.Union(created.Modified))
	removed := args[1]
	if removed != "{}" {
		removed = valueText(old.RemoveItems(set))
	}
	return values(nil, setText(oldSet), setText(nowSet), setText(c.Removed),
		setText(c.Modified), setText(c.Added), setText(named), setText(reconciled),
		valueText(merged), removed,
		valueText(old.ExtractItems(set, typed.WithAppendKeyFields())), all, all)
}

// Objects of built-in kinds, two of each.

var kindConverter = applyconfigurations.NewTypeConverter(scheme.Scheme)

func typedKindCases(g *gen) [][]string {
	var cases [][]string
	last := map[string]runtime.Object{}
	for _, object := range protobufObjects(g) {
		kind := object.GetObjectKind().GroupVersionKind()
		empty, _ := scheme.Scheme.New(kind)
		empty.GetObjectKind().SetGroupVersionKind(kind)
		if _, err := kindConverter.ObjectToTyped(empty); err != nil {
			continue // It cannot be applied.
		}
		if old := last[kind.String()]; old != nil {
			cases = append(cases, []string{canonical(old), canonical(object)})
		}
		last[kind.String()] = object
	}
	return cases
}

func kindTyped(text string) (tv, empty *typed.TypedValue, err error) {
	meta := metav1.TypeMeta{}
	json.Unmarshal([]byte(text), &meta)
	kind := meta.GroupVersionKind()
	object, _ := scheme.Scheme.New(kind)
	zero, _ := scheme.Scheme.New(kind)
	if err := json.Unmarshal([]byte(text), object); err != nil {
		panic(err)
	}
	zero.GetObjectKind().SetGroupVersionKind(kind)
	if tv, err = kindConverter.ObjectToTyped(object, typed.AllowDuplicates); err != nil {
		return nil, nil, err
	}
	empty, err = kindConverter.ObjectToTyped(zero)
	return tv, empty, err
}

func wantTypedKinds(args []string) answer {
	old, _, err := kindTyped(args[0])
	if err != nil {
		return values(err)
	}
	now, empty, err := kindTyped(args[1])
	if err != nil {
		return values(err)
	}
	created, err := empty.Compare(now)
	if err != nil {
		return values(err)
	}
	c, err := old.Compare(now)
	if err != nil {
		return values(err)
	}
	fields, err := old.ToFieldSet()
	if err != nil {
		return values(err)
	}
	set := created.Added.Union(created.Modified)
	return values(nil, setText(set), setText(c.Removed), setText(c.Modified),
		setText(c.Added), setText(fields))
}

// Managers that write one object in turn.

type storyStep struct {
	Op      string     `json:"op"`
	Manager string     `json:"manager"`
	Version string     `json:"version"`
	Object  schemaNode `json:"object"`
	Force   bool       `json:"force"`
}

func storyCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		s := g.rootSchema()
		var steps []storyStep
		versions := []string{"v1"}
		if g.chance(2) {
			versions = append(versions, "v2")
		}
		last := map[string]schemaNode{}
		for range 2 + g.IntN(6) {
			step := storyStep{Op: "apply", Manager: g.pick("m1", "m2", "m3"),
				Version: g.pick(versions...), Object: g.objectOf(s, 0),
				Force: g.chance(2)}
			if g.chance(3) {
				step.Op, step.Manager = "update", g.pick("u1", "u2")
			}
			if step.Op == "apply" && !g.chance(10) {
				step.Object = withoutDuplicates(s, step.Object).(schemaNode)
			}
			if old := last[step.Manager]; old != nil && g.chance(3) {
				step.Object = old
			} else if old != nil && g.chance(2) {
				less := schemaNode{}
				for _, k := range sortedKeys(old) {
					if !g.chance(3) {
						less[k] = old[k]
					}
				}
				step.Object = less
			}
			last[step.Manager] = step.Object
			steps = append(steps, step)
		}
		text := plain(s)
		if g.chance(10) {
			text = ""
		}
		ignored := "{}"
		if g.chance(4) {
			ignored = g.pick(`{"f:a":{}}`, `{"f:p":{"f:a":{}}}`, `{"f:metadata":{"f:labels":{}}}`)
		}
		return []string{text, ignored, plain(steps)}
	})
}

var errGone = errors.New("gone")

type storyConverter struct {
	t typed.ParseableType
}

// Convert reads the version of an object from its apiVersion.
func (c *storyConverter) Convert(o *typed.TypedValue,
	version fieldpath.APIVersion) (*typed.TypedValue, error) {
	return c.convert(o, string(version))
}

func (c *storyConverter) IsMissingVersionError(err error) bool {
	return errors.Is(err, errGone)
}

func (c *storyConverter) convert(o *typed.TypedValue, version string) (*typed.TypedValue, error) {
	if version == "gone" {
		return o, errGone
	}
	m, ok := o.AsValue().Unstructured().(schemaNode)
	if !ok {
		return o, errors.New("no object")
	}
	if m["apiVersion"] == version {
		return o, nil
	}
	out := schemaNode{}
	for k, v := range m {
		switch k {
		case "p":
			out["q"] = v
		case "q":
			out["p"] = v
		default:
			out[k] = v
		}
	}
	out["apiVersion"] = version
	return c.t.FromUnstructured(out, typed.AllowDuplicates)
}

// The apiVersion is nobody's, as on a server.
var apiVersionSet = fieldpath.NewSet(fieldpath.MakePathOrDie("apiVersion"))

func wantStory(args []string) answer {
	t := parseType(args[0])
	ignored, err := parseSet(args[1])
	if err != nil {
		return values(err)
	}
	ignored = ignored.Union(apiVersionSet)
	var steps []storyStep
	if err := kubejson.Unmarshal([]byte(args[2]), &steps); err != nil {
		panic(err)
	}
	c := &storyConverter{t: t}
	u := (&merge.UpdaterBuilder{Converter: c, IgnoreFilter: map[fieldpath.APIVersion]fieldpath.Filter{
		"v1": fieldpath.NewExcludeSetFilter(ignored),
		"v2": fieldpath.NewExcludeSetFilter(ignored)}}).BuildUpdater()
	live, err := t.FromUnstructured(schemaNode{"apiVersion": "v1"})
	if err != nil {
		panic(err)
	}
	managers := fieldpath.ManagedFields{}
	out := []any{}
	for _, step := range steps {
		now, err := c.convert(live, step.Version)
		var object *typed.TypedValue
		if err == nil {
			step.Object["apiVersion"] = step.Version
			if step.Op == "apply" {
				object, err = t.FromUnstructured(step.Object)
			} else {
				object, err = t.FromUnstructured(step.Object, typed.AllowDuplicates)
			}
		}
		if err != nil {
			out = append(out, "invalid")
			continue
		}
		version := fieldpath.APIVersion(step.Version)
		var result *typed.TypedValue
		var next fieldpath.ManagedFields
		if step.Op == "apply" {
			result, next, err = u.Apply(now, object, version, managers.Copy(), step.Manager, step.Force)
			if err == nil && result == nil {
				result = now
			}
		} else {
			result, next, err = u.Update(now, object, version, managers.Copy(), step.Manager)
		}
		var conflicts merge.Conflicts
		if errors.As(err, &conflicts) {
			sort.SliceStable(conflicts, func(i, j int) bool {
				return conflicts[i].Manager < conflicts[j].Manager
			})
			text := ""
			for _, one := range conflicts {
				text += one.Manager + " " + one.Path.String() + "\n"
			}
			out = append(out, text)
			continue
		} else if err != nil {
			out = append(out, "failed")
			continue
		}
		live, managers = result, fieldpath.ManagedFields{}
		text := ""
		var names []string
		for name := range next {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			// What a server stores comes back from JSON.
			set, err := parseSet(setText(next[name].Set()))
			if err != nil {
				panic(err)
			}
			managers[name] = fieldpath.NewVersionedSet(set, next[name].APIVersion(),
				next[name].Applied())
			operation := "Update"
			if next[name].Applied() {
				operation = "Apply"
			}
			text += fmt.Sprintf("%s %s %s %s\n", name, next[name].APIVersion(), operation, setText(set))
		}
		shown := schemaNode{}
		if m, ok := live.AsValue().Unstructured().(schemaNode); ok {
			for k, v := range m {
				if k != "apiVersion" {
					shown[k] = v
				}
			}
		}
		out = append(out, text, plain(shown))
	}
	return values(nil, out...)
}
