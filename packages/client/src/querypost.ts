import type { Fetch } from './attempt.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Me } from './generated/schemas.ts'
import { callOperation } from './operation.ts'
import { newIdempotencyKey, newRequestId } from './request-id.ts'
import { type AutomationRuns, type Automations, makeAutomationRuns, makeAutomations } from './resources/automations.ts'
import { type Boards, makeBoards } from './resources/boards.ts'
import { type Chats, makeChats } from './resources/chats.ts'
import { type Evaluations, makeEvaluations, makeQuestionSets, type QuestionSets } from './resources/evaluations.ts'
import { type Databases, makeDatabases } from './resources/databases.ts'
import { type Dbt, makeDbt } from './resources/dbt.ts'
import { type Events, makeEvents } from './resources/events.ts'
import { type Folders, makeFolders } from './resources/folders.ts'
import { type KeptResults, makeKeptResults } from './resources/kept-results.ts'
import { type LineageReader, makeLineageReader } from './resources/lineage.ts'
import { makeMetrics, type Metrics } from './resources/metrics.ts'
import { makeProjectFiles, type ProjectFiles } from './resources/project.ts'
import { makeProofs, type Proofs } from './resources/proofs.ts'
import { makeQueries, type Queries } from './resources/queries.ts'
import { makeReferences, type References } from './resources/references.ts'
import { makeSavedQueries, type SavedQueries } from './resources/saved-queries.ts'
import { makeWebhookEndpoints, type WebhookEndpoints } from './resources/webhook-endpoints.ts'
import { type CallOptions, makeTransport, type Transport } from './transport.ts'

export interface QuerypostOptions {
  /** `qp_live_…`, from the account settings. */
  apiKey: string
  /** The address of the service; `http://localhost:3000` by default. */
  baseUrl?: string | undefined
  /** Used instead of the platform's fetch. */
  fetch?: Fetch | undefined
  /** How long one request may take; 30,000 by default. A whole call is limited by its own `timeoutMs`. */
  timeoutMs?: number | undefined
  /** How many times a request is retried at most; 3 by default. 0: never. */
  maxRetries?: number | undefined
  /** For tests: time, a random number between 0 and 1, request ids, and keys of writing requests. */
  clock?: Clock | undefined
  random?: (() => number) | undefined
  newRequestId?: (() => string) | undefined
  newIdempotencyKey?: (() => string) | undefined
}

/** A client for one service with one API key. It holds no connections, so there is nothing to close. */
export class Querypost {
  readonly references: References
  readonly queries: Queries
  /** The results of references over time. */
  readonly results: KeptResults
  /** What references read, and what uses them. */
  readonly lineage: LineageReader
  readonly automations: Automations
  readonly automationRuns: AutomationRuns
  readonly boards: Boards
  readonly folders: Folders
  readonly chats: Chats
  readonly questionSets: QuestionSets
  readonly evaluations: Evaluations
  readonly proofs: Proofs
  readonly events: Events
  readonly databases: Databases
  readonly savedQueries: SavedQueries
  readonly metrics: Metrics
  readonly dbt: Dbt
  readonly webhookEndpoints: WebhookEndpoints
  /** The organization as files. */
  readonly project: ProjectFiles
  // Private, so that printing this object never shows the key.
  readonly #transport: Transport

  constructor(options: QuerypostOptions) {
    const transport = makeTransport({
      apiKey: checkKey(options.apiKey),
      baseUrl: checkBaseUrl(options.baseUrl ?? 'http://localhost:3000'),
      // Browsers' fetch must be called without a `this`.
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 30_000),
      maxRetries: checkCount('maxRetries', options.maxRetries ?? 3),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      newRequestId: options.newRequestId ?? newRequestId,
      newIdempotencyKey: options.newIdempotencyKey ?? newIdempotencyKey,
    })
    this.#transport = transport
    this.references = makeReferences(transport)
    this.queries = makeQueries(transport)
    this.results = makeKeptResults(transport)
    this.lineage = makeLineageReader(transport)
    this.automations = makeAutomations(transport)
    this.automationRuns = makeAutomationRuns(transport)
    this.boards = makeBoards(transport)
    this.folders = makeFolders(transport)
    this.chats = makeChats(transport)
    this.questionSets = makeQuestionSets(transport)
    this.evaluations = makeEvaluations(transport)
    this.proofs = makeProofs(transport)
    this.events = makeEvents(transport)
    this.databases = makeDatabases(transport)
    this.savedQueries = makeSavedQueries(transport)
    this.metrics = makeMetrics(transport)
    this.dbt = makeDbt(transport)
    this.webhookEndpoints = makeWebhookEndpoints(transport)
    this.project = makeProjectFiles(transport)
  }

  /** Whose key this is: use it to check whether the key works. */
  me(options?: CallOptions): Promise<Me> {
    return callOperation(this.#transport, 'me.get', {}, options)
  }
}

function checkKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\u0021-\u007e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be an API key (qp_live_…), without spaces. Create one in the account settings.')
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
  throw new TypeError(`${name} must be a whole number, 0 or more, not ${value}.`)
}
