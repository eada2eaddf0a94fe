// Package layouttext shows struct layouts: a table of the fields of each struct, a list of structs, and a picture in
// SVG.
package layouttext
