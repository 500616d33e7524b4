import type { VirtualHost } from '../model.js'
import { escapePattern } from '../pathPattern.js'

/** The flags and pattern of an ACL that matches a host name. */
export function hostCondition(hostname: string, wildcard: VirtualHost['wildcard']): string[] {
  if (hostname === '*') return ['-m', 'found']
  if (!hostname.startsWith('*.')) return ['-m', 'str', '-i', '--', hostname.toLowerCase()]
  const labels = wildcard === 'one-label' ? '[^.]+' : '.+'
  return ['-m', 'reg', '-i', '--', `^${labels}${escapePattern(hostname.slice(1))}\\z`]
}
