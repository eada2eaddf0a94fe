// Package fewlines draws record files of few lines. The reader of records accepts each line, and nothing else is certain: any
// key may be absent, any value may be at its limits, and what a line refers to may not exist.
//
//	source := fewlines.New(records...) // real records, whose values are mixed in
//	file := source.File(rand.New(rand.NewPCG(seed, number)))
//	small := fewlines.Shrink(file, fails)
//
// Package mutate damages whole files instead. The same seed gives the same bytes.
package fewlines
