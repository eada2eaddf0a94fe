// Command gen writes the functions that the suite measures.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"text/template"
)

// kind is a type of elements.
type kind struct {
	Name  string // as in the names of benchmarks
	Func  string // the end of names of functions
	Type  string
	Size  int    // in bytes, on a machine of 64 bits
	Zero  string // the constant that a loop clears with
	Value string // what it is filled with

	Vector string // a vector of 32 bytes of them, in package archsimd; "": none, because elements are pointers
}

// Lanes returns the number of elements in a vector.
func (k kind) Lanes() int { return 32 / k.Size }

var kinds = []kind{
	{"byte", "Byte", "byte", 1, "0", "42", "Uint8x32"},
	{"uint16", "Uint16", "uint16", 2, "0", "42", "Uint16x16"},
	{"int32", "Int32", "int32", 4, "0", "42", "Int32x8"},
	{"int64", "Int64", "int64", 8, "0", "42", "Int64x4"},
	{"float32", "Float32", "float32", 4, "0", "42", "Float32x8"},
	{"float64", "Float64", "float64", 8, "0", "42", "Float64x4"},
	{"pointer", "Pointer", "*int", 8, "nil", "&target", ""},
	{"interface", "Interface", "any", 16, "nil", "&target", ""},
}

//go:embed *.tmpl
var texts embed.FS

func main() {
	dir := flag.String("o", ".", "`directory` to write to")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, code := range files {
		if err := os.WriteFile(filepath.Join(dir, name), code, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files by their names.
func generate() (map[string][]byte, error) {
	t, err := template.ParseFS(texts, "*.tmpl")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, k := range kinds {
		if files["gen_"+k.Name+".go"], err = source(t, "subjects.tmpl", k); err != nil {
			return nil, err
		}
		if k.Vector == "" {
			continue
		}
		if files["gen_simd_"+k.Name+".go"], err = source(t, "simd.tmpl", k); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// source returns the code of a template for a type of elements.
func source(t *template.Template, name string, k kind) ([]byte, error) {
	var code bytes.Buffer
	if err := t.ExecuteTemplate(&code, name, k); err != nil {
		return nil, err
	}
	return format.Source(code.Bytes())
}
