import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { GuardedFetchError } from '../../../ports/network/guarded-fetch-error.ts'
import { storable } from './storable.ts'

/** The server violated the protocol. The message is shown to people and contains nothing sensitive. */
export class ConnectorFailure extends Error {
  override readonly name = 'ConnectorFailure'
}

export const notMcp = () =>
  new ConnectorFailure('The response is not valid MCP. Check that the URL is the address of an MCP server.')

const messageMaxCharacters = 500

/** Describes what went wrong with a server, for people and models. Unknown errors are not exposed. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConnectorFailure || error instanceof GuardedFetchError) return error.message
  if (error instanceof McpError) {
    const serverMessage = storable(error.message.replace(/^MCP error -?\d+: /, ''), messageMaxCharacters)
    return `The server returned an error: ${serverMessage}`
  }
  if (!(error instanceof Error)) return 'The request failed.'
  const version = /^Server's protocol version is not supported: (.*)$/s.exec(error.message)?.[1]
  if (version !== undefined) {
    return `The server uses an unsupported protocol version: ${storable(version, 40)}.`
  }
  if (/Zod/.test(error.constructor.name) || error instanceof SyntaxError) return notMcp().message
  return 'The request failed.'
}
