package httpclient

// Random returns element k of the SplitMix64 sequence of a seed, from Steele, Lea and
// Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014). The seed is
// mixed first, so that the sequences of adjacent seeds do not overlap.
func Random(seed, k uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return mix(mix(seed+golden) + (k+1)*golden)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
