package toolchain

import "embed"

// texts are the files that are added to packages runtime and testing, and their tests.
//
//go:embed _runtime/*/*.go _runtime/*/*.s _testing/*.go _testing/parts/*.go hook/*.go
var texts embed.FS

// text returns one of these files.
func text(name string) string {
	b, err := texts.ReadFile(name)
	if err != nil {
		panic(err) // the files are embedded
	}
	return string(b)
}
