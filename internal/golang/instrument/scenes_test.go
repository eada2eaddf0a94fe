package instrument

import (
	"bufio"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// instrumented is the one of testdata/scenes.
type instrumented struct {
	w       *Build
	dir     string
	program string
	plain   string // the same program without probes, once withoutProbes has built it
}

// withoutProbes builds the program without probes, once.
func (p *instrumented) withoutProbes(t *testing.T) string {
	t.Helper()
	if p.plain == "" {
		plain := filepath.Join(p.w.cfg.Work, "plain")
		cmd := exec.Command("go", "build", "-o", plain)
		cmd.Dir = p.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		p.plain = plain
	}
	return p.plain
}

// instrumentScenes instruments it with a configuration of the test's own.
func instrumentScenes(t testing.TB, cfg Config) *instrumented {
	t.Helper()
	text, err := os.ReadFile("testdata/scenes/main.go")
	if err != nil {
		t.Fatal(err)
	}
	p := &instrumented{dir: project(t, "main.go", string(text))}
	cfg.Dir = p.dir
	if cfg.Match == nil {
		cfg.Match = []string{"./..."}
	}
	p.w = plan(t, cfg)
	p.program = build(t, p.w)
	return p
}

func (p *instrumented) run(t testing.TB, cfg ArenaConfig, args ...string) (*record.Trace, string) {
	t.Helper()
	return run(t, p.w, p.program, cfg, args...)
}

// manyCalls is how many calls the goroutines of the scene "many" make.
var manyCalls = testutil.Pick(400_000, 4_000_000)

// TestExact plays all scenes of one program.
func TestExact(t *testing.T) {
	p := instrumentScenes(t, Config{})
	before := treeHash(t, p.dir)
	t.Run("shapes", func(t *testing.T) { p.shapes(t) })
	t.Run("ends", func(t *testing.T) { p.ends(t) })
	t.Run("killed", func(t *testing.T) { p.killed(t) })
	t.Run("counts", func(t *testing.T) { p.counts(t) })
	t.Run("child", func(t *testing.T) { p.child(t) })
	t.Run("room", func(t *testing.T) { p.room(t) })
	t.Run("semantics", func(t *testing.T) { p.semantics(t) })
	t.Run("path", func(t *testing.T) { p.path(t) })
	t.Run("clocks", func(t *testing.T) { p.clocks(t) })
	t.Run("stack", func(t *testing.T) { p.stack(t) })
	t.Run("loose", func(t *testing.T) { p.loose(t) })
	t.Run("damaged", func(t *testing.T) { p.damaged(t) })
	t.Run("vet", func(t *testing.T) {
		cmd := exec.Command("go", append([]string{"vet"}, p.w.Flags...)...)
		cmd.Dir = p.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	if treeHash(t, p.dir) != before {
		t.Error("sources have changed")
	}
}

func (p *instrumented) shapes(t *testing.T) {
	tr, out := p.run(t, ArenaConfig{}, "shapes")
	if out != "" || !tr.Ended {
		t.Errorf("ended %v: %s", tr.Ended, out)
	}
	const want = "init.0{leaf} init.1{leaf:2} initial leaf:3 " +
		"main{shapes{(*box[...]).Get:2 (*value).Pointer{value.Value} a{b:4{a^2:3 leaf:4}} apply[...] factorial{factorial^1:4} " +
		"recovers{panics value.Value}}} numbers{leaf} timer"
	if got := tree(tr); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f := fn(t, tr, "main.panics"); f.Panics != 1 || f.Goexits != 0 || f.Open != 0 {
		t.Errorf("%+v", f)
	}
	for _, name := range []string{"main.recovers", "main.value.Value"} {
		if f := fn(t, tr, name); f.Panics != 0 {
			t.Errorf("%s: %d panics", name, f.Panics)
		}
	}
	if f := fn(t, tr, "main.leaf"); f.Calls != 11 || f.Goroutines != 5 {
		t.Errorf("%d calls by %d goroutines, want 11 by 5", f.Calls, f.Goroutines)
	}
	if tr.Goroutines != 6 || tr.Lost != 0 || tr.System != 0 {
		t.Errorf("%d goroutines, want 6; %d lost, %d without a goroutine", tr.Goroutines, tr.Lost, tr.System)
	}
	recursionCountsOnce(t, tr)
}

// recursionCountsOnce: a calls b calls a; the whole of each is that of its outermost
// call, and own times are parts of main's.
func recursionCountsOnce(t *testing.T, tr *record.Trace) {
	t.Helper()
	main := fn(t, tr, "main.main")
	var self float64
	for _, name := range []string{"main.a", "main.b", "main.factorial"} {
		f := fn(t, tr, name)
		if f.Total != f.Max {
			t.Errorf("%s: total %g, its outermost call %g", name, f.Total, f.Max)
		}
		if f.Self <= 0 || f.Self > f.Total {
			t.Errorf("%s: self %g of %g", name, f.Self, f.Total)
		}
		self += f.Self
	}
	if self > main.Total {
		t.Errorf("parts take %g, all %g", self, main.Total)
	}
}

// ends: however the program ends, what it counted is there.
func (p *instrumented) ends(t *testing.T) {
	for _, c := range []struct {
		scene, says string
		ended       bool
		open        string // functions that have not ended
	}{
		{"exit", "", true, "main.exits main.main"},
		{"deadlock", "all goroutines are asleep", false, "main.main main.sleeps"},
		{"crash", "panic: scene", false, ""}, // deferred calls run before the program crashes
		{"goexit", "", true, ""},
	} {
		tr, out := p.run(t, ArenaConfig{}, c.scene)
		if !strings.Contains(out, c.says) || tr.Ended != c.ended {
			t.Errorf("%s: ended %v: %s", c.scene, tr.Ended, out)
		}
		var open []string
		for _, f := range tr.Funcs {
			if f.Open > 0 {
				open = append(open, f.Name)
			}
		}
		if got := strings.Join(open, " "); got != c.open {
			t.Errorf("%s: open are %q, want %q", c.scene, got, c.open)
		}
		want := map[string][2]int64{"crash": {1, 0}, "goexit": {0, 1}}[c.scene]
		for name, panics := range map[string]int64{"main.panics": want[0], "main.main": want[0]} {
			if f := fn(t, tr, name); f.Panics != panics {
				t.Errorf("%s: %d panics in %s, want %d", c.scene, f.Panics, name, panics)
			}
		}
		if f := fn(t, tr, "main.quits"); f.Goexits != want[1] {
			t.Errorf("%s: %d ends by Goexit, want %d", c.scene, f.Goexits, want[1])
		}
		if f := fn(t, tr, "main.leaf"); f.Goexits != 0 || f.Panics != 0 {
			t.Errorf("%s: a call that returned: %+v", c.scene, f)
		}
	}
}

// killed: the counts are those of the moment in which it was killed.
func (p *instrumented) killed(t *testing.T) {
	a, err := p.w.NewArena(ArenaConfig{Size: MinSize, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.program, "kill", "12345")
	cmd.Env = append(os.Environ(), a.Env())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(a.Path, p.w); err == nil || !strings.Contains(err.Error(), "no program with probes") {
		t.Errorf("before it ran: %v", err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Errorf("%q, %v", line, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	tr, err := Read(a.Path, p.w)
	if err != nil {
		t.Fatal(err)
	}
	if f := fn(t, tr, "main.leaf"); f.Calls != 12345+3 || f.Timed != f.Calls || tr.Ended || tr.Lost != 0 {
		t.Errorf("ended %v, %+v", tr.Ended, f)
	}
	if f := fn(t, tr, "main.stays"); f.Open != 1 || f.Timed != 0 || f.Total != 0 {
		t.Errorf("%+v", f)
	}
}

// counts: exact ones of many goroutines, of those that reuse others' memory, and of
// those that never end.
func (p *instrumented) counts(t *testing.T) {
	for _, c := range []struct {
		scene, n   string
		leaf       int64
		goroutines int64
		min        int64 // goroutines that called leaf
	}{
		{"many", strconv.Itoa(manyCalls), int64(manyCalls), 9, 8},
		{"recycle", "500", 500, 501, 500},
		{"forever", "50", 50, 51, 50},
		{"close", "70", 70, 1, 1},
	} {
		tr, out := p.run(t, ArenaConfig{}, c.scene, c.n)
		f := fn(t, tr, "main.leaf")
		if f.Calls != c.leaf+3 || tr.Goroutines != c.goroutines || f.Goroutines < c.min || tr.Lost != 0 {
			t.Errorf("%s: %d calls by %d of %d goroutines, %d lost: %s", c.scene, f.Calls, f.Goroutines, tr.Goroutines, tr.Lost, out)
		}
		var hist int64
		var sum float64
		for _, b := range f.Hist {
			hist += b.N
			sum += float64(b.N) * (b.From + b.To) / 2
		}
		if first, last := f.Hist[0], f.Hist[len(f.Hist)-1]; f.Min < first.From || f.Min >= first.To || f.Max < last.From || f.Max >= last.To ||
			sum < 0.88*f.Total || sum > 1.12*f.Total {
			t.Errorf("%s: %g ns in all from %g to %g, and in the histogram %g from %+v to %+v", c.scene, f.Total, f.Min, f.Max, sum, first, last)
		}
		if hist != f.Timed || f.Timed != f.Calls {
			t.Errorf("%s: %d calls, %d timed, %d in the histogram", c.scene, f.Calls, f.Timed, hist)
		}
		if f.Min > f.Mean || f.Mean > f.Max || f.Squares < 0 {
			t.Errorf("%s: %+v", c.scene, f)
		}
	}
}

// child: a process that the program starts does not count, and does not know.
func (p *instrumented) child(t *testing.T) {
	tr, out := p.run(t, ArenaConfig{}, "child", "1")
	if f := fn(t, tr, "main.leaf"); f.Calls != 4 || out != " <nil>\n" {
		t.Errorf("%d calls: %s", f.Calls, out)
	}
	if _, out := p.run(t, ArenaConfig{}, "env"); out != "0\n" {
		t.Errorf("the program sees %q", out)
	}
	if out, err := exec.Command(p.program, "alone", "10").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without an arena: %v: %s", err, out)
	}
	bad := filepath.Join(t.TempDir(), "none")
	cmd := exec.Command(p.program, "alone", "10")
	cmd.Env = append(os.Environ(), arenaVar+"="+bad)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("with an arena that is not there: %v: %s", err, out)
	}
}

// room: what finds none is counted, and the program goes on.
func (p *instrumented) room(t *testing.T) {
	free, _ := p.run(t, ArenaConfig{}, "forever", "1000")
	tight, _ := p.run(t, ArenaConfig{Size: MinSize}, "forever", "1000")
	if free.Lost != 0 || tight.Lost == 0 || tight.Lost >= tight.Calls {
		t.Errorf("lost %d with room, %d of %d without", free.Lost, tight.Lost, tight.Calls)
	}
	for i, f := range tight.Funcs {
		if f.Calls != free.Funcs[i].Calls || f.Untimed > f.Calls || f.Untimed+f.Timed > f.Calls {
			t.Errorf("with room %+v\nwithout %+v", free.Funcs[i], f)
		}
	}
	// What making records takes is the probes' time, and more of it than that of calls.
	if least := 2 * free.Probe.Outside * float64(free.Calls); free.Added < least {
		t.Errorf("%d goroutines, each with its first %d calls: probes took %g ns, want %g", free.Goroutines, free.Calls, free.Added, least)
	}
	// Trees are as deep as there are functions, whatever the depth of the stack.
	deep, _ := p.run(t, ArenaConfig{}, "wide", "24")
	for i, c := range deep.Tree {
		depth := 0
		for ; c.Parent >= 0; c = deep.Tree[c.Parent] {
			depth++
		}
		if depth > len(deep.Funcs) {
			t.Fatalf("call %d is %d deep", i, depth)
		}
	}
	if f := fn(t, deep, "main.leaf"); f.Calls != 8190+3 || deep.Lost != 0 {
		t.Errorf("%d calls, %d lost", f.Calls, deep.Lost)
	}
}

// semantics: what a program knows of its own panics, callers and lines is as before.
func (p *instrumented) semantics(t *testing.T) {
	plain := p.withoutProbes(t)
	for _, scene := range []string{"semantics", "crash"} {
		want, _ := exec.Command(plain, scene).CombinedOutput()
		tr, got := p.run(t, ArenaConfig{}, scene)
		if lines(got) != lines(string(want)) || len(want) == 0 {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		for _, name := range []string{"main.returns", "main.where", "main.handler", "main.nested"} {
			if f := fn(t, tr, name); f.Panics != 0 {
				t.Errorf("%s: %d panics", name, f.Panics)
			}
		}
	}
}

// lines leaves out what differs from build to build: addresses.
func lines(trace string) string {
	var out []string
	for line := range strings.Lines(trace) {
		line, _, _ = strings.Cut(line, " +0x")
		if line, _, _ = strings.Cut(strings.TrimSpace(line), "("); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// path: the first calls in their order, and how many more there were.
func (p *instrumented) path(t *testing.T) {
	tr, _ := p.run(t, ArenaConfig{PathCalls: 7}, "alone", "100")
	var names []string
	last := 0.0
	for _, s := range tr.Path {
		names = append(names, strings.TrimPrefix(tr.Funcs[s.Func].Name, "main."))
		if s.Begin < last || s.Goroutine != 1 {
			t.Errorf("%+v after %g", s, last)
		}
		if last = s.Begin; s.Length < 0 {
			t.Errorf("%+v has not ended", s)
		}
	}
	if got := strings.Join(names, " "); got != "initial init.0 leaf init.1 leaf leaf main" {
		t.Errorf("path %s", got)
	}
	if tr.PathMore != tr.Calls-7 || tr.PathMore != 101 {
		t.Errorf("%d calls more, of %d", tr.PathMore, tr.Calls)
	}
}

func (p *instrumented) clocks(t *testing.T) {
	tr, _ := p.run(t, ArenaConfig{Monotonic: true}, "alone", "1000")
	if tr.Clock != record.TraceMonotonic || tr.Tick != 1 || fn(t, tr, "main.alone").Total <= 0 {
		t.Errorf("clock %s, tick %g", tr.Clock, tr.Tick)
	}
}

// treeHash is a hash over all files below a directory.
func treeHash(t testing.TB, dir string) (sum [32]byte) {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		h.Write([]byte(path))
		h.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [32]byte(h.Sum(nil))
}
