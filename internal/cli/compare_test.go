package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestBenchstatP holds the p of tare compare against that of benchstat on the
// same files. The *-benchstat.csv are what benchstat -format csv -alpha 1
// printed: p with three decimals.
func TestBenchstatP(t *testing.T) {
	golden, err := filepath.Glob("testdata/benchstat/*-benchstat.csv")
	if err != nil || len(golden) != 5 {
		t.Fatalf("%d files, %v", len(golden), err)
	}
	for _, file := range golden {
		want := benchstatPs(t, file)
		got := comparePs(t, strings.TrimSuffix(file, "-benchstat.csv"))
		if len(want) == 0 {
			t.Errorf("%s: no p", file)
		}
		for name, p := range want {
			if !sameP(file, got[name], p) {
				t.Errorf("%s: %s: p = %s, benchstat says %s", file, name, got[name], p)
			}
		}
	}
}

// sameP demands the same three decimals, but for the file with unequal sides:
// where there are ties as well, benchstat doubles the tail of the mirrored U,
// which is another one if the null distribution is not symmetric. There both are
// within 0.001 of each other, and ours is the tail of the U that was seen
// (checked by counting all divisions of the pooled values).
func sameP(file, got, want string) bool {
	if !strings.Contains(file, "3-benchstat") {
		return got == want
	}
	x, errX := strconv.ParseFloat(got, 64)
	y, errY := strconv.ParseFloat(want, 64)
	return errX == nil && errY == nil && math.Abs(x-y) < 0.0011
}

// benchstatPs maps "name unit" to p as text.
func benchstatPs(t *testing.T, file string) map[string]string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	goUnit := map[string]string{"sec/op": "ns/op", "B/s": "MB/s"}
	out, unit := map[string]string{}, ""
	for _, row := range rows {
		if len(row) < 7 {
			continue
		}
		if row[0] == "" && row[1] != "old" {
			unit = row[1]
			if u := goUnit[unit]; u != "" {
				unit = u
			}
		}
		if p, ok := strings.CutPrefix(row[6], "p="); ok {
			p, _, _ = strings.Cut(p, " ")
			name, _, _ := strings.Cut(row[0], "-2")
			out[name+" "+unit] = p
		}
	}
	return out
}

func comparePs(t *testing.T, prefix string) map[string]string {
	var stdout, stderr bytes.Buffer
	args := []string{"compare", "--correction", "none", "--format", "json", prefix + "-old.txt", prefix + "-new.txt"}
	if code := Main(Config{}, args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	var sum struct {
		Comparisons []struct {
			Name, Unit string
			P          any
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &sum); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range sum.Comparisons {
		p := fmt.Sprint(c.P)
		if x, err := strconv.ParseFloat(p, 64); err == nil {
			p = strconv.FormatFloat(x, 'f', 3, 64)
		}
		out[c.Name+" "+c.Unit] = p
	}
	return out
}

// TestCompareOtherUnits: where benchmarks of a name have no unit in common, each file's are named.
func TestCompareOtherUnits(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ old, new, want string }{
		{"BenchmarkX 100 10 things/op", "BenchmarkX 100 10 pages/op 2 words/op", "no benchmark has the same unit in all of them: of X old has things/op; new has pages/op, words/op\n"},
		{"BenchmarkY 1 1 apples/op\nBenchmarkX 100 10 things/op", "BenchmarkX 100 10 pages/op\nBenchmarkZ 1 1 pears/op", "of X old has things/op; new has pages/op\n"},
		{"BenchmarkX 100 10 ns/op\nBenchmarkY 100 10 ns/op", "BenchmarkA 100 10 ns/op", "no benchmark is in all of them; old has X, Y; new has A\n"},
	} {
		for name, text := range map[string]string{"old.txt": c.old, "new.txt": c.new} {
			if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out, messages bytes.Buffer
		if code := Main(Config{}, []string{"compare", "--no-config", "old.txt", "new.txt"}, strings.NewReader(""), &out, &messages); code != exit.Failure || !strings.Contains(messages.String(), c.want) {
			t.Errorf("%s, %s: exit %d\n%s%s", c.old, c.new, code, &out, &messages)
		}
	}
}
