package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/summary"
)

// isWatchRun tells a run of tare trace, sample or contrast, which other verbs than those
// have no figures of.
func isWatchRun(run *record.Run) bool {
	return run != nil && len(run.Command) > 1 && slices.Contains([]string{traceName, sampleName, contrastName}, run.Command[1])
}

// writeWatched says which verb shows such a record.
func writeWatched(w io.Writer, s *summary.Summary, o report.Options, path string) error {
	sep := " · "
	if !o.UTF8 {
		sep = " - "
	}
	e := s.Run.Env
	words := []string{joinWords(s.Run.Command), e.OS + "/" + e.Arch, e.Go}
	if s.End != nil {
		words = append(words, s.End.Why)
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.Join(words, sep), shownBy(s.Run.Command[1], path))
	return err
}

// writeSampledToo names the verb that shows what a profiler of tare bench has seen and no
// report has a place for.
func writeSampledToo(w io.Writer, s *summary.Summary, path string) error {
	if s.Run == nil || !slices.Contains(s.Run.Config.Prof, sampleName) {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", shownBy(sampleName, path))
	return err
}

func shownBy(verb, path string) string {
	return fmt.Sprintf("tare %s %s shows what was seen", verb, joinWords([]string{path}))
}
