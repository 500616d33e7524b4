import { keepFiles, labFilesFolder } from '../../topology/placeInit.js'
import { shellWord } from '../../text/shellWord.js'
import { ownTools } from '../environment.js'
import { madeRoot } from './mountTable.js'

/**
 * The script that runs before the sandbox's user namespace is created. It is constant text: no user input is part of it.
 * It runs in its own mount namespace, and puts together the root that the sandbox sees. Its first arguments are the id that owns
 * what the sandbox writes, whether that is the root of the host, and a `mountTable`. More follow, separated by `--`: files that
 * are to exist before its mounts, such as devices; visible files; symbolic links, each before its content; and the command that
 * runs next. The sandbox can neither unmount these mounts nor make them writable (mount_namespaces(7)).
 *
 * Few programs are called: each one adds about a millisecond to the start of every lab.
 *
 * A new /run makes `ip netns` names private. Its files belong to ids of the host: this process can write there, because the
 * sandbox does not have its id. The sandbox can write in the folders that it owns. File systems of the host become read-only,
 * except virtual ones such as /proc. A container engine mounts files below /etc: in a user namespace the kernel does not mount
 * an overlay over such a folder, so a copy is used; so it is for the root of the host, without what not every user can read.
 * Programs find the folders of /var that they cannot make themselves.
 */
export const outerInit = `
set -e
umask 022
cd /
owner=$1
privileged=$2
mounts=$3
shift 3
copy_etc=$privileged
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
  $own/kube-cache $own/pcap $own/places $own/shared $own/volumes"
if [ "$owner" = same ]; then mkdir -p $folders; else install -d -o "$owner" -g "$owner" $folders; fi
root=${madeRoot}
mkdir "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
cd "$root"
mkdir -p ${ownTools.slice(1)} dev/net dev/pts dev/shm etc home proc root run sys tmp var/cache/bind var/lib/haproxy var/lib/misc var/lib/nginx \\
  var/log/nginx var/spool var/tmp
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
ln -s ../run var/run
cp -P /dev/stdin /dev/stdout /dev/stderr dev 2>/dev/null || :
while [ "$1" != -- ]; do
  : >"$root$1"
  shift
done
shift
if [ "$copy_etc" = yes ]; then cp -a /etc . 2>/dev/null || :; else mount --rbind /etc etc; fi
if [ "$privileged" = yes ]; then find etc ! -type l ! -perm -o=r -prune -exec rm -rf {} +; fi
printf %s "$mounts" >/run/mounts
mount --all --fstab /run/mounts
while [ "$1" != -- ]; do
  mkdir -p "$root\${1%/*}"
  : >"$root$1"
  mount --bind "$1" "$root$1"
  shift
done
shift
while [ "$1" != -- ]; do
  mkdir -p "$root\${1%/*}"
  ln -sfn "$2" "$root$1"
  shift 2
done
shift
mount -o remount,bind,ro "$root"
# not pivot_root, which Docker's own seccomp profile forbids: who enters the namespace gets what is mounted on top
mount --move . /
# mount(8) keeps notes in /run/mount, and fails where it cannot write them
rm -rf run/mount run/mounts
exec chroot . "$@"
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
 * The script that gives the lab's commands their own /etc, with the folder of the process that holds it: changes stay in memory.
 * Nodes and clients have these files, and pods without files of their own. The host's name is added to /etc/hosts if missing,
 * because curl (libldap) resolves it and a lab would see a DNS query.
 */
const labFiles = `
set -e
folder=$1
mkdir "$folder"
if mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/vethlab/etc/upper,workdir=/run/vethlab/etc/work /etc 2>/dev/null; then
  read -r name </proc/sys/kernel/hostname
  grep -qwsF -e "$name" /etc/hosts || {
    { cat /etc/hosts; echo "127.0.1.1 $name"; } >"$folder/hosts"
    cp --remove-destination "$folder/hosts" /etc/hosts
  } 2>/dev/null || :
fi
${keepFiles('/')}`

/**
 * The constant script of the sandbox's first process. Its own files, and those of the tools that vethlab runs for the lab, are
 * read-only: a lab that could change a library or the files of the loader would have it loaded with the rights of these tools. With
 * `host-root` as its second argument it cannot change other sysctls than those of the network, because no user namespace restricts
 * it. It ends when its standard input ends, that is, with the process that started it. The shell waits for cat and reaps daemons
 * that end meanwhile; the builtin `read` would return when the first daemon ends.
 */
export const sandboxInit = `
set -e
umask 022
if [ "$2" != host-root ]; then
  # its own limit: in a user namespace of its own, a process would have all capabilities
  { echo 0 >/proc/sys/user/max_user_namespaces; } 2>/dev/null || :
else
  mount --bind /proc/sys /proc/sys
  mount -o remount,bind,ro /proc/sys
  mount --bind /proc/sys/net /proc/sys/net
  mount -o remount,bind,rw /proc/sys/net
  mount -o remount,bind,ro /sys
  for file in /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi; do
    [ ! -e "$file" ] || mount --bind -o ro "$file" "$file"
  done
fi
# the lab sees the network namespaces that tools will make
mount --make-shared /run
unshare --mount --propagation slave sh -c ${shellWord(labFiles)} files-of-the-lab ${labFilesFolder}
echo ready
until cat >/dev/null; do :; done
`

/** First words of the sandbox's command line; `ps`, `exec` and `down` find labs by them. */
export const sandboxMark = 'vethlab-sandbox'
