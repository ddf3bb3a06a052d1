import { Type } from 'typebox'
import { createFolder, deleteFolder, editFolder, listFolders } from '../../../domain/folders/folders.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { presentFolder } from '../../present-board.ts'
import { wholeList } from '../../schemas.ts'
import { Folder, FolderChange, NewFolder } from '../../schemas/board-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

/** Folders for the web app. */
export function appFolderRoutes(api: Api, services: BaseServices): void {
  api.get('/app/api/folders', { schema: { response: { 200: wholeList(Folder) } } }, async (request) => ({
    items: (await listFolders(services, callerOf(request))).map(presentFolder),
  }))

  api.post('/app/api/folders', { schema: { body: NewFolder, response: { 201: Folder } } }, async (request, reply) =>
    reply.code(201).send(presentFolder(await createFolder(services, callerOf(request), request.body))),
  )

  api.patch('/app/api/folders/:id', { schema: { params: Params, body: FolderChange, response: { 200: Folder } } }, async (request) =>
    presentFolder(await editFolder(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete('/app/api/folders/:id', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteFolder(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
