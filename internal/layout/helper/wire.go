package main

// Below this line the file is the same here and in package layout, which has the other half of the exchange.

// request is what the helper program reads from its standard input, as JSON.
type request struct {
	Arch     string              // as in GOARCH
	All      bool                // all structs of the packages, not those of their Types
	Packages []source            // in this order they are answered
	Compiled map[string]compiled // all packages that are imported, by their paths
}

// source is a package that is read from its sources.
type source struct {
	Path      string
	Files     []string          // absolute paths
	ImportMap map[string]string // the paths of imports that the sources write otherwise
	GoVersion string            // of its module, as in go.mod; "" if there is none
	Types     []string          // that are asked for, as in Go: "Ring[int]"
}

// compiled is a package that was compiled.
type compiled struct {
	Name   string
	Export string // file with its types
}

// answer is what the program writes for each package, as a line of JSON.
type answer struct {
	Fault   string   // first error in the sources; if there is one, nothing else is set
	Names   []string // of the package's structs
	Generic []string // names of structs that All leaves out, because their size depends on arguments
	Structs []found  // with All each struct, else one for each of Types
}

// found is a type, or what is wrong with it. It is empty if the package has no type of that name.
type found struct {
	Node      *node
	Where     string // file:line of its declaration, "" if it has none
	Msg, Hint string // what is wrong, and what to do
}

// node is a type in memory, or a field of one. Sizes and offsets are in bytes.
type node struct {
	Name        string `json:",omitempty"` // of the field
	Type        string // as the package writes it
	TypePackage string `json:",omitempty"` // path of the package that declares the type
	TypeName    string `json:",omitempty"` // without arguments; "" if the type has no name
	Offset      int64  `json:",omitempty"`
	Size        int64
	Align       int64
	Pointers    bool   `json:",omitempty"` // the collector looks into it
	Bytes       bool   `json:",omitempty"` // array of bytes
	AtomicCalls bool   `json:",omitempty"` // its address goes to functions of sync/atomic
	Struct      bool   `json:",omitempty"`
	Fields      []node `json:",omitempty"` // of a struct
	Elem        *node  `json:",omitempty"` // of an array
	Len         int64  `json:",omitempty"`
}
