package bridge

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"
)

// metrics are the figures of one server, in a set of their own. Labels are
// routes, statuses and codes; never ids or content.
type metrics struct{ set *prometheus.Set }

// requestBuckets are in seconds; streams and waits count by their whole length.
var requestBuckets = []float64{.0005, .001, .002, .005, .01, .025, .05, .1, .5, 1, 5, 30}

func newMetrics(s *Server) *metrics {
	m := &metrics{set: prometheus.NewSet()}
	for name, value := range map[string]func() float64{
		"signalbox_bridge_streams":        func() float64 { return float64(s.standing.streams()) },
		"signalbox_change_sequence":       func() float64 { return float64(s.cfg.Center.Sequence()) },
		"signalbox_connections":           func() float64 { return float64(len(s.cfg.Center.Connections())) },
		"signalbox_notifications_pending": func() float64 { return float64(s.cfg.Center.Attention().Pending) }, // silent ones included
		"signalbox_notifications_waiting": func() float64 { return float64(s.cfg.Center.Attention().Waiting) },
		"signalbox_notifications_unread":  func() float64 { return float64(s.cfg.Center.Attention().Unread) },
	} {
		m.set.NewGauge(name, value)
	}
	return m
}

// ServeHTTP writes them in Prometheus' text format, with those of the process.
func (m *metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var b bytes.Buffer
	m.set.WritePrometheus(&b)
	prometheus.WriteProcessMetrics(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the client may be gone
}

// observe counts a request that was answered.
func (m *metrics) observe(route string, status int, took time.Duration) {
	name := "signalbox_bridge_request_seconds{route=" + strconv.Quote(route) + ",status=\"" + strconv.Itoa(status) + "\"}"
	m.set.GetOrCreatePrometheusHistogramExt(name, requestBuckets).Update(took.Seconds())
}

// refused counts a request that was refused, by code.
func (m *metrics) refused(code string) {
	m.set.GetOrCreateCounter("signalbox_bridge_refused_total{code=" + strconv.Quote(code) + "}").Inc()
}

// callback counts a callback that was tried, by result.
func (m *metrics) callback(result string) {
	m.set.GetOrCreateCounter("signalbox_bridge_callbacks_total{result=" + strconv.Quote(result) + "}").Inc()
}

// statusWriter remembers the status that was answered.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets the library reach what is below, for deadlines and flushes.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
