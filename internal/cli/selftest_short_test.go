package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestShortSelftest: the self-test of tare ci measures the built-in set, and prints nothing.
func TestShortSelftest(t *testing.T) {
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
	r, err := shortSelftest(streams{in: strings.NewReader(""), out: &out, err: &errs}, budget, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	if out.Len() > 0 {
		t.Errorf("printed: %s", &out)
	}
	if len(r.Benchmarks) != len(aatest.Builtin()) {
		t.Errorf("%d benchmarks", len(r.Benchmarks))
	}
}
