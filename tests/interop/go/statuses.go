package main

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var statusOps = []op{
	{name: "status", cases: statusCases, want: wantStatus},
	{name: "status_again", cases: statusAgainCases, want: wantStatusAgain,
		rules: []rule{filledIn}},
	{name: "condition_set", cases: conditionSetCases, want: wantConditionSet},
	{name: "condition_remove", cases: conditionRemoveCases,
		want: wantConditionRemove, rules: []rule{emptyList}},
}

// What a failure does not say, the table of errors does; a success has no
// reason.
var filledIn = rule{"what is absent is filled in",
	func(args []string, want, got answer) bool {
		var a, b metav1.Status
		if len(got.Out) != 1 ||
			json.Unmarshal([]byte(want.Out[0]), &a) != nil ||
			json.Unmarshal([]byte(got.Out[0]), &b) != nil {
			return false
		}
		if a.Message == "" {
			b.Message = ""
		}
		if a.Code == 0 {
			b.Code = 0
		}
		if a.Status == "Success" {
			a.Reason = ""
		} else if a.Reason == "" {
			b.Reason = ""
		}
		return canonical(a) == canonical(b)
	}}

// Yuloh always gives an array.
var emptyList = rule{"null becomes an empty list",
	func(args []string, want, got answer) bool {
		n := len(want.Out) - 1
		return len(got.Out) == n+1 && want.Out[n] == "null" &&
			got.Out[n] == "[]"
	}}

// statusArgs are what the functions below are made of.
type statusArgs struct {
	schema.GroupResource
	name, why string
	seconds   int
}

var statusMakers = map[string]func(statusArgs) *apierrors.StatusError{
	"not_found": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewNotFound(a.GroupResource, a.name)
	},
	"exists": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewAlreadyExists(a.GroupResource, a.name)
	},
	"conflict": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewConflict(a.GroupResource, a.name,
			errors.New(a.why))
	},
	"forbidden": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewForbidden(a.GroupResource, a.name,
			errors.New(a.why))
	},
	"method_not_supported": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewMethodNotSupported(a.GroupResource, a.name)
	},
	"server_timeout": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewServerTimeout(a.GroupResource, a.name, a.seconds)
	},
	"unauthorized": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewUnauthorized(a.why)
	},
	"bad_request": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewBadRequest(a.why)
	},
	"expired": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewResourceExpired(a.why)
	},
	"unavailable": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewServiceUnavailable(a.why)
	},
	"internal": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewInternalError(errors.New(a.why))
	},
	"timeout": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewTimeoutError(a.why, a.seconds)
	},
	"too_many_requests": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewTooManyRequests(a.why, a.seconds)
	},
	"too_large": func(a statusArgs) *apierrors.StatusError {
		return apierrors.NewRequestEntityTooLargeError(a.why)
	},
	"invalid": func(a statusArgs) *apierrors.StatusError {
		errs := field.ErrorList{field.Required(field.NewPath(a.why), "why")}
		if a.seconds > 0 {
			errs = append(errs, field.Forbidden(field.NewPath("spec.b"),
				"because"))
		}
		return apierrors.NewInvalid(schema.GroupKind{Group: a.Group,
			Kind: a.Resource}, a.name, errs)
	},
}

func statusCases(g *gen) [][]string {
	var cases [][]string
	for name := range statusMakers {
		cases = append(cases, []string{name, "", "pods", "web-0", "why", "0"})
	}
	return g.random(cases, func() []string {
		return []string{g.pick("not_found", "exists", "conflict", "forbidden",
			"method_not_supported", "server_timeout", "unauthorized",
			"bad_request", "expired", "unavailable", "internal", "timeout",
			"too_many_requests", "too_large", "invalid"),
			g.pick("", "apps", "a.b"), g.pick("pods", "Pod", "", "a\"b"),
			g.pick("web-0", "", "a\"b", "é", "get", "a\\", "\n", "<>&"),
			g.pick("why", "spec.a", "é \"x\" \\ \t", "\u2028", "<>&"),
			g.pick("0", "1", "30")}
	})
}

