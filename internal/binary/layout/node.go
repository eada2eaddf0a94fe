package layout

import (
	"regexp"
	"strings"
)

// Node is a type in memory, or a field of one, as it was found in sources or in a
// binary. Offsets are from the beginning of the struct around it.
type Node struct {
	Name     string // of the field; of the type at the top, without its package
	Type     string // as the struct's package writes it
	Path     string // of the package, for the type at the top
	Where    string // file:line, for the type at the top
	Arch     string // as in GOARCH, for the type at the top
	Offset   int64
	Size     int64
	Align    int64
	Pointers bool // the collector looks into it
	Role     Role
	Fields   []Node // of structs
	Open     bool   // its fields are shown: it has no name, or is of the same package
	Elem     *Node  // of arrays
	Len      int64
	Unsafe64 bool // 64 bits, used by functions of sync/atomic, which need them aligned
}

// Role is what is known of how a field is used.
type Role string

const (
	Plain  Role = ""
	Atomic Role = "atomic" // written by atomic operations
	Lock   Role = "lock"   // a mutex
	Pad    Role = "pad"    // declared to be unused: the blank name and a size, or an array of bytes that is called pad
)

var pad = regexp.MustCompile(`^(_ .*|(?i:_*pad(ding)?_?\d*) \[\d+\](byte|u?int8))$`)

// IsPad reports whether a field is declared to be unused: it has the blank name, or is an array of bytes that is called
// pad, as paddings of package sync are.
func IsPad(name, typ string) bool { return pad.MatchString(name + " " + typ) }

// Hot reports whether several goroutines write it.
func (r Role) Hot() bool { return r == Atomic || r == Lock }

// spot is a stretch of a struct that several goroutines write.
type spot struct {
	role     Role
	from, to int64
	each     int64 // size of each, if it is an array of them
}

// hottest returns the stretch from the first to the last that several goroutines
// write in a value. If there is none, its role is Plain.
func (n *Node) hottest() (s spot) {
	switch {
	case n.Role.Hot():
		return spot{role: n.Role, to: n.Size}
	case n.Elem != nil && n.Len > 0:
		if in := n.Elem.hottest(); in.role != Plain {
			s = spot{role: in.role, to: n.Size, each: n.Elem.Size}
		}
		return s
	}
	for i := range n.Fields {
		in := n.Fields[i].hottest()
		if in.role == Plain {
			continue
		}
		if s.role == Plain {
			s = spot{role: in.role, from: n.Fields[i].Offset + in.from}
		}
		s.to = n.Fields[i].Offset + in.to // fields are in the order of offsets
		if in.role == Atomic {
			s.role = Atomic
		}
	}
	return s
}

// RoleOf returns what the type of a field tells.
func RoleOf(pkgPath, name string) Role {
	switch {
	case name == "":
	case pkgPath == "sync/atomic", pkgPath == "internal/runtime/atomic":
		return Atomic
	case pkgPath == "sync" && (name == "Mutex" || name == "RWMutex"), pkgPath == "runtime" && (name == "mutex" || name == "rwmutex"):
		return Lock
	case name == "CacheLinePad" && strings.HasSuffix(pkgPath, "/cpu"):
		return Pad
	}
	return Plain
}
