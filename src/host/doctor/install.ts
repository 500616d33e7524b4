import { existsSync } from 'node:fs'

/** The command that brings a Debian package to this machine, for this user. */
export function install(debianPackage: string): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  if (existsSync('/usr/bin/apt-get')) return `${sudo}apt-get install --no-install-recommends ${debianPackage}`
  return `install what Debian calls ${debianPackage} with your package manager`
}
