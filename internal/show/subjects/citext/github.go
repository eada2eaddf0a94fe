package citext

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// minStepSummary is the least room that is worth a summary, in bytes.
const minStepSummary = 400

// AppendStepSummary adds a summary to the file that GITHUB_STEP_SUMMARY names, as far as GitHub takes it.
func AppendStepSummary(path string, s *Summary) error {
	room := MaxStepSummary
	if st, err := os.Stat(path); err == nil {
		room -= int(st.Size())
	}
	if room < minStepSummary {
		return fmt.Errorf("%s is full", path)
	}
	return appendTo(path, s.Markdown(room-1)+"\n")
}

// Output is what a workflow reads of a run, by its keys: counts of verdicts and files.
type Output [][2]string

// Outputs returns what is known of a result: how many rows of main units have which verdict, and how many gates were missed.
func Outputs(s *Summary) Output {
	counts := map[string]int{}
	if s.Result != nil {
		for i := range s.Result.Comparisons {
			if c := &s.Result.Comparisons[i]; c.Main {
				counts[c.Verdict]++
			}
		}
	}
	o := Output{{"base", s.Base}}
	if s.Result == nil || len(s.Result.Comparisons)+len(s.lost()) == 0 { // missed=0 would be read as passed
		return o
	}
	o = append(o, [2]string{"missed", fmt.Sprint(len(s.found(result.GateMissed)))})
	for _, v := range []stat.Verdict{stat.Slower, stat.Faster, stat.Undecided, stat.Equivalent} {
		o = append(o, [2]string{string(v), fmt.Sprint(counts[string(v)])})
	}
	return append(o, [][2]string{{"not_decided", fmt.Sprint(s.rows().NotDecided)}, {"lost", fmt.Sprint(len(s.lost()))}}...)
}

// AppendTo adds the values to the file that GITHUB_OUTPUT names. Line breaks in a value become blanks: a line of its own
// would be another value.
func (o Output) AppendTo(path string) error {
	var b strings.Builder
	for _, kv := range o {
		fmt.Fprintf(&b, "%s=%s\n", kv[0], strings.NewReplacer("\r", " ", "\n", " ").Replace(kv[1]))
	}
	return appendTo(path, b.String())
}

func appendTo(path, text string) error {
	path, err := tempdir.FollowLinks(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o666) // a pipe without a reader is an error
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
