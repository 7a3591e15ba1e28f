package main

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

var amountOps = []op{
	{name: "quantity", cases: quantityCases, want: wantQuantity,
		rules: []rule{quantityTooBig}},
	{name: "quantity_pair", cases: quantityPairCases, want: wantQuantityPair,
		rules: []rule{quantityTooBig, sumTooBig}},
	{name: "quantity_make", cases: quantityMakeCases, want: wantQuantityMake},
	{name: "time", cases: timeCases, want: wantTime(time.RFC3339)},
	{name: "micro_time", cases: timeCases,
		want: wantTime(metav1.RFC3339Micro)},
	{name: "time_add", cases: timeAddCases, want: wantTimeAdd},
	{name: "duration", cases: durationCases, want: wantDuration},
	{name: "duration_text", cases: durationTextCases, want: wantDurationText},
}

// Numbers of any length would be a way to burn a server's time.
var quantityTooBig = rule{"a quantity is too long",
	func(args []string, want, got answer) bool {
		return got.Error == "ETOOBIG" &&
			(len(args[0]) > 128 || len(args[1]) > 128)
	}}

// Upstream keeps sums of any length; here one that needs more digits than a
// quantity may have is refused.
var sumTooBig = rule{"a sum is too long",
	func(args []string, want, got answer) bool {
		if len(got.Out) != 4 || len(want.Out) != 4 {
			return false
		}
		for i := range got.Out {
			if got.Out[i] != want.Out[i] && got.Out[i] != "range" {
				return false
			}
		}
		return true
	}}

var quantityTexts = []string{"", "0", "-0", "+0", "0.0", "1", "+1", "-1",
	"0001", "1.500", "1.5", ".5", "5.", ".", "-", "+", "--1", "1e3", "1E3",
	"1e", "1e+3", "1e-3", "1e3i", "1Ee3", "1Ki", "1ki", "1k", "1K", "1Mi",
	"1.5Gi", "0.1Ki", "1Ei", "8Ei", "-8Ei", "9Ei", "1n", "1u", "1m", "0.1n",
	"0.001n", "-0.1n", "1000E", "1e18", "1e19", "1e21", "1e100", "1e-100",
	"1e999", "-1e-999", "1e01", "1 ",
	" 1", "1 Ki", "1Kib", "1mi", "1i", "0x1", "1_000", "١", "1e1.5",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"-9223372036854775809", "9223372036854775807m", "9223372036854775.807",
	"9223372036854775807Ki", "1000", "1024", "1500m", "100000000000n",
	"999999999999999999", "1000000000000000000", "12345678901234567890",
	"1234567890.123456789", "1234567890.1234567891", "0.0000000001",
	"123456789012345678901234567890", "1e-10", "-1e-10", "1e-9", "10e-1",
	"100e-2Ki", "1.0E", "1E", "0Ki", "0m", "0e3", "1.25Ki", "1.0001Ki",
	"\x001", "1\x00", "é", "1é"}

func (g *gen) quantity() string {
	s := g.pick("", "", "", "-", "+")
	s += g.pick(g.digits(4), g.digits(20), g.digits(40), "", "0", "00",
		"1"+strings.Repeat("0", g.IntN(22)))
	if g.chance(2) {
		s += "." + g.pick(g.digits(3), g.digits(12), "", "000", "500")
	}
	s += g.pick("", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki",
		"Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E3", "e-3", "e+9", "E-12",
		"e"+g.digits(2), "e-"+g.digits(2))
	if s = g.spoil(8, s); hugeExponent.MatchString(s) {
		return "1"
	}
	return s
}

// The library writes out all digits of 1e999999999, which takes it minutes.
var hugeExponent = regexp.MustCompile(`[eE][-+]?[0-9]{4}`)

func quantityCases(g *gen) [][]string {
	var cases [][]string
	for _, s := range append(quantityTexts, strings.Repeat("9", 127),
		strings.Repeat("9", 2000), "1"+strings.Repeat("0", 500)) {
		for _, scale := range []string{"0", "-9", "-3", "3", "18"} {
			cases = append(cases, []string{s, scale})
		}
	}
	return g.random(cases, func() []string {
		return []string{g.quantity(), strconv.Itoa(g.IntN(31) - 12)}
	})
}

