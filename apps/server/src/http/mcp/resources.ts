import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import type { Caller } from '../../model/caller.ts'
import { listReferences } from '../../domain/references/references.ts'
import type { AgentServices } from '../../domain/services.ts'
import { bounds } from './mcp-limits.ts'
import { shown } from './mcp-texts.ts'
import { readReference } from './tools/get-reference-tool.ts'

/** References as resources, which a user can attach to a conversation. */
const prefix = 'querypost://references/'
const mimeType = 'application/json'

export const resourceTemplates = [
  {
    uriTemplate: `${prefix}{shortId}`,
    name: 'reference',
    title: 'Saved query',
    description: 'A reference: its SQL, parameters, latest run, and the columns of its cached result.',
    mimeType,
  },
]

export async function listResources(services: AgentServices, caller: Caller, cursor?: string): Promise<ListResourcesResult> {
  const request = { limit: bounds.pageSizeMaximum, ...(cursor !== undefined && { cursor }) }
  const { items, nextCursor } = await listReferences(services, caller, request)
  const resources = items.map(({ shortId, title, description, updatedAt }) => ({
    uri: `${prefix}${shortId}`,
    name: shortId,
    title: shown(title, bounds.listedText),
    description: description === null ? undefined : shown(description, bounds.listedText),
    mimeType,
    annotations: { lastModified: updatedAt.toISOString() },
  }))
  return { resources, ...(nextCursor !== undefined && { nextCursor }) }
}

/** Undefined if there is no such resource. Throws refusals. */
export async function readResource(
  services: AgentServices,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult | undefined> {
  if (!uri.startsWith(prefix)) return undefined
  const reference = await readReference(services, caller, uri.slice(prefix.length))
  return { contents: [{ uri, mimeType, text: JSON.stringify(reference) }] }
}
