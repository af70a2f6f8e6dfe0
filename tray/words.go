package tray

// Words are the texts of the menu; %d and %s are filled in. An empty text is English.
type Words struct {
	Nothing, Waiting, Unread, WaitingUnread, Active, Offline string
	More                                                     string
	Open                                                     string
	Quiet, Quiet30, Quiet60, QuietTomorrow, QuietForever     string
	QuietOffUntil, QuietOffForever, QuietUntil, QuietForGood string
	Dismiss, SetAside, Aside, Read                           string
	DismissAll, DismissAllBut, DismissAllWait                string
	History, Settings, Quit                                  string
	JustNow, Minutes, Hours, Days                            string
	// Indent stands before the lines that belong to an item.
	Indent string
}

// English are the texts where no translation is given.
var English = Words{
	Nothing:         "nothing needs you",
	Waiting:         "%d waiting for you",
	Unread:          "%d unread",
	WaitingUnread:   "%d waiting for you, %d unread",
	Active:          "%d active, nothing new",
	Offline:         "the center cannot be reached",
	More:            "… and %d more",
	Open:            "Open Signalbox",
	Quiet:           "Do not disturb",
	Quiet30:         "For 30 minutes",
	Quiet60:         "For 1 hour",
	QuietTomorrow:   "Until tomorrow, 8:00",
	QuietForever:    "Until I turn it off",
	QuietOffUntil:   "Turn do not disturb off (on until %s)",
	QuietOffForever: "Turn do not disturb off",
	QuietUntil:      "do not disturb until %s",
	QuietForGood:    "do not disturb",
	Dismiss:         "Dismiss",
	SetAside:        "Set aside",
	Aside:           "set aside",
	Read:            "Read…",
	DismissAll:      "Dismiss all %d",
	DismissAllBut:   "Dismiss all %d (%d others stay)",
	DismissAllWait:  "Dismiss all %d (questions stay: %d)",
	History:         "History",
	Settings:        "Settings",
	Quit:            "Quit Signalbox",
	JustNow:         "just now",
	Minutes:         "%d min",
	Hours:           "%d h",
	Days:            "%d d",
	Indent:          "      ",
}

// orEnglish fills what is empty.
func (w Words) orEnglish() Words {
	e := English
	for _, p := range []struct{ to, from *string }{
		{&w.Nothing, &e.Nothing}, {&w.Waiting, &e.Waiting}, {&w.Unread, &e.Unread}, {&w.WaitingUnread, &e.WaitingUnread},
		{&w.Active, &e.Active}, {&w.Offline, &e.Offline}, {&w.More, &e.More}, {&w.Open, &e.Open}, {&w.Quiet, &e.Quiet}, {&w.Read, &e.Read}, {&w.Quiet30, &e.Quiet30}, {&w.Quiet60, &e.Quiet60},
		{&w.QuietTomorrow, &e.QuietTomorrow}, {&w.QuietForever, &e.QuietForever}, {&w.QuietOffForever, &e.QuietOffForever}, {&w.QuietForGood, &e.QuietForGood},
		{&w.QuietOffUntil, &e.QuietOffUntil},
		{&w.QuietUntil, &e.QuietUntil}, {&w.Dismiss, &e.Dismiss}, {&w.Aside, &e.Aside}, {&w.DismissAllWait, &e.DismissAllWait}, {&w.SetAside, &e.SetAside},
		{&w.DismissAll, &e.DismissAll}, {&w.DismissAllBut, &e.DismissAllBut},
		{&w.History, &e.History}, {&w.Settings, &e.Settings}, {&w.Quit, &e.Quit}, {&w.JustNow, &e.JustNow},
		{&w.Minutes, &e.Minutes}, {&w.Hours, &e.Hours}, {&w.Days, &e.Days}, {&w.Indent, &e.Indent},
	} {
		if *p.to == "" {
			*p.to = *p.from
		}
	}
	return w
}
