import { Argument, Command } from 'commander'
import { codeListText, explainText } from '../../diagnose/codes/explainText.js'
import { codeNames, isCode } from '../../diagnose/codes/codes.js'
import { explanationOf } from '../../diagnose/codes/inLanguage.js'
import { InputError } from '../../errors.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import { didYouMean } from '../../text/nearestName.js'
import { languageIn, languageOption, type LanguageFlags } from '../options.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'

const help = `
Without a code it lists all of them.

Examples:
  $ vethlab explain
  $ vethlab explain targetport-unserved
  $ vethlab explain targetport-unserved --lang ko
  $ vethlab explain --json | jq -r 'keys[]'`

/** `vethlab explain [code]`: what a code in the answers of why and diff stands for. */
export function explainCommand(): Command {
  return new Command('explain')
    .description(
      'Answers of why and diff have a code for each cause, which stays the same in later versions.',
    )
    .addArgument(new Argument('[code]', 'a code from an answer'))
    .option('--json', 'print JSON')
    .addOption(languageOption('explanations'))
    .addHelpText('after', help)
    .action((code: string | undefined, flags: LanguageFlags) => {
      if (code !== undefined && !isCode(code)) throw unknownCode(code)
      const language = languageIn(flags)
      if (flags.json === true) {
        const shown = code === undefined ? codeNames : [code]
        print(jsonText(Object.fromEntries(shown.map((one) => [one, explanationOf(one, language)]))))
        return
      }
      const { colour, width } = terminal()
      const options = { colours: createColours(colour), language, width }
      printColoured(code === undefined ? codeListText(options) : explainText(code, options))
    })
}

function unknownCode(code: string): InputError {
  const hint = didYouMean(code, codeNames) ?? '`vethlab explain` lists all codes'
  return new InputError([{ message: `there is no code "${code}"`, hint }])
}
