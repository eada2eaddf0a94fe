package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

// ofGo are words of Go's packages, and of programs that tare calls, which mean nothing to who mistyped.
var ofGo = regexp.MustCompile(`strconv|parsing|regexp:|exec:|exit status|fatal:|\bopen |\bstat |goroutine|0x|invalid argument|%!`)

// TestMistyped: what people mistype is answered in two short lines, in plain words: what is wrong, and what to type.
func TestMistyped(t *testing.T) {
	lines, err := os.ReadFile(filepath.Join("testdata", "mistyped.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(lines)) {
		words, err := shellwords.Split(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := Main(Config{Bindings: []kv.Binding{mock.Binding()}}, words[1:], strings.NewReader(""), &out, &errs)
		said := strings.Split(strings.TrimRight(errs.String(), "\n"), "\n")
		if code != exit.Misuse && code != exit.Failure || len(said) > 2 || ofGo.MatchString(errs.String()) || out.Len() > 0 || !strings.HasPrefix(said[0], "tare: error: ") {
			t.Errorf("%s: exit %d, %q", strings.TrimSpace(line), code, errs.String())
		}
		for _, s := range said {
			if len(s) > 240 {
				t.Errorf("%s: a line of %d bytes: %s", strings.TrimSpace(line), len(s), s)
			}
		}
	}
}
