import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export interface Organization {
  id: string
  name: string
  /** Off: no event is published, and nothing about endpoints can be seen or done. */
  webhooksEnabled: boolean
}

export const organizationOptions = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => request<Organization>('/organization', { signal }),
})

export const editOrganization = (change: { name?: string; webhooksEnabled?: boolean }) =>
  request<Organization>('/organization', { method: 'PATCH', body: change })

/** Beside the one that the pages show; whoever makes it is its first admin. */
export const addOrganization = (name: string) =>
  request<{ id: string; name: string }>('/organizations', { method: 'POST', body: { name } })

/** Moves this session into another organization that the person belongs to. */
export const enterOrganization = (organizationId: string) =>
  request<void>('/session/organization', { method: 'POST', body: { organizationId } })
