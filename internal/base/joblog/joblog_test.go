package joblog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/logtest"
)

// hostile are texts that a service would obey.
var hostile = []string{
	"::error::x", "    ::add-mask::x", "\t::set-output name=a::b", "\v\f\u0085\u00a0\u1680\u2003\u2028\u3000::error::x", "\ufeff::error::x", "\u200b::error::x",
	"\x1b[31m::error::x", "\x1b[1;31m \x1b[0m::error::x", "\x1b[::error::x", "\x1b\n::error::x", "\x1b[\r::error::x", "\x00::error::x", "\xff::error::x",
	"a\r::error::x", "a\r\n::error::x", "a\n\r::error::x", "::stop-commands::evil", "::stop-commands::evil\n::evil::\n::error::x",
	"a ##[error]x", "##[set-output name=a;]b", "###[error]x", "##a#[x]##[error]x", "##[##[error]x", "a ##[group]", "##vso[task.setvariable variable=a]b", "##teamcity[buildStatus text='x']",
	"####vso[task.complete]", "section_start:1:a\r\x1b[0K", "xsection_end:1:a", "travis_fold:start:a\r", "travis_time:start:a",
	strings.Repeat(" ", 1<<17) + "::error::x", strings.Repeat("a", 1<<17) + "##[error]x", "::error::" + strings.Repeat("x", 1<<17),
}

// in returns a text as a Writer leaves it that gets it in pieces.
func in(text string, pieces func(rest int) int) string {
	var out bytes.Buffer
	w := NewWriter(&out)
	for text != "" {
		n := min(pieces(len(text)), len(text))
		if m, err := w.Write([]byte(text[:n])); m != n || err != nil {
			panic(fmt.Sprint(m, err))
		}
		text = text[n:]
	}
	return out.String()
}

func whole(rest int) int { return rest }

