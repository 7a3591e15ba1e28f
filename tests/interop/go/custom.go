package main

// What both servers publish of the same CustomResourceDefinitions: discovery,
// and OpenAPI in its versions and forms.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	openapi_v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	kubeproto "k8s.io/kube-openapi/pkg/util/proto"
	"sigs.k8s.io/yaml"
)

const protobufV2 = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"

// Definitions of others, if they are there.
const truthDefinitions = "../shared/truth/crds/*/*.yaml"

// compareCustom applies the definitions of custom.yaml, and those of others,
// to both servers and compares what these publish.
func compareCustom(a *area, theirs, mine *server, folder string) error {
	all, err := readDefinitions(filepath.Join(folder, "manifests",
		"custom.yaml"), truthDefinitions)
	if err != nil {
		return err
	}
	versions := map[string]bool{}
	for _, s := range []*server{theirs, mine} {
		for _, m := range all {
			if err := s.create(m.tree, nil); err != nil {
				return fmt.Errorf("%s: %s: %w", s.url, m.name, err)
			}
		}
		for _, m := range all {
			if why := established(s, m.tree); why != "" {
				return fmt.Errorf("%s: %s: %s", s.url, m.name, why)
			}
			for _, v := range servedVersions(m.tree) {
				versions[v] = true
			}
		}
		if err := published(s, all); err != nil {
			return fmt.Errorf("%s: %w", s.url, err)
		}
	}
	compareCustomLists(a, theirs, mine, versions)
	for version := range versions {
		compareV3(a, theirs, mine, version)
	}
	compareIndexes(a, theirs, mine, versions)
	compareV2(a, theirs, mine, versions)
	a.result("v2 in protobuf", protobufDiffers(mine))
	for version := range versions {
		a.result("v3 "+version+" as kubectl reads it",
			unreadable(mine, version))
	}
	for _, s := range []*server{theirs, mine} {
		for _, m := range all {
			if err := removeDefinition(s, m.tree); err != nil {
				return fmt.Errorf("%s: %w", s.url, err)
			}
		}
	}
	return nil
}

func readDefinitions(patterns ...string) ([]manifest, error) {
	var all []manifest
	for _, pattern := range patterns {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			some, err := readManifests(file)
			if err != nil {
				return nil, err
			}
			for _, m := range some {
				if m.tree["kind"] == "CustomResourceDefinition" {
					all = append(all, m)
				}
			}
		}
	}
	return all, nil
}

// servedVersions are the group-versions of a definition that are served.
func servedVersions(crd object) (all []string) {
	for _, v := range list(get(crd, "spec", "versions")) {
		if get(v, "served") == true {
			all = append(all, fmt.Sprintf("%v/%v",
				get(crd, "spec", "group"), get(v, "name")))
		}
	}
	return all
}

