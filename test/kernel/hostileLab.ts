import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { keyctlNumber } from '../../src/host/sandbox/ownKeyring.js'

const keyctl = keyctlNumber[process.arch] ?? 0
/** add_key(2) */
const addKey = keyctl - 2

/**
 * Arguments that run a command as a caller does who has a key in a session keyring, and an open file. perl closes no descriptor
 * up to `$^F`.
 */
export function baited(argv: readonly string[], file: string): string[] {
  const script = [
    `use POSIX; $^F = 99; $type = "user"; $name = "vethlab-test"; $key = "secret";`,
    // a container engine may forbid both
    `syscall(${keyctl}, 1, 0); syscall(${addKey}, $type, $name, $key, 6, -3);`,
    'open F, "<", shift or die $!; dup2(fileno F, 31); exec @ARGV',
  ].join(' ')
  return ['perl', '-e', script, '--', file, ...argv]
}

/** Programs that a lab puts in its folder of programs, under names that vethlab calls, write here that one had rights. */
const gained = '/run/vethlab/shared/gained'

/** The cells of the table in docs/security.md: what a lab tries, by the words of its row. Each command fails. */
export const attempts: Readonly<Record<string, string>> = {
  'read home folders': 'grep secret "$HOST_HOME/secret"',
  'read /etc/shadow': 'cat /etc/shadow',
  'read other data of the host': 'grep secret "$HOST_DATA/secret"',
  'see temporary files': 'grep secret "$HOST_TMP/secret"',
  'use unix sockets of the host': 'test -S "$HOST_TMP/socket"',
  'read the environment of the caller':
    'tr "\\0" "\\n" </proc/1/environ | grep VETHLAB_SECRET || env | grep VETHLAB_SECRET',
  'read open files of the caller': `perl -e 'open F, "<&=31" or exit 1; exit !sysread F, $b, 1'`,
  'read keys of the caller': `perl -e '${[
    '$name = "vethlab-test"; $type = "user"; $b = "x" x 64;',
    `$id = syscall ${keyctl}, 10, -3, $type, $name, 0;`,
    `exit !($id > 0 && syscall(${keyctl}, 11, $id, $b, 64) > 0)`,
  ].join(' ')}'`,
  'set the host name': 'nsenter --target 1 --uts hostname attempt',
  'set sysctls of the host': 'echo 0 >/proc/sys/kernel/randomize_va_space',
  'mount and make namespaces':
    'mount -t tmpfs tmpfs /mnt || unshare --mount true || unshare --user true || nsenter --target 1 --mount true',
  'reach the root of the sandbox': 'ls /proc/1/root/',
  'see processes of the host': 'tr "\\0" " " <"/proc/$HOST_PID/cmdline" | grep node',
  'use IPC of the host': 'ipcs -m -i "$HOST_SHM" | grep "^uid="',
  'make and open devices':
    'mknod /tmp/disk b 254 0 || head -c 1 /dev/mem || head -c 1 /dev/sda || head -c 1 /dev/vda',
  'use terminals of the host': 'test -c "$HOST_TERMINAL"',
  'load kernel modules': capable(16),
  'set the clock': capable(25),
  'see and change control groups': `find /sys/fs/cgroup -name 'cgroup.*' | grep . || mkdir /sys/fs/cgroup/vethlab-attempt`,
  'restart the machine': 'test -w /proc/sysrq-trigger',
  'gain rights by a program': `grep . ${gained}`,
  'gain rights by a file': 'grep "^NoNewPrivs:.0" /proc/self/status',
}

const fakePrograms = `
for name in cat chroot ip kill mkdir mount nsenter setpriv sleep unshare; do
  printf '#!/bin/sh\\n( %s ) && echo %s >>%s\\nexec /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin %s "$@"\\n' \\
    '${capable(21)}' $name ${gained} $name >/run/vethlab/bin/$name
  chmod +x /run/vethlab/bin/$name
done
`

/** A script that succeeds for a process that has a capability, by its number (capabilities(7)). */
function capable(bit: number): string {
  return `test $(( (0x$(sed -n "s/^CapEff:.//p" /proc/self/status) >> ${bit}) & 1 )) = 1`
}

/** What it writes: whether that was the host's is seen on the host. A pod writes a copy. */
export const writes: Readonly<Record<string, string>> = {
  'write files of the host': 'for folder in /usr /var /etc /srv; do echo x >$folder/vethlab-attempt; done',
  'write home folders':
    'echo x >/root/vethlab-attempt; echo x >"$HOST_HOME/secret"; echo x >"$HOST_TMP/secret"',
}

/**
 * Variables of a container that any program obeys: a fake `setpriv` comes first on its PATH, and the loader writes a file for each
 * program that starts.
 */
export function hostileEnv(lab: string): Readonly<Record<string, string>> {
  return {
    PATH: `${join(lab, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`,
    ...{ LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(lab, 'loaded') },
  }
}

/** What programs that ran on the host with these variables have left in the lab's folder, which labs cannot write. */
export function ranOnHost(lab: string): string[] {
  return readdirSync(lab).filter((name) => /^(loaded|ran)/.test(name))
}

/** A lab that tries everything from a client, from a node and from a container, and says what it got. */
export function hostileLab(folder: string, variables: Readonly<Record<string, string>>): string {
  const lab = join(folder, 'hostile')
  mkdirSync(join(lab, 'manifests'), { recursive: true })
  mkdirSync(join(lab, 'bin'))
  for (const name of ['setpriv', 'nsenter', 'chroot', 'sh'])
    writeFileSync(
      join(lab, 'bin', name),
      `#!/bin/dash\necho >>${join(lab, 'ran')}-${name}\nexec /usr/bin/${name} "$@"\n`,
      { mode: 0o755 },
    )
  const given = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
  const tries = Object.entries(attempts).map(
    ([name, script]) => `if ( ${script} ) >/dev/null 2>&1; then echo "${name}"; fi`,
  )
  const written = [...Object.values(writes), fakePrograms].map((one) => `( ${one} ) >/dev/null 2>&1`)
  const script = [...given, ...tries, ...written, 'echo end'].join('\n')
  const steps = ['client', 'node-a', 'app=web'].map((from) => ({
    name: `From ${from}`,
    from,
    command: ['sh', '-c', script],
    expect: { output: 'end' },
  }))
  const said = {
    name: 'What the container got',
    from: 'app=web',
    command: ['cat', '/said'],
    expect: { output: 'end' },
  }
  writeFileSync(
    join(lab, 'lab.yaml'),
    stringify({
      title: 'Hostile',
      topology: { nodes: ['node-a'], clients: ['client'] },
      steps: [...steps, said],
    }),
  )
  const container = `{ ${script}\n} >/said.new; mv /said.new /said; exec nc -lk 8080`
  writeFileSync(
    join(lab, 'manifests', 'pod.yaml'),
    stringify({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } } },
      spec: {
        containers: [
          {
            ...{
              name: 'web',
              image: 'web',
              command: ['/bin/sh', '-c', container],
              ports: [{ containerPort: 8080 }],
            },
            env: Object.entries(hostileEnv(lab)).map(([name, value]) => ({ name, value })),
          },
        ],
      },
    }),
  )
  return lab
}
