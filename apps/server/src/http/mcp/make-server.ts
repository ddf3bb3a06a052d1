import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import { hasScope } from '../../domain/access/scopes.ts'
import type { Scope } from '../../model/api-key-scope.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Log } from '../../ports/log.ts'
import { scopeMissing } from '../authenticate.ts'
import { errorBody } from '../errors.ts'
import { callTool } from './call-mcp-tool.ts'
import { instructions } from './mcp-instructions.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import type { Tool, ToolServices } from './tool.ts'
import { tools } from './tools.ts'

export interface ServerOptions {
  services: ToolServices
  caller: Caller
  /** Those of the API key. */
  scopes: readonly Scope[]
  requestId: string
  log: Log
  /** Aborts when the process stops. */
  stopping: AbortSignal
}

/** An MCP server for a single request of one caller. Each request gets a new one, so it keeps no state. */
export function makeServer(options: ServerOptions): Server {
  const { services, caller, scopes, stopping } = options
  const { baseUrl } = services
  const server = new Server(
    { name: 'querypost', title: 'Querypost', version: '1.0.0', websiteUrl: baseUrl },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: noValidator },
  )

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed.filter(({ scope }) => hasScope(scopes, scope)).map(({ tool }) => tool) }))

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { _meta: meta, ...extra }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw noSuchTool(params.name)
    const token = meta?.progressToken
    let progress = 0
    async function reportProgress(message: string) {
      if (token === undefined) return
      progress++
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken: token, progress, message },
      })
    }
    const signal = AbortSignal.any([extra.signal, stopping])
    const beganMs = services.clock.monotonicMs()
    const { result, code } = await guarded(() =>
      callTool(tool, { services, caller, scopes, signal, reportProgress }, params.arguments ?? {}),
    )
    const durationMs = Math.round(services.clock.monotonicMs() - beganMs)
    const { requestId, log } = options
    log.info({ requestId, tool: tool.name, code, durationMs, by: caller.triggerId }, 'MCP tool called')
    return result
  })

  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    guarded(async () => {
      requireReading()
      return listResources(services, caller, params?.cursor)
    }),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    guarded(async () => {
      requireReading()
      return (await readResource(services, caller, uri)) ?? noSuchResource(uri)
    }),
  )

  /** The resources are saved queries. */
  function requireReading(): void {
    if (!hasScope(scopes, 'read:queries')) throw scopeMissing('read:queries')
  }

  /** Turns exceptions into protocol errors: rejections with their message, internal errors without their details. */
  async function guarded<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act()
    } catch (error) {
      if (error instanceof McpError) throw error
      if (error instanceof Refusal) {
        const code = error.code === 'reference_not_found' ? resourceNotFound : ErrorCode.InvalidParams
        throw new McpError(code, error.message, errorBody({ baseUrl, code: error.code, message: error.message }))
      }
      options.log.error({ err: error, requestId: options.requestId }, 'request failed: internal error')
      const message = `Internal error. Contact your administrator and quote the request id ${options.requestId}.`
      throw new McpError(ErrorCode.InternalError, message, errorBody({ baseUrl, code: 'internal_error', message }))
    }
  }
  return server
}

const listed = tools.map(({ name, scope, title, description, hints, input, output }: Tool) => ({
  scope,
  tool: {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object' as const },
    outputSchema: { ...output, type: 'object' as const },
    annotations: { title, ...hints },
  },
}))

const noSuchTool = (name: string) =>
  new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, 100))}.`)

/** Defined in the resources chapter of the protocol. */
const resourceNotFound = -32002

function noSuchResource(uri: string): never {
  throw new McpError(resourceNotFound, `There is no resource ${JSON.stringify(uri.slice(0, 200))}.`)
}

/** The SDK would validate clients' responses to requests of the server. This server sends none, and creating a real validator is slow. */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <Data>(): JsonSchemaValidator<Data> =>
    (data) => ({ valid: true, data: data as Data, errorMessage: undefined }),
}
