// Command helper is the program that reads structs from sources. Package layout starts it and is the only one that
// does. It is built by the toolchain whose export data it reads, so that both are of one version of Go.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var q request
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	l, err := newLoader(q)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(os.Stdout)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, s := range q.Packages {
		if err := e.Encode(l.answer(s)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// answer reads a package and describes its structs.
func (l *loader) answer(s source) answer {
	p, err := l.check(s)
	if err != nil {
		return answer{Fault: err.Error()}
	}
	if l.request.All {
		return l.all(p)
	}
	a := answer{Names: structNames(p)}
	for _, name := range s.Types {
		a.Structs = append(a.Structs, l.find(p, name))
	}
	return a
}
