package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile is a name that terminals, Markdown, HTML and spreadsheets would obey.
const hostile = "=cmd|' /C calc'!A0\x1b[2J\x1b]0;x\x07\u009b31m\u202eevil\u2066\r\n\x00`|<script>alert(1)</script>\u200b\u2028"

// hostileKeys are the keys of records whose texts others choose.
var hostileKeys = []string{
	"name", "text", "advice", "fn", "func", "file", "pkg", "side", "role", "tag", "why", "tail", "cpu", "kernel", "path", "sym", "symbol", "label",
	"virtual", "ref", "revision", "dir", "os", "arch", "go", "op", "value", "source", "mod", "title", "first",
}

// poison returns a record in which the texts that others choose end in hostile text. Whatever
// stands for the same thing stays the same.
func poison(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		var l map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if d.Decode(&l) != nil {
			out.WriteString(line) // cut off
			continue
		}
		kind := l["k"]
		poisonIn(l, kind)
		b, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", b)
	}
	return out.String()
}

func poisonIn(x any, kind any) {
	switch x := x.(type) {
	case map[string]any:
		for key, v := range x {
			s, isText := v.(string)
			switch {
			case isText && s != "" && slices.Contains(hostileKeys, key) && !(kind == "attach" && key == "name") && !(kind == "hist" && key == "tag"):
				x[key] = s + hostile
			case key == "v" && kind == "sample":
			case key == "data" && isText:
			default:
				poisonIn(v, kind)
			}
		}
	case []any:
		for i, v := range x {
			if _, ok := v.(string); ok {
				x[i] = v.(string) + hostile
				continue
			}
			poisonIn(v, kind)
		}
	}
}

// TestHostileText: no verb in any format lets a name through that a terminal, a browser or a
// spreadsheet would obey, whatever a record says.
func TestHostileText(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	if os.Getenv("TARE_LONG") == "" { // one of each kind
		files = slices.DeleteFunc(files, func(f string) bool {
			return !slices.Contains(oneOfEach, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
		})
	}
	dir := t.TempDir()
	shown := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(path, []byte(poison(t, string(text))), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range hostileVerbs {
			_, out, messages := run("", append(slices.Clone(args), path)...)
			for what, text := range map[string]string{"stdout": out, "stderr": messages} {
				if bad := obeyed(text, formatOf(args)); bad != "" && what == "stdout" || control(text) != "" && what == "stderr" {
					t.Errorf("%s, %q, %s: %.300q", filepath.Base(file), args, what, bad+control(text))
				}
			}
			if strings.Contains(out, "evil") {
				shown++
			}
		}
	}
	if shown < 60 {
		t.Errorf("hostile names are in %d outputs only: the test does not reach what is shown", shown)
	}
}

// oneOfEach has a record of each kind.
var oneOfEach = []string{"bench-sides", "bench-latency", "time-one", "load", "asm-command", "trace", "sample", "contrast", "selftest"}

// hostileVerbs are the verbs that show records, in every format.
var hostileVerbs = func() (all [][]string) {
	for _, f := range []string{"text", "json", "csv", "md", "benchfmt", "jmh", "ycsb", "ycsb-json"} {
		all = append(all, []string{"report", "--format", f})
	}
	for _, f := range []string{"text", "json", "csv", "md", "benchfmt"} {
		all = append(all, []string{"compare", "--format", f})
	}
	for _, v := range []string{"asm", "trace", "sample", "contrast"} {
		all = append(all, []string{v, "--format", "text"}, []string{v, "--format", "json"})
	}
	for _, f := range []string{"text", "csv", "json", "md"} {
		all = append(all, []string{"hist", "percentiles", "--format", f})
	}
	return append(all, []string{"report", "-v"}, []string{"selftest", "--show"}, []string{"hist", "convert", "--format", "csv"}, []string{"hist", "convert", "--format", "hlog"})
}()

func formatOf(args []string) string {
	if i := slices.Index(args, "--format"); i >= 0 {
		return args[i+1]
	}
	return "text"
}

// control returns the line of a text with a character that a terminal obeys.
func control(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		for i, r := range line {
			if r == utf8.RuneError || r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
				return line[i:]
			}
		}
	}
	return ""
}

// obeyed returns what of a text in a format would be obeyed, "" for nothing.
func obeyed(text, format string) string {
	switch format {
	case "json", "jmh", "ycsb-json":
		for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
			if err := d.Decode(new(any)); err != nil {
				return err.Error()
			}
		}
		return control(text)
	case "csv":
		for line := range strings.SplitSeq(text, "\n") {
			for _, cell := range strings.Split(line, ",") {
				if cell = strings.TrimPrefix(cell, `"`); strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
					return line
				}
			}
		}
	case "md":
		if i := strings.Index(outsideCode(text), "<script"); i >= 0 {
			return outsideCode(text)[max(0, i-80):]
		}
	}
	return control(text)
}

// outsideCode returns a Markdown text without its blocks and spans of code.
func outsideCode(text string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && mark == fence && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			out.WriteString(codeSpan.ReplaceAllString(line, ""))
		}
	}
	return out.String()
}

// codeSpan matches what stands between as many backticks on both sides.
var codeSpan = regexp.MustCompile("(^|[^`])(`[^`]+`|``[^`].*?[^`]``|```[^`].*?[^`]```)")
