package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// isWatchRun tells a run of tare trace, sample or contrast, which other verbs than those
// have no figures of.
func isWatchRun(run *record.Run) bool {
	switch record.KindOf(run) {
	case record.KindTrace, record.KindSample, record.KindContrast:
		return true
	}
	return false
}

// noForm is the error of a format that has nothing for such a record.
func noForm(format render.Format, s *result.Result, path string) error {
	if !isWatchRun(s.Run) || slices.Contains([]render.Format{render.Text, render.Markdown, render.JSONL}, format) {
		return nil
	}
	verb := record.KindOf(s.Run)
	err := fmt.Errorf("%s: --format %s: it holds what tare %s has seen of a program, and no results of benchmarks", path, format, verb)
	if format == render.JSON {
		verb += " --format json"
	}
	return failed(err, shownBy(verb, path))
}

// writeWatched says which verb shows such a record.
func writeWatched(w io.Writer, format render.Format, s *result.Result, o render.Options, path string) error {
	sep := " · "
	if !o.UTF8 {
		sep = " - "
	}
	e := s.Run.Env
	words := []string{command.Join(s.Run.Command), e.OS + "/" + e.Arch, e.Go}
	if s.End != nil {
		words = append(words, s.End.Why)
	}
	text := fmt.Sprintf("%s\n%s\n", strings.Join(words, sep), shownBy(record.KindOf(s.Run), path))
	if format == render.Markdown {
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		text = fence + "\n" + text + fence + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// writeSampledToo names the verb that shows what a profiler of tare bench has seen and no
// report has a place for.
func writeSampledToo(w io.Writer, s *result.Result, path string) error {
	if s.Run == nil || !slices.Contains(s.Run.Config.Prof, sampleName) {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", shownBy(sampleName, path))
	return err
}

func shownBy(verb, path string) string {
	if path == stdinName {
		path = "-"
	}
	return fmt.Sprintf("tare %s %s shows what was seen", verb, command.Join([]string{path}))
}
