const runsWhole = 'It runs a job within the request that starts it, and even within a dry run, so nothing can cancel the job.'
const noPositions = 'It reports an unknown column in the words of DuckDB, without the position.'

/**
 * Tests of the conformance suite that version 1.3.0 of the emulator answers differently from BigQuery's documentation. The scripted
 * server in `bigquery-engine.test.ts` covers what they test, as do the tests of parameters.
 */
export const bigqueryEmulatorFaults: Record<string, string> = {
  'stops a statement that never returns': runsWhole,
  'stops statements at any moment': runsWhole,
  'stops running statements when it closes': runsWhole,
  'reports the position of the error in "select n,\\n  nope\\nfrom digits"': noPositions,
  'reports the position of the error in "select \'\u{1f600}\', nope from digits"': noPositions,
  'returns text parameters unchanged as column names':
    'It knows no escapes in quoted names. BigQuery knows them, but rejects most punctuation in the name of a column.',
  'compares with exactly the elements of a list parameter': 'It casts strings to bytes as DuckDB does, which reads \\x as an escape.',
  'reports a wrong password without revealing it': 'It asks for no token.',
  'reports a missing database': 'Every project exists.',
}
