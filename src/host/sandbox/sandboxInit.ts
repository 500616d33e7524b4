/**
 * What is done before the sandbox's own user namespace is made, as a constant text: nothing of a user's ever becomes part
 * of it. It runs in a mount namespace of its own, with the id that is to own what the sandbox writes; paths that it is to
 * see; folders that are empty in it, each behind options of tmpfs; symbolic links that it is to see, each before what it
 * contains; and the command that goes on, with `--` between. What is
 * mounted here can be neither taken away nor made writable from the sandbox (mount_namespaces(7)).
 *
 * A fresh /run makes `ip netns` names private. Files in it belong to ids of the host: this process, whose own id the
 * sandbox does not have, can write there. The sandbox can in the folders that are made its own. File systems of the host
 * become read-only, except those that the kernel makes up, such as /proc. An engine mounts files below a container's /etc: the
 * kernel lays no overlay over such a folder in a user namespace, but over a copy.
 */
export const outerInit = `
set -e
umask 022
owner=$1
shift
while read -r _ _ _ _ point options _; do
  case $point in /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/*) continue ;; esac
  case $options in ro | ro,*) continue ;; esac
  case $point in *\\\\*) point=$(printf '%b' "$point") ;; esac
  mount -o remount,bind,ro "$point" 2>/dev/null || :
done </proc/self/mountinfo
mount -t tmpfs -o mode=1777 tmpfs /run
# where mount(8) did nothing, the following would change the host's own /run
[ -z "$(ls -A /run)" ] || { echo "mount exited with 0, but /run is not a new file system" >&2; exit 1; }
mkdir -p /run/netns /run/lock /run/vethlab /run/shown
cd /run/vethlab
mkdir -p bin etc/upper etc/work home ingress ip/ns kube-cache pcap places shared volumes
[ "$owner" = same ] || chown -R "$owner:$owner" /run/netns /run/lock ./*
cd /
if grep -q '^[^ ]* [^ ]* [^ ]* [^ ]* /etc/' /proc/self/mountinfo; then
  cp -a /etc /run/vethlab/etc/copy 2>/dev/null || :
  mount --bind /run/vethlab/etc/copy /etc
fi
shown=0
while [ "$1" != -- ]; do
  shown=$((shown + 1))
  eval "path_$shown=\\$1"
  if [ -d "$1" ]; then mkdir "/run/shown/$shown"; else : >"/run/shown/$shown"; fi
  mount --bind "$1" "/run/shown/$shown"
  shift
done
shift
while [ "$1" != -- ]; do
  mount -t tmpfs -o "$1" tmpfs "$2"
  shift 2
done
shift
while [ "$shown" -gt 0 ]; do
  eval "path=\\$path_$shown"
  mkdir -p "\${path%/*}"
  if [ -d "/run/shown/$shown" ]; then mkdir -p "$path"; else : >"$path"; fi
  mount --move "/run/shown/$shown" "$path"
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
 * What a process in a new user namespace does until its ids are mapped, which the process that started it does meanwhile: it says
 * so, waits for a line, and becomes the root there, with the command that goes on. Whose id changes no longer ends with its
 * parent (prctl(2), PR_SET_PDEATHSIG), and has to ask for that again.
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
 * With `host-root` as its second argument, sysctls other than those of the network and control groups are closed to it: no
 * user namespace keeps it from them.
 * It ends when its standard input ends: with the process that started it. The shell waits for cat and reaps daemons that
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
