import type { Schema } from '../schema.ts'

/**
 * For each table of the store, which of its rows a viewer sees: a condition over the row, `all` rows, or why no condition is needed. The
 * conditions become views with the names of the tables (make-visible-schema.ts). In a condition, a plain name is a table with all rows,
 * and `visible.` before it means the view.
 *
 * A new table must be listed here. If its rows tell anything of a database, folder, saved query, board, chat or automation, give it the
 * condition of that.
 */
export type Visibility = { where: string } | { all: string }

const hiddenDatabases = `(select current_setting('querypost.hidden_databases')::text[])::text[]`
const hiddenFolders = `(select current_setting('querypost.hidden_folders')::text[])::text[]`

/** By database; see `RowBindings`. Processes of the version before don't set it. */
export const rowBindings = `(select coalesce(nullif(current_setting('querypost.row_bindings', true), ''), '{}')::jsonb)`
const seesAllThings = `(cardinality(${hiddenDatabases}) = 0 and cardinality(${hiddenFolders}) = 0)`

const where = (...conditions: string[]): Visibility => ({ where: conditions.map((each) => `(${each})`).join(' and ') })
const all = (reason: string): Visibility => ({ all: reason })

/** Holds for null. */
const database = (id: string) => `(${id} = any (${hiddenDatabases})) is not true`
const folder = (id: string) => `(${id} = any (${hiddenFolders})) is not true`
const databaseOfQuery = (queryId: string) => `not exists (
  select from queries as hidden_query
  where hidden_query.id = ${queryId} and hidden_query.analytical_database_config_id = any (${hiddenDatabases}))`
/** Holds if the viewer's bindings for the database of the query are those of the run. */
const sameRows = (queryId: string, bindings: string) => `not exists (
  select from queries as bound_query
  where bound_query.id = ${queryId} and ${rowBindings} ->> bound_query.analytical_database_config_id is distinct from ${bindings}
    and ${rowBindings} ? bound_query.analytical_database_config_id)`
/** Holds if everyone sees the same rows. For what is made of several results, or outlives them. */
const noRowRules = (queryId: string) => `not exists (
  select from queries as bound_query
  where bound_query.id = ${queryId} and ${rowBindings} ? bound_query.analytical_database_config_id)`
const noRowRulesOfReference = (referenceId: string) => `not exists (
  select from query_references as bound_reference join queries as bound_query on bound_query.id = bound_reference.stored_query_id
  where bound_reference.id = ${referenceId} and ${rowBindings} ? bound_query.analytical_database_config_id)`
const isIn = (view: string, condition: string) => `exists (select from visible.${view} as seen where ${condition})`
const query = (id: string) => isIn('queries', `seen.id = ${id}`)
const reference = (id: string) => isIn('query_references', `seen.id = ${id}`)
const automation = (id: string) => isIn('automations', `seen.id = ${id}`)
const chat = (id: string) => isIn('chats', `seen.id = ${id}`)
const board = (id: string) => isIn('boards', `seen.id = ${id}`)
const report = (id: string) => isIn('reports', `seen.id = ${id}`)
const item = (of: string) => `case ${of}.kind when 'reference' then ${reference(`${of}.item_id`)} else ${board(`${of}.item_id`)} end`
/** The result of a query that reads others with `ref(…)` is as secret as theirs. */
const inputs = (runId: string) => `not visible.reads_hidden(${runId})`
/** Holds if the text has no such link. */
const linked = (link: string, path: string, view: string, column: string) =>
  `${link} !~ '^/${path}/' or ${isIn(view, `seen.${column} = substring(${link} from '^/${path}/([^/?#]+)')`)}`

const mentionsHiddenDatabase = (text: string) =>
  `exists (select from unnest(${hiddenDatabases}) as hidden (id) where position(hidden.id in ${text}) > 0)`

/** Queries that a reference of a hidden folder has or had are hidden, unless a visible one has them too. Unsaved queries have no folder. */
const foldersOfQuery = `cardinality(${hiddenFolders}) = 0
  or not exists (
    select from query_references as saved where saved.stored_query_id = queries.id
    union all select from query_reference_versions as saved where saved.query_id = queries.id
    union all select from query_reference_history as saved where saved.query_id = queries.id)
  or exists (select from visible.query_references as seen where seen.stored_query_id = queries.id)
  or exists (
    select from query_reference_versions as saved join visible.query_references as seen on seen.id = saved.reference_id
    where saved.query_id = queries.id)`

