// Command judge runs tare why on both sides of seeds and says whether the planted cause is the first that is named:
//
//	go run ./cmd/judge -tare ../../tare NAME…     # without names, all seeds: about an hour
//
// It exits with 1 if a seed without a difference has a cause.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/suites/why"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

// answer is what is read of the output of tare why.
type answer struct {
	Answer struct {
		Causes []struct {
			Kind  string `json:"kind"`
			What  string `json:"what"`
			Share struct {
				Value *float64 `json:"value"`
			} `json:"share"`
		} `json:"causes"`
	} `json:"answer"`
}

func run(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("judge", flag.ContinueOnError)
	fs.SetOutput(stderr)
	tare := fs.String("tare", "tare", "`program` to run")
	from := fs.String("from", ".", "`directory` with base and seeds")
	if err := fs.Parse(args); err != nil {
		return err
	}
	seeds, err := why.Load(*from)
	if err != nil {
		return err
	}
	program, err := exec.LookPath(*tare)
	if err != nil {
		return err
	}
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	var t tally
	for i := range seeds {
		s := &seeds[i]
		if fs.NArg() > 0 && !slices.Contains(fs.Args(), s.Name) {
			continue
		}
		kinds, what, err := causes(program, *from, s, stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		fmt.Fprintf(stdout, "%-28s %-13s %-10s %s\n", s.Name, s.Cause, t.add(s, kinds), what)
	}
	fmt.Fprintf(stdout, "\nfirst %d, among the first three %d, of %d with a difference that was found; %d without a verdict; without a difference %d, of which %d have a cause\n",
		t.first, t.third, t.found, t.unseen, t.same, t.accused)
	if t.accused > 0 {
		return errors.New("a cause was named where there is none")
	}
	return nil
}

// tally counts seeds by what was named.
type tally struct{ first, third, found, unseen, same, accused int }

// add counts a seed and returns a word for it.
func (t *tally) add(s *why.Seed, kinds []string) string {
	if s.Cause == "none" {
		t.same++
		if len(kinds) > 0 {
			t.accused++
			return "WRONG"
		}
		return "right"
	}
	if kinds == nil {
		t.unseen++
		return "no verdict"
	}
	t.found++
	at := slices.IndexFunc(kinds, func(k string) bool { return k == s.Cause || slices.Contains(s.Accepted, k) })
	switch {
	case at == 0:
		t.first++
		t.third++
		return "first"
	case at > 0 && at < 3:
		t.third++
		return fmt.Sprintf("number %d", at+1)
	}
	return "missed"
}

// causes runs tare why and returns the kinds of the causes as seeds name them, nil if nothing changed, and the first in words.
func causes(program, from string, s *why.Seed, stderr io.Writer) (kinds []string, what string, err error) {
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	args := []string{"why", "--format", "json", "--progress", "none", "--no-lock", "--forks", "10", "--time", "20ms", "--bench", "^" + s.Benchmark + "$"}
	for _, side := range []struct {
		name    string
		changed bool
		build   why.Build
	}{{"base", false, s.Base}, {"changed", true, s.Changed}} {
		if err := s.Write(filepath.Join(from, "base"), filepath.Join(dir, side.name), side.changed); err != nil {
			return nil, "", err
		}
		args = append(args, "--side", side.name+"="+side.name)
		for _, f := range side.build.Flags {
			args = append(args, "--side-flags", side.name+"="+f)
		}
		for _, v := range side.build.Env {
			args = append(args, "--side-env", side.name+"="+v)
		}
	}
	cmd := exec.Command(program, append(args, "./"+s.Package)...)
	cmd.Dir = dir
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprint(stderr, messages.String())
		return nil, "", err
	}
	var rows []answer
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, "", err
	}
	for _, r := range rows {
		kinds = []string{}
		for _, c := range r.Answer.Causes {
			if what == "" {
				what = c.What
				if v := c.Share.Value; v != nil {
					what = fmt.Sprintf("%s (%.0f %%)", c.What, 100**v)
				}
			}
			kinds = append(kinds, kind(c.Kind, c.What))
		}
	}
	return kinds, what, nil
}

// kind returns the word of the seeds for a cause.
func kind(k, what string) string {
	switch k {
	case "allocation size":
		return "allocations"
	case "bounds checks":
		return "bounds"
	case "same instructions, slower":
		return "cache"
	case "code layout":
		return "layout"
	case "settings":
		return "flags"
	case "garbage collection":
		return "gc"
	case "waiting":
		for word, as := range map[string]string{"system call": "syscalls", "lock": "lock", "channel": "channel", "select": "channel", "sleep": "sleep"} {
			if strings.Contains(what, "for a "+word) {
				return as
			}
		}
	case "runtime":
		if strings.Contains(what, "kernel") {
			return "kernel"
		}
	}
	return k
}
