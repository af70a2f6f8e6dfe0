package store

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

func systemSpace(path string) (Space, error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return Space{}, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(p, &free, nil, nil); err != nil {
		return Space{}, err
	}
	s := Space{Free: int64(free)}
	if root, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`); err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		s.Kind, s.Remote = "a network drive", true
	}
	return s, nil
}
