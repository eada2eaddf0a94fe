package bench

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes examples, which cannot say how long to measure, measure for half a
// second: what they print has to be true also where the machine stands still for a while.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.benchtime" || f.Name == "test.bench" })
	if !given {
		flag.Set("test.benchtime", "500ms")
	}
	os.Exit(m.Run())
}
