package cli

import (
	"bytes"
	"io"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/loadrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
)

// A MachinesReport writes what the runs of one command on several machines say together, judged by j. name is that of
// their file. It reports whether that stands instead of the runs: not if the format has no place for it, or has one for
// both. It fails for runs that cannot be combined.
type MachinesReport func(w io.Writer, f render.Format, name string, all []*runs.Run, j result.Judgement, o render.Options) (instead bool, err error)

// machines writes the runs of several machines together, and says so where it cannot.
func (p *printer) machines(name string, found []*runs.Run) (instead bool, err error) {
	if !onMachines(found) {
		return false, nil
	}
	if p.output.machines == nil {
		exit.Message(p.err, "note", name+": holds runs on several machines, which cmd/tare-full combines: "+loadrun.InstallFull)
		return false, nil
	}
	return p.output.machines(p.w, p.format, name, found, p.judgement, p.output.options(p.w))
}

// together puts what the runs of several machines say together before them.
func (p *pageReader) together(name string, found []*runs.Run) error {
	if p.machines == nil || !onMachines(found) {
		return nil
	}
	var b bytes.Buffer
	if _, err := p.machines(&b, render.Text, name, found, p.judgement, render.Options{UTF8: true, Width: pageWidth}); err != nil {
		return err
	}
	write := func(w io.Writer, _ render.Options) error {
		_, err := w.Write(b.Bytes())
		return err
	}
	p.runs = append(p.runs, render.PageRun{Name: name + ", machines combined", Result: &result.Result{}, Differences: []*render.View{{Text: write}}})
	return nil
}

// pageWidth is the width of that text, in columns, as of others in pages.
const pageWidth = 110

// onMachines reports whether two runs are of one command on several machines.
func onMachines(all []*runs.Run) bool {
	last := ""
	for _, r := range all {
		if r.Run == nil || r.Run.Group == "" || r.CopyOf != 0 {
			continue
		}
		if r.Run.Group == last {
			return true
		}
		last = r.Run.Group
	}
	return false
}
