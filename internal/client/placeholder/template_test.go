package placeholder

import (
	"strings"
	"testing"
)

func TestTemplate(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"plain":            "plain",
		"{k}":              "41",
		"a{k}b{k:40}c":     "a41b1c",
		"{rand:1}":         "0",
		"{x}{k":            "{x}{k",
		`{"a":{"b":{k}}}`:  `{"a":{"b":41}}`,
		"{k:1}{k:2}{k:50}": "0141",
	} {
		tp, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := string(tp.Append(nil, 1, 41)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if tp.Varies() != (text != want) {
			t.Errorf("%q: varies %v", text, tp.Varies())
		}
	}
}

// TestRandom checks that random numbers follow from seed and operation, differ
// within an operation, and are spread evenly.
func TestRandom(t *testing.T) {
	tp, err := Parse("{rand:10}")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for k := range uint64(10000) {
		text := string(tp.Append(nil, 42, k))
		if again := string(tp.Append(nil, 42, k)); again != text {
			t.Fatalf("operation %d: %s, then %s", k, text, again)
		}
		counts[text]++
	}
	for digit, n := range counts {
		if n < 850 || n > 1150 { // five standard deviations, with a fixed seed
			t.Errorf("%s came %d times in 10000", digit, n)
		}
	}
	two, _ := Parse("{rand:9223372036854775807} {rand:9223372036854775807}")
	one, other, _ := strings.Cut(string(two.Append(nil, 42, 1)), " ")
	if one == other {
		t.Errorf("two random numbers of an operation are the same: %s", one)
	}
	if string(two.Append(nil, 42, 1)) == string(two.Append(nil, 43, 1)) {
		t.Error("another seed gives the same numbers")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"{k}", "{k:3}x{rand:7}", "{{k}}", "{rand:0}", "{k:99999999999999999999}"} {
		f.Add(seed, uint64(1), uint64(2))
	}
	f.Fuzz(func(t *testing.T, text string, seed, k uint64) {
		tp, err := Parse(text)
		if err != nil {
			return
		}
		got := string(tp.Append(nil, seed, k))
		if !tp.Varies() && got != text {
			t.Errorf("%q without placeholders becomes %q", text, got)
		}
		if placeholder.MatchString(text) != tp.Varies() {
			t.Errorf("%q varies: %v", text, tp.Varies())
		}
	})
}
