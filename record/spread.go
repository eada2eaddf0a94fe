package record

// MinBlocks is how many blocks it takes to know how a machine changes while a run is spread over a time.
const MinBlocks = 6

// maxBlocks is how many blocks a spread run has, if it has as many rounds.
const maxBlocks = 10

// Blocks returns into how many blocks of rounds a run is cut that is spread over a time, 1 if it is not.
func (c *Config) Blocks() int {
	if c.Spread <= 0 {
		return 1
	}
	return max(1, min(maxBlocks, c.Forks))
}

// Block returns the block of a round: both are counted from 1, and so is the block. Blocks are as equal as the number of
// rounds allows.
func (c *Config) Block(round int) int {
	return 1 + (min(max(round, 1), max(c.Forks, 1))-1)*c.Blocks()/max(c.Forks, 1)
}
