import { Command, InvalidArgumentError } from 'commander'
import { writeNewFolder } from '../../host/newFolder.js'
import { labFiles } from '../../lab/fromSnapshot/labOfSnapshot.js'
import { reduceLab } from '../../lab/fromSnapshot/reduceLab.js'
import { readAnySnapshot } from '../../inspect/anySnapshot.js'
import { collect } from '../../host/manifestFiles.js'
import { print } from '../output.js'

interface ReduceFlags {
  readonly keep: { readonly from: string; readonly to: string; readonly protocol: 'tcp' | 'udp' | 'icmp' }
  readonly out: string
  readonly filename?: readonly string[]
}

const help = `
What is left out does not change the cause that \`why\` names. Names and addresses are replaced where the failure does not depend on
them, so that the lab can be shown to anybody. Its rules are those that kube-proxy writes: a failure by other rules or by settings of a
node cannot be kept, and the command says so.

Examples:
  $ vethlab reduce bundle.tar.gz --keep 'why pod/shop/web-1 http://api.shop:8080/ fails'
  $ vethlab reduce nobody-home --keep 'why client http://{node-a}:30080/ fails' --out ./issue`

/** `vethlab reduce <what> --keep 'why FROM URL fails'`. */
export function reduceCommand(): Command {
  return new Command('reduce')
    .description(
      'Finds the smallest lab in which a request fails by the same cause as in a cluster, and writes it to a folder: a report that others can run.',
    )
    .argument('<what>', 'a lab, a snapshot, or what `check` reads: a support bundle, a folder, a file')
    .requiredOption(
      '--keep <question>',
      "the request that is to fail, as `why` is asked: 'why FROM URL fails'; with --udp or --icmp",
      readQuestion,
    )
    .option('-f, --filename <file>', 'beside an attached file: more files (repeatable)', collect)
    .option('--out <folder>', 'a folder that is new or empty', './reduced')
    .addHelpText('after', help)
    .action(async (what: string, { keep, out, filename }: ReduceFlags) => {
      const { snapshot } = await readAnySnapshot(what, { filename })
      const { lab, code, before, predicted, renamed } = reduceLab(snapshot, keep)
      const files = labFiles(lab)
      writeNewFolder(out, files)
      const { length } = lab.objects
      print(
        `${length} of ${before} objects are enough: the request still fails by ${code} (${predicted} labs were predicted)\n` +
          lab.objects
            .map(({ kind, metadata: { namespace, name } }) => {
              const original = [...renamed].find(([, now]) => now === name)?.[0]
              const was = original === undefined || original === name ? '' : `  (${original})`
              return `  ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${was}\n`
            })
            .join('') +
          files.map(({ path }) => `${out}/${path}\n`).join(''),
      )
    })
}

function readQuestion(text: string): ReduceFlags['keep'] {
  const words = text.trim().split(/\s+/)
  const flags = words.filter((word) => word.startsWith('--'))
  const [verb, from, to, fails, ...rest] = words.filter((word) => !word.startsWith('--'))
  const isKnown = flags.every((flag) => ['--udp', '--icmp'].includes(flag)) && flags.length < 2
  if (
    verb !== 'why' ||
    from === undefined ||
    to === undefined ||
    (fails ?? 'fails') !== 'fails' ||
    rest.length > 0 ||
    !isKnown
  )
    throw new InvalidArgumentError(
      "It must be a question that fails, such as 'why client http://{node-a}:30080/ fails'.",
    )
  const [flag] = flags
  return { from, to, protocol: flag === '--udp' ? 'udp' : flag === '--icmp' ? 'icmp' : 'tcp' }
}
