package grid

// rowBytes is the distance between the rows of a tile. It is not a power of two, so that the rows of a column lie in
// different sets of the cache.
const rowBytes = 4096 + 64

// A Tile is a part of a picture, one byte for each of its points.
type Tile struct {
	points []byte
	rows   int
}

// NewTile returns a black tile.
func NewTile(rows int) *Tile { return &Tile{points: make([]byte, rows*rowBytes), rows: rows} }

// Column returns the sum of the first columns of the tile, one after the other.
//
//go:noinline
func (t *Tile) Column(columns int) int {
	sum := 0
	for x := range columns {
		for at := x; at < len(t.points); at += rowBytes {
			sum += int(t.points[at])
		}
	}
	return sum
}
