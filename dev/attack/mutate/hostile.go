package mutate

import "math/rand/v2"

// Hostile draws a text that must be escaped or redacted when it is printed.
func Hostile(rng *rand.Rand) string { return hostileStrings[rng.IntN(len(hostileStrings))] }

// What is put in the place of numbers. JSON refuses some of them, and Go's numbers others.
var extremeNumbers = []string{
	"0", "-0", "-1", "1", "1e308", "-1e308", "1e-320", "5e-324", "1e999", "-1e999", "NaN", "Infinity", "-Inf", "+Inf", "null",
	"2147483647", "2147483648", "4294967296", "-2147483649", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "18446744073709551615", "18446744073709551616", "1000000000", "1000000000000", "123456789012345678901234567890",
	"0.1", "1e-9", "65536", "1048577", "1e18", "4e18", "99999999", "0x10", "1_000", "1,5",
}

// What is put in the place of a JSON value.
var otherTypes = []string{
	"null", "true", "false", "0", "-1", "1e300", `""`, `"x"`, "[]", "{}", "[null]", `[1,2,3]`, `{"a":1}`, `[[]]`, `{"":""}`, `[{}]`, `"NaN"`, `"\u0000"`,
	`"\ud800"`, "[1e308,1e308,-1e308]", `[""]`, `[[1,2],[3]]`,
}

// What is put in the place of names and texts: escapes of terminals, ends of lines and cells,
// markup, names of files and formulas, characters that take no cell or turn the direction.
var hostileStrings = []string{
	"\x1b[2J\x1b[31mred", `\u001b]0;title\u0007`, "a\x00b", `a\u0000b`, `line\nline`, `tab\tcell`, `\r\rback`, "a\rb", "\x7f\x9b31m", "\u009b31m", `\u009b31m`,
	"<script>alert(1)</script>", "]]>", "&amp;&#0;", `"`, `\"`, `\\`, "|", "`", "a,b;c", "=1+1", "@x", "-x", "--help", "%s%n%d", "../../../../etc/passwd",
	"\u202eright", "\u200b", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\xff\xfe", "\xc3(", "\xed\xa0\x80", "", " ", "/", ".", "..", "a/b=c/d=",
	"Benchmark", "ns/op", "run", "fork", "sample", "hist", "end", "timing", "measure", "warmup", "HISTFAAA", "#", "Tag=", "// ", "/size=1k", "p99", "READ",
}

// What long lines are made of.
var fillers = []string{"a", "9", "[", `"`, "\x00", " ", ",", "\n", "\u0301", "{\"k\":\"fork\",", "9,", "/a=b", "\\u0000", "\xff"}
