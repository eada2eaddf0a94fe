package benchtext

import "testing"

// TestMatchName: --bench means for a record what it means for a run.
func TestMatchName(t *testing.T) {
	for _, c := range []struct {
		re, name string
		want     bool
	}{
		{"", "Encode", true},
		{".", "Encode/codec=json", true},
		{"Encode", "Encode/codec=json", true},
		{"BenchmarkEncode", "Encode", true},
		{"^BenchmarkEncode$", "Encode/codec=json", true},
		{"^Encode$", "Encode", true},
		{"^Encode$", "EncodeAll", false},
		{"Encode$", "Encode/codec=json", true},
		{"Encode/json", "Encode/codec=json", true},
		{"Encode/json", "Encode/codec=xml", false},
		{"Encode/json", "Encode", false},
		{"/json", "Decode/codec=json/size=1", true},
		{"json", "Encode/codec=json", false},
		{"Encode//size=1$", "Encode/codec=json/size=1", true},
		{"Encode//size=1$", "Encode/codec=json/size=10", false},
		{"Encode/json|Decode/xml", "Decode/codec=xml", true},
		{"Encode/json|Decode/xml", "Decode/codec=json", false},
		{"(Enc|Dec)ode/json", "Decode/codec=json", true},
		{"[|/]|Encode", "Encode", true},
		{"Encode/a b", "Encode/a_b", true},
		{"Encode/Benchmark", "Encode/x", false},
	} {
		match, err := MatchName(c.re)
		if err != nil || match(c.name) != c.want {
			t.Errorf("--bench %q of %s: want %v, %v", c.re, c.name, c.want, err)
		}
	}
	for _, bad := range []string{"(", "Encode/[", "a|*"} {
		if _, err := MatchName(bad); err == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"Decode", "Encode/codec=json", "Encode/codec=xml", "Sort", "Search", "Decode"}
	for typed, want := range map[string]string{
		"BenchmarkEncoder": "there is Encode/codec=xml, Encode/codec=json, Decode, and 2 more",
		"^sear$":           "there is Search, Sort, Decode, and 2 more",
	} {
		if got := Nearest(typed, names); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
	if got := Nearest("x", names[:1]); got != "there is Decode" {
		t.Error(got)
	}
}
