# make install            under /usr/local (as root)
# make install PREFIX=$HOME/.local
PREFIX ?= /usr/local
DESTDIR ?=
ROOT = $(DESTDIR)$(PREFIX)
FILES = $(shell find bin share lib -type f)

.PHONY: install uninstall
install:
	for f in $(FILES); do \
	  case $$f in bin/*) mode=755;; *) mode=644;; esac; \
	  install -Dm$$mode $$f $(ROOT)/$$f || exit 1; done
	sed -i 's|%h/.local/bin/|$(PREFIX)/bin/|' $(ROOT)/lib/systemd/user/sigbox.service

uninstall:
	cd $(ROOT) && rm -f $(FILES)
