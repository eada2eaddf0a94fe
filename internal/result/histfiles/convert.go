package histfiles

import (
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
)

// Formats returns the formats that [Input.Convert] writes.
func Formats() []string { return []string{"hlog", "csv", "json", "hgrm"} }

// Conversion says how intervals are written.
type Conversion struct {
	Format  string             // one of Formats
	Unit    latencies.TimeUnit // of the figures in csv (default ns) and hgrm (default ms)
	Correct time.Duration      // above 0: hgrm has the estimate for a loop that sends at this interval
	ToFile  bool               // hgrm begins with the line that HistogramLogProcessor writes into files only
}

// Check finds contradictions.
func (c Conversion) Check(files int) error {
	switch {
	case c.Unit.Ns != 0 && (c.Format == "hlog" || c.Format == "json"):
		return exit.Usage(fmt.Errorf("--unit: the values of %s are always in ns", c.Format), "")
	case c.Correct > 0 && c.Format != "hgrm":
		return exit.Usage(fmt.Errorf("--correct: %s has recorded values only, and no estimates", c.Format), "--format hgrm")
	case files > 1 && (c.Format == "hlog" || c.Format == "hgrm"):
		return exit.Usage(fmt.Errorf("--format %s takes one log, and was given %d", c.Format, files), "make one of them first: tare hist merge")
	}
	return nil
}

// Convert writes the selected intervals in another format.
func (in *Input) Convert(w io.Writer, c Conversion) error {
	switch c.Format {
	case "csv":
		return in.writeCSV(w, c.Unit)
	case "json":
		return in.writeJSON(w)
	case "hgrm":
		return in.writeHgrm(w, c)
	}
	return in.writeLog(w)
}
