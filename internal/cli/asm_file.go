package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// isFile reports whether what was typed is a file rather than a package. A pipe is one:
// <(perf script).
func isFile(name string) bool {
	st, err := os.Stat(name)
	return name == "-" || err == nil && !st.IsDir()
}

// ofFiles shows what a file says: records of tare, a profile, or perf script's text.
func (f *asmFlags) ofFiles(cmd *cobra.Command, st streams, args []string, p *asmPrinter) error {
	if err := refuseFlags(cmd, "a file is shown as it is", "skip", "filter", "cpu", "forks", "iterations", "time", "benchtime", "timeout", "env", "tags",
		"seed", "against", "side", "toolchain", "side-env", "side-flags", "events", "frequency", "detail", "delay", "duration", "dry-run", "no-wait"); err != nil {
		return err
	}
	kind, r, done, err := f.peek(st, args[0])
	if err != nil {
		return err
	}
	defer done()
	if kind == fileRecord {
		return f.ofRecords(st, args, r, p)
	}
	if err := refuseFlags(cmd, "a profile is not of benchmarks", "bench"); err != nil {
		return err
	}
	if f.compare {
		return usageError(errors.New("--compare shows two sides of a run, or two records"), "")
	}
	if len(args) > 2 {
		return usageError(fmt.Errorf("asm: %s is one too many: a profile and the program's file are all it takes", args[2]), "")
	}
	binary := ""
	if len(args) == 2 {
		binary = args[1]
	}
	var a *record.Asm
	var doubts []*record.Warn
	if kind == filePprof {
		a, doubts, err = asm.FromPprof(args[0], binary, asm.Config{Whole: p.cfg.Func})
	} else {
		a, doubts, err = asm.FromScript(r, binary, asm.Config{Whole: p.cfg.Func})
		if err != nil {
			err = fmt.Errorf("%s: %w", titleOf(args[0]), err)
		}
	}
	if err != nil {
		return usageError(err, "")
	}
	f.tellDoubts(st, doubts)
	return f.write(st, func(w io.Writer, format render.Format) error {
		return p.cases(w, format, []result.Profiled[record.Asm]{{Name: titleOf(args[0]), Forks: []*record.Asm{a}}})
	})
}

func titleOf(path string) string {
	if path == "-" {
		return stdinName
	}
	return filepath.Base(path)
}

// tellDoubts says on stderr what the listing itself does not say.
func (f *asmFlags) tellDoubts(st streams, doubts []*record.Warn) {
	for _, d := range doubts {
		if d.Code == asm.CodeFewSamples || d.Code == asm.CodeLostSamples {
			continue // the listing says so
		}
		fmt.Fprintf(st.err, "tare: %s\n", termtext.Visible(d.Text))
		if d.Advice != "" {
			fmt.Fprintf(st.err, "tare: hint: %s\n", termtext.Visible(d.Advice))
		}
	}
}

// What a file is.
const (
	fileRecord = iota
	filePprof
	fileScript
)

// peek tells by its first bytes what a file is.
func (f *asmFlags) peek(st streams, path string) (kind int, r *bufio.Reader, done func(), err error) {
	in, done := st.in, func() {}
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return 0, nil, done, usageError(err, "")
		}
		in, done = file, func() { file.Close() }
	}
	r = bufio.NewReader(in)
	head, err := r.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) {
		done()
		return 0, nil, func() {}, usageError(fmt.Errorf("%s: %w", path, err), "")
	}
	switch text := bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0:
		done()
		return 0, nil, func() {}, usageError(fmt.Errorf("%s: is empty", path), "")
	case bytes.HasPrefix(text, []byte(`{"k":`)):
		kind = fileRecord
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		done()
		return 0, nil, func() {}, usageError(fmt.Errorf("%s: is a program, and no profile", path), "tare asm -- "+path+" runs and samples it; of a profile, the program's file comes second")
	case bytes.HasPrefix(head, []byte("PERFILE2")):
		done()
		return 0, nil, func() {}, usageError(fmt.Errorf("%s: is perf's own file, of which its text is read", path), "perf script -i "+path+" | tare asm - BINARY")
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.IndexFunc(head, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) >= 0:
		kind = filePprof
		if st, err := os.Stat(path); path == "-" || err != nil || !st.Mode().IsRegular() {
			done()
			return 0, nil, func() {}, usageError(fmt.Errorf("a profile cannot be read from %s: it is a pipe, or no regular file", titleOf(path)), "write it to a file and name that")
		}
	default:
		kind = fileScript
	}
	return kind, r, done, nil
}

// ofRecords shows records again, or compares two.
func (f *asmFlags) ofRecords(st streams, args []string, first io.Reader, p *asmPrinter) error {
	var cases []result.Profiled[record.Asm]
	for i, path := range args {
		r := first
		if i > 0 {
			file, err := os.Open(path)
			if err != nil {
				return usageError(err, "")
			}
			defer file.Close()
			r = file
		}
		sum, err := result.Read(r, path)
		if err != nil {
			printError(st.err, nil, recordError(err))
		}
		found := sum.Listings
		if len(found) == 0 && err != nil {
			return exit.Silent(exit.Failure) // complained of above
		}
		if len(found) == 0 {
			return failed(fmt.Errorf("%s: %w", path, whyNothing(sum)), "record it by tare asm -o FILE.jsonl, or tare bench --prof asm -o FILE.jsonl")
		}
		if found, err = chosen("", found, "sampled", f.bench.cfg.Bench); err != nil {
			return err
		}
		if f.compare && len(args) > 1 {
			for j := range found {
				found[j].Side = strings.TrimSuffix(filepath.Base(path), ".jsonl")
				if i > 0 && path == args[0] {
					found[j].Side += " again" // sides differ by name
				}
			}
		}
		cases = append(cases, found...)
	}
	p.compare, p.record = f.compare, args[0]
	return f.write(st, func(w io.Writer, format render.Format) error {
		if format == render.JSONL {
			return session.CopyFile(w, args[0])
		}
		return p.cases(w, format, cases)
	})
}

// write sends what show prints where -o and --format say.
func (f *asmFlags) write(st streams, show func(io.Writer, render.Format) error) error {
	format, err := f.show.check()
	if err != nil {
		return err
	}
	if f.show.out == "" || f.show.out == "-" {
		return show(st.out, format)
	}
	format, known := render.FormatOfPath(f.show.out)
	if !known {
		format = render.Text
	}
	var bad error
	if err := session.ReplaceFile(f.show.out, func(w *os.File) error { bad = show(w, format); return bad }); err != nil && bad == nil {
		return failed(fmt.Errorf("-o: %w", err), "")
	}
	return bad
}

// refuseFlags refuses flags that mean nothing for what was asked.
func refuseFlags(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usageError(fmt.Errorf("--%s does not fit: %s", name, why), "leave it out")
		}
	}
	return nil
}
