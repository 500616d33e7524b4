import { InputError } from '../../errors.js'
import { install } from '../../host/doctor/install.js'

/** The error about what only kubectl itself has, with the command that installs it. */
export function builtInLacks(what: string): InputError {
  return new InputError([
    {
      message: `the built-in kubectl has no ${what}`,
      hint: `kubectl itself has more: ${install(['kubernetes-client'])}`,
    },
  ])
}
