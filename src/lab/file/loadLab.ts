import { basename, join, relative, resolve } from 'node:path'
import type { IpFamily } from '../../net/ipFamily.js'
import { InputError, type Problem, OwnFamiliesError } from '../../errors.js'
import { balancerName } from '../../topology/proxyBalancer.js'
import { balancerNameProblems } from '../balancers/nameProblems.js'
import { toLoadBalancer } from '../balancers/schema.js'
import { checkLab } from './checkLab.js'
import { notExecutable } from '../../host/executable.js'
import { labRanges } from './labRanges.js'
import { knownKeys, problemsOf, subject, valueAt } from './explain.js'
import { findLab, labFileName, type FindOptions } from './findLab.js'
import { ingressProblems } from '../ingress/ingressProblems.js'
import { toIngress } from '../ingress/schema.js'
import { toLimits } from './limitsSchema.js'
import { manifestPaths } from './manifestPaths.js'
import { isFile } from '../../host/paths.js'
import { isOwnFile, refuseForeignFile } from './ownFiles.js'
import { readYaml, type YamlFile } from './readYaml.js'
import { labSchema, type LabFile } from './schema.js'
import { toPortRange } from './topologySchema.js'
import { toStep } from './toStep.js'
import type { Lab } from '../types.js'

export interface LoadOptions extends FindOptions {
  /** Families for a lab that sets none. */
  readonly families?: readonly IpFamily[] | undefined
}

/** Reads a lab by name or path, with its defaults filled in. Throws InputError with all problems, in file order. */
export function loadLab(nameOrPath: string, options: LoadOptions = {}): Lab {
  const directory = findLab(nameOrPath, options)
  const path = join(directory, labFileName)
  const shown = shownPath(path, options.cwd ?? process.cwd())
  refuseForeignFile(path, directory, shown)
  const file = readYaml(path, shown)
  const start = { file: shown, line: 1, column: 1 }
  if (file.value === null || file.value === undefined) {
    throw new InputError([
      { message: 'the lab file is empty', at: start, hint: '`vethlab init` writes one to start from' },
    ])
  }
  if (typeof file.value !== 'object' || Array.isArray(file.value)) {
    throw new InputError([
      { message: 'a lab file is a mapping (title, topology, steps, …)', at: file.at([]) },
    ])
  }
  const parsed = labSchema.safeParse(file.value, { error: knownKeys, jitless: true })
  const problems = [...(parsed.success ? [] : problemsOf(parsed.error, file)), ...checkLab(file)]
  const manifests = manifestPaths(manifestEntries(file.value), directory, file)
  problems.push(
    ...manifests.problems,
    ...kubeProxyProblems(file, directory),
    ...rulesProblems(file, directory),
    ...balancerNameProblems(file),
    ...ingressProblems(file),
  )
  if (problems.length > 0 || !parsed.success) throw new InputError(inFileOrder(problems))
  const families = labFamilies(parsed.data.topology?.families, options.families, file)
  return toLab(parsed.data, { directory, file, shown, families, manifests: manifests.paths })
}

interface Source {
  readonly directory: string
  readonly file: YamlFile
  readonly shown: string
  readonly families: readonly IpFamily[]
  readonly manifests: readonly string[]
}

function toLab(given: LabFile, { directory, file, shown, families, manifests }: Source): Lab {
  const { nodes, clients, network, nodePortRange } = given.topology ?? {}
  const loadBalancer = toLoadBalancer(given.loadBalancer)
  const { ranges } = labRanges(file)
  return {
    name: basename(directory),
    directory,
    file: shown,
    title: given.title ?? basename(directory),
    summary: given.summary?.trim(),
    nodes: (nodes ?? ['node-a', 'node-b']).map((node) =>
      typeof node === 'string' ? { name: node, labels: {} } : { ...node, labels: node.labels ?? {} },
    ),
    clients: [
      ...(clients ?? ['client']).map((client) => (typeof client === 'string' ? { name: client } : client)),
      ...(loadBalancer?.mode === 'proxy' ? [{ name: balancerName }] : []),
    ],
    families,
    network: {
      mode: network?.mode ?? 'routes',
      masquerade: network?.masquerade ?? true,
      ...(given.networkPolicies?.enforce === false && { enforcesPolicies: false }),
    },
    ranges: nodePortRange === undefined ? ranges : { ...ranges, nodePorts: toPortRange(nodePortRange) },
    manifests,
    namespace: given.namespace,
    ignore: new Set(given.ignore ?? []),
    images: given.images ?? {},
    kubeProxy: given.kubeProxy ?? {},
    rules: Object.fromEntries(
      Object.entries(given.rules ?? {}).map(([node, files]) => [
        node,
        Object.fromEntries(
          Object.entries(files).flatMap(([family, path]) =>
            path === undefined ? [] : [[family, resolve(directory, path)]],
          ),
        ),
      ]),
    ),
    proxy: given.proxy ?? {},
    kubeProxyBinary: given.kubeProxyBinary && resolve(directory, given.kubeProxyBinary),
    loadBalancer,
    dns: given.dns === true ? {} : given.dns === false ? undefined : given.dns,
    ingress: (given.ingress ?? []).map(toIngress),
    ...(given.limits === undefined ? {} : { limits: toLimits(given.limits) }),
    uncovered: given.mutate?.uncovered ?? [],
    steps: (given.steps ?? []).map((step, index) => toStep(step, ['steps', index])),
    at: file.at,
  }
}

