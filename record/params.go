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

// CutParam returns a benchmark's name without the part /key=value, and the value. It returns false if the name has no such
// part, or one without a value. Of several the first counts.
func CutParam(name, key string) (rest, value string, ok bool) {
	parts := strings.Split(name, "/")
	for i, part := range parts[1:] {
		if value, ok = strings.CutPrefix(part, key+"="); ok && value != "" {
			return strings.Join(append(parts[:i+1:i+1], parts[i+2:]...), "/"), value, true
		}
	}
	return name, "", false
}
