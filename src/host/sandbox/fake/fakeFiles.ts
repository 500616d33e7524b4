import { basename, dirname } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { SandboxError } from '../../../errors.js'
import type { InsideFiles } from '../insideFiles.js'
import { emptyContent, type FileContent } from './fileContent.js'

/**
 * The files of a fake sandbox, in memory. Its functions throw errors with the codes of a sandbox's: ENOENT, ENOTDIR, ELOOP for a
 * link, and SandboxError after the end. It has no sockets and no namespaces: `openPipe`, `openSocket` and `openNamespace` always throw.
 */
export interface FakeFiles extends InsideFiles {
  /** Appends to a file, as a process does that has it open. Creates the file and the folders above it if they are missing. */
  append(path: string, text: string): void
  /** Removes a file, a link, or a folder with its entries; does nothing if there is none. */
  remove(path: string): void
}

type Entry = File | Folder | Link
type File = { readonly kind: 'file'; readonly content: FileContent }
type Folder = { readonly kind: 'folder'; readonly entries: Map<string, Entry> }
type Link = { readonly kind: 'link'; readonly target: string }

/** An empty file system with these folders. */
export function fakeFiles(
  folders: readonly string[],
  hasEnded: () => boolean,
): { readonly files: FakeFiles; readonly close: () => void } {
  const root = emptyFolder()
  const contents = new Set<FileContent>()

  /** Finds the folder of a path, as `insideFiles` does: without following links. */
  function at<Result>(path: string, make: boolean, act: (folder: Folder, name: string) => Result): Result {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const name = names.pop() ?? '.'
    if (names.includes('..') || name === '..') throw new Error(`${path} has ".."`)
    if (hasEnded()) throw new SandboxError('the sandbox has ended', fault('ENOENT', 'open', path))
    const folder = names.reduce((folder, one) => {
      const next = folder.entries.get(one) ?? (make ? added(folder, one, emptyFolder()) : undefined)
      if (next === undefined) throw fault('ENOENT', 'open', path)
      if (next.kind !== 'folder') throw fault('ENOTDIR', 'open', path)
      return next
    }, root)
    return act(name === '.' ? { kind: 'folder', entries: new Map([[name, folder]]) } : folder, name)
  }

  const entryAt = (path: string) =>
    at(path, false, ({ entries }, name) => {
      const entry = entries.get(name)
      if (entry === undefined) throw fault('ENOENT', 'open', path)
      return entry
    })

  /** Throws for a link, which no function follows. */
  const fileAt = (path: string) => fileOf(entryAt(path), path)

  const newFile = (text = ''): File => {
    const content = emptyContent()
    content.set(Buffer.from(text))
    contents.add(content)
    return { kind: 'file', content }
  }

  /** The file of a path, which is created if it is missing. */
  const madeAt = (path: string) =>
    at(path, true, (folder, name) => fileOf(folder.entries.get(name) ?? added(folder, name, newFile()), path))

  /** Puts an entry in the place of another, as rename(2). */
  const put = (path: string, folder: Folder, name: string, entry: Entry) => {
    const old = folder.entries.get(name)
    if (old?.kind === 'folder' && entry.kind !== 'folder') throw fault('EISDIR', 'rename', path)
    if (old !== undefined && old.kind !== 'folder' && entry.kind === 'folder')
      throw fault('ENOTDIR', 'rename', path)
    if (old?.kind === 'folder' && old !== entry && old.entries.size > 0)
      throw fault('ENOTEMPTY', 'rename', path)
    added(folder, name, entry)
  }

  const exists = (path: string) => {
    try {
      return at(path, false, ({ entries }, name) => entries.has(name))
    } catch {
      return false
    }
  }

  const files: FakeFiles = {
    exists,
    read(path) {
      const entry = entryAt(path)
      if (entry.kind === 'folder') throw new Error(`${path} is not a file`)
      return fileOf(entry, path).bytes().toString()
    },
    list(path) {
      const entry = entryAt(path)
      if (entry.kind !== 'folder') throw fault('ENOTDIR', 'open', path)
      return [...entry.entries.keys()]
    },
    write: (path, text, encoding) => madeAt(path).set(Buffer.from(text, encoding)),
    append(path, text) {
      const file = madeAt(path)
      file.set(Buffer.concat([file.bytes(), Buffer.from(text)]))
    },
    replace: (path, text) => at(path, true, (folder, name) => put(path, folder, name, newFile(text))),
    link: (path, target) =>
      at(path, true, (folder, name) => put(path, folder, name, { kind: 'link', target })),
    target(path) {
      const entry = entryAt(path)
      if (entry.kind !== 'link') throw fault('EINVAL', 'readlink', path)
      if (entry.target.startsWith('/') || entry.target.split('/').includes('..'))
        throw new Error(`${path} leads elsewhere`)
      return `${dirname(path)}/${entry.target}`
    },
    rename(path, to) {
      const entry = entryAt(path)
      at(path, false, (folder, name) => {
        put(path, folder, basename(to), entry)
        if (basename(to) !== name) folder.entries.delete(name)
      })
    },
    remove(path) {
      if (exists(path)) at(path, false, ({ entries }, name) => entries.delete(name))
    },
    open(path, how) {
      if (how === 'read') return fileAt(path).open('read')
      const file = madeAt(path)
      file.set(Buffer.alloc(0))
      return file.open('append')
    },
    openPipe(path) {
      throw new Error(`${path}: there are no pipes`)
    },
    openSocket(path) {
      fileAt(path)
      throw new Error(`${path} is no socket`)
    },
    openNamespace(path) {
      fileAt(path)
      throw new Error(`${path} is no namespace of the sandbox`)
    },
  }
  for (const folder of folders) at(`${folder}/entry`, true, () => undefined)
  return { files, close: () => contents.forEach((content) => content.close()) }
}

function emptyFolder(): Folder {
  return { kind: 'folder', entries: new Map() }
}

function added<Added extends Entry>({ entries }: Folder, name: string, entry: Added): Added {
  entries.set(name, entry)
  return entry
}

function fileOf(entry: Entry, path: string): FileContent {
  if (entry.kind === 'file') return entry.content
  throw fault(entry.kind === 'link' ? 'ELOOP' : 'EISDIR', 'open', path)
}

/** The error of a system call, as Node's file system throws it. */
function fault(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  const known = [...getSystemErrorMap()].find(([, [name]]) => name === code)
  const [errno = 0, [, text] = ['', '']] = known ?? []
  return Object.assign(new Error(`${code}: ${text}, ${syscall} '${path}'`), { errno, code, syscall, path })
}
