import { once } from 'node:events'
import { Command } from 'commander'
import { holdVerb } from '../host/holders.js'
import type { HoldOrder } from '../up/holder.js'
import { holdLab } from '../up/holdLab.js'
import { endOnSignals } from './endOnSignals.js'

/** `vethlab hold`: the process that holds a running lab; `up` and `run --keep` start it. */
export function holdCommand(): Command {
  return new Command(holdVerb)
    .argument('<lab>')
    .argument('[owner]')
    .action(async (name: string, owner: string = '') => {
      const [order] = (await once(process, 'message')) as [HoldOrder]
      const controller = new AbortController()
      const ended = endOnSignals(controller)
      await holdLab(name, owner, order, controller)
      // pending orders cannot be answered any more
      process.exit(ended.code ?? 0)
    })
}
