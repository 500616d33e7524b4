#!/bin/sh
# The first process of the virtual machine: unpacks the project from the second disk, runs its command with the second
# serial port as output, writes what it left in /out to the third disk and the exit code to the third port, and ends.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm /out /opt/vethlab
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up
hostname vethlab-vm
# what nothing asks for by itself; a kernel may have some of it built in, or not at all
modprobe -qa br_netfilter overlay nf_conntrack dummy ip_vs ip_vs_rr ip_vs_wrr ip_vs_lc ip_vs_wlc ip_vs_lblc ip_vs_sh \
  ip_vs_dh ip_vs_sed ip_vs_nq ip_vs_mh
for port in /dev/ttyS1 /dev/ttyS2; do stty -F "$port" raw -echo; done
tar -xf /dev/vdb -C /opt/vethlab
cd /opt/vethlab || exit
{
  sh ./vm-run.sh </dev/null
  echo $? >/tmp/code
} 2>&1 | cat >/dev/ttyS1
tar -cf /dev/vdc -C /out .
printf '%s\n' "$(cat /tmp/code)" >/dev/ttyS2
sync
echo o >/proc/sysrq-trigger
sleep 60
