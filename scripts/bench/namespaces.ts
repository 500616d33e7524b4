import { sandboxNamespaces } from '../../src/host/sandbox/sandboxNamespaces.js'

/** True when this user is not root: namespaces are then made inside a user namespace. */
export const rootless = process.getuid?.() !== 0

const user = rootless ? ['--user', '--map-root-user'] : []

/** Argument array that runs a command in a new network namespace. */
export function inOwnNetns(argv: readonly string[]): string[] {
  return ['unshare', ...user, '--net', ...argv]
}

/** Argument array that runs a command in namespaces of the kinds that a sandbox has. */
export function inOwnNamespaces(argv: readonly string[]): string[] {
  return ['unshare', ...user, ...sandboxNamespaces, ...argv]
}