/**
 * Everything that an agent read is a message of its chat, so a chat is hidden if one of its messages is about something hidden. The
 * output of built-in tools may list anything that the person who asked could see.
 */
const askedByViewer = `exists (
  select from agent_runs as asked
  where asked.id = message.agent_run_id and asked.automation_id is null
    and current_setting('querypost.viewer') in (asked.user_id, asked.trigger_id))`
/** A run that was removed can't be judged. Those who asked have seen its rows anyway. */
const runOfMessage = (runId: string) => `(
  ${isIn('runs', `seen.id = ${runId}`)}
  or ${seesAllThings} and ${askedByViewer} and not exists (select from runs as kept where kept.id = ${runId}))`
/** With values of some rows, if it was asked before the database had row rules. */
const describesBoundTable = `(message.content ->> 'tool' = 'describe_table' and exists (
  select from jsonb_object_keys(${rowBindings}) as bound (id) where position(bound.id in message.content::text) > 0))`
const messagesOfChat = `not exists (
  select from chat_messages as message
  where message.chat_id = chats.id and case message.kind
    when 'question' then message.content ->> 'databaseId' = any (${hiddenDatabases})
    when 'query_run' then
      case when message.content ->> 'runId' is null
        then message.content #>> '{reference,shortId}' is null and not ${seesAllThings} and not ${askedByViewer}
        else not ${runOfMessage(`(message.content ->> 'runId')`)} end
      or message.content #>> '{reference,shortId}' is not null
        and not ${isIn('query_references', `seen.short_id = message.content #>> '{reference,shortId}'`)}
    when 'chart' then not ${runOfMessage(`(message.content ->> 'runId')`)}
    when 'reference' then not ${isIn('query_references', `seen.short_id = message.content ->> 'shortId'`)}
    when 'tool_call' then ${mentionsHiddenDatabase('message.content::text')}
      or message.content ->> 'connector' is null and not ${askedByViewer} and (not ${seesAllThings} or ${describesBoundTable})
    when 'knowledge' then exists (
      select from jsonb_array_elements(message.content -> 'used') as used (piece)
      where ${mentionsHiddenDatabase(`used.piece ->> 'href'`)}
        or not (${linked(`coalesce(used.piece ->> 'href', '')`, 'q', 'query_references', 'short_id')})
        or used.piece ->> 'kind' = 'metric'
          and not ${isIn('knowledge_items', `seen.id = split_part(used.piece ->> 'href', '#', 2)`)}
        or used.piece ->> 'kind' = 'instructions' and used.piece ->> 'name' in (
          select 'for ' || hidden.name from analytical_database_configs as hidden where hidden.id = any (${hiddenDatabases})))
    else false end)`

const watchesNoBoundQuery = (automationId: string) => `not exists (
  select from automations as watching
  where watching.id = ${automationId} and not (${noRowRulesOfReference('watching.watched_reference_id')}))`

const knowledge = (content: string) => [
  database(`${content} ->> 'databaseId'`),
  database(`${content} #>> '{definition,databaseId}'`),
  `${content} ->> 'shortId' is null or ${isIn('query_references', `seen.short_id = ${content} ->> 'shortId'`)}`,
  `${content} #>> '{definition,shortId}' is null or ${isIn('query_references', `seen.short_id = ${content} #>> '{definition,shortId}'`)}`,
]

const people = 'Members see each other.'
const ofOrganization = 'Settings and counts of the whole organization.'
const reached = (from: string) => all(`Read only after the row of ${from} was found.`)
const background = all('Only background work reads it.')
const forAdmins = all('Only admins read it, and they see everything.')

