package vm

import (
	"net/url"
	"slices"
	"strings"
)

// OpenAddress checks an address that the owner wants to open: only http, https, file and the schemes
// that the owner allowed open at all (S4). It returns the address as it will be opened.
func OpenAddress(address string, schemes []string) (string, bool) {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || strings.ContainsAny(address, "\n\r\t\x00") {
		return "", false
	}
	scheme := strings.ToLower(u.Scheme)
	switch scheme {
	case "http", "https":
		return address, u.Host != ""
	case "file":
		return address, u.Path != "" && (u.Host == "" || u.Host == "localhost")
	case "javascript", "data", "vbscript":
		return "", false // no setting allows these
	}
	return address, slices.ContainsFunc(schemes, func(s string) bool { return strings.EqualFold(s, scheme) })
}

// FileAddress is the address of a local path of an attachment.
func FileAddress(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
