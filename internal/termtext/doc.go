// Package screen is text for people, on a terminal or in a file: characters that can be
// shown, lines of so many columns, and what stands out.
//
//	c := screen.Charset{UTF8: true}
//	name := c.Middle(c.Name(foreign), 40)          // nothing that a terminal would obey
//	for _, line := range screen.Wrap(c.Text("± 3 µs"), 80) { … }
//	p := screen.NewPage(80, color)
//	p.Print(screen.Bold, name)
//	p.WriteTo(w)
//
// Columns are counted in characters: which of them take two depends on the terminal.
package termtext
