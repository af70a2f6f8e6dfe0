package notify

import "strings"

// BehindTitle is what a text says behind a title that is its first line or sentence; of another title, all of it.
func BehindTitle(text, title string) string {
	rest, ok := strings.CutPrefix(text, title)
	if !ok || rest != "" && !strings.HasPrefix(rest, "\n") && strings.TrimRight(title, ".!?。！？") == title {
		return text
	}
	return strings.TrimSpace(rest)
}
