package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// printRate prints the line of ForPrint.
func printRate(prefix string, r Result) {
	fmt.Fprintln(os.Stdout, rateLine(prefix, r))
}

func rateLine(prefix string, r Result) string {
	return prefix + " " + significant(r.PerMillisecond(), 6) + " iterations per millisecond"
}

// significant formats x with the given number of significant digits, trailing zeros included, and without an
// exponent.
func significant(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	mantissa, exponent, found := strings.Cut(s, "e")
	exp, err := strconv.Atoi(exponent)
	if !found || err != nil {
		return s // infinite, or not a number
	}
	// Round first, because rounding may carry to one more place.
	rounded, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return mantissa
	}
	return strconv.FormatFloat(rounded, 'f', max(digits-1-exp, 0), 64)
}
