import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'

/** Steps as they are written, each with the comments before its name. */
function stepsOf(text: string): string[] {
  return [...text.matchAll(/^(?: {2}#.*\n)* {2}- name:.*\n(?:(?! {2}[-#]).*\n)*/gm)].map(([step]) => step)
}

t.test(
  'a step that is about some modes or versions says why, but where it looks at what iptables has',
  async (t) => {
    // the lab of modes has a step for each of them
    const others = listLabs().filter((directory) => basename(directory) !== 'proxy-modes')
    let marked = 0
    for (const directory of others) {
      for (const step of stepsOf(readFileSync(join(directory, 'lab.yaml'), 'utf8'))) {
        const [before = '', after] = step.split(/^ {4}(?:modes|versions): .*$/m)
        if (after === undefined) continue
        marked++
        const isEvident = /\bip6?tables|\bxt_recent/.test(after.split('expect:')[0] ?? '')
        const name = /- name: (.*)/.exec(step)?.[1]
        t.ok(isEvident || /^ {2,4}# \S/m.test(before), `${basename(directory)}: ${name}`)
      }
    }
    t.ok(marked > 40)
  },
)
