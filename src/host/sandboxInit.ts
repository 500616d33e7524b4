/**
 * What the sandbox's first process does, as a constant text: nothing of a user's ever becomes part of it.
 * A fresh /run makes `ip netns` names private; an overlay lets /etc/netns work without touching the machine. /etc/hosts
 * gets the machine's name where it lacks it, since curl (libldap) looks that up and a lab would see a DNS query; a
 * container's own /etc/hosts is a mount, which the overlay does not show.
 * It ends when its standard input ends: with whoever started it. The shell waits for cat, and reaps whatever daemons end
 * meanwhile; a `read` of its own would end with the first of those.
 */
export const sandboxInit = `
set -e
if [ -r /etc/hosts ]; then exec 3</etc/hosts; else exec 3</dev/null; fi
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/netns /run/lock /run/vethlab/ip/ns /run/vethlab/etc/upper /run/vethlab/etc/work
if mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/vethlab/etc/upper,workdir=/run/vethlab/etc/work /etc 2>/dev/null; then
  read -r name </proc/sys/kernel/hostname
  grep -qwsF -e "$name" /etc/hosts || {
    rm -f /etc/hosts && { cat; echo "127.0.1.1 $name"; } <&3 >/etc/hosts
  } 2>/dev/null || :
else
  echo no-overlay >/run/vethlab/no-overlay
fi
exec 3<&-
echo ready
until cat >/dev/null; do :; done
`

/** First words of the sandbox's command line; `ps`, `exec` and `down` find labs by them. */
export const sandboxMark = 'vethlab-sandbox'
