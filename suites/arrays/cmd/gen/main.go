// Command gen writes the functions that the suite measures.
package main

import (
	"bytes"
	_ "embed"
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
}

var kinds = []kind{
	{"byte", "Byte", "byte", 1, "0", "42"},
	{"uint16", "Uint16", "uint16", 2, "0", "42"},
	{"int32", "Int32", "int32", 4, "0", "42"},
	{"int64", "Int64", "int64", 8, "0", "42"},
	{"float32", "Float32", "float32", 4, "0", "42"},
	{"float64", "Float64", "float64", 8, "0", "42"},
	{"pointer", "Pointer", "*int", 8, "nil", "&target"},
	{"interface", "Interface", "any", 16, "nil", "&target"},
}

//go:embed subjects.tmpl
var text string

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
	t, err := template.New("subjects").Parse(text)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, k := range kinds {
		var code bytes.Buffer
		if err := t.Execute(&code, k); err != nil {
			return nil, err
		}
		if files["gen_"+k.Name+".go"], err = format.Source(code.Bytes()); err != nil {
			return nil, err
		}
	}
	return files, nil
}
