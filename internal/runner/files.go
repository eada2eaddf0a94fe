package runner

import (
	"os"

	"github.com/tarebench/tare/internal/samecode"
	"github.com/tarebench/tare/internal/tempdir"
)

// Limits of the files that are digested for a package. Where one run has all sides, what is beyond them is measured on each. Digests
// of a run of one side are used only if its record is compared with another one later, so that they may cost less.
const (
	maxFiles     = 10_000
	maxFileBytes = 1 << 30
	maxOneSided  = 100 << 20
)

// addFileDigests sets [record.Bin.Files] of the binaries that are timed.
func (b *Built) addFileDigests() {
	files := &samecode.Files{MaxFiles: maxFiles, MaxBytes: maxFileBytes}
	if len(b.sides) < 2 {
		files.MaxBytes = maxOneSided
	}
	files.Except = append(files.Except, os.TempDir(), b.RunLog)
	if dir, err := tempdir.Cache(); err == nil {
		files.Except = append(files.Except, dir)
	}
	if b.Recorder != nil {
		files.Except = append(files.Except, b.Recorder.Path())
	}
	known := map[string]string{} // by directory: layouts share one
	for _, x := range b.bins {
		if x.Purpose != "" {
			continue
		}
		if _, ok := known[x.Dir]; !ok {
			known[x.Dir] = files.Digest(x.Dir)
		}
		x.Files = known[x.Dir]
	}
}
