package toast

import "git.sr.ht/~jackmordaunt/go-toast/wintoast"

// New returns the sender of this system. beeep would do, but where COM fails it falls back to
// PowerShell with the text inside a script; this is the same COM interface without that fallback.
func New(opt Options) Sender {
	return NewPlain(func(title, body string) error {
		if err := wintoast.SetAppData(wintoast.AppData{AppID: opt.AppName}); err != nil {
			return err
		}
		return wintoast.Push(windowsXML(title, body))
	}, opt.Limit, opt.Logger)
}
