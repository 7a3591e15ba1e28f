package main

// The CRDs that are generated from the examples' headers, on a real server.

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// definition is an example, and what its resource must do.
type definition struct {
	header string
	status bool // It has the subresource.
}

var definitions = []definition{
	{"examples/network/network_types.h", false},
	{"examples/network_status/network_types.h", true},
	{"examples/appservice/appservice_types.h", false},
}

// compareDefinitions applies each definition and sends it the objects of the
// file: those named bad-... must be refused.
func compareDefinitions(a *area, s *server, path string) error {
	objects, err := readManifests(path)
	if err != nil {
		return err
	}
	for _, d := range definitions {
		name := filepath.Base(filepath.Dir(d.header))
		crd, err := applyDefinition(s, d.header)
		if err != nil {
			a.result(name, err.Error())
			continue
		}
		a.result(name, established(s, crd))
		for _, m := range objects {
			if m.tree["apiVersion"] == groupVersion(crd) &&
				(d.status || !strings.HasPrefix(m.name, "bad-")) {
				a.result(name+"/"+m.name, served(s, d, m))
			}
		}
		if err := removeDefinition(s, crd); err != nil {
			return err
		}
	}
	return nil
}

func applyDefinition(s *server, header string) (object, error) {
	text, err := exec.Command(*generator, "crd", header).Output()
	if err != nil {
		return nil, fmt.Errorf("%s crd %s: %w", *generator, header, err)
	}
	var crd, made object
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return nil, err
	}
	return crd, s.create(crd, &made)
}

func groupVersion(crd object) string {
	versions, _ := get(crd, "spec", "versions").([]any)
	return fmt.Sprintf("%v/%v", get(crd, "spec", "group"),
		get(versions[0], "name"))
}

// established waits for the conditions that a good definition gets.
func established(s *server, crd object) string {
	for range 600 {
		code, body, err := s.do("GET", s.objectPath(crd), "")
		if err != nil || code != 200 {
			return fmt.Sprint(code, err)
		}
		conditions, _ := get(body, "status", "conditions").([]any)
		is := map[any]any{}
		for _, c := range conditions {
			is[get(c, "type")] = get(c, "status")
		}
		if bad, ok := is["NonStructuralSchema"]; ok {
			return fmt.Sprint("NonStructuralSchema is ", bad)
		}
		if is["Established"] == "True" && is["NamesAccepted"] == "True" {
			// Handlers follow the condition a little later.
			code, _, _ = s.do("GET", "/apis/"+groupVersion(crd), "")
			if code == 200 {
				return ""
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "is never established"
}

// served says what is wrong with how the server treats one object.
func served(s *server, d definition, m manifest) string {
	path := s.path(m.tree)
	code, body, err := s.do("POST", path, m.json)
	for i := 0; err == nil && code == 404 && i < 600; i++ {
		time.Sleep(100 * time.Millisecond)
		code, body, err = s.do("POST", path, m.json)
	}
	if strings.HasPrefix(m.name, "bad-") {
		if err != nil || code != 422 {
			return fmt.Sprint("is not refused: ", code, " ", body["message"])
		}
		return ""
	}
	if err != nil || code != 201 {
		return fmt.Sprint(code, " ", body["message"], err)
	}
	var diffs []string
	differences("spec", m.tree["spec"], body["spec"], &diffs)
	if status, ok := m.tree["status"]; ok && d.status {
		if _, ok := body["status"]; ok {
			diffs = append(diffs, "status was taken from the body")
		}
		body["status"] = status
		b, _ := json.Marshal(body)
		code, body, err = s.do("PUT", s.objectPath(body)+"/status", string(b))
		if err != nil || code != 200 {
			return fmt.Sprint("status: ", code, " ", body["message"], err)
		}
		differences("status", status, body["status"], &diffs)
	} else if ok && !d.status && get(m.tree, "kind") == "AppService" {
		differences("status", status, body["status"], &diffs)
	}
	return strings.Join(diffs, "; ")
}

func removeDefinition(s *server, crd object) error {
	path := s.objectPath(crd)
	code, body, err := s.do("DELETE", path, "")
	// Controllers write to definitions, too.
	for i := 0; err == nil && code == 409 && i < 100; i++ {
		time.Sleep(100 * time.Millisecond)
		code, body, err = s.do("DELETE", path, "")
	}
	for i := 0; err == nil && code == 200 && i < 1200; i++ {
		time.Sleep(100 * time.Millisecond)
		code, body, err = s.do("GET", path, "")
	}
	if err == nil && code != 404 {
		err = fmt.Errorf("%s does not go: %d %v", path, code, body["message"])
	}
	return err
}
