package profile_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// TestCallgrindAnnotate has valgrind's own reader add up what it was given: a function's inclusive cost is the total that
// the tables have.
func TestCallgrindAnnotate(t *testing.T) {
	tool, err := exec.LookPath("callgrind_annotate")
	if err != nil {
		t.Skip("callgrind_annotate (valgrind) is not installed")
	}
	for name, v := range map[string]*profile.View{"wall": view(t, wall, profile.Config{}), "woven": view(t, woven, profile.Config{}), "cpu": view(t, cpu, profile.Config{})} {
		var b bytes.Buffer
		if err := v.Callgrind(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "callgrind.out."+name)
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "--inclusive=yes", "--threshold=100", "--auto=no", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		var totals []string
		for _, m := range regexp.MustCompile(`(?m)^ *([0-9,]+) \(.*?\) +\S+:(.+?)(?: \[.*)?$`).FindAllStringSubmatch(string(out), -1) {
			totals = append(totals, m[2]+" "+strings.ReplaceAll(m[1], ",", ""))
		}
		for _, f := range v.Functions {
			if f.RunningTotal == 0 || strings.ContainsAny(f.Name, "\x1b\u202e") {
				continue
			}
			if want := f.Name + " " + jsonText(t, f.RunningTotal); !slices.Contains(totals, want) {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
	}
}

func jsonText(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSpeedscope holds files against the rules of speedscope's file-format-spec.ts: known units, indices of frames that
// exist, a weight for each sample, and an end that is their sum.
func TestSpeedscope(t *testing.T) {
	for name, v := range map[string]*profile.View{
		"wall": view(t, wall, profile.Config{}), "cpu": view(t, cpu, profile.Config{}), "calls": view(t, woven, profile.Config{Type: "calls"}), "empty": view(t, empty, profile.Config{}),
	} {
		var b bytes.Buffer
		if err := v.Speedscope(&b); err != nil {
			t.Fatal(err)
		}
		var f struct {
			Schema string `json:"$schema"`
			Shared struct {
				Frames []struct{ Name *string }
			}
			Profiles []struct {
				Type, Name, Unit     *string
				StartValue, EndValue *int64
				Samples              [][]int
				Weights              []int64
			}
		}
		if err := json.Unmarshal(b.Bytes(), &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if f.Schema != "https://www.speedscope.app/file-format-schema.json" || len(f.Profiles) != 1 || f.Shared.Frames == nil {
			t.Fatalf("%s: %s", name, b.Bytes())
		}
		p := f.Profiles[0]
		units := []string{"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}
		if *p.Type != "sampled" || p.Name == nil || !slices.Contains(units, *p.Unit) || *p.StartValue != 0 || p.Samples == nil || len(p.Samples) != len(p.Weights) {
			t.Errorf("%s: %s", name, b.Bytes())
		}
		var sum int64
		for i, s := range p.Samples {
			sum += p.Weights[i]
			if len(s) == 0 || slices.Max(s) >= len(f.Shared.Frames) || slices.Min(s) < 0 {
				t.Errorf("%s: sample %v of %d frames", name, s, len(f.Shared.Frames))
			}
		}
		if sum != *p.EndValue || sum != v.Shown {
			t.Errorf("%s: weights are %d together, the end is %d, and what is shown %d", name, sum, *p.EndValue, v.Shown)
		}
	}
}
