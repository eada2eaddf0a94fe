package subjects

func zero512()

// ZeroAVX512 executes an instruction that valgrind does not know.
func ZeroAVX512() { zero512() }
