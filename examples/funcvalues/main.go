// Command funcvalues measures what it costs to call a function by a function
// value or an interface, beside a direct call and one that was inlined. Its
// tests hold the same as benchmarks. README.md says how to run both, and what came
// out.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/bench"
)

func main() {
	d := flag.Duration("d", 500*time.Millisecond, "measure each way for this `duration`")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "funcvalues: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	measure(*d)
}

func measure(d time.Duration) {
	value := bench.Opaque(inlined)
	captured := closure(1)
	method := bench.Opaque(halver{1}).step
	unknown := bench.Opaque[stepper](halver{1})
	var known stepper = halver{1}

	// Each function literal is inlined into the loop of ForPrint, so that the
	// call in it is the only one.
	i := 0
	bench.ForPrint("inlined", d, func() { i++; bench.Sink(inlined(i)) })
	bench.ForPrint("direct", d, func() { i++; bench.Sink(direct(i)) })
	bench.ForPrint("value", d, func() { i++; bench.Sink(value(i)) })
	bench.ForPrint("closure", d, func() { i++; bench.Sink(captured(i)) })
	bench.ForPrint("method value", d, func() { i++; bench.Sink(method(i)) })
	bench.ForPrint("interface", d, func() { i++; bench.Sink(unknown.step(i)) })
	bench.ForPrint("known interface", d, func() { i++; bench.Sink(known.step(i)) })

	fmt.Println("\nthe value again, in full:")
	fmt.Println(bench.For(d, func() { i++; bench.Sink(value(i)) }))
}
