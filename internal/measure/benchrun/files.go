package benchrun

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/binary/samecode"
	"github.com/tarebench/tare/internal/measure/session"
)

// Limits of the files that are digested for a package. Where one run has all sides, what is beyond them is measured
// on each. Digests of a run of one side are used only if its record is compared with another one later, so that they
// may cost less.
const (
	maxFiles     = 50_000
	maxFileBytes = 1 << 30
	maxFileTime  = 20 * time.Second // for all packages of a run
	maxOneSided  = 100 << 20
	maxOneTime   = 2 * time.Second
)

// newFiles returns what digests files, without those of this process and of caches. What a file holds never excepts
// it: a benchmark may read a record, too.
func (c *Config) newFiles(recorder *session.Recorder) *samecode.Files {
	f := &samecode.Files{MaxFiles: maxFiles, MaxBytes: maxFileBytes, Until: time.Now().Add(maxFileTime)}
	f.Except = append(f.Except, os.TempDir(), c.RunLog, c.Output, c.Output+tempdir.PartialSuffix)
	f.Except = append(f.Except, c.Outputs...)
	for _, name := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOCOVERDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
		f.Except = append(f.Except, os.Getenv(name))
	}
	for _, dir := range filepath.SplitList(os.Getenv("GOPATH")) {
		f.Except = append(f.Except, filepath.Join(dir, "pkg"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		f.Except = append(f.Except, filepath.Join(home, "go", "pkg"))
	}
	if dir, err := tempdir.Cache(); err == nil {
		f.Except = append(f.Except, dir)
	}
	if recorder != nil {
		f.Except = append(f.Except, recorder.Path())
	}
	return f
}

// addFileDigests sets [record.Bin.Files] of the binaries that are timed. It says why if it cannot for equal binaries
// of two sides.
func (b *Built) addFileDigests() {
	files := b.newFiles(b.Recorder)
	if len(b.sides) < 2 {
		files.MaxBytes, files.Until = maxOneSided, time.Now().Add(maxOneTime)
	}
	known, failed := map[string]string{}, map[string]error{} // by directory: layouts share one
	for _, x := range b.bins {
		if x.Purpose != "" {
			continue
		}
		if _, ok := known[x.Dir]; !ok {
			known[x.Dir], failed[x.Dir] = files.Digest(x.Dir)
		}
		x.Files = known[x.Dir]
	}
	for i, x := range b.bins {
		err := failed[x.Dir]
		twin := func(y *binary) bool { return y.Purpose == "" && y.SHA256 == x.SHA256 && y.Side != x.Side }
		if err != nil && x.Purpose == "" && slices.ContainsFunc(b.bins[:i], twin) {
			b.Progress.Note("%s: the binaries of its sides are equal; both are measured, because the files that its benchmarks can read are not compared: %v", x.Pkg, err)
			failed[x.Dir] = nil
		}
	}
}
