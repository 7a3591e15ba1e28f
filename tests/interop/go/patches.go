package main

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kjson "sigs.k8s.io/json"
)

var patchOps = []op{
	{name: "json_patch", cases: jsonPatchCases, want: wantJSONPatch,
		rules: []rule{escapedTest, absentValue, wrapsNothing, panics}},
	{name: "merge_patch", cases: mergePatchCases, want: wantMergePatch},
	{name: "merge_diff", cases: mergeDiffCases, want: wantMergeDiff,
		rules: []rule{largeIntegers}},
}

// The library compares the bytes of strings, so that a patch fails or not
// with how an encoder spelled them.
var escapedTest = rule{"strings are equal however they are escaped",
	func(args []string, want, got answer) bool {
		return strings.Contains(want.Message, "test failed") &&
			got.Error == "" && strings.Contains(args[0]+args[1], `\`)
	}}

// A null that the patch itself has set is not the library's other null, the
// absent value of a test.
var absentValue = rule{"an absent value is null",
	func(args []string, want, got answer) bool {
		var operations []map[string]any
		json.Unmarshal([]byte(args[1]), &operations)
		for _, o := range operations {
			_, found := o["value"]
			if o["op"] == "test" && !found {
				return strings.HasSuffix(want.Message, "test failed")
			}
		}
		return false
	}}

// The library wraps an error that it does not have.
var wrapsNothing = rule{"no error is wrapped",
	func(args []string, want, got answer) bool {
		return want.Message == got.Message+": %!w(<nil>)"
	}}

var panics = rule{"the library panics",
	func(args []string, want, got answer) bool {
		return want.Error == "panic" && got.Error != ""
	}}

// The library reads all numbers as doubles.
var largeIntegers = rule{"large integers keep their digits",
	func(args []string, want, got answer) bool {
		var a, b any
		return want.Error == "" && got.Error == "" &&
			json.Unmarshal([]byte(want.Out[0]), &a) == nil &&
			json.Unmarshal([]byte(got.Out[0]), &b) == nil &&
			canonical(a) == canonical(b)
	}}

// document is a JSON object of few names, so that patches meet them.
func (g *gen) document(depth int) string {
	return "{" + g.members(depth) + "}"
}

func (g *gen) members(depth int) string {
	var members []string
	for _, name := range []string{"a", "b", "c", "a/b", "~", "", "0"} {
		if g.chance(2) {
			members = append(members, `"`+name+`":`+g.value(depth))
		}
	}
	return strings.Join(members, ",")
}

func (g *gen) value(depth int) string {
	if depth > 0 && g.chance(2) {
		if g.chance(2) {
			return g.document(depth - 1)
		}
		return "[" + g.join(4, ",", func() string {
			return g.value(depth - 1)
		}) + "]"
	}
	return g.pick("null", "0", "1", "1.0", "1e0", "2", "-1", "true", "false",
		`""`, `"a"`, `"b"`, `"é"`, "[]", "{}", "9007199254740993")
}

func jsonPatchCases(g *gen) [][]string {
	const doc = `{"a":{"b":[1,2,3],"c":null},"d":"x","":1,"a/b":2,"~":3}`
	cases := [][]string{}
	for _, patch := range []string{"", "[]", "{}", "null", "1", `"a"`, "[null]",
		"[1]", "[[]]", "[{}]", `[{"op":"add"}]`, `[{"path":"/a"}]`,
		`[{"op":1,"path":"/a"}]`, `[{"op":"add","path":1,"value":1}]`,
		`[{"op":null,"path":"/a"}]`, `[{"op":"add","path":null,"value":1}]`,
		`[{"op":"nope","path":"/a"}]`, `[{"op":"ADD","path":"/z","value":1}]`,
		`[{"op":"add","path":"/z"}]`, `[{"op":"add","path":"","value":{}}]`,
		`[{"op":"add","path":"z","value":1}]`,
		`[{"op":"add","path":"x/z","value":1}]`,
		`[{"op":"add","path":"/","value":9}]`,
		`[{"op":"add","path":"/z/y","value":1}]`,
		`[{"op":"add","path":"/d/y","value":1}]`,
		`[{"op":"add","path":"/a/c/y","value":1}]`,
		`[{"op":"add","path":"/a/b/-","value":4}]`,
		`[{"op":"add","path":"/a/b/3","value":4}]`,
		`[{"op":"add","path":"/a/b/4","value":4}]`,
		`[{"op":"add","path":"/a/b/-1","value":4}]`,
		`[{"op":"add","path":"/a/b/-4","value":4}]`,
		`[{"op":"add","path":"/a/b/-5","value":4}]`,
		`[{"op":"add","path":"/a/b/01","value":4}]`,
		`[{"op":"add","path":"/a/b/+1","value":4}]`,
		`[{"op":"add","path":"/a/b/1e0","value":4}]`,
		`[{"op":"add","path":"/a/b/x","value":4}]`,
		`[{"op":"add","path":"/a/b/","value":4}]`,
		`[{"op":"add","path":"/a/b/99999999999999999999","value":4}]`,
		`[{"op":"remove","path":"/a/b/0"}]`,
		`[{"op":"remove","path":"/a/b/-"}]`,
		`[{"op":"remove","path":"/a/b/-1"}]`,
		`[{"op":"remove","path":"/a/b/-4"}]`,
		`[{"op":"remove","path":"/a/b/3"}]`,
		`[{"op":"remove","path":"/a/b/x"}]`, `[{"op":"remove","path":"/z"}]`,
		`[{"op":"remove","path":""}]`, `[{"op":"remove","path":"/z/y"}]`,
		`[{"op":"remove","path":"/a/c"}]`,
		`[{"op":"replace","path":"/z","value":1}]`,
		`[{"op":"replace","path":"","value":{"n":1}}]`,
		`[{"op":"replace","path":"","value":[1]}]`,
		`[{"op":"replace","path":"","value":1}]`,
		`[{"op":"replace","path":"","value":null}]`,
		`[{"op":"replace","path":""}]`, `[{"op":"replace","path":"/a"}]`,
		`[{"op":"replace","path":"/a/b/9","value":1}]`,
		`[{"op":"replace","path":"/a/b/-1","value":9}]`,
		`[{"op":"replace","path":"/a/b/-","value":9}]`,
		`[{"op":"move","path":"/z","from":"/a"}]`,
		`[{"op":"move","path":"/a/z","from":"/a"}]`,
		`[{"op":"move","path":"/z","from":"/y"}]`,
		`[{"op":"move","path":"/z"}]`, `[{"op":"move","from":"/a"}]`,
		`[{"op":"move","path":"/a/b/0","from":"/a/b/2"}]`,
		`[{"op":"move","path":"","from":"/a"}]`,
		`[{"op":"move","path":"/z","from":""}]`,
		`[{"op":"copy","path":"/z","from":"/a"},{"op":"remove","path":"/a/b"}]`,
		`[{"op":"copy","path":"/z","from":"/y"}]`,
		`[{"op":"copy","path":"/z","from":""}]`,
		`[{"op":"copy","path":"/a/b/0","from":"/a/b/9"}]`,
		`[{"op":"copy","path":"/a/b/-","from":"/a/c"}]`,
		`[{"op":"copy","path":"/z","from":"/a/c"}]`,
		`[{"op":"test","path":"/d","value":"x"}]`,
		`[{"op":"test","path":"/d","value":"y"}]`,
		`[{"op":"test","path":"/d","value":"\u0078"}]`,
		`[{"op":"test","path":"/d"}]`, `[{"op":"test","path":"/z"}]`,
		`[{"op":"test","path":"/z","value":null}]`,
		`[{"op":"test","path":"/z/y","value":null}]`,
		`[{"op":"test","path":"/z","value":1}]`,
		`[{"op":"test","path":"/a/c","value":null}]`,
		`[{"op":"test","path":"/a/c"}]`,
		`[{"op":"test","path":"/a/c","value":1}]`,
		`[{"op":"test","path":"/a/b","value":[1,2,3]}]`,
		`[{"op":"test","path":"/a/b","value":[1, 2,3.0]}]`,
		`[{"op":"test","path":"/a","value":{"c":null,"b":[1,2,3]}}]`,
		`[{"op":"test","path":"/a","value":{"b":[1,2,3]}}]`,
		`[{"op":"test","path":"/a/b/0","value":1.0}]`,
		`[{"op":"test","path":"/a/b/9","value":1}]`,
		`[{"op":"test","path":"/a/b/-1","value":3}]`,
		`[{"op":"test","path":"","value":` + doc + `}]`,
		`[{"op":"test","path":"","value":{}}]`,
		`[{"op":"test","path":"/a~1b","value":2}]`,
		`[{"op":"test","path":"/~0","value":3}]`,
		`[{"op":"test","path":"/~","value":3}]`,
		`[{"op":"test","path":"/~2","value":3}]`,
		`[{"op":"test","path":"/","value":1}]`,
		`[{"op":"add","path":"/z","value":1,"value":2}]`,
		`[{"op":"add","op":"remove","path":"/a"}]`,
		`[{"op":"add","path":"/z","value":1,"x":1}]`, `[{"op":"add",`} {
		cases = append(cases, []string{doc, patch})
	}
	return g.random(cases, func() []string {
		return []string{g.document(3), "[" + g.join(3, ",", g.operation) + "]"}
	})
}

func (g *gen) pointer() string {
	return g.pick("/", "/", "/", "", "x/") + g.join(3, "/", func() string {
		return g.pick("a", "b", "c", "a~1b", "~0", "~", "", "0", "1", "2",
			"-", "-1", "-2", "01", "+1", "z")
	})
}

func (g *gen) operation() string {
	s := `{"op":"` + g.pick("add", "add", "remove", "replace", "move", "copy",
		"test", "test", "x") + `"`
	if !g.chance(20) {
		s += `,"path":"` + g.pointer() + `"`
	}
	if !g.chance(3) {
		s += `,"from":"` + g.pointer() + `"`
	}
	if !g.chance(5) {
		s += `,"value":` + g.value(2)
	}
	return s + "}"
}

func wantJSONPatch(args []string) answer {
	patch, err := jsonpatch.DecodePatch([]byte(args[1]))
	if err != nil {
		return values(err)
	}
	return document(patch.Apply([]byte(args[0])))
}

// document is the answer of a function that gives JSON, in canonical form.
func document(text []byte, err error) answer {
	if err != nil {
		return values(err)
	}
	return wantJSON([]string{string(text)})
}

func mergePatchCases(g *gen) [][]string {
	cases := [][]string{}
	for _, pair := range [][]string{{`{"a":"b"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`}, {`{"a":"b"}`, `{"a":null}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`}, {`{"a":["b"]}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`}, {`{"e":null}`, `{"a":1}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`}, {`{"a":"foo"}`, `null`},
		{`{"a":"foo"}`, `"bar"`}, {`{"a":"foo"}`, `[1]`}, {`{}`, `1`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`}, {`{}`, `{"a":[{"b":null}]}`},
		{`{"a":{}}`, `{"a":[{"b":null}]}`}, {`{"a":[]}`, `{"a":[{"b":null}]}`},
		{`{"a":1}`, `{"a":[null,{"b":null,"c":[{"d":null}]}]}`},
		{`{"a":null}`, `{"a":{"b":null}}`}, {`{}`, ``}, {`{}`, `{`},
		{`{}`, `{"a":1,"a":2}`}, {`{"a":1,"a":2}`, `{}`}} {
		cases = append(cases, pair)
	}
	return g.random(cases, func() []string {
		return []string{g.document(3), g.document(3)}
	})
}

// wantMergePatch does what the API server does: it decodes the patch first.
func wantMergePatch(args []string) answer {
	v := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(args[1]),
		&v); err != nil && json.Valid([]byte(args[1])) {
		return values(fmt.Errorf("error decoding patch: %w", err))
	} else if err != nil {
		return values(err)
	}
	return document(jsonpatch.MergePatch([]byte(args[0]), []byte(args[1])))
}

func mergeDiffCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		doc := g.document(3)
		if g.chance(4) {
			return []string{doc, doc}
		}
		return []string{doc, g.document(3)}
	})
}

func wantMergeDiff(args []string) answer {
	return document(jsonpatch.CreateMergePatch([]byte(args[0]),
		[]byte(args[1])))
}
