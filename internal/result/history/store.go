package history

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Store is a place that keeps entries. Several processes may use one at the same time.
type Store interface {
	// Add keeps entries and returns how many of them are new. One that was removed once stays removed.
	Add(ctx context.Context, entries []*Entry) (added int, err error)
	// List returns the entries that there are, by commit, and what of the store cannot be read.
	List(ctx context.Context) ([]File, []Damage, error)
	// Read calls each with the entries of files, in any order, one at a time. Of a benchmark for which keep is false nothing is
	// read; a nil keep keeps all. Entries that cannot be read are returned as damage.
	Read(ctx context.Context, files []File, keep func(Key) bool, each func(File, *Entry)) ([]Damage, error)
	// Prune removes entries and leaves tombstones.
	Prune(ctx context.Context, files []File) error
	// Clean reports whether the store refuses entries of working trees with changes.
	Clean() bool
	// String names the store for people.
	String() string
}

// encoded is an entry as a file.
type encoded struct {
	File
	content []byte
}

// encodeAll encodes entries, each once.
func encodeAll(entries []*Entry) ([]encoded, error) {
	var out []encoded
	seen := map[File]bool{}
	for _, e := range entries {
		content, err := Encode(e)
		if err != nil {
			return nil, fmt.Errorf("commit %.10s: %w", e.Commit, err)
		}
		if f := fileOf(e.Commit, content); !seen[f] {
			seen[f] = true
			out = append(out, encoded{f, content})
		}
	}
	return out, nil
}

// decoder decodes entries on all processors. Results are handed on one at a time.
type decoder struct {
	keep func(Key) bool
	each func(File, *Entry)

	todo   chan encoded
	done   sync.WaitGroup
	mu     sync.Mutex // of each and damage
	damage []Damage
}

func newDecoder(keep func(Key) bool, each func(File, *Entry)) *decoder {
	d := &decoder{keep: keep, each: each, todo: make(chan encoded, 16)}
	for range runtime.GOMAXPROCS(0) {
		d.done.Go(d.work)
	}
	return d
}

func (d *decoder) work() {
	names := &names{map[string]string{}}
	for x := range d.todo {
		e, err := decode(x.content, d.keep, names)
		if err == nil && e.Commit != x.Commit {
			err = fmt.Errorf("is about commit %.10s", e.Commit)
		}
		d.mu.Lock()
		if err != nil {
			d.damage = append(d.damage, Damage{x.Path(), err.Error()})
		} else {
			d.each(x.File, e)
		}
		d.mu.Unlock()
	}
}

// lose notes an entry whose content did not come.
func (d *decoder) lose(f File, why string) {
	d.mu.Lock()
	d.damage = append(d.damage, Damage{f.Path(), why})
	d.mu.Unlock()
}

// close waits for the last entry and returns what could not be read.
func (d *decoder) close() []Damage {
	close(d.todo)
	d.done.Wait()
	return d.damage
}
