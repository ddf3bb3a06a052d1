import { describe, expect, test } from 'vitest'
import { EngineError } from '../engine.ts'
import { TooManyBytes } from '../json-bytes.ts'
import { dialFailure, isFinal, isLost, statementFailure } from './mysql-failure.ts'

const serverError = (errno: number, sqlMessage: string) =>
  Object.assign(new Error(sqlMessage), { errno, sqlMessage, code: `ER_${errno}` })
const happened = (code: string, message = `connect ${code} 10.0.0.5:3306`) =>
  Object.assign(new Error(message), { code })

describe('the failure of a statement', () => {
  test.each([
    [1792, 'refused'],
    [1290, 'refused'],
    [1295, 'refused'],
    [1064, 'failed'],
    [1146, 'failed'],
    [1317, 'failed'],
    [3024, 'failed'],
    [1969, 'failed'],
    [1053, 'unreachable'],
    [1927, 'unreachable'],
  ])('%i is %s', (errno, kind) => {
    expect(statementFailure(serverError(errno, 'The message of the server'), 'select 1').kind).toBe(kind)
  })

  test('is the server’s message without the client address', () => {
    const denied = serverError(1142, "SELECT command denied to user 'reader'@'10.0.0.5' for table `shop`.`t`")
    const { message } = statementFailure(denied, 'select 1')
    expect(message).toBe("SELECT command denied to user 'reader' for table `shop`.`t`")
  })

  test('distinguishes a lost connection, a row that is too large, and an internal error', () => {
    expect(statementFailure(happened('PROTOCOL_CONNECTION_LOST'), 'select 1').kind).toBe('unreachable')
    expect(statementFailure(happened('ECONNRESET'), 'select 1').message).not.toContain('10.0.0.5')
    const tooLarge = { kind: 'failed', message: expect.stringContaining('32 MiB') }
    expect(statementFailure(new TooManyBytes(), 'select 1')).toMatchObject(tooLarge)
    expect(statementFailure(new TypeError('x is not a function'), 'select 1')).toMatchObject({ kind: 'failed' })
    expect(isLost(new TypeError('x is not a function'))).toBe(false)
  })
})

describe('the failure to connect', () => {
  const dialError = (error: unknown) => dialFailure(error, { isTooSlow: false })

  test('is final when the server has answered', () => {
    const denied = dialError(serverError(1045, "Access denied for user 'reader'@'10.0.0.5' (using password: YES)"))
    expect(denied).toMatchObject({
      kind: 'unreachable',
      message: "Access denied for user 'reader' (using password: YES). Check the user and the password.",
    })
    expect(isFinal(denied)).toBe(true)
    expect(isFinal(dialError(happened('HANDSHAKE_SSL_ERROR', 'self-signed certificate')))).toBe(true)
    const unwelcome = serverError(1130, "Host '10.0.0.5' is not allowed to connect to this MariaDB server")
    expect(dialError(unwelcome).message).not.toContain('10.0.0.5')
  })

  test('is not final when another place might succeed', () => {
    const full = serverError(1040, 'Too many connections')
    for (const error of [full, happened('ECONNREFUSED'), happened('PROTOCOL_CONNECTION_LOST')]) {
      expect(dialError(error)).toMatchObject({ kind: 'unreachable', message: expect.not.stringContaining('10.0.0.5') })
      expect(isFinal(dialError(error))).toBe(false)
    }
  })

  test('reports a timeout, and keeps an existing message', () => {
    expect(dialFailure(new Error('aborted'), { isTooSlow: true }).message).toContain('did not answer')
    const known = new EngineError('unreachable', 'The host name is not allowed.')
    expect(dialError(known)).toBe(known)
  })
})
