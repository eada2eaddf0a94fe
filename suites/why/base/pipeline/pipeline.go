// Package pipeline parses lines in one goroutine and adds up their numbers in another.
package pipeline

import "sync"

// room is how many batches may wait between the two goroutines.
const room = 64

// batchSize is how many numbers are sent at once.
const batchSize = 32

// Sum returns the sum of the numbers in lines, which hold decimal digits only.
func Sum(lines []string) int {
	batches := make(chan []int, room)
	var total int
	var done sync.WaitGroup
	done.Go(func() { total = add(batches) })
	parse(lines, batches)
	done.Wait()
	return total
}

// parse sends the numbers of the lines in batches, and closes the channel.
func parse(lines []string, to chan<- []int) {
	batch := make([]int, 0, batchSize)
	for _, line := range lines {
		batch = append(batch, number(line))
		if len(batch) == batchSize {
			to <- batch
			batch = make([]int, 0, batchSize)
		}
	}
	to <- batch
	close(to)
}

// add adds up what it receives.
func add(from <-chan []int) int {
	total := 0
	for batch := range from {
		for _, n := range batch {
			total += mix(n)
		}
	}
	return total
}

func number(line string) int {
	n := 0
	for i := 0; i < len(line); i++ {
		n = n*10 + int(line[i]-'0')
	}
	return n
}

// mix gives the receiver more to do than the sender.
func mix(n int) int {
	for range 24 {
		n ^= n << 7
		n ^= n >> 9
	}
	return n & 0xff
}
