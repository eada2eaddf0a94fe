// Command trees writes the two sides of seeds, to examine them or to compare them by hand:
//
//	go run ./cmd/trees -to DIR NAME…     # DIR/NAME/base and DIR/NAME/changed; without names, of all seeds
//
// For each it prints the tare bench command that compares them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/suites/why"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "trees:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("trees", flag.ContinueOnError)
	fs.SetOutput(stderr)
	to := fs.String("to", "", "`directory` to write to")
	from := fs.String("from", ".", "`directory` with base and seeds")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *to == "" {
		return errors.New("-to is missing: name a directory to write to")
	}
	all, err := why.Load(*from)
	if err != nil {
		return err
	}
	for _, name := range fs.Args() {
		if !slices.ContainsFunc(all, func(s why.Seed) bool { return s.Name == name }) {
			return fmt.Errorf("no seed is named %s", name)
		}
	}
	for i := range all {
		if fs.NArg() > 0 && !slices.Contains(fs.Args(), all[i].Name) {
			continue
		}
		line, err := write(&all[i], *from, *to)
		if err != nil {
			return err
		}
		fmt.Fprintln(stdout, line)
	}
	return nil
}

// write writes both sides of a seed and returns the command that compares them.
func write(s *why.Seed, from, to string) (string, error) {
	words := []string{"tare", "bench", "--bench", "'" + strings.TrimPrefix(s.Benchmark, "Benchmark") + "$'"}
	for _, side := range []struct {
		name    string
		changed bool
		build   why.Build
	}{{"base", false, s.Base}, {"changed", true, s.Changed}} {
		dir := filepath.Join(to, s.Name, side.name)
		if err := s.Write(filepath.Join(from, "base"), dir, side.changed); err != nil {
			return "", err
		}
		words = append(words, "--side", side.name+"="+dir)
		for _, f := range side.build.Flags {
			words = append(words, "--side-flags", side.name+"="+f)
		}
		for _, v := range side.build.Env {
			words = append(words, "--side-env", side.name+"="+v)
		}
	}
	return strings.Join(append(words, "./"+s.Package), " "), nil
}