/** Relative to the working directory when it is below it: editors and terminals turn such paths into links. */
function shownPath(path: string, cwd: string): string {
  const short = relative(resolve(cwd), path)
  return short.startsWith('..') || short === '' ? path : short
}

/** The entries that are strings; the schema reports the others. */
function manifestEntries(value: object): string[] | undefined {
  const entries: unknown = 'manifests' in value ? value.manifests : undefined
  if (entries === undefined) return undefined
  const isEntry = (entry: unknown): entry is string =>
    typeof entry === 'string' && entry !== '' && !entry.includes('\0')
  return Array.isArray(entries) && entries.every(isEntry) ? entries : []
}

/** Checks that the kube-proxy binary exists, before anything is built. */
function kubeProxyProblems({ value, at }: YamlFile, directory: string): Problem[] {
  const path = ['kubeProxyBinary']
  const entry = valueAt(value, path)
  if (typeof entry !== 'string' || entry === '' || entry.includes('\0')) return []
  const problem = notExecutable(resolve(directory, entry))
  return problem === undefined
    ? []
    : [
        {
          message: `${subject(path)} ${problem}: "${entry}"`,
          at: at(path),
          hint: 'paths start from the folder of lab.yaml',
        },
      ]
}

/** Saved rules are files of the lab, and no kube-proxy replaces them. */
function rulesProblems({ value, at }: YamlFile, directory: string): Problem[] {
  const rules = valueAt(value, ['rules'])
  if (typeof rules !== 'object' || rules === null) return []
  const files = Object.entries(rules as Record<string, unknown>).flatMap(([node, own]) =>
    Object.entries((own ?? {}) as Record<string, unknown>).map(([family, path]) => ({
      at: ['rules', node, family],
      path,
    })),
  )
  const foreign = files.flatMap(({ at: where, path }): Problem[] => {
    if (typeof path !== 'string' || path === '' || path.includes('\0')) return []
    const file = resolve(directory, path)
    if (!isFile(file))
      return [
        {
          message: `${subject(where)} is no file: "${path}"`,
          at: at(where),
          hint: 'paths start from the folder of lab.yaml',
        },
      ]
    return isOwnFile(file, directory, true)
      ? []
      : [
          {
            message: `${subject(where)} is outside the lab's folder: "${path}"`,
            at: at(where),
            hint: 'copy the file there',
          },
        ]
  })
  if (valueAt(value, ['kubeProxy']) === false) return foreign
  const hint = 'write kubeProxy: false: it would write its own rules'
  return [...foreign, { message: '"rules" is for nodes without a kube-proxy', at: at(['rules']), hint }]
}

function inFileOrder(problems: readonly Problem[]): Problem[] {
  const place = ({ at }: Problem) => (at ? at.line * 1e6 + at.column : 0)
  return [...problems].sort((a, b) => place(a) - place(b))
}

/**
 * The address families of a lab, the primary one first. Throws OwnFamiliesError if others are requested than the lab
 * sets: its checks are written for those.
 */
function labFamilies(
  stated: readonly IpFamily[] | undefined,
  asked: readonly IpFamily[] | undefined,
  { at }: Pick<YamlFile, 'at'>,
): readonly IpFamily[] {
  const families = stated ?? asked ?? ['IPv4']
  if (asked === undefined || asked.join() === families.join()) return families
  const message = `the lab sets ${families.join(' and ')}: it cannot run with ${asked.join(' and ')}`
  throw new OwnFamiliesError(message, at(['topology', 'families']))
}
