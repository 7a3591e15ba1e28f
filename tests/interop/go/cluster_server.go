package main

// The server that objects are sent to, and what only it can know.

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

type object = map[string]any

type server struct {
	url, token string
	client     *http.Client
}

func newServer(url, token string) *server {
	return &server{url, token, &http.Client{
		Timeout: time.Minute,
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		},
	}}
}

func (s *server) do(method, path, body string) (int, object, error) {
	return s.ask(method, path, body, "application/json")
}

func (s *server) table(path string) (int, object, error) {
	return s.ask("GET", path, "", "application/json;as=Table;v=v1;g=meta.k8s.io")
}

func (s *server) ask(method, path, body, accept string) (int, object, error) {
	return s.request(method, path, body, "application/json", accept)
}

func (s *server) request(method, path, body, content,
	accept string) (int, object, error) {
	request, err := http.NewRequest(method, s.url+path,
		bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", content)
	request.Header.Set("Accept", accept)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, err
	}
	var answer object
	if err := json.Unmarshal(b, &answer); err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return response.StatusCode, answer, nil
}

// create must succeed.
func (s *server) create(o object, ret *object) error {
	b, _ := json.Marshal(o)
	code, body, err := s.do("POST", s.path(o), string(b))
	if err == nil && code != 201 {
		err = errors.New(fmt.Sprint(code, " ", body["message"]))
	}
	if ret != nil {
		*ret = body
	}
	return err
}

// path is the collection of an object's kind.
func (s *server) path(o object) string {
	version, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	path := "/apis/" + version
	if version == "v1" {
		path = "/api/v1"
	}
	switch kind {
	case "Namespace", "Node", "CustomResourceDefinition":
	default:
		path += "/namespaces/" + namespace
	}
	return path + "/" + strings.ToLower(kind) + "s"
}

func (s *server) objectPath(o object) string {
	return s.path(o) + "/" + get(o, "metadata", "name").(string)
}

// get follows names into nested objects; nil if something is not there.
func get(v any, path ...string) any {
	for _, name := range path {
		o, _ := v.(map[string]any)
		v = o[name]
	}
	return v
}

var uids = regexp.MustCompile(
	"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

func hideUIDs(s string) string {
	return uids.ReplaceAllString(s, "<uid>")
}

// facts takes out of an object what only a server can know:
//
//   - apiVersion and kind, which are the request's;
//   - uids, wherever they are, and names that were generated;
//   - times of creation and of conditions, resourceVersion, managedFields;
//   - what is allocated: addresses and ports of Services that were not asked
//     for, and the address families of the cluster.
//
// Admission plugins that change objects are switched off; see ./servers.
func facts(m manifest, o object) object {
	b, _ := json.Marshal(o)
	text := hideUIDs(string(b))
	if empty(get(m.tree, "metadata", "name")) {
		name, _ := get(o, "metadata", "name").(string)
		text = strings.ReplaceAll(text, name, "<name>")
	}
	var copy object
	json.Unmarshal([]byte(text), &copy)
	delete(copy, "apiVersion")
	delete(copy, "kind")
	if metadata, ok := copy["metadata"].(map[string]any); ok {
		for _, name := range []string{"uid", "creationTimestamp",
			"resourceVersion", "managedFields"} {
			delete(metadata, name)
		}
	}
	conditions, _ := get(copy, "status", "conditions").([]any)
	for _, c := range conditions {
		delete(c.(map[string]any), "lastTransitionTime")
	}
	if m.tree["kind"] == "Service" {
		allocated(m, copy["spec"])
	}
	return copy
}

func allocated(m manifest, v any) {
	spec, _ := v.(map[string]any)
	if empty(get(m.tree, "spec", "clusterIP")) {
		delete(spec, "clusterIP")
		delete(spec, "clusterIPs")
	}
	for _, name := range []string{"ipFamilies", "ipFamilyPolicy",
		"healthCheckNodePort"} {
		if empty(get(m.tree, "spec", name)) {
			delete(spec, name)
		}
	}
	asked, _ := get(m.tree, "spec", "ports").([]any)
	ports, _ := spec["ports"].([]any)
	for i := range ports {
		if i < len(asked) && empty(get(asked[i], "nodePort")) {
			delete(ports[i].(map[string]any), "nodePort")
		}
	}
}

func empty(v any) bool {
	list, ok := v.([]any)
	return v == nil || v == "" || v == 0.0 || ok && len(list) == 0
}
