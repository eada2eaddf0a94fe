package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cli"
)

// command is tare as a process that has a live page.
type command struct {
	t       *testing.T
	cmd     *exec.Cmd
	address url.URL
	said    chan string // the rest of stderr
}

// startCommand starts tare and returns when its page is there.
func startCommand(t *testing.T, args ...string) *command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &command{t: t, cmd: exec.Command(exe, append(args, "--live", "127.0.0.1:0")...), said: make(chan string, 1)}
	c.cmd.Env = append(os.Environ(), asCommand+"=1", "XDG_STATE_HOME="+t.TempDir())
	pipe, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill() })
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "tare: live page: "); ok {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c.address = *u
			go func() {
				var rest strings.Builder
				for lines.Scan() {
					fmt.Fprintln(&rest, lines.Text())
				}
				c.said <- rest.String()
			}()
			return c
		}
	}
	t.Fatal("there is no page")
	return nil
}

// interrupt ends the run, as Ctrl-C does, and waits for its process.
func (c *command) interrupt() {
	c.t.Helper()
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		c.t.Fatal(err)
	}
	c.wait()
}

func (c *command) wait() {
	c.t.Helper()
	select {
	case <-c.said:
		c.cmd.Wait() // its code is that of the signal
	case <-time.After(patience):
		c.t.Fatal("the process does not end")
	}
}

// until waits until an expression is true.
func (x *tab) until(expression string) {
	x.t.Helper()
	eval[bool](x, `new Promise((done) => { const look = () => { (`+expression+`) ? done(true) : setTimeout(look, 20); }; look(); })`)
}

const (
	answers = `Number(/ (\d+) answers/.exec(document.querySelector("[data-live] [role=status]")?.textContent ?? "")?.[1] ?? 0)`
	state   = `document.querySelector(".live").dataset.state`
)

// TestLiveLoad: the charts of a load run grow while the page is open, who comes later has all of them, and at the end the page
// is finished and has the file to save.
func TestLiveLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	c := startCommand(t, "load", "--workload", "c", "--db", "mock", "--rate", "200", "--duration", "1h", "--warmup-duration", "0s", "--status-interval", "200ms", "-o", file)
	x := openAddress(t, c.address, 1024)
	eval[any](x, `{ const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.kept = blob; return make.call(URL, blob); }; 0 }`)
	x.until(answers + " > 100")
	first := eval[int](x, answers)
	x.until(fmt.Sprintf("%s > %d", answers, first+100))
	if got := eval[string](x, `document.querySelector(".live").textContent`); !strings.HasPrefix(got, "run ") || !strings.Contains(got, " of 1h0m0s · ") {
		t.Errorf("the status is %q", got)
	}
	x.accessible("while it goes on")
	late := openAddress(t, c.address, 1024)
	late.until(fmt.Sprintf("%s >= %d", answers, first))
	// A stretch that the reader chose stays.
	eval[any](x, `{ const to = document.querySelector("input[aria-label='to this second']"); to.value = "0.5"; to.dispatchEvent(new Event("change")); 0 }`)
	chosen := eval[int](x, answers)
	before := eval[int](late, answers)
	late.until(fmt.Sprintf("%s > %d", answers, before+50))
	if got := eval[int](x, answers); got != chosen || chosen >= first {
		t.Errorf("%d answers of the stretch, then %d; there were %d", chosen, got, first)
	}
	c.interrupt()
	for _, x := range []*tab{x, late} {
		x.until(state + ` === "over"`)
		if got := eval[string](x, `document.querySelector("main pre").textContent`); !strings.Contains(got, "partial: interrupted by a signal") {
			t.Errorf("at the end:\n%s", got)
		}
	}
	// What is saved then is the page that tare report writes.
	saved := eval[string](x, `(async () => {
		let clicked;
		HTMLAnchorElement.prototype.click = function () { clicked = this; };
		[...document.querySelectorAll("header button")].find((b) => b.textContent === "save").click();
		return clicked.download + "\n" + (await window.kept.text());
	})()`)
	t.Chdir(filepath.Dir(file)) // the page has the name of the record as it is given
	want, err := os.ReadFile(pageOf(t, "report", filepath.Base(file)))
	if err != nil {
		t.Fatal(err)
	}
	name, text, _ := strings.Cut(saved, "\n")
	if name != "run.html" || text != string(want) {
		t.Errorf("%s: %d bytes, want %d", name, len(text), len(want))
	}
}

// TestLiveBench: the results of benchmarks come round by round, and what the reader chose stays.
func TestLiveBench(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.26\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nvar sum int\n\nfunc sums(b *testing.B) {\n\tfor i := range b.N {\n\t\tsum += i * i\n\t}\n}\n\nfunc BenchmarkOne(b *testing.B) { sums(b) }\n\nfunc BenchmarkTwo(b *testing.B) { sums(b) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	c := startCommand(t, "bench", "--no-lock", "--no-repeat", "--forks", "1000", "--time", "20ms", "-o", "b.jsonl")
	x := openAddress(t, c.address, 1024)
	const forks = `Number(/fork (\d+) of 2000/.exec(document.querySelector(".live").textContent)?.[1] ?? 0)`
	x.until(forks + ` > 4 && document.querySelectorAll("main tbody tr").length >= 2`)
	first := eval[int](x, forks)
	eval[any](x, `document.querySelector("th .sort").click(); document.querySelector("th .sort").click(); 0`)
	x.until(fmt.Sprintf("%s > %d", forks, first))
	if got := eval[string](x, `document.querySelector("[aria-sort]")?.getAttribute("aria-sort") ?? "none"`); got != "descending" {
		t.Errorf("after more rounds the table is sorted %s", got)
	}
	c.interrupt()
	x.until(state + ` === "over"`)
	var out, errs bytes.Buffer
	if code := cli.Main(cli.Config{}, []string{"report", "b.jsonl"}, strings.NewReader(""), &out, &errs); code > 1 || !strings.Contains(out.String(), "One") {
		t.Errorf("exit code %d, %s%s", code, &out, &errs)
	}
}
