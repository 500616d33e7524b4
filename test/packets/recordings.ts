import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { parseInterfaces } from './interfaces.js'
import { parsePcap } from '../../src/packets/pcap.js'
import type { Capture } from '../../src/packets/types.js'

const folder = 'test/golden/pcap'

/** The captures of one recorded case, made by test/golden/pcap/record.sh. */
export function recorded(name: string): Capture[] {
  return readdirSync(`${folder}/${name}`)
    .filter((file) => file.endsWith('.pcap'))
    .map((file) => {
      const netns = file.slice(0, -'.pcap'.length)
      const interfaces = parseInterfaces(readFileSync(`${folder}/links/${netns}.txt`, 'utf8'))
      return { netns, packets: parsePcap(readFileSync(`${folder}/${name}/${file}`)).packets, interfaces }
    })
}

/** Names of all recorded cases. */
export function recordedCases(): string[] {
  return readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/flows.txt`))
}

/** The verified hops and rewrites of a recorded case, with ephemeral ports as `*`. */
export function expectedFlows(name: string): string {
  return readFileSync(`${folder}/${name}/flows.txt`, 'utf8')
}
