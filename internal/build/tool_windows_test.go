package build

import "testing"

func sleeper(t *testing.T) string {
	t.Skip("needs a shell")
	return ""
}

func pidIn(*testing.T, string) int { return 0 }

func dies(*testing.T, int) {}
