import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { Organization } from './generated/schemas.ts'

export const organizationOptions = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => request('GET /organization', { signal }),
})

export const editOrganization = (body: Body<'PATCH /organization'>) => request('PATCH /organization', { body })

/** Beside the one that the pages show; whoever makes it is its first admin. */
export const addOrganization = (name: string) => request('POST /organizations', { body: { name } })

/** Moves this session into another organization that the person belongs to. */
export const enterOrganization = (organizationId: string) =>
  request('POST /session/organization', { body: { organizationId } })
