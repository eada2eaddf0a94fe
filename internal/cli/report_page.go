package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// printPage writes one page with the runs of all files, and with the files inside. It reports whether anything was
// shown, beside what was wrong.
func printPage(s streams, w io.Writer, f *outputFlags, _ render.Format, j result.Judgement, files []string) (shown bool, bad error) {
	code := exit.Done // the largest, as of printFiles
	p := pageReader{streams: s, judgement: j, selected: f.selected}
	for _, path := range files {
		if err := p.file(path); err != nil {
			code = max(code, printError(s.err, nil, err))
		}
	}
	if code != exit.Done {
		bad = exit.Silent(code)
	}
	if len(p.runs) == 0 {
		return false, bad
	}
	if len(files) > 1 {
		p.addComparison()
	}
	between, err := p.differences()
	if err != nil {
		return false, errors.Join(bad, err)
	}
	if len(between) > 0 {
		first := render.PageRun{Name: p.runs[0].Name + " → " + p.runs[1].Name, Result: &result.Result{}, Differences: between}
		p.runs = append([]render.PageRun{first}, p.runs...)
	}
	if err := render.WriteHTML(w, "tare "+session.Version(), p.runs, p.records); err != nil {
		return false, errors.Join(bad, failed(err, ""))
	}
	return true, bad
}

// differences returns what changed in the profiles from one run to the other, if there are two.
func (p *pageReader) differences() ([]*render.View, error) {
	if len(p.runs) != 2 {
		return nil, nil
	}
	of := p.selected
	of.Peek = nil
	both := render.Beside(p.runs[0].Result, p.runs[1].Result, [2]string{job.SideOld, job.SideNew})
	views, err := render.ProfileDifferences(both, render.StackOptions{Selection: of})
	if err != nil {
		return nil, failed(err, "write a page for each")
	}
	return views, nil
}

// writePage writes the page of a record that was just written, whose run has said what is wrong with it.
func writePage(w io.Writer, recordPath string) error {
	p := pageReader{streams: streams{err: io.Discard}}
	if err := p.file(recordPath); err != nil && len(p.runs) == 0 {
		return err
	}
	for i := range p.records {
		p.records[i].Name = filepath.Base(recordPath) // the page does not show the directory of the record
	}
	return render.WriteHTML(w, "tare "+session.Version(), p.runs, p.records)
}

// comparedPage writes the page of a comparison, with the files that it is of. Texts that are no records are left out,
// and standard input, which has been read by then.
func comparedPage(w io.Writer, res *result.Result, profiles []*render.View, of render.Selection, files []string) error {
	var records []render.PageRecord
	for i, arg := range files {
		_, path := sideOf(arg, i, len(files))
		p := pageReader{streams: streams{err: io.Discard}}
		if path != "-" && p.file(path) == nil {
			records = append(records, p.records...)
		}
	}
	return render.WriteHTML(w, "tare "+session.Version(), []render.PageRun{{Result: res, Select: of, Differences: profiles}}, records)
}

// addComparison puts a comparison before the runs if each record is one of benchmarks, with one run of one side. The
// first is the base. Others are shown one after the other, as they are.
func (p *pageReader) addComparison() {
	if len(p.runs) != len(p.records) {
		return
	}
	all, names := result.NewBuilder(), map[string]bool{}
	for i := range p.records {
		one := result.NewBuilder()
		if record.KindOf(p.runs[i].Result.Run) != record.KindBench || one.ReadAll(bytes.NewReader(p.records[i].Data), p.records[i].Name) != nil {
			return
		}
		name := strings.TrimSuffix(filepath.Base(p.records[i].Name), filepath.Ext(p.records[i].Name))
		if names[name] {
			name = fmt.Sprintf("%s (%d)", name, i+1)
		}
		names[name] = true
		if all.Absorb(one, name) != nil {
			return
		}
	}
	all.Judge(p.judgement)
	if res := all.Result(); len(res.Comparisons) > 0 {
		p.runs = append([]render.PageRun{{Name: "Comparison", Result: res, Compared: true}}, p.runs...)
	}
}

// pageReader gathers what a page shows.
type pageReader struct {
	streams
	judgement result.Judgement
	selected  render.Selection
	runs      []render.PageRun
	records   []render.PageRecord
}

// file reads the runs of a file. Copies of a run are left out of what is shown.
func (p *pageReader) file(path string) error {
	in, err := input.Open(path, p.in)
	if err != nil {
		return err
	}
	defer in.Close()
	var data bytes.Buffer
	found := runs.Copy(&data, in, in.Name)
	for _, text := range runs.Copies(found) {
		exit.Message(p.err, "warning", in.Name+": "+text)
	}
	var bad error
	several := runs.Count(found) > 1
	for _, r := range found {
		if r.CopyOf != 0 {
			continue
		}
		name := in.Name
		if several {
			name = fmt.Sprintf("%s, run %d of %d", in.Name, r.Number, len(found))
		}
		if r.Result.Run == nil && r.Err != nil {
			bad = errors.Join(bad, recordError(r.Err))
			continue
		}
		r.Judge(p.judgement)
		if err := checkSelection(p.selected, r.Result, name, true); err != nil {
			bad = errors.Join(bad, err)
			continue
		}
		run := render.PageRun{Name: name, Result: r.Result, Select: p.selected}
		if !several {
			run.Pictures = loadPictures(r.Result, data.Bytes())
			run.OverTime = len(run.Pictures) > 0 && r.Result.Stepped == ""
			run.Record = len(p.records)
		}
		p.runs = append(p.runs, run)
		bad = errors.Join(bad, checkWhole(p.err, r.Result, name, r.Err))
	}
	if data.Len() > 0 {
		p.records = append(p.records, render.PageRecord{Name: in.Name, Data: data.Bytes()})
	}
	return bad
}
