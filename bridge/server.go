package bridge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

const (
	closeTimeout = 3 * time.Second // for requests under way when the server stops
	maxHeader    = 16 << 10        // bytes
)

// timeouts bound how long a client may keep a connection busy.
type timeouts struct {
	header time.Duration // until the headers are there
	body   time.Duration // until the body is there
	write  time.Duration // until the answer is read; longer than body, so that a refusal still arrives
	stream time.Duration // until one write to a stream is read; then the client is dropped
	idle   time.Duration // between requests
	hold   time.Duration // until a wait counts as a stream for the presence of who waits
	retry  time.Duration // between tries to write the discovery file
}

var usualTimeouts = timeouts{header: 5 * time.Second, body: 15 * time.Second, write: 30 * time.Second, stream: 10 * time.Second, idle: 2 * time.Minute, hold: notify.OnlineFor / 4, retry: 2 * time.Second}

// Config is what a Server needs. Center, Now and Log are required.
type Config struct {
	Center Center
	// Ledger, Providers and Desktop may be nil: there are none in this process.
	Ledger    Ledger
	Providers Providers
	Desktop   Desktop
	// Loading is why the center does not know its connections yet, so that a token may be right that it
	// does not know; nil: it knows them. The function may be nil.
	Loading func() error
	// Dir is the data directory: the discovery file, the owner's token and the
	// socket are in it. Empty: none of them, and Token is required.
	Dir string
	// Token is the owner's; empty: kept in Dir.
	Token string
	// Listen is the TCP address; empty: the default port, or a free one.
	Listen string
	// TLSCertFile and TLSKeyFile switch TLS on, and allow an address outside the
	// loopback.
	TLSCertFile, TLSKeyFile string
	// Hosts are further names of this machine by which clients may call it.
	Hosts []string

	Live
	// KeepAlive is the time between comments on a quiet stream; 0: 10 s.
	KeepAlive time.Duration
	Version   string
	Now       func() time.Time
	Log       *slog.Logger

	timeouts    timeouts // zero: the usual ones
	connections int      // on one listener; zero: maxConnections
}

// Live is what may change while the server runs.
type Live struct {
	// AllowedOrigins may call from a page in a browser; empty: none.
	AllowedOrigins []string
	// RatePerSecond is how many changes a connection may make; 0: no limit.
	RatePerSecond float64
	// AllowRemoteURLs lets callbacks go outside the loopback.
	AllowRemoteURLs bool
}

// Server is the bridge of one center.
type Server struct {
	cfg     Config
	log     *slog.Logger
	now     func() time.Time
	live    atomic.Pointer[Live]
	limits  *limits
	metrics *metrics
	encoder *encoder
	table   *table

	// standing holds the streams and waits that are open.
	standing *standing

	instance, secret string
	ownerToken       string
	ownerHash        []byte
	started          time.Time

	servers   []*http.Server
	listeners []net.Listener
	url       string
	base      context.Context // ends when streams, waits and callbacks must
	cancel    context.CancelFunc
}

// Open opens the listeners; from then on connections wait to be served. A port
// that is taken or an address that is not allowed is an error. Who opened it
// must call Serve, or Close when it comes to nothing.
func Open(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.KeepAlive == 0 {
		cfg.KeepAlive = 10 * time.Second
	}
	if cfg.timeouts == (timeouts{}) {
		cfg.timeouts = usualTimeouts
	}
	if cfg.connections == 0 {
		cfg.connections = maxConnections
	}
	s := &Server{
		cfg:      cfg,
		log:      cfg.Log,
		now:      cfg.Now,
		instance: randomID(),
		secret:   randomID(),
		started:  cfg.Now(),
	}
	s.live.Store(&s.cfg.Live)
	s.ownerToken = cfg.Token
	if cfg.Dir != "" {
		if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
		if err := protect(ctx, s.log, cfg.Dir, 0o700); err != nil {
			// Not ours to change, perhaps; every file in it is private by itself.
			s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: data directory stays open to others", slog.Any("error", err))
		}
		if s.ownerToken == "" {
			token, err := ownerToken(ctx, s.log, cfg.Dir)
			if err != nil {
				return nil, err
			}
			s.ownerToken = token
		}
	}
	if s.ownerToken == "" {
		return nil, errors.New("bridge: neither a data directory nor an owner's token")
	}
	s.ownerHash = HashToken(s.ownerToken)
	s.limits = newLimits(cfg.RatePerSecond, cfg.Now)
	s.metrics = newMetrics(s)
	s.encoder = newEncoder(cfg.Center)
	s.standing = newStanding()
	s.table = newTable(s.routes())
	s.base, s.cancel = context.WithCancel(context.WithoutCancel(ctx))

	tcp, d, err := listenTCP(ctx, &s.cfg)
	if err != nil {
		s.cancel()
		return nil, err
	}
	s.add(tcp, d)
	scheme := "http"
	if cfg.TLSCertFile != "" {
		scheme = "https"
	}
	s.url = scheme + "://" + reached(tcp.Addr())
	unix, err := listenUnix(ctx, &s.cfg)
	if err != nil {
		// A path too long for a socket, say. TCP works, so go on and tell.
		s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: no unix socket", slog.Any("error", err))
	}
	if unix != nil {
		s.add(unix, &door{unix: true})
	}
	return s, nil
}

