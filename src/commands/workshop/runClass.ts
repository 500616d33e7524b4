import { join } from 'node:path'
import { InputError } from '../../errors.js'
import { livePageFiles, pageFile } from '../../host/builtFiles.js'
import { makeFolderForCaller, writeForCaller } from '../../host/callerFiles.js'
import { controlGroups, type ControlGroups } from '../../host/groups/controlGroups.js'
import { requireTools } from '../../host/environment.js'
import { machineCapacity } from '../../host/machineCapacity.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { jsonText } from '../../reporters/jsonText.js'
import { serveClass } from '../../view/class/serveClass.js'
import type { ClassLink } from '../../view/class/trainerApi.js'
import type { ClassRecord, ClassStore } from '../../workshop/class/classRecord.js'
import { trainer, trainerName, withLink, type Invited } from '../../workshop/class/newClass.js'
import { roomProblems } from '../../workshop/class/preflight.js'
import { resultsCsv, type ClassResults } from '../../workshop/class/results.js'
import { allExercises } from '../../workshop/exercises.js'
import { endOnSignals } from '../endOnSignals.js'
import { print, printError } from '../output.js'
import { resultsFolder, siteNotes, siteOf, type ServeFlags } from './classOptions.js'

/** The exercises of a class, in its order. Throws InputError for a name that no exercise has. */
export function exercisesOf({ exercises: names }: ClassRecord): readonly Exercise[] {
  const all = allExercises()
  if (names === undefined) return all
  return names.map((name) => {
    const found = all.find((exercise) => exercise.name === name)
    if (found !== undefined) return found
    throw new InputError([
      { message: `there is no exercise "${name}"`, hint: '`vethlab workshop list` lists all exercises' },
    ])
  })
}

/**
 * Serves a class until a signal or the trainer ends it, and writes its results. Prints the links of the trainer and of those who
 * are invited; `onLinks` gets those of participants, and what it returns is printed after them.
 */
export async function runClass(
  store: ClassStore,
  given: ClassRecord,
  flags: ServeFlags,
  invited: readonly Invited[],
  onLinks: (links: readonly ClassLink[]) => string,
): Promise<void> {
  requireTools(['tcpdump', 'script'])
  const exercises = exercisesOf(given)
  const site = siteOf(flags, given.site)
  const groups = limitedGroups(flags, store)
  const folder = resultsFolder(flags, given.results)
  for (const line of roomProblems(machineCapacity(), given.participants.length)) printError(`${line}\n`)
  const { record, token } = withLink(
    {
      ...given,
      results: folder,
      site: { address: site.address, port: site.port, names: [...site.names], tls: site.tls !== undefined },
    },
    trainer,
  )
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    const results = await serveClass({
      ...{ ...site, store, record, exercises, groups, signal: controller.signal },
      code: { script: pageFile('class.js'), style: pageFile('classStyle.css') },
      labCode: livePageFiles(),
      onUrl(url) {
        // not before, because another server may have the port, and the class with it
        store.save(record)
        const link = ({ name, token: secret }: Invited) => ({ name, url: `${url}/?token=${secret}` })
        const links = invited.map(link)
        printLinks([link({ name: trainerName, token }), ...links])
        for (const note of [onLinks(links), ...siteNotes(site, flags), howItEnds]) printError(`${note}\n`)
      },
    })
    writeResults(folder, results)
  } finally {
    interrupted.forget()
  }
}

/** The groups that limit participants; prints that there are no limits if this host has no control groups. */
function limitedGroups(
  { participantMemory, participantTasks }: ServeFlags,
  { path }: ClassStore,
): ControlGroups | undefined {
  const groups = controlGroups({ memory: participantMemory * 2 ** 20, tasks: participantTasks }, path)
  if (typeof groups !== 'string') return groups
  printError(
    `there are no limits for one participant on this host (${groups}): a program of one participant can use all memory and processes\n`,
  )
  return undefined
}

const howItEnds =
  'Ctrl-C ends the server, removes the labs of participants and writes the results; `vethlab workshop serve` continues the class.'

function printLinks(links: readonly ClassLink[]): void {
  const width = Math.max(...links.map(({ name }) => name.length))
  for (const { name, url } of links) print(`${name.padEnd(width)}  ${url}\n`)
}

function writeResults(folder: string, results: ClassResults): void {
  makeFolderForCaller(folder)
  const paths = ['class-results.json', 'class-results.csv'].map((name) => join(folder, name))
  const [json = '', csv = ''] = paths
  writeForCaller(json, jsonText(results))
  writeForCaller(csv, resultsCsv(results))
  printError(`the results are in ${json} and ${csv}\n`)
}
