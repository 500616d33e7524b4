import t from 'tap'
import { install, packageManagers } from '../../../src/host/doctor/install.js'
import { loadModules } from '../../../src/host/doctor/loadModules.js'
import { otherNames, toolRequirements } from '../../../src/host/doctor/requirements.js'

const sudo = process.getuid?.() === 0 ? '' : 'sudo '
const command = (name: string, packages: readonly string[], again = false) =>
  install(packages, { again, manager: packageManagers.find((manager) => manager.name === name) })

t.test('packages have the names of the distribution', async (t) => {
  const packages = ['iproute2', 'mount', 'util-linux', 'libnginx-mod-stream', 'bind9-dnsutils', 'curl']
  t.equal(
    command('apt', packages),
    `${sudo}apt-get install --no-install-recommends iproute2 mount util-linux libnginx-mod-stream bind9-dnsutils curl`,
  )
  t.equal(command('dnf', packages), `${sudo}dnf install iproute util-linux nginx-mod-stream bind-utils curl`)
  t.equal(command('pacman', packages), `${sudo}pacman -S --needed iproute2 util-linux nginx bind curl`)
  t.equal(command('zypper', packages), `${sudo}zypper install iproute2 util-linux nginx bind-utils curl`)
  t.equal(
    command('apk', packages),
    `${sudo}apk add iproute2 mount util-linux nginx-mod-stream bind-tools curl`,
  )
})

t.test(
  'a package that a distribution does not have is left out, or named if nothing else is missing',
  async (t) => {
    t.equal(command('apk', ['nfacct', 'curl']), `${sudo}apk add curl`)
    t.equal(command('pacman', ['nfacct', 'curl']), `${sudo}pacman -S --needed nfacct curl`)
    t.equal(command('dnf', ['nfacct']), 'build nfacct from source: dnf has no package of it')
    t.equal(command('apt', ['haproxy'], true), `${sudo}apt-get install --reinstall haproxy`)
  },
)

t.test(
  'other names are those of packages that vethlab needs or names, for managers that it knows',
  async (t) => {
    // kubectl is no requirement, and what lacks it names its package
    const needed = new Set([...toolRequirements.map((tool) => tool.package), 'kubernetes-client'])
    const managers = new Set<string>(packageManagers.map(({ name }) => name))
    for (const [name, others] of Object.entries(otherNames)) {
      t.ok(needed.has(name), name)
      for (const manager of Object.keys(others)) t.ok(managers.has(manager), `${name}: ${manager}`)
    }
  },
)

t.test('how a module is loaded depends on the kernel', async (t) => {
  const how = (release: string, hasModules: boolean, inContainer = false) =>
    loadModules('vxlan', 'CONFIG_VXLAN', { release, hasModules, inContainer })
  t.equal(how('6.12.48+deb13-amd64', true), 'sudo modprobe vxlan')
  t.match(how('6.10.14-linuxkit', false, true), /Docker Desktop has no CONFIG_VXLAN: .*Lima/)
  t.match(how('5.15.167.4-microsoft-standard-WSL2', false), /wsl --update.*sudo modprobe vxlan/)
  t.match(
    how('6.12.9-200.fc41.x86_64', false, true),
    /on the host: sudo modprobe vxlan; .*podman machine ssh/,
  )
  t.match(how('6.1.0', false), /a kernel with CONFIG_VXLAN built in/)
})
