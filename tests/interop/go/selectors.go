package main

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

var selectorOps = []op{
	{name: "label_selector", cases: labelSelectorCases,
		want: wantLabelSelector},
	{name: "label_selector_object", cases: objectSelectorCases,
		want: wantObjectSelector, rules: []rule{escapedForWeb}},
	{name: "field_selector", cases: fieldSelectorCases,
		want: wantFieldSelector},
}

// The library writes lists of values into messages as JSON, in which Go
// escapes what could be markup.
var escapedForWeb = rule{"messages are not escaped for web pages",
	func(args []string, want, got answer) bool {
		r := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">",
			`\u2028`, "\u2028")
		return r.Replace(want.Message) == r.Replace(got.Message)
	}}

func (g *gen) label() string {
	return g.pick("a", "b", "c", "x.y/a", "in", "notin", "n")
}

func (g *gen) labelValue() string {
	return g.pick("a", "b", "c", "", "1", "5", "10", "-5", "in", "notin",
		"x.y_z")
}

func (g *gen) labels(key, value func() string) string {
	m := map[string]string{}
	for range g.IntN(5) {
		m[key()] = value()
	}
	text, _ := json.Marshal(m)
	return string(text)
}

func labelSelectorCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range []string{"", " ", ",", ",,", "a", "!a", "! a", "!!a",
		"a=", "a==", "a!=", "a=b", "a==b", "a!=b", "a = b", "a=b,c=d",
		"a=b,a=c", "a=b,", ",a=b", "a,b,c", "c,b,a", "a in (b)", "a in(b)",
		"a in ()", "a in (,)", "a in (b,)", "a in (,b)", "a in (b,c,b)",
		"a in (c,b)", "a in b", "a in (b", "a in", "a in )", "a in ((b))",
		"a notin (b)", "a notin (b,c)", "a notin ()", "a notin", "in",
		"notin", "in in (in)", "in=notin", "a=in", "a=(b)", "a>1", "a<1",
		"a>-1", "a>x", "a>", "a<", "a>1,a<5", "a>=1", "a=<1", "a>1.5",
		"a>9223372036854775807", "a>9223372036854775808", "a=b=c", "a b",
		"a!b", "a!", "!a=b", "!a in (b)", "=b", "==", "!=", "a=!b", "a-=b",
		"-a=b", "a/b/c=d", "/a=b", "a/=b", "A.b/C=d", "a=-b", "a=b c",
		"é=b", "a=é", "a=\xff", "\x00", "a=b\x00", "a\t=\nb\r", "a,!a",
		"a in (b) c", "(a)", "a)", "a,(b)", "a=b;c=d", "a in (b c)",
		"a in (\"b\")", strings.Repeat("a", 64) + "=b",
		"a=" + strings.Repeat("b", 64), "a in (" + strings.Repeat("b", 64) +
			")", "a in (-,_,b)", "x=,z= ", "x= ,z= ", "!x=a",
		"x in (a,,b)", "x in (a, ,b)", "x notin (,),y"} {
		cases = append(cases, []string{s, `{"a":"b","n":"5"}`, "a"},
			[]string{s, `{}`, "a"})
	}
	return g.random(cases, func() []string {
		// Up to twelve are sorted in a stable manner by Go.
		s := g.join(5, ",", func() string {
			list := func() string {
				return "(" + g.join(4, g.pick(",", ",", ", "), g.labelValue) +
					")"
			}
			space := g.pick("", "", " ")
			return space + g.pick(g.label(), "!"+g.label(),
				g.label()+space+g.pick("=", "==", "!=", ">", "<")+space+
					g.labelValue(),
				g.label()+" "+g.pick("in", "notin")+" "+list())
		})
		return []string{g.spoil(5, s), g.labels(g.label, g.labelValue),
			g.label()}
	})
}

func wantLabelSelector(args []string) answer {
	selector, err := labels.Parse(args[0])
	return selectorAnswer(selector, err, args)
}

func selectorAnswer(selector labels.Selector, err error,
	args []string) answer {
	if err != nil {
		return values(err)
	}
	set := labels.Set{}
	json.Unmarshal([]byte(args[1]), &set)
	value, found := selector.RequiresExactMatch(args[2])
	return values(nil, selector.String(), selector.Matches(set), found, value)
}

func objectSelectorCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range []string{"null", "{}", `{"matchLabels":null}`,
		`{"matchLabels":{}}`, `{"matchLabels":{"a":"b"}}`,
		`{"matchLabels":{"a":""}}`, `{"matchLabels":{"-":"b"}}`,
		`{"matchLabels":{"a":"-"}}`, `{"matchExpressions":[]}`,
		`{"matchExpressions":null}`, `{"matchExpressions":[{}]}`,
		`{"matchExpressions":[{"key":"a"}]}`,
		`{"matchExpressions":[{"key":"a","operator":"In"}]}`,
		`{"matchExpressions":[{"key":"a","operator":"in","values":["b"]}]}`,
		`{"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]}`,
		`{"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}]}`,
		`{"matchExpressions":[{"key":"-","operator":"Exists"}]}`} {
		cases = append(cases, []string{s, `{"a":"b"}`, "a"})
	}
	return g.random(cases, func() []string {
		s := metav1.LabelSelector{}
		if g.chance(2) {
			s.MatchLabels = map[string]string{}
			for range g.IntN(3) {
				s.MatchLabels[g.label()] = g.pick("a", "b", "", "1")
			}
			// Of several bad ones Go reports any, so there is one at most.
			if g.chance(10) {
				s.MatchLabels = map[string]string{
					g.pick("-", "a/", "a"): g.pick("b", "-", "é")}
			}
		}
		for range g.IntN(4) {
			e := metav1.LabelSelectorRequirement{Key: g.label(),
				Operator: metav1.LabelSelectorOperator(g.pick("In", "NotIn",
					"Exists", "DoesNotExist"))}
			if strings.Contains(string(e.Operator), "In") != g.chance(20) {
				for range g.IntN(3) {
					e.Values = append(e.Values, g.labelValue())
				}
			}
			if g.chance(20) {
				e.Values = append(e.Values, g.pick(junk...))
			}
			if g.chance(20) {
				e.Key = g.pick(junk...)
			}
			if g.chance(30) {
				e.Operator = metav1.LabelSelectorOperator(g.pick(junk...))
			}
			s.MatchExpressions = append(s.MatchExpressions, e)
		}
		text, _ := json.Marshal(s)
		return []string{string(text), g.labels(g.label, g.labelValue),
			g.label()}
	})
}

func wantObjectSelector(args []string) answer {
	var s *metav1.LabelSelector
	if err := json.Unmarshal([]byte(args[0]), &s); err != nil {
		return values(err)
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	return selectorAnswer(selector, err, args)
}

func (g *gen) field() string {
	return g.pick("metadata.name", "metadata.namespace", "status.phase", "a",
		"b")
}

func (g *gen) fieldValue() string {
	return g.pick("a", "b", "", "Running", "a,b", "a=b", `a\b`, "é", "a b")
}

func fieldSelectorCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range []string{"", " ", ",", ",,", "a", "a=", "a==", "a!=",
		"=", "==", "!=", "=b", "!=b", "a=b", "a==b", "a!=b", "a = b",
		"a=b,c=d", "a=b,", ",a=b", "a=b,,c=d", "b=1,a=1", "a=b=c", "a=b==c",
		"a=b!=c", "a!b", "!a", "a!", `a=\`, `a=\\`, `a=\,`, `a=\=`, `a=\x`,
		`a=b\,c`, `a\,b=c`, `a\=b=c`, `a\=b`, `a=b\`, `a=\\,b=c`, `a=\\\,b=c`,
		`a=é`, `a=\é`, "a=\xff", "a=\x00", "a=b c", "a===b", "a!==b", "a=!b",
		"a>1", "a in (b)", `\a=b`, `a=b,\`} {
		cases = append(cases, []string{s, `{"a":"b"}`, "a"},
			[]string{s, `{}`, "a"})
	}
	return g.random(cases, func() []string {
		s := g.join(4, ",", func() string {
			value := fields.EscapeValue(g.fieldValue())
			return g.field() + g.pick("=", "==", "!=") + value
		})
		return []string{g.spoil(4, s), g.labels(g.field, g.fieldValue),
			g.field()}
	})
}

func wantFieldSelector(args []string) answer {
	selector, err := fields.ParseSelector(args[0])
	if err != nil {
		return values(err)
	}
	set := fields.Set{}
	json.Unmarshal([]byte(args[1]), &set)
	value, found := selector.RequiresExactMatch(args[2])
	return values(nil, selector.String(), selector.Matches(set), found, value)
}
