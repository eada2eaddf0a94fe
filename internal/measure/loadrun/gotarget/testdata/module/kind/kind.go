package kind

type Target struct{}
