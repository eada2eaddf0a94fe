package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/input"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/internal/session"
)

// printPage writes one page with the runs of all files, and with the files inside. It reports whether anything was shown,
// beside what was wrong.
func printPage(s streams, w io.Writer, _ *outputFlags, _ render.Format, j result.Judgement, files []string) (shown bool, bad error) {
	code := exit.Done // the largest, as of printFiles
	p := pageReader{streams: s, judgement: j}
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
	if err := render.WriteHTML(w, "tare "+session.Version(), p.runs, p.records); err != nil {
		return false, errors.Join(bad, failed(err, ""))
	}
	return true, bad
}

// writePage writes the page of a record that was just written, whose run has said what is wrong with it.
func writePage(w io.Writer, recordPath string) error {
	p := pageReader{streams: streams{err: io.Discard}}
	if err := p.file(recordPath); err != nil && len(p.runs) == 0 {
		return err
	}
	for i := range p.records {
		p.records[i].Name = filepath.Base(recordPath) // where it lies now is nobody's business
	}
	return render.WriteHTML(w, "tare "+session.Version(), p.runs, p.records)
}

// comparedPage writes the page of a comparison, with the files that it is of. Texts that are no records are left out, and
// standard input, which has been read by then.
func comparedPage(w io.Writer, res *result.Result, files []string) error {
	var records []render.PageRecord
	for i, arg := range files {
		_, path := sideOf(arg, i, len(files))
		p := pageReader{streams: streams{err: io.Discard}}
		if path != "-" && p.file(path) == nil {
			records = append(records, p.records...)
		}
	}
	return render.WriteHTML(w, "tare "+session.Version(), []render.PageRun{{Result: res}}, records)
}

// pageReader gathers what a page shows.
type pageReader struct {
	streams
	judgement result.Judgement
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
		run := render.PageRun{Name: name, Result: r.Result}
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
