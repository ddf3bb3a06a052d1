import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { CostLimits, Organization } from './generated/schemas.ts'

export const organizationOptions = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => request('GET /organization', { signal }),
})

export const editOrganization = (body: Body<'PATCH /organization'>) => request('PATCH /organization', { body })

/** Creates another organization, with the person as its first admin. */
export const addOrganization = (name: string) => request('POST /organizations', { body: { name } })

/** Switches this session to another organization of the person. */
export const enterOrganization = (organizationId: string) =>
  request('POST /session/organization', { body: { organizationId } })
