import { Type } from 'typebox'
import * as folders from '../../../domain/folders/folders.ts'
import type { Folder } from '../../../model/folder.ts'
import { FolderChange, NewFolder } from '../../schemas/board-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { shown } from '../mcp-texts.ts'
import { closed, inputOf, nullableText, pageOf, pageRequest, paging, text } from '../shapes.ts'
import { creates, defineTool, reads, replaces } from '../tool.ts'

const FolderId = Type.String({ maxLength: 100, description: 'An id from list_folders' })
const FolderAnswer = Type.Object({ id: text, name: text, parentId: nullableText })

const present = ({ id, name, parentId }: Folder) => ({ id, name: shown(name, bounds.listedText), parentId })

export const listFolders = defineTool({
  name: 'list_folders',
  scope: 'read:folders',
  title: 'List folders',
  description: 'Lists the folders of references and boards, newest first.',
  hints: reads,
  input: Type.Object(paging, closed),
  output: pageOf(FolderAnswer),
  async call({ services, caller }, input) {
    const page = await folders.listFoldersPage(services, caller, pageRequest(input))
    return { ...page, items: page.items.map(present) }
  },
})

export const createFolder = defineTool({
  name: 'create_folder',
  scope: 'write:folders',
  title: 'Create a folder',
  description: 'Creates a folder for references and boards.',
  hints: creates,
  input: inputOf({}, NewFolder),
  output: FolderAnswer,
  call: async ({ services, caller }, input) => present(await folders.createFolder(services, caller, input)),
})

export const updateFolder = defineTool({
  name: 'update_folder',
  scope: 'write:folders',
  title: 'Rename or move a folder',
  description: 'Changes the name of a folder, or the folder that it is in.',
  hints: replaces,
  input: inputOf({ folderId: FolderId }, FolderChange),
  output: FolderAnswer,
  call: async ({ services, caller }, { folderId, ...edit }) => present(await folders.editFolder(services, caller, folderId, edit)),
})

export const deleteFolder = defineTool({
  name: 'delete_folder',
  scope: 'write:folders',
  title: 'Delete a folder',
  description: 'Deletes a folder with nothing in it.',
  hints: replaces,
  input: Type.Object({ folderId: FolderId }, closed),
  output: FolderAnswer,
  call: async ({ services, caller }, { folderId }) => present(await folders.deleteFolder(services, caller, folderId)),
})
