package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/logtest"
)

// commands are what services of continuous integration read from the log of a job.
const commands = " ##[error]evil ##[add-mask]evil ##vso[task.complete]evil ##teamcity[evil] section_start:1:evil\r\n::stop-commands::evil\n\u3000::error::evil"

// TestJobLog: whatever a record says, nothing that any verb writes to the log of a job is a command: neither on
// standard output nor on standard error, nor on both, in whichever order they are read. Commands are enabled at the
// end.
func TestJobLog(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	var files []string
	for _, name := range []string{"bench-sides", "load", "sample"} {
		files = append(files, filepath.Join("testdata", "golden", name+".jsonl"))
	}
	stops := regexp.MustCompile(`^::stop-commands::[A-Z2-7]{26}\n`)
	ours := regexp.MustCompile(`(?m)^::(stop-commands::)?[A-Z2-7]{26}(::)?\n`)
	found, stdout := 0, ""
	eachOutput(t, files, commands, func(what, _, text string) {
		switch {
		case strings.HasSuffix(what, ", file"):
			return
		case strings.HasSuffix(what, ", stdout"):
			stdout = text
			checkLog(t, what, text)
			return
		}
		if !stops.MatchString(text) {
			t.Errorf("%s: commands are not stopped: %.200q", what, text)
		}
		checkLog(t, what, text)
		checkLog(t, what+" without the token", ours.ReplaceAllString(text, ""))
		checkLog(t, what+" and stdout, interleaved", interleaved(rng, stdout, text))
		found += strings.Count(stdout+text, `##\[error]evil`) + strings.Count(stdout+text, `##\u005berror]evil`)
	})
	if found < 100 {
		t.Errorf("seed %d: %d commands are in outputs: the test does not reach what is shown", seed, found)
	}
}

func checkLog(t *testing.T, what, text string) {
	t.Helper()
	g := logtest.GitHub{}
	g.Read(text)
	if len(g.Obeyed) > 0 || g.Stopped() {
		t.Errorf("%s: obeyed %.300q, stopped %v", what, g.Obeyed, g.Stopped())
	}
	if others := logtest.Others(text); len(others) > 0 {
		t.Errorf("%s: %q", what, others)
	}
}

// interleaved returns the lines of two streams in a random order of the streams.
func interleaved(rng *rand.Rand, a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var out strings.Builder
	for len(x)+len(y) > 0 {
		if len(y) == 0 || len(x) > 0 && rng.IntN(2) == 0 {
			x, y = y, x
		}
		out.WriteString(strings.TrimRight(y[0], "\n") + "\n")
		y = y[1:]
	}
	return out.String()
}

// TestJobData: data on standard output is the same in a job to who decodes it. In other formats there is a backslash.
func TestJobData(t *testing.T) {
	text := poison(t, goldenRecord(t, "bench-sides"), commands)
	for _, format := range []string{"json", "jmh", "jsonl", "csv", "benchfmt", "md"} {
		t.Setenv("GITHUB_ACTIONS", "")
		_, plain, _ := run(text, "report", "--format", format, "-")
		t.Setenv("GITHUB_ACTIONS", "true")
		_, job, _ := run(text, "report", "--format", format, "-")
		same := decoded(plain) == decoded(job)
		if format == "csv" || format == "benchfmt" || format == "md" {
			same = strings.ReplaceAll(plain, `\`, "") == strings.ReplaceAll(job, `\`, "")
		}
		if !same || plain == job && format != "jsonl" && format != "md" {
			t.Errorf("%s: %.300q became %.300q", format, plain, job)
		}
	}
}

// decoded returns what the values of JSON in a text mean.
func decoded(text string) string {
	var out strings.Builder
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var v any
		if err := d.Decode(&v); err != nil {
			return err.Error()
		}
		fmt.Fprintln(&out, v)
	}
	return out.String()
}
