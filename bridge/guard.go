package bridge

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"signalbox/notify"
)

// door is what the guard knows of the listener that a request came in by.
type door struct {
	// unix: a socket in the data directory, which only the owner's account can
	// open and no page in a browser can reach.
	unix bool
	// remote: the owner opened this address to other machines, with TLS.
	remote bool
	// hosts are the Host values accepted, in lower case; unused for unix.
	hosts map[string]bool
}

// newDoor returns the door of a TCP listener at addr. names are further host
// names under which the owner lets it be reached.
func newDoor(addr *net.TCPAddr, secure, remote bool, names []string) *door {
	d := &door{remote: remote, hosts: map[string]bool{}}
	all := []string{"127.0.0.1", "::1", "localhost"}
	if ip := addr.AddrPort().Addr().Unmap(); ip.IsValid() && !ip.IsUnspecified() {
		all = append(all, ip.String())
	}
	all = append(all, names...)
	for _, name := range all {
		name = strings.ToLower(name)
		d.hosts[net.JoinHostPort(name, strconv.Itoa(addr.Port))] = true
		if !secure && addr.Port == 80 || secure && addr.Port == 443 {
			if strings.Contains(name, ":") {
				name = "[" + name + "]"
			}
			d.hosts[name] = true // clients leave a default port out
		}
	}
	return d
}

// hostAllowed says whether a Host header names this door. Through a Unix socket
// any port will do, since it is the client's own idea (a forward of SSH has
// another), but the name must still be the loopback's: a forward to TCP on the
// other side makes the socket reachable for pages there.
func (d *door) hostAllowed(host string) bool {
	host = strings.ToLower(host)
	if !d.unix {
		return d.hosts[host]
	}
	name, port, found := host, "", false
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		name, port, found = host[:i], host[i+1:], true
	}
	if found {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return false
		}
	}
	return name == "localhost" || name == "127.0.0.1" || name == "[::1]"
}

// peerAllowed says whether the peer may knock at all.
func (d *door) peerAllowed(remoteAddr string) bool {
	if d.unix || d.remote {
		return true
	}
	ap, err := netip.ParseAddrPort(remoteAddr)
	return err == nil && ap.Addr().Unmap().IsLoopback()
}

// originAllowed says whether the request is none of a page's, or of a page that
// the owner allows. Our clients send neither header. An Origin that equals Host
// is refused too: after rebinding they are equal.
func originAllowed(h http.Header, allowed []string) bool {
	origins := h.Values("Origin")
	for _, origin := range origins {
		if !containsFold(allowed, origin) {
			return false
		}
	}
	for _, site := range h.Values("Sec-Fetch-Site") {
		if site != "none" && site != "same-origin" && len(origins) == 0 {
			return false
		}
	}
	return true
}

func containsFold(list []string, s string) bool {
	for _, v := range list {
		if strings.EqualFold(v, s) {
			return true
		}
	}
	return false
}

// stranger refuses what must not get as far as a route: the first three checks.
// It is told as forbidden_origin and never counts as a wrong token.
func (s *Server) stranger(r *http.Request, d *door) error {
	switch {
	case !d.peerAllowed(r.RemoteAddr):
		return notify.Errorf(notify.CodeForbiddenOrigin, "Only this machine is answered.")
	case !d.hostAllowed(r.Host):
		return notify.Errorf(notify.CodeForbiddenOrigin, "The Host header names another server.")
	case !originAllowed(r.Header, s.live.Load().AllowedOrigins):
		return notify.Errorf(notify.CodeForbiddenOrigin, "Pages in a browser are not answered.")
	}
	return nil
}
