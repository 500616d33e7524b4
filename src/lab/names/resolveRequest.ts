import { resolve as resolvePath } from 'node:path'
import { subject, inside } from '../file/explain.js'
import type { TextUse } from '../../names/expression.js'
import type { Names } from '../../names/names.js'
import { closedToOthers, exists } from '../../host/paths.js'
import { isAddress } from '../../net/socketText.js'
import type { Action } from '../../results/request.js'
import { urlProblem } from '../../net/urlProblem.js'

type Path = readonly (string | number)[]
type Report = (path: Path, message: string, hint?: string) => void
/** Replaces the names in braces of a text. */
export type Text = (value: string, path: Path, use?: TextUse) => string

/** Where the names of a request are looked up. */
export interface RequestContext {
  readonly names: Names
  readonly text: Text
  readonly report: Report
  /** The path of the mapping that has `curl`, `nc`, `ping` or `command` as a key. */
  readonly path: Path
  /** Folder of the lab; paths are relative to it. */
  readonly directory: string
}

/** A request with addresses instead of names; unknown names are reported. */
export function resolveRequest(
  action: Action,
  { names, text, report, path, directory }: RequestContext,
): Action {
  const at = (...keys: Path): Path => [...path, action.kind, ...keys]
  switch (action.kind) {
    case 'curl': {
      const url = text(action.url, at('url'), 'url')
      const problem = url === action.url && url.includes('{') ? undefined : urlProblem(url)
      if (problem) report(at('url'), `${subject(at('url'))} ${problem}`)
      else if (URL.canParse(url)) refuseBareName(new URL(url).hostname, names, at('url'), report)
      const headers = Object.entries(action.headers).map(
        ([name, value]) => [name, text(value, at('headers', name))] as const,
      )
      const body = action.body === undefined ? undefined : text(action.body, at('body'))
      const resolve =
        action.resolve === undefined ? undefined : resolveAddress(action.resolve, at('resolve'), text, report)
      const cacert =
        action.cacert === undefined ? undefined : resolveFile(action.cacert, at('cacert'), directory, report)
      return {
        ...action,
        url,
        headers: Object.fromEntries(headers),
        body,
        ...(resolve === undefined ? {} : { resolve }),
        ...(cacert === undefined ? {} : { cacert }),
      }
    }
    case 'nc': {
      const host = resolveHost(action.host, at('host'), names, text, report)
      const send = text(action.send, at('send'))
      const port =
        action.portText === undefined ? action.port : resolvePort(action.portText, at('port'), text, report)
      const { udp, sourcePort, timeoutSeconds } = action
      return { kind: 'nc', host, port, udp, sourcePort, send, timeoutSeconds }
    }
    case 'ping':
      return { ...action, host: resolveHost(action.host, at('host'), names, text, report) }
    case 'command': {
      const argv = action.argv.map((word, index) => text(word, at('argv', index)))
      if (action.stdin === undefined) return { ...action, argv }
      return { ...action, argv, stdin: resolveFile(action.stdin, at('stdin'), directory, report) }
    }
  }
}

function resolveHost(given: string, path: Path, names: Names, text: Text, report: Report): string {
  const host = text(given, path)
  // An unknown name has been reported already.
  if (host === given && given.includes('{')) return host
  if (!isAddress(host) && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) {
    report(path, `${subject(path)} is not a host: "${host}"`)
  }
  refuseBareName(host, names, path, report)
  return host
}

/** curl's --resolve takes only an address. */
function resolveAddress(given: string, path: Path, text: Text, report: Report): string {
  const address = text(given, path)
  if (address === given && given.includes('{')) return address
  if (!isAddress(address))
    report(path, `${subject(path)} is not an address: "${address}"`, 'write one, or a name in braces')
  return address
}

function resolveFile(given: string, path: Path, directory: string, report: Report): string {
  const file = resolvePath(directory, given)
  if (!exists(file))
    report(path, `${subject(path)} is not there: "${given}"`, 'paths start from the folder of lab.yaml')
  else {
    const closed = closedToOthers(file)
    if (closed !== undefined)
      report(
        path,
        `${subject(path)} cannot be read in the lab: "${given}" has ${closed}, and the root of a lab is another user`,
        `chmod a+r ${file}`,
      )
  }
  return file
}

/** DNS has no names of nodes and clients: without braces the request would fail to resolve the name. */
function refuseBareName(host: string, names: Names, path: Path, report: Report): void {
  if ('found' in names.lookup(host, ['node', 'client'])) {
    report(
      path,
      `no name server knows "${host}"${inside(path.slice(0, -1))}`,
      `write {${host}} for its address`,
    )
  }
}

function resolvePort(given: string, path: Path, text: Text, report: Report): number {
  const digits = text(given, path)
  if (digits === given) return 0
  const port = Number(digits)
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port
  report(path, `${subject(path)} is not a port: ${given} is ${digits}`)
  return 0
}
