// Package buildset says what the build settings of binaries mean for their figures: which of them differ between two
// binaries, which were meant to, and which make a binary unlike a release.
//
//	d := buildset.Differences(old.Build, new.Build, buildset.Chosen(sides...))
//	text := buildset.Text(d)          // "with -race, GOAMD64 v3 against v1"
//	short := buildset.List(new.Build) // "-race", "GOAMD64=v3"
//
// Settings are those of [record.Bin]. None at all are those of an old record, which says nothing about them.
package buildset
