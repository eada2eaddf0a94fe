package result

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestJSON pins the object that scripts depend on: its keys, their order, and
// that those are absent which do not apply.
func TestJSON(t *testing.T) {
	var words strings.Builder
	words.WriteString("case 1 Encode/size=1k/kind=x procs=2 n=1\ncase 2 Broken mode=time\ncase 3 Few\n")
	for id := 1; id <= 6; id++ {
		fmt.Fprintf(&words, "s %d w 99\ns %d m %d B/op=16\ns %d m %d B/op=16\nfork %d case=1 ok\n", id, id, 10+id, id, 11+id, id)
	}
	words.WriteString("fork 7 case=2 failed\nfork 8 case=1 failed\ns 9 m role=producer op/s=+Inf\nfork 9 case=3 ok\ntare clock=22 loop=0.25\nwarn run 0 noisy text\nend completed\n")
	s := read(t, words.String())
	s.Run = nil // is the record's own line
	text, err := json.MarshalIndent(s, "", " ")
	must(t, err)
	// What the variance consists of has tests of its own.
	got := cut(string(text), ` "components": [`, ` "warnings": [`)
	const golden = "testdata/summary.json"
	if *update {
		must(t, os.MkdirAll("testdata", 0o777))
		must(t, os.WriteFile(golden, []byte(got+"\n"), 0o666))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if got+"\n" != string(want) {
		t.Errorf("not as in %s (-update rewrites it):\n%s", golden, got)
	}
	var back struct {
		Results []struct {
			Median, Lo Number
			Values     []Number
		}
	}
	must(t, json.Unmarshal(text, &back))
	if r := back.Results; !math.IsInf(float64(r[2].Median), 1) || !math.IsInf(float64(r[2].Lo), -1) || !reflect.DeepEqual(r[0].Values, s.Results[0].Values) {
		t.Errorf("%+v", back)
	}
}

// cut takes out what lies between two marks, the second of which stays.
func cut(text, from, to string) string {
	for {
		i := strings.Index(text, from)
		if i < 0 {
			return text
		}
		j := strings.Index(text[i:], to)
		text = strings.TrimRight(text[:i], " ") + "  " + text[i+j:]
	}
}

// TestJSONRun: the header comes first.
func TestJSONRun(t *testing.T) {
	text, err := json.Marshal(read(t, "run confidence=0.9\n"))
	must(t, err)
	if !strings.HasPrefix(string(text), `{"run":{"v":1,`) || !strings.Contains(string(text), `"results":[]`) {
		t.Errorf("%s", text)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[Number]string{0: "0", 1.5: "1.5", -2e300: "-2e+300", Number(math.Inf(1)): `"+Inf"`, Number(math.Inf(-1)): `"-Inf"`, Number(math.NaN()): `null`} {
		text, err := json.Marshal(x)
		if err != nil || string(text) != want {
			t.Errorf("%v: %s, %v", float64(x), text, err)
		}
		var back Number
		if err := json.Unmarshal(text, &back); err != nil || (back != x && !(math.IsNaN(float64(x)) && math.IsNaN(float64(back)))) {
			t.Errorf("%s became %v, %v", text, float64(back), err)
		}
	}
	var n Number
	if err := json.Unmarshal([]byte(`"many"`), &n); err == nil {
		t.Error("a word is a number")
	}
}

func TestObjectsKeepTheirOrder(t *testing.T) {
	text, err := json.Marshal(struct {
		P Params
		M Metrics
	}{
		Params{{Key: "z", Value: "1"}, {Key: "a", Value: `"`}},
		Metrics{{Unit: "x/op", Interval: Interval{1, Number(math.Inf(-1)), 3}}, {Unit: "b"}},
	})
	want := `{"P":{"z":"1","a":"\""},"M":{"x/op":{"median":1,"lo":"-Inf","hi":3},"b":{"median":0,"lo":0,"hi":0}}}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// TestComparisonNotes: comparisons have their warnings in JSON, as benchmarks do, with the side that each is about.
func TestComparisonNotes(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95}, "old", "new")
	s.add("old", "X", "ns/op", 20, 100, 0.02)
	s.add("new", "X", "ns/op", 4, 110, 0.02)
	text, err := json.Marshal(only(t, s.Result()))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name     string
		Warnings []string
		Notes    []struct{ Code, Text, Side string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "X" || fmt.Sprint(got.Warnings) != "[few-forks]" || len(got.Notes) != 1 || got.Notes[0].Code != diagnosis.FewForks || got.Notes[0].Side != "new" || got.Notes[0].Text == "" {
		t.Errorf("%s", text)
	}
}
