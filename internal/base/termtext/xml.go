package termtext

import "strings"

// XML returns a text escaped for XML, in elements and in attributes between double quotes. Characters that XML does not
// allow, and those that are not seen, are written as by [Charset.Line].
func XML(s string) string { return xmlEscaper.Replace(Charset{UTF8: true}.Line(s)) }

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
