package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/aatest"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// earlier is the record of a run that is being resumed.
type earlier struct {
	sink  *session.Recorder
	run   *record.Run
	bins  []*record.Bin
	cases []*record.Case
	done  map[forkKey]bool // forks that counted
	lost  map[int]bool     // cases that failed before their forks
	last  int              // ID of the last fork
	whole bool             // the record holds the whole plan
	ended bool             // and its end
}

type forkKey struct {
	caseID, round int
	purpose       string
}

// planned reports whether discovery and pilot need not be done again.
func (e *earlier) planned() bool { return e != nil && e.whole }

// complete reports whether nothing is left to do.
func (e *earlier) complete() bool { return e != nil && e.ended }

// withResume are the flags that do not change what is measured.
var withResume = []string{"resume", "output", "format", "color", "verbose", "no-wait", "strict", "progress", "env"}

// checkResume reads the record and takes its configuration over.
func (s *benchSession) checkResume(cmd *cobra.Command, args []string) error {
	path := s.flags.resume
	if len(args) > 0 {
		return usageError(fmt.Errorf("--resume %s goes on with the packages it began with; leave out %s", path, strings.Join(args, " ")), "")
	}
	var others []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(withResume, f.Name) {
			others = append(others, "--"+f.Name)
		}
	})
	if len(others) > 0 {
		return usageError(fmt.Errorf("--resume %s goes on with the plan it began with; leave out %s", path, strings.Join(others, ", ")), "")
	}
	e, err := s.readEarlier(path)
	if err != nil {
		return err
	}
	s.prior, s.run = e, *e.run
	if err := s.unmask(path); err != nil {
		return err
	}
	return s.resumeOutput(e)
}

// readEarlier reads a record file and opens it for appending.
func (s *benchSession) readEarlier(path string) (*earlier, error) {
	rec, cut, err := session.ResumeRecorder(path, checkRecord)
	if err != nil {
		return nil, err
	}
	if cut > 0 {
		s.progress.Note("%s: removed its last line, which was cut off after %d bytes", rec.Path(), cut)
	}
	e := &earlier{sink: rec, done: map[forkKey]bool{}, lost: map[int]bool{}}
	return e, rec.Replay(e.add)
}

// checkRecord refuses a file that cannot be resumed.
func checkRecord(path string, line record.Line, err error) error {
	if err != nil {
		return recordError(err)
	}
	run, ok := line.(*record.Run)
	switch {
	case !ok:
		return usageError(fmt.Errorf("%s: does not begin with a run", path), "")
	case aatest.IsRun(run):
		return usageError(fmt.Errorf("--resume %s: is the record of a self-test, which has no plan to go on with", path), "tare selftest --from "+path)
	case record.KindOf(run) == record.KindTime:
		return usageError(fmt.Errorf("--resume %s: is a record of tare time, which has no plan to go on with", path), "tare report "+path+" prints the command that repeats it")
	}
	return nil
}

func (e *earlier) add(line record.Line) {
	switch l := line.(type) {
	case *record.Run:
		e.run = l
	case *record.Bin: // a plan that was cut off is in the file once more, whole
		e.bins = append(slices.DeleteFunc(e.bins, func(b *record.Bin) bool { return b.ID == l.ID }), l)
	case *record.Case:
		e.cases = append(slices.DeleteFunc(e.cases, func(c *record.Case) bool { return c.ID == l.ID }), l)
	case *record.Sample: // its fork may have been cut off, and its number is taken
		e.last = max(e.last, l.Fork)
	case *record.Fork:
		e.last = max(e.last, l.ID)
		e.ended = false
		switch {
		case l.Purpose == record.PurposeDiscovery || l.Purpose == record.PurposePilot:
			e.lost[l.Case] = true
		case l.State == record.StateOK:
			e.done[forkKey{l.Case, l.Round, l.Purpose}] = true
		}
	case *record.Tare:
		e.whole = true
	case *record.End:
		e.ended = l.State == record.EndCompleted
	}
}

