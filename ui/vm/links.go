package vm

import (
	"net/url"
	"strings"

	"signalbox/notify"
)

// OpenAddress checks an address that the owner wants to open: only http, https, file and the schemes
// that the owner allowed open at all (S4). It returns the address as it will be opened.
func OpenAddress(address string, schemes []string) (string, bool) {
	address = strings.TrimSpace(address)
	if strings.ContainsAny(address, "\n\r\t\x00") || !notify.SchemeAllowed(address, notify.Rules{LinkSchemes: schemes}) {
		return "", false
	}
	return address, true
}

// FileAddress is the address of a local path of an attachment.
func FileAddress(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Refused turns links that would not open into plain text with their address: what looks alive is alive, and nobody
// is led anywhere by a text that says something else (S4).
func Refused(blocks []Block, schemes []string) []Block {
	for i := range blocks {
		var out []Span
		for _, s := range blocks[i].Spans {
			if s.Link == "" {
				out = append(out, s)
				continue
			}
			if _, ok := OpenAddress(s.Link, schemes); ok {
				out = append(out, s)
				continue
			}
			address := s.Link
			s.Link, s.Image = "", false
			out = append(out, s)
			if address != s.Text {
				out = append(out, Span{Text: " (" + address + ")"})
			}
		}
		blocks[i].Spans = out
	}
	return blocks
}
