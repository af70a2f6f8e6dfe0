package arch

// A room is a package, or a package and those below it, with what it may
// import of this module. Paths are relative to the module; "." is main.go's
// package and a trailing "/..." takes in the packages below.
type room struct {
	path string
	may  []string // rooms of ours, the same notation; "*" is any
}

// rooms is the import table of the design. Adding a room is one line here,
// with a reason of its own for being.
var rooms = []room{
	{".", []string{"*"}},                                                  // wiring: flags, single instance, start and stop order
	{"notify", nil},                                                       // the nouns and the rules
	{"notify/notifytest", []string{"notify"}},                             // generators and helpers for tests
	{"center", []string{"notify"}},                                        // the one door
	{"store", []string{"notify", "store/index"}},                          // Badger
	{"store/index", []string{"notify"}},                                   // words to records, for search
	{"store/memstore", []string{"notify", "store"}},                       // the same in memory
	{"store/storetest", []string{"notify", "notify/notifytest", "store"}}, // what every store must do, as a suite
	{"retention", []string{"notify"}},                                     // what to expire and prune, as a plan
	{"reload", []string{"notify", "internal/loopback"}},                   // loads anew what a connection asks for
	{"watchdog", []string{"notify"}},                                      // sessions that fell silent
	{"mask", []string{"notify"}},                                          // finds what looks like a credential in content
	{"mask/gen", nil},                                                     // makes its list of patterns
	{"bridge", []string{"notify", "center", "bridge/wire", "internal/loopback", "internal/private"}}, // HTTP
	{"bridge/wire", nil}, // shapes shared with the client
	{"client", []string{"bridge/wire", "internal/private"}},                              // SDK for producers
	{"agents/...", []string{"bridge/wire", "agents/...", "internal/pattern"}},            // agents' payloads to publishes
	{"delivery", []string{"notify", "internal/pattern"}},                                 // who is told
	{"delivery/...", []string{"notify", "delivery/...", "internal/loopback"}},            // the providers
	{"tray", []string{"notify", "assets"}},                                               // menu, icon, driver
	{"ui", []string{"notify", "assets", "ui/..."}},                                       // windows
	{"ui/vm", []string{"notify"}},                                                        // records in, rows out
	{"ui/theme", []string{"assets"}},                                                     // colours, sizes, icons
	{"ui/widgets", []string{"notify", "assets", "ui/vm", "ui/theme"}},                    // parts of the windows
	{"ui/internal/...", []string{"notify", "assets", "ui/vm", "ui/theme", "ui/widgets"}}, // samples for the tests of the windows
	{"assets", nil},     // embedded files
	{"assets/gen", nil}, // draws them
	{"internal/config", []string{"notify", "internal/pattern", "internal/private"}}, // the settings file
	{"internal/daemon", []string{"notify", "center", "store", "retention", "reload", "watchdog",
		"mask", "bridge", "bridge/wire", "client",
		"delivery/...", "internal/config", "internal/private"}}, // the center without a desktop
	{"cmd/sigbox", []string{"client", "agents/...", "bridge/wire", "internal/daemon", "internal/config", "internal/pattern", "internal/private"}}, // the command line
	{"internal/loopback", nil},               // HTTP clients that stay on this machine
	{"internal/pattern", nil},                // regular expressions that are compiled when they are needed
	{"internal/private", nil},                // replaces files that are the owner's alone, and locks them
	{"internal/rules", nil},                  // which rules have a test
	{"internal/winlink", []string{"notify"}}, // the line between the center and a process with windows
	{"internal/arch", nil},                   // this test
	{"internal/bench/...", []string{"*"}},    // measures
	{"internal/e2e/...", []string{"*"}},      // journeys through the real programs
	{"scripts/xcheck", nil},                  // type-checks for other systems
	{"internal/e2e/rig", nil},                // screen, bus and daemons for them
}

// owners says which rooms may import a library themselves. The key is a module or package prefix.
var owners = map[string][]string{
	"fyne.io/fyne/v2":                        {".", "ui", "ui/theme", "ui/widgets", "ui/internal"},
	"fyne.io/systray":                        {"tray"},
	"github.com/dgraph-io/badger/v4":         {"store"},
	"github.com/gen2brain/beeep":             {"delivery/toast"},
	"github.com/esiqveland/notify":           {"delivery/toast"},
	"github.com/zricethezav/gitleaks/v8":     {"mask"},
	"github.com/prometheus/client_golang":    {"bridge", "internal/daemon"},
	"github.com/modelcontextprotocol/go-sdk": {"cmd/sigbox", "agents"},
	"github.com/fsnotify/fsnotify":           {"internal/config", "internal/daemon", "client"},
}

// reach says which rooms may come to a package at all, through whatever lies
// between. Everybody else builds and tests without it.
var reach = map[string][]string{
	"fyne.io/fyne/v2/app":            {".", "ui", "internal/bench", "internal/e2e"}, // the GL driver and cgo
	"fyne.io/fyne/v2":                {".", "ui", "ui/theme", "ui/widgets", "ui/internal", "internal/bench", "internal/e2e"},
	"fyne.io/systray":                {".", "ui", "tray", "internal/bench", "internal/e2e"},
	"github.com/dgraph-io/badger/v4": {".", "store", "internal/daemon", "cmd/sigbox", "internal/bench", "internal/e2e"},
	// A producer's process carries neither the rules' storage nor secrets' patterns.
	"github.com/zricethezav/gitleaks/v8": {".", "mask", "internal/daemon", "cmd/sigbox", "internal/bench", "internal/e2e"},
}

// pure holds what a room (not those below it) never imports itself and never reaches. fmt reaches os, so os is asked of direct imports only.
var pure = []struct {
	room    string
	std     bool     // nothing but the standard library
	direct  []string // never imported
	reaches []string // never reached
}{
	{"notify", true, []string{"os", "os/exec", "net/http", "database/sql", "path/filepath"}, []string{"net/http", "database/sql"}},
	{"bridge/wire", false, []string{"os"}, []string{"database/sql"}},
	{"retention", false, []string{"os"}, []string{"net/http", "database/sql"}},
	{"ui/vm", false, []string{"os"}, []string{"net/http", "database/sql"}},
	{"agents", false, []string{"os", "net/http"}, []string{"database/sql"}},
	{"center", false, []string{"os"}, []string{"net/http", "database/sql"}},
}

// pins are the versions that the design was tried with; "at least" where an
// older one has a known fault, the exact one otherwise.
var pins = []struct{ module, version, rule string }{
	{"fyne.io/fyne/v2", "v2.7.1", "exactly"},
	{"github.com/dgraph-io/badger/v4", "v4.9.6", "exactly"},
	{"github.com/gen2brain/beeep", "v0.12.0", "exactly"}, // v0.11.1 closes the bus that the tray shares
	{"fyne.io/systray", "v1.12.2", "at least"},           // before v1.12.1 the newest item's channel is never closed
}
