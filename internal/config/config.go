package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// FileName is the settings' name in the data directory.
const FileName = "config.toml"

const maxFile = 1 << 20 // bytes

// Config is what the file says, defaults filled in. The sample documents each key.
type Config struct {
	Listen          string   `toml:"listen"` // empty: 127.0.0.1:8377, or a free port when that is taken
	TLSCert         string   `toml:"tls_cert"`
	TLSKey          string   `toml:"tls_key"`
	Hosts           []string `toml:"hosts"`
	AllowedOrigins  []string `toml:"allowed_origins"`
	RateLimit       float64  `toml:"rate_limit"` // changes a second and connection; 0: no limit
	LinkSchemes     []string `toml:"link_schemes"`
	AllowRemoteURLs bool     `toml:"allow_remote_urls"`
	OrphanAfter     Duration `toml:"orphan_after"`
	LogLevel        string   `toml:"log_level"` // debug, info, warn or error

	Store     Store     `toml:"store"`
	Retention Retention `toml:"retention"`
	Snapshots Snapshots `toml:"snapshots"`
	Storms    Storms    `toml:"storms"`
	Announce  Announce  `toml:"announce"`
	Webhooks  []Webhook `toml:"webhook"`
	Commands  []Command `toml:"command"`
}

// Store says where the store is and how much space it leaves.
type Store struct {
	Path    string `toml:"path"`     // relative to the data directory; another one needs a restart
	MinFree Size   `toml:"min_free"` // less free space than this: writes are refused
}

// Retention bounds the history of each connection that has no bounds of its own (R4), and the log of
// changes that streams resume from.
type Retention struct {
	KeepAge     Duration `toml:"keep_age"`
	KeepCount   int      `toml:"keep_count"`
	LogCount    int      `toml:"log_count"`
	LogAge      Duration `toml:"log_age"`
	ReceiptsAge Duration `toml:"receipts_age"`
}

// Snapshots says how often the store is copied, and how many copies are kept.
type Snapshots struct {
	Every Duration `toml:"every"` // 0: never
	Keep  int      `toml:"keep"`
}

// Storms says when many announcements become one (A8).
type Storms struct {
	Count  int      `toml:"count"` // announcements within Window; 0: never
	Window Duration `toml:"window"`
}

// Announce says how the owner is told.
type Announce struct {
	Privacy string     `toml:"privacy"` // of toasts: full, title or none
	Remind  []Duration `toml:"remind"`  // waits after which what waits is told again; empty: never
}

// Webhook is a provider that posts to an address (A3).
type Webhook struct {
	Name        string   `toml:"name"` // the provider is webhook:NAME
	URL         string   `toml:"url"`
	Secret      string   `toml:"secret"`       // signs the body; empty: unsigned
	AllowRemote bool     `toml:"allow_remote"` // allows an address that is not on this machine
	Privacy     string   `toml:"privacy"`      // full, title or none; empty: title
	Timeout     Duration `toml:"timeout"`
}

// Command is a provider that runs a program (A3).
type Command struct {
	Name    string   `toml:"name"`    // the provider is command:NAME
	Argv    []string `toml:"argv"`    // the program and its arguments; no shell
	Privacy string   `toml:"privacy"` // full, title or none; empty: title
	Timeout Duration `toml:"timeout"`
}

// Default is what holds without a file.
func Default() Config {
	return Config{
		RateLimit:   200,
		OrphanAfter: Duration(24 * time.Hour),
		LogLevel:    "info",
		Store:       Store{Path: "store", MinFree: 64 << 20},
		Retention: Retention{KeepAge: Duration(90 * 24 * time.Hour), KeepCount: 100_000,
			LogCount: 100_000, LogAge: Duration(7 * 24 * time.Hour), ReceiptsAge: Duration(24 * time.Hour)},
		Snapshots: Snapshots{Every: Duration(6 * time.Hour), Keep: 3},
		Storms:    Storms{Count: 5, Window: Duration(10 * time.Second)},
		Announce:  Announce{Privacy: "title", Remind: []Duration{Duration(3 * time.Minute), Duration(10 * time.Minute), Duration(30 * time.Minute)}},
	}
}

// Load reads the file of a data directory. No file is no error: the defaults hold. An [*Error] names
// the line and the key at fault.
func Load(dir string) (Config, error) {
	text, _, err := read(filepath.Join(dir, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Config{}, err
	}
	return Parse(text)
}

// read returns what the file holds, and its mode. No file is fs.ErrNotExist.
func read(path string) (text string, mode fs.FileMode, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, &Error{Detail: "is no regular file"} // a pipe would hold the reader for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", 0, err
	}
	if len(b) > maxFile {
		return "", 0, &Error{Detail: fmt.Sprintf("has more than %d bytes", maxFile)}
	}
	return string(b), info.Mode().Perm(), nil
}

// StorePath is the store's folder for a data directory.
func (c *Config) StorePath(dir string) string {
	if filepath.IsAbs(c.Store.Path) {
		return c.Store.Path
	}
	return filepath.Join(dir, c.Store.Path)
}

// WriteSample puts the documented sample, in which every setting is commented out, where no file is.
func WriteSample(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(Sample)
	return errors.Join(err, f.Close())
}
