package cli

import (
	"errors"
	"io"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

var errOnePicture = usageError(errors.New("--format svg: a picture holds one run, and there are several"), "write a file for each, or -o FILE.html for all; of two profiles it is the flame graph of what changed")

// printPicture writes the picture of one file with one run, or of the difference of two profiles.
func printPicture(s streams, w io.Writer, f *outputFlags, _ render.Format, j result.Judgement, files []string) (shown bool, bad error) {
	if len(files) > 2 {
		return false, errOnePicture
	}
	p := pageReader{streams: s, judgement: j, selected: f.selected}
	for _, file := range files {
		bad = errors.Join(bad, p.file(file))
	}
	between, err := p.differences()
	switch {
	case err != nil:
		return false, errors.Join(bad, err)
	case len(between) == 1:
		if err := writeDifferences(w, render.SVG, between, render.Options{}); err != nil {
			return false, err
		}
		return true, bad
	case len(p.runs) == 0:
		return false, bad
	case len(p.runs) > 1:
		return false, errOnePicture
	}
	if err := writePicture(w, &p.runs[0]); err != nil {
		return false, failed(err, "")
	}
	return true, bad
}

// writePicture writes the picture of a run: of a load its latencies, whose histograms only the record has.
func writePicture(w io.Writer, run *render.PageRun) error {
	switch {
	case !run.Result.IsLoad():
		return render.Write(w, render.SVG, run.Result, render.Options{Select: run.Select})
	case len(run.Pictures) == 0:
		return errors.New("svg: the record has too little to draw")
	}
	_, err := w.Write(run.Pictures[0].SVG)
	return err
}

// writeRecordPicture writes the picture of a record that was just written.
func writeRecordPicture(w io.Writer, recordPath string) error {
	p := pageReader{streams: streams{err: io.Discard}}
	if err := p.file(recordPath); len(p.runs) != 1 {
		return errors.Join(err, errors.New("svg: the record has no run to draw"))
	}
	return writePicture(w, &p.runs[0])
}
