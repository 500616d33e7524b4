/**
 * What the sandbox's first process does, as a constant text: nothing of a user's ever becomes part of it.
 * A fresh /run makes `ip netns` names private; an overlay lets /etc/netns work without touching the machine;
 * it ends when its standard input ends: with whoever started it. The shell waits for cat, and reaps whatever daemons end
 * meanwhile; a `read` of its own would end with the first of those.
 */
export const sandboxInit = `
set -e
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/netns /run/lock /run/vethlab/ip/ns /run/vethlab/etc/upper /run/vethlab/etc/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/vethlab/etc/upper,workdir=/run/vethlab/etc/work /etc 2>/dev/null || echo no-overlay >/run/vethlab/no-overlay
echo ready
until cat >/dev/null; do :; done
`

/** First words of the sandbox's command line; `ps`, `exec` and `down` find labs by them. */
export const sandboxMark = 'vethlab-sandbox'
