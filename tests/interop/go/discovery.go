package main

// What both servers say they serve.

import (
	"fmt"
	"strings"
)

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;" +
	"as=APIGroupDiscoveryList"

// compareDiscovery wants every resource that ours serves to be described as
// there, in both forms of discovery, and nothing to be left out of a version
// that both serve.
func compareDiscovery(a *area, theirs, mine *server) error {
	for _, form := range []func(*server) (map[string]any, error){
		listed, grouped} {
		want, err := form(theirs)
		if err != nil {
			return err
		}
		have, err := form(mine)
		if err != nil {
			return err
		}
		versions := map[string]bool{}
		for name := range have {
			versions[strings.Split(name, " ")[0]] = true
		}
		for _, name := range names(want, have) {
			version := strings.Split(name, " ")[0]
			switch {
			case !versions[version] || oldVersions[version]:
			case want[name] == nil:
				a.result(name, "is extra")
			case have[name] == nil:
				a.result(name, "is missing")
			default:
				var diffs []string
				differences("", want[name], have[name], &diffs)
				a.result(name, strings.Join(diffs, "; "))
			}
		}
	}
	return nil
}

// Versions that only Yuloh still serves.
var oldVersions = map[string]bool{"batch/v1beta1": true,
	"batch/v2alpha1": true, "apiextensions.k8s.io/v1beta1": true}

// listed is legacy discovery: resources by "version name".
func listed(s *server) (map[string]any, error) {
	all := map[string]any{}
	paths := []string{"/api/v1"}
	_, groups, err := s.do("GET", "/apis", "")
	if err != nil {
		return nil, err
	}
	for _, g := range list(groups["groups"]) {
		for _, v := range list(get(g, "versions")) {
			paths = append(paths, fmt.Sprintf("/apis/%v",
				get(v, "groupVersion")))
		}
	}
	for _, path := range paths {
		_, answer, err := s.do("GET", path, "")
		if err != nil {
			return nil, err
		}
		for _, r := range list(answer["resources"]) {
			all[fmt.Sprintf("%v %v", answer["groupVersion"],
				get(r, "name"))] = r
		}
	}
	return all, nil
}

// grouped is aggregated discovery: resources by "version name, aggregated".
func grouped(s *server) (map[string]any, error) {
	all := map[string]any{}
	for _, path := range []string{"/api", "/apis"} {
		_, answer, err := s.ask("GET", path, "", aggregated)
		if err != nil {
			return nil, err
		}
		for _, g := range list(answer["items"]) {
			group, _ := get(g, "metadata", "name").(string)
			for _, v := range list(get(g, "versions")) {
				version := fmt.Sprint(get(v, "version"))
				if group != "" {
					version = group + "/" + version
				}
				for _, r := range list(get(v, "resources")) {
					all[fmt.Sprintf("%s %v, aggregated", version,
						get(r, "resource"))] = r
				}
			}
		}
	}
	return all, nil
}
