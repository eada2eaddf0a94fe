package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// faulty is a database whose operations do what a test wants.
type faulty struct {
	caps   kv.Capabilities
	opened error
	insert func(n int64) error
	read   func(n int64) error
	silent int64 // the first call that is never answered, 0 if all are
	calls  atomic.Int64
	closed atomic.Int64
}

func (f *faulty) binding() kv.Binding {
	return kv.Binding{
		Name: "faulty", Schemes: []string{"faulty"}, Properties: []kv.Property{{Name: "faulty.key", Secret: true}},
		OpenDB: func(context.Context, kv.Settings) (kv.DB, error) {
			if f.opened != nil {
				return nil, f.opened
			}
			return f, nil
		},
	}
}

func (f *faulty) Capabilities() kv.Capabilities                          { return f.caps }
func (f *faulty) Session(ctx context.Context, n int) (kv.Session, error) { return f, nil }
func (f *faulty) Close() error                                           { f.closed.Add(1); return nil }

func (f *faulty) do(ctx context.Context, what func(int64) error) error {
	n := f.calls.Add(1)
	if f.silent > 0 && n >= f.silent {
		<-ctx.Done()
		return ctx.Err()
	}
	if what == nil {
		return nil
	}
	return what(n)
}

func (f *faulty) Read(ctx context.Context, _ []byte, _ []int, _ *kv.Record) error {
	return f.do(ctx, f.read)
}
func (f *faulty) Scan(context.Context, []byte, int, []int, *kv.Records) (int, error) {
	return 0, nil
}
func (f *faulty) Update(context.Context, []byte, *kv.Record) error { return nil }
func (f *faulty) Insert(ctx context.Context, _ []byte, _ *kv.Record) error {
	return f.do(ctx, f.insert)
}
func (f *faulty) Delete(context.Context, []byte) error { return nil }

// TestLoadExits: what goes wrong in a run, what is printed nevertheless, and the
// exit code.
func TestLoadExits(t *testing.T) {
	broken := func(int64) error { return errors.New("the disk is on fire, and so is hunter2-geheim") }
	for _, c := range []struct {
		name   string
		db     *faulty
		args   string
		code   int
		out    string // in stdout; "" for nothing there
		stderr string
	}{
		{"all is well", &faulty{}, "--operations 50", 0, "errors 0", ""},
		{"opening fails", &faulty{opened: errors.New("cannot log in with hunter2-geheim")}, "", 1, "", "tare: error: cannot log in with ***"},
		{"inserting fails", &faulty{caps: kv.Capabilities{Load: true}, insert: func(n int64) error {
			if n == 7 {
				return errors.New("no room")
			}
			return nil
		}}, "--records 20 --workers 1", 1, "partial: the records could not be inserted", "6 of 20 were, then other: no room"},
		{"every operation fails", &faulty{read: broken}, "--operations 20", 1, "READ other  20  100 %   first: the disk is on fire, and so is ***", "every operation failed"},
		{"every operation fails, and an objective is missed", &faulty{read: broken}, "--operations 20 --slo errors<5%", 3, "slo: errors<5% missed: 20 of 20", "every operation failed"},
		{"every operation fails, and an objective is met", &faulty{read: broken}, "--operations 20 --slo errors<=100%", 1, "slo: errors<=100% met", "every operation failed"},
		{"too many fail, and an objective is missed", &faulty{read: broken}, "--duration 1h --max-errors 5 --slo errors<5%", 3, "slo: errors<5% missed", "--max-errors sets the bound"},
		{"never an answer, with an objective", &faulty{silent: 1}, "--rate 200 --duration 50ms --workers 2 --drain 10ms --slo p99<1ms", 3, "slo: p99<1ms missed", "no operation was answered"},
		{"damaged values, and an objective is missed", &faulty{read: func(int64) error { return load.ErrIntegrity }}, "--operations 30 --slo errors<5%", 3, "slo: errors<5% missed", "did not return"},
		{"too many fail", &faulty{read: broken}, "--duration 1h --max-errors 5", 1, "partial: load: too many operations failed: 5", "--max-errors sets the bound"},
		{"some fail", &faulty{read: func(n int64) error {
			if n%10 == 0 {
				return errors.New("now and then")
			}
			return nil
		}}, "--operations 100 --workers 1", 0, "errors 10", ""},
		{"too many for the objective", &faulty{read: func(n int64) error {
			if n%10 == 0 {
				return errors.New("now and then")
			}
			return nil
		}}, "--operations 100 --workers 1 --slo errors<5%", 3, "slo: errors<5% missed: 10 of 100 (10 %)", ""},
		{"what is not there is no error", &faulty{read: func(int64) error { return fmt.Errorf("key 7: %w", kv.ErrNotFound) }}, "--operations 30", 0, "not found 30 (no error)", ""},
		{"missing records give a warning", &faulty{read: func(int64) error { return kv.ErrNotFound }}, "--operations 30 --strict", 4, "warning: 100 % of the operations found no record", "not trustworthy: not-found"},
		{"some fail, strictly", &faulty{read: func(n int64) error {
			if n%10 == 0 {
				return errors.New("now and then")
			}
			return nil
		}}, "--operations 100 --workers 1 --strict", 4, "warning: 10 % of the operations failed: the rate counts them", "not trustworthy: some-failed"},
		{"no answer from the fifth on", &faulty{silent: 5}, "--rate 200 --duration 100ms --workers 2 --drain 10ms", 0, "16 of 20 operations were never answered: 2 in flight at the end (oldest ", ""},
		{"no answer, with an objective", &faulty{silent: 5}, "--rate 200 --duration 100ms --workers 2 --drain 10ms --slo p90<20ms --slo rate>=99%", 3, ": READ response > ", ""},
		{"no answer, errors counted", &faulty{silent: 15}, "--rate 200 --duration 100ms --workers 10 --drain 2s --slo errors<1%", 3, " of them never answered", ""},
		{"no answer, strictly", &faulty{silent: 5}, "--rate 200 --duration 100ms --workers 2 --drain 10ms --strict", 4, "target 200/s, achieved ", "unanswered"},
		{"never an answer", &faulty{silent: 1}, "--rate 200 --duration 50ms --workers 2 --drain 10ms", 1, "no operation was answered", "tare: error: no operation was answered"},
		{"inserts without an answer", &faulty{caps: kv.Capabilities{Load: true}, silent: 7}, "--records 7 --workers 1 --drain 10ms", 1, "partial: the records could not be inserted", "6 of 7 were, and 1 had no answer"},
		{"damaged values", &faulty{read: func(int64) error { return load.ErrIntegrity }}, "--operations 30", 1, "30 reads did not return what had been written", "did not return"},
		{"no scans", &faulty{caps: kv.Capabilities{Name: "faulty 1.0"}}, "--workload e", 2, "", "scanproportion 0.95: not with faulty 1.0"},
		{"weak settings", &faulty{caps: kv.Capabilities{Weak: []string{"sync=false"}}}, "--operations 30", 0, "errors 0", ""},
		{"weak settings, strictly", &faulty{caps: kv.Capabilities{Weak: []string{"sync=false"}}}, "--operations 30 --strict", 4, "warning: sync=false", "not trustworthy: weak-setting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // where other tares of this machine are not
			record := filepath.Join(t.TempDir(), "run.jsonl")
			args := append([]string{"load", "--workload", "c", "--db", "faulty", "-p", "faulty.key=hunter2-geheim", "--warmup-duration", "0s", "--progress", "none", "-o", record}, strings.Fields(c.args)...)
			var stdout, stderr bytes.Buffer
			code := Main(Config{Bindings: []kv.Binding{c.db.binding()}}, args, strings.NewReader(""), &stdout, &stderr)
			const untrusted = "not trustworthy: "
			said := strings.Replace(stderr.String(), untrusted+diagnosis.Steal+", ", untrusted, 1) // what neighbours did is not the run's
			if code != c.code || !strings.Contains(stdout.String(), c.out) || c.out == "" && stdout.Len() > 0 || !strings.Contains(said, c.stderr) || c.stderr == "" && said != "" {
				t.Errorf("exit %d, want %d\nstdout %s\nstderr %s", code, c.code, &stdout, &stderr)
			}
			text, err := os.ReadFile(record)
			if (err == nil) != (c.out != "") {
				t.Errorf("the record: %v", err)
			}
			if all := stdout.String() + stderr.String() + string(text); strings.Contains(all, "geheim") {
				t.Errorf("the secret is shown: %s", all)
			}
			if c.db.opened == nil && c.db.closed.Load() < 1 {
				t.Error("the database was not closed")
			}
		})
	}
}

