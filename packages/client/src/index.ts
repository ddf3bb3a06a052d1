export type { Fetch } from './attempt.ts'
export type { Clock } from './clock.ts'
export {
  type AnyErrorCode,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  type ErrorDetail,
  NotFoundError,
  PermissionError,
  QuerypostError,
  RateLimitError,
  RouteRetiredError,
  RunFailedError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
export type { EventStreamOptions, EventType, StreamMessage } from './event-stream.ts'
export type * from './generated/schemas.ts'
export type { List, ListOptions, Page } from './list.ts'
export type { ChangeOptions } from './operation.ts'
export { Querypost, type QuerypostOptions } from './querypost.ts'
export type { StreamOptions } from './reconnecting-stream.ts'
export type { RefreshAndWaitOptions } from './refresh-and-wait.ts'
export type { AutomationRuns, Automations, RunAndWaitOptions } from './resources/automations.ts'
export type {
  BoardChanges,
  BoardImageOptions,
  BoardRefresh,
  Boards,
  BoardValues,
  BoardVersionOptions,
  NewBoard,
  RefreshBoardAndWaitOptions,
} from './resources/boards.ts'
export type { ChangeFeed, ChangesOptions, PatchLine, ReferencePatch, WatchOptions } from './resources/changes.ts'
export type { ChatEvent, Chats } from './resources/chats.ts'
export type { EvaluateAndWaitOptions, EvaluateOptions, Evaluations, QuestionSets } from './resources/evaluations.ts'
export type { Databases } from './resources/databases.ts'
export type { Dbt } from './resources/dbt.ts'
export type { Events } from './resources/events.ts'
export type { Folders } from './resources/folders.ts'
export type { CompareOptions, KeptResults, WhyOptions } from './resources/kept-results.ts'
export type { LineageReader, TableOptions } from './resources/lineage.ts'
export type { Metrics } from './resources/metrics.ts'
export type { ProjectFiles } from './resources/project.ts'
export type { Proofs } from './resources/proofs.ts'
export type { Queries } from './resources/queries.ts'
export type { ReferenceChanges, References } from './resources/references.ts'
export type { SavedQueries } from './resources/saved-queries.ts'
export type { WebhookEndpoints } from './resources/webhook-endpoints.ts'
export type { FetchedResult, ResultFormat, ResultNotModified, ResultStreamOptions } from './results.ts'
export type { CallOptions, WriteOptions } from './transport.ts'
export { version } from './version.ts'
