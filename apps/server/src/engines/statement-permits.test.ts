import { expect, test } from 'vitest'
import { makeStatementPermits } from './statement-permits.ts'

const never = () => new AbortController().signal

test('a waiting statement is stopped when its signal aborts', async () => {
  const permits = makeStatementPermits(1)
  const release = await permits.acquire(never())
  const leaving = new AbortController()
  const left = permits.acquire(leaving.signal)
  const next = permits.acquire(never())
  leaving.abort()
  await expect(left).rejects.toMatchObject({ name: 'EngineError', kind: 'stopped' })
  release()
  await next
})

test('closing stops waiting and later statements', async () => {
  const permits = makeStatementPermits(1)
  await permits.acquire(never())
  const waiting = permits.acquire(never())
  permits.close()
  await expect(waiting).rejects.toMatchObject({ name: 'EngineError', kind: 'stopped' })
  await expect(permits.acquire(never())).rejects.toMatchObject({ name: 'EngineError', kind: 'stopped' })
})
