package cli

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/record"
)

// anotherValue returns a value of an option that is not its default.
func anotherValue(o job.Option) string {
	switch o.Name {
	case "precision", "threshold":
		return "7%"
	case "confidence":
		return "0.9"
	case "gomaxprocs":
		return "3"
	case "budget", "time":
		return "90s"
	}
	switch {
	case len(o.Words) > 0:
		return strings.Split(o.Words[1], "\t")[0]
	case o.Value.Type() == "int":
		return "7"
	}
	return "Example"
}

// savedSide are flags that compare with a record that was saved.
var savedSide = []string{"--against=saved:x"}

// headOf returns the head of the record of tare bench with some flags, variables and a team's file, and what --print-config
// says of a flag.
func headOf(t *testing.T, toml string, flag string, args ...string) (record.Run, string) {
	t.Helper()
	if err := os.WriteFile(teamfile.Name, []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	f, out := newBenchFlags(), bytes.Buffer{}
	cmd := &cobra.Command{Use: "bench"}
	f.register(cmd.Flags())
	if err := cmd.ParseFlags(append([]string{"--seed", "1"}, args...)); err != nil {
		t.Fatal(err)
	}
	if f.job.Sides.Others = slices.Contains(args, savedSide[0]); f.job.Sides.Others { // as takeSaved does
		f.job.Sides.Against, f.saved.against = nil, "x"
	} else {
		f.job.Sides.Side = []string{"a=.", "b=."}
	}
	if err := f.team.apply(cmd, f.skipWithoutSides); err != nil {
		t.Fatal(err)
	}
	f.take(cmd, nil)
	head, err := f.job.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.team.print(streams{out: &out}, cmd.Flags()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); len(words) > 2 && words[0] == "--"+flag {
			return head, strings.Join(words[1:], " ")
		}
	}
	return head, ""
}

// TestOptionsAgree: each option that a team's file may set means the same as a flag, as a variable and in the file;
// it means the same beside a record that was saved, and --print-config shows the value and where it is from.
func TestOptionsAgree(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("go.mod", []byte("module example.com/m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	plain, _ := headOf(t, "", "")
	tested := 0
	for _, o := range new(job.Bench).Options() {
		value := anotherValue(o)
		if o.Key == "" || o.On&job.OnBench == 0 {
			continue
		}
		tested++
		typed, shown := headOf(t, "", o.Name, "--"+o.Name, value)
		if reflect.DeepEqual(typed, plain) || !strings.HasSuffix(shown, " flag") {
			t.Errorf("--%s %s: %q", o.Name, value, shown)
		}
		saved, _ := headOf(t, o.Key+" = \""+value+"\"\n", o.Name, savedSide...)
		saved.Config.Threshold, saved.Config.Correction = typed.Config.Threshold, typed.Config.Correction // of the comparison, which is no part of this record
		if !reflect.DeepEqual(saved.Config, typed.Config) {
			t.Errorf("%s = %q with %s: %+v, want %+v", o.Key, value, savedSide, saved.Config, typed.Config)
		}
		inFile, shown := headOf(t, o.Key+" = \""+value+"\"\n", o.Name)
		if !reflect.DeepEqual(typed, inFile) || !strings.Contains(shown, teamfile.Name) {
			t.Errorf("%s = %q in the file: %q, %+v, want %+v", o.Key, value, shown, inFile.Config, typed.Config)
		}
		t.Setenv(teamfile.Variable(o.Name), value)
		inVariable, shown := headOf(t, "", o.Name)
		if !reflect.DeepEqual(typed, inVariable) || !strings.HasSuffix(shown, teamfile.Variable(o.Name)) {
			t.Errorf("%s=%s: %q, %+v, want %+v", teamfile.Variable(o.Name), value, shown, inVariable.Config, typed.Config)
		}
		os.Unsetenv(teamfile.Variable(o.Name))
	}
	if tested < 12 {
		t.Errorf("%d options were tested", tested)
	}
	if _, shown := headOf(t, "", "forks", "--quick"); shown != "6 follows from another flag" {
		t.Errorf("--quick --print-config: --forks %s", shown)
	}
}

// TestOptionsResumed: a run that is resumed may be given the options that the table says, and no other.
func TestOptionsResumed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, o := range new(job.Bench).Options() {
		if o.On&job.OnBench == 0 {
			continue
		}
		var out, errs bytes.Buffer
		arg := "--" + o.Name + "=" + anotherValue(o)
		switch o.Value.Type() {
		case "bool":
			arg = "--" + o.Name
		case "duration":
			arg = "--" + o.Name + "=9s"
		}
		if o.Name == "memory-limit" || o.Name == "memory-max" {
			arg = "--" + o.Name + "=1GiB"
		}
		Main(Config{}, []string{"bench", "--resume", "nosuch.jsonl", arg}, strings.NewReader(""), &out, &errs)
		if refused := strings.Contains(errs.String(), "leave out --"+o.Name); refused == o.Resumed {
			t.Errorf("--resume with %s: %q", arg, errs.String())
		}
	}
}

// TestBudgetOfHistory: --budget of history run is one of all sequences, and not refused as that of a run of benchmarks.
func TestBudgetOfHistory(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	Main(Config{}, []string{"history", "run", "--since", "HEAD~1", "--budget", "10m", "--dry-run"}, strings.NewReader(""), &out, &errs)
	if text := errs.String(); strings.Contains(text, "--budget") || !strings.Contains(text, "repository") {
		t.Errorf("%q, want that there is no repository", text)
	}
}
