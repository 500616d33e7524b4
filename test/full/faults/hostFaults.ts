/** A fault of the host around one command, as data: add a row here and to test/reliability.md. */
export interface HostFault {
  readonly name: string
  /** The command; `LAB` is a copy of the lab, `FOLDER` a folder of the test. */
  readonly args: readonly string[]
  /** A shell script that provokes the fault and ends with `exec "$@"`; `$0` is a folder of the test. */
  readonly provoke?: string
  /** nodeport by default. */
  readonly lab?: string
  /** Tools in front of the real ones, by name: shell scripts. Of several, each is a command of its own. */
  readonly tools?: Readonly<Record<string, string | readonly string[]>>
  /** What the errors say. */
  readonly says: RegExp
  /** True for those that `npm test` has too. */
  readonly short?: true
}

const run = ['run', 'LAB']
const rubbish = `printf 'rub\\033[2Jbish\\n' >&2; printf '\\001\\002'; exit 1`

/** What a broken tool does: nothing but rubbish, the same and a failure, a crash. */
const crash = 'kill -SEGV $$'
const broken = [`printf 'rub\\033[2Jbish\\n'; exit 0`, rubbish, crash]

/** In a mount namespace: what is mounted there is not seen by the host. */
const mounted = (script: string) =>
  `exec unshare --mount --propagation private sh -c '${script}; exec "$@"' "$0" "$@"`

/** Every row has its test in hostFaults.test.ts. */
export const hostFaults: readonly HostFault[] = [
  {
    name: 'unshare fails with rubbish',
    args: run,
    tools: { unshare: rubbish },
    says: /unshare exited with 1/,
  },
  { name: 'ip fails with rubbish', args: run, tools: { ip: rubbish }, says: /\bip\b/ },
  { name: 'nginx fails with rubbish', args: run, tools: { nginx: rubbish }, says: /nginx/, short: true },
  { name: 'tcpdump fails with rubbish', args: run, tools: { tcpdump: rubbish }, says: /tcpdump/ },
  {
    name: 'iptables-restore is broken',
    args: run,
    tools: { 'iptables-restore': broken },
    says: /iptables-save|rub.*bish|signal 11|SIGSEGV/,
  },
  {
    name: 'nft is broken',
    args: [...run, '--mode', 'nftables'],
    tools: { nft: broken },
    says: /nft|checks failed/,
  },
  {
    name: 'conntrack is broken',
    lab: 'udp-conntrack',
    args: run,
    tools: { conntrack: [rubbish, crash] },
    says: /conntrack/,
  },
  { name: 'sysctl is broken', args: run, tools: { sysctl: broken }, says: /sysctl|checks failed/ },
  {
    name: 'nsenter is broken',
    args: run,
    tools: { nsenter: broken },
    says: /`(ip|iptables|tcpdump) |nsenter/,
  },
  {
    name: 'setpriv is broken',
    args: run,
    tools: { setpriv: broken },
    says: /^setpriv is broken: `setpriv [^]*\n +try: (sudo )?apt-get install --reinstall util-linux/,
  },
  { name: 'curl is broken', args: run, tools: { curl: broken }, says: /failed for another reason/ },
  { name: 'PATH is empty', args: run, provoke: 'node=$1; shift; PATH= exec "$node" "$@"', says: /^$/ },
  {
    name: 'proc is not mounted',
    args: run,
    provoke: mounted('mount -t tmpfs tmpfs /proc'),
    says: /\/proc is not mounted/,
  },
  {
    name: 'proc is not mounted, and a lab is started',
    args: ['up', 'LAB'],
    provoke: mounted('mount -t tmpfs tmpfs /proc'),
    says: /\/proc is not mounted/,
  },
  { name: 'ip is killed while it works', args: run, tools: { ip: 'kill -9 $$' }, says: /\bip\b/ },
  { name: 'nginx is killed while it starts', args: run, tools: { nginx: 'kill -9 $$' }, says: /nginx/ },
  { name: 'curl is killed while it works', args: run, tools: { curl: 'kill -9 $$' }, says: /^/ },
  {
    name: 'a tool is not executable',
    args: run,
    provoke: mounted('f=$(command -v tcpdump); : >"$0/t"; chmod 644 "$0/t"; mount --bind "$0/t" "$f"'),
    says: /tcpdump/,
  },
  {
    name: 'the report goes to a full disk',
    args: [...run, '--output', '/dev/full'],
    says: /cannot write the report to \/dev\/full/,
  },
  {
    name: 'the report goes to a read-only folder',
    args: [...run, '--output', 'FOLDER/ro/report'],
    provoke: mounted('mkdir "$0/ro" && mount -t tmpfs -o ro tmpfs "$0/ro"'),
    says: /cannot write the report .*read-only/i,
    short: true,
  },
  {
    name: 'the report goes to a folder that does not exist',
    args: [...run, '--output', 'FOLDER/no/report'],
    says: /cannot write the report/,
  },
  {
    name: 'the output goes to a full disk',
    args: run,
    provoke: 'exec "$@" >/dev/full',
    says: /cannot write the output/,
  },
  {
    name: 'captures go to a read-only folder',
    args: [...run, '--pcap', 'FOLDER/ro/pcap'],
    provoke: mounted('mkdir "$0/ro" && mount -t tmpfs -o ro tmpfs "$0/ro"'),
    says: /pcap/,
  },
  { name: 'the reader of the output is gone', args: ['list'], provoke: '"$@" | :; exit 0', says: /^$/ },
]
