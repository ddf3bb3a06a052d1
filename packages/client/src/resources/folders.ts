import type { Folder } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input } from '../operation.ts'
import type { Transport, WriteOptions } from '../transport.ts'

/** Folders of boards and queries. */
export interface Folders {
  /** All of them, newest first: `for await (const folder of client.folders.list())`. */
  list(options?: ListOptions): List<Folder>
  create(input: Input<'folders.create'>['body'], options?: WriteOptions): Promise<Folder>
  /** Renames or moves it. */
  update(folderId: string, changes: NonNullable<Input<'folders.update'>['body']>, options?: ChangeOptions): Promise<Folder>
  /** Only an empty folder can be deleted. */
  delete(folderId: string, options?: ChangeOptions): Promise<Folder>
}

export function makeFolders(transport: Transport): Folders {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'folders.list', { query }, options) }),
    create: (body, options) => callOperation(transport, 'folders.create', { body }, options),
    update: (id, body, options) => callOperation(transport, 'folders.update', { params: { id }, body }, options),
    delete: (id, options) => callOperation(transport, 'folders.delete', { params: { id } }, options),
  }
}
