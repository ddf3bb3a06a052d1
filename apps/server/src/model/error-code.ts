/**
 * Every code that the service can answer with: its HTTP status, what it means and what to do. Codes are part of the published
 * interface: one never changes its meaning. `npm run docs` writes them into `docs/errors.md`.
 */
export const errorCodes = {
  invalid_request: {
    status: 400,
    about:
      'The request is malformed: a body that is not JSON, a field that is missing, unknown or of the wrong kind, an id that is not a UUID, a limit outside 1 to 100. `details` names each place. Mend the request.',
  },
  cursor_invalid: {
    status: 400,
    about:
      'The cursor was changed, cut, or belongs to another list or organization. Send the previous page’s `nextCursor` unchanged.',
  },
  cursor_expired: {
    status: 400,
    about:
      'The cursor is older than 24 hours, its sequence older than 7 days, or the database was restored since. Start again without a cursor.',
  },
  unauthenticated: {
    status: 401,
    about:
      'There is no valid API key (or session). Send `Authorization: Bearer <API key>`; `GET /api/me` shows whether a key works.',
  },
  forbidden: {
    status: 403,
    about:
      'You are known but not allowed to do this: it is for admins, its feature is switched off for the organization, or the request came from another site.',
  },
  method_not_allowed: {
    status: 405,
    about: 'The address exists, but not with this method. The `Allow` header of the answer lists the methods that it has.',
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
      'The analytical database is configured but cannot be opened: its file is gone, or is no database. The message says why; an admin can mend it.',
  },
  table_not_found: {
    status: 404,
    about: 'There is no such table or view in the analytical database.',
  },
  table_exists: {
    status: 409,
    about:
      'The analytical database has a table or view of that name. Choose another name, or ask for the table to be replaced with `ifExists=replace`.',
  },
  table_unreadable: {
    status: 409,
    about:
      'The first rows of the table or view cannot be shown: a view may refer to what is gone, or take too long. The message says why.',
  },
  database_in_use: {
    status: 409,
    about:
      'The analytical database cannot be deleted while saved queries or runs need it, nor written to while another program does. The message says which.',
  },
  file_unreadable: {
    status: 422,
    about:
      'The file cannot be read as what it was sent as. The message says why, and for CSV and JSON in which line. Nothing was imported.',
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
      'The page was opened in another organization than the one you are in now: you have gone on there in another tab. Load the page anew.',
  },
  member_not_found: {
    status: 404,
    about: 'There is no such member in your organization.',
  },
  last_admin: {
    status: 409,
    about: 'The organization would be left without an admin. Make somebody else an admin first.',
  },
  invitation_not_found: {
    status: 404,
    about:
      'There is no such open invitation in your organization: it was accepted, withdrawn, or is of another organization.',
  },
  session_not_found: {
    status: 404,
    about: 'There is no such session of yours; perhaps it has ended already.',
  },
  link_not_valid: {
    status: 404,
    about:
      'The link opens nothing: it has been used, is too old, was withdrawn, or is not complete. The message says which, and whom to ask for a new one.',
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
    about: 'The webhook endpoint is disabled, so nothing is sent to it but tests. Enable it first.',
  },
  secret_unreadable: {
    status: 409,
    about:
      'The endpoint’s signing secret was stored under another `SECRET_KEY` and cannot be read. Rotate the secret, or have the operator bring back the key.',
  },
  next_secret_missing: {
    status: 409,
    about:
      'The endpoint has no next secret that could be made the current one. Rotate the secret first; perhaps somebody has activated or cancelled it already.',
  },
  event_expired: {
    status: 409,
    about: 'The event is older than 28 days and cannot be sent again.',
  },
  count_changed: {
    status: 409,
    about: 'More events match now than the count that was confirmed. Ask for the count again, and confirm the new one.',
  },
  automation_not_found: {
    status: 404,
    about: 'There is no such automation in your organization, or it was deleted.',
  },
  automation_run_not_found: {
    status: 404,
    about: 'There is no such run of an automation in your organization.',
  },
  automation_already_running: {
    status: 409,
    about: 'The automation has a pending or running run, and has one at a time. Wait for it to end, or stop it.',
  },
  chat_not_found: {
    status: 404,
    about: 'There is no such chat in your organization.',
  },
  chat_already_answering: {
    status: 409,
    about: 'An agent is still at work in this chat. Ask again when it has finished, or stop it.',
  },
  model_not_configured: {
    status: 409,
    about:
      'No model is set up for your organization, or its key cannot be read. An admin sets it up in the organization’s settings.',
  },
  data_connector_not_found: {
    status: 404,
    about: 'There is no such data connector in your organization.',
  },
  result_not_available: {
    status: 404,
    about: 'The query has no successful run yet. Refresh it, and ask again when the run has completed.',
  },
  result_expired: {
    status: 404,
    about: 'The cached result is past its lifetime (24 hours by default). Refresh the query.',
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
      'The request body is larger than 1 MiB, an uploaded file than 4 GiB, or what an import makes of it too large for a database. Send less.',
  },
  parameter_missing: {
    status: 422,
    about: 'A placeholder of the SQL has neither a value nor a default. The message names it; give it a value.',
  },
  parameter_invalid: {
    status: 422,
    about: 'A parameter’s value does not fit its type, or names no placeholder. The message names it.',
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
      'The service cannot reach its own PostgreSQL, or that one takes no writes. It is no fault of the request: wait as long as the `Retry-After` header says (in seconds), then try again.',
  },
  internal_error: {
    status: 500,
    about: 'A fault of ours. The answer’s `x-request-id` leads the operator to it in the log. You may try again.',
  },
} as const satisfies Record<string, { status: number; about: string }>

export type ErrorCode = keyof typeof errorCodes

/** All but `internal_error`, which is the one answer that is a fault of ours. */
export type RefusalCode = Exclude<ErrorCode, 'internal_error'>
