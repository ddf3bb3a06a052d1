import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { GitRepository, NewRepositorySecret } from './generated/schemas.ts'

export const gitRepositoriesOptions = queryOptions({
  queryKey: ['git-repositories'],
  queryFn: async ({ signal }) => (await request('GET /git-repositories', { signal })).items,
})

export const addGitRepository = (body: Body<'POST /git-repositories'>) => request('POST /git-repositories', { body })

/** The old secret stays valid for the overlap. */
export const rotateRepositorySecret = (id: string, overlapHours: number) =>
  request('POST /git-repositories/{id}/rotate', { params: { id }, body: { overlapHours } })

export const removeGitRepository = (id: string) => request('DELETE /git-repositories/{id}', { params: { id } })
