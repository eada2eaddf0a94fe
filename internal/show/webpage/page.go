package webpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"

	"github.com/tarebench/tare/internal/base/input/pagefile"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/script"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// Page is what a page shows.
type Page struct {
	Title   string
	Tool    string // and its version, in the foot
	Banners []Banner
	Runs    []Run
	Records []Record // that are inside
	Live    bool     // the run goes on: scripts get what is new from the server that the page is from
}

// Banner says at the top what takes the trust from what follows.
type Banner struct {
	Text   string
	Items  []string
	Advice string
}

// Record is the content of a record file.
type Record struct {
	Name string
	Data []byte
}

// Run is one record.
type Run struct {
	Name     string // its heading; "" where there is only one
	Verdicts []Verdict
	Facts    []Fact   // on what and how was measured
	Help     []string // how to read all this, a paragraph each
	Notes    []Note   // warnings about the run and the machine, each with what to do about it
	Blocks   []Block  // tables and pictures, in order
	RowNotes []Note   // warnings about rows, by their marks
	NoteHelp []string // how to read those
	Repeat   []string // the command that repeats it, a line each
}

// Verdict is a sentence at the top.
type Verdict struct {
	Kind Kind
	Text string
}

// Kind says how a verdict or a row is drawn: by a sign and a colour, never by the colour alone.
type Kind string

// The kinds.
const (
	Plain      Kind = ""
	Good       Kind = "good"
	Bad        Kind = "bad"
	Same       Kind = "same"
	Unknown    Kind = "unknown"
	Distrusted Kind = "distrusted"
)

// Sign returns what stands before a verdict.
func (k Kind) Sign() string {
	switch k {
	case Good:
		return "▼"
	case Bad:
		return "▲"
	case Same:
		return "="
	case Unknown, Distrusted:
		return "?"
	}
	return ""
}

// Fact is a line of the panel on how far the figures can be trusted.
type Fact struct{ Name, Value string }

// Note is a warning. Notes about rows have a mark, by which the rows refer to them.
type Note struct {
	Mark         string
	Machine      bool // it is about the machine
	Text, Advice string
	Rows         []string // the whole text for each row, where they differ
}

// Block is a part of the page. Those of its fields that are empty are left out.
type Block struct {
	Title    string
	Table    *Table
	Picture  *Picture
	OverTime *OverTime
	Figures  []Figure
	Graph    *Graph
	Code     []listing.Folded // regions of machine code
	Text     string           // preformatted
	Notes    []string         // below
	Help     []string         // how to read it, a paragraph each; folded
}

// Figure is a chart, with its figures as a table behind it. Its markup has the classes of package chart.
type Figure struct {
	Title  string
	SVG    string
	Linear string // the same with linear axes, where SVG has logarithmic ones; "" if there is none
	Bars   bool   // SVG has bars with their values, which scripts draw anew
	Table  *Table
}

// Graph is a flame graph, with which readers work: the page has its style and its script.
type Graph struct {
	*profile.Graph
	Alt string // what it shows
}

// Table is a table of figures.
type Table struct {
	Columns []Column
	Groups  []Group
}

// Add adds a row to the last group, which it makes if there is none.
func (t *Table) Add(cells ...Cell) *Row {
	if len(t.Groups) == 0 {
		t.Groups = []Group{{}}
	}
	g := &t.Groups[len(t.Groups)-1]
	g.Rows = append(g.Rows, Row{Cells: cells})
	return &g.Rows[len(g.Rows)-1]
}

// Class returns the class of the cells of column i.
func (t *Table) Class(i int) string {
	if i < len(t.Columns) && t.Columns[i].Number {
		return "number"
	}
	return ""
}

// Column is the head of a column.
type Column struct {
	Title  string
	Number bool // figures, which stand at the right
	Axis   *Axis
}

// Group holds rows under a heading.
type Group struct {
	Title string
	Rows  []Row
}

// Row is a row of a table. Detail marks a further unit of the row above.
type Row struct {
	Kind   Kind
	Detail bool
	Cells  []Cell
}

// Cell is a figure or a name, with its unit, the marks of notes, or a drawing.
type Cell struct {
	Text  string
	Unit  string
	Marks string // of notes: "¹ ²"
	Span  *Span
	Kind  Kind
	Value string // the exact number by which rows are sorted; "" to sort by the text
}

// Picture is an SVG image with a sentence that says what it shows.
type Picture struct {
	SVG []byte
	Alt string
}

// OverTime is a run of a load as it went on. Scripts draw it from the record inside the page; without them, and in print, it is
// some pictures.
type OverTime struct {
	Record   int  // index of the record
	Live     bool // scripts draw what the server sends, instead of a record
	Pictures []Picture
}

//go:embed style.css
var style string

// pageStyle is the style of all pages.
func pageStyle() string {
	return style + ".flame { " + chart.BoxColours + " }\n"
}

// script is what the page runs.
func (p *Page) script() string {
	if p.Live {
		return script.Join(script.Live...)
	}
	return script.Join(script.Page...)
}

// hasCharts reports whether scripts draw charts in the page. One that goes on may come to have some.
func (p *Page) hasCharts() bool {
	if p.Live {
		return true
	}
	for _, r := range p.Runs {
		for _, b := range r.Blocks {
			if b.OverTime != nil {
				return true
			}
		}
	}
	return false
}

// allowed returns the only sources of a kind that browsers take: a text with this checksum.
func allowed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// WriteMain writes what is inside of the page's element main: all but the frame and the records.
func (p *Page) WriteMain(w io.Writer) error {
	var out writer
	out.main(p)
	_, err := out.WriteTo(w)
	return err
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var out writer
	out.f("%s\n", pagefile.Doctype)
	out.before(p)
	if _, err := out.WriteTo(w); err != nil {
		return err
	}
	for _, r := range p.Records {
		if err := pagefile.Write(w, r.Name, r.Data); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</body>\n</html>\n")
	return err
}
