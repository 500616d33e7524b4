import type { Command } from 'commander'
import { InputError } from '../errors.js'
import { isAttached } from '../inspect/isAttached.js'
import { printError } from './output.js'

/**
 * Makes a verb whose first argument is a running lab look at the folder of that lab: if it is not the lab that the name means
 * here, a verb that `changes` it with its arguments throws InputError unless `--force` is given, and another verb prints a notice.
 */
export function lookAtFolder(
  command: Command,
  changes: boolean | ((args: readonly unknown[]) => boolean),
): void {
  if (changes !== false) command.option('--force', 'also if the lab was started from another folder')
  command.hook('preAction', async (called) => {
    const args = called.processedArgs as unknown[]
    const [name] = args
    const { force, plan, predict } = called.opts<Partial<Record<'force' | 'plan' | 'predict', true>>>()
    // a plan is that of the lab here
    if (typeof name !== 'string' || isAttached(name) || force === true || plan === true || predict === true)
      return
    // not for each start of the command line
    const { labElsewhere } = await import('../up/labElsewhere.js')
    const other = await labElsewhere(name)
    if (other === undefined) return
    const { lab, directory, here } = other
    const message = `the running lab "${lab}" is that of another folder, ${directory}; "${name}" here is ${here}`
    if (!(typeof changes === 'boolean' ? changes : changes(args))) printError(`note: ${message}\n`)
    else throw new InputError([{ message, hint: 'give its path instead of its name, or --force' }])
  })
}
