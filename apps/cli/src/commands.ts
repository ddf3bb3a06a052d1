import type { Command } from './command.ts'

export interface ListedCommand {
  group: 'Service' | 'Webhooks' | 'Queries' | 'Boards' | 'Evaluations' | 'Objects' | 'Files'
  summary: string
  /** Loaded on demand: starting the service takes hundreds of modules, verifying a request three. */
  load(): Promise<{ command: Command }>
}

/** All commands, in the order of the help. */
export const commands: Record<string, ListedCommand> = {
  start: {
    group: 'Service',
    summary: 'start the service',
    load: () => import('./commands/start.ts'),
  },
  migrate: {
    group: 'Service',
    summary: 'bring the schema of the store up to date',
    load: () => import('./commands/migrate.ts'),
  },
  'reset-password': {
    group: 'Service',
    summary: 'print a link for choosing a new password',
    load: () => import('./commands/reset-password.ts'),
  },
  'reset-second-factor': {
    group: 'Service',
    summary: 'remove the second factor of an account',
    load: () => import('./commands/reset-second-factor.ts'),
  },
  backup: {
    group: 'Service',
    summary: 'back up the service to one file, also while it runs',
    load: () => import('./commands/backup.ts'),
  },
  'backup verify': {
    group: 'Service',
    summary: 'prove that a backup can be restored, in a temporary folder',
    load: () => import('./commands/backup-verify.ts'),
  },
  restore: {
    group: 'Service',
    summary: 'restore a backup',
    load: () => import('./commands/restore.ts'),
  },
  doctor: {
    group: 'Service',
    summary: 'check configuration, storage, databases and connections',
    load: () => import('./commands/doctor.ts'),
  },
  storage: {
    group: 'Service',
    summary: 'list the largest tables, and how long rows are kept',
    load: () => import('./commands/storage.ts'),
  },
  listen: {
    group: 'Webhooks',
    summary: 'show events as they happen and forward them to your machine',
    load: () => import('./commands/listen.ts'),
  },
  trigger: {
    group: 'Webhooks',
    summary: 'send a sample event to `listen`, or to an endpoint',
    load: () => import('./commands/trigger.ts'),
  },
  verify: {
    group: 'Webhooks',
    summary: 'verify a captured webhook request and explain what is wrong',
    load: () => import('./commands/verify.ts'),
  },
  ask: {
    group: 'Queries',
    summary: 'ask a question in plain words and print the answer',
    load: () => import('./commands/ask.ts'),
  },
  'query list': {
    group: 'Queries',
    summary: 'list saved queries with their permalinks',
    load: () => import('./commands/query-list.ts'),
  },
  'query run': {
    group: 'Queries',
    summary: 'run a query and show its result',
    load: () => import('./commands/query-run.ts'),
  },
  'query result': {
    group: 'Queries',
    summary: 'show a cached result, or write CSV, JSON, Parquet or Arrow',
    load: () => import('./commands/query-result.ts'),
  },
  lineage: {
    group: 'Queries',
    summary: 'show what a query reads and what uses it',
    load: () => import('./commands/lineage.ts'),
  },
  'proof get': {
    group: 'Queries',
    summary: 'save the proof of a summary or an answer, with its results',
    load: () => import('./commands/proof-get.ts'),
  },
  'proof check': {
    group: 'Queries',
    summary: 'compute the figures of a proof again, without a service',
    load: () => import('./commands/proof-check.ts'),
  },
  'results list': {
    group: 'Queries',
    summary: 'list the kept results of a query',
    load: () => import('./commands/results-list.ts'),
  },
  'results get': {
    group: 'Queries',
    summary: 'show or save a kept result',
    load: () => import('./commands/results-get.ts'),
  },
  'results why': {
    group: 'Queries',
    summary: 'explain why two kept results differ',
    load: () => import('./commands/results-why.ts'),
  },
  watch: {
    group: 'Queries',
    summary: 'print the changes of a query as they happen',
    load: () => import('./commands/watch.ts'),
  },
  'board list': {
    group: 'Boards',
    summary: 'list boards with their permalinks',
    load: () => import('./commands/board-list.ts'),
  },
  'board show': {
    group: 'Boards',
    summary: 'show the tiles of a board and the state of their results',
    load: () => import('./commands/board-show.ts'),
  },
  'board refresh': {
    group: 'Boards',
    summary: 'run the queries of a board and wait for them',
    load: () => import('./commands/board-refresh.ts'),
  },
  'board image': {
    group: 'Boards',
    summary: 'save a board as a PNG image',
    load: () => import('./commands/board-image.ts'),
  },
  'eval list': {
    group: 'Evaluations',
    summary: 'list question sets and their latest scores',
    load: () => import('./commands/eval-list.ts'),
  },
  'eval run': {
    group: 'Evaluations',
    summary: 'ask the model the questions of a set and count the correct answers',
    load: () => import('./commands/eval-run.ts'),
  },
  'eval compare': {
    group: 'Evaluations',
    summary: 'show what changed between two evaluations',
    load: () => import('./commands/eval-compare.ts'),
  },
  'dbt import': {
    group: 'Objects',
    summary: 'import descriptions of tables from a dbt project',
    load: () => import('./commands/dbt-import.ts'),
  },
  'dbt list': {
    group: 'Objects',
    summary: 'list the imports of dbt projects',
    load: () => import('./commands/dbt-list.ts'),
  },
  'dbt delete': {
    group: 'Objects',
    summary: 'forget the import of a dbt project',
    load: () => import('./commands/dbt-delete.ts'),
  },
  databases: {
    group: 'Objects',
    summary: 'list databases',
    load: () => import('./commands/databases.ts'),
  },
  references: {
    group: 'Objects',
    summary: 'create, change and delete saved queries',
    load: () => import('./commands/references.ts'),
  },
  boards: {
    group: 'Objects',
    summary: 'create, change and delete boards',
    load: () => import('./commands/boards.ts'),
  },
  folders: {
    group: 'Objects',
    summary: 'create, change and delete folders',
    load: () => import('./commands/folders.ts'),
  },
  automations: {
    group: 'Objects',
    summary: 'create, change and delete automations',
    load: () => import('./commands/automations.ts'),
  },
  endpoints: {
    group: 'Objects',
    summary: 'create, change and delete webhook endpoints',
    load: () => import('./commands/endpoints.ts'),
  },
  metrics: {
    group: 'Objects',
    summary: 'create, change and delete definitions of metrics',
    load: () => import('./commands/metrics.ts'),
  },
  'question-sets': {
    group: 'Objects',
    summary: 'create, change and delete question sets',
    load: () => import('./commands/question-sets.ts'),
  },
  pull: {
    group: 'Files',
    summary: 'write queries, boards, automations and metrics as files',
    load: () => import('./commands/pull.ts'),
  },
  push: {
    group: 'Files',
    summary: 'apply changed files to the service',
    load: () => import('./commands/push.ts'),
  },
}
