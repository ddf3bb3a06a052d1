import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { ParameterValues } from '../../model/parameter.ts'
import { oneOf } from '../schemas.ts'
import { bounds } from './mcp-limits.ts'

/** Schemas that several tools share. They are part of every list of tools, so they are kept short. */
export const closed = { additionalProperties: false } as const
export const text = Type.String()
export const integer = Type.Integer()
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const nullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const statuses = ['pending', 'running', 'completed', 'failed'] as const
export const Status = oneOf(statuses)

export const ShortId = Type.String({ maxLength: 100, description: 'shortId of the reference' })
export const BoardShortId = Type.String({ maxLength: 100, description: 'shortId of the board' })
export const AutomationId = Type.String({ maxLength: 100, description: 'For example automation_…' })
export const RunId = Type.String({ maxLength: 100, description: 'For example run_…' })
export const QueryId = Type.String({ maxLength: 100, description: 'UUID of the query' })
export const ConfigId = Type.String({ maxLength: 100, description: 'An id from list_databases' })

/** The input of a tool that writes: what to change, and the body of the corresponding route of the REST API. */
export const inputOf = <Key extends TProperties, Body extends TProperties>(key: Key, body: TObject<Body>) =>
  Type.Object({ ...body.properties, ...key }, closed)

export const Version = Type.Integer({ minimum: 1, description: 'The version that you have read. A stale one is rejected' })

/** Input of tools that return lists. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: bounds.pageSizeMaximum, default: bounds.pageSizeDefault })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: 'nextCursor of the previous page; keep all other inputs the same' }),
  ),
}

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(text) })

/** Converts the input of a tool for the domain functions. */
export const pageRequest = ({ limit = bounds.pageSizeDefault, cursor }: { limit?: number; cursor?: string }) => ({
  limit,
  ...(cursor !== undefined && { cursor }),
})

export const waiting = (fallback: number) => ({
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: bounds.waitSecondsMaximum,
      default: fallback,
      description: 'How long to wait for the end',
    }),
  ),
})

export const GivenValues = Type.Unsafe<ParameterValues>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'array'], items: { type: ['string', 'number', 'boolean'] } },
  description:
    'Values by parameter name; omitted parameters use their defaults. A list takes an array, a dateRange text such as "last 30 days" or "2026-01-01..2026-03-31"',
})

export const ShownValues = Type.Unsafe<ParameterValues>({ type: 'object' })

export const Next = Type.String({ description: 'What to do next' })
