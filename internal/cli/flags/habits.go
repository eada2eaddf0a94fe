package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/suggest"
)

// Habits are flags of go test, by what does the same here.
var Habits = map[string]string{
	"benchmem":      "B/op and allocs/op are always there: leave it out",
	"benchtime":     "--time 1s is the length of an iteration, --benchtime 100x its operations",
	"blockprofile":  "tare sample --wall shows where goroutines wait",
	"count":         "--forks 10: each fork is a new process, and a sample by itself",
	"cpuprofile":    "tare sample, or tare asm for machine code",
	"memprofile":    "--prof mem",
	"mutexprofile":  "tare sample --wall shows where goroutines wait",
	"run":           "--bench REGEXP: tests are not run",
	"race":          "set GOFLAGS=-race: times under the race detector say little",
	"trace":         "--prof sched reads the execution trace",
	"gcflags":       "set GOFLAGS, or --side-flags for one side",
	"list":          "--dry-run lists what would be measured",
	"json":          "--format json",
	"parallel":      "forks run one at a time: leave it out",
	"selftest":      "tare selftest says which changes this machine can detect",
	"shuffle":       "the order is random unless --order grouped",
	"failfast":      "a benchmark that fails does not end the others: leave it out",
	"cover":         "set GOFLAGS=-cover: times under coverage say little",
	"export-json":   "--format json, or -o FILE.json",
	"min-runs":      "--runs 10",
	"show-output":   "--stdout inherit",
	"ignore-errors": "--ignore-failure",
}

// Error returns what could have been meant by a flag that there is not.
func Error(cmd *cobra.Command, err error) error {
	if needs := (*exit.NeedsFull)(nil); errors.As(err, &needs) {
		return needs
	}
	if e := (*pflag.InvalidValueError)(nil); errors.As(err, &e) {
		return exit.Usage(invalidValue(e), unitHint(e))
	}
	missing := (*pflag.NotExistError)(nil)
	if !errors.As(err, &missing) {
		return exit.Usage(err, "")
	}
	short := missing.GetSpecifiedShortnames()
	if short == "" {
		name := missing.GetSpecifiedName()
		return exit.Usage(fmt.Errorf("unknown flag --%s", name), flagHint(cmd, name, false))
	}
	name, _, _ := strings.Cut(short, "=")
	return exit.Usage(fmt.Errorf("unknown flag -%s", name), flagHint(cmd, name, true))
}

// unitHint says what to type if a duration was typed without its unit.
func unitHint(e *pflag.InvalidValueError) string {
	name, value := e.GetFlag().Name, e.GetValue()
	if _, err := strconv.ParseFloat(value, 64); err != nil || e.GetFlag().Value.Type() != "duration" {
		return ""
	}
	return fmt.Sprintf("a duration has a unit: --%s %ss, --%s %sms", name, value, name, value)
}

// kinds are what values of package pflag are, by their types.
var kinds = map[string]string{"int": "a whole number", "int64": "a whole number", "duration": "a duration such as 50ms or 2m", "bool": "true or false"}

// invalidValue is the error of pflag without secrets, which the value and its error may hold.
func invalidValue(e *pflag.InvalidValueError) error {
	cause := e.Unwrap()
	if inner := (*pflag.InvalidValueError)(nil); errors.As(cause, &inner) { // another name of the flag was typed
		cause = inner.Unwrap()
	}
	return Invalid(e.GetFlag(), e.GetValue(), cause)
}

// Invalid returns the error of a value that a flag refuses, in plain words and without secrets. cause is the flag's own error.
func Invalid(f *pflag.Flag, value string, cause error) error {
	typed := strconv.Quote(redact.Value(f.Name, value))
	text := strings.TrimPrefix(strings.ReplaceAll(cause.Error(), strconv.Quote(value), typed), typed+" ")
	if kind := kinds[f.Value.Type()]; kind != "" {
		text = "is not " + kind
	}
	if !strings.HasPrefix(text, "is ") {
		typed += ":"
	}
	return errors.New("--" + f.Name + " " + typed + " " + text)
}

// flagHint returns what to type instead of a flag, "" where nothing is near.
// oneDash tells that it was typed as -name.
func flagHint(cmd *cobra.Command, name string, oneDash bool) string {
	typed := cmd.Flags().Lookup(name) != nil && oneDash
	if old := oldHint(cmd, name); old != "" && !typed {
		return old
	}
	if habit := Habits[name]; habit != "" && usable(cmd, habit) && (!typed || strings.Contains(habit, "--"+name+" ")) {
		return habit
	}
	if typed {
		return "long flags have two dashes: --" + name
	}
	if near := nearestFlag(cmd, name); near != "" {
		return "did you mean --" + near + "?"
	}
	if !cmd.HasParent() {
		return "flags come behind a verb: tare bench --bench REGEXP"
	}
	return ""
}

// usable reports whether the flag that a hint begins with is one of the verb's.
func usable(cmd *cobra.Command, hint string) bool {
	word, _, _ := strings.Cut(strings.TrimRight(hint, ":,"), " ")
	flag, ok := strings.CutPrefix(word, "--")
	return !ok || cmd.Flags().Lookup(strings.TrimRight(flag, ":,")) != nil
}

// nearestFlag returns the verb's flag with the fewest letters to change, "" if
// more than two and a third of the name would have to be.
func nearestFlag(cmd *cobra.Command, name string) string {
	best, least := "", min(2, max(1, len(name)/3))+1
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := suggest.Distance(name, f.Name); d < least && !f.Hidden {
			best, least = f.Name, d
		}
	})
	return best
}
