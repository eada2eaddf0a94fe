package load

import "golang.org/x/sys/windows"

func refusals() []error {
	return []error{windows.WSAECONNREFUSED, windows.WSAEHOSTUNREACH, windows.WSAENETUNREACH}
}

func resets() []error {
	return []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAESHUTDOWN}
}
