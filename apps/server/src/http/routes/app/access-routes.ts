import { Type } from 'typebox'
import { getAccessMatrix, setDatabaseLevels, setFolderLevels } from '../../../domain/groups/access-levels.ts'
import { createGroup, deleteGroup, editGroup, listGroups } from '../../../domain/groups/groups.ts'
import { listMemberAttributes, setMemberAttributes } from '../../../domain/groups/member-attributes.ts'
import { changeRowRules } from '../../../domain/groups/row-rules.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { wholeList } from '../../schemas.ts'
import {
  AccessMatrix,
  DatabaseLevels,
  FolderLevels,
  Group,
  GroupEdit,
  MemberAttribute,
  MemberAttributes,
  NewGroup,
  RowRules,
} from '../../schemas/access-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

/** Groups and their access, row rules and attributes. Only for admins; those who manage a database set its rules, too. */
export function accessRoutes(api: Api, services: BaseServices): void {
  const params = Type.Object({ id: Type.String() })

  api.get('/app/api/groups', { schema: { response: { 200: wholeList(Group) } } }, async (request) => ({
    items: (await listGroups(services, callerOf(request))).map(timesAsText),
  }))

  api.post('/app/api/groups', { schema: { body: NewGroup, response: { 201: Group } } }, async (request, reply) =>
    reply.code(201).send(timesAsText(await createGroup(services, callerOf(request), request.body))),
  )

  api.patch('/app/api/groups/:id', { schema: { params, body: GroupEdit, response: { 200: Group } } }, async (request) =>
    timesAsText(await editGroup(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.delete('/app/api/groups/:id', { schema: { params, response: noContent } }, async (request, reply) => {
    await deleteGroup(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.get('/app/api/access', { schema: { response: { 200: AccessMatrix } } }, (request) => getAccessMatrix(services, callerOf(request)))

  api.put(
    '/app/api/access/databases/:databaseId',
    { schema: { params: Type.Object({ databaseId: Type.String() }), body: DatabaseLevels, response: noContent } },
    async (request, reply) => {
      await setDatabaseLevels(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(204).send()
    },
  )

  api.put(
    '/app/api/access/folders/:folderId',
    { schema: { params: Type.Object({ folderId: Type.String() }), body: FolderLevels, response: noContent } },
    async (request, reply) => {
      await setFolderLevels(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(204).send()
    },
  )

  api.put(
    '/app/api/access/databases/:databaseId/row-rules',
    { schema: { params: Type.Object({ databaseId: Type.String() }), body: RowRules, response: noContent } },
    async (request, reply) => {
      await changeRowRules(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(204).send()
    },
  )

  api.get('/app/api/access/attributes', { schema: { response: { 200: wholeList(MemberAttribute) } } }, async (request) => ({
    items: await listMemberAttributes(services, callerOf(request)),
  }))

  api.put(
    '/app/api/access/members/:userId/attributes',
    { schema: { params: Type.Object({ userId: Type.String() }), body: MemberAttributes, response: noContent } },
    async (request, reply) => {
      await setMemberAttributes(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(204).send()
    },
  )
}
