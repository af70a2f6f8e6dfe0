package bridge

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// maxConnections bounds what is open at once on one listener, streams included.
const maxConnections = 1024

// ErrNotLoopback is returned for an address that other machines could reach
// when no TLS files are configured.
var ErrNotLoopback = errors.New("this address is not on the loopback: configure TLS files to open it to other machines")

// listenTCP opens the TCP listener of the configuration. Without one it takes
// the default port, or a free one if something else has that.
func listenTCP(ctx context.Context, cfg *Config) (net.Listener, *door, error) {
	address, fallback := cfg.Listen, false
	if address == "" {
		address, fallback = wire.DefaultAddress, true
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, fmt.Errorf("listen address %q: %w", address, err)
	}
	secure := cfg.TLSCertFile != "" || cfg.TLSKeyFile != ""
	remote := !notify.Loopback(host)
	if remote && !secure {
		return nil, nil, fmt.Errorf("listen on %s: %w", address, ErrNotLoopback)
	}
	if strings.EqualFold(host, "localhost") {
		// By address: the name could resolve to something else.
		address = net.JoinHostPort("127.0.0.1", port)
	}
	var tlsConfig *tls.Config
	if secure {
		pair, err := tls.LoadX509KeyPair(cfg.TLSCertFile, cfg.TLSKeyFile)
		if err != nil {
			return nil, nil, fmt.Errorf("load the TLS files: %w", err)
		}
		tlsConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if fallback && err != nil {
		// Taken, or, as Windows does it, reserved: the errors differ between systems.
		cfg.Log.LogAttrs(ctx, slog.LevelWarn, "bridge: default port is taken, using a free one", slog.String("address", address))
		l, err = lc.Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	d := newDoor(l.Addr().(*net.TCPAddr), secure, remote, cfg.Hosts)
	if tlsConfig != nil {
		return tls.NewListener(newLimitListener(l, cfg.connections), tlsConfig), d, nil
	}
	return newLimitListener(l, cfg.connections), d, nil
}

// reached is by what clients here call a listener: one on all addresses by the
// loopback's, since no Host may name all of them.
func reached(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port)) // one on all of IPv6 takes IPv4 as well
}

// listenUnix opens the socket in the data directory. That directory belongs to
// this run alone (its lock is held), so a socket found there is a dead one's.
// It returns nil where the system has no such sockets.
func listenUnix(ctx context.Context, cfg *Config) (net.Listener, error) {
	if runtime.GOOS == "windows" || cfg.Dir == "" {
		return nil, nil
	}
	path := filepath.Join(cfg.Dir, wire.SocketFile)
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove a dead socket: %w", err)
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on the socket: %w", err)
	}
	// The directory is 0700, so nobody gets in before this.
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("protect the socket: %w", err)
	}
	return newLimitListener(l, cfg.connections), nil
}
