/**
 * Every code that the service can answer with: its HTTP status, what it means and what to do. Codes are part of the published
 * interface: one never changes its meaning. `npm run docs` writes them into `docs/errors.md`.
 */
export const errorCodes = {
  invalid_request: {
    status: 400,
    about:
      'The request is malformed: a body that is not JSON, a field that is missing, unknown or of the wrong type, an id that is not a UUID, a limit outside 1 to 100. `details` names each place. Correct the request.',
  },
  cursor_invalid: {
    status: 400,
    about:
      'The cursor was changed or truncated, or belongs to another list or organization. Send the previous page’s `nextCursor` unchanged.',
  },
  cursor_expired: {
    status: 400,
    about:
      'The cursor is older than 24 hours, its sequence is older than 7 days, or the database has been restored since. Start again without a cursor.',
  },
  unauthenticated: {
    status: 401,
    about:
      'There is no valid API key (or session). Send `Authorization: Bearer <API key>`; `GET /api/me` shows whether a key works.',
  },
  forbidden: {
    status: 403,
    about:
      'You are authenticated but not allowed to do this: it is for admins, its feature is turned off for the organization, or the request came from another site.',
  },
  viewing_as_member: {
    status: 403,
    about: 'You are viewing the pages as another member, so nothing can be changed. Stop viewing, then try again.',
  },
  attribute_missing: {
    status: 403,
    about:
      'The database has row rules, and an attribute that they need is not set for you. An admin sets attributes in *Settings → Access*, or the identity provider does.',
  },
  row_rules_apply: {
    status: 403,
    about:
      'The database has row rules, so its rows depend on who looks, and this would show them to others: a public link, an embedded query, a preview of a table. Query the database itself, as a member. For automations, an admin can set the values of the rules.',
  },
  second_factor_required: {
    status: 403,
    about:
      'The organization requires a second factor, and the account has none. Set one up in the account settings, or sign in again and follow the steps.',
  },
  sso_required: {
    status: 403,
    about: 'The organization requires single sign-on. Sign in with the identity provider instead of a password.',
  },
  scope_missing: {
    status: 403,
    about:
      'The API key lacks the scope that the request needs; the message names it. Create a key with that scope. Keys created without scopes can do what all keys could before there were scopes.',
  },
  idempotency_key_reused: {
    status: 409,
    about:
      'The `Idempotency-Key` was used for another request, with another URL or body, in the last 24 hours. Use a new key for each request, and the same one only to send it again.',
  },
  method_not_allowed: {
    status: 405,
    about: 'The address exists, but not with this method. The `Allow` header of the response lists the methods it supports.',
  },
  route_not_found: {
    status: 404,
    about: 'There is no such route. Check the path and the method.',
  },
  route_retired: {
    status: 404,
    about:
      'The query and query reference routes are retired on this service. This is permanent: remove the integration and do not retry.',
  },
  reference_not_found: {
    status: 404,
    about: 'There is no such query reference in your organization, or it was deleted.',
  },
  reference_in_use: {
    status: 409,
    about: 'Other saved queries, boards or automations use the query reference. The details list them; `evenIfUsed=true` deletes it anyway.',
  },
  managed_by_files: {
    status: 409,
    about:
      'A Git repository manages this item, or the folder that it would be in. Change its file, which the message names, and push the change. To edit it on the pages again, remove `managed` from `querypost.yaml` and push.',
  },
  signature_invalid: {
    status: 401,
    about:
      'A push of a Git repository is not signed with a secret of that repository, or was signed more than 5 minutes ago. The message says what is wrong. Sign the bytes of the body with the current time, and send all headers.',
  },
  push_outdated: {
    status: 409,
    about:
      'A push of the same Git repository that was signed at the same time or later has been applied, or this one has been received before. Sign the current files again and send them.',
  },
  git_repository_not_found: {
    status: 404,
    about: 'There is no such Git repository in your organization. It may have been removed.',
  },
  project_conflict: {
    status: 409,
    about:
      'Items that the request changes or deletes were changed or deleted by someone else since the state that it names. `details` lists them by path. Nothing was changed. Get the current state (`querypost pull`), then repeat the change.',
  },
  board_not_found: {
    status: 404,
    about: 'There is no such board in your organization, or it was deleted.',
  },
  board_image_not_found: {
    status: 404,
    about: 'There is no such image in your organization.',
  },
  comment_thread_not_found: {
    status: 404,
    about: 'There is no such thread of comments in your organization, or its query or board was deleted.',
  },
  comment_not_found: {
    status: 404,
    about: 'There is no such comment in your organization, or it was deleted.',
  },
  public_link_not_found: {
    status: 404,
    about:
      'There is no such public link. It may have expired or been revoked, or public links are turned off. Ask the person who sent it for a new one.',
  },
  public_link_password_required: {
    status: 401,
    about: 'The public link has a password. Enter it on the link’s page.',
  },
  public_link_password_wrong: {
    status: 401,
    about: 'This is not the password of the public link.',
  },
  embed_token_invalid: {
    status: 401,
    about:
      'The token of an embedded page is missing, malformed, signed with another algorithm or secret, not valid yet, valid for more than 24 hours, or does not fit the page. The message says which.',
  },
  embed_token_expired: {
    status: 401,
    about: 'The token of an embedded page has expired. Sign a new one.',
  },
  embed_origin_not_allowed: {
    status: 403,
    about: 'The site that embeds the page is not listed. An admin lists the sites under Settings, Sharing.',
  },
  embed_secret_not_found: {
    status: 404,
    about: 'There is no such embedding secret in your organization, or it was replaced or revoked.',
  },
  folder_not_found: {
    status: 404,
    about: 'There is no such folder in your organization, or it was deleted.',
  },
  group_not_found: {
    status: 404,
    about: 'There is no such group in your organization, or it was deleted.',
  },
  group_name_taken: {
    status: 409,
    about: 'There is already a group with this name. Choose another name.',
  },
  folder_not_empty: {
    status: 409,
    about: 'The folder still has boards, queries or folders in it. Move or delete them, then delete the folder.',
  },
  folder_name_taken: {
    status: 409,
    about: 'There is already a folder with this name in the same place. Choose another name.',
  },
  version_conflict: {
    status: 412,
    about:
      'The object has changed since the version that `If-Match` names. Retrieve it again, repeat your change on top of it, and send its new version.',
  },
  query_not_found: {
    status: 404,
    about: 'There is no such query in your organization.',
  },
  run_not_found: {
    status: 404,
    about: 'There is no such run in your organization.',
  },
  database_not_found: {
    status: 404,
    about: 'There is no such analytical database in your organization.',
  },
  database_unreachable: {
    status: 409,
    about:
      'The analytical database is configured but cannot be opened: its file is missing or is not a database, or its server cannot be reached. The message says why; an admin can fix it.',
  },
  table_not_found: {
    status: 404,
    about: 'There is no such table or view in the analytical database.',
  },
  table_exists: {
    status: 409,
    about:
      'The analytical database already has a table or view with that name. Choose another name, or replace the table with `ifExists=replace`.',
  },
  table_unreadable: {
    status: 409,
    about:
      'The first rows of the table or view cannot be shown: a view may refer to something that no longer exists, or take too long. The message says why.',
  },
  database_in_use: {
    status: 409,
    about:
      'The analytical database cannot be deleted while saved queries or runs use it, nor written to while another program writes to it. The message says which.',
  },
  file_mismatch: {
    status: 422,
    about:
      'The file can be read, but its rows cannot be added to the table: columns or types differ, or key columns are empty or repeated. The message says which. Nothing was imported.',
  },
  file_unreadable: {
    status: 422,
    about:
      'The file cannot be read in the given format. The message says why, and for CSV and JSON in which line. Nothing was imported.',
  },
  api_key_not_found: {
    status: 404,
    about: 'There is no such API key, or it is not yours to revoke.',
  },
  organization_not_found: {
    status: 404,
    about: 'There is no such organization, or you are not a member of it.',
  },
  organization_changed: {
    status: 409,
    about:
      'The page was opened in a different organization from the one you are in now: you switched in another tab. Reload the page.',
  },
  member_not_found: {
    status: 404,
    about: 'There is no such member in your organization.',
  },
  last_admin: {
    status: 409,
    about: 'The organization would be left without an admin. Make someone else an admin first.',
  },
  invitation_not_found: {
    status: 404,
    about:
      'There is no such open invitation in your organization: it was accepted or withdrawn, or belongs to another organization.',
  },
  session_not_found: {
    status: 404,
    about: 'You have no such session; it may have ended already.',
  },
  link_not_valid: {
    status: 404,
    about:
      'The link is not valid: it has been used, has expired, was withdrawn, or is incomplete. The message says which, and how to get a new one.',
  },
  endpoint_not_found: {
    status: 404,
    about: 'There is no such webhook endpoint in your organization, or it was deleted.',
  },
  delivery_not_found: {
    status: 404,
    about: 'There is no such delivery in your organization, or it is older than the log, which goes back 32 days.',
  },
  endpoint_disabled: {
    status: 409,
    about: 'The webhook endpoint is disabled and receives only test events. Enable it first.',
  },
  channel_not_found: {
    status: 404,
    about: 'There is no such channel in your organization, or it was deleted.',
  },
  channel_not_slack: {
    status: 409,
    about: 'Only a Slack workspace answers questions. The channel is of another kind.',
  },
  channel_in_use: {
    status: 409,
    about: 'Reports are sent to the channel. Remove it from them first; the message names their automations.',
  },
  channel_test_failed: {
    status: 409,
    about: 'The test message was not accepted. The message says what the receiver answered; fix the channel, then try again.',
  },
  report_not_found: {
    status: 404,
    about: 'The automation has no such report, or it was deleted.',
  },
  report_address_not_found: {
    status: 404,
    about: 'The report goes to no such outside address, or its owner has confirmed it already.',
  },
  report_delivery_not_found: {
    status: 404,
    about: 'There is no such report delivery in your organization, or it is older than the log, which goes back 90 days.',
  },
  secret_unreadable: {
    status: 409,
    about:
      'The endpoint’s signing secret was stored with another `SECRET_KEY` and cannot be decrypted. Rotate the secret, or ask the operator to restore the key.',
  },
  next_secret_missing: {
    status: 409,
    about:
      'The endpoint has no next secret to activate. Rotate the secret first; it may already have been activated or canceled.',
  },
  event_expired: {
    status: 409,
    about: 'The event is older than 28 days and cannot be sent again.',
  },
  count_changed: {
    status: 409,
    about: 'More events match now than the confirmed count. Request the count again and confirm the new one.',
  },
  automation_not_found: {
    status: 404,
    about: 'There is no such automation in your organization, or it was deleted.',
  },
  alert_not_set_up: {
    status: 409,
    about: 'The automation has no alert, so there is nothing to snooze.',
  },
  automation_without_model: {
    status: 409,
    about: 'The automation uses the digest, so there is no model to preview past summaries with.',
  },
  automation_run_not_found: {
    status: 404,
    about: 'There is no such automation run in your organization.',
  },
  proof_not_found: {
    status: 404,
    about:
      'There is no proof: the automation run has not completed, or an agent did not write the message, or wrote it before figures were proven.',
  },
  automation_already_running: {
    status: 409,
    about: 'The automation already has a pending or running run. Wait for it to end, or stop it.',
  },
  chat_not_found: {
    status: 404,
    about: 'There is no such chat in your organization.',
  },
  chat_already_answering: {
    status: 409,
    about: 'An agent is still working in this chat. Ask again when it has finished, or stop it.',
  },
  chat_of_automation: {
    status: 409,
    about: 'The chat records a run of an automation and cannot be deleted while the automation exists. Delete the automation first.',
  },
  message_not_found: {
    status: 404,
    about: 'There is no such message in the chat, or it is not an answer.',
  },
  model_not_configured: {
    status: 409,
    about:
      'No model is set up for your organization, or its key cannot be decrypted. An admin can set it up in the organization’s settings.',
  },
  cost_limit_exceeded: {
    status: 422,
    about:
      'The query would read more than the organization allows per query, or more than is left of a person’s or the organization’s limit for the day. `estimatedBytes` and `limitBytes` say how much. Read fewer columns or partitions, wait until midnight UTC for a daily limit, or ask an admin to raise it.',
  },
  model_budget_exhausted: {
    status: 429,
    about:
      'The organization or the person has used as many tokens, or as much money, as its admins allow for a day or a month. The message says which limit it is and when it resets; the `Retry-After` header says in how many seconds. An admin can raise the limit.',
  },
  question_set_not_found: {
    status: 404,
    about: 'There is no such question set in your organization, or it was deleted.',
  },
  question_set_name_taken: {
    status: 409,
    about: 'Another question set of your organization has this name. Choose another one.',
  },
  evaluation_not_found: {
    status: 404,
    about: 'There is no such evaluation in your organization, or it is no longer kept.',
  },
  evaluation_already_running: {
    status: 409,
    about: 'The question set is already being evaluated. Wait for the evaluation to end, or stop it.',
  },
  evaluation_already_ended: {
    status: 409,
    about: 'The evaluation has ended, so there is nothing to stop.',
  },
  data_connector_not_found: {
    status: 404,
    about: 'There is no such data connector in your organization.',
  },
  knowledge_not_found: {
    status: 404,
    about: 'There is no such metric, suggestion or version in your organization’s knowledge.',
  },
  dbt_artifact_invalid: {
    status: 422,
    about: 'The file is not a manifest that dbt 1.5 or newer has written. Send `target/manifest.json`, alone or with the other artifacts.',
  },
  knowledge_changed: {
    status: 409,
    about: 'Someone else has changed it since you read it, or has decided about the suggestion. Read it again, then repeat your change.',
  },
  result_not_available: {
    status: 404,
    about: 'The query has no successful run yet. Refresh it, and try again when the run has completed.',
  },
  result_expired: {
    status: 404,
    about: 'The cached result has expired (after 24 hours by default). Refresh the query.',
  },
  result_not_kept: {
    status: 404,
    about: 'The reference has no kept result of this run: the run belongs to another query, its result has not been stored yet, or it has expired. List the reference’s results to see which are kept.',
  },
  result_damaged: {
    status: 500,
    about: 'The stored bytes of a kept result have changed since they were written, so its rows cannot be trusted. The operator can restore them from a backup; other results are not affected unless they build on it.',
  },
  measure_invalid: {
    status: 400,
    about: 'The column cannot be explained: it is not in both results, it has no numbers, it has numbers that cannot be added up exactly (NaN, or more than 27 digits before or after the point), or it is a denominator that adds up to zero. `details` names the parameter. Choose another column.',
  },
  changes_not_published: {
    status: 409,
    about: 'The reference does not publish changes, so it has no change feed. Turn it on with `PATCH /api/references/:shortId`.',
  },
  change_not_found: {
    status: 404,
    about: 'The change feed has no change with this number yet: `after` is beyond the newest one. The message names it.',
  },
  changes_expired: {
    status: 404,
    about: 'The change is so old that it is no longer listed, or changes directly after `after` are not. Read the newest result, and follow the changes from there. The message names the numbers.',
  },
  change_rows_expired: {
    status: 404,
    about: 'One of the two results of a change has expired, so its rows can no longer be listed. Read the newest result, and follow the changes from there.',
  },
  key_not_unique: {
    status: 409,
    about: 'Several rows of the newest result have the same values in the chosen key columns. Choose columns that identify a row, or leave `keyColumns` out.',
  },
  too_many_pinned: {
    status: 409,
    about: 'The reference has 50 pinned results, which is the limit. Unpin one first.',
  },
  model_backtest_running: {
    status: 409,
    about: 'The model is writing a past summary for your organization already. It writes one at a time: wait until that has ended, or cancel it.',
  },
  history_fill_running: {
    status: 409,
    about: 'The history of the query is being filled already. Wait until that has ended, or stop it.',
  },
  history_fill_not_possible: {
    status: 422,
    about: 'The history of a query can be filled only through a parameter of type date or timestamp. The query has none of this name.',
  },
  history_fill_not_needed: {
    status: 409,
    about: 'There is a result for each of the requested days already. Ask for more days.',
  },
  query_already_running: {
    status: 409,
    about: 'The query is already running: it has a pending or running run. Wait for that to finish, then refresh.',
  },
  run_already_ended: {
    status: 409,
    about: 'The run has completed or failed, so there is nothing to stop.',
  },
  body_too_large: {
    status: 413,
    about:
      'The request body is larger than 1 MiB, an uploaded file is larger than 4 GiB, or the imported data is too large for a database. Send less.',
  },
  parameter_missing: {
    status: 422,
    about: 'A placeholder in the SQL has neither a value nor a default. The message names it; provide a value.',
  },
  parameter_invalid: {
    status: 422,
    about: 'A parameter’s value does not fit its type, or names no placeholder. The message names it.',
  },
  ref_invalid: {
    status: 422,
    about:
      'A call of `ref(…)` cannot be read or used: the saved query does not exist, it uses itself, or the query is not on the database “Saved queries”. The message names it.',
  },
  request_timeout: {
    status: 408,
    about:
      'The request did not arrive in time: a body within 30 seconds of its headers, an upload with at least 1 MiB a minute and within 30 minutes. Send it again, over a faster connection.',
  },
  too_many_requests: {
    status: 429,
    about:
      'Too many requests of one kind, such as failed sign-ins. Wait as long as the `Retry-After` header says (in seconds), then try again.',
  },
  store_unavailable: {
    status: 503,
    about:
      'The service cannot reach its own PostgreSQL, or cannot write to it. The request is not at fault: wait as long as the `Retry-After` header says (in seconds), then try again.',
  },
  internal_error: {
    status: 500,
    about: 'An internal error. The operator can find it in the log by the response’s `x-request-id`. You may try again.',
  },
} as const satisfies Record<string, { status: number; about: string }>

export type ErrorCode = keyof typeof errorCodes

/** All but `internal_error`, the only code for an internal error. */
export type RefusalCode = Exclude<ErrorCode, 'internal_error'>
