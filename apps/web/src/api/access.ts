import { queryOptions } from '@tanstack/react-query'
import type { GroupDatabaseLevel, GroupFolderLevel, RowRule } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  AccessMatrix,
  DatabaseLevel,
  FolderLevel,
  Group,
  GroupDatabaseLevel,
  GroupFolderLevel,
  MemberAttribute,
  RowRule,
  RowRuleKind,
} from './generated/schemas.ts'

export const groupsOptions = queryOptions({
  queryKey: ['groups'],
  queryFn: async ({ signal }) => (await request('GET /groups', { signal })).items,
})

export const accessOptions = queryOptions({
  queryKey: ['access'],
  queryFn: ({ signal }) => request('GET /access', { signal }),
})

export interface GroupContent {
  name: string
  memberIds: string[]
}

export const addGroup = (body: GroupContent) => request('POST /groups', { body })

export const changeGroup = ({ id, ...body }: GroupContent & { id: string }) => request('PATCH /groups/{id}', { params: { id }, body })

export const deleteGroup = (id: string) => request('DELETE /groups/{id}', { params: { id } })

export const setDatabaseLevels = ({ id, levels }: { id: string; levels: GroupDatabaseLevel[] }) =>
  request('PUT /access/databases/{databaseId}', { params: { databaseId: id }, body: { levels } })

export const setFolderLevels = ({ id, levels }: { id: string; levels: GroupFolderLevel[] }) =>
  request('PUT /access/folders/{folderId}', { params: { folderId: id }, body: { levels } })

export const attributesOptions = queryOptions({
  queryKey: ['member-attributes'],
  queryFn: async ({ signal }) => (await request('GET /access/attributes', { signal })).items,
})

export const setRowRules = ({ id, rules }: { id: string; rules: RowRule[] }) =>
  request('PUT /access/databases/{databaseId}/row-rules', { params: { databaseId: id }, body: { rules } })

export const setMemberAttributes = ({ userId, attributes }: { userId: string; attributes: Record<string, string> }) =>
  request('PUT /access/members/{userId}/attributes', { params: { userId }, body: { attributes } })

export const viewAs = (userId: string) => request('PUT /session/viewed-member', { body: { userId } })

export const stopViewing = () => request('DELETE /session/viewed-member')
