package fewlines_test

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/dev/attack/fewlines"
	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli"
)

var (
	fewSeed  = flag.Uint64("few-seed", 1, "seed of TestFewLines, so that a change is tested and not the draw; 0: one is drawn and printed")
	fewFiles = flag.Int("few-files", 100, "how many files TestFewLines draws")
	fewFirst = flag.Int("few-first", 0, "the first of them")
	fewEach  = flag.Int("few-each", 1, "how many groups of command lines TestFewLines draws for each file, beside showing it without the command")
)

// fewLimits are what a file of few lines may take when it is shown in all ways: memory is all that was allocated, one after the other.
var fewLimits = target.Limits{Codes: []int{exit.Done, exit.Failure, exit.Misuse, exit.Missed, exit.Untrusted}, CPU: 5 * time.Second, Allocated: 200e6}

// TestFewLines shows files of few lines, each legal by itself, in every way that a record is shown: nothing panics, hangs, takes memory
// beyond its bounds, or writes what is not of its format. What it finds it makes as small as it can.
func TestFewLines(t *testing.T) {
	seed := *fewSeed
	if seed == 0 {
		seed = rand.Uint64() >> 32
	}
	t.Logf("again: -few-seed %d", seed)
	s := newFewLines(t)
	found, ran, began := map[string]int{}, 0, time.Now()
	for number := *fewFirst; number < *fewFirst+*fewFiles; number++ {
		rng := mutate.Seed(seed, "few lines", number)
		file := s.source.File(rng)
		s.other = s.source.File(rng)
		for _, group := range append(fewlines.Draw(rng, s.groups, *fewEach), nil) {
			ran++
			bad := s.try(group, file)
			kind := kindOfFault(bad)
			if found[kind]++; bad == "" || found[kind] > 1 {
				continue
			}
			small := fewlines.Shrink(file, func(file []byte) bool { return kindOfFault(s.try(group, file)) == kind })
			t.Errorf("file %d: %s\n%s", number, s.try(group, small), small)
		}
	}
	delete(found, "")
	t.Logf("%d files, %d ways of showing one, in %v; found %v", *fewFiles, ran, time.Since(began).Round(time.Second), found)
}

// goldenFiles are records that earlier versions wrote, of each verb.
const goldenFiles = "../../../internal/cli/testdata/golden/*.jsonl"

// benchRecord returns one of them.
func benchRecord(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.FromSlash(goldenFiles)), "bench.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// goldenRecords are real records, of each kind of line among them.
func goldenRecords(t testing.TB) (all [][]byte) {
	t.Helper()
	for _, pattern := range []string{goldenFiles, "../../../record/testdata/v1.jsonl", "../../../internal/result/testdata/*.jsonl"} {
		paths, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
	}
	return all
}

// fewLines shows files in all ways. Nothing is built or measured.
type fewLines struct {
	dir    string
	source *fewlines.Source
	other  []byte       // the file with which others are compared
	groups [][][]string // command lines
}

func newFewLines(t *testing.T) *fewLines {
	t.Helper()
	t.Setenv("LC_ALL", "C.UTF-8")
	tools := t.TempDir()
	if git, err := exec.LookPath("git"); err == nil { // tare history needs it
		if err := os.Symlink(git, filepath.Join(tools, "git")); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	s := &fewLines{dir: t.TempDir(), source: fewlines.New(goldenRecords(t)...), groups: fewlines.Commands()}
	s.other = benchRecord(t)
	return s
}

// try runs the command lines of a group one after the other, or without a group shows the file in all ways at once. It returns what
// is wrong with the first that is, "" if none is.
func (s *fewLines) try(group [][]string, file []byte) string {
	if group == nil {
		bad := ""
		return cmp.Or(s.once([]string{"all at once"}, func([]string, io.Reader, io.Writer, io.Writer) int {
			bad = showAll(file, s.other)
			return 0
		}), bad)
	}
	path, other := filepath.Join(s.dir, "few.jsonl"), filepath.Join(s.dir, "other.jsonl")
	for name, text := range map[string][]byte{path: file, other: s.other} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err.Error()
		}
	}
	words := strings.NewReplacer(fewlines.FileHere, path, fewlines.OtherHere, other)
	for _, line := range group {
		var args []string
		for _, word := range line {
			args = append(args, words.Replace(word))
		}
		if bad := s.once(args, tareCommand); bad != "" {
			return bad
		}
	}
	written, _ := filepath.Glob(path + "-*")
	for _, x := range written {
		os.RemoveAll(x)
	}
	return ""
}

func tareCommand(args []string, in io.Reader, out, messages io.Writer) int {
	return cli.Main(cli.Config{}, args, in, out, messages)
}

// once runs a command line and judges it.
func (s *fewLines) once(args []string, main target.Main) string {
	o := target.Once(main, args)
	found := o.Judge(fewLimits)
	if len(found) == 0 {
		return ""
	}
	text := fmt.Sprintf("tare %s: %s: %s", strings.ReplaceAll(strings.Join(args, " "), s.dir+"/", ""), found[0].Kind, found[0].Text)
	if found[0].Kind == tally.Panic {
		text += "\n" + o.Messages
	}
	return text
}

var (
	frameOfTare = regexp.MustCompile(`(?m)^github\.com/tarebench/tare/.*\n\s+(\S+:\d+)`)
	anyFigure   = regexp.MustCompile(`[-+]?\d[\d.e+]*|"[^"]*"`)
)

// kindOfFault is the same for faults of one place.
func kindOfFault(bad string) string {
	if _, stack, ok := strings.Cut(bad, "panic("); ok {
		if m := frameOfTare.FindStringSubmatch(stack); m != nil {
			return m[1]
		}
	}
	line, _, _ := strings.Cut(bad, "\n")
	return anyFigure.ReplaceAllString(line, "#")
}
