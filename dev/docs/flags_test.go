package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/dev/document"
	"github.com/tarebench/tare/internal/base/shellwords"
)

// TestFlags: every command line of tare in any document has a verb and flags that exist, under
// their present names.
func TestFlags(t *testing.T) {
	found := 0
	for path, text := range documents(t) {
		if path == "CHANGELOG.md" { // it tells what was
			continue
		}
		var lines []document.Step
		for _, b := range document.Blocks(text) {
			switch steps := b.Steps(); {
			case steps != nil:
				lines = append(lines, steps...)
			case b.Lang == "sh" || b.Lang == "yaml":
				lines = append(lines, b.Lines()...)
			}
		}
		for _, s := range document.Spans(text) {
			lines = append(lines, document.Step{Command: s})
		}
		for _, s := range lines {
			for _, words := range callsOf(s.Command) {
				found++
				if err := check(words); err != nil {
					t.Errorf("%s:%d: tare %s: %v", path, s.Line, strings.Join(words, " "), err)
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("found only %d command lines", found)
	}
}

// A command line is cut at what joins commands in a shell, outside of quotes.
var (
	quotes    = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	joints    = regexp.MustCompile(`[|&;()]|\s#.*|[0-9]?[<>]+`)
	expansion = regexp.MustCompile("[$*?`\\[{}]")
	called    = regexp.MustCompile(`^\s*(?:[A-Z_]+=\S*\s+)*(?:(?:\S*/)?tare(?:-full)?|go run (?:-trimpath )?\./cmd/tare)\s`)
)

// callsOf returns the arguments of each call of tare in a command line.
func callsOf(line string) (calls [][]string) {
	line = strings.ReplaceAll(line, "\\\n", " ")
	var quoted []string
	line = quotes.ReplaceAllStringFunc(line, func(q string) string {
		quoted = append(quoted, strings.NewReplacer("$", "_", "`", "_").Replace(q))
		return fmt.Sprintf("\x00%d\x00", len(quoted)-1)
	})
	for _, part := range joints.Split(line, -1) {
		loc := called.FindStringIndex(part + " ")
		if loc == nil {
			continue
		}
		rest := expansion.ReplaceAllString((part + " ")[loc[1]:], "_")
		for i, q := range quoted {
			rest = strings.ReplaceAll(rest, fmt.Sprintf("\x00%d\x00", i), q)
		}
		words, err := shellwords.Split(strings.TrimSpace(rest))
		if err != nil {
			words = []string{err.Error()}
		}
		calls = append(calls, words)
	}
	return calls
}

// check parses the arguments of tare as the command does.
func check(words []string) error {
	root := tare()
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && !cmd.Runnable() && len(args) > 0 || cmd == root && len(args) > 0 {
		return fmt.Errorf("%s has no verb %q", cmd.CommandPath(), args[0])
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Hidden && f.Name != "cpu" {
			err = fmt.Errorf("--%s is an old name", f.Name)
		}
	})
	return err
}

func TestCheck(t *testing.T) {
	for line, want := range map[string]string{
		"tare bench --forks 3 ./... | benchstat -":                      "",
		"go run -trimpath ./cmd/tare bench --bench 'a|b' sort; echo $?": "",
		"GOGC=off ../../tare asm --bench \"x $y\" . > out.txt":          "",
		"tare time --vs './old' -- ./new --flag":                        "",
		"cd x && tare load search --workload a --slo 'p99<10ms'":        "",
		"tare-full agent --join nats://127.0.0.1:4222 --token @token":   "",
		"tare doctor find":               "takes no argument",
		"tare-full load --no-such-flag":  "unknown flag",
		"tare bench --no-such-flag":      "unknown flag",
		"tare benchmark":                 "has no verb",
		"tare bench --trace-match x":     "unknown flag",
		"tare bench --forks many":        "invalid argument",
		"echo tare bench --no-such-flag": "none",
		"tare report -o x.svg \\\n    run.jsonl && tare hist percentile x": "",
	} {
		calls := callsOf(line)
		if (len(calls) == 0) != (want == "none") {
			t.Errorf("%s: calls %q", line, calls)
		}
		if len(calls) == 0 {
			continue
		}
		err := check(calls[0])
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
