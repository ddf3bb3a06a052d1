import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { GuardedFetchError } from '../../../ports/network/guarded-fetch-error.ts'
import { storable } from './storable.ts'

/**
 * A server did not do what the protocol asks of it. The message is for people, and says nothing that should not be
 * read.
 */
export class ConnectorFailure extends Error {
  override readonly name = 'ConnectorFailure'
}

export const notTheProtocol = () =>
  new ConnectorFailure('Its answer is not one of the Model Context Protocol. Is this the address of an MCP server?')

const messageMaxCharacters = 500

/** What went wrong with a server, in words for people and models. What is not known is not shown. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConnectorFailure || error instanceof GuardedFetchError) return error.message
  if (error instanceof McpError) {
    const said = storable(error.message.replace(/^MCP error -?\d+: /, ''), messageMaxCharacters)
    return `It answers with an error: ${said}`
  }
  if (!(error instanceof Error)) return 'The request to it failed.'
  const version = /^Server's protocol version is not supported: (.*)$/s.exec(error.message)?.[1]
  if (version !== undefined) {
    return `It speaks a version of the protocol that is not supported: ${storable(version, 40)}.`
  }
  if (/Zod/.test(error.constructor.name) || error instanceof SyntaxError) return notTheProtocol().message
  return 'The request to it failed.'
}
