package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A message that is longer than a Conn takes is sent in parts. Each begins with a header and a line break.
type partHeader struct {
	ID    string `json:"id"` // of the message, the same in all its parts
	Part  int    `json:"part"`
	Parts int    `json:"parts"`
}

const (
	maxPart  = MaxMessage - 512 // without the header
	maxParts = 256
)

// split cuts a message into parts of at most size bytes besides the header.
func split(id string, data []byte, size int) ([][]byte, error) {
	n := max((len(data)+size-1)/size, 1)
	if n > maxParts {
		return nil, fmt.Errorf("a message of %d bytes: at most %d can be sent", len(data), maxParts*size)
	}
	var out [][]byte
	for i := range n {
		head, err := json.Marshal(partHeader{id, i, n})
		if err != nil {
			return nil, err
		}
		part := append(head, '\n')
		out = append(out, append(part, data[i*size:min((i+1)*size, len(data))]...))
	}
	return out, nil
}

// assembler puts parts together. Parts may come twice, and in any order.
type assembler struct {
	open map[string]*assembly
}

type assembly struct {
	parts [][]byte
	have  int
}

// maxOpen is how many messages may be incomplete at once: of garbage there may be any number.
const maxOpen = 64

var errPart = errors.New("a part of a message that is not understood")

// add returns the message if this was its last part, else nil.
func (a *assembler) add(data []byte) ([]byte, error) {
	var h partHeader
	i := 0
	for i < len(data) && data[i] != '\n' {
		i++
	}
	if i == len(data) || json.Unmarshal(data[:i], &h) != nil || h.Parts < 1 || h.Parts > maxParts || h.Part < 0 || h.Part >= h.Parts {
		return nil, errPart
	}
	rest := data[i+1:]
	if h.Parts == 1 {
		return rest, nil
	}
	m := a.open[h.ID]
	if m == nil {
		if a.open == nil {
			a.open = map[string]*assembly{}
		}
		if len(a.open) >= maxOpen {
			return nil, errPart
		}
		m = &assembly{parts: make([][]byte, h.Parts)}
		a.open[h.ID] = m
	}
	if len(m.parts) != h.Parts {
		return nil, errPart
	}
	if m.parts[h.Part] == nil {
		m.parts[h.Part] = append([]byte{}, rest...)
		m.have++
	}
	if m.have < h.Parts {
		return nil, nil
	}
	delete(a.open, h.ID)
	var whole []byte
	for _, p := range m.parts {
		whole = append(whole, p...)
	}
	return whole, nil
}
