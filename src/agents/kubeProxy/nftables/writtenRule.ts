import { markText } from '../markText.js'
import type { NftContext } from './context.js'
import type { NftRule, Statement } from './rule.js'

/** A rule as kube-proxy writes it, after `add rule ip kube-proxy CHAIN`. */
export function writtenRule({ statements, comment }: NftRule, context: Pick<NftContext, 'ip'>): string {
  const text = statements.map((statement) => written(statement, context.ip)).join(' ')
  return comment === undefined ? text : `${text} comment "${comment}"`
}

function written(statement: Statement, ip: NftContext['ip']): string {
  if (typeof statement === 'string') return statement
  switch (statement.kind) {
    case 'setMark':
      return `mark set mark ${statement.operation} ${markText(statement.mark)}`
    case 'hasMark':
      return `mark and ${markText(statement.mark)} ${statement.negated ? '==' : '!='} 0`
    case 'inInterface':
      return `iifname ${statement.negated ? '!= ' : ''}${statement.name}`
    case 'destinationIn':
      return `${ip} daddr { ${statement.networks.join(',')} }`
    case 'sourceNotIn':
      return `${ip} saddr != { ${statement.networks.join(' , ')} }`
    case 'balance': {
      const { protocol, endpoints } = statement
      const map = endpoints.map(({ address, port }, index) => `${index} : ${address} . ${port}`)
      const pick = `numgen random mod ${endpoints.length} map { ${map.join(' , ')} }`
      return `meta l4proto ${protocol} dnat ${ip} addr . port to ${pick}`
    }
    case 'balanceChains': {
      const map = statement.chains.map((chain, index) => `${index} : goto ${chain}`)
      return `numgen random mod ${statement.chains.length} vmap { ${map.join(' , ')} }`
    }
  }
}
