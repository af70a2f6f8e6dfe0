package bridge

import (
	"net/http"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// maxNonce bounds what the identity is proved for, in bytes.
const maxNonce = 256

func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	return write(w, http.StatusOK, wire.Health{Status: "ok", Version: s.cfg.Version})
}

func (s *Server) identity(w http.ResponseWriter, r *http.Request) error {
	nonce := r.URL.Query().Get("nonce")
	if nonce == "" || len(nonce) > maxNonce {
		return notify.Invalid("nonce", "want 1 to %d bytes in the query", maxNonce)
	}
	return write(w, http.StatusOK, wire.Identity{Instance: s.instance, Proof: prove(s.secret, nonce)})
}

func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(openAPIDescription)
	return nil
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) error {
	var in wire.Show
	if err := decodeOptional(w, r, &in); err != nil {
		return err
	}
	switch in.View {
	case "":
		in.View = wire.ViewRail
	case wire.ViewRail, wire.ViewHistory, wire.ViewSettings:
	default:
		return notify.Invalid("/view", "want rail, history or settings")
	}
	if s.cfg.Desktop == nil {
		return noDesktop
	}
	if err := s.cfg.Desktop.Show(r.Context(), in.View, in.Notification); err != nil {
		if notify.CodeOf(err) == notify.CodeUnavailable {
			return &windowless{err}
		}
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) prometheus(w http.ResponseWriter, r *http.Request) error {
	s.metrics.ServeHTTP(w, r)
	return nil
}
