import { groupBy } from '../../groupBy.js'
import {
  mutatedRule,
  mutationOutcome,
  mutationReason,
  mutationTallies,
} from '../../reporters/mutations/mutationText.js'
import { mutationOk, type LabMutations, type Mutation } from '../../results/mutations.js'
import { count } from '../../text/count.js'
import { escaped, policyFor } from '../pageCode.js'

/**
 * One HTML file without scripts about the rules of labs: what each is for, and which check fails without it. Labs with a rule
 * that no check misses come first, and in them that rule.
 */
export function mutationsPage(labs: readonly LabMutations[], vethlab: string, style: string): string {
  const ordered = labs.toSorted((a, b) => rankOf(a) - rankOf(b))
  const title = titleOf(labs)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyFor({ script: '', style })}">
<meta name="generator" content="vethlab ${escaped(vethlab)}">
<title>vethlab: ${escaped(title)}</title>
<style>${style}</style>
</head>
<body class="rule-pages">
<header class="bar"><span class="brand">vethlab</span><h1>${escaped(title)}</h1></header>
<main>
<p>Each rule of kube-proxy that had an effect in a lab was left out on one node at a time, and the lab run again. The check that then
fails shows what the rule is for.</p>
${labs.length > 1 ? contents(ordered) : ''}
${ordered.map(section).join('\n')}
</main>
</body>
</html>
`
}

function titleOf(labs: readonly LabMutations[]): string {
  const [only, ...others] = labs
  if (only !== undefined && others.length === 0) return `${only.lab}: what each rule is for`
  const run = labs.filter(({ skipped }) => skipped === undefined)
  const failed = run.filter(({ ok }) => !ok).length
  return failed === 0
    ? `what each rule is for, in ${count(run.length, 'lab')}`
    : `${failed} of ${count(run.length, 'lab')} failed`
}

/** Labs that failed first, skipped ones last. */
function rankOf({ ok, skipped }: LabMutations): number {
  return skipped !== undefined ? 2 : ok ? 1 : 0
}

function contents(labs: readonly LabMutations[]): string {
  const rows = labs.map((lab, index) => {
    const { caught, missed, undecided, uncovered } = mutationTallies(lab)
    const cells = [caught, missed, undecided, uncovered].map((number) => `<td class="number">${number}</td>`)
    return `<tr><td>${mark(lab.skipped === undefined ? lab.ok : undefined)}</td><td><a href="#lab-${index + 1}">${escaped(lab.lab)}</a></td>${cells.join('')}</tr>`
  })
  const heads = ['caught', 'not caught', 'undecided', 'uncovered']
  return `<div class="overview"><table><thead><tr><th></th><th scope="col">Lab</th>${heads.map((head) => `<th scope="col" class="number">${head}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`
}

function section(lab: LabMutations, index: number): string {
  const { skipped, error, mutations, idle, notMet } = lab
  const notes = [
    ...(skipped === undefined ? [] : [`skipped: ${skipped}`]),
    ...(error === undefined ? [] : [error]),
    ...idle.map((pattern) => `mutate.uncovered lists ${pattern}, but no such rule had an effect`),
    ...(notMet === 0 ? [] : [`${count(notMet, 'more rule')} without effect`]),
  ]
  const byOwner = groupBy(mutations, ({ servicePort, object }) => servicePort ?? object ?? 'Shared rules')
  const groups = [...byOwner].map(
    ([name, own]) =>
      `<h3>${escaped(name)}</h3>\n<ul class="rules">\n${failedFirst(own).map(item).join('\n')}\n</ul>`,
  )
  return `<section class="card" id="lab-${index + 1}">
<h2>${escaped(lab.lab)}</h2><p>${escaped(lab.title)}</p>
${groups.join('\n')}
${notes.map((note) => `<p class="mute">${escaped(note)}</p>`).join('\n')}
</section>`
}

function failedFirst(mutations: readonly Mutation[]): Mutation[] {
  return mutations.toSorted((a, b) => Number(mutationOk(a)) - Number(mutationOk(b)))
}

function item(mutation: Mutation): string {
  const { table, chain, family, nodes, uncovered } = mutation
  const ok = mutationOk(mutation)
  const where = family === 'IPv6' ? `${table} (IPv6)` : table
  return `<li>${mark(uncovered === undefined ? ok : undefined)}<div><span class="mute">${escaped(where)}</span> <code><b>${escaped(chain)}</b> ${escaped(mutatedRule(mutation))}</code>
<p>${escaped(mutationReason(mutation))}</p>
<p class="${ok ? 'mute' : 'bad'}">without it on ${escaped(nodes.join(', '))}: ${escaped(mutationOutcome(mutation))}</p></div></li>`
}

/** A sign with its word for readers; undefined is neither good nor bad. */
function mark(ok: boolean | undefined): string {
  const [name, sign, word] =
    ok === undefined
      ? ['skipped', '–', 'not checked']
      : ok
        ? ['passed', '✔', 'passed']
        : ['failed', '✖', 'failed']
  return `<span class="status ${name}" role="img" aria-label="${word}">${sign}</span>`
}
