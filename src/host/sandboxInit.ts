/**
 * What the sandbox's first process does, as a constant text: nothing of a user's ever becomes part of it.
 * A fresh /run makes `ip netns` names private; an overlay lets /etc/netns work without touching the machine;
 * ignored SIGCHLD lets the kernel reap orphans. It ends when its standard input ends: with whoever started it.
 */
export const sandboxInit = `
set -e
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/netns /run/lock /run/vethlab/ip/ns /run/vethlab/etc/upper /run/vethlab/etc/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/vethlab/etc/upper,workdir=/run/vethlab/etc/work /etc 2>/dev/null || echo no-overlay >/run/vethlab/no-overlay
trap '' CHLD
echo ready
while read -r line; do :; done
`

/** First words of the sandbox's command line; `ps`, `exec` and `down` find labs by them. */
export const sandboxMark = 'vethlab-sandbox'