func (s *Server) add(l net.Listener, d *door) {
	s.listeners = append(s.listeners, l)
	s.servers = append(s.servers, &http.Server{
		Handler:           s.handler(d),
		ReadHeaderTimeout: s.cfg.timeouts.header,
		IdleTimeout:       s.cfg.timeouts.idle,
		MaxHeaderBytes:    maxHeader,
		ConnContext:       withConn,
		// The library's lines may quote a request.
		ErrorLog: slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError),
	})
}

func randomID() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails: the runtime ends the process first
	return hex.EncodeToString(b)
}

// URL is where the TCP listener is reached.
func (s *Server) URL() string { return s.url }

// OwnerToken is the token that may do everything.
func (s *Server) OwnerToken() string { return s.ownerToken }

// Reconfigure changes what may change while the server runs.
func (s *Server) Reconfigure(live Live) {
	s.live.Store(&live)
	s.limits.setRate(live.RatePerSecond)
}

// Serve writes the discovery file, as soon as that can be written, and answers
// until ctx ends or a listener fails. Then it ends the streams, lets requests under way finish for a moment,
// and removes the file. It returns nil when ctx ended.
func (s *Server) Serve(ctx context.Context) error {
	defer s.cancel()
	var background sync.WaitGroup
	background.Go(func() { s.runStanding(s.base) })
	background.Go(func() { s.runCallbacks(s.base) })
	defer background.Wait()
	defer s.cancel()

	if s.cfg.Dir != "" {
		var announcing sync.WaitGroup
		announcing.Go(func() { s.announce(s.base) })
		defer func() {
			s.cancel()
			announcing.Wait()
			if err := withdraw(s.cfg.Dir, s.instance); err != nil {
				s.log.LogAttrs(context.WithoutCancel(ctx), slog.LevelWarn, "bridge: discovery file stays behind", slog.Any("error", err))
			}
		}()
	}
	failed := make(chan error, len(s.servers))
	for i, server := range s.servers {
		background.Go(func() { failed <- server.Serve(s.listeners[i]) })
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	s.cancel() // streams and waits end now
	shut, done := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer done()
	for _, server := range s.servers {
		if server.Shutdown(shut) != nil {
			server.Close()
		}
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the bridge: %w", err)
	}
	return nil
}

// announce writes the discovery file. A disk that is full for now is no reason
// to end: who knows the address is answered, and the file follows.
func (s *Server) announce(ctx context.Context) {
	b := wire.Bridge{
		URL: s.url, Token: s.ownerToken, PID: os.Getpid(), Instance: s.instance, InstanceSecret: s.secret,
		StartedAt: wire.At(s.started), Version: s.cfg.Version,
	}
	for told := false; ; told = true {
		err := announce(s.cfg.Dir, b)
		if err == nil {
			return
		}
		if !told {
			s.log.LogAttrs(ctx, slog.LevelError, "bridge: clients cannot find the center until its discovery file is written", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.cfg.timeouts.retry):
		}
	}
}

// Close gives the listeners up. It is for a Server that is never served.
func (s *Server) Close() error {
	s.cancel()
	s.closeListeners()
	return nil
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		l.Close()
	}
	if s.cfg.Dir != "" {
		os.Remove(filepath.Join(s.cfg.Dir, wire.SocketFile))
	}
}
