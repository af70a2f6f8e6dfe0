package bridge

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the figures of one server, in a registry of their own. Labels are
// routes, statuses and codes; never ids or content.
type metrics struct {
	handler  http.Handler
	requests *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	callback *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "signalbox_bridge_request_seconds",
			Help:    "How long requests took, by route and status; streams and waits by their whole length.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .025, .05, .1, .5, 1, 5, 30},
		}, []string{"route", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "signalbox_bridge_refused_total", Help: "Requests refused, by code.",
		}, []string{"code"}),
		callback: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "signalbox_bridge_callbacks_total", Help: "Callbacks tried, by result.",
		}, []string{"result"}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.refused, m.callback,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("signalbox_bridge_streams", "Event streams open.", func() float64 { return float64(s.standing.streams()) }),
		gauge("signalbox_change_sequence", "The number of the newest change.", func() float64 { return float64(s.cfg.Center.Sequence()) }),
		gauge("signalbox_connections", "Connections known.", func() float64 { return float64(len(s.cfg.Center.Connections())) }),
		gauge("signalbox_notifications_pending", "Pending notifications, silent ones included.", func() float64 { return float64(s.cfg.Center.Attention().Pending) }),
		gauge("signalbox_notifications_waiting", "Interactions that wait for an answer.", func() float64 { return float64(s.cfg.Center.Attention().Waiting) }),
		gauge("signalbox_notifications_unread", "Unread notifications.", func() float64 { return float64(s.cfg.Center.Attention().Unread) }),
	)
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// observe counts a request that was answered.
func (m *metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
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
