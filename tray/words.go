package tray

// Words are the texts of the menu; %d and %s are filled in. An empty text is English.
type Words struct {
	Nothing, Waiting, Unread, WaitingUnread, Active, Offline string
	More                                                     string
	Open                                                     string
	Quiet30, Quiet60, QuietTomorrow, QuietForever            string
	QuietOffUntil, QuietOffForever, QuietUntil, QuietForGood string
	Dismiss, SetAside, Aside                                 string
	DismissAll, DismissAllBut, DismissAllWait, DismissNone   string
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
	More:            "%d more…",
	Open:            "Open Signalbox",
	Quiet30:         "Do not disturb: 30 minutes",
	Quiet60:         "Do not disturb: 1 hour",
	QuietTomorrow:   "Do not disturb: until tomorrow, 8:00",
	QuietForever:    "Do not disturb: until I turn it off",
	QuietOffUntil:   "Do not disturb until %s: turn off",
	QuietOffForever: "Do not disturb: turn off",
	QuietUntil:      "do not disturb until %s",
	QuietForGood:    "do not disturb",
	Dismiss:         "Dismiss",
	SetAside:        "Set aside",
	Aside:           "set aside",
	DismissAll:      "Dismiss %d",
	DismissAllBut:   "Dismiss %d; %d stay",
	DismissAllWait:  "Dismiss %d; %d wait for you",
	DismissNone:     "Nothing to dismiss",
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
		{&w.Active, &e.Active}, {&w.Offline, &e.Offline}, {&w.More, &e.More}, {&w.Open, &e.Open}, {&w.Quiet30, &e.Quiet30}, {&w.Quiet60, &e.Quiet60},
		{&w.QuietTomorrow, &e.QuietTomorrow}, {&w.QuietForever, &e.QuietForever}, {&w.QuietOffForever, &e.QuietOffForever}, {&w.QuietForGood, &e.QuietForGood},
		{&w.QuietOffUntil, &e.QuietOffUntil},
		{&w.QuietUntil, &e.QuietUntil}, {&w.Dismiss, &e.Dismiss}, {&w.Aside, &e.Aside}, {&w.DismissAllWait, &e.DismissAllWait}, {&w.SetAside, &e.SetAside},
		{&w.DismissAll, &e.DismissAll}, {&w.DismissAllBut, &e.DismissAllBut}, {&w.DismissNone, &e.DismissNone},
		{&w.History, &e.History}, {&w.Settings, &e.Settings}, {&w.Quit, &e.Quit}, {&w.JustNow, &e.JustNow},
		{&w.Minutes, &e.Minutes}, {&w.Hours, &e.Hours}, {&w.Days, &e.Days}, {&w.Indent, &e.Indent},
	} {
		if *p.to == "" {
			*p.to = *p.from
		}
	}
	return w
}
