package store

import "syscall"

// The kinds of file system that keep their bytes on another machine, or don't map files as others do.
var remoteKinds = map[uint32]string{
	0x6969: "NFS", 0x517B: "SMB", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x01021997: "9p",
	0x5346414F: "AFS", 0x00C36400: "Ceph", 0x786F4256: "a shared folder of VirtualBox", 0xBACBACBC: "a shared folder of VMware",
	0x564C: "NCP", 0x73757245: "Coda", 0x0BD00BD0: "Lustre",
}

// systemSpace asks the system.
func systemSpace(path string) (Space, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return Space{}, err
	}
	kind, remote := remoteKinds[uint32(st.Type)]
	return Space{Free: int64(st.Bavail) * int64(st.Bsize), Kind: kind, Remote: remote}, nil
}
