package main

import "testing"

// prefix moves the loops that follow it: a processor runs the same loop at different speeds at different addresses.
//
//lint:ignore U1000 what is written to it is the point
var prefix int

func n1(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}

func n2(b *testing.B) {
	prefix++
	for i := 0; i < b.N; i++ {
	}
}

func n3(b *testing.B) {
	prefix++
	prefix *= 3
	for i := 0; i < b.N; i++ {
	}
}

func n4(b *testing.B) {
	for range b.N {
	}
}

func n5(b *testing.B) {
	prefix *= 5
	for range b.N {
	}
}

func loop1(b *testing.B) {
	for b.Loop() {
	}
}

func loop2(b *testing.B) {
	prefix++
	for b.Loop() {
	}
}

func loop3(b *testing.B) {
	prefix++
	prefix *= 3
	for b.Loop() {
	}
}

func inParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}
