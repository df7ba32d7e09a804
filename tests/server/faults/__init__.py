"""Faults under load: servers that die or freeze, databases that stop, connections that are cut, disks that are full."""
