package listing

import (
	"encoding/json"
	"strconv"

	"github.com/tarebench/tare/record"
)

// object is the listing for programs. Addresses are text, as in 0x403320: not every
// reader of JSON keeps 64 bits. Counts are of the first event; where there are several,
// "counts" has one for each.
type object struct {
	Binary    string            `json:"binary,omitempty"`
	BuildID   string            `json:"build_id,omitempty"`
	Arch      string            `json:"arch,omitempty"`
	Source    string            `json:"source,omitempty"`
	Passed    []string          `json:"passed,omitempty"`
	Window    string            `json:"window,omitempty"`
	Stopped   float64           `json:"stopped,omitempty"` // share of the window in which the timer stood; samples of then are none
	Ops       int64             `json:"ops,omitempty"`
	Cost      float64           `json:"cost,omitempty"`
	Samples   int64             `json:"samples"`
	Lost      int64             `json:"lost"`
	Event     string            `json:"event"`
	Rate      float64           `json:"rate"` // Hz of CPU time: achieved, or asked if that is not known
	Events    []record.AsmEvent `json:"events"`
	Regions   []jsonRegion      `json:"regions"`
	Functions []jsonRow         `json:"functions"` // after inlining
	Symbols   []jsonRow         `json:"symbols"`   // as the linker knows them
	Areas     []jsonRow         `json:"areas"`
	Warnings  []Warning         `json:"warnings,omitempty"`
}

type jsonRegion struct {
	Func    string     `json:"func"`
	Area    string     `json:"area,omitempty"`
	File    string     `json:"file,omitempty"`
	Line    int        `json:"line,omitempty"` // the lowest that has samples
	Samples int64      `json:"samples"`
	Counts  []int64    `json:"counts,omitempty"`
	Hot     bool       `json:"hot,omitempty"`    // above the threshold, or selected
	Own     bool       `json:"own,omitempty"`    // the hottest of the user's own code, which is shown whatever its share
	Folded  bool       `json:"folded,omitempty"` // above the threshold, but one line in texts: it is of the runtime
	Insns   []jsonInst `json:"insns"`
	Edges   []jsonEdge `json:"edges"`
}

type jsonInst struct {
	Addr    string      `json:"addr"`
	Text    string      `json:"text"`
	Samples int64       `json:"samples"`
	Counts  []int64     `json:"counts,omitempty"`
	File    string      `json:"file,omitempty"` // of the line, where it is another than the region's
	Line    int         `json:"line,omitempty"`
	Inline  []jsonFrame `json:"inline,omitempty"` // functions that were inlined there, the outermost first
	Note    string      `json:"note,omitempty"`   // what a check checks, among others
	Skid    bool        `json:"skid,omitempty"`   // the samples are likely to be for the instruction before
}

// jsonFrame is an inlined function and where it is called.
type jsonFrame struct {
	Func string `json:"func"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// jsonEdge is a jump. Inside says that its target is in the same region.
type jsonEdge struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Inside bool   `json:"inside"`
}

type jsonRow struct {
	Name    string  `json:"name"`
	Samples int64   `json:"samples"`
	Counts  []int64 `json:"counts,omitempty"`
}

// MarshalJSON writes the whole listing: all regions and all rows, whatever Hot, Top
// and TooBig say. The samples of "regions", of the "insns" of each, of "functions",
// "symbols" and "areas" add up to "samples".
func (l *Listing) MarshalJSON() ([]byte, error) {
	a, e := l.asm, &l.asm.Events[0]
	o := object{
		Binary: a.Binary, BuildID: a.BuildID, Arch: a.Arch, Source: a.Source, Passed: a.Rejected, Window: a.Window,
		Stopped: a.Stopped, Ops: a.Ops, Cost: a.Cost, Samples: e.Samples, Lost: e.Lost, Event: e.Name, Rate: rateOf(e), Events: a.Events,
		Functions: l.jsonRows(l.inlined), Symbols: l.jsonRows(l.symbols), Areas: l.jsonRows(l.areas), Warnings: l.warnings,
	}
	for _, r := range l.regions {
		j := l.jsonRegion(r)
		j.Hot = l.cfg.Func != nil && l.selected(r.fn) || l.cfg.Func == nil && l.hot(r)
		j.Own = r == l.own
		j.Folded = j.Hot && l.folded(r)
		o.Regions = append(o.Regions, j)
	}
	return json.Marshal(&o)
}

func (l *Listing) jsonRows(rows []row) []jsonRow {
	out := []jsonRow{}
	for _, r := range rows {
		out = append(out, jsonRow{Name: r.name, Samples: r.samples[0], Counts: l.counts(r.samples)})
	}
	return out
}

// counts returns those of every event, if there are several.
func (l *Listing) counts(samples []int64) []int64 {
	if !l.many() {
		return nil
	}
	return samples
}

func (l *Listing) jsonRegion(r *region) jsonRegion {
	f := r.fn.rec
	out := jsonRegion{
		Func: f.Name, Area: f.Area, File: f.File, Line: r.lines[0], Samples: r.samples[0], Counts: l.counts(r.samples),
		Insns: make([]jsonInst, 0, r.to-r.from), Edges: []jsonEdge{},
	}
	notes := l.notes(r, glyphs{}, false)
	for i := r.from; i < r.to; i++ {
		in := &r.fn.insts[i]
		j := jsonInst{Addr: hex(in.Addr), Text: in.Text, Samples: r.fn.n(i)[0], Counts: l.counts(r.fn.n(i)), Line: r.fn.at[i].line, Note: notes[i], Skid: l.skids(r, i)}
		if file := r.fn.at[i].file; file != f.File {
			j.File = file
		}
		for _, c := range r.fn.at[i].chain {
			n := &f.Inlines[c]
			j.Inline = append(j.Inline, jsonFrame{Func: n.Name, File: n.CallFile, Line: n.CallLine})
		}
		out.Insns = append(out.Insns, j)
	}
	inside, leaving := r.edges()
	for _, e := range inside {
		out.Edges = append(out.Edges, jsonEdge{From: hex(r.fn.insts[e.from].Addr), To: hex(r.fn.insts[e.to].Addr), Inside: true})
	}
	for _, i := range leaving {
		out.Edges = append(out.Edges, jsonEdge{From: hex(r.fn.insts[i].Addr), To: hex(r.fn.insts[i].Target)})
	}
	return out
}

func hex(a uint64) string { return "0x" + strconv.FormatUint(a, 16) }
