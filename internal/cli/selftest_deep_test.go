package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cli/doctor"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestDeep: the doctor's short self-test measures the built-in set, and says
// that it is short.
func TestDeep(t *testing.T) {
	testutil.NeedLong(t, "builds three packages of the standard library")
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	t.Setenv("TMPDIR", t.TempDir()) // no other tare's lock
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const budget = 10 * time.Millisecond // one block
	var out, errs bytes.Buffer
	r, err := deepSelftest(streams{in: strings.NewReader(""), out: &out, err: &errs}, budget, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	if out.Len() > 0 {
		t.Errorf("printed: %s", &out)
	}
	if err := writeDeep(&out, r, budget); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\na short self-test of 10ms, whose intervals are wide; tare selftest takes 2m:\n",
		"1 window of 10+10 forks", "too few windows (1 of 40)", "\nverdict: ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if len(r.Benchmarks) != len(aatest.Builtin()) {
		t.Errorf("%d benchmarks", len(r.Benchmarks))
	}
	out.Reset()
	if err := (&doctor.Report{Selftest: r}).WriteJSON(&out); err != nil || !strings.Contains(out.String(), `"selftest": {`) {
		t.Errorf("%v: %s", err, &out)
	}
}
