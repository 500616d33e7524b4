import * as z from 'zod'
import { InputError } from '../../errors.js'
import { userFile } from '../../host/userState.js'
import { languages, type Language } from '../../text/language.js'

const time = z.number()
const links = z.array(z.string())

const participant = z.strictObject({
  name: z.string(),
  /** Hashes of the tokens of this participant's links. */
  links,
  language: z.enum(languages).optional(),
})

const message = z.strictObject({ id: z.int(), at: time, text: z.string(), to: z.string().optional() })

const recordSchema = z.strictObject({
  title: z.string(),
  startedAt: time,
  endedAt: time.optional(),
  /** Hashes of the tokens of the trainer's links. */
  trainerLinks: links,
  participants: z.array(participant),
  /** Names of exercises in their order; all exercises if absent. */
  exercises: z.array(z.string()).optional(),
  /** Names of exercises that the trainer has locked. */
  locked: z.array(z.string()),
  messages: z.array(message),
  /** Sessions of browsers: hashes of their secrets, whose they are, and when they were used last. */
  sessions: z.array(z.strictObject({ hash: z.string(), who: z.string(), used: time })).optional(),
  /** The folder for the results, as an absolute path. */
  results: z.string().optional(),
  /** Where it was served last: links stay the same after a restart. */
  site: z
    .strictObject({ address: z.string(), port: z.int(), names: z.array(z.string()), tls: z.boolean() })
    .optional(),
})

/** A class as it is kept in a file; times are milliseconds since the epoch. Progress is in the files of the participants. */
export type ClassRecord = z.infer<typeof recordSchema>

/** The class of this user, in a file. */
export interface ClassStore {
  /** Its file. */
  readonly path: string
  /** Undefined if there is none. Throws InputError if the file is not valid. */
  read(): ClassRecord | undefined
  save(record: ClassRecord): void
}

/** The file with the class of this user. */
export function classStore(): ClassStore {
  const { path, read, write } = userFile('class.json')
  return {
    path,
    read() {
      const text = read()
      if (text === undefined) return undefined
      try {
        return recordSchema.parse(JSON.parse(text))
      } catch {
        throw new InputError([
          { message: `${path} was not written by vethlab`, hint: 'delete it to make a new class' },
        ])
      }
    },
    save: (record) => write(`${JSON.stringify(record, null, 2)}\n`),
  }
}

/** The language that a participant has chosen. */
export function languageOf({ participants }: ClassRecord, name: string): Language | undefined {
  return participants.find((one) => one.name === name)?.language
}