// TestLoadBeside: tare load starts without waiting for a running tare. Both print a warning.
func TestLoadBeside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	holder, err := session.LockMachine(context.Background(), nil, session.LockMode{NoWait: true}, []string{"tare", "bench"})
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Unlock()
	var stdout, stderr bytes.Buffer
	args := []string{"load", "--workload", "c", "--db", "faulty", "--operations", "20", "--warmup-duration", "0s", "--progress", "none", "-o", filepath.Join(t.TempDir(), "run.jsonl")}
	code := Main(Config{Bindings: []kv.Binding{(&faulty{}).binding()}}, args, strings.NewReader(""), &stdout, &stderr)
	if code != 0 || !strings.Contains(stdout.String(), "another tare measured on this machine at the same time: tare bench, pid ") {
		t.Errorf("exit %d, %s%s", code, &stdout, &stderr)
	}
	if w := holder.Warning(); w == nil || !strings.Contains(w.Text, "pid ") {
		t.Errorf("the other does not know of it: %+v", w)
	}
}

// TestPanicHidesSecrets: a crash of tare itself says where it was, and tells no secret.
func TestPanicHidesSecrets(t *testing.T) {
	t.Setenv("PGPASSWORD", "hunter2-geheim")
	agent := func(io.Reader, io.Writer, io.Writer) *cobra.Command {
		return &cobra.Command{Use: "agent", RunE: func(*cobra.Command, []string) error { panic("no log-in with hunter2-geheim") }}
	}
	var stdout, stderr bytes.Buffer
	code := Main(Config{Agent: agent}, []string{"agent"}, strings.NewReader(""), &stdout, &stderr)
	if said := stderr.String(); code != 2 || !strings.HasPrefix(said, "panic: no log-in with ***\n") || !strings.Contains(said, "load_main_test.go") {
		t.Errorf("exit %d, %s", code, said)
	}
}
