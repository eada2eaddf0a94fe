package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// keptRuns is how many records of runs without -o are kept in the user's cache: so many of runs that were completed, and
// so many of others, which can be resumed.
const keptRuns = 20

// emptyAge is how old an empty record must be to be one of a killed run: another may be about to write its first line.
const emptyAge = time.Minute

// keptName matches the names of such records, and none that a user is likely to give a file.
var keptName = regexp.MustCompile(`^tare-\d{8}-\d{6}-[0-9a-f]+-\d+\.jsonl$`)

// defaultRecord returns the place of a record for which no file was named.
func defaultRecord(seed record.Seed, start time.Time) string {
	dir := recordsDir()
	removeOldest(dir, time.Now())
	return filepath.Join(dir, fmt.Sprintf("tare-%s-%s-%d.jsonl", start.UTC().Format("20060102-150405"), seed, os.Getpid()))
}

// recordsDir returns the directory of such records: in the user's cache, or else in the directory that is the user's own.
func recordsDir() string {
	for _, parent := range []func() (string, error){tempdir.Cache, tempdir.OwnDir} {
		dir, err := parent()
		if err != nil {
			continue
		}
		dir = filepath.Join(dir, "runs")
		if err = os.MkdirAll(dir, 0o700); err == nil {
			return dir
		}
	}
	return "." // creating the record says what is wrong
}

// removeOldest makes room for one more record. It removes empty ones first, which killed runs leave behind. Names sort by
// time. Records of running tares stay, and do not count. Records of completed runs take no room from records that can be
// resumed, because tare has printed the names of those.
func removeOldest(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var completed, others []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !keptName.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case beingWritten(path):
		case info.Size() == 0 && now.Sub(info.ModTime()) > emptyAge:
			os.Remove(path)
		case isCompleted(path, info.Size()):
			completed = append(completed, path)
		default:
			others = append(others, path)
		}
	}
	for _, names := range [][]string{completed, others} {
		slices.Sort(names)
		for len(names) >= keptRuns {
			os.Remove(names[0])
			names = names[1:]
		}
	}
}

// maxEnd is longer than the last line of the record of a run that was completed, in bytes.
const maxEnd = 4 << 10

// isCompleted reports whether the last line of a record says that its run was completed.
func isCompleted(path string, size int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	tail := make([]byte, min(size, maxEnd))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false
	}
	line := bytes.TrimSpace(tail)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	var d record.LineDecoder
	l, err := d.Decode(line)
	end, ok := l.(*record.End)
	return err == nil && ok && end.State == record.EndCompleted
}

// beingWritten reports whether a tare is writing a record.
func beingWritten(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // and with it the claim
	return claimRecord(f) != nil
}
