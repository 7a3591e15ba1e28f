package main

// Manifests with fields added that nobody wrote, from the server's own
// schemas.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// schemas are the types of the group-versions that manifests are of, by name.
type schemas struct {
	types map[string]object
	roots map[string]string // From "VERSION KIND" to a name.
}

var plainStrings = []string{"", "a", "a-b", "A_B", "a b", "x.y/z", "10.0.0.1",
	"1", "50%", "Never", "true", "/a", "a.example.com", "2024-01-02T03:04:05Z"}

func readSchemas(s *server) (*schemas, error) {
	all := &schemas{map[string]object{}, map[string]string{}}
	for _, path := range []string{"api/v1", "apis/apps/v1", "apis/batch/v1",
		"apis/events.k8s.io/v1", "apis/coordination.k8s.io/v1"} {
		code, body, err := s.do("GET", "/openapi/v3/"+path, "")
		if err != nil || code != 200 {
			return nil, fmt.Errorf("/openapi/v3/%s: %d %w", path, code, err)
		}
		found, _ := get(body, "components", "schemas").(map[string]any)
		for name, v := range found {
			all.types[name], _ = v.(map[string]any)
			kinds, _ := get(v, "x-kubernetes-group-version-kind").([]any)
			for _, k := range kinds {
				version := fmt.Sprint(get(k, "version"))
				if group := fmt.Sprint(get(k, "group")); group != "" {
					version = group + "/" + version
				}
				all.roots[version+" "+fmt.Sprint(get(k, "kind"))] = name
			}
		}
	}
	return all, nil
}

// resolve follows the references of a schema.
func (all *schemas) resolve(v any) object {
	for {
		o, _ := v.(map[string]any)
		if list, ok := o["allOf"].([]any); ok && len(list) > 0 {
			v = list[0]
		} else if ref, ok := o["$ref"].(string); ok {
			v = all.types[ref[strings.LastIndex(ref, "/")+1:]]
		} else {
			return o
		}
	}
}

// additions lists the fields that could be added below a value.
func (all *schemas) additions(r *rand.Rand, path string, v any, schema object,
	add func(path string, change func())) {
	properties, _ := schema["properties"].(map[string]any)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names(properties) {
			at := path + "." + name
			below := all.resolve(properties[name])
			if old, ok := v[name]; ok {
				all.additions(r, at, old, below, add)
			} else if !fixedPaths[at] {
				add(at, func() { v[name] = all.invent(r, below, 0) })
			}
		}
	case []any:
		for i := range v {
			all.additions(r, fmt.Sprintf("%s[%d]", path, i), v[i],
				all.resolve(schema["items"]), add)
		}
	}
}

// invent makes a value of the type, not always a good one.
func (all *schemas) invent(r *rand.Rand, schema object, depth int) any {
	if enum, ok := schema["enum"].([]any); ok && r.IntN(4) > 0 {
		return enum[r.IntN(len(enum))]
	}
	switch schema["type"] {
	case "string":
		if schema["format"] == "byte" {
			return "YWI="
		}
		if schema["format"] == "date-time" {
			return "2024-01-02T03:04:05Z"
		}
		return plainStrings[r.IntN(len(plainStrings))]
	case "integer":
		return []any{0.0, 1.0, 2.0, -1.0, 80.0, 65536.0}[r.IntN(6)]
	case "boolean":
		return r.IntN(2) == 0
	case "array":
		list := []any{}
		for range r.IntN(3) {
			list = append(list, all.invent(r, all.resolve(schema["items"]),
				depth+1))
		}
		return list
	case "object":
		o := object{}
		required, _ := schema["required"].([]any)
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range names(properties) {
			needed := false
			for _, n := range required {
				needed = needed || n == name
			}
			if depth < 5 && (needed && r.IntN(8) > 0 ||
				r.IntN(1+len(properties)) == 0) {
				o[name] = all.invent(r, all.resolve(properties[name]),
					depth+1)
			}
		}
		if more := schema["additionalProperties"]; more != nil {
			for range r.IntN(3) {
				o[plainStrings[r.IntN(7)]] = all.invent(r, all.resolve(more),
					depth+1)
			}
		}
		return o
	}
	return oddValues[r.IntN(len(oddValues))]
}
