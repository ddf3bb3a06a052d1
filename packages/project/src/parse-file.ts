import { parseDocument } from 'yaml'
import { canonical } from './canonical.ts'
import type { FileItem, ItemKind } from './items.ts'
import { faultOfFields } from './file-fields.ts'
import { folderOfPath, itemOfFile, reservedFolders } from './paths.ts'

/** A file that cannot be read. */
export interface FileFault {
  file: string
  message: string
}

class UnreadableFile extends Error {}

/** The items of a tree of files, by path. Files that belong to no item are ignored. A folder without a file has the name of its path. */
export function parseTree(files: ReadonlyMap<string, string>): { items: FileItem[]; faults: FileFault[] } {
  const items = new Map<string, FileItem>()
  const faults: FileFault[] = []
  for (const [file, text] of files) {
    const place = itemOfFile(file)
    if (!place) continue
    try {
      items.set(place.path, parseFile(file, text))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      faults.push({ file, message: error.message })
    }
  }
  for (const { kind, path } of Array.from(items.values())) {
    for (let folder = folderOfPath(path); folder !== '' && !isOwnFolder(kind, folder); folder = folderOfPath(folder)) {
      if (!items.has(folder)) items.set(folder, folderAt(folder, folder.slice(folder.lastIndexOf('/') + 1)))
    }
  }
  return { items: [...items.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)), faults }
}

const isInFolders = (kind: ItemKind) => kind === 'folder' || kind === 'query' || kind === 'board'
const isOwnFolder = (kind: ItemKind, folder: string) => !isInFolders(kind) || reservedFolders.has(folder)

const folderAt = (path: string, name: string): FileItem => ({ kind: 'folder', path, content: withFolder({ name }, path) })

function parseFile(file: string, text: string): FileItem {
  const { kind, path } = itemOfFile(file)!
  if (isInFolders(kind) && reservedFolders.has(file.split('/')[0]!)) {
    throw new UnreadableFile(`is in a folder for other files. Move it out of ${file.split('/')[0]}/.`)
  }
  // Line breaks that Git has converted.
  const isConverted = /^[^\n]*\r\n/.test(text)
  const fields = (kind === 'query' ? readSqlFile : readYaml)(isConverted ? text.replaceAll('\r\n', '\n') : text)
  const fault = faultOfFields(kind, fields)
  if (fault !== undefined) throw new UnreadableFile(fault)
  const content = isInFolders(kind) ? withFolder(fields as { name: string }, path) : fields
  return { kind, path, content: canonical(kind, content as never) } as FileItem
}

function withFolder<Content extends object>(content: Content, path: string): Content & { folder?: string } {
  const folder = folderOfPath(path)
  return folder === '' ? content : { ...content, folder }
}

/** The header is the comment at the top, up to the first empty line. */
function readSqlFile(text: string): Record<string, unknown> {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  if (end <= 0) throw new UnreadableFile('must begin with a comment that has a title and a database, such as "-- title: Revenue".')
  if (lines[end]!.trim() !== '') throw new UnreadableFile('needs an empty line between the comment at its top and the SQL.')
  const header = lines.slice(0, end).map((line) => line.replace(/^-- ?/, ''))
  const sql = lines.slice(end + 1).join('\n')
  return { ...readYaml(header.join('\n')), sql: sql.endsWith('\n') ? sql.slice(0, -1) : sql }
}

function readYaml(text: string): Record<string, unknown> {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new UnreadableFile(`is not valid YAML: ${error.message.split('\n')[0]!.replace(/:$/, '')}`)
  const value: unknown = document.toJS({ maxAliasCount: 0 })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UnreadableFile('must have fields, such as "title: Revenue".')
  return value as Record<string, unknown>
}
