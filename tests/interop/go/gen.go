package main

import (
	"math/rand/v2"
	"strings"
)

// gen makes inputs: n of them by chance, the same ones for the same seed.
type gen struct {
	*rand.Rand
	n int
}

// pick returns one of the texts.
func (g *gen) pick(texts ...string) string {
	return texts[g.IntN(len(texts))]
}

// chance is true in one of n cases.
func (g *gen) chance(n int) bool {
	return g.IntN(n) == 0
}

// chars returns up to max bytes of the alphabet.
func (g *gen) chars(alphabet string, max int) string {
	b := make([]byte, g.IntN(max+1))
	for i := range b {
		b[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(b)
}

// digits returns 1 to max digits.
func (g *gen) digits(max int) string {
	return string("0123456789"[g.IntN(10)]) + g.chars("0123456789", max-1)
}

// junk are pieces that parsers trip over.
var junk = []string{"", " ", "\t", "\n", "\r", "\x00", "\x7f", "\x80", "\xff",
	"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xe2\x80\xa8", "\xc2\xa0",
	"\xe2\x80\x8b", "\xef\xbb\xbf", "\xed\xa0\x80", "\xc0\x80", "\u00ad",
	"0", "1", "9", "-", "+", ".", ",", ":", ";", "/", "//", "\\", "\"", "'",
	"`", "(", ")", "[", "]", "{", "}", "<", ">", "=", "==", "!", "!=", "~",
	"a", "A", "z", "e", "E", "x", "_", "%", "%s", "#", "&", "*", "|", "?",
	"@", "$", "^"}

// spoil changes a text in a few places, in one of n cases.
func (g *gen) spoil(n int, s string) string {
	if !g.chance(n) {
		return s
	}
	for range 1 + g.IntN(2) {
		at := g.IntN(len(s) + 1)
		to := min(at+g.IntN(3), len(s))
		s = s[:at] + g.pick(junk...) + s[to:]
	}
	return s
}

// join puts 0 to max texts together.
func (g *gen) join(max int, separator string, one func() string) string {
	var texts []string
	for range g.IntN(max + 1) {
		texts = append(texts, one())
	}
	return strings.Join(texts, separator)
}

// random adds the generated cases to the ones written by hand.
func (g *gen) random(byHand [][]string, one func() []string) [][]string {
	for range g.n {
		byHand = append(byHand, one())
	}
	return byHand
}

// each makes one case of each text.
func each(texts ...string) [][]string {
	var cases [][]string
	for _, s := range texts {
		cases = append(cases, []string{s})
	}
	return cases
}

// cross makes all pairs of the texts.
func cross(texts ...string) [][]string {
	var cases [][]string
	for _, a := range texts {
		for _, b := range texts {
			cases = append(cases, []string{a, b})
		}
	}
	return cases
}
