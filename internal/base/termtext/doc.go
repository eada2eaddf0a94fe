// Package termtext is text for people, on a terminal or in a file: characters that can be
// shown, lines of so many columns, and what stands out.
//
//	c := termtext.Charset{UTF8: true}
//	name := c.Middle(c.Name(foreign), 40)          // nothing that a terminal would obey
//	for _, line := range termtext.Wrap(c.Text("± 3 µs"), 80) { … }
//	p := termtext.NewPage(80, color)
//	p.Print(termtext.Bold, name)
//	p.WriteTo(w)
//
// All texts are composed with the characters of UTF-8. [Charset.Text] replaces those of
// ours by ASCII twins where the locale has no UTF-8; names of others go through
// [Charset.Name] first, which never replaces a character by another.
//
// Widths are counted in display cells, as a terminal counts them.
package termtext
