import { Type } from 'typebox'
import { createFolder, deleteFolder, editFolder, folderVersion, listFoldersPage } from '../../domain/folders/folders.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { OptionalIfMatch, readBasedOn, versioned, withEtag } from '../if-match.ts'
import type { Folder as StoredFolder } from '../../model/folder.ts'
import { presentFolder } from '../present-board.ts'
import { responses } from '../responses.ts'
import { PageQuery, pageOf, unnamed } from '../schemas.ts'
import { Folder as FolderFields, FolderChange, NewFolder } from '../schemas/board-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Folders']
const Folder = versioned(FolderFields)
const present = (folder: StoredFolder) => ({ ...presentFolder(folder), version: folderVersion(folder) })
const Params = Type.Object({ id: Type.String({ description: 'The folder’s id.', examples: ['folder_3k9x'] }) })

/** Folders for programs. Not part of the retired API. */
export function folderRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/folders',
    {
      config: { scope: 'read:folders' },
      schema: {
        operationId: 'folders.list',
        tags,
        summary: 'List folders, newest first',
        description: 'Lists the organization’s folders, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('FolderPage', Folder), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listFoldersPage(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(present) }
    },
  )

  api.post(
    '/api/folders',
    {
      config: { scope: 'write:folders' },
      schema: {
        operationId: 'folders.create',
        tags,
        summary: 'Create a folder',
        description: 'Folders can be nested up to 10 deep. Two folders in the same place have different names.',
        body: unnamed(NewFolder),
        response: responses(201, Folder, ['folder_name_taken', 'managed_by_files', 'body_too_large']),
      },
    },
    async (request, reply) =>
      reply.code(201).send(withEtag(reply, present(await createFolder(services, callerOf(request), request.body)))),
  )

  api.patch(
    '/api/folders/:id',
    {
      config: { scope: 'write:folders' },
      schema: {
        operationId: 'folders.update',
        tags,
        summary: 'Rename or move a folder',
        description: 'Changes only the given fields. A folder cannot be moved into itself or into a folder inside it.',
        params: Params,
        headers: OptionalIfMatch,
        body: unnamed(FolderChange),
        response: responses(200, Folder, ['folder_not_found', 'folder_name_taken', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request, reply) =>
      withEtag(reply, present(await editFolder(services, callerOf(request), request.params.id, request.body, readBasedOn(request)))),
  )

  api.delete(
    '/api/folders/:id',
    {
      config: { scope: 'write:folders' },
      schema: {
        operationId: 'folders.delete',
        tags,
        summary: 'Delete an empty folder',
        description: 'Returns the deleted folder. A folder with boards, queries or folders in it cannot be deleted.',
        params: Params,
        headers: OptionalIfMatch,
        response: responses(200, Folder, ['folder_not_found', 'folder_not_empty', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => present(await deleteFolder(services, callerOf(request), request.params.id, readBasedOn(request))),
  )
}
