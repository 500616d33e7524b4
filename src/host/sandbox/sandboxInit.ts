/**
 * The script that runs before the sandbox's user namespace is created. It is constant text: no user input is part of it.
 * It runs in its own mount namespace. Its first arguments are the id that owns what the sandbox writes and a `mountTable`. More
 * follow, separated by `--`: the paths of that table that the sandbox can see; symbolic links that it can see, each before its
 * content; and the command that runs next. The sandbox can neither unmount these mounts nor make them writable
 * (mount_namespaces(7)).
 *
 * Few programs are called: each one adds about a millisecond to the start of every lab.
 *
 * A new /run makes `ip netns` names private. Its files belong to ids of the host: this process can write there, because the
 * sandbox does not have its id. The sandbox can write in the folders that it owns. File systems of the host become read-only,
 * except virtual ones such as /proc. A container engine mounts files below /etc: in a user namespace the kernel does not mount
 * an overlay over such a folder, so a copy is used.
 */
export const outerInit = `
set -e
umask 022
cd /
owner=$1
mounts=$2
shift 2
copy_etc=
while read -r _ _ _ _ point options _; do
  case $point in /etc/*) copy_etc=yes ;; esac
  case $point in /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/*) continue ;; esac
  case $options in ro | ro,*) continue ;; esac
  case $point in *\\\\*) point=$(printf '%b' "$point") ;; esac
  mount -o remount,bind,ro "$point" 2>/dev/null || :
done </proc/self/mountinfo
mount -t tmpfs -o mode=1777 tmpfs /run
# where mount(8) did nothing, the following would change the host's own /run
for entry in /run/* /run/.[!.]* /run/..?*; do
  [ ! -e "$entry" ] || { echo "mount exited with 0, but /run is not a new file system" >&2; exit 1; }
done
own=/run/vethlab
folders="/run/netns /run/lock $own/bin $own/etc $own/etc/upper $own/etc/work $own/home $own/ingress $own/ip $own/ip/ns \\
  $own/kube-cache $own/pcap $own/places $own/shared $own/volumes /run/shown"
if [ "$owner" = same ]; then mkdir -p $folders; else install -d -o "$owner" -g "$owner" $folders; fi
if [ "$copy_etc" = yes ]; then
  cp -a /etc /run/vethlab/etc/copy 2>/dev/null || :
  mount --bind /run/vethlab/etc/copy /etc
fi
printf %s "$mounts" >/run/shown/fstab
shown=0
while [ "$1" != -- ]; do
  shown=$((shown + 1))
  eval "path_$shown=\\$1"
  [ -d "$1" ] || : >"/run/shown/$shown"
  shift
done
shift
mount --all --fstab /run/shown/fstab
while [ "$shown" -gt 0 ]; do
  eval "path=\\$path_$shown"
  if [ ! -d "/run/shown/$shown" ]; then
    mkdir -p "\${path%/*}"
    : >"$path"
  fi
  mount --move -o X-mount.mkdir "/run/shown/$shown" "$path"
  shown=$((shown - 1))
done
while [ "$1" != -- ]; do
  mkdir -p "\${1%/*}"
  ln -s -- "$2" "$1"
  shift 2
done
shift
# mount(8) keeps notes there, and fails where it cannot write them
rm -rf /run/shown /run/mount
exec "$@"
`

/**
 * Runs in a new user namespace while the parent maps its ids: it prints a line, waits for one, becomes root there and executes
 * the next command. A process whose id changes loses PR_SET_PDEATHSIG (prctl(2)) and must set it again.
 */
export const becomeRoot = `
echo map
read -r _
exec setpriv --reuid 0 --regid 0 --clear-groups --pdeathsig KILL "$@"
`

/**
 * The constant script of the sandbox's first process. An overlay makes /etc/netns work without changes to the host.
 * The host's name is added to /etc/hosts if missing, because curl (libldap) resolves it and a lab would see a DNS query;
 * a container's own /etc/hosts is a mount, which the overlay does not show.
 * With `host-root` as its second argument it cannot change control groups, nor sysctls other than those of the network, because
 * no user namespace restricts it.
 * It ends when its standard input ends, that is, with the process that started it. The shell waits for cat and reaps daemons that
 * end meanwhile; the builtin `read` would return when the first daemon ends.
 */
export const sandboxInit = `
set -e
umask 022
if [ -r /etc/hosts ]; then exec 3</etc/hosts; else exec 3</dev/null; fi
if mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/vethlab/etc/upper,workdir=/run/vethlab/etc/work /etc 2>/dev/null; then
  read -r name </proc/sys/kernel/hostname
  grep -qwsF -e "$name" /etc/hosts || {
    rm -f /etc/hosts && { cat; echo "127.0.1.1 $name"; } <&3 >/etc/hosts
  } 2>/dev/null || :
fi
exec 3<&-
if [ "$2" = host-root ]; then
  mount --bind /proc/sys /proc/sys
  mount -o remount,bind,ro /proc/sys
  mount --bind /proc/sys/net /proc/sys/net
  mount -o remount,bind,rw /proc/sys/net
  mount -t tmpfs -o ro tmpfs /sys/fs/cgroup
fi
echo ready
until cat >/dev/null; do :; done
`

/** First words of the sandbox's command line; `ps`, `exec` and `down` find labs by them. */
export const sandboxMark = 'vethlab-sandbox'
