package main

import (
	"encoding/json"
	"strings"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

var yamlOps = []op{
	{name: "yaml_to_json", cases: yamlCases, want: wantYAMLToJSON,
		rules: yamlRules},
	{name: "json_to_yaml", cases: jsonToYAMLCases, want: wantJSONToYAML,
		rules: append([]rule{unprintable}, jsonRules...)},
}

var yamlRules = []rule{
	// libyaml's messages are not those of its descendant in Go, and ours
	// name the line also where that has none.
	{"messages are libyaml's", func(args []string, want, got answer) bool {
		return want.Error != "" && got.Error != ""
	}},
	{"repeated members that are dropped are read all the same",
		func(args []string, want, got answer) bool {
			_, err := yaml.YAMLToJSONStrict([]byte(args[0]))
			return got.Error != "" && err != nil &&
				strings.Contains(err.Error(), "already set in map")
		}},
	// 1 and "1" are two keys in YAML and one in JSON.
	{"of keys that are equal as strings Go lets chance pick one",
		func(args []string, want, got answer) bool {
			for range 50 {
				if equal(wantYAMLToJSON(args), got) {
					return true
				}
			}
			return false
		}},
	{"libyaml differs on odd texts",
		func(args []string, want, got answer) bool {
			text := strings.TrimPrefix(args[0], "\ufeff")
			for _, odd := range []struct{ text, want, got string }{
				{`\`, "unknown escape character", ""},
				{`\`, "", "unknown escape character"},
				{"!", "", "did not find expected whitespace or line break"},
				{"!", "", "did not find expected tag URI"},
				{"?", "did not find expected ',' or", ""},
				{":", "", "found unexpected ':'"},
				{"\ufeff", "", ""},
			} {
				if strings.Contains(text, odd.text) &&
					strings.Contains(want.Message, odd.want) &&
					strings.Contains(got.Message, odd.got) {
					return true
				}
			}
			return false
		}},
	{"Go does not read on behind a list or map",
		func(args []string, want, got answer) bool {
			return want.Error == "" && got.Error == "ESYNTAX" &&
				strings.IndexAny(strings.TrimSpace(args[0]), "[{") == 0
		}},
}

// What kubectl prints it reads with its YAML library first, which does not
// take the character DEL and makes a blank of U+0085.
var unprintable = rule{"control characters are printed as escapes",
	func(args []string, want, got answer) bool {
		return got.Error == "" && (strings.HasSuffix(want.Message,
			"control characters are not allowed") ||
			strings.Contains(args[0], "\u0085") ||
			strings.Contains(args[0], `\u0085`))
	}}

// yamlScalars are what plain scalars and their resolution trip over.
var yamlScalars = []string{"", "~", "null", "Null", "NULL", "nULL", "true",
	"True", "TRUE", "tRUE", "false", "yes", "Yes", "YES", "no", "on", "On",
	"off", "OFF", "y", "Y", "n", "N", "0", "-0", "+0", "1", "+1", "-1", "01",
	"017", "-017", "08", "0o17", "0O17", "0x1F", "-0x1f", "0X1f", "0b101",
	"-0b101", "0B1", "1_000", "1__0", "_1", "1_", "0x_1", "1.5", "1.", ".5",
	"-.5", "+.5", ".", "..", "1.5.2", "1e3", "1E3", "1e+3", "1e", "1.5e3",
	"1e400", "-1e400", "1e-400", ".inf", "-.inf", "+.inf", ".Inf", ".INF",
	"inf", ".nan", ".NaN", "nan", "9223372036854775807",
	"9223372036854775808", "18446744073709551615", "18446744073709551616",
	"-9223372036854775808", "-9223372036854775809", "1:30", "12:30:45",
	"190:20:30.15", "2026-01-31", "2026-01-31T12:00:00Z",
	"2026-01-31 12:00:00", "2026-1-1", "<<", "=", "!", "a", "a b", "a:b",
	"a: b", "a #b", "a#b", "#", "-", "- a", "?", "? a", ":", ": a", "@a",
	"`a", "%a", "&a", "*a", "&a b", "!!str 1", "!!int 1", "!!int a",
	"!!float 1", "!!bool yes", "!!null x", "!!binary aGk=", "!!binary x",
	"!foo 1", "! 1", "!!str", "'a'", "'it''s'", "'", "\"a\"", "\"\\n\"",
	"\"\\x41\\u00e9\\U0001F600\"", "\"\\q\"", "\"\\ud83d\\ude00\"",
	"[]", "{}", "[a, b]", "[a,, b]", "[a", "{a: b}", "{a}", "{a: }",
	"{a: b, a: c}", "[a: b]", "{a:b}", "{\"a\":b}", "é", "\u00a0", "😀",
	"a\tb", "\ta", "a\t", "|", "|\n  a\n  b\n", ">\n  a\n  b\n\n  c\n",
	"|-\n  a\n", "|+\n  a\n\n", "|2\n   a\n", ">-\n  a\n   b\n  c\n",
	"1.0", "100", "1e0", "0.1", "1e21", "123456789012345678901234567890",
	"0.", "-", "--- a", "...", "0777", "0o8", "1e03", "+1e3", "-1E-3", "0_1",
	"0b", "0x", "1,000", "true ", "True1", "-.INF", "\"1\"", "'true'"}

func yamlCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range yamlScalars {
		for _, around := range []string{"%", "a: %", "- %", "a: %\nb: 1",
			"%: a", "- - %", "[%]", "{a: %}", "? %\n: a"} {
			cases = append(cases, []string{strings.Replace(around, "%", s, 1)})
		}
	}
	cases = append(cases, each("a: &x 1\nb: *x", "a: &x {b: 1}\nc: *x",
		"a: &x [1]\nb: *x", "a: *x", "a: &x\n  b: *x", "&x [*x]",
		"a: &x {b: 1}\nc:\n  <<: *x\n  d: 2",
		"a: &x {b: 1}\nc:\n  b: 3\n  <<: *x",
		"a: &x {b: 1}\ne: &y {b: 2, f: 3}\nc:\n  <<: [*x, *y]",
		"c:\n  <<: {a: 1}", "c:\n  <<: 1", "<<: {a: 1}\na: 2",
		"a: 1\na: 2", "1: a\n\"1\": b", "1: a", "1.5: a", "true: a",
		"null: a", "~: a", "[a]: b", "{a: b}: c", "? [a]\n: b", "? a",
		"2026-01-31: a", "0x10: a", "1e3: a", "yes: a", "- a\n- b\n-",
		"-a", "a:\n- b\n- c", "a:\n  - b\n  - c", "a:\n - b\n  - c",
		"a:\n  b: 1\n c: 2", "a: b: c", "a: 'b' c", "a: \"b\" c",
		"a:\n\tb: 1", "\ta: 1", "a: 1\n\tb: 2", "# only", "---", "--- ",
		"---\n---\na: 1", "a: 1\n---\nb: 2", "a: 1\n...\nb: 2",
		"%YAML 1.1\n---\na: 1", "%YAML 1.2\n---\na: 1",
		"%YAML 2.0\n---\na: 1", "%FOO\n---\na: 1",
		"%TAG ! tag:x,2000:\n---\na: !b c", "\xef\xbb\xbfa: 1",
		"a: 1\r\nb: 2\r\n", "a: 1\rb: 2", "a: \x00", "a: \x07", "a: \x7f",
		"a: \xff", "a: \xc3", "a: \u0085b", "a: \u2028b", "a:\n\n\nb: 1",
		"a: |\n  x\n   y\n z", "a: |\n\n\n  x\n", "a: >\n\n  x\n\n\n  y\n",
		"a: \"x\n  y\"", "a: 'x\n\n  y'", "a: x\n  y\n\n  z", "a: [1,\n2]",
		"a: [1,\n  2", "{a: 1,\n b: 2}", "a: !!set {b, c}",
		"a: !!omap [b: 1]", "!!map {a: 1}", "!!seq [a]", "!!map [a]",
		"a: !!binary \"aGVs\\n bG8=\"", "a: &x", "a: &x\nb: *x",
		"'a': 1", "\"a b\": 1", "a : 1", "a  :  1", "? a\n? b",
		"a: {b: [c, {d: e}]}", strings.Repeat("[", 500)+
			strings.Repeat("]", 500), strings.Repeat("- ", 100)+"a")...)
	return g.random(cases, func() []string {
		if g.chance(2) {
			text, err := yaml.JSONToYAML([]byte(g.json(3)))
			if err == nil {
				return []string{g.spoil(2, string(text))}
			}
		}
		return []string{g.spoil(6, g.yaml(0))}
	})
}

// yaml is a block of YAML, indented by 'indent' columns.
func (g *gen) yaml(indent int) string {
	space := strings.Repeat(" ", indent)
	var b strings.Builder
	list := g.chance(3)
	for range 1 + g.IntN(3) {
		b.WriteString(space)
		if list {
			b.WriteString("-")
		} else {
			b.WriteString(g.pick("a", "b", "c", "1", "true", "'d'", "e f") +
				":")
		}
		if indent < 6 && g.chance(3) {
			b.WriteString("\n" + g.yaml(indent+2))
			continue
		}
		b.WriteString(" " + g.pick("", "", "", "# x\n"+space+"  ", "&x ",
			"!!str ") + g.pick(yamlScalars...) + "\n")
	}
	return b.String()
}

func wantYAMLToJSON(args []string) answer {
	return document(yaml.YAMLToJSON([]byte(args[0])))
}

func jsonToYAMLCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range yamlScalars {
		cases = append(cases, []string{goJSON(s)},
			[]string{goJSON([]any{s})}, []string{goJSON(map[string]any{
				s: s, "k": map[string]any{s: []any{s, s}}})})
	}
	cases = append(cases, each(`"a\nb"`, `"a\nb\n"`, `"a\n\n"`, `"\na"`,
		`" a\nb"`, `"a \nb"`, `"a\n b"`, `"a\tb\nc"`, `"\ta"`, `"a\r\nb"`,
		`"\u0000"`, `"\u0007"`, `"\u007f"`, `"\u0085"`, `"\u00a0"`,
		`"\u2028"`, `"\ufeff"`, `"a\ufeffb"`, `"\ufffe"`, `" "`, `"  a"`,
		`"a "`, `"a: b"`, `"a:"`, `"- a"`, `{"a":{"b":{}}}`, `{"a":[[1,[2]]]}`,
		`[[]]`, `[{}]`, `[{"a":1,"b":[{"c":2}]}]`, `{"":""}`, `1.0`, `1e2`,
		`1e21`, `1e-7`, `-0.0`, `1e400`, `null`, `[null]`,
		`{"b":1,"a":2,"a10":3,"a9":4,"A":5,"a-1":6,"a_1":7}`,
		`{"1":1,"10":2,"9":3,"a1":4,"a01":5}`,
		goJSON(strings.Repeat("word ", 60)),
		goJSON(strings.Repeat("x", 200)), goJSON("a\n"+
			strings.Repeat("word ", 60)),
		goJSON(map[string]any{strings.Repeat("k", 130): 1,
			strings.Repeat("k ", 70): []any{1}}))...)
	return g.random(cases, func() []string {
		var v any
		err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(g.json(4)), &v)
		if err != nil {
			v = err.Error()
		}
		return []string{goJSON(v)}
	})
}

func wantJSONToYAML(args []string) answer {
	text, err := yaml.JSONToYAML([]byte(args[0]))
	return values(err, string(text))
}

// goJSON is JSON as Go writes it.  The library reads it as if it were YAML,
// which other JSON is not always.
func goJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
