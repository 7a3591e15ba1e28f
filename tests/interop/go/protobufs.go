package main

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

var protobufOps = []op{
	{name: "protobuf_decode", cases: protobufDecodeCases,
		want: wantProtobufDecode, rules: []rule{bothRefuse, refuseMore}},
	{name: "protobuf_encode", cases: protobufEncodeCases,
		want: wantProtobufEncode, rules: []rule{sameMessage}},
}

var bothRefuse = rule{"refused in other words",
	func(args []string, want, got answer) bool {
		return want.Error != "" && got.Error == "EBADREQUEST"
	}}

// Go's decoder takes more than its encoder writes: strings that are not UTF-8,
// entries of maps that end behind the entry.
var refuseMore = rule{"what Go would never write is refused",
	func(args []string, want, got answer) bool {
		var b bytes.Buffer
		object, _, err := protobufs.Decode([]byte(args[0]), nil, nil)
		if err == nil {
			err = protobufs.Encode(object, &b)
		}
		return got.Error == "EBADREQUEST" &&
			(err != nil || b.String() != args[0] || !utf8.ValidString(
				strings.ReplaceAll(inOrder(object), "\ufffd", "\xff")))
	}}

// The order of fields is free, and empty ones need not be written.
var sameMessage = rule{"another message for the same object",
	func(args []string, want, got answer) bool {
		return len(got.Out) == 1 &&
			wantProtobufDecode(got.Out).Out[0] ==
				wantProtobufDecode(want.Out).Out[0]
	}}

// protobufKinds are the kinds that Yuloh has.
func protobufKinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	versions := map[string]bool{}
	for _, gv := range strings.Fields("v1 apps/v1 batch/v1 policy/v1 " +
		"autoscaling/v1 autoscaling/v2 admissionregistration.k8s.io/v1 " +
		"authentication.k8s.io/v1 authorization.k8s.io/v1 " +
		"certificates.k8s.io/v1 coordination.k8s.io/v1 " +
		"discovery.k8s.io/v1 events.k8s.io/v1 " +
		"flowcontrol.apiserver.k8s.io/v1 networking.k8s.io/v1 " +
		"node.k8s.io/v1 rbac.authorization.k8s.io/v1 resource.k8s.io/v1 " +
		"scheduling.k8s.io/v1 storage.k8s.io/v1 apiextensions.k8s.io/v1") {
		versions[gv] = true
	}
	for kind := range scheme.Scheme.AllKnownTypes() {
		if versions[kind.GroupVersion().String()] &&
			!strings.HasSuffix(kind.Kind, "List") &&
			!strings.HasSuffix(kind.Kind, "Options") &&
			!strings.HasPrefix(kind.Kind, "API") &&
			kind.Kind != "Status" && kind.Kind != "WatchEvent" &&
			kind.Kind != "RangeAllocation" &&
			kind.Kind != "SerializedReference" &&
			kind.Kind != "PodStatusResult" &&
			kind.Kind != "ConversionReview" {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool {
		return kinds[i].String() < kinds[j].String()
	})
	return kinds
}

func init() {
	apiextensionsv1.AddToScheme(scheme.Scheme)
}

var protobufs = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

func protobufDecodeCases(g *gen) [][]string {
	var cases [][]string
	for _, object := range protobufObjects(g) {
		var b bytes.Buffer
		if err := protobufs.Encode(object, &b); err != nil {
			panic(err)
		}
		text := b.String()
		if g.chance(5) {
			at := 4 + g.IntN(len(text)-4)
			text = text[:at] + string([]byte{byte(g.IntN(256))}) +
				text[min(at+g.IntN(3), len(text)):]
		}
		cases = append(cases, []string{text})
	}
	return cases
}

func protobufEncodeCases(g *gen) [][]string {
	var cases [][]string
	for _, object := range protobufObjects(g) {
		cases = append(cases, []string{inOrder(object)})
	}
	return cases
}

func wantProtobufDecode(args []string) answer {
	object, _, err := protobufs.Decode([]byte(args[0]), nil, nil)
	if err != nil {
		return values(err)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return values(err)
	}
	// As a server has it that reads JSON.
	again := reflect.New(reflect.TypeOf(object).Elem()).Interface()
	if err := json.Unmarshal(text, again); err != nil {
		return values(err)
	}
	return values(nil, inOrder(again))
}

