import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { notMcp } from './connector-failure.ts'
import { noLimit } from './no-limit.ts'
import { storable } from './storable.ts'

export interface ListedTool {
  name: string
  description: string
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>
}

/** More would leave a model little room for anything else. */
export const toolsMax = 50
const pagesMax = 10
const nameMaxLength = 128
const descriptionMaxCharacters = 1000
const schemaMaxBytes = 16 * 1024

/**
 * Reads the first tools of a server's list, and reports problems with the rest. Does not use the SDK's `listTools`, which validates every
 * entry however many there are and compiles schemas written by the server.
 */
export async function listTools(
  client: Client,
  signal: AbortSignal,
): Promise<{ tools: ListedTool[]; problems: string[] }> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], problems: ['The server offers no tools.'] }
  const tools = new Map<string, ListedTool>()
  const cursors = new Set<string>()
  let cursor: string | undefined
  let unusableCount = 0
  const answer = (...problems: string[]) => {
    const needed = 'a tool needs a unique name and a small object schema'
    if (unusableCount > 0) problems.push(`${unusableCount} tools cannot be used: ${needed}.`)
    return { tools: [...tools.values()], problems }
  }
  for (let page = 0; page < pagesMax; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: 'tools/list', params }, ResultSchema, { signal, ...noLimit })
    const { tools: listed, nextCursor } = result
    if (!Array.isArray(listed)) throw notMcp()
    for (const given of listed as unknown[]) {
      if (tools.size === toolsMax) {
        return answer(`The server has more than ${toolsMax} tools; only the first ${toolsMax} are used.`)
      }
      const tool = readTool(given)
      if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
      else unusableCount++
    }
    if (typeof nextCursor !== 'string') return answer()
    if (cursors.has(nextCursor)) return answer('The tool list repeats a cursor, so the rest was not read.')
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  return answer(`The tool list has more than ${pagesMax} pages; only the first ${pagesMax} are used.`)
}

function readTool(given: unknown): ListedTool | null {
  if (typeof given !== 'object' || given === null) return null
  const { name, title, description, inputSchema } = given as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || name.length > nameMaxLength) return null
  if (!isSmallObjectSchema(inputSchema)) return null
  const text = [description, title].find((each) => typeof each === 'string')
  return { name, description: storable(text ?? '', descriptionMaxCharacters), inputSchema }
}

function isSmallObjectSchema(given: unknown): given is Record<string, unknown> {
  if (typeof given !== 'object' || given === null || !('type' in given) || given.type !== 'object') return false
  try {
    return JSON.stringify(given).length <= schemaMaxBytes
  } catch {
    // Too deeply nested to serialize.
    return false
  }
}
