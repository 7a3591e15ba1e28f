package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
)

var textOps = []op{
	{name: "json", cases: jsonCases, want: wantJSON, rules: jsonRules},
	{name: "json_valid", cases: jsonCases, want: wantJSONValid,
		rules: jsonRules},
	{name: "json_double", cases: doubleCases, want: wantDouble},
	{name: "json_string", cases: stringCases, want: wantString},
}

// Go replaces what is not Unicode by U+FFFD, so that two different texts
// become one; a store must not do that.  The other rules are ceilings.
var jsonRules = []rule{
	{"invalid UTF-8 is refused", func(args []string, want, got answer) bool {
		return got.Message == "invalid UTF-8 in string literal" &&
			!utf8.ValidString(strings.Join(args, ""))
	}},
	{"lone surrogates are refused",
		func(args []string, want, got answer) bool {
			return strings.HasPrefix(got.Message, "lone surrogate") &&
				regexp.MustCompile(`(?i)\\ud[89a-f]`).MatchString(
					strings.Join(args, ""))
		}},
	{"long numbers are refused", func(args []string, want, got answer) bool {
		return got.Error == "ETOOBIG" &&
			regexp.MustCompile(`[0-9]{500}`).MatchString(args[0])
	}},
	{"deep nesting is refused", func(args []string, want, got answer) bool {
		return got.Error == "ETOODEEP" &&
			strings.Count(args[0], "[")+strings.Count(args[0], "{") > 1000
	}},
	{"numbers in repeated members that are dropped are not looked at",
		func(args []string, want, got answer) bool {
			var v any
			d := json.NewDecoder(strings.NewReader(args[0]))
			d.UseNumber()
			return strings.Contains(want.Message, "value of type float64") &&
				got.Error == "" && d.Decode(&v) == nil &&
				equal(wantJSON([]string{canonical(v)}), got)
		}},
	{"the text for numbers that fit no double is shorter",
		func(args []string, want, got answer) bool {
			return got.Error == "ERANGE" &&
				strings.Contains(want.Message, "Go value of type float64")
		}},
}

func jsonCases(g *gen) [][]string {
	cases := each("", " ", "null", "true", "false", "nul", "nulll", "tru",
		"trux", "fals", "True", "NaN", "Infinity", "-Infinity", "0", "-0",
		"00", "01", "-", "-a", "--1", "+1", ".5", "0.", "0.e1", "1.5", "-0.0",
		"1e", "1e+", "1e5", "1E+5", "1e-7", "1e21", "1e20", "1e400", "-1e400",
		"1e-400", "0e400", "1.0", "100e-2", "9007199254740993",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "18446744073709551616", "1e5x", "0x1", "1_0",
		"123456789012345678901234567890", "0.1", "0.30000000000000004",
		"5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
		"1.7976931348623157e308", "1.7976931348623159e308", `""`, `"`, `"a`,
		`"\`, `"\"`, `"\u`, `"\u1`, `"\u12`, `"\u123`, `"\u123"`, `"\u12g4"`,
		`"\u1234"`, `"\ud800"`, `"\udc00"`, `"\ud800\ud800"`,
		`"\ud83d\ude00"`, `"\ud800x"`, `"\ud800\n"`, `"\uDBFF\uDFFF"`,
		`"\x"`, `"\0"`, `"\/"`, `"\b\f\n\r\t\"\\\/"`, "\"\x00\"", "\"\x1f\"",
		"\"\n\"", "\"\x7f\"", "\"\xff\"", "\"\xc3\"", "\"\xc0\x80\"",
		"\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\u2028\u2029\"",
		`"<>&"`, "'a'", "[", "]", "[]", "[1", "[1,", "[1,]", "[,1]", "[1 2]",
		"[1,,2]", "[]]", "[[]", "{", "}", "{}", `{"a"`, `{"a":`, `{"a":1`,
		`{"a":1,`, `{"a":1,}`, `{,"a":1}`, `{"a" 1}`, `{"a"::1}`, `{a:1}`,
		`{1:1}`, `{"a":1 "b":2}`, `{"a":1,"a":2}`, `{"a":{"b":1},"a":{}}`,
		`{"b":1,"a":2,"A":3,"":4,"é":5}`, `{"\u0061":1,"a":2}`, "{}{}",
		"1 2", "1,", "\xef\xbb\xbf1", "\v1", "\f1", "1\x00", "\x00",
		" \t\r\n1 \t\r\n", "// 1", "/* */1", "1//", "é", "\xff", "\x80",
		"\u00a0", "\u00ad", "\x7f", "'", "\\", "\"a\"b", "[1]x", "{\"a\":tru}",
		strings.Repeat("[", 999)+strings.Repeat("]", 999),
		strings.Repeat("[", 1000)+strings.Repeat("]", 1000),
		strings.Repeat("[", 1001)+strings.Repeat("]", 1001),
		strings.Repeat(`{"a":`, 1001)+"1"+strings.Repeat("}", 1001),
		strings.Repeat("[", 20000), strings.Repeat("9", 1023),
		strings.Repeat("9", 1024), strings.Repeat("9", 1025),
		"0."+strings.Repeat("0", 1000)+"1", "1"+strings.Repeat("0", 308),
		strings.Repeat(" ", 200)+"x", `"`+strings.Repeat("a", 130)+`\x"`)
	return g.random(cases, func() []string {
		return []string{g.spoil(2, g.json(4))}
	})
}

