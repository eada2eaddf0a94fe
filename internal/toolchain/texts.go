package toolchain

import (
	_ "embed"

	"github.com/tarebench/tare/internal/packed"
)

//go:generate go run ../packed/pack texts.gz _runtime/probes/*.go _runtime/probes/*.s _runtime/sampler/*.go _runtime/totals/*.go _runtime/allocs/*.go _runtime/shared/*.go _testing/*.go _testing/parts/*.go hook/*.go

//go:embed texts.gz
var textsFile []byte

// texts are the files that are added to packages runtime and testing.
var texts = packed.New(textsFile)
