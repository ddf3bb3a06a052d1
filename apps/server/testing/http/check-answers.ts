import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Schema from 'typebox/schema'

/**
 * Validates every JSON answer of `/app/api`, and every event of its streams, against its route's schema before it is serialized. The
 * serializer would drop a field that the schema does not name and turn a Date into text. Here both are faults, so every test of a
 * route also tests its schema.
 */
export interface AnswerChecks {
  /** Throws if an answer did not match its schema. */
  expectNoFaults(): void
}

/** Builds an app whose answers are checked. The hooks must be added before the first route to apply to all of them. */
export async function buildChecked(build: () => Promise<FastifyInstance>): Promise<{ app: FastifyInstance } & AnswerChecks> {
  const faults = new Set<string>()
  async function check(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const fault = faultOf(request, reply.statusCode, payload)
    if (fault === undefined) return payload
    faults.add(fault)
    throw new Error(fault)
  }
  /** Checks the data of events too. An invalid event ends the stream. */
  async function checkEvents(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!request.routeOptions.config.isEventStream) return
    const send = reply.sendEvents.bind(reply)
    reply.sendEvents = (events) =>
      send(async function* checked(signal) {
        for await (const event of events(signal)) {
          await check(request, reply, event.data)
          yield event
        }
      })
  }
  function addCheck(message: unknown): void {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('preSerialization', check)
    fastify.addHook('preHandler', checkEvents)
  }
  subscribe('fastify.initialization', addCheck)
  try {
    const app = await build()
    return {
      app,
      expectNoFaults() {
        if (faults.size > 0) throw new Error([...faults].join('\n'))
      },
    }
  } finally {
    unsubscribe('fastify.initialization', addCheck)
  }
}

function faultOf(request: FastifyRequest, status: number, payload: unknown): string | undefined {
  const { url, method, schema } = request.routeOptions
  if (!url?.startsWith('/app/api/') || status >= 400) return undefined
  const route = `${String(method)} ${url} answered ${status}`
  const answer = (schema?.response as Record<string, JsonSchema | Contents> | undefined)?.[status]
  if (!answer) return `${route}, which its schema does not define.`
  const declared = 'content' in answer ? answer.content['text/event-stream']?.schema : answer
  if (!declared) return `${route} with JSON, but its schema says bytes.`
  const [, errors] = validatorOf(declared).Errors(asJson(payload))
  if (errors.length === 0) return undefined
  const described = errors.map(({ instancePath, message }) => `  ${instancePath || '/'} ${message}`)
  return `${route} and does not match its schema:\n${described.join('\n')}\n  ${JSON.stringify(payload)}`
}

interface Contents {
  content: Record<string, { schema: JsonSchema }>
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

const validators = new WeakMap<JsonSchema, ReturnType<typeof Schema.Compile>>()

function validatorOf(schema: JsonSchema) {
  let validator = validators.get(schema)
  if (!validator) validators.set(schema, (validator = Schema.Compile(closed(schema) as object)))
  return validator
}

/** Disallows additional properties. Answer schemas allow them for older clients, but the service must not send any. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, patternProperties, additionalProperties, items, anyOf } = schema
  const each = (schemas: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, closed(inner)]))
  return {
    ...schema,
    ...(properties && { properties: each(properties), additionalProperties: false }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  }
}

/** Drops undefined properties, as JSON does. Everything else is kept, so that a Date is detected. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, asJson(inner)]),
  )
}
