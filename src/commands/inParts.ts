import { text } from 'node:stream/consumers'
import { Argument, Command } from 'commander'
import { inputForms, runInParts, type InputForm } from '../host/kubeProxy/largeInput.js'

/** `vethlab in-parts`: runs a tool with its standard input in parts. */
export function inPartsCommand(): Command {
  return new Command('in-parts')
    .addArgument(new Argument('<form>').choices(inputForms))
    .argument('<argv...>')
    .action(async (form: InputForm, argv: string[]) => {
      process.exitCode = await runInParts(form, argv, await text(process.stdin))
    })
}
