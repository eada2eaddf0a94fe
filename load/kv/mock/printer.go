package mock

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/tarebench/tare/load/kv"
)

// printer does what YCSB's BasicDB does with basicdb.verbose and basicdb.count: it prints each operation, and at the end how many
// different ones there were.
type printer struct {
	verbose, count bool
	out            io.Writer
	table          string
	field          func(int) string
	fields         int

	mu    sync.Mutex // of everything below, and of out
	line  []byte
	seen  [kinds]map[int32]bool // hashes of operations
	order []int                 // fields by their names, of hashes
}

// The operations, in the order in which YCSB lists them.
const (
	read = iota
	scan
	update
	insert
	remove
	kinds
)

var verbs = [kinds]string{"READ", "SCAN", "UPDATE", "INSERT", "DELETE"}

// newPrinter returns a printer, or nil if the properties ask for nothing. It prints the properties first.
func newPrinter(s kv.Settings) *printer {
	g := s.Props.Getter() // settingsOf has reported what is wrong
	p := &printer{verbose: g.Bool("basicdb.verbose", false), count: g.Bool("basicdb.count", false), out: s.Printed, table: s.Table, field: s.FieldName, fields: s.Fields}
	if !p.verbose && !p.count || p.out == nil {
		return nil
	}
	if p.field == nil {
		p.field = strconv.Itoa
	}
	for i := range p.seen {
		p.seen[i] = map[int32]bool{}
	}
	for i := range p.fields {
		p.order = append(p.order, i)
	}
	slices.SortFunc(p.order, func(a, b int) int { return cmp.Compare(p.field(a), p.field(b)) })
	if p.verbose {
		p.properties(s.Props.Redacted())
	}
	return p
}

func (p *printer) properties(props kv.Properties) {
	p.line = append(p.line, "***************** properties *****************\n"...)
	for _, name := range props.Names() {
		p.line = fmt.Appendf(p.line, "%q=%q\n", name, props[name])
	}
	p.line = append(p.line, "**********************************************\n"...)
	p.out.Write(p.line)
}

// operation prints and counts an operation. Fields are those that are asked for, and v is what is written; either may be nil.
// n is how many records a scan asks for.
func (p *printer) operation(kind int, key []byte, n int, fields []int, v *kv.Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count {
		p.seen[kind][p.hash(key, fields, v)] = true
	}
	if !p.verbose {
		return
	}
	b := append(append(append(p.line[:0], verbs[kind]...), ' '), p.table...)
	b = append(append(b, ' '), key...)
	if kind == scan {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	if kind != remove {
		b = append(b, " [ "...)
		switch {
		case v != nil:
			for i := range v.Len() {
				f, value := v.At(i)
				b = append(append(append(append(b, p.field(f)...), '='), value...), ' ')
			}
		case fields == nil:
			b = append(b, "<all fields>"...)
		default:
			for _, f := range fields {
				b = append(append(b, p.field(f)...), ' ')
			}
		}
		b = append(b, ']')
	}
	p.line = append(b, '\n')
	p.out.Write(p.line) // its error is that of the terminal
}

// hash returns Java's hash of the text of an operation: table, key, and the fields in the order of their names.
func (p *printer) hash(key []byte, fields []int, v *kv.Record) int32 {
	h := hashText(hashText(0, p.table), key)
	for _, f := range p.order {
		switch {
		case v != nil:
			if value, ok := v.Value(f); ok {
				h = hashText(hashText(h, p.field(f)), value)
			}
		case slices.Contains(fields, f):
			h = hashText(h, p.field(f))
		}
	}
	return h
}

// hashText continues String.hashCode of Java, for ASCII.
func hashText[T string | []byte](h int32, text T) int32 {
	for i := range len(text) {
		h = 31*h + int32(text[i])
	}
	return h
}

// end prints how many different operations there were.
func (p *printer) end() {
	if !p.count {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, verb := range verbs {
		fmt.Fprintf(p.out, "[%sS], Uniques, %d\n", verb, len(p.seen[i]))
	}
}
