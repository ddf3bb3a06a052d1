import { describe, expect, test } from 'vitest'
import { faultError, positionAt, readFault } from './fault.ts'

describe('an error from the server', () => {
  test('is parsed into fields by their letters', () => {
    const bytes = Buffer.from('xxSERROR\0VERROR\0C42703\0Mcolumn "é" does not exist\0P8\0\0')
    expect(readFault(bytes, 2, bytes.length)).toEqual({
      S: 'ERROR', V: 'ERROR', C: '42703', M: 'column "é" does not exist', P: '8',
    })
  })

  test('includes its detail, hint and position', () => {
    const error = faultError({ V: 'ERROR', C: '42703', M: 'column "nope" does not exist', D: 'A detail.', H: 'Try "note".', P: '8' }, 'select nope')
    expect(error).toMatchObject({ kind: 'failed', position: { line: 1, column: 8 } })
    expect(error.message).toBe('column "nope" does not exist\nA detail.\nHint: Try "note".\n\nLINE 1: select nope\n               ^')
  })

  test.each([
    [{ V: 'ERROR', C: '25006', M: 'cannot execute INSERT in a read-only transaction' }, 'refused'],
    [{ V: 'ERROR', C: '57014', M: 'canceling statement due to statement timeout' }, 'failed'],
    // From another server that the statement tried to reach.
    [{ V: 'ERROR', C: '08001', M: 'could not connect to server' }, 'failed'],
    [{ V: 'FATAL', C: '57P01', M: 'terminating connection due to administrator command' }, 'unreachable'],
    [{ S: 'FATAL', C: '57P01', M: 'terminating connection' }, 'unreachable'],
    [{ S: 'ERREUR', V: 'ERROR', C: '22012', M: 'division par zéro' }, 'failed'],
  ])('%j is %s', (fault, kind) => {
    expect(faultError(fault, 'select 1').kind).toBe(kind)
  })
})

test.each([
  ['select a', 8, { line: 1, column: 8 }],
  ['select\n\n a', 10, { line: 3, column: 2 }],
  [`select '\u{1f600}', a`, 13, { line: 1, column: 14 }],
  ['select a', 9, { line: 1, column: 9 }],
  ['select a', 10, null],
  ['select a', 0, null],
  ['select a', Number.NaN, null],
])('in %j, character %d is at %j', (sql, character, position) => {
  expect(positionAt(sql, character)).toEqual(position)
})
