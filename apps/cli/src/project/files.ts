import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { itemKinds, itemOfFile, type KnownItem, type KnownItems } from '@querypost/project'
import { CommandError } from '../command.ts'

/** The files of items below a folder, by path with slashes. Hidden folders are left out. */
export async function readFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  async function read(relative: string): Promise<void> {
    for (const entry of await readdir(path.join(folder, relative), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) await read(name)
      else if (itemOfFile(name)) files.set(name, await readFile(path.join(folder, name), 'utf8'))
    }
  }
  await read('')
  return files
}

export async function writeTextFile(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

/** With folders that become empty. */
export async function removeFile(folder: string, name: string): Promise<void> {
  await rm(path.join(folder, name), { force: true })
  for (let parent = path.dirname(name); parent !== '.'; parent = path.dirname(parent)) {
    try {
      await rmdir(path.join(folder, parent))
    } catch {
      return
    }
  }
}

const stateFile = (environment: string) => `.querypost/${environment}.json`

/** What was known of the items of an environment at the last pull or push. */
export async function readState(folder: string, environment: string): Promise<KnownItems> {
  let text: string
  try {
    text = await readFile(path.join(folder, stateFile(environment)), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
  try {
    const { items } = JSON.parse(text) as { items: Record<string, KnownItem> }
    if (Object.values(items).every(isKnownItem)) return new Map(Object.entries(items))
  } catch {
    // The same as a file with other content.
  }
  throw new CommandError(1, `${stateFile(environment)} cannot be read. Restore it from Git, or delete it and pull.`)
}

const isKnownItem = ({ kind, id, hash, name }: KnownItem) =>
  itemKinds.includes(kind) && [id, hash, name].every((each) => typeof each === 'string')

/** One line for each item, in the order of their paths, so that Git can merge it. */
export async function writeState(folder: string, environment: string, items: KnownItems): Promise<void> {
  const lines = [...items]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { kind, id, hash, name: title }]) => `    ${JSON.stringify(name)}: ${JSON.stringify({ kind, id, hash, name: title })}`)
  await writeTextFile(folder, stateFile(environment), `{\n  "items": {\n${lines.join(',\n')}\n  }\n}\n`)
}
