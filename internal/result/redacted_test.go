package result

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// addRedacted adds the forks of benchmarks whose names differ in a secret alone, in this order: A takes 100 ns, B
// 1000 ns. Earlier versions have written no hashes of names.
func (s *sided) addRedacted(side string, hashed bool, secrets ...string) {
	for _, secret := range secrets {
		name, value := "G/http://h/x?sig="+secret, map[string]float64{"A": 100, "B": 1000}[secret]
		if !hashed {
			name = "G/http://h/x?sig=***"
		}
		s.add(side, name, "ns/op", 8, value, 0.02)
	}
}

// TestRedactedNames: benchmarks whose names differ in a secret alone are compared with the same benchmark, in
// whatever order the sides run them. If a record does not identify them they are not compared, and a warning says so.
func TestRedactedNames(t *testing.T) {
	const redacted = "G/http://h/x?sig=***"
	for _, test := range []struct {
		name     string
		old, new []string
		hashed   [2]bool
		want     []string // compared
		warning  string
	}{
		{"one order", []string{"A", "B"}, []string{"A", "B"}, [2]bool{true, true}, []string{redacted, redacted + "#01"}, ""},
		{"another order", []string{"A", "B"}, []string{"B", "A"}, [2]bool{true, true}, []string{redacted, redacted + "#01"}, ""},
		{"one is missing", []string{"A", "B"}, []string{"B"}, [2]bool{true, true}, []string{redacted + "#01"}, diagnosis.OneSide},
		{"others", []string{"A"}, []string{"B"}, [2]bool{true, true}, nil, diagnosis.OneSide},
		{"no hashes", []string{"A", "B"}, []string{"B", "A"}, [2]bool{}, nil, diagnosis.NamesUnknown},
		{"no hashes of one side", []string{"A", "B"}, []string{"A", "B"}, [2]bool{false, true}, nil, diagnosis.NamesUnknown},
		{"two of one", []string{"A"}, []string{"B", "A"}, [2]bool{false, true}, nil, diagnosis.NamesUnknown},
		{"one of each, no hash", []string{"A"}, []string{"A"}, [2]bool{false, true}, []string{redacted}, ""},
	} {
		live := newSided(record.Config{}, "old", "new")
		live.addRedacted("old", test.hashed[0], test.old...)
		live.addRedacted("new", test.hashed[1], test.new...)
		checkRedacted(t, test.name, live.Result(), test.want, test.warning)

		joined := NewBuilder()
		for i, names := range [][]string{test.old, test.new} {
			s := newSided(record.Config{}, "")
			s.run.Sides = nil
			s.addAlone(test.hashed[i], names...)
			if err := joined.Absorb(s.Builder, []string{"old", "new"}[i]); err != nil {
				t.Fatal(err)
			}
		}
		checkRedacted(t, test.name+", two records", joined.Result(), test.want, test.warning)
	}
}

// addAlone is addRedacted of a record without sides.
func (s *sided) addAlone(hashed bool, secrets ...string) {
	s.run.Sides = []record.Side{{}}
	s.addRedacted("", hashed, secrets...)
	s.run.Sides = nil
}

func checkRedacted(t *testing.T, name string, r *Result, want []string, warning string) {
	t.Helper()
	var got []string
	for _, c := range r.Comparisons {
		got = append(got, c.Name)
		if c.Ratio < 0.9 || c.Ratio > 1.1 {
			t.Errorf("%s: %s: ratio %.3f: compared with another benchmark", name, c.Name, c.Ratio)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: compared %q, want %q", name, got, want)
	}
	for _, code := range []string{diagnosis.OneSide, diagnosis.NamesUnknown} {
		if has := slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == code }); has != (code == warning) {
			t.Errorf("%s: warning %s: %v", name, code, has)
		}
	}
	if text := fmt.Sprint(r.Warnings); strings.Contains(text, "sig=A") || strings.Contains(text, "sig=B") {
		t.Errorf("%s: %s", name, text)
	}
}
