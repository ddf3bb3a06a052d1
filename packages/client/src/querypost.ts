import type { Fetch } from './attempt.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Me } from './generated/schemas.ts'
import { callOperation } from './operation.ts'
import { newRequestId } from './request-id.ts'
import { type AutomationRuns, type Automations, makeAutomationRuns, makeAutomations } from './resources/automations.ts'
import { type Events, makeEvents } from './resources/events.ts'
import { makeQueries, type Queries } from './resources/queries.ts'
import { makeReferences, type References } from './resources/references.ts'
import { type CallOptions, makeTransport, type Transport } from './transport.ts'

export interface QuerypostOptions {
  /** `qp_live_…`, from the account settings. */
  apiKey: string
  /** Where the service is; `http://localhost:3000` without it. */
  baseUrl?: string | undefined
  /** Instead of the platform's. */
  fetch?: Fetch | undefined
  /** How long one request may take; 30,000 without it. A whole call is bounded by its own `timeoutMs`. */
  timeoutMs?: number | undefined
  /** How often a request is sent again at most; 3 without it. 0: never. */
  maxRetries?: number | undefined
  /** For tests: time, chance between 0 and 1, and the names of requests. */
  clock?: Clock | undefined
  random?: (() => number) | undefined
  newRequestId?: (() => string) | undefined
}

/** A client of one service with one API key. It holds no connections of its own, so there is nothing to close. */
export class Querypost {
  readonly references: References
  readonly queries: Queries
  readonly automations: Automations
  readonly automationRuns: AutomationRuns
  readonly events: Events
  // Private for good: nothing that prints this object shows the key.
  readonly #transport: Transport

  constructor(options: QuerypostOptions) {
    const transport = makeTransport({
      apiKey: checkKey(options.apiKey),
      baseUrl: checkBaseUrl(options.baseUrl ?? 'http://localhost:3000'),
      // Browsers' fetch must be called as a function of nothing.
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 30_000),
      maxRetries: checkCount('maxRetries', options.maxRetries ?? 3),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      newRequestId: options.newRequestId ?? newRequestId,
    })
    this.#transport = transport
    this.references = makeReferences(transport)
    this.queries = makeQueries(transport)
    this.automations = makeAutomations(transport)
    this.automationRuns = makeAutomationRuns(transport)
    this.events = makeEvents(transport)
  }

  /** Whose key this is: the way to see whether it works. */
  me(options?: CallOptions): Promise<Me> {
    return callOperation(this.#transport, 'me.get', {}, options)
  }
}

function checkKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\u0021-\u007e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be an API key (qp_live_…), without spaces. Make one in the account settings.')
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    const wanted = 'the service’s address, such as https://querypost.example'
    throw new TypeError(`baseUrl must be ${wanted}, not ${JSON.stringify(baseUrl)}.`)
  }
  return url.href.replace(/\/+$/, '')
}

function checkCount(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new TypeError(`${name} must be a whole number from 0 on, not ${value}.`)
}
