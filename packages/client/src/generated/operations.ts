// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.

import type {
  AnalyticalDatabaseConfig,
  AppliedChanges,
  Automation,
  AutomationPage,
  AutomationRun,
  Board,
  BoardPage,
  BoardResults,
  BoardTab,
  ChangeList,
  Chat,
  ChatPage,
  CreatedWebhookEndpoint,
  DatabasePage,
  DbtImport,
  DbtImportPage,
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
  ItemLineage,
  KeptResultPage,
  Me,
  Metric,
  MetricPage,
  Project,
  ProjectAutomation,
  ProjectBoard,
  ProjectFolder,
  ProjectMetric,
  ProjectQuery,
  ProjectQuestionSet,
  Proof,
  PublishingReference,
  Query,
  QueryPage,
  QueryResult,
  QuestionSet,
  QuestionSetPage,
  Reference,
  ReferenceInFull,
  ReferenceLineage,
  ReferencePage,
  ResultComparison,
  Run,
  SampleEvent,
  SavedQueryPage,
  SavedReference,
  SavedReferences,
  TableUsers,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookSecrets,
} from './schemas.ts'

/** Where each operation is found. */
export const routes = {
  'automationRuns.get': { method: 'GET', path: '/api/automation-runs/{id}' },
  'automations.create': { method: 'POST', path: '/api/automations' },
  'automations.delete': { method: 'DELETE', path: '/api/automations/{id}' },
  'automations.get': { method: 'GET', path: '/api/automations/{id}' },
  'automations.list': { method: 'GET', path: '/api/automations' },
  'automations.run': { method: 'POST', path: '/api/automations/{id}/runs' },
  'automations.update': { method: 'PATCH', path: '/api/automations/{id}' },
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
  'databases.createQuery': { method: 'POST', path: '/api/databases/{id}/queries' },
  'databases.get': { method: 'GET', path: '/api/databases/{id}' },
  'databases.list': { method: 'GET', path: '/api/databases' },
  'dbt.delete': { method: 'DELETE', path: '/api/knowledge/dbt' },
  'dbt.import': { method: 'POST', path: '/api/knowledge/dbt' },
  'dbt.list': { method: 'GET', path: '/api/knowledge/dbt' },
  'evaluations.compare': { method: 'GET', path: '/api/evaluations/{id}/comparison' },
  'evaluations.get': { method: 'GET', path: '/api/evaluations/{id}' },
  'evaluations.list': { method: 'GET', path: '/api/question-sets/{id}/evaluations' },
  'events.createSample': { method: 'POST', path: '/api/events/samples' },
  'events.stream': { method: 'GET', path: '/api/events/stream' },
  'folders.create': { method: 'POST', path: '/api/folders' },
  'folders.delete': { method: 'DELETE', path: '/api/folders/{id}' },
  'folders.list': { method: 'GET', path: '/api/folders' },
  'folders.update': { method: 'PATCH', path: '/api/folders/{id}' },
  'lineage.ofAutomation': { method: 'GET', path: '/api/automations/{id}/lineage' },
  'lineage.ofBoard': { method: 'GET', path: '/api/boards/{shortId}/lineage' },
  'lineage.ofReference': { method: 'GET', path: '/api/references/{shortId}/lineage' },
  'lineage.ofTable': { method: 'GET', path: '/api/databases/{id}/users' },
  'me.get': { method: 'GET', path: '/api/me' },
  'metrics.create': { method: 'POST', path: '/api/knowledge/metrics' },
  'metrics.delete': { method: 'DELETE', path: '/api/knowledge/metrics/{id}' },
  'metrics.get': { method: 'GET', path: '/api/knowledge/metrics/{id}' },
  'metrics.list': { method: 'GET', path: '/api/knowledge/metrics' },
  'metrics.replace': { method: 'PUT', path: '/api/knowledge/metrics/{id}' },
  'project.apply': { method: 'POST', path: '/api/project/apply' },
  'project.get': { method: 'GET', path: '/api/project' },
  'proofs.ofAutomationRun': { method: 'GET', path: '/api/automation-runs/{id}/proof' },
  'proofs.ofMessage': { method: 'GET', path: '/api/chats/{shortId}/messages/{number}/proof' },
  'proofs.result': { method: 'GET', path: '/api/runs/{runId}/result' },
  'queries.get': { method: 'GET', path: '/api/queries/{queryId}' },
  'queries.list': { method: 'GET', path: '/api/queries' },
  'queries.refresh': { method: 'POST', path: '/api/queries/{queryId}/refresh' },
  'queries.result': { method: 'GET', path: '/api/queries/{queryId}/result' },
  'questionSets.create': { method: 'POST', path: '/api/question-sets' },
  'questionSets.delete': { method: 'DELETE', path: '/api/question-sets/{id}' },
  'questionSets.evaluate': { method: 'POST', path: '/api/question-sets/{id}/evaluations' },
  'questionSets.get': { method: 'GET', path: '/api/question-sets/{id}' },
  'questionSets.list': { method: 'GET', path: '/api/question-sets' },
  'questionSets.replace': { method: 'PUT', path: '/api/question-sets/{id}' },
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
  'savedQueries.create': { method: 'POST', path: '/api/references' },
  'savedQueries.createMany': { method: 'POST', path: '/api/references/batch' },
  'savedQueries.delete': { method: 'DELETE', path: '/api/references/{shortId}' },
  'savedQueries.get': { method: 'GET', path: '/api/references/{shortId}' },
  'savedQueries.list': { method: 'GET', path: '/api/references' },
  'webhookEndpoints.create': { method: 'POST', path: '/api/webhook-endpoints' },
  'webhookEndpoints.delete': { method: 'DELETE', path: '/api/webhook-endpoints/{id}' },
  'webhookEndpoints.get': { method: 'GET', path: '/api/webhook-endpoints/{id}' },
  'webhookEndpoints.list': { method: 'GET', path: '/api/webhook-endpoints' },
  'webhookEndpoints.rotateSecret': { method: 'POST', path: '/api/webhook-endpoints/{id}/rotate-secret' },
  'webhookEndpoints.update': { method: 'PATCH', path: '/api/webhook-endpoints/{id}' },
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
  /** Create an automation */
  'automations.create': {
    body: {
      name: string
      instructions: string
      /** The shortIds of query references. */
      references: string[]
      /** A cron expression and its time zone. */
      schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week. */
        cron: string
        /** An IANA time zone, such as Europe/Berlin. */
        timeZone: string
      } | null
      condition?: {
        reference: string
        kind: 'row_count' | 'value' | 'changed' | 'alert'
        column?: string
        comparison?: '>' | '>=' | '<' | '<=' | '=' | '!='
        number?: number
        everyTime?: boolean
        tests?: {
          kind: 'threshold' | 'change' | 'new_rows' | 'no_rows' | 'stale' | 'unusual'
          severity?: 'info' | 'warning' | 'critical'
          /** Fires after so many results in a row. */
          forRuns?: number
          /** Left out: the number of rows. */
          column?: string
          aggregate?: 'first' | 'last' | 'min' | 'max' | 'sum'
          comparison?: '>' | '>=' | '<' | '<='
          number?: number
          /** Once it fires, it goes on until the value has passed this number too. */
          resolveAt?: number
          against?: 'previous' | 'day' | 'week' | 'month'
          direction?: 'either' | 'up' | 'down'
          by?: number
          unit?: 'percent' | 'absolute'
          keyColumns?: string[]
          hours?: number
          deviations?: number
          results?: number
        }[]
        muteWindows?: {
          /** 1 is Monday. */
          days: number[]
          /** As 22:00. */
          from: string
          /** As 06:30, or 24:00. Before `from`: on the next day. */
          to: string
          timeZone: string
        }[]
      } | null
      agent?: 'digest' | 'model'
      enabled?: boolean
      strict?: boolean
    }
    answer: Automation
  }
  /** Delete an automation */
  'automations.delete': {
    params: {
      /** The automation’s id, shown on its page. */
      id: string
    }
    answer: Automation
  }
  /** Retrieve an automation */
  'automations.get': {
    params: {
      /** The automation’s id, shown on its page. */
      id: string
    }
    answer: Automation
  }
  /** List automations, newest first */
  'automations.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: AutomationPage
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
  /** Change an automation */
  'automations.update': {
    params: {
      /** The automation’s id, shown on its page. */
      id: string
    }
    body?: {
      name?: string
      instructions?: string
      /** The shortIds of query references. */
      references?: string[]
      /** A cron expression and its time zone. */
      schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week. */
        cron: string
        /** An IANA time zone, such as Europe/Berlin. */
        timeZone: string
      } | null
      condition?: {
        reference: string
        kind: 'row_count' | 'value' | 'changed' | 'alert'
        column?: string
        comparison?: '>' | '>=' | '<' | '<=' | '=' | '!='
        number?: number
        everyTime?: boolean
        tests?: {
          kind: 'threshold' | 'change' | 'new_rows' | 'no_rows' | 'stale' | 'unusual'
          severity?: 'info' | 'warning' | 'critical'
          /** Fires after so many results in a row. */
          forRuns?: number
          /** Left out: the number of rows. */
          column?: string
          aggregate?: 'first' | 'last' | 'min' | 'max' | 'sum'
          comparison?: '>' | '>=' | '<' | '<='
          number?: number
          /** Once it fires, it goes on until the value has passed this number too. */
          resolveAt?: number
          against?: 'previous' | 'day' | 'week' | 'month'
          direction?: 'either' | 'up' | 'down'
          by?: number
          unit?: 'percent' | 'absolute'
          keyColumns?: string[]
          hours?: number
          deviations?: number
          results?: number
        }[]
        muteWindows?: {
          /** 1 is Monday. */
          days: number[]
          /** As 22:00. */
          from: string
          /** As 06:30, or 24:00. Before `from`: on the next day. */
          to: string
          timeZone: string
        }[]
      } | null
      agent?: 'digest' | 'model'
      enabled?: boolean
      strict?: boolean
    }
    answer: Automation
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
  /** Store a query */
  'databases.createQuery': {
    params: {
      /** The database’s id. */
      id: string
    }
    body: {
      /** One statement that reads. */
      sql: string
    }
    answer: Query
  }
  /** Retrieve a database */
  'databases.get': {
    params: {
      /** The database’s id. */
      id: string
    }
    answer: AnalyticalDatabaseConfig
  }
  /** List databases, newest first */
  'databases.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: DatabasePage
  }
  /** Delete the import of a dbt project */
  'dbt.delete': {
    query: {
      /** The database whose tables the import describes. */
      databaseId: string
      /** The name of the dbt project. */
      project: string
    }
    answer: DbtImport
  }
  /** Import a dbt project */
  'dbt.import': {
    query: {
      /** The database that the project builds its tables in. */
      databaseId: string
      /** The address of the site that dbt generates, to link tables to their pages. */
      docsUrl?: string
      /** The address of the project’s files, to link tables to the files that define them. */
      repositoryUrl?: string
    }
    body: {
      /** The content of `target/manifest.json`. */
      manifest: Record<string, unknown>
      /** The content of `target/catalog.json`: comments of columns. */
      catalog?: Record<string, unknown>
      /** The content of `target/sources.json`: the freshness of sources. */
      sources?: Record<string, unknown>
    }
    answer: DbtImport
  }
  /** List imports of dbt projects, newest first */
  'dbt.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: DbtImportPage
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
  /** Read the lineage of an automation */
  'lineage.ofAutomation': {
    params: {
      /** The automation’s id, shown on its page. */
      id: string
    }
    answer: ItemLineage
  }
  /** Read the lineage of a board */
  'lineage.ofBoard': {
    params: {
      /** The board’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: ItemLineage
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
  /** Create a metric */
  'metrics.create': {
    body: {
      name: string
      description: string
      unit: string | null
      synonyms: string[]
      definition: {
        kind: 'sql'
        databaseId: string
        sql: string
      } | {
        kind: 'reference'
        shortId: string
      }
      ownerId: string | null
    }
    answer: Metric
  }
  /** Delete a metric */
  'metrics.delete': {
    params: {
      /** The metric’s id. */
      id: string
    }
    answer: Metric
  }
  /** Retrieve a metric */
  'metrics.get': {
    params: {
      /** The metric’s id. */
      id: string
    }
    answer: Metric
  }
  /** List metrics, last changed first */
  'metrics.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: MetricPage
  }
  /** Replace a metric */
  'metrics.replace': {
    params: {
      /** The metric’s id. */
      id: string
    }
    body: {
      name: string
      description: string
      unit: string | null
      synonyms: string[]
      definition: {
        kind: 'sql'
        databaseId: string
        sql: string
      } | {
        kind: 'reference'
        shortId: string
      }
      ownerId: string | null
    }
    answer: Metric
  }
  /** Apply changes of files */
  'project.apply': {
    body?: {
      folders?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectFolder
      }[]
      queries?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectQuery
      }[]
      boards?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectBoard
      }[]
      automations?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectAutomation
      }[]
      metrics?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectMetric
      }[]
      questionSets?: {
        /** Of the file, for messages and links. */
        path: string
        /** Null for a new item. */
        id: string | null
        /** The `hash` of the item that the change is based on. Null for a new item. */
        expectedHash: string | null
        content: ProjectQuestionSet
      }[]
      /** Items to delete. */
      deletions?: {
        kind: 'folder' | 'query' | 'board' | 'automation' | 'metric' | 'question_set'
        /** Of the file, for messages and links. */
        path: string
        /** The id of the item. */
        id: string
        /** Changes whenever the content does. */
        expectedHash: string
      }[]
      /** Items that files manage from now on: they can only be changed by this route. Only for admins. */
      managed?: {
        kind: 'folder' | 'query' | 'board' | 'automation' | 'metric' | 'question_set'
        /** Of the file, for messages and links. */
        path: string
        /** Null for an item that the same request creates. */
        id: string | null
        /** Where people find the file. Null: the item can be edited on the pages again. */
        url: string | null
      }[]
      /** Checks everything, and changes nothing. */
      isDryRun?: boolean
    }
    answer: AppliedChanges
  }
  /** Get everything that has a file */
  'project.get': {
    answer: Project
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
  /** Create a question set */
  'questionSets.create': {
    body: {
      name: string
      questions: {
        text: string
        /** The database that the question is about. */
        databaseId: string
        /** A statement whose result is the expected one. Null if `expectedRows` is given. */
        expectedSql: string | null
        /** The expected rows, each a list of values. Null if `expectedSql` is given. */
        expectedRows: unknown[][] | null
        /** True if the rows must be in the expected order. */
        isOrdered: boolean
        /** By how much numbers may differ. */
        tolerance: number
      }[]
      schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week. */
        cron: string
        /** An IANA time zone, such as Europe/Berlin. */
        timeZone: string
      } | null
    }
    answer: QuestionSet
  }
  /** Delete a question set */
  'questionSets.delete': {
    params: {
      /** The question set’s id. */
      id: string
    }
    answer: QuestionSet
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
  /** Retrieve a question set */
  'questionSets.get': {
    params: {
      /** The question set’s id. */
      id: string
    }
    answer: QuestionSet
  }
  /** List question sets, by name */
  'questionSets.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: QuestionSetPage
  }
  /** Replace a question set */
  'questionSets.replace': {
    params: {
      /** The question set’s id. */
      id: string
    }
    body: {
      name: string
      questions: {
        text: string
        /** The database that the question is about. */
        databaseId: string
        /** A statement whose result is the expected one. Null if `expectedRows` is given. */
        expectedSql: string | null
        /** The expected rows, each a list of values. Null if `expectedSql` is given. */
        expectedRows: unknown[][] | null
        /** True if the rows must be in the expected order. */
        isOrdered: boolean
        /** By how much numbers may differ. */
        tolerance: number
      }[]
      schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week. */
        cron: string
        /** An IANA time zone, such as Europe/Berlin. */
        timeZone: string
      } | null
    }
    answer: QuestionSet
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
  /** Change a saved query, or publish its changes */
  'references.patch': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    body?: {
      title?: string
      description?: string | null
      visualization?: {
        type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
        jsxConfig?: string
        marginConfig?: {
          top?: number
          right?: number
          bottom?: number
          left?: number
        }
        /** In the order in which the columns are shown. Columns that are not listed follow. */
        columns?: {
          /** The column of the result. */
          name: string
          /** Shown instead of the name. */
          title?: string
          isHidden?: boolean
          /** How the values of a column are written. */
          format?: {
            style: 'plain' | 'number' | 'currency' | 'percent' | 'unit' | 'date'
            /** ISO 4217, for the style `currency`. */
            currency?: string
            /** Shown after the number, for the style `unit`. */
            unit?: string
            /** Digits after the decimal point, 0 to 10. */
            decimals?: number
            /** Whether thousands are separated; true by default. */
            isGrouped?: boolean
            /** For the style `percent`: 0.12 is shown as 12%. */
            isFraction?: boolean
            /** 1,200,000 is shown as 1.2M. */
            isCompact?: boolean
            granularity?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'
          }
          colors?: ({
            when: 'above' | 'below' | 'between' | 'equals' | 'contains'
            value: string | number
            /** For `between`: the upper bound. */
            to?: number
            color: string
          } | {
            when: 'scale'
            /** The color of the lowest value. */
            from: string
            /** The color of the highest value. */
            to: string
          })[]
          total?: 'sum' | 'average' | 'min' | 'max' | 'count'
        }[]
        /** Whether tables end with a row of totals. */
        hasTotals?: boolean
      } | null
      parameters?: {
        name: string
        type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
        displayName?: string
        defaultValue?: string
        description?: string
        isList?: boolean
        /**
         * Values to choose from: either `values`, or `referenceShortId` with `valueColumn`. Other values are
         * still accepted.
         */
        options?: {
          values?: {
            /** Text that is valid for the type. */
            value: string
            /** Shown instead of the value. */
            label?: string
          }[]
          /** The reference whose result has the values. */
          referenceShortId?: string
          /** The column of that result with the values. */
          valueColumn?: string
          /** The column with the texts to show instead of the values. */
          labelColumn?: string
          /**
           * Names of other parameters whose values narrow the options. A value goes to the parameter of that name
           * of the reference; if it has none, only rows with that value in the column of that name are kept.
           * Names without a parameter are ignored.
           */
          dependsOn?: string[]
        }
      }[]
      sql?: string
      analyticalDatabaseConfigId?: string
      /** Null for the top. */
      folderId?: string | null
      /**
       * How old its result may be when other queries read it with `ref`; null if a stored one is always fresh
       * enough.
       */
      freshForSeconds?: number | null
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
  /** Save a query */
  'savedQueries.create': {
    body: {
      title: string
      description?: string | null
      visualization?: {
        type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
        jsxConfig?: string
        marginConfig?: {
          top?: number
          right?: number
          bottom?: number
          left?: number
        }
        /** In the order in which the columns are shown. Columns that are not listed follow. */
        columns?: {
          /** The column of the result. */
          name: string
          /** Shown instead of the name. */
          title?: string
          isHidden?: boolean
          /** How the values of a column are written. */
          format?: {
            style: 'plain' | 'number' | 'currency' | 'percent' | 'unit' | 'date'
            /** ISO 4217, for the style `currency`. */
            currency?: string
            /** Shown after the number, for the style `unit`. */
            unit?: string
            /** Digits after the decimal point, 0 to 10. */
            decimals?: number
            /** Whether thousands are separated; true by default. */
            isGrouped?: boolean
            /** For the style `percent`: 0.12 is shown as 12%. */
            isFraction?: boolean
            /** 1,200,000 is shown as 1.2M. */
            isCompact?: boolean
            granularity?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'
          }
          colors?: ({
            when: 'above' | 'below' | 'between' | 'equals' | 'contains'
            value: string | number
            /** For `between`: the upper bound. */
            to?: number
            color: string
          } | {
            when: 'scale'
            /** The color of the lowest value. */
            from: string
            /** The color of the highest value. */
            to: string
          })[]
          total?: 'sum' | 'average' | 'min' | 'max' | 'count'
        }[]
        /** Whether tables end with a row of totals. */
        hasTotals?: boolean
      } | null
      parameters?: {
        name: string
        type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
        displayName?: string
        defaultValue?: string
        description?: string
        isList?: boolean
        /**
         * Values to choose from: either `values`, or `referenceShortId` with `valueColumn`. Other values are
         * still accepted.
         */
        options?: {
          values?: {
            /** Text that is valid for the type. */
            value: string
            /** Shown instead of the value. */
            label?: string
          }[]
          /** The reference whose result has the values. */
          referenceShortId?: string
          /** The column of that result with the values. */
          valueColumn?: string
          /** The column with the texts to show instead of the values. */
          labelColumn?: string
          /**
           * Names of other parameters whose values narrow the options. A value goes to the parameter of that name
           * of the reference; if it has none, only rows with that value in the column of that name are kept.
           * Names without a parameter are ignored.
           */
          dependsOn?: string[]
        }
      }[]
      /** One statement that reads. */
      sql: string
      /** The database to run it against. */
      analyticalDatabaseConfigId: string
      /** The folder to put it in. Null: none. */
      folderId?: string | null
    }
    answer: SavedReference
  }
  /** Save many queries */
  'savedQueries.createMany': {
    body: {
      items: {
        title: string
        description?: string | null
        visualization?: {
          type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
          jsxConfig?: string
          marginConfig?: {
            top?: number
            right?: number
            bottom?: number
            left?: number
          }
          /** In the order in which the columns are shown. Columns that are not listed follow. */
          columns?: {
            /** The column of the result. */
            name: string
            /** Shown instead of the name. */
            title?: string
            isHidden?: boolean
            /** How the values of a column are written. */
            format?: {
              style: 'plain' | 'number' | 'currency' | 'percent' | 'unit' | 'date'
              /** ISO 4217, for the style `currency`. */
              currency?: string
              /** Shown after the number, for the style `unit`. */
              unit?: string
              /** Digits after the decimal point, 0 to 10. */
              decimals?: number
              /** Whether thousands are separated; true by default. */
              isGrouped?: boolean
              /** For the style `percent`: 0.12 is shown as 12%. */
              isFraction?: boolean
              /** 1,200,000 is shown as 1.2M. */
              isCompact?: boolean
              granularity?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'
            }
            colors?: ({
              when: 'above' | 'below' | 'between' | 'equals' | 'contains'
              value: string | number
              /** For `between`: the upper bound. */
              to?: number
              color: string
            } | {
              when: 'scale'
              /** The color of the lowest value. */
              from: string
              /** The color of the highest value. */
              to: string
            })[]
            total?: 'sum' | 'average' | 'min' | 'max' | 'count'
          }[]
          /** Whether tables end with a row of totals. */
          hasTotals?: boolean
        } | null
        parameters?: {
          name: string
          type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
          displayName?: string
          defaultValue?: string
          description?: string
          isList?: boolean
          /**
           * Values to choose from: either `values`, or `referenceShortId` with `valueColumn`. Other values are
           * still accepted.
           */
          options?: {
            values?: {
              /** Text that is valid for the type. */
              value: string
              /** Shown instead of the value. */
              label?: string
            }[]
            /** The reference whose result has the values. */
            referenceShortId?: string
            /** The column of that result with the values. */
            valueColumn?: string
            /** The column with the texts to show instead of the values. */
            labelColumn?: string
            /**
             * Names of other parameters whose values narrow the options. A value goes to the parameter of that
             * name of the reference; if it has none, only rows with that value in the column of that name are
             * kept. Names without a parameter are ignored.
             */
            dependsOn?: string[]
          }
        }[]
        /** One statement that reads. */
        sql: string
        /** The database to run it against. */
        analyticalDatabaseConfigId: string
        /** The folder to put it in. Null: none. */
        folderId?: string | null
      }[]
    }
    answer: SavedReferences
  }
  /** Delete a saved query */
  'savedQueries.delete': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    query?: {
      /** Deletes it even if boards, automations or other saved queries use it. */
      evenIfUsed?: 'true' | 'false'
    }
    answer: DeletedReference
  }
  /** Retrieve a saved query */
  'savedQueries.get': {
    params: {
      /** The reference’s `shortId`, as in its permalink. */
      shortId: string
    }
    answer: SavedReference
  }
  /** List saved queries, newest first */
  'savedQueries.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: SavedQueryPage
  }
  /** Create a webhook endpoint */
  'webhookEndpoints.create': {
    body: {
      url: string
      description?: string | null
      eventTypes: ('automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed')[]
      isOrdered?: boolean
    }
    answer: CreatedWebhookEndpoint
  }
  /** Delete a webhook endpoint */
  'webhookEndpoints.delete': {
    params: {
      /** The endpoint’s id. */
      id: string
    }
    answer: WebhookEndpoint
  }
  /** Retrieve a webhook endpoint */
  'webhookEndpoints.get': {
    params: {
      /** The endpoint’s id. */
      id: string
    }
    answer: WebhookEndpoint
  }
  /** List webhook endpoints, newest first */
  'webhookEndpoints.list': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: WebhookEndpointPage
  }
  /** Rotate the secret of a webhook endpoint */
  'webhookEndpoints.rotateSecret': {
    params: {
      /** The endpoint’s id. */
      id: string
    }
    body?: {
      /** Makes the next secret the current one. */
      activate?: boolean
    }
    answer: WebhookSecrets
  }
  /** Change a webhook endpoint */
  'webhookEndpoints.update': {
    params: {
      /** The endpoint’s id. */
      id: string
    }
    body?: {
      url?: string
      description?: string | null
      eventTypes?: ('automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed')[]
      isOrdered?: boolean
    }
    answer: WebhookEndpoint
  }
}
