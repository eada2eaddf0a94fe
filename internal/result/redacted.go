package result

import (
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/units"
)

// setName gives a case its name in the result. Cases whose names differ in a hidden secret alone are numbered. Those
// of one unmasked name, by its hash, have one number on all sides, in whatever order the sides run them.
func (b *Builder) setName(c *caseData) {
	c.number = b.numberOf(c)
	c.line.Name = redact.Numbered(c.named.name, c.number)
}

func (b *Builder) numberOf(c *caseData) int {
	if !c.nameRedacted() {
		return 0
	}
	hash := c.line.NameHash
	here, all := map[int]bool{}, map[int]bool{} // numbers of its side, and those that it cannot have
	for _, x := range b.cases {
		if x == c || x.named.pkg != c.named.pkg || x.named.name != c.named.name {
			continue
		}
		if x.named == c.named {
			here[x.number], all[x.number] = true, true
		}
		if hash != "" && x.line.NameHash != "" {
			all[x.number] = true
		}
	}
	if hash != "" {
		for _, x := range b.cases {
			if x != c && x.named.pkg == c.named.pkg && x.named.name == c.named.name && x.line.NameHash == hash && !here[x.number] {
				return x.number
			}
		}
	}
	n := 0
	for all[n] {
		n++
	}
	return n
}

// nameRedacted reports whether a secret is hidden in the name of a case.
func (c *caseData) nameRedacted() bool { return strings.Contains(c.named.name, redact.Placeholder) }

// unknownNames returns the identities of cases that cannot be matched with cases of other sides: their names differ
// in a redacted secret alone, and some have no hash.
func (b *Builder) unknownNames() map[identity]bool {
	type place struct {
		pkg, name string
		procs     int
	}
	several, unhashed, of := map[place]bool{}, map[place]bool{}, map[place][]*caseData{}
	for _, c := range b.cases {
		if !c.nameRedacted() {
			continue
		}
		at := place{c.named.pkg, c.named.name, c.named.procs}
		of[at] = append(of[at], c)
		several[at] = several[at] || c.number > 0
		unhashed[at] = unhashed[at] || c.line.NameHash == ""
	}
	out := map[identity]bool{}
	for at, cases := range of {
		if !several[at] || !unhashed[at] {
			continue
		}
		for _, c := range cases {
			out[c.identity()] = true
		}
	}
	return out
}

// namesUnknown returns warnings about the cases that are not compared for that reason.
func (b *Builder) namesUnknown() []Warning {
	unknown := b.unknownNames()
	var names []string
	for _, c := range b.cases {
		if id := c.identity(); unknown[id] {
			names = append(names, id.name)
			delete(unknown, id)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []Warning{WarningOf(diagnosis.Warn(diagnosis.NamesUnknown, diagnosis.Facts{"names": units.List(names, mostNames)}))}
}
