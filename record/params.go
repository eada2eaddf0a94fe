package record

import "strings"

// ParseName returns the k=v parts of a benchmark's name in their order: size:1k and
// kind:a=b of "Encode/size=1k/kind=a=b". The key ends at the first "=" and is not
// empty. The value is the unchanged rest, including the "#01" that testing appends to
// repeated names. Parts without "=" are no parameters, and neither is the first part,
// which is the function's name. A key may occur twice.
func ParseName(name string) []Param {
	var ps []Param
	_, rest, more := strings.Cut(name, "/")
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if k, v, ok := strings.Cut(part, "="); ok && k != "" {
			ps = append(ps, Param{Key: k, Value: v})
		}
	}
	return ps
}
