package record

import (
	"fmt"
	"testing"
	"time"
)

func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		forks int
		want  string // blocks of the rounds
	}{
		{0, "1 []"}, {6, "6 [1 2 3 4 5 6]"}, {20, "10 [1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10]"},
		{12, "10 [1 1 2 3 4 5 6 6 7 8 9 10]"},
	} {
		c := Config{Forks: tt.forks, Spread: time.Minute}
		var blocks []int
		for round := range tt.forks {
			blocks = append(blocks, c.Block(round+1))
		}
		if got := fmt.Sprint(c.Blocks(), blocks); got != tt.want {
			t.Errorf("%d rounds: %s, want %s", tt.forks, got, tt.want)
		}
	}
	if c := (Config{Forks: 20}); c.Blocks() != 1 || c.Block(20) != 1 {
		t.Errorf("a run that is not spread has %d blocks", c.Blocks())
	}
}
