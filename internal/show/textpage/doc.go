// Package textpage is what the texts of all verbs share: their options, lines in so many
// columns, tables, and the notes below them.
//
//	p := textpage.New(textpage.Options{Width: 80, UTF8: true})
//	p.Items(termtext.Dim, "linux/amd64", "20 forks")       // side by side, with · between them
//	p.Para(termtext.Normal, "took %s", units.Cost(ns))      // a sentence of ours, wrapped
//	p.Hang(termtext.Dim, "tare: ", "empty loop 0.26 ns/op") // behind a heading
//	p.Table(t.Fit(p.Charset, p.Columns, 32))
//
// Warnings are gathered in [Notes] while a table is made, and written below it: one line for
// each kind of warning, with the rows it is about.
//
//	mark := notes.Mark("Decode/large", benchmark.Warnings)  // "¹ ²", for the row
//	p.Notes(&notes)
//
// Sentences have the characters of UTF-8. Names that others chose must have been through
// Name or Line before they become part of one.
package textpage
