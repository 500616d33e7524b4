import ipaddr from 'ipaddr.js'
import type { NftContext } from './context.js'
import type { NftRule, Statement } from './rule.js'
import { markText } from '../markText.js'

/** A rule as `nft list` shows it. */
export function listedRule({ statements, comment }: NftRule, context: Pick<NftContext, 'ip'>): string {
  const text = statements.map((statement) => listed(statement, context.ip)).join(' ')
  return comment === undefined ? text : `${text} comment "${comment}"`
}

function listed(statement: Statement, ip: NftContext['ip']): string {
  if (typeof statement === 'string') return statement
  switch (statement.kind) {
    case 'setMark':
      return `meta mark set meta mark ${statement.operation === 'or' ? '|' : '^'} ${markText(statement.mark)}`
    case 'hasMark':
      return `meta mark & ${markText(statement.mark)} ${statement.negated ? '==' : '!='} ${markText(0)}`
    case 'inInterface':
      return `iifname ${statement.negated ? '!= ' : ''}"${statement.name}"`
    case 'destinationIn':
      return `${ip} daddr ${anonymousSet(statement.networks)}`
    case 'sourceNotIn':
      return `${ip} saddr != ${anonymousSet(statement.networks)}`
    case 'balance': {
      const { protocol, endpoints } = statement
      const map = endpoints.map(({ address, port }, index) => `${index} : ${address} . ${port}`)
      const pick = `numgen random mod ${endpoints.length} map { ${map.join(', ')} }`
      return `meta l4proto ${protocol} dnat ${ip} to ${pick}`
    }
    case 'balanceChains': {
      const map = statement.chains.map((chain, index) => `${index} : goto ${chain}`)
      return `numgen random mod ${statement.chains.length} vmap { ${map.join(', ')} }`
    }
  }
}

/** An anonymous set: sorted, full addresses without prefix length, and a single element without braces. */
function anonymousSet(networks: readonly string[]): string {
  const plain = [...new Set(networks.map((network) => network.replace(/(\..*)\/32$|(:.*)\/128$/, '$1$2')))]
  const sorted = plain.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))
  return sorted.length === 1 ? (sorted[0] ?? '') : `{ ${sorted.join(', ')} }`
}

function bytesOf(network: string): Buffer {
  return Buffer.from(ipaddr.parse(network.split('/')[0] ?? '').toByteArray())
}