// published waits until a server publishes everything: a kube-apiserver takes
// some seconds.
func published(s *server, all []manifest) error {
	missing := ""
	for range 600 {
		missing = ""
		_, v2, err := s.do("GET", "/openapi/v2", "")
		if err != nil {
			return err
		}
		resources, err := grouped(s)
		if err != nil {
			return err
		}
		for _, m := range all {
			for _, version := range servedVersions(m.tree) {
				plural := fmt.Sprint(get(m.tree, "spec", "names", "plural"))
				if resources[version+" "+plural+", aggregated"] == nil ||
					get(v2, "definitions", modelName(version,
						get(m.tree, "spec", "names", "kind"))) == nil {
					missing = version + " " + plural
				}
			}
		}
		if missing == "" {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s is never published", missing)
}

// modelName of example.com/v1 and Foo is com.example.v1.Foo.
func modelName(version string, kind any) string {
	group, v, _ := strings.Cut(version, "/")
	parts := strings.Split(group, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return fmt.Sprintf("%s.%s.%v", strings.Join(parts, "."), v, kind)
}

// compareCustomLists compares discovery, group by group and in one.
func compareCustomLists(a *area, theirs, mine *server,
	versions map[string]bool) {
	groups := map[string]bool{}
	for version := range versions {
		group, _, _ := strings.Cut(version, "/")
		groups[group] = true
	}
	for group := range groups {
		compareGets(a, "group "+group, "/apis/"+group, theirs, mine)
		compareGets(a, "v3 of group "+group, "/openapi/v3/apis/"+group,
			theirs, mine)
	}
	for _, form := range []func(*server) (map[string]any, error){
		listed, grouped} {
		want, err1 := form(theirs)
		have, err2 := form(mine)
		if err1 != nil || err2 != nil {
			a.result("discovery", fmt.Sprint(err1, err2))
			continue
		}
		for _, name := range names(want, have) {
			if versions[strings.Split(name, " ")[0]] {
				compareValues(a, "resource "+name, want[name], have[name])
			}
		}
	}
	a.result("order of groups", groupOrderDiffers(theirs, mine, groups))
}

func groupOrderDiffers(theirs, mine *server, groups map[string]bool) string {
	var orders []string
	for _, s := range []*server{theirs, mine} {
		_, apis, err := s.do("GET", "/apis", "")
		if err != nil {
			return err.Error()
		}
		var order []string
		for _, g := range list(apis["groups"]) {
			if name := fmt.Sprint(get(g, "name")); groups[name] {
				order = append(order, name)
			}
		}
		orders = append(orders, strings.Join(order, " "))
	}
	if orders[0] != orders[1] {
		return orders[1] + " instead of " + orders[0]
	}
	return ""
}

// compareGets compares two answers as they are.
func compareGets(a *area, name, path string, theirs, mine *server) {
	code1, want, err1 := theirs.raw(path, "application/json")
	code2, have, err2 := mine.raw(path, "application/json")
	var w, h any
	json.Unmarshal(want, &w)
	json.Unmarshal(have, &h)
	compareValues(a, name, object{"code": code1, "body": w, "error": err1},
		object{"code": code2, "body": h, "error": err2})
}

func compareValues(a *area, name string, want, have any) {
	switch {
	case want == nil:
		a.result(name, "is extra")
	case have == nil:
		a.result(name, "is missing")
	default:
		var diffs []string
		differences("", want, have, &diffs)
		a.result(name, strings.Join(diffs, "; "))
	}
}

// compareV3 compares the documents of a group-version, schema by schema and
// operation by operation.
func compareV3(a *area, theirs, mine *server, version string) {
	_, want, err1 := theirs.do("GET", "/openapi/v3/apis/"+version, "")
	_, have, err2 := mine.do("GET", "/openapi/v3/apis/"+version, "")
	if err1 != nil || err2 != nil {
		a.result("v3 "+version, fmt.Sprint(err1, err2))
		return
	}
	for _, doc := range []object{want, have} {
		simplify(doc)
	}
	compareMaps(a, "v3 "+version+" schema ",
		get(want, "components", "schemas"),
		get(have, "components", "schemas"))
	compareMaps(a, "v3 "+version+" ", operations(want), operations(have))
	for _, doc := range []object{want, have} {
		delete(doc, "paths")
		delete(doc["components"].(object), "schemas")
	}
	compareValues(a, "v3 "+version+" rest", want, have)
}

func compareMaps(a *area, prefix string, want, have any) {
	w, _ := want.(object)
	h, _ := have.(object)
	for _, name := range names(w, h) {
		compareValues(a, prefix+name, w[name], h[name])
	}
}

// compareIndexes wants the index to lead to the same documents, at URLs that
// work.
func compareIndexes(a *area, theirs, mine *server, versions map[string]bool) {
	_, want, err1 := theirs.do("GET", "/openapi/v3", "")
	_, have, err2 := mine.do("GET", "/openapi/v3", "")
	if err1 != nil || err2 != nil {
		a.result("index", fmt.Sprint(err1, err2))
		return
	}
	w, _ := want["paths"].(object)
	h, _ := have["paths"].(object)
	for _, name := range names(w, h) {
		version := strings.TrimPrefix(name, "apis/")
		group, _, _ := strings.Cut(version, "/")
		for custom := range versions {
			if strings.HasPrefix(custom, group+"/") && (w[name] == nil ||
				h[name] == nil) {
				a.result("index "+name, "is on one server only")
			}
		}
		if versions[version] {
			url := fmt.Sprint(get(h[name], "serverRelativeURL"))
			code, _, err := mine.raw(url, "application/json")
			if err == nil && code == 200 {
				a.result("index "+name, "")
			} else {
				a.result("index "+name, fmt.Sprint(code, err))
			}
		}
	}
}

// compareV2 compares what is in the one document of the custom kinds.
func compareV2(a *area, theirs, mine *server, versions map[string]bool) {
	_, want, err1 := theirs.do("GET", "/openapi/v2", "")
	_, have, err2 := mine.do("GET", "/openapi/v2", "")
	if err1 != nil || err2 != nil {
		a.result("v2", fmt.Sprint(err1, err2))
		return
	}
	for _, doc := range []object{want, have} {
		definitions, _ := doc["definitions"].(object)
		for name := range definitions {
			if !ofVersions(name, versions) {
				delete(definitions, name)
			}
		}
		paths, _ := doc["paths"].(object)
		for path := range paths {
			parts := strings.Split(path, "/")
			if len(parts) < 4 || !versions[parts[2]+"/"+parts[3]] {
				delete(paths, path)
			}
		}
		simplify(doc)
	}
	compareMaps(a, "v2 ", want["definitions"], have["definitions"])
	compareMaps(a, "v2 ", operations(want), operations(have))
}

func ofVersions(model string, versions map[string]bool) bool {
	for version := range versions {
		if strings.HasPrefix(model, modelName(version, "")) {
			return true
		}
	}
	return false
}

// protobufDiffers says how what the protobuf form of our document says differs
// from what its JSON says.
func protobufDiffers(mine *server) string {
	_, text, err := mine.raw("/openapi/v2", "application/json")
	if err != nil {
		return err.Error()
	}
	_, message, err := mine.raw("/openapi/v2", protobufV2)
	if err != nil {
		return err.Error()
	}
	var document openapi_v2.Document
	if err := proto.Unmarshal(message, &document); err != nil {
		return err.Error()
	}
	if _, err := kubeproto.NewOpenAPIData(&document); err != nil {
		return "as kubectl reads it: " + err.Error()
	}
	b, err := document.YAMLValue("")
	if err != nil {
		return err.Error()
	}
	var want, have any
	if err := json.Unmarshal(text, &want); err != nil {
		return err.Error()
	}
	if err := yaml.Unmarshal(b, &have); err != nil {
		return err.Error()
	}
	var all, diffs []string
	differences("", want, have, &all)
	for _, diff := range all {
		// A number of this message is 0 if it is not there.
		if !strings.HasSuffix(diff, " is missing: 0") && len(diffs) < 5 {
			diffs = append(diffs, diff)
		}
	}
	return strings.Join(diffs, "; ")
}

// unreadable says why kubectl, which makes models of schemas, cannot read a
// document.
func unreadable(mine *server, version string) string {
	_, text, err := mine.raw("/openapi/v3/apis/"+version, "application/json")
	if err != nil {
		return err.Error()
	}
	document, err := openapi_v3.ParseDocument(text)
	if err == nil {
		_, err = kubeproto.NewOpenAPIV3Data(document)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// operations are the operations of a document by "method path".  Parameters of
// a path are parameters of all its operations.
func operations(doc object) object {
	all := object{}
	paths, _ := doc["paths"].(object)
	for path, item := range paths {
		operations, _ := item.(object)
		for method, operation := range operations {
			o, ok := operation.(object)
			if !ok || method == "parameters" {
				continue
			}
			parameters := object{}
			for _, p := range append(list(operations["parameters"]),
				list(o["parameters"])...) {
				if ref, ok := get(p, "$ref").(string); ok {
					p = get(doc, strings.Split(ref, "/")[1:]...)
				}
				parameters[fmt.Sprint(get(p, "name"))] = p
			}
			delete(parameters, "shardSelector")
			o["parameters"] = parameters
			all[method+" "+path] = o
		}
	}
	return all
}

// simplify removes what is not compared: descriptions that are each server's
// own, not the definition's; what belongs to a feature that is off by default;
// and the list of all kinds that one type of options is of.
func simplify(doc object) {
	undescribe(doc["paths"])
	undescribe(doc["parameters"])
	schemas, ok := doc["definitions"].(object)
	if !ok {
		schemas, _ = get(doc, "components", "schemas").(object)
	}
	for name, schema := range schemas {
		switch {
		case strings.HasPrefix(name, "io.k8s.api"),
			get(schema, "properties", "items") != nil:
			undescribe(schema)
		default:
			undescribeMeta(schema)
		}
	}
	delete(schemas, metaV1+"ShardInfo")
	if properties, ok := get(schemas[metaV1+"ListMeta"],
		"properties").(object); ok {
		delete(properties, "shardInfo")
	}
	if options, ok := schemas[metaV1+"DeleteOptions"].(object); ok {
		delete(options, "x-kubernetes-group-version-kind")
	}
}

const metaV1 = "io.k8s.apimachinery.pkg.apis.meta.v1."

// undescribe removes all descriptions below a value.
func undescribe(v any) {
	switch v := v.(type) {
	case object:
		if _, ok := v["description"].(string); ok {
			delete(v, "description")
		}
		for _, member := range v {
			undescribe(member)
		}
	case []any:
		for _, element := range v {
			undescribe(element)
		}
	}
}

// undescribeMeta removes those of the members that servers add to schemas.
func undescribeMeta(v any) {
	o, _ := v.(object)
	properties, _ := o["properties"].(object)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		if p, ok := properties[name].(object); ok {
			delete(p, "description")
		}
	}
	for _, member := range o {
		undescribeMeta(member)
	}
}

// raw is an answer's status and body, whatever it is.
func (s *server) raw(path, accept string) (int, []byte, error) {
	request, err := http.NewRequest("GET", s.url+path, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Accept", accept)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}
