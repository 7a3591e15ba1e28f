package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/tools/cache"
)

var wordOps = []op{
	{name: "name", cases: nameCases, want: wantName},
	{name: "key", cases: slashCases, want: wantKey},
	{name: "group_version", cases: slashCases, want: wantGroupVersion},
	{name: "kind_text", cases: kindCases, want: wantKindText},
	{name: "version_compare", cases: versionCases, want: wantVersionCompare},
}

// nameRules are in the order of enum yl_name_rule.
var nameRules = []struct {
	check, prefix func(string) []string
}{
	{utilvalidation.IsDNS1123Label, asPrefix(validation.NameIsDNSLabel)},
	{utilvalidation.IsDNS1123Subdomain,
		asPrefix(validation.NameIsDNSSubdomain)},
	{utilvalidation.IsDNS1035Label, asPrefix(validation.NameIsDNS1035Label)},
	{utilvalidation.IsQualifiedName, nil},
	{utilvalidation.IsValidLabelValue, nil},
	{utilvalidation.IsValidPortName, nil},
	{path.IsValidPathSegmentName, nil},
	{path.IsValidPathSegmentPrefix, nil},
}

func asPrefix(check func(string, bool) []string) func(string) []string {
	return func(s string) []string { return check(s, true) }
}

func nameCases(g *gen) [][]string {
	texts := []string{"", "a", "A", "-", ".", "..", "/", "a-", "-a", "a--",
		"--", "a.b", "a..b", ".a", "a.", "a/b", "a/", "/a", "a/b/c", "web-0",
		"1", "1a", "a1", "1-1", "a_b", "A.b_c-D", "a.b/C_d", "A/b", "-a/b",
		"a/-b", "a/b-", "http", "HTTP", "0-0", "a--b", "1.1", "%", "a%2f",
		"\x00", "\xff", "é", "a\n", "\na", "a b", " a", "kube.io/",
		strings.Repeat("a", 15), strings.Repeat("a", 16),
		strings.Repeat("1", 16), strings.Repeat("a", 63),
		strings.Repeat("a", 64), strings.Repeat("-", 64),
		strings.Repeat("é", 32), strings.Repeat("a", 253),
		strings.Repeat("a", 254), strings.Repeat("a.", 126) + "a",
		strings.Repeat("a", 253) + "/" + strings.Repeat("a", 63),
		strings.Repeat("a", 254) + "/" + strings.Repeat("a", 64),
		strings.Repeat("A", 254) + "/" + strings.Repeat("-", 64)}
	var cases [][]string
	for _, s := range texts {
		for i, rule := range nameRules {
			cases = append(cases, nameCase(i, s, false))
			if rule.prefix != nil {
				cases = append(cases, nameCase(i, s, true))
			}
		}
	}
	return g.random(cases, func() []string {
		s := g.join(3, g.pick(".", "-", "/", "_", ""), func() string {
			return g.chars("abz019-", g.IntN(12)) + g.chars("aZ.-_/", 1)
		})
		if g.chance(20) {
			s = strings.Repeat(s, g.IntN(300/(len(s)+1)+1))
		}
		rule := g.IntN(len(nameRules))
		return nameCase(rule, g.spoil(4, s),
			nameRules[rule].prefix != nil && g.chance(3))
	})
}

func nameCase(rule int, s string, prefix bool) []string {
	return values(nil, rule, s, prefix).Out
}

func wantName(args []string) answer {
	rule := nameRules[args[0][0]-'0']
	check := rule.check
	if args[2] == "true" {
		check = rule.prefix
	}
	return answer{Out: check(args[1])}
}

func slashCases(g *gen) [][]string {
	return g.random(each("", "/", "//", "a", "a/", "/a", "a/b", "a/b/c", "///",
		"a//b", "a b/c", "\x00/\xff", "apps/v1", "v1", "é/\u200b/\x01",
		"\"/'/\\"), func() []string {
		return []string{g.spoil(3, g.join(3, "/", func() string {
			return g.chars("abv1.-", 5)
		}))}
	})
}

func wantKey(args []string) answer {
	namespace, name, err := cache.SplitMetaNamespaceKey(args[0])
	return values(err, namespace, name,
		cache.NewObjectName(namespace, name).String())
}

func wantGroupVersion(args []string) answer {
	gv, err := schema.ParseGroupVersion(args[0])
	return values(err, gv.Group, gv.Version, gv.String())
}

func kindCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		return []string{g.pick("", "apps", "a.b"), g.pick("", "v1", "v2beta1"),
			g.pick("", "Pod", "pods", "a/b")}
	})
}

func wantKindText(args []string) answer {
	gvk := schema.GroupVersionKind{
		Group: args[0], Version: args[1], Kind: args[2]}
	gvr := schema.GroupVersionResource{
		Group: args[0], Version: args[1], Resource: args[2]}
	return values(nil, gvk, gvk.GroupKind().String(), gvr,
		gvr.GroupResource().String())
}

func versionCases(g *gen) [][]string {
	one := func() string {
		return g.spoil(6, "v"+g.digits(2)+g.pick("", "alpha", "beta", "rc")+
			g.pick("", g.digits(2)))
	}
	return g.random(cross("", "v", "v0", "v1", "v01", "v2", "v10", "v1beta1",
		"v1beta0", "v1beta", "v1beta01", "v1alpha1", "v2alpha1", "v1rc1",
		"V1", "v-1", "foo", "foo10", "v9223372036854775807",
		"v9223372036854775808", "v1beta9223372036854775808", "v1 ", "é",
		"v1beta1alpha1"),
		func() []string { return []string{one(), one()} })
}

func wantVersionCompare(args []string) answer {
	c := version.CompareKubeAwareVersionStrings(args[0], args[1])
	return values(nil, min(max(c, -1), 1))
}