func wantProtobufEncode(args []string) answer {
	meta := metav1.TypeMeta{}
	json.Unmarshal([]byte(args[0]), &meta)
	object, err := scheme.Scheme.New(meta.GroupVersionKind())
	if err != nil {
		return values(err)
	}
	if err := json.Unmarshal([]byte(args[0]), object); err != nil {
		return values(err)
	}
	var b bytes.Buffer
	err = protobufs.Encode(object, &b)
	return values(err, b.String())
}

// inOrder is the JSON of an object in canonical form.
func inOrder(object any) string {
	var tree any
	d := json.NewDecoder(strings.NewReader(canonical(object)))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		panic(err)
	}
	return canonical(tree)
}

// protobufObjects makes n objects of all kinds, as JSON has them.
func protobufObjects(g *gen) []runtime.Object {
	var objects []runtime.Object
	kinds := protobufKinds()
	for i := range max(g.n/4, len(kinds)) {
		kind := kinds[i%len(kinds)]
		made, _ := scheme.Scheme.New(kind)
		fill(g, reflect.ValueOf(made).Elem(), 0)
		made.GetObjectKind().SetGroupVersionKind(kind)
		text, err := json.Marshal(made)
		if err != nil {
			panic(err)
		}
		object, _ := scheme.Scheme.New(kind)
		if err := json.Unmarshal(text, object); err != nil {
			panic(err)
		}
		objects = append(objects, object)
	}
	return objects
}

// fill puts something into all that a value has, the less the deeper it is.
func fill(g *gen, v reflect.Value, depth int) {
	if depth > 3 && g.chance(2) || depth > 9 || depth > 0 && g.chance(4) {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
		return
	case *metav1.Time:
		p.Time = time.Unix(g.Int64N(4e9)-1e9, 0).UTC()
		return
	case *metav1.MicroTime:
		p.Time = time.Unix(g.Int64N(4e9), g.Int64N(1e9)/1000*1000).UTC()
		return
	case *metav1.Duration:
		p.Duration = time.Duration(g.Int64() >> g.IntN(63))
		return
	case *resource.Quantity:
		*p = resource.MustParse(g.pick("0", "1", "1.5", "100m", "1Gi", "-3k",
			"1e3", "9Ei", "0.0001"))
		return
	case *intstr.IntOrString:
		*p = intstr.FromInt32(g.Int32())
		if g.chance(2) {
			*p = intstr.FromString(g.pick("", "10%", "http", "é\n"))
		}
		return
	case *runtime.RawExtension:
		p.Raw = []byte(someJSON(g))
		return
	case *apiextensionsv1.JSON:
		p.Raw = []byte(someJSON(g))
		return
	case *metav1.FieldsV1:
		p.Raw = []byte(`{"f:a":{".":{}}}`)
		return
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		if g.chance(2) {
			p.Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
		} else {
			p.JSONSchemas = []apiextensionsv1.JSONSchemaProps{{Type: "a"}, {}}
		}
		return
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		p.Allows = g.chance(2)
		if g.chance(2) {
			p.Allows = true
			p.Schema = &apiextensionsv1.JSONSchemaProps{Title: "t"}
		}
		return
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		if g.chance(2) {
			p.Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
		} else {
			p.Property = []string{"a", ""}
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(g, v.Field(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(g, v.Elem(), depth)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(g.chars("\x00\x01a\xff", 9)))
			return
		}
		n := g.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(g, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range g.IntN(4) {
			key := reflect.New(v.Type().Key()).Elem()
			key.SetString(g.pick("", "a", "b.c/d", "é", "\"\\\n", "zz"))
			value := reflect.New(v.Type().Elem()).Elem()
			fill(g, value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		v.SetString(g.pick("", "a", "web-0", "é", "\"\\\n\x00", "<&>\u2028",
			strings.Repeat("long ", 60)))
	case reflect.Bool:
		v.SetBool(g.chance(2))
	case reflect.Int32, reflect.Int64:
		v.SetInt(g.Int64() >> g.IntN(64) >> (64 - v.Type().Bits()))
		if g.chance(2) {
			v.SetInt(-v.Int())
		}
	case reflect.Float64:
		v.SetFloat(math.Ldexp(g.NormFloat64(), g.IntN(80)-40))
	}
}

func someJSON(g *gen) string {
	return g.pick("null", "{}", "[]", `{"a":[1,2.5,{"b":"\u00e9"}]}`, `"x"`,
		"1000", "false")
}
