import {
  closeSync,
  constants,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { O_APPEND, O_RDONLY, O_WRONLY } = constants

/** The content of a file: in memory, or, once a descriptor of it is requested, in a file of the host that has no name. */
export interface FileContent {
  bytes(): Buffer
  set(bytes: Buffer): void
  /** A descriptor for reading it, or for appending to it; the caller closes it. */
  open(how: 'read' | 'append'): number
  /** Closes the file of the host, if there is one. */
  close(): void
}

/** An empty file. */
export function emptyContent(): FileContent {
  let memory = Buffer.alloc(0)
  let file: number | undefined
  return {
    bytes: () => (file === undefined ? memory : readFileSync(`/proc/self/fd/${file}`)),
    set(bytes) {
      if (file === undefined) memory = Buffer.from(bytes)
      else overwrite(file, bytes)
    },
    open(how) {
      if (file === undefined) overwrite((file = namelessFile()), memory)
      return openSync(`/proc/self/fd/${file}`, how === 'read' ? O_RDONLY : O_WRONLY | O_APPEND)
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-fake-'))
  try {
    return openSync(join(folder, 'file'), 'w+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function overwrite(file: number, bytes: Buffer): void {
  ftruncateSync(file)
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
}
