module github.com/tarebench/tare/suites/queues

go 1.26.0

require (
	code.hybscloud.com/lfq v0.1.0
	github.com/Workiva/go-datastructures v1.1.7
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/tarebench/tare v0.0.0-00010101000000-000000000000
)

require (
	code.hybscloud.com/atomix v0.1.0 // indirect
	code.hybscloud.com/iox v0.3.1 // indirect
	code.hybscloud.com/spin v0.1.3 // indirect
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/tarebench/tare => ../..
