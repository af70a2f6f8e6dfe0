//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// allocated is what a file takes, without its holes.
func allocated(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return info.Size()
}
