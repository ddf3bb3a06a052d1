import { Compile, type Validator } from 'typebox/schema'
import type { ErrorBody } from '@querypost/server/documentation'
import { type ErrorCode, errorCodes } from '@querypost/server/model'
import type { FuzzRequest } from './requests.ts'
import type { Schema } from './schema.ts'
import { canary } from './world.ts'

export interface FuzzAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
}

/** Finds faults in a response. */
export function checkResponse(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const faults: string[] = []
  const { status, body } = answer
  if (status >= 500) faults.push(`answers ${status}`)
  if (!answer.headers['x-request-id']) faults.push('carries no x-request-id')
  if (body.includes(canary)) faults.push('tells what belongs to another organization')
  if (request.credentials !== 'own' && request.route.family !== 'open' && status < 400) {
    faults.push(`answers ${status} without ${request.route.family === 'key' ? 'a key' : 'a session'}`)
  }
  if (status >= 400) faults.push(...judgeRefusal(request, answer))
  if (request.route.answers && request.method === request.route.method) faults.push(...judgeDescribed(request, answer))
  return faults
}

/** Checks that an error response has the common form and reveals no internals. */
function judgeRefusal({ method }: FuzzRequest, { status, headers, body }: FuzzAnswer): string[] {
  // Node omits the body of a response to HEAD.
  if (method === 'HEAD') return []
  const error = parsed(body) as Partial<Record<keyof ErrorBody, unknown>> | undefined
  if (!String(headers['content-type']).startsWith('application/json') || !error) return [`refuses with ${status} and no JSON`]
  const { code } = error
  if (typeof code !== 'string' || !Object.hasOwn(errorCodes, code)) return [`refuses with an unknown code, ${String(code)}`]
  const faults: string[] = []
  if (errorCodes[code as ErrorCode].status !== status) faults.push(`says ${code} with status ${status}`)
  const type = status >= 500 ? 'api_error' : 'invalid_request'
  if (error.type !== type) faults.push(`says ${code} with type ${String(error.type)}`)
  if (typeof error.message !== 'string' || !/\S \S/.test(error.message)) faults.push(`says ${code} without a message`)
  if (!String(error.documentation_url).endsWith(`/docs/errors#${code}`)) faults.push(`says ${code} without its documentation`)
  if (/node_modules|\bat \S+ \(|\.ts:\d+/.test(body)) faults.push('reveals internals')
  return faults
}

/** Checks the response against the documented statuses, codes, media types and schemas of the route. */
function judgeDescribed({ route }: FuzzRequest, { status, headers, body }: FuzzAnswer): string[] {
  const code = status >= 400 ? (parsed(body) as { code?: string } | undefined)?.code : undefined
  // A malformed URL, an id with a slash, or a truncated URL may reach no route or another one.
  if (code === 'route_not_found' || code === 'method_not_allowed') return []
  const described = route.answers![status]
  if (!described) return [`answers ${status}${code ? ` ${code}` : ''}, which is not described`]
  const isCodeKnown = described.codes === undefined || described.codes.includes(String(code))
  if (!isCodeKnown) return [`answers ${status} ${code}, a code that is not described`]
  const types = Object.keys(described.content)
  if (types.length === 0) return body === '' ? [] : [`answers ${status} with a body, which is not described`]
  const type = String(headers['content-type']).split(';')[0]!
  const schema = described.content[type]
  if (!schema) return [`answers ${status} as ${type}, which is not described`]
  if (type !== 'application/json') return []
  const [fits, errors] = validatorOf(schema).Errors(parsed(body))
  return fits ? [] : [`answers ${status} with a body that breaks its schema: ${JSON.stringify(errors).slice(0, 300)}`]
}

const validators = new WeakMap<Schema, Validator>()
function validatorOf(schema: Schema): Validator {
  let validator = validators.get(schema)
  if (!validator) validators.set(schema, (validator = Compile(schema as object) as unknown as Validator))
  return validator
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}