// TestWriter: no text is a command, however it is cut.
func TestWriter(t *testing.T) {
	for _, h := range hostile {
		for name, pieces := range map[string]func(int) int{"whole": whole, "bytes": func(int) int { return 1 }, "threes": func(int) int { return 3 }} {
			got := in("tare: x\n"+h+"\n", pieces)
			g := logtest.GitHub{}
			g.Read(got)
			if len(g.Obeyed) > 0 || g.Stopped() || len(logtest.Others(got)) > 0 {
				t.Errorf("%.80q in %s: obeyed %.80q, others %q", h, name, g.Obeyed, logtest.Others(got))
			}
			if plain := strings.ReplaceAll(got, `\`, ""); plain != "tare: x\n"+h+"\n" {
				t.Errorf("%.80q in %s became %.80q", h, name, got)
			}
		}
	}
}

// TestHostile: the texts are commands without a Writer, so that the test before tests something.
func TestHostile(t *testing.T) {
	for _, h := range hostile {
		g := logtest.GitHub{}
		g.Read("tare: x\n" + h + "\n")
		if len(g.Obeyed) == 0 && !g.Stopped() && len(logtest.Others(h)) == 0 && !strings.Contains(h, "\x1b[::") {
			t.Errorf("%q", h)
		}
	}
}

// TestHarmless: other texts stay as they are.
func TestHarmless(t *testing.T) {
	for _, text := range []string{
		"a::b", "[::1]:8080", "std::vector", "std::vector::x\n", ":root {\n  --x: 1 }\n", "# #[x]", "## [x](y)", "#[x]", "##", "##a b[1]", "a: b: c", "section_start", "h2 ##\n[x]", "\x1b[31mred\x1b[0m\n",
		"\x1f\x8b\x08", "", "\n\n", "µ ± ×",
	} {
		if got := in(text, whole); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestWriterJSON: JSON stays the same to who decodes it, and no line of it is a command.
func TestWriterJSON(t *testing.T) {
	for _, h := range hostile {
		h = strings.ToValidUTF8(h, "?")
		for _, v := range []any{map[string]string{h: h}, []string{h}} {
			for _, indent := range []string{"", "  "} {
				text, err := json.MarshalIndent(v, "", indent)
				if err != nil {
					t.Fatal(err)
				}
				got := in(string(text), whole)
				g := logtest.GitHub{}
				g.Read(got)
				if len(g.Obeyed) > 0 || len(logtest.Others(got)) > 0 {
					t.Errorf("%.80q: %.80q", got, g.Obeyed)
				}
				var was, is any
				if json.Unmarshal(text, &was) != nil || json.Unmarshal([]byte(got), &is) != nil || fmt.Sprint(was) != fmt.Sprint(is) {
					t.Errorf("%.80q became %.80q", text, got)
				}
			}
		}
	}
}

// alphabet are pieces of commands.
var alphabet = []string{":", "::", "#", "##", "[", "]", "error", "vso", "stop-commands", "x", " ", "\t", "\n", "\r", "\x1b[", "31m", "\x1b", "é", "\u00a0", "\\", "section_start", "{", `"`}

func noise(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(12) {
		b.WriteString(alphabet[rng.IntN(len(alphabet))])
	}
	return b.String()
}

// TestRandom: no random text is a command, whichever way it is cut, and however the lines of two streams are read.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		var streams [2][]string
		for i := range streams {
			text := in(noise(rng), func(int) int { return 1 + rng.IntN(4) })
			streams[i] = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		g := logtest.GitHub{}
		for len(streams[0])+len(streams[1]) > 0 {
			i := rng.IntN(2)
			if len(streams[i]) == 0 {
				i = 1 - i
			}
			l := streams[i][0]
			streams[i] = streams[i][1:]
			g.Read(l)
			if len(g.Obeyed) > 0 || g.Stopped() || len(logtest.Others(l)) > 0 {
				t.Fatalf("seed %d: %q", seed, l)
			}
		}
	}
}

func environ(list ...string) func(string) string {
	return func(name string) string {
		for _, kv := range list {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				return v
			}
		}
		return ""
	}
}

// TestLog: commands are stopped by a token of their own each time, and tare's own are obeyed.
func TestLog(t *testing.T) {
	tokens := map[string]bool{}
	for range 3 {
		var out, messages bytes.Buffer
		l, o, m := Open(environ("GITHUB_ACTIONS=true"), &out, &messages)
		l.Stop()
		l.Stop()
		token := strings.TrimPrefix(strings.TrimSpace(messages.String()), "::stop-commands::")
		if len(token) < 26 || tokens[token] {
			t.Errorf("%q", messages.String())
		}
		tokens[token] = true
		io.WriteString(o, "::error::x\n")
		io.WriteString(m, "::error::x\n")
		messages.WriteString("::error::by a process that has our descriptor\n")
		if err := l.Commands(func(w io.Writer) error { _, err := io.WriteString(w, "::error::ours\n"); return err }); err != nil {
			t.Error(err)
		}
		l.Resume()
		if out.String() != ":\\:error::x\n" {
			t.Errorf("%q", out.String())
		}
		g := logtest.GitHub{}
		g.Read(messages.String())
		if len(g.Obeyed) != 1 || g.Obeyed[0] != "::error::ours" || g.Stopped() {
			t.Errorf("%q of %q", g.Obeyed, messages.String())
		}
	}
	for _, env := range [][]string{{}, {"CI=false"}, {"CI=0"}} {
		var out, messages bytes.Buffer
		l, o, m := Open(environ(env...), &out, &messages)
		l.Stop()
		l.Resume()
		if l.Commands(nil) != nil || l != nil || o != &out || m != &messages || messages.Len() > 0 {
			t.Errorf("%q is no job", env)
		}
	}
	for _, name := range services {
		var out bytes.Buffer
		l, o, _ := Open(environ(name+"=1"), &out, io.Discard)
		l.Stop()
		io.WriteString(o, "##vso[x]")
		if out.String() != `##vso\[x]` {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// TestPassthrough: what a process writes is copied, and no line of it is a command. A child process that it leaves behind
// with the output open does not delay the end.
func TestPassthrough(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell here")
	}
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if same, done, err := Passthrough(environ(), f); same != f || err != nil {
		t.Error(same, err)
	} else {
		done()
	}
	w, done, err := Passthrough(environ("CI=true"), f)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `printf 'a\n:'; printf ':error::x\n##['; printf 'error]x\nend'; sleep 20 & echo $! >"$LEFT"`)
	left := filepath.Join(t.TempDir(), "left")
	cmd.Env = append(os.Environ(), "LEFT="+left)
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	done()
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("done returned after %s", took)
	}
	if pid, err := os.ReadFile(left); err != nil || exec.Command("kill", strings.TrimSpace(string(pid))).Run() != nil {
		t.Errorf("the process that was left behind: %q, %v", pid, err)
	}
	text, err := os.ReadFile(f.Name())
	if err != nil || string(text) != "a\n:\\:error::x\n##\\[error]x\nend" {
		t.Errorf("%q, %v", text, err)
	}
}
