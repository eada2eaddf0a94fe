//go:build unix

package main

// reasons are what people found of packages for which go test and tare differ.
var reasons = map[string]string{
	std + "/encoding/json": "TypeFieldsCache builds a million types before its first sub-benchmark",
}
