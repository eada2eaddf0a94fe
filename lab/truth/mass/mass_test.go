package main

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestSections: the names are those of the functions, by which they are found in a trace.
func TestSections(t *testing.T) {
	setCalls(1000)
	seen := map[string]bool{}
	for _, s := range sections {
		name := runtime.FuncForPC(reflect.ValueOf(s.run).Pointer()).Name()
		if !strings.HasSuffix(name, "."+s.name) || seen[s.name] {
			t.Errorf("%s: it is %s, or there twice", s.name, name)
		}
		seen[s.name] = true
		s.run()
	}
}

func BenchmarkMass(b *testing.B) {
	for _, s := range sections {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				s.run()
			}
		})
	}
}
