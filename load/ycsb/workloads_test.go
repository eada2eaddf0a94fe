package ycsb

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestWorkloads shows all of what is built in, and what it makes of the defaults.
func TestWorkloads(t *testing.T) {
	var b strings.Builder
	for _, name := range Names() {
		props, ok := Workload(name)
		if !ok {
			t.Fatalf("no workload %s", name)
		}
		fmt.Fprintf(&b, "%s\n", name)
		for _, p := range slices.Sorted(maps.Keys(props)) {
			fmt.Fprintf(&b, "\t%s=%s\n", p, props[p])
		}
		c, err := ParseConfig(props)
		if err != nil {
			t.Errorf("workload %s: %v", name, err)
		}
		kinds, _ := c.kinds()
		fmt.Fprintf(&b, "\tkinds %s\n", strings.Join(kinds, " "))

		upper, ok := Workload(strings.ToUpper(name))
		if !ok || !maps.Equal(props, upper) {
			t.Errorf("workload %s is another than %s", strings.ToUpper(name), name)
		}
		clear(props) // is the caller's
	}
	if again, _ := Workload("a"); len(again) == 0 {
		t.Error("a workload that a caller changed is changed for others")
	}
	checkFile(t, "workloads.txt", b.String())
}

func TestUnknownWorkload(t *testing.T) {
	for _, name := range []string{"", "g", "aa", "A.properties"} {
		if p, ok := Workload(name); ok || p != nil {
			t.Errorf("there is a workload %q", name)
		}
	}
	var err error = &UnknownWorkloadError{"g"}
	want := `unknown workload "g": there are a, b, c, d, e, f; others are given by their properties`
	var unknown *UnknownWorkloadError
	if err.Error() != want || !errors.As(fmt.Errorf("x: %w", err), &unknown) {
		t.Errorf("%v", err)
	}
}
