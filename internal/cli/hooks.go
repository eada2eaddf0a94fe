package cli

import (
	"errors"
	"slices"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// unfit is why a binary cannot have hooks, nil if all can.
func unfit(errs []error) error {
	for _, err := range errs {
		if errors.Is(err, build.ErrDeep) {
			return err
		}
	}
	return nil
}

// shallow goes on without hooks. All binaries do without, so that what is
// compared was measured alike.
func (s *benchSession) shallow(err error) {
	s.run.Config.Deep = false
	for _, x := range s.sides {
		x.Deep = false
	}
	s.profs = slices.DeleteFunc(s.profs, func(p knownProfiler) bool { return (p.part != nil || p.Needs().Deep) && !p.Needs().Rough })
	s.noHooks = err
	s.progress.Note("%s; measuring without hooks", termtext.OneLine(err.Error()))
}

// hooksWarning says in the record that hooks were asked for in vain.
func (s *benchSession) hooksWarning() []*record.Warn {
	if s.noHooks == nil {
		return nil
	}
	return []*record.Warn{{
		About: record.AboutRun, Code: "no-hooks",
		Text:   "measured without the hooks of --deep: " + s.secrets.Mask(termtext.OneLine(s.noHooks.Error())),
		Advice: "leave out --deep, or take away what is in its way; hooks fit go1.25 and go1.26",
	}}
}
