// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.

import type {
  AutomationRun,
  Board,
  BoardPage,
  BoardResults,
  BoardTab,
  ChangeList,
  Chat,
  ChatPage,
  DeletedBoard,
  DeletedReference,
  EvaluationComparison,
  EvaluationInFull,
  EvaluationPage,
  ExplainedChange,
  Folder,
  FolderPage,
  GivenEvaluation,
  GivenParameter,
  GivenTile,
  KeptResultPage,
  Me,
  Proof,
  PublishingReference,
  Query,
  QueryPage,
  QueryResult,
  QuestionSets,
  Reference,
  ReferenceInFull,
  ReferenceLineage,
  ReferencePage,
  ResultComparison,
  Run,
  SampleEvent,
  TableUsers,
} from './schemas.ts'

/** Where each operation is found. */
export const routes = {
  'automationRuns.get': { method: 'GET', path: '/api/automation-runs/{id}' },
  'automations.run': { method: 'POST', path: '/api/automations/{id}/runs' },
  'boards.create': { method: 'POST', path: '/api/boards' },
  'boards.delete': { method: 'DELETE', path: '/api/boards/{shortId}' },
  'boards.get': { method: 'GET', path: '/api/boards/{shortId}' },
  'boards.image': { method: 'GET', path: '/api/boards/{shortId}/image.png' },
  'boards.list': { method: 'GET', path: '/api/boards' },
  'boards.refresh': { method: 'POST', path: '/api/boards/{shortId}/refresh' },
  'boards.results': { method: 'POST', path: '/api/boards/{shortId}/results' },
  'boards.update': { method: 'PATCH', path: '/api/boards/{shortId}' },
  'chats.ask': { method: 'POST', path: '/api/chats/{shortId}/messages' },
  'chats.create': { method: 'POST', path: '/api/chats' },
  'chats.events': { method: 'GET', path: '/api/chats/{shortId}/events' },
  'chats.get': { method: 'GET', path: '/api/chats/{shortId}' },
  'chats.list': { method: 'GET', path: '/api/chats' },
  'evaluations.compare': { method: 'GET', path: '/api/evaluations/{id}/comparison' },
  'evaluations.get': { method: 'GET', path: '/api/evaluations/{id}' },
  'evaluations.list': { method: 'GET', path: '/api/question-sets/{id}/evaluations' },
  'events.createSample': { method: 'POST', path: '/api/events/samples' },
  'events.stream': { method: 'GET', path: '/api/events/stream' },
  'folders.create': { method: 'POST', path: '/api/folders' },
  'folders.delete': { method: 'DELETE', path: '/api/folders/{id}' },
  'folders.list': { method: 'GET', path: '/api/folders' },
  'folders.update': { method: 'PATCH', path: '/api/folders/{id}' },
  'lineage.ofReference': { method: 'GET', path: '/api/references/{shortId}/lineage' },
  'lineage.ofTable': { method: 'GET', path: '/api/databases/{id}/users' },
  'me.get': { method: 'GET', path: '/api/me' },
  'proofs.ofAutomationRun': { method: 'GET', path: '/api/automation-runs/{id}/proof' },
  'proofs.ofMessage': { method: 'GET', path: '/api/chats/{shortId}/messages/{number}/proof' },
  'proofs.result': { method: 'GET', path: '/api/runs/{runId}/result' },
  'queries.get': { method: 'GET', path: '/api/queries/{queryId}' },
  'queries.list': { method: 'GET', path: '/api/queries' },
  'queries.refresh': { method: 'POST', path: '/api/queries/{queryId}/refresh' },
  'queries.result': { method: 'GET', path: '/api/queries/{queryId}/result' },
  'questionSets.evaluate': { method: 'POST', path: '/api/question-sets/{id}/evaluations' },
  'questionSets.list': { method: 'GET', path: '/api/question-sets' },
  'references.changePatch': { method: 'GET', path: '/api/references/{shortId}/changes/{number}/patch' },
  'references.changedRows': { method: 'GET', path: '/api/references/{shortId}/changes/{number}/rows' },
  'references.changes': { method: 'GET', path: '/api/references/{shortId}/changes' },
  'references.create': { method: 'POST', path: '/api/queries/refs' },
  'references.delete': { method: 'DELETE', path: '/api/queries/refs/{shortId}' },
  'references.get': { method: 'GET', path: '/api/queries/refs/{shortId}' },
  'references.list': { method: 'GET', path: '/api/queries/refs' },
  'references.patch': { method: 'PATCH', path: '/api/references/{shortId}' },
  'references.update': { method: 'PUT', path: '/api/queries/refs/{shortId}' },
  'results.compare': { method: 'GET', path: '/api/references/{shortId}/compare' },
  'results.get': { method: 'GET', path: '/api/references/{shortId}/results/{runId}' },
  'results.list': { method: 'GET', path: '/api/references/{shortId}/results' },
  'results.why': { method: 'GET', path: '/api/references/{shortId}/why' },
} as const

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  /** Retrieve an automation run */
  'automationRuns.get': {
    params: {
      /** The run’s id, from the response that started it. */
      id: string
    }
    answer: AutomationRun
  }
  /** Run an automation now */
  'automations.run': {
    params: {
      /** The automation’s id, shown on its page. */
      id: string
    }
    body?: Record<string, never>
    answer: AutomationRun
  }
  /** Create a board */
  'boards.create': {
    body: {
      title: string
      description?: string | null
      /** Null for the top. */
      folderId?: string | null
      parameters?: GivenParameter[]
      tabs?: BoardTab[]
      tiles?: GivenTile[]
    }
    answer: Board
  }
  /** Delete a board */
  'boards.delete': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: DeletedBoard
  }
  /** Retrieve a board */
  'boards.get': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: Board
  }
  /** Draw a board */
  'boards.image': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    query?: {
      /** The id of the tab to draw. By default the first. */
      tab?: string
      /**
       * Values of the board’s parameters, as in its own URL: each is a search parameter with the parameter’s
       * name, repeated for a list. Those left out have their defaults.
       */
      parameters?: Record<string, string | string[]>
    }
    answer: unknown
  }
  /** List boards, newest first */
  'boards.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: BoardPage
  }
  /** Run the queries of a board */
  'boards.refresh': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      /** Values of the board’s parameters, by name. Those left out have their defaults. */
      parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
      /** Only these tiles. By default all. */
      tileIds?: string[]
      /** Only tiles without a stored result. */
      onlyMissing?: boolean
    }
    answer: BoardResults
  }
  /** Read which results a board shows */
  'boards.results': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      /** Values of the board’s parameters, by name. Those left out have their defaults. */
      parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
    }
    answer: BoardResults
  }
  /** Change a board */
  'boards.update': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      title?: string
      description?: string | null
      /** Null for the top. */
      folderId?: string | null
      parameters?: GivenParameter[]
      tabs?: BoardTab[]
      tiles?: GivenTile[]
    }
    answer: Board
  }
  /** Ask a follow-up question */
  'chats.ask': {
    params: {
      /** The chat’s `shortId`, as in its permalink. */
      shortId: string
    }
    body: {
      /** The question, in plain words. */
      question: string
    }
    answer: Chat
  }
  /** Ask a question */
  'chats.create': {
    body: {
      /** The question, in plain words. */
      question: string
      /** The analytical database to answer from. By default, the agent chooses. */
      analyticalDatabaseConfigId?: string
    }
    answer: Chat
  }
  /** Follow a chat */
  'chats.events': {
    params: {
      /** The chat’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: unknown
  }
  /** Retrieve a chat */
  'chats.get': {
    params: {
      /** The chat’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: Chat
  }
  /** List chats, newest first */
  'chats.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: ChatPage
  }
  /** Compare two evaluations */
  'evaluations.compare': {
    params: {
      /** The evaluation’s id, from the response that started it. */
      id: string
    }
    query: {
      /** The id of the earlier evaluation. */
      with: string
    }
    answer: EvaluationComparison
  }
  /** Retrieve an evaluation */
  'evaluations.get': {
    params: {
      /** The evaluation’s id, from the response that started it. */
      id: string
    }
    answer: EvaluationInFull
  }
  /** List the evaluations of a question set */
  'evaluations.list': {
    params: {
      /** The question set’s id. */
      id: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: EvaluationPage
  }
  /** Send a sample event */
  'events.createSample': {
    body: {
      type: 'automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed'
      /** An endpoint that also gets the event, like a test from its page. */
      endpointId?: string
    }
    answer: SampleEvent
  }
  /** Listen to events */
  'events.stream': {
    query?: {
      /**
       * Only events of these types. Repeat the parameter, or separate types with commas. Default: the events of
       * automation runs, which every endpoint gets unless it chooses others. Opt-in events are published only
       * while an endpoint or a listener asks for them.
       */
      type?: ('automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed')[]
      /**
       * Start with the events since this time, at most 28 days ago. Default: now. Ignored if `Last-Event-ID` is
       * sent.
       */
      since?: string
    }
    answer: unknown
  }
  /** Create a folder */
  'folders.create': {
    body: {
      name: string
      parentId?: string | null
    }
    answer: Folder
  }
  /** Delete an empty folder */
  'folders.delete': {
    params: {
      /** The folder’s id. */
      id: string
    }
    answer: Folder
  }
  /** List folders, newest first */
  'folders.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: FolderPage
  }
  /** Rename or move a folder */
  'folders.update': {
    params: {
      /** The folder’s id. */
      id: string
    }
    body?: {
      name?: string
      parentId?: string | null
    }
    answer: Folder
  }
  /** Read the lineage of a reference */
  'lineage.ofReference': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: ReferenceLineage
  }
  /** Find out what uses a table or a column */
  'lineage.ofTable': {
    params: {
      /** The id of the database. */
      id: string
    }
    query: {
      /** The schema of the table. */
      schema: string
      /** The name of the table. */
      table: string
      /** Only what uses this column. */
      column?: string
    }
    answer: TableUsers
  }
  /** Identify an API key */
  'me.get': {
    answer: Me
  }
  /** Retrieve the proof of an automation run’s summary */
  'proofs.ofAutomationRun': {
    params: {
      /** The automation run’s id. */
      id: string
    }
    answer: Proof
  }
  /** Retrieve the proof of a message in a chat */
  'proofs.ofMessage': {
    params: {
      /** The end of the chat’s permalink. */
      shortId: string
      /** The number of the message. */
      number: string
    }
    answer: Proof
  }
  /** Retrieve the result that figures were computed from */
  'proofs.result': {
    params: {
      /** The `runId` of a figure. */
      runId: string
    }
    answer: QueryResult
  }
  /** Retrieve a query */
  'queries.get': {
    params: {
      /** The query’s id. */
      queryId: string
    }
    answer: Query
  }
  /** List queries, newest first */
  'queries.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: QueryPage
  }
  /** Run a query again with the parameters of its last run */
  'queries.refresh': {
    params: {
      /** The query’s id. */
      queryId: string
    }
    body?: Record<string, never>
    answer: Run
  }
  /** Read the cached result of the latest successful run */
  'queries.result': {
    params: {
      /** The query’s id. */
      queryId: string
    }
    query?: {
      /**
       * Format of the result; default JSON. The other formats are file downloads with a name in
       * `Content-Disposition`.
       */
      format?: 'json' | 'jsonl' | 'csv' | 'xlsx' | 'parquet' | 'arrow'
      /**
       * Only with `format=csv`, rejected with any other format: do not escape texts. By default, a text that a
       * spreadsheet would execute as a formula is prefixed with an apostrophe.
       */
      raw?: '1'
    }
    answer: QueryResult
  }
  /** Start an evaluation */
  'questionSets.evaluate': {
    params: {
      /** The question set’s id. */
      id: string
    }
    body?: GivenEvaluation
    answer: EvaluationInFull
  }
  /** List question sets */
  'questionSets.list': {
    answer: QuestionSets
  }
  /** Read the exact difference of a change */
  'references.changePatch': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
      /** The number of the change. */
      number: string
    }
    answer: unknown
  }
  /** Read the rows of a change */
  'references.changedRows': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
      /** The number of the change. */
      number: string
    }
    answer: unknown
  }
  /** List the changes of a reference, oldest first */
  'references.changes': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    query?: {
      /** Only changes with a higher number. Without it, all that are kept. */
      after?: number
      /** Maximum number of changes. */
      limit?: number
    }
    answer: ChangeList
  }
  /** Create a query reference */
  'references.create': {
    body: {
      /** The query to point to. */
      queryId: string
    }
    answer: Reference
  }
  /** Delete a query reference */
  'references.delete': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: DeletedReference
  }
  /** Retrieve a query reference */
  'references.get': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: ReferenceInFull
  }
  /** List query references, newest first */
  'references.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: ReferencePage
  }
  /** Publish the changes of a reference */
  'references.patch': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      /** Turns the change feed on or off. */
      publishesChanges?: boolean
      /** The columns that identify a row. Null, or left out the first time: they are inferred from the data. */
      keyColumns?: string[] | null
    }
    answer: PublishingReference
  }
  /** Update a query reference */
  'references.update': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      title?: string
      /** Null removes the description. */
      description?: string | null
    }
    answer: Reference
  }
  /** Compare two kept results of a reference */
  'results.compare': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    query: {
      /** The run of the earlier result. */
      from: string
      /** The run of the later result. */
      to: string
      /** The columns that identify a row, separated by commas. By default they are inferred. */
      keyColumns?: string[]
      /** Return at most this many rows. The counts are of all rows. */
      limit?: number
      /** JSON by default; `jsonl`: one changed row per line. */
      format?: 'json' | 'jsonl'
    }
    answer: ResultComparison
  }
  /** Read a kept result */
  'results.get': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
      /** The run whose result it is. */
      runId: string
    }
    query?: {
      /**
       * Format of the result; default JSON. The other formats are file downloads with a name in
       * `Content-Disposition`.
       */
      format?: 'json' | 'jsonl' | 'csv' | 'xlsx' | 'parquet' | 'arrow'
      /**
       * Only with `format=csv`, rejected with any other format: do not escape texts. By default, a text that a
       * spreadsheet would execute as a formula is prefixed with an apostrophe.
       */
      raw?: '1'
    }
    answer: QueryResult
  }
  /** List the kept results of a reference, newest first */
  'results.list': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: KeptResultPage
  }
  /** Explain why two kept results of a reference differ */
  'results.why': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    query: {
      /** The run of the earlier result. */
      from: string
      /** The run of the later result. */
      to: string
      /** The column whose sum is explained. By default, the first five columns that can be added up. */
      measure?: string
      /** A column by whose sum that of the measure is divided, to explain a ratio. */
      denominator?: string
      /** The columns that identify a row, separated by commas. By default they are inferred. */
      keyColumns?: string[]
    }
    answer: ExplainedChange
  }
}
