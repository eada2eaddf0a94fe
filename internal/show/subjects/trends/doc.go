// Package trends writes the history of benchmarks for people and programs: text, Markdown, CSV, JSON, and pictures.
//
//	err := trends.Write(w, "text", t, page.Options{Width: 100})
package trends