func wantQuantity(args []string) answer {
	q, err := resource.ParseQuantity(args[0])
	if err != nil {
		return values(err)
	}
	scale, _ := strconv.Atoi(args[1])
	text := q.String()
	number, suffix := q.CanonicalizeBytes(nil)
	return values(nil, text, string(number)+string(suffix), q.Sign(),
		scaled(q, 0, q.Value), scaled(q, -3, q.MilliValue),
		scaled(q, scale, func() int64 {
			return q.ScaledValue(resource.Scale(scale))
		}))
}

// scaled is what the library says, with two exceptions.  What does not fit
// wraps around there; Yuloh stops at the ends.  Negative numbers it rounds
// this way or that (the Value of "-1n" is 1); Yuloh rounds away from zero, as
// it should by its comment.
func scaled(q resource.Quantity, scale int, get func() int64) int64 {
	d := new(inf.Dec).Round(q.AsDec(), inf.Scale(-scale), inf.RoundUp)
	n := new(big.Int).Set(d.UnscaledBig())
	if n.IsInt64() && n.Sign() < 0 {
		return n.Int64()
	} else if n.IsInt64() {
		return get()
	} else if n.Sign() > 0 {
		return math.MaxInt64
	}
	return math.MinInt64
}

func quantityPairCases(g *gen) [][]string {
	cases := cross(quantityTexts...)
	return g.random(cases, func() []string {
		return []string{g.quantity(), g.quantity()}
	})
}

func wantQuantityPair(args []string) answer {
	a, err := resource.ParseQuantity(args[0])
	if err != nil {
		return values(err)
	}
	b, err := resource.ParseQuantity(args[1])
	if err != nil {
		return values(err)
	}
	sum, difference, negative := a.DeepCopy(), a.DeepCopy(), a.DeepCopy()
	sum.Add(b)
	difference.Sub(b)
	negative.Neg()
	return values(nil, a.Cmp(b), sum.String(), difference.String(),
		negative.String())
}

func quantityMakeCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		return values(nil, g.integer(), g.IntN(28)-9, g.IntN(3)).Out
	})
}

func wantQuantityMake(args []string) answer {
	value, _ := strconv.ParseInt(args[0], 10, 64)
	scale, _ := strconv.Atoi(args[1])
	format := []resource.Format{resource.DecimalSI, resource.BinarySI,
		resource.DecimalExponent}[args[2][0]-'0']
	q := resource.NewScaledQuantity(value, resource.Scale(scale))
	q.Format = format
	return values(nil, q.String())
}

// integer is any int64, small and round ones more often.
func (g *gen) integer() int64 {
	n := int64(g.Uint64() >> g.IntN(64))
	if g.chance(3) {
		n = n / 1000 * 1000
	}
	if g.chance(2) {
		n = -n
	}
	return n
}

func timeCases(g *gen) [][]string {
	cases := each("", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000Z",
		"2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.1234567Z",
		"2026-01-31T12:00:00.12345Z", "2026-01-31T12:00:00,123456Z",
		"2026-01-31T12:00:00.Z", "2026-01-31t12:00:00z",
		"2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "2026-01-31",
		"2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z",
		"2100-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
		"2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
		"2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
		"2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z",
		"2026-01-01T23:60:00Z", "2026-01-01T23:59:60Z",
		"2026-01-01T1:00:00Z", "2026-1-1T01:00:00Z", "0000-01-01T00:00:00Z",
		"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
		"10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
		"2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00-00:00",
		"2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00-23:59",
		"2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+25:00",
		"2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+0100",
		"2026-01-01T00:00:00+01", "2026-01-01T00:00:00+1:00",
		"0000-01-01T00:00:00+24:00", "9999-12-31T23:59:59-24:00",
		"2026-01-01T00:00:00.999999999Z",
		"2026-01-01T00:00:00.9999999999999999Z",
		"2026-01-01T00:00:00.0000000001Z", "2026-01-01T00:00:00ZZ",
		"2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "\"", "é", "\xff",
		"2026-01-01T00:00:00.123456", "2026-01-01T00:00:00.123456+01:00")
	return g.random(cases, func() []string {
		s := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", g.IntN(10000),
			g.IntN(14), g.IntN(33), g.IntN(25), g.IntN(61), g.IntN(61))
		s += g.pick("", ".000000", "."+g.digits(10),
			fmt.Sprintf(".%06d", g.IntN(1e6)), ",5")
		s += g.pick("Z", "Z", "", "z", fmt.Sprintf("%s%02d:%02d",
			g.pick("+", "-"), g.IntN(26), g.IntN(62)))
		return []string{g.spoil(5, s)}
	})
}

