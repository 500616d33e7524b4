import { dnsZone } from '../../cluster/dns/records.js'
import type { Cluster } from '../../cluster/types.js'
import { sandboxTools } from '../../host/environment.js'
import { cliPath } from '../../host/kubeProxy/cliPath.js'
import type { Stage } from '../../topology/types.js'

const folder = '/run/vethlab/dns'

/** Where, inside the sandbox, the records of the cluster are. */
export const zonePath = `${folder}/zone.json`

const launcher = 'vethlab-dns'

/** The command of the container that serves the records; `outside` are the servers that it asks for other names. */
export function dnsCommand(outside: readonly string[]): string[] {
  return [
    ...[launcher, '--zone', zonePath, '--host', '0.0.0.0', '::'],
    ...(outside.length === 0 ? [] : ['--outside', ...outside]),
  ]
}

/** The records, and the program that serves them under a short name. */
export function planDns(cluster: Cluster): Stage {
  const text = `#!/bin/sh\nexec ${[process.execPath, cliPath()].map(quoted).join(' ')} serve-dns "$@"\n`
  return {
    title: 'DNS of the cluster',
    files: [
      { path: zonePath, text: zoneText(cluster) },
      { path: `${folder}/${launcher}`, text },
    ],
    commands: [
      { argv: ['install', '-D', '-m', '755', `${folder}/${launcher}`, `${sandboxTools}/${launcher}`] },
    ],
  }
}

/** The records of a cluster as the server reads them. */
export function zoneText(cluster: Cluster): string {
  return JSON.stringify(dnsZone(cluster))
}

/** A word that a shell takes as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
