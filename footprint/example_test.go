//go:build amd64 || arm64

package footprint_test

import (
	"fmt"

	"github.com/tarebench/tare/footprint"
)

type user struct {
	name    string
	friends []*user
	data    map[string]int
}

func Example() {
	ann := &user{name: "Ann"}
	bob := &user{name: "Bob", friends: []*user{ann}, data: map[string]int{"age": 40}}
	ann.friends = append(ann.friends, bob)

	fmt.Print(footprint.Measure(ann))
	// Output:
	// type                                  objects  bytes   share
	// map[string]int groups                       1    208  56.5 %
	// footprint_test.user                         2     96  26.1 %
	// map[string]int                              1     48  13.0 %
	// []*footprint_test.user                      2     16   4.3 %
	// total                                       6    368
	//   of it rounding up to size classes                8   2.2 %
	//
	// part of the program, not on the heap        3      9
	//   string bytes                              3      9
}
