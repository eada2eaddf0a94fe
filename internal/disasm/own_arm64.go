package disasm

func init() { addARM64() }