// json is a JSON text, with white space, odd numbers and escapes.
func (g *gen) json(depth int) string {
	space := func() string { return g.pick("", "", "", " ", "\n", "\t ") }
	kind := g.IntN(10)
	if depth == 0 {
		kind = g.IntN(6)
	}
	switch {
	case kind < 2:
		return g.jsonNumber()
	case kind < 4:
		return g.jsonString()
	case kind < 6:
		return g.pick("null", "true", "false", "[]", "{}", "0", `""`)
	case kind < 7:
		return "[" + g.join(4, ",", func() string {
			return space() + g.json(depth-1) + space()
		}) + "]"
	}
	return "{" + g.join(5, ",", func() string {
		return space() + g.pick(`"a"`, `"b"`, `"c"`, `"\u0061"`, `"aa"`,
			g.jsonString()) + space() + ":" + space() + g.json(depth-1) +
			space()
	}) + "}"
}

func (g *gen) jsonNumber() string {
	return g.pick("", "", "-") + g.pick("0", "1", "12", "1"+g.digits(25)) +
		g.pick("", "", "."+g.digits(3), "."+g.digits(20)) +
		g.pick("", "", "e"+g.digits(2), "E-"+g.digits(2), "e+"+g.digits(3))
}

func (g *gen) jsonString() string {
	return `"` + g.join(6, "", func() string {
		return g.pick("a", "b", "abc def", "0", "é", "€", "😀", "\u2028", "<",
			"&", "\x7f", `\"`, `\\`, `\/`, `\n`, `\t`, `\b`, `\f`, `\r`,
			`\u0000`, `\u001f`, `\u00e9`, `\u003c`, `\u20AC`, `\u2029`,
			`\ud83d\ude00`, `\uFFFD`, "'", "/", "~")
	}) + `"`
}

func wantJSON(args []string) answer {
	var v any
	err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(args[0]), &v)
	if err != nil {
		return values(err)
	}
	return values(nil, canonical(plainZero(v)))
}

// plainZero makes 0 of -0.0: Go writes it as -0, reads that as the integer 0
// and writes 0 then.  Canonical is what stays the same.
func plainZero(v any) any {
	switch v := v.(type) {
	case float64:
		return v + 0
	case []any:
		for i := range v {
			v[i] = plainZero(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainZero(v[k])
		}
	}
	return v
}

func wantJSONValid(args []string) answer {
	var v json.RawMessage
	return values(json.Unmarshal([]byte(args[0]), &v))
}

// canonical is what Go writes, less the escapes that it adds for web pages.
func canonical(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return jsonSeparators.Replace(strings.TrimSuffix(b.String(), "\n"))
}

// A backslash before such an escape is escaped itself.
var jsonSeparators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028",
	`\u2029`, "\u2029")

func doubleCases(g *gen) [][]string {
	var cases [][]string
	add := func(f float64) {
		cases = append(cases, values(nil, int64(math.Float64bits(f))).Out)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-6,
		9.99e-7, 1e20, 1e21, 9.999999e20, 1e22, 1e23, 5e-324, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.MaxInt64, 1 << 53, 1<<53 + 2, 1e15,
		1e16, 1e17, 123456789.125, 2.2250738585072014e-308, 1e-7, 1.5e-9,
		1e-10, 1e100, 1.234e-100} {
		add(f)
	}
	return g.random(cases, func() []string {
		f := math.Float64frombits(g.Uint64())
		if g.chance(2) {
			f, _ = strconv.ParseFloat(fmt.Sprintf("%se%d", g.digits(17),
				g.IntN(60)-30), 64)
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 0.5
		}
		return values(nil, int64(math.Float64bits(f))).Out
	})
}

func wantDouble(args []string) answer {
	n, _ := strconv.ParseInt(args[0], 10, 64)
	return values(nil, canonical(math.Float64frombits(uint64(n))))
}

func stringCases(g *gen) [][]string {
	var cases [][]string
	for c := range rune(0x100) {
		cases = append(cases, []string{string(c)})
	}
	return g.random(cases, func() []string {
		return []string{strings.ToValidUTF8(g.join(40, "", func() string {
			return g.pick(junk...)
		}), "")}
	})
}

func wantString(args []string) answer {
	return values(nil, canonical(args[0]))
}
