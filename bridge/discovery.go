package bridge

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
	"signalbox/internal/private"
)

// ownerTokenFile keeps the owner's token between runs, apart from the store.
const ownerTokenFile = "owner.token"

// protect makes a file or folder the owner's alone, and says so in the log when
// it was not. Windows keeps the profile's folders apart by itself.
func protect(ctx context.Context, log *slog.Logger, path string, mode fs.FileMode) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(path, mode); err != nil {
		return fmt.Errorf("make %s private: %w", filepath.Base(path), err)
	}
	log.LogAttrs(ctx, slog.LevelWarn, "bridge: made private what others could open",
		slog.String("file", filepath.Base(path)), slog.String("was", info.Mode().Perm().String()))
	return nil
}

// ownerToken reads the owner's token, or makes one.
func ownerToken(ctx context.Context, log *slog.Logger, dir string) (string, error) {
	path := filepath.Join(dir, ownerTokenFile)
	b, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := protect(ctx, log, path, 0o600); err != nil {
			return "", err
		}
		if t := strings.TrimSpace(string(b)); len(t) >= 32 {
			return t, nil
		}
		// Cut short by a crash: nobody can hold it.
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("read the owner's token: %w", err)
	}
	t := NewToken()
	if err := private.Replace(path, []byte(t+"\n")); err != nil {
		return "", fmt.Errorf("keep the owner's token: %w", err)
	}
	return t, nil
}

// announce writes the discovery file.
func announce(dir string, b wire.Bridge) error {
	out, err := json.Marshal(b, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	out = append(out, '\n')
	path := filepath.Join(dir, wire.BridgeFile)
	if err := private.Replace(path, out); err != nil {
		// On a full disk the place of a dead run's file is still to be had.
		if overwrite(path, out) != nil {
			return fmt.Errorf("write %s: %w", wire.BridgeFile, err)
		}
	}
	return nil
}

// overwrite writes a file that exists where it is, readable by the owner only.
func overwrite(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = f.Chmod(0o600)
	if err == nil {
		_, err = f.WriteAt(b, 0)
	}
	if err == nil {
		err = f.Truncate(int64(len(b)))
	}
	return errors.Join(err, f.Close())
}

// withdraw removes the discovery file if it is still this instance's. Another
// run may have written its own meanwhile.
func withdraw(dir, instance string) error {
	path := filepath.Join(dir, wire.BridgeFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var found wire.Bridge
	if json.Unmarshal(b, &found) != nil || found.Instance != instance {
		return nil
	}
	return os.Remove(path)
}

// prove answers a challenge: only who can read the discovery file knows secret.
func prove(secret, nonce string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(nonce))
	return hex.EncodeToString(mac.Sum(nil))
}
