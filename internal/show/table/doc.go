// Package table lays out the tables of all texts for people: columns with their figures
// below each other, in a page of so many columns.
//
//	t := &table.Table{Columns: []table.Column{
//		{},
//		{Title: "median", Gap: 3, Kind: table.Figures, Join: " "},
//		{Title: "forks", Kind: table.Right, Drop: 1},
//	}}
//	t.Block("sort", table.Line{Cells: []table.Cell{{Text: "  Ints"}, {Text: "6.82", Tail: "µs/op"}, {Text: "20"}}})
//	for _, line := range t.Fit(charset, 80, 32).Lines(color) { … }
//
// [Table.Fit] makes a table as narrow as a page: it shortens the names in the first column, where fewest of them become the
// same, and removes columns in the order of [Column.Drop]. [First] tries several layouts of a table in turn.
//
// Texts of cells are printable and have the characters of UTF-8; where the charset has none,
// their ASCII twins are measured and written. What others have named goes through
// [termtext.Charset.Name] before it gets here.
package table
