package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync/atomic"

	"signalbox/assets"
	"signalbox/delivery"
	"signalbox/delivery/toast"
	"signalbox/tray"
	"signalbox/ui/vm"
)

// texts are what the tray and the toasts say, in the owner's language.
type texts struct {
	tray   tray.Words
	told   delivery.Words
	labels toast.Labels
}

// languages holds the texts in use.
type languages struct{ now atomic.Pointer[texts] }

func (l *languages) get() texts { return *l.now.Load() }

// set takes up a language such as de_DE.UTF-8; an unknown one is English.
func (l *languages) set(language string) error {
	c, err := vm.LoadCatalog(assets.Translations, language)
	if err != nil {
		c = &vm.Catalog{}
	}
	l.now.Store(textsOf(c))
	return err
}

func textsOf(c *vm.Catalog) *texts {
	t := func(key string) string {
		if s := c.Text(vm.M(key)); s != key {
			return s
		}
		return "" // English is the rooms' own
	}
	return &texts{
		tray: tray.Words{
			Nothing: t("tray.nothing"), Waiting: t("tray.waiting"), Unread: t("tray.unread"), WaitingUnread: t("tray.waiting_unread"),
			Active: t("tray.active"), Offline: t("tray.offline"), More: t("tray.more"), Open: t("tray.open"), Quiet: t("tray.quiet"), Read: t("tray.read"), Quiet30: t("tray.quiet_30"),
			Quiet60: t("tray.quiet_60"), QuietTomorrow: t("tray.quiet_tomorrow"), QuietForever: t("tray.quiet_forever"), QuietOffForever: t("tray.quiet_off_forever"), QuietForGood: t("tray.quiet_until_off"),
			QuietOffUntil: t("tray.quiet_off_until"), QuietUntil: t("tray.quiet_until"), Dismiss: t("tray.dismiss"),
			SetAside: t("tray.set_aside"), Aside: t("tray.aside"), DismissAllWait: t("tray.dismiss_all_wait"), DismissAll: t("tray.dismiss_all"),
			DismissAllBut: t("tray.dismiss_all_but"), History: t("tray.history"),
			Settings: t("tray.settings"), Quit: t("tray.quit"), JustNow: t("tray.just_now"), Minutes: t("tray.minutes"),
			Hours: t("tray.hours"), Days: t("tray.days"),
		},
		told: delivery.Words{
			Waits: t("toast.waits"), Permission: t("toast.permission"), Plan: t("toast.plan"), Finished: t("toast.finished"),
			Failed: t("toast.failed"), News: t("toast.news"), Terminal: t("toast.terminal"), Still: t("toast.still"), StillAll: t("toast.still_all"), SummaryWaiting: t("toast.summary_waiting"), SummaryMore: t("toast.summary_more"),
			Summary: t("toast.summary"), Digest: t("toast.digest"), HeldBack: t("toast.held_back"), DigestWaiting: t("toast.digest_waiting"), DigestMore: t("toast.digest_more"),
			DigestFailed: t("toast.digest_failed"), DigestFinished: t("toast.digest_finished"), DigestOther: t("toast.digest_other"), And: t("toast.and"), Hidden: t("toast.hidden"),
			Trial: t("toast.trial"), TrialBody: t("toast.trial_body"), Session: vm.SessionLabel,
		},
		labels: toast.Labels{Open: t("toast.open"), Dismiss: t("toast.dismiss"), SetAside: t("toast.set_aside")},
	}
}

// language is what the owner chose in the windows, which keep it in the toolkit's preferences; else the
// system's.
func language() string {
	if dir, err := os.UserConfigDir(); err == nil {
		var chosen struct {
			Language string `json:"language"`
		}
		b, err := os.ReadFile(filepath.Join(dir, "fyne", appID, "preferences.json"))
		if err == nil && json.Unmarshal(b, &chosen) == nil && chosen.Language != "" {
			return chosen.Language
		}
	}
	return systemLocale()
}

// systemLocale is the language of the system.
func systemLocale() string { return localeOf(os.Getenv) }

// localeOf is the language that an environment names, by its precedence; empty: none.
func localeOf(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			return v
		}
	}
	return ""
}
