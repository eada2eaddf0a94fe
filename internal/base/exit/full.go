package exit

// InstallFull is the command that installs tare-full.
const InstallFull = "go install github.com/tarebench/tare/full/cmd/tare-full@latest"

// NeedsFull is the error of what tare-full alone can do: gRPC, Pebble and agents, whose libraries are larger than the
// rest of tare. The command that gets it runs tare-full in its place, if there is one.
type NeedsFull struct {
	What string // a flag or verb, as it was typed
}

func (e *NeedsFull) Error() string { return e.What + " needs tare-full" }
