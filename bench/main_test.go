package bench

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes examples, which cannot say how long to measure, measure for a
// tenth of a second.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.benchtime" || f.Name == "test.bench" })
	if !given {
		flag.Set("test.benchtime", "100ms")
	}
	os.Exit(m.Run())
}