export const visibleTables = {
  organizations: all(ofOrganization),
  users: all(people),
  memberships: all(people),
  sign_in_budgets: all(people),
  second_factors: all(people),
  recovery_codes: all(people),
  sessions: all(people),
  person_links: all(people),
  invitations: all(people),
  oidc_identities: all(people),
  api_keys: all(people),
  member_attributes: forAdmins,
  groups: all(people),
  group_members: all(people),
  database_grants: forAdmins,
  folder_grants: forAdmins,
  idempotent_answers: all('A key gets only its own answers.'),
  api_budgets: all(ofOrganization),
  present_workers: all('Of processes, not of people.'),
  kept_lists: all('A cursor of a viewer is valid only for that viewer.'),

  analytical_database_configs: where(database('analytical_database_configs.id')),
  sample_shops: where(database('sample_shops.database_id')),
  catalogs: where(database('catalogs.analytical_database_config_id')),
  catalog_tables: where(database('catalog_tables.analytical_database_config_id')),
  dbt_imports: where(database('dbt_imports.analytical_database_config_id')),
  dbt_tables: where(database('dbt_tables.analytical_database_config_id')),

  managed_items: where(`case managed_items.kind
    when 'folder' then ${isIn('folders', 'seen.id = managed_items.item_id')}
    when 'query' then ${isIn('query_references', 'seen.short_id = managed_items.item_id')}
    when 'board' then ${isIn('boards', 'seen.short_id = managed_items.item_id')}
    when 'automation' then ${automation('managed_items.item_id')}
    when 'metric' then ${isIn('knowledge_items', 'seen.id = managed_items.item_id')}
    else ${isIn('question_sets', 'seen.id = managed_items.item_id')} end`),

  folders: where(folder('folders.id')),
  folder_versions: where(folder('folder_versions.folder_id')),
  query_references: where(folder('query_references.folder_id'), databaseOfQuery('query_references.query_id')),
  query_reference_history: where(reference('query_reference_history.reference_id'), databaseOfQuery('query_reference_history.query_id')),
  query_reference_versions: where(reference('query_reference_versions.reference_id'), databaseOfQuery('query_reference_versions.query_id')),
  query_reference_search: where(reference('query_reference_search.reference_id')),
  queries: where(database('queries.analytical_database_config_id'), foldersOfQuery),

  runs: where(query('runs.query_id'), sameRows('runs.query_id', 'runs.row_bindings'), inputs('runs.id')),
  waiting_runs: where(query('waiting_runs.query_id'), sameRows('waiting_runs.query_id', 'waiting_runs.row_bindings')),
  waiting_bound_runs: where(query('waiting_bound_runs.query_id'), sameRows('waiting_bound_runs.query_id', 'waiting_bound_runs.row_bindings')),
  run_inputs: where(reference('run_inputs.reference_id')),
  viewer_runs: all('Counts the runs of public links.'),
  results: where(isIn('runs', 'seen.id = results.run_id')),
  result_pieces: reached('results'),
  archived_results: where(
    reference('archived_results.reference_id'),
    databaseOfQuery('archived_results.query_id'),
    noRowRules('archived_results.query_id'),
    inputs('archived_results.run_id'),
  ),
  archive_objects: reached('archived_results'),
  archive_pieces: reached('archived_results'),
  archive_chains: background,
  archive_jobs: background,
  reference_space: where(reference('reference_space.reference_id')),
  organization_space: all(ofOrganization),
  result_pins: where(reference('result_pins.reference_id')),
  result_measures: where(
    reference('result_measures.reference_id'),
    noRowRulesOfReference('result_measures.reference_id'),
    inputs('result_measures.run_id'),
  ),
  change_feeds: where(reference('change_feeds.reference_id')),
  change_feed_results: where(reference('change_feed_results.reference_id')),
  reference_changes: where(
    reference('reference_changes.reference_id'),
    noRowRulesOfReference('reference_changes.reference_id'),
    inputs('reference_changes.to_run_id'),
  ),
  history_fills: where(reference('history_fills.reference_id')),
  filled_results: where(reference('filled_results.reference_id')),
  result_history_settings: all(ofOrganization),
  reference_history_settings: where(reference('reference_history_settings.reference_id')),

  boards: where(folder('boards.folder_id')),
  board_versions: where(board('board_versions.board_id')),
  board_images: reached('boards'),
  comment_threads: where(item('comment_threads')),
  comments: where(isIn('comment_threads', 'seen.id = comments.thread_id')),
  comment_mentions: reached('comments'),
  favorites: where(item('favorites')),
  recent_views: where(item('recent_views')),
  item_tags: where(item('item_tags')),
  deleted_items: where(item('deleted_items')),
  public_links: where(
    `case public_links.kind when 'reference' then ${isIn('query_references', 'seen.short_id = public_links.short_id')}
      else ${isIn('boards', 'seen.short_id = public_links.short_id')} end`,
  ),
  embed_secrets: forAdmins,
  git_repositories: forAdmins,

  chats: where(
    `not exists (
      select from agent_runs as run
      where run.chat_id = chats.id and run.automation_id is not null and not ${automation('run.automation_id')})`,
    messagesOfChat,
  ),
  chat_history: where(chat('chat_history.chat_id')),
  chat_feedback: where(chat('chat_feedback.chat_id')),
  chat_messages: where(chat('chat_messages.chat_id')),
  agent_runs: where(chat('agent_runs.chat_id'), `agent_runs.automation_id is null or ${automation('agent_runs.automation_id')}`),
  automations: where(
    `not exists (
      select from automation_references as used where used.automation_id = automations.id and not ${reference('used.reference_id')})`,
    `automations.watched_reference_id is null or ${reference('automations.watched_reference_id')}`,
  ),
  // A former state may name a query that is hidden from the viewer, unlike the current one.
  automation_history: where(
    automation('automation_history.automation_id'),
    `not exists (
      select from jsonb_array_elements_text(automation_history.former -> 'reference_ids') as used (id) where not ${reference('used.id')})`,
    `automation_history.former ->> 'watched_reference_id' is null or ${reference(`automation_history.former ->> 'watched_reference_id'`)}`,
  ),
  automation_references: where(reference('automation_references.reference_id')),
  automation_observations: where(reference('automation_observations.reference_id')),
  alert_changes: where(automation('alert_changes.automation_id'), watchesNoBoundQuery('alert_changes.automation_id')),
  alert_messages: where(automation('alert_messages.automation_id'), watchesNoBoundQuery('alert_messages.automation_id')),
  reports: where(
    automation('reports.automation_id'),
    `reports.content ->> 'boardShortId' is null or ${isIn('boards', `seen.short_id = reports.content ->> 'boardShortId'`)}`,
  ),
  report_jobs: where(report('report_jobs.report_id')),
  report_deliveries: where(report('report_deliveries.report_id')),
  report_contents: reached('report_deliveries'),
  report_files: reached('report_deliveries'),
  report_downloads: reached('report_deliveries'),
  report_addresses: all(ofOrganization),
  report_unsubscriptions: where(report('report_unsubscriptions.report_id')),
  channels: all(ofOrganization),
  slack_questions: background,
  slack_connections: forAdmins,
  notifications: where(
    linked('notifications.link', 'q', 'query_references', 'short_id'),
    linked('notifications.link', 'b', 'boards', 'short_id'),
    linked('notifications.link', 'chats', 'chats', 'short_id'),
    linked('notifications.link', 'automations', 'automations', 'id'),
    linked('notifications.link', 'databases', 'analytical_database_configs', 'id'),
  ),

  knowledge_items: where(...knowledge('knowledge_items.content')),
  knowledge_versions: where(...knowledge('knowledge_versions.content'), isIn('knowledge_items', 'seen.id = knowledge_versions.item_id')),
  knowledge_suggestions: where(
    database(`knowledge_suggestions.target ->> 'databaseId'`),
    `knowledge_suggestions.chat_short_id is null or ${isIn('chats', 'seen.short_id = knowledge_suggestions.chat_short_id')}`,
  ),
  question_sets: where(`not exists (
    select from jsonb_array_elements(question_sets.questions) as question (content)
    where question.content ->> 'databaseId' = any (${hiddenDatabases}))`),
  evaluations: where(isIn('question_sets', 'seen.id = evaluations.question_set_id'), ...knowledge(`(evaluations.proposal -> 'content')`)),
  evaluation_answers: where(
    isIn('evaluations', 'seen.id = evaluation_answers.evaluation_id'),
    `not exists (select from runs as bound where bound.id = evaluation_answers.run_id and bound.row_bindings is not null)
      or ${isIn('runs', 'seen.id = evaluation_answers.run_id')}`,
  ),

  model_settings: all(ofOrganization),
  model_usage: all(ofOrganization),
  model_budgets: all(ofOrganization),
  model_prices: all(ofOrganization),
  model_backtest_turns: background,
  cost_usage: all(ofOrganization),
  data_connectors: all(ofOrganization),
  webhook_endpoints: forAdmins,
  webhook_deliveries: forAdmins,
  webhook_events: all('Only admins read events, and listeners, who must be allowed to see everything.'),
  event_listeners: all(ofOrganization),
  audit_log: forAdmins,
  audit_tallies: forAdmins,
  key_use: forAdmins,
  sweep_walks: background,
} satisfies Record<keyof Schema, Visibility> & Record<string, Visibility>
