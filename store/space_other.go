//go:build !linux && !windows

package store

import "golang.org/x/sys/unix"

func systemSpace(path string) (Space, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return Space{}, err
	}
	s := Space{Free: int64(st.Bavail) * int64(st.Bsize)}
	switch kind := unix.ByteSliceToString(st.Fstypename[:]); kind {
	case "nfs", "smbfs", "afpfs", "webdav":
		s.Kind, s.Remote = kind, true
	}
	return s, nil
}
