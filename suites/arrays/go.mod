module github.com/tarebench/tare/suites/arrays

go 1.26.0

replace github.com/tarebench/tare => ../..

require (
	github.com/tarebench/tare v0.0.0
	github.com/tarebench/tare/dev v0.0.0-00010101000000-000000000000
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/tarebench/tare/dev => ../../dev

replace github.com/tarebench/tare/full => ../../full
