import { existsSync } from 'node:fs'
import { otherNames } from './requirements.js'

/** A package manager, with its commands that install packages, and that replace damaged ones. */
export interface PackageManager {
  readonly name: 'apt' | 'dnf' | 'pacman' | 'zypper' | 'apk'
  readonly program: string
  readonly install: string
  readonly reinstall: string
}

/** Those whose package names vethlab knows. */
export const packageManagers: readonly PackageManager[] = [
  {
    name: 'apt',
    program: '/usr/bin/apt-get',
    install: 'apt-get install --no-install-recommends',
    reinstall: 'apt-get install --reinstall',
  },
  { name: 'dnf', program: '/usr/bin/dnf', install: 'dnf install', reinstall: 'dnf reinstall' },
  { name: 'pacman', program: '/usr/bin/pacman', install: 'pacman -S --needed', reinstall: 'pacman -S' },
  { name: 'zypper', program: '/usr/bin/zypper', install: 'zypper install', reinstall: 'zypper install -f' },
  { name: 'apk', program: '/sbin/apk', install: 'apk add', reinstall: 'apk fix' },
]

export interface InstallOptions {
  /** Replace packages that are installed and damaged. */
  readonly again?: boolean
  /** By default the host's. */
  readonly manager?: PackageManager | undefined
}

/** The command with which this user installs Debian packages, under the names that the host's distribution has for them. */
export function install(debianPackages: readonly string[], options: InstallOptions = {}): string {
  const { again = false, manager = hostManager() } = options
  if (manager === undefined)
    return `use your package manager to install the equivalent of the Debian packages: ${debianPackages.join(' ')}`
  const names = debianPackages.map((name) => {
    const other = manager.name === 'apt' ? undefined : otherNames[name]?.[manager.name]
    return other === undefined ? name : other
  })
  const there = names.filter((name) => name !== null).flatMap((name) => name.split(' '))
  if (there.length === 0)
    return `build ${debianPackages.join(', ')} from source: ${manager.name} has no package of it`
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  return `${sudo}${again ? manager.reinstall : manager.install} ${[...new Set(there)].join(' ')}`
}

function hostManager(): PackageManager | undefined {
  return packageManagers.find(({ program }) => existsSync(program))
}
