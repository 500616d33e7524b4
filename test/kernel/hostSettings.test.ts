import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findTool, toolEnvironment } from '../../src/host/environment.js'
import { isFull, runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

/**
 * What namespaces copy is the init namespace's (net.core.devconf_inherit_init_net), which a test must not touch.
 * So `unshare` and `ip` come from a folder here: whatever namespace they make starts with unusual values, exactly where
 * the kernel would have copied them. `sysctl` is the real one unless a test replaces it.
 */
function hostWith(t: Test, values: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-host-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const file = join(folder, 'values')
  writeFileSync(file, values)
  const real = (name: string) => findTool(name) ?? name
  const apply = `${real('sysctl')} -e -q -p ${file}`
  const scripts = {
    unshare: `
net=
for word; do
  case $word in sh) break ;; --net) net=yes ;; esac
done
if [ -z "$net" ]; then exec ${real('unshare')} "$@"; fi
before=
count=$#
while [ "$count" -gt 0 ]; do
  if [ -z "$before" ] && [ "$1" = sh ]; then
    before=yes
    set -- "$@" sh -c '${apply}; exec "$@"' unusual
  fi
  set -- "$@" "$1"
  shift
  count=$((count - 1))
done
exec ${real('unshare')} "$@"
`,
    ip: `
${real('ip')} "$@" || exit
[ "$1" = -batch ] || exit 0
sed -n 's/^netns add //p' "$2" | while read -r name; do
  ${real('nsenter')} --net=/run/netns/"$name" ${apply} || exit
done
`,
    ...more,
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}`)
    chmodSync(join(folder, name), 0o755)
  }
  return `${folder}:${toolEnvironment()['PATH'] ?? ''}`
}

/** Each as \`sysctl -p\` reads it; the kernel copies what is set for \`all\`, \`default\` and loopback alike. */
function settings(
  general: Readonly<Record<string, string | number>>,
  each: Readonly<Record<string, string | number>>,
): string {
  const interfaces = Object.entries(each).flatMap(([key, value]) =>
    ['all', 'default', 'lo'].map((name) => `net.${key.replace('.', `.conf.${name}.`)} = ${value}\n`),
  )
  const lines = Object.entries(general).map(([key, value]) => `net.${key} = ${value}\n`)
  return [...lines, ...interfaces].join('')
}

const hosts = {
  hardened: settings(
    {
      'ipv4.ip_forward': 0,
      'ipv4.icmp_ratelimit': 1000,
      'ipv4.icmp_ratemask': 6168,
      'ipv4.icmp_msgs_per_sec': 1,
      'ipv4.icmp_msgs_burst': 1,
      'ipv4.icmp_echo_ignore_all': 1,
      'ipv4.tcp_syncookies': 0,
      'ipv4.tcp_syn_retries': 1,
      'ipv4.tcp_timestamps': 0,
      'ipv4.ip_local_port_range': '20000 20031',
      'ipv4.ip_unprivileged_port_start': 15000,
      'ipv4.ip_default_ttl': 1,
      'ipv6.icmp.ratelimit': 1000,
      'ipv6.icmp.ratemask': '0-1,3-127',
      'ipv6.icmp.echo_ignore_all': 1,
      'netfilter.nf_conntrack_udp_timeout': 1,
      'netfilter.nf_conntrack_tcp_loose': 0,
    },
    {
      'ipv4.rp_filter': 1,
      'ipv4.arp_ignore': 8,
      'ipv4.arp_announce': 2,
      'ipv4.log_martians': 1,
      'ipv4.accept_redirects': 0,
      'ipv4.send_redirects': 0,
      'ipv4.shared_media': 0,
      'ipv6.disable_ipv6': 1,
      'ipv6.accept_ra': 0,
      'ipv6.hop_limit': 1,
    },
  ),
  router: settings(
    {
      'ipv4.ip_forward': 1,
      'ipv4.icmp_errors_use_inbound_ifaddr': 1,
      'ipv4.ip_nonlocal_bind': 1,
      'ipv4.tcp_abort_on_overflow': 1,
      'ipv4.tcp_syncookies': 2,
      'ipv6.conf.all.forwarding': 1,
      'netfilter.nf_conntrack_tcp_be_liberal': 1,
    },
    {
      'ipv4.rp_filter': 2,
      'ipv4.proxy_arp': 1,
      'ipv4.route_localnet': 1,
      'ipv4.accept_source_route': 1,
      'ipv4.accept_local': 1,
      'ipv4.arp_filter': 1,
      'ipv6.accept_dad': 2,
      'ipv6.accept_ra': 2,
      'ipv6.proxy_ndp': 1,
    },
  ),
}

/** ICMP errors, UDP, node ports in both families, routes alone; in `npm test` the first. */
const labs = ['no-endpoints', 'udp-conntrack', 'dual-stack', 'iptables-basics'].slice(0, runs(4, 1))

const command = ['run', ...labs, '--reporter', 'brief']

t.test('labs on hosts with unusual settings', { skip: cannotRun }, async (t) => {
  for (const [name, values] of Object.entries(hosts)) {
    t.test(name, async (t) => {
      const { code, stdout, stderr } = await vethlab(command, { env: { PATH: hostWith(t, values) } })
      if (code !== 0) t.comment(`${stdout}${stderr}`)
      t.equal(code, 0, 'every lab passes')
      t.notMatch(stdout, /# SKIP/, 'nothing was skipped')
    })
  }
})

// that the settings matter: most of the time the lab waits for what does not come
if (isFull)
  t.test('the same settings break labs that set none', { skip: cannotRun }, async (t) => {
    const forgetful = `
for word; do
  case $word in /run/vethlab/sysctl/nodes/*) ;; /run/vethlab/sysctl/*) exit 0 ;; esac
done
exec ${findTool('sysctl') ?? 'sysctl'} "$@"
`
    const path = hostWith(t, hosts.hardened, { sysctl: forgetful })
    const { code } = await vethlab(['run', 'nodeport', '--reporter', 'brief'], { env: { PATH: path } })
    t.not(code, 0, 'the lab fails')
  })
