package ycsb

// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923).
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
	fnvPrime3 = fnvPrime * fnvPrime * fnvPrime & (1<<64 - 1)
	fnvPrime5 = fnvPrime3 * fnvPrime * fnvPrime & (1<<64 - 1)
)

// fnv1a returns the absolute value of the hash of a number's eight octets, the low
// one first, as YCSB names keys and scatters popular records. The only hash without
// an absolute value in Java's long gives 2^63 here.
func fnv1a(n uint64) uint64 {
	if n >= 1<<24 {
		h := fnvLow(n)
		h = (h ^ n>>24&0xff) * fnvPrime
		h = (h ^ n>>32&0xff) * fnvPrime
		h = (h ^ n>>40&0xff) * fnvPrime
		h = (h ^ n>>48&0xff) * fnvPrime
		return magnitude((h ^ n>>56) * fnvPrime)
	}
	// Octets that are 0 only multiply, and most numbers of records are small.
	return magnitude(fnvLow(n) * fnvPrime5)
}

// fnv1aOfRank is fnv1a for numbers below 2^40. It has no branch on the size of ranks,
// which alternates: mispredictions would cost more than the branch saves.
func fnv1aOfRank(n uint64) uint64 {
	h := fnvLow(n)
	h = (h ^ n>>24&0xff) * fnvPrime
	return magnitude((h ^ n>>32) * fnvPrime * fnvPrime3)
}

// fnvLow returns the hash of the three low octets.
func fnvLow(n uint64) uint64 {
	h := (fnvOffset ^ n&0xff) * fnvPrime
	h = (h ^ n>>8&0xff) * fnvPrime
	return (h ^ n>>16&0xff) * fnvPrime
}

// magnitude returns the absolute value of a signed number without a branch, which
// would be mispredicted every other time.
func magnitude(h uint64) uint64 {
	sign := uint64(int64(h) >> 63)
	return (h ^ sign) - sign
}
