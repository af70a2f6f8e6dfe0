package wire

import (
	"net/url"
	"strings"
)

// Paths of the bridge. A name in braces is one path segment; Path fills it in.
const (
	PathHealth   = "/v1/health"
	PathIdentity = "/v1/identity"
	PathOpenAPI  = "/v1/openapi.json"
	PathMetrics  = "/v1/metrics"

	PathConnections      = "/v1/connections"
	PathConnection       = "/v1/connections/{connection}"
	PathConnectionToken  = "/v1/connections/{connection}/token"
	PathHello            = "/v1/connections/{connection}/hello"
	PathPublish          = "/v1/connections/{connection}/notifications"
	PathBatch            = "/v1/connections/{connection}/batch"
	PathKeyResolve       = "/v1/connections/{connection}/keys/{key}/resolve"
	PathKeyExpire        = "/v1/connections/{connection}/keys/{key}/expire"
	PathRequestComplete  = "/v1/connections/{connection}/requests/{request}/complete"
	PathSessions         = "/v1/connections/{connection}/sessions"
	PathSession          = "/v1/connections/{connection}/sessions/{session}"
	PathSessionSeen      = "/v1/connections/{connection}/sessions/{session}/seen"
	PathInvalidations    = "/v1/connections/{connection}/invalidations"
	PathInvalidationsAck = "/v1/connections/{connection}/invalidations/ack"
	PathConnectionEvents = "/v1/connections/{connection}/events"

	PathNotifications = "/v1/notifications"
	PathNotification  = "/v1/notifications/{id}"
	PathDismiss       = "/v1/notifications/{id}/dismiss"
	PathResolve       = "/v1/notifications/{id}/resolve"
	PathExpire        = "/v1/notifications/{id}/expire"
	PathAnswer        = "/v1/notifications/{id}/answer"
	PathCancel        = "/v1/notifications/{id}/cancel"
	PathRejectAnswer  = "/v1/notifications/{id}/reject-answer"
	PathAction        = "/v1/notifications/{id}/actions/{action}"
	PathRead          = "/v1/notifications/{id}/read"
	PathUnread        = "/v1/notifications/{id}/unread"
	PathMute          = "/v1/notifications/{id}/mute"
	PathUnmute        = "/v1/notifications/{id}/unmute"
	PathSnooze        = "/v1/notifications/{id}/snooze"
	PathUnsnooze      = "/v1/notifications/{id}/unsnooze"
	PathSetAside      = "/v1/notifications/{id}/set-aside"
	PathTrace         = "/v1/notifications/{id}/trace"

	PathDismissMany   = "/v1/dismiss"
	PathRail          = "/v1/rail"
	PathFocus         = "/v1/focus"
	PathAttention     = "/v1/attention"
	PathEvents        = "/v1/events"
	PathSubscriptions = "/v1/subscriptions"
	PathRules         = "/v1/rules"
	PathDoNotDisturb  = "/v1/do-not-disturb"
	PathProviderTest  = "/v1/providers/{provider}/test"
	PathDeliveries    = "/v1/deliveries"
	PathShow          = "/v1/show"
	PathImport        = "/v1/import"
	PathBackup        = "/v1/backup"
)

// Path fills the names in braces of a path, in order, with values of any
// content. It panics when their numbers differ: that is a mistake in the code.
func Path(path string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, rest, found := strings.Cut(path, "{")
		_, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			panic("wire: too many values for " + path)
		}
		b.WriteString(before)
		b.WriteString(escape(v))
		path = after
	}
	if strings.Contains(path, "{") {
		panic("wire: too few values for " + path)
	}
	b.WriteString(path)
	return b.String()
}

// escape makes one segment of v. Dots alone would be taken for a step up.
func escape(v string) string {
	if v == "." || v == ".." {
		return strings.ReplaceAll(v, ".", "%2E")
	}
	return url.PathEscape(v)
}
