// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.

import type {
  AutomationRun,
  DeletedReference,
  Me,
  Query,
  QueryPage,
  QueryResult,
  Reference,
  ReferenceInFull,
  ReferencePage,
  Run,
  SampleEvent,
} from './schemas.ts'

/** Where each operation is found. */
export const routes = {
  'automationRuns.get': { method: 'GET', path: '/api/automation-runs/{id}' },
  'automations.run': { method: 'POST', path: '/api/automations/{id}/runs' },
  'events.createSample': { method: 'POST', path: '/api/events/samples' },
  'events.stream': { method: 'GET', path: '/api/events/stream' },
  'me.get': { method: 'GET', path: '/api/me' },
  'queries.get': { method: 'GET', path: '/api/queries/{queryId}' },
  'queries.list': { method: 'GET', path: '/api/queries' },
  'queries.refresh': { method: 'POST', path: '/api/queries/{queryId}/refresh' },
  'queries.result': { method: 'GET', path: '/api/queries/{queryId}/result' },
  'references.create': { method: 'POST', path: '/api/queries/refs' },
  'references.delete': { method: 'DELETE', path: '/api/queries/refs/{shortId}' },
  'references.get': { method: 'GET', path: '/api/queries/refs/{shortId}' },
  'references.list': { method: 'GET', path: '/api/queries/refs' },
  'references.update': { method: 'PUT', path: '/api/queries/refs/{shortId}' },
} as const

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  /** Retrieve a run of an automation */
  'automationRuns.get': {
    params: {
      /** The run’s id, as starting it answered. */
      id: string
    }
    answer: AutomationRun
  }
  /** Run an automation now */
  'automations.run': {
    params: {
      /** The automation’s id, from its page. */
      id: string
    }
    body?: Record<string, never>
    answer: AutomationRun
  }
  /** Send a sample event */
  'events.createSample': {
    body: {
      type: 'automation.run.completed' | 'automation.run.failed'
      /** An endpoint that gets it too, as its own test would. */
      endpointId?: string
    }
    answer: SampleEvent
  }
  /** Listen to events */
  'events.stream': {
    query?: {
      /** Only events of these types. Repeat it, or put commas between them. */
      type?: ('automation.run.completed' | 'automation.run.failed')[]
      /**
       * Begin with the events since this time, at most 28 days ago. Without it: from now on. Passed over when
       * there is a `Last-Event-ID`.
       */
      since?: string
    }
    answer: unknown
  }
  /** Who this API key belongs to */
  'me.get': {
    answer: Me
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
      /** How many items a page has at most. */
      limit?: number
      /** The previous page’s `nextCursor`, unchanged. Valid for 24 hours; leave it out for the first page. */
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
      /** How the result is written; JSON without it. The others are files, with a name in `Content-Disposition`. */
      format?: 'json' | 'jsonl' | 'csv' | 'parquet' | 'arrow'
      /**
       * Only with `format=csv`, rejected with any other format: writes texts as they are. Without it, a text that
       * a spreadsheet would execute as a formula starts with an apostrophe.
       */
      raw?: '1'
    }
    answer: QueryResult
  }
  /** Create a query reference */
  'references.create': {
    body: {
      /** The query it will point to. */
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
      /** How many items a page has at most. */
      limit?: number
      /** The previous page’s `nextCursor`, unchanged. Valid for 24 hours; leave it out for the first page. */
      cursor?: string
    }
    answer: ReferencePage
  }
  /** Update a query reference */
  'references.update': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      title?: string
      /** Null removes it. */
      description?: string | null
    }
    answer: Reference
  }
}
