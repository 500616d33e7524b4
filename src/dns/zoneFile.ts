import { readFileSync, statSync } from 'node:fs'
import type { DnsZone } from '../cluster/dns/types.js'
import { indexZone, type ZoneIndex } from './zoneIndex.js'

/**
 * Reads a zone from a file that others replace: looked at for every query, so that whoever has replaced it knows that
 * the next answer follows it.
 */
export function zoneFile(path: string): () => ZoneIndex {
  let known: { readonly version: string; readonly zone: ZoneIndex } | undefined
  return () => {
    const { ino, mtimeNs } = statSync(path, { bigint: true })
    const version = `${ino}/${mtimeNs}`
    if (known?.version !== version)
      known = { version, zone: indexZone(JSON.parse(readFileSync(path, 'utf8')) as DnsZone) }
    return known.zone
  }
}