func wantTime(layout string) func([]string) answer {
	return func(args []string) answer {
		t, err := time.Parse(layout, args[0])
		return values(err, timeValues(t)...)
	}
}

func timeValues(t time.Time) []any {
	return []any{t.Unix(), t.Nanosecond(), t.UTC().Format(time.RFC3339),
		t.UTC().Format(metav1.RFC3339Micro)}
}

func timeAddCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		return values(nil, g.Int64N(253402300800+62167219200)-62167219200,
			g.IntN(1e9), g.integer()).Out
	})
}

func wantTimeAdd(args []string) answer {
	seconds, _ := strconv.ParseInt(args[0], 10, 64)
	nanos, _ := strconv.ParseInt(args[1], 10, 64)
	more, _ := strconv.ParseInt(args[2], 10, 64)
	t := time.Unix(seconds, nanos)
	sum := t.Add(time.Duration(more))
	return values(nil, append(timeValues(sum), int64(sum.Sub(t)),
		sum.Compare(t))...)
}

func durationCases(g *gen) [][]string {
	cases := each("", "0", "+0", "-0", "00", "1", "1s", "+1s", "-1s", "--1s",
		"1", ".s", ".5s", "1.s", "-.s", "1h2m3.5s", "1s1s", "1x", "1 s",
		" 1s", "1s ", "1us", "1µs", "1μs", "1ns", "0.1ns", "0.9ns", "1.9ns",
		"1d", "1e3s", "9223372036854775807ns", "9223372036854775808ns",
		"-9223372036854775808ns", "-9223372036854775809ns",
		"9223372036.854775807s", "9223372036.854775808s", "2562047h47m16s",
		"2562048h", "1.00000000000000000000000001h",
		"0.100000000000000000000h", "0.830000000000000000000009h",
		"99999999999999999999h", "1h-1m", "infs", "1\xff", "\"s", "1é")
	return g.random(cases, func() []string {
		s := g.pick("", "", "-", "+") + g.join(4, "", func() string {
			return g.pick(g.digits(3), g.digits(20), "") +
				g.pick("", "."+g.digits(12), ".") +
				g.pick("h", "m", "s", "ms", "us", "µs", "ns", "ns", "d")
		})
		return []string{g.spoil(6, s)}
	})
}

func wantDuration(args []string) answer {
	d, err := time.ParseDuration(args[0])
	return values(err, int64(d), d, duration.HumanDuration(d))
}

func durationTextCases(g *gen) [][]string {
	cases := each("0", "1", "-1", "-999999999", "-1000000000", "-1000000001",
		"-2000000000", "-1999999999", "9223372036854775807",
		"-9223372036854775808")
	const day = 24 * time.Hour
	for _, d := range []time.Duration{time.Second, 119 * time.Second,
		2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour,
		8 * time.Hour, 48 * time.Hour, 8 * day, 365 * day, 2 * 365 * day,
		8 * 365 * day} {
		for _, more := range []time.Duration{-1, 0, 1, time.Second, day} {
			cases = append(cases, values(nil, int64(d+more)).Out)
		}
	}
	return g.random(cases, func() []string {
		return values(nil, g.integer()).Out
	})
}

func wantDurationText(args []string) answer {
	n, _ := strconv.ParseInt(args[0], 10, 64)
	d := time.Duration(n)
	return values(nil, d, duration.HumanDuration(d))
}
