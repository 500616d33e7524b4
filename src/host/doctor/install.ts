import { existsSync } from 'node:fs'

/** The command with which this user installs a Debian package. */
export function install(debianPackage: string): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  if (existsSync('/usr/bin/apt-get')) return `${sudo}apt-get install --no-install-recommends ${debianPackage}`
  return `use your package manager to install the equivalent of the Debian package ${debianPackage}`
}
