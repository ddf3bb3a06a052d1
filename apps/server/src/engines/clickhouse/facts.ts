/**
 * Facts about a server that decide how to talk to it. They are queried and then refreshed from time to time, because
 * versions differ in the settings they know, and profiles in the settings they allow to change.
 */
import type { TimeForm } from './values/clickhouse-columns.ts'

export interface ServerFacts {
  version: string
  /** Settings sent with every statement. */
  settings: Record<string, string>
  times: TimeForm
  /** Whether closing the connection cancels its statement, without KILL. */
  cancelsOnClose: boolean
}

const limits = ['result', 'read', 'timeout', 'group_by', 'sort', 'distinct', 'join', 'set', 'transfer']
const overflowModes = [
  ...limits.map((limit) => `${limit}_overflow_mode`), 'read_overflow_mode_leaf', 'timeout_overflow_mode_leaf',
]

/**
 * The service cancels statements itself, at a shorter limit. This one catches statements whose service process is gone.
 * A limit already set by the profile is kept.
 */
const longestStatementSeconds = 25 * 3600

const closingName = 'cancel_http_readonly_queries_on_client_close'

/**
 * - Statements cannot change anything: `readonly`.
 * - Results are never truncated silently, whatever the profile says: a statement that exceeds a limit or loses a shard
 *   fails.
 * - Values are exact, times are in UTC, and both take as few bytes as the version allows.
 */
const wanted: Record<string, string> = {
  readonly: '1',
  max_execution_time: String(longestStatementSeconds),
  [closingName]: '1',
  ...Object.fromEntries(overflowModes.map((name) => [name, 'throw'])),
  skip_unavailable_shards: '0',
  date_time_output_format: 'iso',
  output_format_decimal_trailing_zeros: '1',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_denormals: '1',
  output_format_json_escape_forward_slashes: '0',
  output_format_json_validate_utf8: '1',
  output_format_json_named_tuples_as_objects: '1',
  output_format_json_map_as_array_of_tuples: '0',
}

const names = Object.keys(wanted).map((name) => `'${name}'`).join(', ')

export const factsSql = `SELECT *, version() AS server_version, timezone() AS server_zone
  FROM system.settings WHERE name IN (${names})`

/** One row of the response. Older versions have fewer columns. */
export interface SettingRow {
  name: string
  value: string
  /** 1: this user may not change it. */
  readonly?: number
  server_version: string
  server_zone: string
}

export function readFacts(rows: SettingRow[]): ServerFacts {
  const known = new Map(rows.map((row) => [row.name, row]))
  const profile = known.get('readonly')?.value ?? '0'
  const settings: Record<string, string> = {}
  for (const [name, value] of Object.entries(wanted)) {
    const row = known.get(name)
    if (!row || row.value === value || row.readonly === 1) continue
    if (name === 'max_execution_time' && row.value !== '0') continue
    // A user whose profile is read-only can change no setting (1), or any but `readonly` (2).
    if (profile === '1' || (profile === '2' && name === 'readonly')) continue
    settings[name] = value
  }
  const form = settings['date_time_output_format'] ?? known.get('date_time_output_format')?.value
  const { server_version: version = '', server_zone: serverZone = 'UTC' } = rows[0] ?? {}
  return {
    version,
    settings,
    times: form === 'iso' ? { kind: 'utc' } : { kind: 'local', serverZone },
    cancelsOnClose: (settings[closingName] ?? known.get(closingName)?.value) === '1',
  }
}
