// Command use keeps the types of package ring in a program.
package main

import (
	"fmt"

	"example.org/layouts/ring"
)

func main() { fmt.Printf("%+v\n", ring.All()) }
