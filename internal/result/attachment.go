package result

import (
	"encoding/json"
	"fmt"

	"github.com/tarebench/tare/record"
)

// CodeAttachment says that an attachment in the record could not be read.
const CodeAttachment = "damaged-attachment"

// attached is what forks that have not ended have attached under one name.
type attached[T any] map[int]*T

// take keeps an attachment until its fork has ended. One that cannot be read, or that
// check refuses, is a doubt about the fork.
func (m *attached[T]) take(b *Builder, l *record.Attach, name string, check func(*T) error) {
	if l.Fork == 0 || l.Name != name {
		return
	}
	x := new(T)
	err := json.Unmarshal(l.Data, x)
	if err == nil {
		err = check(x)
	}
	if err != nil {
		b.heard[l.Fork] = append(b.heard[l.Fork], record.Warn{
			About: record.AboutFork, ID: l.Fork, Code: CodeAttachment,
			Text:   fmt.Sprintf("its attachment %q cannot be read: %v", l.Name, err),
			Advice: "the record is damaged, or another program wrote it; measure again",
		})
		return
	}
	if *m == nil {
		*m = attached[T]{}
	}
	(*m)[l.Fork] = x
}

// end returns what a fork has attached, nil if nothing, and forgets it.
func (m attached[T]) end(fork int) *T {
	x := m[fork]
	delete(m, fork)
	return x
}

// keep adds what a fork has attached, if anything.
func keep[T any](to *[]*T, x *T) {
	if x != nil {
		*to = append(*to, x)
	}
}