// unmask asks for the secrets that the record does not hold.
func (s *benchSession) unmask(path string) error {
	for _, x := range s.run.Sides {
		for _, kv := range x.Setenv {
			if name, val, _ := strings.Cut(kv, "="); val == session.Masked {
				return usageError(fmt.Errorf("--resume %s: the record does not hold the value of %s of side %s", path, name, x.Name), "start a new run")
			}
		}
	}
	given := s.flags.cfg.Setenv
	c := &s.run.Config
	c.Setenv = slices.Clone(c.Setenv)
	for i, kv := range c.Setenv {
		name, val, _ := strings.Cut(kv, "=")
		if val != session.Masked {
			continue
		}
		j := slices.IndexFunc(given, func(g string) bool { return strings.HasPrefix(g, name+"=") })
		if j < 0 {
			return usageError(fmt.Errorf("--resume %s: the record does not hold the value of %s", path, name), "give it again: --env "+name+"=…")
		}
		c.Setenv[i] = given[j]
	}
	return nil
}

// resumeOutput checks -o: the record goes on in its own file.
func (s *benchSession) resumeOutput(e *earlier) (err error) {
	if s.exporter, err = s.flags.show.exporter(); err != nil {
		return err
	}
	if s.exporter.Records != "" {
		return usageError(fmt.Errorf("-o %s: with --resume the records go on in %s", s.exporter.Records, e.sink.Path()), "leave out -o, or name a .txt, .json, .md or .csv file")
	}
	return nil
}

// adopt takes the plan of the earlier record over, if what would be measured
// now is what was measured then.
func (s *benchSession) adopt() error {
	e := s.prior
	built := map[[4]string]*binary{}
	for _, b := range s.bins {
		built[[4]string{b.Pkg, b.Side, b.Layout, b.Purpose}] = b
	}
	s.bins = nil
	for _, old := range e.bins {
		b := built[[4]string{old.Pkg, old.Side, old.Layout, old.Purpose}]
		if b == nil {
			return failed(fmt.Errorf("%s: package %s is in the record, but cannot be built now", e.sink.Path(), old.Pkg), "")
		}
		if b.SHA256 != old.SHA256 {
			return failed(fmt.Errorf("%s: the test binary of %s is not the one that was measured (sha256 %.12s then, %.12s now)", e.sink.Path(), old.Pkg, old.SHA256, b.SHA256),
				"go back to the sources and the toolchain of the record, or start a new run")
		}
		b.ID = old.ID
		s.bins = append(s.bins, b)
	}
	s.plan.Done = func(id, round int) bool { return e.done[forkKey{id, round, record.PurposeTiming}] }
	s.plan.ProfileDone = func(id, round int, purpose string) bool {
		return e.done[forkKey{id, round, purpose}] || s.unprofiled(id, round, purpose)
	}
	for _, c := range e.cases {
		if !e.lost[c.ID] {
			s.plan.Cases = append(s.plan.Cases, c)
		}
	}
	s.pairUp(slices.Clone(e.cases))
	s.runner.First(e.last + 1)
	s.progress.Note("%s holds %d forks; going on", e.sink.Path(), len(e.done))
	return s.sameMachine()
}

// sameMachine doubts a record whose forks ran on different machines.
func (s *benchSession) sameMachine() error {
	m, was := env.Describe(), s.run.Env
	if m.CPU == was.CPU && m.Cores == was.Cores && m.Kernel == was.Kernel {
		return nil
	}
	return s.write(&record.Warn{
		About: record.AboutRun, Code: "resumed-elsewhere",
		Text:   fmt.Sprintf("resumed on another machine: %s, %d cores, %s", m.CPU, m.Cores, m.Kernel),
		Advice: "forks of different machines do not belong into one interval: start a new run",
	})
}
