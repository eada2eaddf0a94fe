module github.com/tarebench/tare/suites/why

go 1.26.0

replace github.com/tarebench/tare => ../..

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/tarebench/tare v0.0.0-00010101000000-000000000000
)

require golang.org/x/arch v0.32.0 // indirect