func wantStatus(args []string) answer {
	seconds, _ := strconv.Atoi(args[5])
	status := statusMakers[args[0]](statusArgs{schema.GroupResource{
		Group: args[1], Resource: args[2]}, args[3], args[4],
		seconds}).Status()
	return values(nil, statusText(status))
}

func statusText(status metav1.Status) string {
	status.Kind, status.APIVersion = "Status", "v1"
	return canonical(status)
}

func statusAgainCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		s := metav1.Status{Status: "Failure",
			Message: g.pick("", "x", "é\n", "<\u2028"),
			Reason: metav1.StatusReason(g.pick("", "NotFound", "Conflict",
				"Strange", "Expired", "InternalError")),
			Code: int32(g.IntN(600))}
		if g.chance(3) {
			s.Code = 0
		}
		if g.chance(6) {
			s.Status = "Success"
		}
		if g.chance(2) {
			s.Details = &metav1.StatusDetails{Name: g.pick("", "a"),
				Group: g.pick("", "apps"), Kind: g.pick("", "pods"),
				UID:               "",
				RetryAfterSeconds: int32(g.IntN(3))}
			for range g.IntN(3) {
				s.Details.Causes = append(s.Details.Causes,
					metav1.StatusCause{
						Type:    metav1.CauseType(g.pick("", "FieldValueX")),
						Message: g.pick("", "m"), Field: g.pick("", "a.b")})
			}
		}
		return []string{statusText(s)}
	})
}

func wantStatusAgain(args []string) answer {
	var status metav1.Status
	err := json.Unmarshal([]byte(args[0]), &status)
	return values(err, statusText(status))
}

func (g *gen) conditions() string {
	list := []metav1.Condition{}
	for _, t := range []string{"Ready", "Available", "é"} {
		if g.chance(2) {
			list = append(list, metav1.Condition{Type: t,
				Status:             metav1.ConditionStatus(g.conditionStatus()),
				Reason:             g.pick("", "A", "B"),
				Message:            g.pick("", "m", "a \"b\"\n", "<"),
				ObservedGeneration: int64(g.IntN(3)),
				LastTransitionTime: metav1.Unix(int64(g.IntN(1e9)), 0)})
		}
	}
	if g.chance(20) {
		return "null"
	}
	return canonical(list)
}

func (g *gen) conditionStatus() string {
	return g.pick("True", "False", "Unknown")
}

func conditionSetCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		return []string{g.conditions(), g.pick("Ready", "Available", "New"),
			g.conditionStatus(), g.pick("", "A", "B"),
			g.pick("", "m", "a \"b\"\n", "é"), strconv.Itoa(g.IntN(3)),
			strconv.Itoa(1 + g.IntN(1e9))}
	})
}

func wantConditionSet(args []string) answer {
	var list []metav1.Condition
	if err := json.Unmarshal([]byte(args[0]), &list); err != nil {
		return values(err)
	}
	generation, _ := strconv.ParseInt(args[5], 10, 64)
	seconds, _ := strconv.ParseInt(args[6], 10, 64)
	changed := meta.SetStatusCondition(&list, metav1.Condition{
		Type: args[1], Status: metav1.ConditionStatus(args[2]),
		Reason: args[3], Message: args[4], ObservedGeneration: generation,
		LastTransitionTime: metav1.NewTime(time.Unix(seconds, 0))})
	return values(nil, changed, sorted(list))
}

func conditionRemoveCases(g *gen) [][]string {
	return g.random(nil, func() []string {
		return []string{g.conditions(), g.pick("Ready", "Available", "New")}
	})
}

func wantConditionRemove(args []string) answer {
	var list []metav1.Condition
	if err := json.Unmarshal([]byte(args[0]), &list); err != nil {
		return values(err)
	}
	isTrue := meta.IsStatusConditionTrue(list, args[1])
	isFalse := meta.IsStatusConditionFalse(list, args[1])
	removed := meta.RemoveStatusCondition(&list, args[1])
	return values(nil, isTrue, isFalse, removed, sorted(list))
}

// sorted is canonical JSON with the members of structs in order, too.
func sorted(v any) string {
	return wantJSON([]string{canonical(v)}).Out[0]
}
